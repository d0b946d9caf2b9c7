package assignortest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"pgregory.net/rapid"
)

func checkOrderFree(c *trial) {
	spec := drawSpec(c, "group")
	g := spec.Group()
	want := c.assign(g)
	for range 3 {
		shuffled := shuffle(c.T, spec)
		h := shuffled.Group()
		got := c.assign(h)
		c.same(g, want, got, "with members and topics delivered in another order")
		if w, h := want.Format(g), got.Format(h); w != h {
			c.broken(g, "the plan's text differs with members and topics in another order: expected\n%sgot\n%s", w, h)
		}
	}
}

// shuffle returns the same Spec in another order and in other memory: each
// string is copied, so that no order of addresses stays.
func shuffle(t *rapid.T, s *Spec) *Spec {
	return rapid.Custom(func(t *rapid.T) another {
		c := s.Clone()
		c.Members = rapid.Permutation(c.Members).Draw(t, "members")
		c.Topics = rapid.Permutation(c.Topics).Draw(t, "topics")
		for i := range c.Topics {
			c.Topics[i].Name = strings.Clone(c.Topics[i].Name)
		}
		for i := range c.Members {
			m := &c.Members[i]
			m.Key, m.ID, m.Rack = strings.Clone(m.Key), strings.Clone(m.ID), strings.Clone(m.Rack)
			slices.Reverse(m.Reads)
		}
		return another{c, "(as before)"}
	}).Draw(t, "order").Spec
}

// another is a drawn variant of a Spec; rapid logs it in words.
type another struct {
	*Spec
	what string
}

func (a another) GoString() string { return a.what }

func checkRestartStable(c *trial) {
	spec := drawSpec(c, "group")
	g := spec.Group()
	if len(g.Members) == 0 {
		return // rapid cannot draw nothing
	}
	for i := 1; i < len(g.Members); i++ {
		if g.Members[i].Key == g.Members[i-1].Key {
			return
		}
	}
	want := c.assign(g)
	restarted := rapid.Custom(func(t *rapid.T) another {
		spec := spec.Clone()
		for i := range spec.Members {
			m := &spec.Members[i]
			m.Key, m.ID = m.filled().Key, drawID(t, i)
			m.Endpoint = fmt.Sprintf("10.0.0.%d:%d", i, rapid.Uint16().Draw(t, "port"))
		}
		return another{spec, "(as below)"}
	}).Draw(c.T, "IDs and endpoints").Group()
	c.same(restarted, want, c.assign(restarted), "under new member IDs and endpoints, expected what it was under %q", ids(g))
}

func ids(g *assignor.Group) []string {
	var ids []string
	for _, m := range g.Members {
		ids = append(ids, m.ID)
	}
	return ids
}

func checkFixedPoint(c *trial) {
	g := drawSpec(c, "group").Group()
	plan := c.assign(g)
	settled := owned(g, plan)
	c.same(settled, plan, c.assign(settled), "planned again from its own result")
}

// owned returns g as it is once all of plan has been handed over.
func owned(g *assignor.Group, plan assignor.Plan) *assignor.Group {
	c := &assignor.Group{Members: g.Members, Topics: slices.Clone(g.Topics)}
	for t := range c.Topics {
		c.Topics[t].Owners = slices.Clone(plan[t])
	}
	return c
}

func checkTwoStep(c *trial) {
	before := c.drawHandover()
	target := c.assign(before)
	half := Settle(before, target)
	forgotten := clone(half) // a new leader knows no homes
	for t := range forgotten.Topics {
		forgotten.Topics[t].Homes = nil
	}
	for _, middle := range []*assignor.Group{half, forgotten} {
		c.settles(middle, "in the second round")
	}

	// Some have not let go yet when the second round comes.
	partly := clone(half)
	n := len(assignor.Diff(before, before.Owned(), half.Owned()))
	late := rapid.SliceOfN(rapid.Bool(), n, n).Draw(c.T, "let go late")
	for t := range partly.Topics {
		owners := partly.Topics[t].Owners
		for p := range owners {
			from := before.Topics[t].Owner(int32(p))
			if from == owners[p] {
				continue
			}
			if owners[p] == assignor.None && late[0] {
				owners[p] = from
			}
			late = late[1:]
		}
	}
	second := c.assign(partly)
	for t := range partly.Topics {
		for p, m := range partly.Topics[t].Owners {
			if before.Topics[t].Owner(int32(p)) != m && m != assignor.None && second[t][p] != m {
				c.broken(partly, "topic %q partition %d was given to %s in the first round; the second, in which some had not let go, moves it on to %s",
					partly.Topics[t].Name, p, who(partly, m), who(partly, second[t][p]))
			}
		}
	}
	c.settles(Settle(partly, second), "in the third round, some having let go late")
}

// drawHandover draws what a handover starts from: any group, or a settled one
// to which something happened.
func (c *trial) drawHandover() *assignor.Group {
	spec := drawSpec(c, "group")
	if rapid.Bool().Draw(c.T, "settled before") {
		for range 2 {
			spec.Settle(c.assign(spec.Group()))
		}
		c.Logf("%s", Change(c.T, spec))
	}
	return spec.Group()
}

// settles ends the trial if the strategy takes anything from anybody.
func (c *trial) settles(middle *assignor.Group, when string) {
	c.Helper()
	plan := c.assign(middle)
	want := clonePlan(plan)
	for t := range want {
		for p := range want[t] {
			if m := middle.Topics[t].Owner(int32(p)); m != assignor.None {
				want[t][p] = m
			}
		}
	}
	c.same(middle, want, plan, "%s a partition is taken from its owner", when)
}

func checkStateless(c *trial) {
	g := c.drawHandover()
	want := c.assign(g)
	half := Settle(g, want)
	c.same(half, want, c.assign(half), "from the middle of the handover")
	bare := clone(g)
	for t := range bare.Topics {
		bare.Topics[t].Owners, bare.Topics[t].Homes, bare.Topics[t].Warm = nil, nil, nil
	}
	c.same(g, c.assign(bare), want, "expected the plan without owners, homes and warm lists")
}
