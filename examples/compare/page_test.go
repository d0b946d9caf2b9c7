package main

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
)

// What would load something, from wherever.
var loads = regexp.MustCompile(`(?i)https?:|//[a-z]|@import|url\(|<script|<link|<img|<iframe|<object|\ssrc=|\bhref=`)

// checkPage checks that a page is complete in itself and well-formed: the
// template closes every element, so that it can be read as XML.
func checkPage(t *testing.T, page string) {
	t.Helper()
	if found := loads.FindStringIndex(page); found != nil {
		t.Errorf("the page is not complete in itself: ...%s...", page[found[0]:min(found[1]+60, len(page))])
	}
	body, ok := strings.CutPrefix(page, "<!DOCTYPE html>\n")
	if !ok {
		t.Errorf("the page begins with %.40q", page)
	}
	d := xml.NewDecoder(strings.NewReader(body))
	svgs := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the page is not well-formed: %v", err)
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "svg" {
			svgs++
		}
	}
	if svgs != 8 {
		t.Errorf("%d pictures, want four charts for wide and for narrow pages", svgs)
	}
	for _, what := range []string{"#0102", "Liberation Serif", "ZgotmplZ", "NaN", "<no value>", "%!"} {
		if i := strings.Index(page, what); i >= 0 {
			t.Errorf("%q is left in the page: %.80q", what, page[max(0, i-40):])
		}
	}
	for _, a := range algorithms() {
		if !strings.Contains(page, ">"+a.name+"<") {
			t.Errorf("%s is not in the page", a.name)
		}
	}
}

// Every colour of a picture is defined for light and for dark pages.
func TestPalette(t *testing.T) {
	for _, name := range palette {
		if n := strings.Count(pageCSS, "--"+name+": "); n != 2 {
			t.Errorf("page.css defines --%s %d times, want twice", name, n)
		}
	}
	for name, hue := range hues {
		find(t, name)
		placeholder(hue) // panics
	}
}

func TestPictures(t *testing.T) {
	c := &chart{title: "a < b", x: "x", y: "y", xTicks: []float64{1, 10}, logX: true, lines: []line{
		{name: "one", hue: "blue", xs: []float64{1, 10}, ys: []float64{1, 2}},
		{name: "two", hue: "red", dash: dashed, xs: []float64{1, 10}, ys: []float64{2, 1}},
	}}
	wide, narrow, err := c.pictures()
	if err != nil {
		t.Fatal(err)
	}
	for _, svg := range []string{string(wide), string(narrow)} {
		if !strings.HasPrefix(svg, `<svg viewBox="0 0 `) || !strings.Contains(svg, `aria-label="a &lt; b"`) {
			t.Errorf("begins with %.120s", svg)
		}
		if strings.Count(svg, "stroke:var(--blue)") != 1 || strings.Count(svg, "stroke:var(--red)") != 1 || !strings.Contains(svg, "stroke-dasharray") {
			t.Errorf("lines are missing in\n%s", svg)
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		chart    chart
		low, top float64
		most     int
	}{
		{chart{lines: []line{{ys: []float64{0.3, 1.96}}}}, 0, 2, 7},
		{chart{yMin: 1, lines: []line{{ys: []float64{1, 1}}}}, 1, 2, 2},
		{chart{yMin: 1, lines: []line{{ys: []float64{1.04, 83}}}}, 1, 101, 7},
		{chart{logY: true, lines: []line{{ys: []float64{0.004, 0.99}}}}, 0.002, 1, 9},
	} {
		ticks := c.chart.yTicks()
		if ticks[0] != c.low || !near(ticks[len(ticks)-1], c.top) || len(ticks) > c.most {
			t.Errorf("ticks %v for %v, want %v to %v and at most %d", ticks, c.chart.lines[0].ys, c.low, c.top, c.most)
		}
	}
}
