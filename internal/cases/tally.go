package cases

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// tally counts expectations by kind.
type tally map[Kind]*outcome

type outcome struct {
	checked, differ int
	skipped         map[string]int // by reason
}

func (t tally) at(k Kind) *outcome {
	if t[k] == nil {
		t[k] = &outcome{skipped: make(map[string]int)}
	}
	return t[k]
}

func (t tally) check(k Kind)               { t.at(k).checked++ }
func (t tally) differ(k Kind)              { t.at(k).differ++ }
func (t tally) skip(k Kind, reason string) { t.at(k).skipped[reason]++ }

func (t tally) add(u tally) {
	for k, n := range u {
		t.at(k).checked += n.checked
		t.at(k).differ += n.differ
		for reason, m := range n.skipped {
			t.at(k).skipped[reason] += m
		}
	}
}

// String lists the kinds that were checked, those that are a Difference, and
// those that do not apply.
func (t tally) String() string {
	var checked, differ, skipped int
	var done, other, not strings.Builder
	for _, k := range slices.Sorted(maps.Keys(t)) {
		checked, differ = checked+t[k].checked, differ+t[k].differ
		if n := t[k].checked; n > 0 {
			fmt.Fprintf(&done, " %s %d", k, n)
		}
		if n := t[k].differ; n > 0 {
			fmt.Fprintf(&other, " %s %d", k, n)
		}
		for _, reason := range slices.Sorted(maps.Keys(t[k].skipped)) {
			n := t[k].skipped[reason]
			skipped += n
			fmt.Fprintf(&not, "\n\t%s %d: %s", k, n, reason)
		}
	}
	return fmt.Sprintf("%d expectations checked:%s\n%d where something else holds:%s\n%d not applicable:%s", checked, &done, differ, &other, skipped, &not)
}
