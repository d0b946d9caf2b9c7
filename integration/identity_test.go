//go:build integration

package integration

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/scenario"
	"github.com/twmb/franz-go/pkg/kgo"
)

func TestTwoMembersWithOneIdentity(t *testing.T) {
	withDefault(t, orders, func(t *testing.T, g *group) {
		before, _ := g.start("orders", "a", "b")
		twin := g.Member("b2", g.reads("b", "orders"))
		both := g.timed("a second b joins", twin.Start)
		g.mustOnlyGain(before, both, "b2")
		var warned bool
		for _, w := range g.Recorder().Warnings(assignor.WarnIdentity) {
			warned = warned || strings.Contains(w.Message, `"b"`)
		}
		if !warned {
			t.Errorf("no warning names the identity: %v", g.Recorder().Warnings(""))
		}
		g.timed("the second b leaves", twin.Stop).MustEqual(t, before)
	})
}

// garbled is a Balancer whose join metadata can be made unreadable.
type garbled struct {
	*assignor.Balancer
	on atomic.Bool
}

func (b *garbled) JoinGroupMetadata(topics []string, current map[string][]int32, generation int32) []byte {
	good := b.Balancer.JoinGroupMetadata(topics, current, generation)
	if b.on.Load() {
		return good[:len(good)/3]
	}
	return good
}

func TestGarbageMetadata(t *testing.T) {
	withDefault(t, orders, func(t *testing.T, g *group) {
		g.MaxPlans = 3
		without, _ := g.start("orders", "a", "b")
		c := g.Member("c", g.reads("c", "orders"))
		bad := &garbled{Balancer: g.Balancer(scenario.Owner{Member: "c", Life: 1}, c.Spec)}
		bad.on.Store(true)
		c.Spec.Balancers = []kgo.GroupBalancer{bad}

		// It joins unreadable, and gets nothing.
		mark := g.Mark()
		joined := g.timed("unreadable join", c.Start)
		joined.MustEqual(t, without)
		g.MustNotPause(mark)
		if len(g.Recorder().Warnings(assignor.WarnMetadata)) == 0 {
			t.Error("nobody warned")
		}

		// It becomes readable.
		turn := func(on bool) scenario.Ownership {
			bad.on.Store(on)
			g.NextRound()
			c.Client().ForceRebalance()
			return g.Settle()
		}
		with := turn(false)
		g.mustOnlyGain(without, with, "c")

		// It becomes unreadable while it owns partitions: they are handed over
		// only when it has given them up, which the Recorder watches.
		turn(true).MustEqual(t, without)
	})
}

func TestBalancerGivenToTwoClients(t *testing.T) {
	withDefault(t, orders, func(t *testing.T, g *group) {
		g.MaxPlans = 0 // it remembers less than two would
		spec := scenario.Spec{Topics: []string{g.topic("orders")}, Strategy: g.Strategy}
		shared := g.Balancer(scenario.Owner{Member: "a", Life: 1}, spec)
		spec.Balancers = []kgo.GroupBalancer{shared}
		g.Start("a", spec)
		g.Settle()
		g.timed("a client with the same Balancer joins", func() { g.Start("b", spec) })
		if len(g.Recorder().Warnings(assignor.WarnShared)) == 0 {
			t.Error("nobody warned")
		}
	})
}

// A strategy that returns nonsense when it is told to.
type moody struct {
	assignor.Strategy
	mood *atomic.Value // func(*assignor.Group) assignor.Plan; nil: none
}

func (m moody) Assign(g *assignor.Group) assignor.Plan {
	if fn, _ := m.mood.Load().(func(*assignor.Group) assignor.Plan); fn != nil {
		return fn(g)
	}
	return m.Strategy.Assign(g)
}

func TestStrategyBreaks(t *testing.T) {
	for _, broken := range []struct {
		how  string
		plan func(*assignor.Group) assignor.Plan
	}{
		{"panics", func(*assignor.Group) assignor.Plan { panic("out of order") }},
		{"too few", func(*assignor.Group) assignor.Plan { return nil }},
		{"foreign owner", func(g *assignor.Group) assignor.Plan {
			p := g.Owned()
			p[0] = append([]int32{int32(len(g.Members))}, p[0][1:]...)
			return p
		}},
	} {
		t.Run(broken.how, func(t *testing.T) {
			withDefault(t, orders, func(t *testing.T, g *group) {
				g.Faulty = true
				moody := moody{g.Strategy, new(atomic.Value)}
				g.Strategy = moody
				before, members := g.start("orders", "a", "b", "c")
				moody.mood.Store(broken.plan)
				after := g.timed("a member leaves a group whose strategy is broken", members[2].Stop)
				after.MustOnlyLose(t, before, "c")
				plans := g.Recorder().Plans()
				if err := plans[len(plans)-1].Err; err == nil || !strings.Contains(err.Error(), g.Strategy.Name()) {
					t.Errorf("Report.Err is %v", err)
				}
			})
		})
	}
}
