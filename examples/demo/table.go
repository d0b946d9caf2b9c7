package main

import (
	"fmt"
	"strconv"
	"strings"
)

// totals sums up a strategy's whole history.
type totals struct {
	moved, needless int
	had, back       int
	displaced       int     // partitions that are elsewhere after a step, though both workers are there
	worst           float64 // the fullest worker against the average, after the worst step
}

func (r *result) totals() (t totals) {
	for _, o := range r.outcomes {
		t.moved += o.moved
		t.needless += o.needless
		t.had += o.had
		t.back += o.back
		t.displaced += o.displaced()
		most, average := o.fullest()
		t.worst = max(t.worst, float64(most)/average)
	}
	return t
}

// A line of the closing table. Of two results better is the smaller one, or the
// larger if up; with neither set no result is better.
type line struct {
	label    string
	text     func(totals, records) string
	value    func(totals, records) float64
	up, down bool
}

var lines = []line{
	{label: "partitions moved, in all rebalances",
		text: func(t totals, _ records) string { return strconv.Itoa(t.moved) }},
	{label: "  of them between workers that stayed", down: true,
		text:  func(t totals, _ records) string { return strconv.Itoa(t.needless) },
		value: func(t totals, _ records) float64 { return float64(t.needless) }},
	{label: "back on return from a restart", up: true,
		text:  func(t totals, _ records) string { return share(t.back, t.had) },
		value: func(t totals, _ records) float64 { return ratio(t.back, t.had) }},
	{label: "elsewhere afterwards, x in the grids", down: true,
		text:  func(t totals, _ records) string { return strconv.Itoa(t.displaced) },
		value: func(t totals, _ records) float64 { return float64(t.displaced) }},
	{label: "fullest worker / average, at worst", down: true,
		text:  func(t totals, _ records) string { return fmt.Sprintf("%.2f", t.worst) },
		value: func(t totals, _ records) float64 { return t.worst }},
	{label: "records written",
		text: func(_ totals, r records) string { return strconv.Itoa(r.written) }},
	{label: "  processed",
		text: func(_ totals, r records) string { return strconv.Itoa(r.processed) }},
	{label: "  lost / processed more than once",
		text: func(_ totals, r records) string { return fmt.Sprintf("%d / %d", r.lost, r.twice) }},
	{label: "partitions with two owners at once",
		text: func(_ totals, r records) string { return strconv.Itoa(r.overlaps) }},
}

func ratio(part, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(part) / float64(of)
}

// closing shows the table and what follows from it.
func (s *screen) closing(results []*result) {
	const labels, column = 38, 19
	all := make([]totals, len(results))
	head := strings.Repeat(" ", labels)
	for i, r := range results {
		all[i] = r.totals()
		head += fmt.Sprintf("%*s", column, r.name)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n\n%s%s\n", s.paint(bold, "All in all"), margin, s.paint(bold, head))
	for _, l := range lines {
		fmt.Fprintf(&b, "%s%-*s", margin, labels, l.label)
		for i, r := range results {
			st := normal
			if l.best(results, all, i) {
				st = "1;32"
			}
			b.WriteString(s.paint(st, fmt.Sprintf("%*s", column, l.text(all[i], r.records))))
		}
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	for _, text := range conclusions(results, all) {
		b.WriteString(wrap("- "+text, "  "))
	}
	for _, r := range results {
		for _, w := range r.warnings {
			fmt.Fprintf(&b, "Warning of %s\n", w)
		}
	}
	s.print(b.String())
}

// best tells whether a result is better than another and none is better than it.
func (l *line) best(results []*result, all []totals, i int) bool {
	if !l.up && !l.down {
		return false
	}
	mine, better := l.value(all[i], results[i].records), false
	for k := range all {
		other := l.value(all[k], results[k].records)
		if l.up && other > mine || l.down && other < mine {
			return false
		}
		better = better || other != mine
	}
	return better
}

// conclusions says in words what the numbers of two strategies say.
func conclusions(results []*result, all []totals) []string {
	var out []string
	a, b := all[0], all[1]
	nameA, nameB := results[0].name, results[1].name
	if a.had > 0 && b.had > 0 {
		out = append(out, fmt.Sprintf("A worker that restarts gets %d %% of its own partitions back with %s, %d %% with %s. What it kept warm is of use only for those.",
			a.back*100/a.had, nameA, b.back*100/b.had, nameB))
	}
	switch {
	case b.worst < a.worst:
		out = append(out, fmt.Sprintf("%s is better at even loads: its fullest worker had at most %.2f times the average, with %s it was %.2f times.", nameB, b.worst, nameA, a.worst))
	case b.worst > a.worst:
		out = append(out, fmt.Sprintf("The fullest worker had at most %.2f times the average with %s, %.2f times with %s.", a.worst, nameA, b.worst, nameB))
	}
	return append(out, "Static membership (kgo.InstanceID) also brings partitions back, at a price: nobody reads them while their worker is away, up to the session timeout.")
}
