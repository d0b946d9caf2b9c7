package main

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// A column is one figure of a result: how it is shown and what it means.
type column struct {
	block, name string // shown one above the other
	csv         string
	better      direction
	measured    bool   // differs from run to run
	means       string // for the reader
	format      func(v float64) string
	of          func(r *result) float64 // NaN where there is none
}

type direction int

const (
	lower direction = iota
	higher
)

// columns are all figures, in the order in which they are shown. Columns of one
// block stand together.
func columns() []column {
	moved := func(c func(*figures) change) func(*result) float64 {
		return func(r *result) float64 { m, _ := c(r.figures).perPartition(); return m }
	}
	needless := func(c func(*figures) change) func(*result) float64 {
		return func(r *result) float64 { _, n := c(r.figures).perPartition(); return n }
	}
	join := func(f *figures) change { return f.join }
	leave := func(f *figures) change { return f.leave }
	roll := func(f *figures) change { return f.roll }
	scale := func(f *figures) change { return f.scale }
	rolled := func(v func(*result) float64) func(*result) float64 {
		return func(r *result) float64 {
			if !r.rolled {
				return math.NaN()
			}
			return v(r)
		}
	}
	const (
		load    = "load"
		joins   = "join"
		leaves  = "leave"
		rolls   = "rolling restart"
		scales  = "scaling"
		costs   = "cost"
		percent = "% of all partitions"
	)
	return []column{
		{block: load, name: "max/avg", csv: "max_avg", format: fixed(2),
			means: "the fullest member's load over its fair share, in a fresh group; 1 is even",
			of:    func(r *result) float64 { return r.maxAvg }},
		{block: load, name: "p95", csv: "p95_avg", format: fixed(2),
			means: "the load that 95 % of members do not exceed, over the fair share; in groups below 20 it is the maximum",
			of:    func(r *result) float64 { return r.p95 }},
		{block: load, name: "idle", csv: "idle_members", format: fixed(2),
			means: "members without a partition, their mean number",
			of:    func(r *result) float64 { return r.idle }},
		{block: load, name: "spread", csv: "spread", format: fixed(1),
			means: "spread per topic: the most partitions of one topic that a member has, less the fewest, in the topic where that is largest",
			of:    func(r *result) float64 { return r.spread }},
		{block: joins, name: "moved", csv: "join_moved", format: percentage,
			means: "partitions that change hands when a member joins, " + percent,
			of:    moved(join)},
		{block: joins, name: "needless", csv: "join_needless", format: percentage,
			means: "those of them that go from one member that stays to another, " + percent,
			of:    needless(join)},
		{block: leaves, name: "moved", csv: "leave_moved", format: percentage,
			means: "partitions that change hands when a member leaves, " + percent,
			of:    moved(leave)},
		{block: leaves, name: "needless", csv: "leave_needless", format: percentage,
			means: "those of them that go from one member that stays to another, " + percent,
			of:    needless(leave)},
		{block: rolls, name: "moves", csv: "roll_moves", format: fixed(2),
			means: "every member leaves and comes back under its name, one by one: how often a partition changes hands in all of it; once away and once back is 2",
			of:    rolled(moved(roll))},
		{block: rolls, name: "needless", csv: "roll_needless", format: fixed(2),
			means: "how often it goes from one member that stays to another",
			of:    rolled(needless(roll))},
		{block: rolls, name: "own back", csv: "roll_own_back", better: higher, format: percentage,
			means: "of what a returning member receives, the part that it had before it left",
			of:    rolled(func(r *result) float64 { return r.received.ratio() })},
		{block: rolls, name: "same", csv: "roll_same", better: higher, format: percentage,
			means: "partitions that are where they were before the roll once all is over; where loads cannot be equal, even placements give a returning member one less, rather than move one more",
			of:    rolled(func(r *result) float64 { return r.home.ratio() })},
		{block: scales, name: "needless", csv: "scale_needless", format: percentage,
			means: "after the rolling restart some leave and others join for a while: partitions that go from one member that stays to another each time, " + percent,
			of:    rolled(needless(scale))},
		{block: scales, name: "spread", csv: "scale_spread", format: fixed(1),
			means: "spread per topic, the largest in that time",
			of:    rolled(func(r *result) float64 { return r.aged })},
		{block: costs, name: "plan ms", csv: "plan_ms", measured: true, format: significant,
			means: "the leader's work in the round in which a member joins, from everybody's metadata to everybody's assignment",
			of:    func(r *result) float64 { return float64(r.plan) / float64(time.Millisecond) }},
		{block: costs, name: "lookups/s", csv: "lookups_per_s", better: higher, measured: true, format: rate,
			means: "how often the owner of one partition is found in a second, where it can be without planning for all: by Rank, which takes any group, for this module's; from what was built before for the classics",
			of: func(r *result) float64 {
				if r.lookups == 0 {
					return math.NaN()
				}
				return r.lookups
			}},
		{block: costs, name: "bytes", csv: "metadata_bytes", format: fixed(0),
			means: "join metadata of a member that has partitions; all members' together count towards the broker's limit of a group. The classics travel in this module's metadata",
			of:    func(r *result) float64 { return r.bytes }},
	}
}

// columnOf returns the column of that name in a CSV file.
func columnOf(csv string) column {
	for _, c := range columns() {
		if c.csv == csv {
			return c
		}
	}
	panic("compare: no column " + csv)
}

// valueOf returns how a column comes by its figure.
func valueOf(csv string) func(*result) float64 { return columnOf(csv).of }

// show returns a column's figure as text, "-" where there is none.
func (c *column) show(r *result) string {
	v := c.of(r)
	if math.IsNaN(v) {
		return "-"
	}
	return c.format(v)
}

func fixed(digits int) func(float64) string {
	return func(v float64) string { return fmt.Sprintf("%.*f", digits, v) }
}

// percentage shows a share. It does not round to 0 or 100 what is neither:
// whether there is a needless move at all is what the reader wants to know.
func percentage(v float64) string {
	switch p := 100 * v; {
	case p == 0:
		return "0"
	case p < 0.001:
		return "<0.001"
	case p < 0.1:
		return fmt.Sprintf("%.3f", p)
	case p < 1:
		return fmt.Sprintf("%.2f", p)
	case p < 100 && p > 99.95:
		return ">99.9"
	default:
		return fmt.Sprintf("%.1f", p)
	}
}

func significant(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	case v >= 1:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.3f", v)
}

func rate(v float64) string {
	switch {
	case v >= 1e6:
		return significant(v/1e6) + " M"
	case v >= 1e3:
		return significant(v/1e3) + " k"
	}
	return significant(v)
}

func (d direction) String() string {
	if d == higher {
		return "higher is better"
	}
	return "lower is better"
}

// glossary explains columns, one a line, for a terminal.
func glossary(columns []column, width int) string {
	var b strings.Builder
	for _, c := range columns {
		head := fmt.Sprintf("  %-25s", c.block+" "+c.name)
		text := c.means + "; " + c.better.String()
		b.WriteString(head + wrap(text, width-len(head), strings.Repeat(" ", len(head))) + "\n")
	}
	return b.String()
}

// wrap breaks text into lines of at most width columns; all but the first are
// indented.
func wrap(text string, width int, indent string) string {
	var b strings.Builder
	at := 0
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
		case at+1+len(word) > width:
			b.WriteString("\n" + indent)
			at = 0
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += len(word)
	}
	return b.String()
}
