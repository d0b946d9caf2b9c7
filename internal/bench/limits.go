package main

import (
	"fmt"
	"slices"
	"time"
)

// limited is the strategy that the limits are for.
const limited = "sticky"

// A limit is what the whole round or planning alone may take: a ratio to kgo's
// whole round of the same event, or a time.
type limit struct {
	shape    string
	size     string // as in the table; "" for all of the shape's own sizes
	events   []string
	planning bool
	ratio    float64
	time     time.Duration
}

var (
	fresh  = []string{"fresh"}
	same   = []string{"same"}
	change = []string{"join", "leave", "same"}
)

// limits are for the shapes' own sizes. The first that fits counts.
var limits = []limit{
	{shape: "equal", events: fresh, ratio: 0.40},
	// 0.1 ms in all, of which the protocol takes most.
	{shape: "equal", size: "10 x 100", events: change, ratio: 0.35},
	{shape: "equal", events: change, ratio: 0.25},
	{shape: "equal", events: fresh, planning: true, ratio: 0.35},
	{shape: "equal", events: change, planning: true, ratio: 0.15},
	{shape: "halves", events: events, ratio: 0.50},
	{shape: "split", events: events, planning: true, time: 15 * time.Millisecond},
	{shape: "wide", events: same, ratio: 0.15},
	{shape: "nested", events: events, ratio: 0.50},
	{shape: "chained", events: events, ratio: 0.50},
	{shape: "narrow", events: events, ratio: 0.50},
}

// limitOf returns the limit for the whole round or for planning alone, or nil.
func limitOf(r *row, planning bool) *limit {
	own, err := r.group.shape.parseSizes("")
	if r.strategy != limited || err != nil || !slices.Contains(own, r.group.size) {
		return nil
	}
	for i := range limits {
		l := &limits[i]
		if l.shape == r.group.shape.name && (l.size == "" || l.size == r.group.size.String()) && slices.Contains(l.events, r.event) && l.planning == planning {
			return l
		}
	}
	return nil
}

// breach returns what is wrong, "" if nothing is.
func (l *limit) breach(r *row) string {
	what, m := "the round", r.round
	if l.planning {
		what, m = "planning", r.planning
	}
	at := fmt.Sprintf("%s %s %s: %s takes %.3f ms", r.group.shape.name, r.group.size, r.event, what, m.ms())
	switch {
	case l.time != 0:
		if m.best > l.time {
			return fmt.Sprintf("%s, at most %v is allowed", at, l.time)
		}
	case r.kgo == nil:
		return fmt.Sprintf("%s, and kgo's was not measured", at)
	case m.ratio(r.kgo) > l.ratio:
		return fmt.Sprintf("%s, %.3f of kgo's, at most %.2f is allowed", at, m.ratio(r.kgo), l.ratio)
	}
	return ""
}

// breachesOf returns how many limits there are for rows, and which do not hold.
func breachesOf(rows []*row) (checked int, breaches []string) {
	for _, r := range rows {
		for _, planning := range []bool{false, true} {
			l := limitOf(r, planning)
			if l == nil {
				continue
			}
			checked++
			if b := l.breach(r); b != "" {
				breaches = append(breaches, b)
			}
		}
	}
	return checked, breaches
}

// report prints every breach, and returns an error if there are any or if there
// is nothing to hold against the limits.
func report(rows []*row) error {
	checked, breaches := breachesOf(rows)
	for _, b := range breaches {
		fmt.Println(b)
	}
	switch {
	case checked == 0:
		return fmt.Errorf("no limits for what was measured: they are for the strategy %q at the shapes' own sizes", limited)
	case len(breaches) > 0:
		return fmt.Errorf("%d of %d limits do not hold", len(breaches), checked)
	}
	fmt.Printf("all %d limits hold\n", checked)
	return nil
}
