package main

import (
	"fmt"
	"math"
)

// A summary says which strategy when: a row for each that a program can choose,
// with the worst that came of it at any size. The classics are there to compare
// with only.
type summary struct {
	title   string
	columns []column
	rows    []*result // at the largest size
	choices []takeaway
}

// summarize returns nil where there is nothing to choose from.
func summarize(all []*comparison) *summary {
	s := &summary{columns: worstColumns(all)}
	big := largest(all)
	for _, r := range big.results {
		if r.algorithm.kind != classics {
			s.rows = append(s.rows, r)
		}
	}
	if len(s.rows) < 2 {
		return nil
	}
	s.title = big.size.String()
	if len(all) > 1 {
		s.title = fmt.Sprintf("of each figure the worst of all sizes, work at %s", big.size)
	}
	s.choices = s.choose()
	return s
}

// worstColumns are figures of all sizes, whichever of them a result is of.
func worstColumns(all []*comparison) []column {
	worst := func(block, name, csv, means string) column {
		c := columnOf(csv)
		of := c.of
		c.block, c.name, c.means = block, name, means
		c.of = func(r *result) float64 { return worstOf(all, r.algorithm.name, of, c.better) }
		return c
	}
	needless := worst("moves", "needless", "join_needless", "partitions that go from one member that stays to another when one joins or leaves, % of all partitions")
	join, leave, scale := needless.of, worst("", "", "leave_needless", "").of, worst("", "", "scale_needless", "").of
	needless.of = func(r *result) float64 {
		most := max(join(r), leave(r))
		if s := scale(r); s > most { // not if there is none
			return s
		}
		return most
	}
	return []column{
		worst("load", "max/avg", "max_avg", "the fullest member's load over its fair share, in a fresh group; 1 is even"),
		worst("load", "spread", "scale_spread", "the most partitions of one topic that a member has, less the fewest, while members come and go"),
		needless,
		worst("moves", "roll", "roll_moves", "how often a partition changes hands in a rolling restart; once away and once back is 2"),
		worst("comes back", "own", "roll_own_back", "of what a member receives that returns, the part that it had before it left, %"),
		worst("comes back", "same", "roll_same", "partitions that are where they were once a rolling restart is over, %; where loads cannot be equal, even placements give a returning member one less, rather than move one more"),
		{block: "leader", name: "work", csv: "work", measured: true, format: fixed(2),
			means: "the leader's time in the round in which a member joins, over kgo-cooperative-sticky's",
			of: func(r *result) float64 {
				theirs := largest(all).of("kgo-cooperative-sticky")
				if theirs == nil {
					return math.NaN()
				}
				return float64(r.plan) / float64(theirs.plan)
			}},
		{block: "leader", name: "memory", csv: "memory",
			means:  "whether it matters who had what before, and what the leader remembers; if not, anybody can tell from who is there",
			format: func(v float64) string { return [...]string{"no", "yes"}[int(v)] },
			of: func(r *result) float64 {
				if r.algorithm.remembers {
					return 1
				}
				return 0
			}},
	}
}

// worstOf returns the worst of an algorithm's figures, NaN if there is none.
func worstOf(all []*comparison, name string, of func(*result) float64, better direction) float64 {
	worst := math.NaN()
	for _, c := range all {
		v := of(c.of(name))
		if math.IsNaN(worst) || better == lower && v > worst || better == higher && v < worst {
			worst = v
		}
	}
	return worst
}
