package scenario

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// An Ownership is who owns what at one moment, by the members' names.
type Ownership map[Partition]string

// Of returns what a member owns, sorted.
func (o Ownership) Of(member string) []Partition {
	var ps []Partition
	for p, m := range o {
		if m == member {
			ps = append(ps, p)
		}
	}
	slices.SortFunc(ps, comparePartitions)
	return ps
}

// String returns one line a member, sorted: "a: orders[0 3] other[1]".
func (o Ownership) String() string {
	byMember := make(map[string][]Partition)
	for p, m := range o {
		byMember[m] = append(byMember[m], p)
	}
	var lines []string
	for m, ps := range byMember {
		slices.SortFunc(ps, comparePartitions)
		lines = append(lines, m+": "+formatPartitions(ps))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// A Handover is one partition that has another owner than before; From or To is
// "" for nobody.
type Handover struct {
	Partition
	From, To string
}

func (h Handover) String() string { return fmt.Sprintf("%v %q→%q", h.Partition, h.From, h.To) }

// Moved returns what has another owner after than before, sorted.
func Moved(before, after Ownership) []Handover {
	var hs []Handover
	for p, from := range before {
		if after[p] != from {
			hs = append(hs, Handover{p, from, after[p]})
		}
	}
	for p, to := range after {
		if _, ok := before[p]; !ok {
			hs = append(hs, Handover{p, "", to})
		}
	}
	slices.SortFunc(hs, func(a, b Handover) int { return comparePartitions(a.Partition, b.Partition) })
	return hs
}

// MustEqual fails the test unless nothing moved.
func (o Ownership) MustEqual(tb testing.TB, before Ownership) {
	tb.Helper()
	if moved := Moved(before, o); len(moved) > 0 {
		tb.Errorf("nothing should have moved, but did: %v\nbefore:\n%v\nafter:\n%v", moved, before, o)
	}
}

// MustOnlyGain fails the test unless all that moved went to the given members,
// and something did.
func (o Ownership) MustOnlyGain(tb testing.TB, before Ownership, members ...string) {
	tb.Helper()
	moved := Moved(before, o)
	for _, h := range moved {
		if !slices.Contains(members, h.To) {
			tb.Errorf("%v moved, though only %q joined\nbefore:\n%v\nafter:\n%v", h, members, before, o)
		}
	}
	if len(moved) == 0 {
		tb.Errorf("%q joined and got nothing:\n%v", members, o)
	}
}

// MustOnlyLose fails the test unless exactly what the given members had moved,
// to others.
func (o Ownership) MustOnlyLose(tb testing.TB, before Ownership, members ...string) {
	tb.Helper()
	moved := Moved(before, o)
	for _, h := range moved {
		if !slices.Contains(members, h.From) || h.To == "" {
			tb.Errorf("%v moved, though only %q left\nbefore:\n%v\nafter:\n%v", h, members, before, o)
		}
	}
	var had int
	for _, m := range members {
		had += len(before.Of(m))
	}
	if len(moved) != had || had == 0 {
		tb.Errorf("%q had %d partitions, %d moved\nbefore:\n%v\nafter:\n%v", members, had, len(moved), before, o)
	}
}
