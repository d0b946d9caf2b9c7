package scenario

import (
	"slices"
	"testing"
)

// MustBeEven fails the test unless no two of the members, who read the same and
// have equal weights, differ by more than one partition.
func (o Ownership) MustBeEven(tb testing.TB, members ...string) {
	tb.Helper()
	counts := o.counts(members)
	if len(counts) > 0 && slices.Max(counts) > slices.Min(counts)+1 {
		tb.Errorf("of %q have %v partitions:\n%v", members, counts, o)
	}
}

// MustMoveLeast fails the test unless as few partitions have another owner than
// before as there can be if counts are to be even among the members.
func (o Ownership) MustMoveLeast(tb testing.TB, before Ownership, members ...string) {
	tb.Helper()
	if moved, least := arrived(before, o), leastMoves(before, o, members); moved != least {
		tb.Errorf("%d partitions moved, %d suffice\nbefore:\n%v\nafter:\n%v", moved, least, before, o)
	}
}

func (o Ownership) counts(members []string) []int {
	counts := make([]int, len(members))
	for i, m := range members {
		counts[i] = len(o.Of(m))
	}
	return counts
}

// arrived counts the partitions that have another owner after than before.
func arrived(before, after Ownership) (n int) {
	for p, m := range after {
		if before[p] != m {
			n++
		}
	}
	return n
}

// leastMoves is how many of the partitions that are there after must change
// owners if the members are to have equal shares, give or take one.
func leastMoves(before, after Ownership, members []string) int {
	if len(members) == 0 {
		return 0
	}
	still := make(Ownership)
	for p := range after {
		if m, ok := before[p]; ok {
			still[p] = m
		}
	}
	low, extra := len(after)/len(members), len(after)%len(members)
	keep := 0
	for _, had := range still.counts(members) {
		keep += min(had, low)
		if had > low && extra > 0 {
			extra--
			keep++
		}
	}
	return len(after) - keep
}

// mustBeFair holds a settled state against what Even promises.
func (g *Group) mustBeFair(settled Ownership) {
	g.tb.Helper()
	if g.Even {
		var names []string
		for _, m := range g.Live() {
			names = append(names, m.Name)
		}
		settled.MustBeEven(g.tb, names...)
		settled.MustMoveLeast(g.tb, g.last, names...)
	}
	g.last = settled
}
