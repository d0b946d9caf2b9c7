package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
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
	{label: "  of them between those that stayed", down: true,
		text:  func(t totals, _ records) string { return strconv.Itoa(t.needless) },
		value: func(t totals, _ records) float64 { return float64(t.needless) }},
	{label: "back on return from a restart", up: true,
		text:  func(t totals, _ records) string { return fmt.Sprintf("%d of %d", t.back, t.had) },
		value: func(t totals, _ records) float64 { return ratio(t.back, t.had) }},
	{label: "elsewhere afterwards (x in grids)", down: true,
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
	const labels = 36
	all := make([]totals, len(results))
	columns := make([]int, len(results))
	head := strings.Repeat(" ", labels)
	for i, r := range results {
		all[i] = r.totals()
		columns[i] = len(r.name) + 2
		for _, l := range lines {
			columns[i] = max(columns[i], len(l.text(all[i], r.records))+2)
		}
		head += fmt.Sprintf("%*s", columns[i], r.name)
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
			b.WriteString(s.paint(st, fmt.Sprintf("%*s", columns[i], l.text(all[i], r.records))))
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

// conclusions says in words what the numbers say.
func conclusions(results []*result, all []totals) []string {
	var back, loads, both []string
	byLoad := make(map[string][]string) // names by load
	for i, t := range all {
		name := results[i].name
		if t.had > 0 {
			back = append(back, fmt.Sprintf("%d %% with %s", t.back*100/t.had, name))
		}
		load := fmt.Sprintf("%.2f", t.worst)
		byLoad[load] = append(byLoad[load], name)
		if t.worst <= least(all) && t.had > 0 && t.back == t.had {
			both = append(both, name)
		}
	}
	for _, load := range slices.SortedFunc(maps.Keys(byLoad), compareNumbers) {
		average := " the average"
		if len(loads) > 0 {
			average = ""
		}
		loads = append(loads, fmt.Sprintf("%s times%s with %s", load, average, and(byLoad[load])))
	}
	var out []string
	if len(back) > 0 {
		out = append(out, fmt.Sprintf("Of its own partitions a worker that restarts gets back %s. What it kept warm is of use only for those.", and(back)))
	}
	out = append(out, fmt.Sprintf("At worst the fullest worker had %s.", strings.Join(loads, ", ")))
	if len(both) > 0 && len(both) < len(all) {
		out = append(out, fmt.Sprintf("The most even loads and everything back: %s.", and(both)))
	}
	return append(out, "Static membership (kgo.InstanceID) also brings partitions back, at a price: nobody reads them while their worker is away, up to the session timeout.")
}

// compareNumbers compares numbers with as many digits behind the point.
func compareNumbers(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }

func least(all []totals) float64 {
	return slices.MinFunc(all, func(a, b totals) int { return cmp.Compare(a.worst, b.worst) }).worst
}

func and(texts []string) string {
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	return strings.Join(texts[:len(texts)-1], ", ") + " and " + texts[len(texts)-1]
}
