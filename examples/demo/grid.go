package main

import (
	"fmt"
	"strings"
)

// How each mark is shown. Letters, so that nothing depends on colour.
var marks = map[mark]struct {
	letter  string
	style   style
	meaning string
}{
	kept:      {"o", "97;100", "has it, as before"},
	necessary: {"+", "30;46", "new to it: the worker came, or the owner left"},
	home:      {"H", "30;42", "home: the worker restarted and has it again"},
	needless:  {"x", "97;41", "somebody else's: the worker that had it is there, before and after"},
	former:    {"-", "33", "had it before"},
	absent:    {".", faint, "another worker's, before and after"},
}

func (s *screen) cell(m mark) string { return s.paint(marks[m].style, marks[m].letter) }

// A result is how one strategy fared.
type result struct {
	name     string
	outcomes []*outcome // by step
	records  records
	warnings []string
}

// A panel is a strategy's grid for some topics; panels in a band stand side by
// side and share the names of the workers.
type panel struct {
	title   string
	outcome *outcome
	topics  []int
	sum     bool // shows the worker's load
}

const (
	margin   = "   "
	divider  = " | "
	sumWidth = 5
)

// step shows what the latest step did under each strategy.
func (s *screen) step(n int, st step, topics []string, results []*result) {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n%s%s\n\n", s.paint(bold, fmt.Sprintf("%d. %s", n, st.title)), margin, st.look)
	var panels []panel
	for _, r := range results {
		panels = append(panels, panel{title: r.name, outcome: r.outcomes[n-1]})
	}
	workers := panels[0].outcome.workers()
	for _, band := range bands(panels, topics, len(margin)+longest(workers)+1) {
		s.band(&b, band, workers, topics)
		b.WriteByte('\n')
	}
	for _, p := range panels {
		fmt.Fprintf(&b, "%s%s %s\n", margin, s.paint(bold, fmt.Sprintf("%-18s", p.title)), verdict(p.outcome))
	}
	s.print(b.String())
}

// bands puts all panels side by side if there is room, else one below the
// other, and breaks those that are too wide for themselves between topics.
func bands(panels []panel, topics []string, used int) [][]panel {
	all := make([]int, len(topics))
	for t := range topics {
		all[t] = t
	}
	total := used
	for i := range panels {
		panels[i].topics, panels[i].sum = all, true
		total += panels[i].width(topics) + len(divider)
	}
	if total-len(divider) <= width {
		return [][]panel{panels}
	}
	var out [][]panel
	for _, p := range panels {
		part := p
		part.topics, part.sum = nil, true
		for _, t := range all {
			wider := part
			wider.topics = append(wider.topics[:len(wider.topics):len(wider.topics)], t)
			if len(part.topics) > 0 && used+wider.width(topics) > width {
				part.sum = false
				out = append(out, []panel{part})
				wider = part
				wider.topics, wider.sum = []int{t}, true
			}
			part = wider
		}
		out = append(out, []panel{part})
	}
	return out
}

// column returns the width of a topic: its partitions, or its name.
func (p *panel) column(topics []string, t int) int {
	return max(len(p.outcome.after[t]), len(topics[t]))
}

func (p *panel) width(topics []string) int { return max(p.content(topics), len(p.title)) }

func (p *panel) content(topics []string) int {
	w := 0
	for _, t := range p.topics {
		w += p.column(topics, t) + 1
	}
	if p.sum {
		w += sumWidth
	}
	return w
}

// padding fills up below a title that is wider than the content.
func (p *panel) padding(topics []string) string {
	return strings.Repeat(" ", p.width(topics)-p.content(topics))
}

func (s *screen) band(b *strings.Builder, panels []panel, workers, topics []string) {
	label := longest(workers) + 1
	line := func(name string, text func(p *panel) string) {
		cells := make([]string, len(panels))
		for i := range panels {
			cells[i] = text(&panels[i])
		}
		row := margin + fmt.Sprintf("%-*s", label, name) + strings.Join(cells, s.paint(faint, divider))
		b.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	line("", func(p *panel) string {
		return s.paint(bold, fmt.Sprintf("%-*s", p.width(topics), p.title))
	})
	line("", func(p *panel) string {
		var h strings.Builder
		for _, t := range p.topics {
			fmt.Fprintf(&h, "%-*s ", p.column(topics, t), topics[t])
		}
		if p.sum {
			fmt.Fprintf(&h, "%*s", sumWidth, "sum")
		}
		return s.paint(faint, h.String()) + p.padding(topics)
	})
	for _, name := range workers {
		line(name, func(p *panel) string { return s.row(p, name, topics) })
	}
}

// row shows what one worker has of the panel's topics.
func (s *screen) row(p *panel, worker string, topics []string) string {
	var b strings.Builder
	for _, t := range p.topics {
		after := p.outcome.after[t]
		for i := range after {
			b.WriteString(s.cell(p.outcome.mark(worker, t, i)))
		}
		b.WriteString(strings.Repeat(" ", p.column(topics, t)-len(after)+1))
	}
	if p.sum {
		fmt.Fprintf(&b, "%*d", sumWidth, p.outcome.after.load(worker))
	}
	return b.String() + p.padding(topics)
}

// verdict sums an outcome up in a line.
func verdict(o *outcome) string {
	switch {
	case len(o.old) == 0:
		most, average := o.fullest()
		return fmt.Sprintf("%d given out, at most %d to one worker, %.1f on average", o.after.size(), most, average)
	case len(o.restarted) > 0:
		return fmt.Sprintf("%s back on return, %d of %d elsewhere", share(o.back, o.had), o.displaced(), o.after.size())
	}
	return fmt.Sprintf("%d moved, %d of them between workers that stayed", o.moved, o.needless)
}

func share(part, of int) string {
	if of == 0 {
		return "0 of 0"
	}
	return fmt.Sprintf("%d of %d (%d %%)", part, of, part*100/of)
}

func longest(names []string) (n int) {
	for _, name := range names {
		n = max(n, len(name))
	}
	return n
}
