package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// printTables writes two tables a size, since a terminal is too narrow for one,
// and what they say.
func printTables(w io.Writer, all []*comparison, sum *summary, says []takeaway) error {
	var b strings.Builder
	for _, c := range all {
		fmt.Fprintf(&b, "%s\n", c.title())
		table(&b, c.results, columns(), "load", "scaling", "cost")
		b.WriteString("\n")
		table(&b, c.results, columns(), "join", "leave", "rolling restart")
		b.WriteString("\n")
	}
	if sum != nil {
		fmt.Fprintf(&b, "Which when: %s\n", sum.title)
		table(&b, sum.rows, sum.columns, "load", "moves", "comes back", "leader")
		list(&b, sum.choices)
		b.WriteString("\n")
	}
	b.WriteString("In short\n")
	list(&b, says)
	fmt.Fprintf(&b, "\n%s\n", wrap("Loads are over fair shares, join and leave in % of all partitions, moves per partition, see -help. "+played(all)+" "+notes, 96, ""))
	_, err := io.WriteString(w, b.String())
	return err
}

func list(b *strings.Builder, says []takeaway) {
	for _, t := range says {
		fmt.Fprintf(b, "- %s\n", wrap(t.About+": "+t.Says+".", 94, "  "))
	}
}

// title describes the group, and what a member who joins is to get.
func (c *comparison) title() string {
	weights := ""
	if len(c.weights) > 0 {
		var ws []string
		for _, w := range c.weights {
			ws = append(ws, strconv.Itoa(int(w)))
		}
		weights = " of weights " + strings.Join(ws, ", ")
	}
	title := fmt.Sprintf("%d members%s, %d partitions in %s", c.members, weights, c.partitions, plural(c.topics, "topic"))
	if weights == "" {
		title += fmt.Sprintf("; the fair share of one more is %s %%", percentage(1/float64(c.members+1)))
	}
	return title
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// table writes some blocks of columns.
func table(b *strings.Builder, results []*result, columns []column, blocks ...string) {
	lines := make([]string, len(results)+2)
	pad := func(gap int, cells ...string) {
		width := 0
		for _, s := range cells {
			width = max(width, utf8.RuneCountInString(s))
		}
		for i, s := range cells {
			if s != "" {
				lines[i+1] += strings.Repeat(" ", gap+width-utf8.RuneCountInString(s)) + s
			}
		}
	}
	names := []string{""}
	for _, r := range results {
		names = append(names, r.algorithm.name)
	}
	width := 0
	for _, s := range names {
		width = max(width, len(s))
	}
	for i, s := range names {
		lines[i+1] = fmt.Sprintf("%-*s", width, s)
	}
	for _, block := range blocks {
		from := len(lines[1])
		gap := 3
		for _, col := range columns {
			if col.block != block {
				continue
			}
			cells := []string{col.name}
			for _, r := range results {
				cells = append(cells, col.show(r))
			}
			pad(gap, cells...)
			gap = 2
		}
		lines[0] += strings.Repeat(" ", from+3-len(lines[0])) + centred(block, len(lines[1])-from-3)
	}
	for _, line := range lines {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// centred sets text into a rule of the given width.
func centred(text string, width int) string {
	left := max(width-len(text)-2, 0) / 2
	return strings.Repeat("-", left) + " " + text + " " + strings.Repeat("-", max(width-len(text)-2-left, 0))
}

// writeCSV writes a line for each algorithm and size, with all digits.
func writeCSV(w io.Writer, all []*comparison) error {
	out := csv.NewWriter(w)
	head := []string{"members", "partitions", "topics", "algorithm", "histories"}
	for _, c := range columns() {
		head = append(head, c.csv)
	}
	rows := [][]string{head}
	for _, c := range all {
		for _, r := range c.results {
			row := []string{strconv.Itoa(c.members), strconv.Itoa(c.partitions), strconv.Itoa(c.topics), r.algorithm.name, strconv.Itoa(r.effort.histories)}
			for _, col := range columns() {
				v := strconv.FormatFloat(col.of(r), 'g', 6, 64)
				if v == "NaN" {
					v = ""
				}
				row = append(row, v)
			}
			rows = append(rows, row)
		}
	}
	if err := out.WriteAll(slices.Clip(rows)); err != nil {
		return err
	}
	return out.Error()
}
