package main

import (
	"fmt"
	"strings"
	"time"
)

// An effort is how much of the history an algorithm plays at a size, and how
// often. It follows from rough costs, not from a clock, so that the figures
// repeat.
type effort struct {
	histories int
	roll      bool
	cost      time.Duration // of all, roughly
}

// sample is how many partitions the histories of a size have together at least
// for each seed asked for: small groups are played more often, since in them
// chance weighs more.
const sample = 300

// histories returns how often a size is played if time does not matter.
func histories(s size, seeds int) int {
	return seeds * max(1, (sample+s.partitions-1)/s.partitions)
}

// effortFor returns the most that fits into patience: fewer histories first,
// then no rolling restart and no scaling, but one plan in any case.
func (a *algorithm) effortFor(s size, seeds int, patience time.Duration) effort {
	m, p := float64(s.members), float64(s.partitions)
	plan := a.cost.fixed + a.cost.member*m + a.cost.partition*p + a.cost.pair*m*p
	if a.inRounds() {
		plan *= 2 // rounds
	}
	whole, short := time.Duration(plan*(2*m+3+scalings)), time.Duration(plan*3)
	e := effort{histories: histories(s, seeds), roll: true}
	once := whole
	if whole > patience {
		e.roll, once = false, short
	}
	e.histories = max(1, min(e.histories, int(patience/max(once, 1))))
	e.cost = once * time.Duration(e.histories)
	return e
}

// played tells how many histories figures are the mean of, and what was left
// out.
func played(all []*comparison) string {
	var sizes []string
	unrolled := false
	for _, c := range all {
		most := 0
		for _, r := range c.results {
			most = max(most, r.effort.histories)
			unrolled = unrolled || !r.effort.roll
		}
		var fewer []string
		for _, r := range c.results {
			if r.effort.histories < most {
				fewer = append(fewer, fmt.Sprintf("%s %d", r.algorithm.name, r.effort.histories))
			}
		}
		s := fmt.Sprintf("%d at %s", most, c.size)
		if len(fewer) > 0 {
			s += ", where " + and(fewer)
		}
		sizes = append(sizes, s)
	}
	s := "Figures are means; histories played: " + strings.Join(sizes, "; ") + "."
	if unrolled {
		s += " Where a rolling restart is not shown, playing it would take longer than -patience allows."
	}
	return s
}
