package main

import (
	"fmt"
	"io"
	"strings"
)

// table prints rows as they come.
type table struct {
	out     io.Writer
	columns []column
}

// A column with a negative width is flush left.
type column struct {
	title string
	width int
	cell  func(*row) string
}

func newTable(out io.Writer, planning bool) *table {
	t := &table{out: out, columns: []column{
		{"shape", -8, func(r *row) string { return r.group.shape.name }},
		{"members x part", -14, func(r *row) string { return r.group.size.String() }},
		{"event", -6, func(r *row) string { return r.event }},
		{"strategy", -12, func(r *row) string { return r.strategy }},
		{"ms", 9, func(r *row) string { return fmt.Sprintf("%.3f", r.round.ms()) }},
		{"kgo ms", 9, ifKgo(func(r *row) string { return fmt.Sprintf("%.3f", r.kgo.ms()) })},
		{"ratio", 6, ifKgo(func(r *row) string { return fmt.Sprintf("%.2f", r.round.ratio(r.kgo)) })},
	}}
	if planning {
		t.columns = append(t.columns,
			column{"plan ms", 9, func(r *row) string { return fmt.Sprintf("%.3f", r.planning.ms()) }},
			column{"ratio", 6, ifKgo(func(r *row) string { return fmt.Sprintf("%.2f", r.planning.ratio(r.kgo)) })},
		)
	}
	t.columns = append(t.columns,
		column{"allocs", 8, func(r *row) string { return fmt.Sprint(r.round.allocs) }},
		column{"kgo", 8, ifKgo(func(r *row) string { return fmt.Sprint(r.kgo.allocs) })},
		column{"bytes", 7, func(r *row) string { return fmt.Sprint(r.bytes) }},
		column{"kgo", 7, ifKgo(func(r *row) string { return fmt.Sprint(r.kgoBytes) })},
		column{"ratio", 6, ifKgo(func(r *row) string { return fmt.Sprintf("%.2f", float64(r.bytes)/float64(r.kgoBytes)) })},
	)
	return t
}

func ifKgo(cell func(*row) string) func(*row) string {
	return func(r *row) string {
		if r.kgo == nil {
			return "-"
		}
		return cell(r)
	}
}

func (t *table) head() { t.line(func(c column) string { return c.title }) }

func (t *table) print(r *row) { t.line(func(c column) string { return c.cell(r) }) }

func (t *table) line(cell func(column) string) {
	cells := make([]string, len(t.columns))
	for i, c := range t.columns {
		cells[i] = fmt.Sprintf("%*s", c.width, cell(c))
	}
	fmt.Fprintln(t.out, strings.Join(cells, " "))
}
