//go:build integration

package integration

import (
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/scenario"
)

func TestTopicGrows(t *testing.T) {
	withDefault(t, map[string]int32{"orders": 12}, func(t *testing.T, g *group) {
		before, _ := g.start("orders", "a", "b", "c")
		mark := g.Mark()
		after := g.timed("12 more partitions", func() { g.GrowTopic(g.topic("orders"), 24) })
		if len(after) != 24 {
			t.Errorf("%d partitions are owned", len(after))
		}
		if g.local {
			for _, h := range scenario.Moved(before, after) {
				if h.From != "" {
					t.Errorf("%v moved though the topic only grew", h)
				}
			}
			g.MustNotPause(mark)
		}
	})
}

// A deletion alone rebalances nothing, and a leader that reads the topic keeps to
// its last known count as long as it does (kgo). One that does not owes the
// topic a few rounds, since its metadata may just have failed; then its claims
// are gone, and nothing is owed for ever.
func TestTopicDeleted(t *testing.T) {
	withDefault(t, map[string]int32{"orders": 12, "payments": 6}, func(t *testing.T, g *group) {
		g.MaxPlans = 0
		a := g.Start("a", g.reads("a", "orders", "payments"))
		g.Settle() // a leads
		for _, name := range []string{"b", "c"} {
			g.Start(name, g.reads(name, "orders", "payments"))
		}
		before := g.Settle()
		g.drop("payments")
		mark := g.Mark()
		a.Spec = g.reads("a", "orders")
		after := g.timed("the leader gives up a topic that was deleted", func() {
			g.NextRound()
			a.Client().PurgeTopicsFromConsuming(g.topic("payments"))
		})
		t.Logf("it took %d rounds to forget the deleted topic", len(g.PlansSince(mark)))
		for p, owner := range before {
			switch now, owned := after[p]; {
			case p.Topic == g.topic("payments") && owned:
				t.Errorf("%v is gone and still owned by %s", p, now)
			case p.Topic == g.topic("orders") && now != owner:
				t.Errorf("%v moved from %s to %s though only another topic was deleted", p, owner, now)
			}
		}
		g.MustNotPause(mark)
	})
}

func TestUnlikeSubscriptions(t *testing.T) {
	withDefault(t, map[string]int32{"orders": 12, "payments": 12, "audit": 4}, func(t *testing.T, g *group) {
		read := map[string][]string{"a": {"orders"}, "b": {"orders", "payments"}, "c": {"payments", "audit"}, "d": {"audit"}}
		members := make(map[string]*scenario.Member)
		for _, name := range []string{"a", "b", "c"} {
			members[name] = g.Start(name, g.reads(name, read[name]...))
		}
		before := g.Settle()
		g.mustBeRead(before, read)
		with := g.timed("a reader of one topic joins", func() { g.Start("d", g.reads("d", read["d"]...)) })
		g.mustBeRead(with, read)
		g.mustOnlyGain(before, with, "d")
		without := g.timed("a reader of two leaves", members["b"].Stop)
		g.mustBeRead(without, read)
		g.mustOnlyLose(with, without, "b")
		after := g.timed("and comes back", members["b"].Start)
		after.MustEqual(t, with)
		alone := g.timed("the only reader of orders but one leaves", members["a"].Stop)
		if n := len(alone.Of("b")); n < 12 {
			t.Errorf("the last reader of orders owns %d partitions", n)
		}
	})
}

// mustBeRead fails the test unless every owner reads the topic.
func (g *group) mustBeRead(o scenario.Ownership, read map[string][]string) {
	g.t.Helper()
	for p, owner := range o {
		ok := false
		for _, name := range read[owner] {
			ok = ok || g.topic(name) == p.Topic
		}
		if !ok {
			g.t.Errorf("%v is owned by %s, which reads %v", p, owner, read[owner])
		}
	}
}
