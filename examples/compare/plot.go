package main

import (
	"bytes"
	"fmt"
	"html/template"
	"image/color"
	"math"
	"regexp"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// palette are the colours of page.css, which has each twice, for light and for
// dark pages. Pictures are drawn in colours that only stand for them.
var palette = []string{"text", "grid", "grey", "blue", "teal", "violet", "red", "orange", "brown", "pink", "olive", "ink"}

func placeholder(name string) color.Color {
	for i, n := range palette {
		if n == name {
			return color.RGBA{1, 2, uint8(i + 1), 255}
		}
	}
	panic("compare: no colour named " + name)
}

// pictures draws a chart for a wide and for a narrow page: one picture scaled
// to both would have letters too large on one or too small on the other.
func (c *chart) pictures() (wide, narrow template.HTML, err error) {
	if wide, err = c.svg(600, 340); err != nil {
		return "", "", err
	}
	narrow, err = c.svg(380, 300)
	return wide, narrow, err
}

func (c *chart) svg(width, height vg.Length) (template.HTML, error) {
	p := plot.New()
	p.BackgroundColor = nil
	c.axes(p, width < 500)
	for _, l := range c.lines {
		xys := make(plotter.XYs, len(l.xs))
		for i := range xys {
			xys[i] = plotter.XY{X: l.xs[i], Y: l.ys[i]}
		}
		drawn, err := plotter.NewLine(xys)
		if err != nil {
			return "", fmt.Errorf("chart %q, line %q: %w", c.title, l.name, err)
		}
		drawn.Color = placeholder(l.hue)
		drawn.Width = 2
		drawn.Dashes = [][]vg.Length{solid: nil, dashed: {6, 4}, dotted: {2, 3}}[l.dash]
		p.Add(drawn)
	}
	canvas := vgsvg.New(width, height)
	p.Draw(draw.New(canvas))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return "", fmt.Errorf("chart %q: %w", c.title, err)
	}
	return inline(b.String(), c.title), nil
}

// axes sets scales, ticks and the grid.
func (c *chart) axes(p *plot.Plot, narrow bool) {
	p.X.Label.Text, p.Y.Label.Text = c.x, c.y
	p.X.Min, p.X.Max = c.xTicks[0], c.xTicks[len(c.xTicks)-1]
	var ticks []plot.Tick
	for i, x := range c.xTicks {
		label := fmt.Sprint(x)
		if !c.logX {
			label = fmt.Sprintf("%g %%", 100*x)
		}
		if narrow && len(c.xTicks) > 8 && i%2 == 1 {
			label = ""
		}
		ticks = append(ticks, plot.Tick{Value: x, Label: label})
	}
	p.X.Tick.Marker = plot.ConstantTicks(ticks)
	if c.logX {
		p.X.Scale = plot.LogScale{}
	}
	ticks = nil
	for _, y := range c.yTicks() {
		ticks = append(ticks, plot.Tick{Value: y, Label: c.yLabel(y)})
	}
	p.Y.Min, p.Y.Max = ticks[0].Value, ticks[len(ticks)-1].Value
	p.Y.Tick.Marker = plot.ConstantTicks(ticks)
	if c.logY {
		p.Y.Scale = plot.LogScale{}
	}
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Padding = 0
		axis.Color = placeholder("grid")
		axis.Tick.Color = placeholder("grid")
		axis.Tick.Length = 4
		for _, style := range []*draw.TextStyle{&axis.Label.TextStyle, &axis.Tick.Label} {
			style.Color = placeholder("text")
			style.Font = font.Font{Typeface: "Liberation", Variant: "Sans", Size: 12}
		}
		axis.Label.Padding = 4
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = nil, placeholder("grid")
	p.Add(grid)
}

// yTicks returns round values from below the lowest to above the highest.
func (c *chart) yTicks() []float64 {
	low, high := c.span()
	var ticks []float64
	if c.logY {
		for power := math.Pow(10, math.Floor(math.Log10(low))); ; power *= 10 {
			for _, f := range []float64{1, 2, 5} {
				if f*power*2.5 > low {
					ticks = append(ticks, f*power)
				}
				if f*power >= 0.999*high {
					return ticks
				}
			}
		}
	}
	low = c.yMin
	step := niceStep(high - low)
	for i := 0; ; i++ {
		y := low + float64(i)*step
		ticks = append(ticks, y)
		if y >= high && i > 0 {
			return ticks
		}
	}
}

func (c *chart) yLabel(y float64) string {
	if c.share {
		return fmt.Sprintf("%.4g %%", 100*y)
	}
	return fmt.Sprintf("%.4g", y)
}

// niceStep returns 1, 2 or 5 times a power of ten: the least that needs at most
// six steps for a span.
func niceStep(span float64) float64 {
	if span <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(span/6)))
	for _, f := range []float64{1, 2, 5} {
		if span/(f*power) <= 6 {
			return f * power
		}
	}
	return 10 * power
}

var (
	svgHead = regexp.MustCompile(`(?s)^.*?<svg[^>]*viewBox="([^"]*)"[^>]*>`)
	svgHue  = regexp.MustCompile(`#0102([0-9A-F]{2})`)
	svgFont = regexp.MustCompile(`font-family:[^;]*;font-variant:[^;]*;font-weight:[^;]*;font-style:[^;]*;`)
)

// inline makes an SVG file part of a page: the page's width, fonts and colours.
func inline(svg, title string) template.HTML {
	svg = svgHead.ReplaceAllString(svg, fmt.Sprintf(`<svg viewBox="$1" role="img" aria-label="%s">`, template.HTMLEscapeString(title)))
	svg = svgFont.ReplaceAllString(svg, "")
	svg = svgHue.ReplaceAllStringFunc(svg, func(s string) string {
		var i int
		if _, err := fmt.Sscanf(s[5:], "%X", &i); err != nil || i < 1 || i > len(palette) {
			return s
		}
		return "var(--" + palette[i-1] + ")"
	})
	return template.HTML(strings.TrimSpace(svg))
}
