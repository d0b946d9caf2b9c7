package main

import (
	"fmt"
	"math"
)

// A chart is what a picture shows, whoever draws it.
type chart struct {
	title, lead string // lead: how to read it
	x, y        string
	logX, logY  bool
	xTicks      []float64
	yMin        float64
	share       bool // y is a share of 1
	lines       []line
}

// A line of a chart. Lines of one hue belong together.
type line struct {
	name   string
	hue    string // names a colour of page.css
	dash   dash
	xs, ys []float64
}

// dash also tells lines apart where colours do not.
type dash int

const (
	solid dash = iota
	dashed
	dotted
)

func (d dash) String() string { return [...]string{"solid", "dashed", "dotted"}[d] }

// hues gives algorithms that charts show their colours. Those left out coincide
// with one that is shown, or would hide the others.
var hues = map[string]string{
	"hrw": "blue", "hrw-1.25": "teal", "ring": "violet", "mod-n": "red", "jump": "brown", "skeleton": "pink", "sticky": "orange",
	"kgo-range": "olive", "kgo-cooperative-sticky": "ink",
}

// crowding are algorithms whose loads would only hide those of others.
var crowding = map[string]bool{"mod-n": true, "jump": true}

func lineOf(a *algorithm, xs, ys []float64) line {
	return line{a.name, hues[a.name], map[kind]dash{ours: solid, classics: dashed, kgos: dotted}[a.kind], xs, ys}
}

// shown returns those of algorithms that have a colour, but for one.
func shown(all []algorithm, but string) []*algorithm {
	var out []*algorithm
	for i := range all {
		if name := all[i].name; hues[name] != "" && name != but {
			out = append(out, &all[i])
		}
	}
	return out
}

// span returns the least and the largest value of a chart.
func (c *chart) span() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, l := range c.lines {
		for _, y := range l.ys {
			low, high = min(low, y), max(high, y)
		}
	}
	return low, high
}

// distribution shows all members' loads, not the fullest alone.
func distribution(c *comparison) *chart {
	ch := &chart{
		title:  "Who has how much",
		lead:   fmt.Sprintf("Loads of all members at %s, from the emptiest to the fullest, over the fair share. Flat at 1 is even.", c.size),
		x:      "members, the emptiest first",
		y:      "load",
		xTicks: []float64{0, 0.25, 0.5, 0.75, 1},
	}
	xs := make([]float64, c.members)
	for i := range xs {
		xs[i] = float64(i) / float64(c.members-1)
	}
	for _, r := range c.results {
		if name := r.algorithm.name; hues[name] != "" && !crowding[name] {
			ch.lines = append(ch.lines, lineOf(r.algorithm, xs, r.loads))
		}
	}
	return ch
}
