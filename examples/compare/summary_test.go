package main

import (
	"math"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
)

// A summary has the worst of all sizes, and names who has what one may want,
// whatever it is called.
func TestSummary(t *testing.T) {
	kinds := map[string]*algorithm{
		"even-home":  {kind: ours, remembers: true},
		"even-flat":  {kind: ours, remembers: true},
		"hashed":     {kind: ours},
		"capped":     {kind: ours},
		"textbook":   {kind: classics},
		"shuffling":  {kind: kgos, remembers: true, balancer: kgo.CooperativeStickyBalancer},
		"stop-world": {kind: kgos, remembers: true, balancer: kgo.StickyBalancer},
	}
	row := func(name string, maxAvg float64, own, needless int, spread float64) *result {
		a := kinds[name]
		a.name = name
		return &result{algorithm: a, figures: &figures{maxAvg: maxAvg, rolled: true, aged: spread,
			received: share{own, 100}, home: share{own, 100}, roll: change{200, 0, 100}, join: change{10, 0, 100}, leave: change{10, needless, 100}}}
	}
	all := []*comparison{
		{setup: setup{size: size{3, 12}, topics: 1}, results: []*result{
			row("even-home", 1, 95, 0, 0), row("even-flat", 1, 100, 0, 0), row("hashed", 1.4, 100, 0, 2), row("capped", 1.2, 100, 3, 2),
			row("textbook", 1, 100, 0, 0), row("shuffling", 1, 20, 0, 2), row("stop-world", 1, 20, 0, 2)}},
		{setup: setup{size: size{10, 100}, topics: 1}, results: []*result{
			row("even-home", 1, 100, 0, 4), row("even-flat", 1, 100, 0, 1), row("hashed", 2, 100, 0, 8), row("capped", 1.3, 100, 0, 7),
			row("textbook", 1, 100, 0, 0), row("shuffling", 1, 10, 0, 7), row("stop-world", 1, 10, 0, 7)}},
	}
	s := summarize(all)
	var rows, says []string
	for _, r := range s.rows {
		rows = append(rows, r.algorithm.name)
	}
	for _, c := range s.choices {
		says = append(says, c.Says)
	}
	if got, want := strings.Join(rows, " "), "even-home even-flat hashed capped shuffling stop-world"; got != want {
		t.Errorf("rows %s, want %s", got, want)
	}
	if got, want := strings.Join(says, "; "), "even-home and even-flat; even-flat; hashed; capped; shuffling"; got != want {
		t.Errorf("choices %s, want %s", got, want)
	}
	for i, want := range []string{"1.00", "4.0", "0", "2.00", "95.0", "95.0", "-", "yes"} {
		if got := s.columns[i].show(s.rows[0]); got != want {
			t.Errorf("%s of even-home is %s, want %s, the worst of two sizes", s.columns[i].name, got, want)
		}
	}
	if got := s.columns[2].show(s.rows[3]); got != "3.0" {
		t.Errorf("needless moves of capped are %s, want those of the leave", got)
	}
	if s := summarize(all[:1]); s.title != "3x12" {
		t.Errorf("title of one size: %s", s.title)
	}
}

func TestNothingToChoose(t *testing.T) {
	if s := summarize(made(made1("a", classics, 100, 200, 0, 1), made1("b", ours, 100, 200, 0, 1))); s != nil {
		t.Errorf("a summary of one row: %+v", s.rows)
	}
	none := made(made1("a", ours, 100, 200, 0, 1), made1("b", ours, 100, 200, 0, 1))
	none[0].results[0].rolled, none[0].results[1].rolled = false, false
	s := summarize(none)
	if v := s.columns[4].of(s.rows[0]); !math.IsNaN(v) {
		t.Errorf("own back without a roll is %v", v)
	}
}
