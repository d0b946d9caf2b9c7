package assignortest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"pgregory.net/rapid"
)

// A trial is one strategy held against one law on one input.
type trial struct {
	rapid.TB
	T      *rapid.T // what draws; nil for a law with seeds of its own
	law    Law
	s      assignor.Strategy
	beside []Law // what else the strategy claims
	shape  Shape // of the groups drawn
}

// broken ends the trial: the law, what is wrong, and the group it is wrong on.
func (c *trial) broken(g *assignor.Group, format string, args ...any) {
	c.Helper()
	msg := fmt.Sprintf(format, args...)
	if g != nil {
		msg += "\nthe group: " + strings.TrimSuffix(Format(g), "\n")
	}
	c.Fatalf("%s breaks the law %q: %s\n%s", c.s.Name(), c.law, texts[c.law].promise, msg)
}

// assign asks the strategy for a plan that is safe to look into.
func (c *trial) assign(g *assignor.Group) (plan assignor.Plan) {
	c.Helper()
	c.call(g, "Assign", func() { plan = c.s.Assign(g) })
	if err := valid(g, plan); err != nil {
		c.broken(g, "Assign: %v", err)
	}
	return plan
}

func (c *trial) update(u assignor.Updater, last *assignor.Group, plan assignor.Plan, g *assignor.Group) (next assignor.Plan) {
	c.Helper()
	c.call(g, "Update", func() { next = u.Update(last, plan, g) })
	if err := valid(g, next); err != nil {
		c.broken(g, "Update: %v", err)
	}
	return next
}

func (c *trial) rank(r assignor.Ranker, g *assignor.Group, topic int, partition int32, k int) (rank []int32) {
	c.Helper()
	c.call(g, "Rank", func() { rank = r.Rank(g, topic, partition, k) })
	return rank
}

// call runs fn and, if it panics, logs the group it panicked on. It does not
// recover: rapid shows where the panic came from.
func (c *trial) call(g *assignor.Group, what string, fn func()) {
	returned := false
	defer func() {
		if !returned {
			c.Logf("%s of %s panics; the group: %s", what, c.s.Name(), Format(g))
		}
	}()
	fn()
	returned = true
}

// same ends the trial unless both plans over g are equal.
func (c *trial) same(g *assignor.Group, want, got assignor.Plan, format string, args ...any) {
	c.Helper()
	if diff := difference(g, want, got); diff != "" {
		c.broken(g, "%s:\n%s", fmt.Sprintf(format, args...), diff)
	}
}

// valid is what step 5 of a rebalance asks of a plan.
func valid(g *assignor.Group, plan assignor.Plan) error {
	if len(plan) != len(g.Topics) {
		return fmt.Errorf("the plan has %d rows for %d topics", len(plan), len(g.Topics))
	}
	var errs []error
	for t := range g.Topics {
		topic := &g.Topics[t]
		if len(plan[t]) != int(topic.Partitions) {
			errs = append(errs, fmt.Errorf("topic %q: the row has %d entries for %d partitions", topic.Name, len(plan[t]), topic.Partitions))
			continue
		}
		for p, m := range plan[t] {
			if _, ok := slices.BinarySearch(topic.Subscribers, m); !ok {
				errs = append(errs, fmt.Errorf("topic %q partition %d: the owner is %s, want a subscriber", topic.Name, p, who(g, m)))
				break
			}
		}
	}
	return errors.Join(errs...)
}

// difference tells, one partition a line, where got is not want. Entries may be
// None; rows may be of any length.
func difference(g *assignor.Group, want, got assignor.Plan) string {
	const most = 8
	var lines []string
	for t := range g.Topics {
		for p := range max(len(want[t]), len(got[t])) {
			w, w2 := at(g, want[t], p)
			h, h2 := at(g, got[t], p)
			if w != h {
				lines = append(lines, fmt.Sprintf("topic %q partition %d: expected %s, got %s", g.Topics[t].Name, p, w2, h2))
			}
		}
	}
	if n := len(lines); n > most {
		lines = append(lines[:most], fmt.Sprintf("and %d more", n-most))
	}
	return strings.Join(lines, "\n")
}

func at(g *assignor.Group, row []int32, p int) (int32, string) {
	if p >= len(row) {
		return -2, "no entry"
	}
	return row[p], who(g, row[p])
}

// who names a member of g for messages.
func who(g *assignor.Group, m int32) string {
	switch {
	case m == assignor.None:
		return "nobody"
	case m < 0 || int(m) >= len(g.Members):
		return fmt.Sprintf("no member (index %d of %d)", m, len(g.Members))
	}
	return fmt.Sprintf("%q (index %d)", g.Members[m].Key, m)
}
