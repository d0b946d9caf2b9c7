package scenario_test

import (
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/scenario"
	"github.com/twmb/franz-go/pkg/kfake"
)

// static is a member with a group.instance.id and no identity of ours.
func static(instance string, topics ...string) scenario.Spec {
	return scenario.Spec{Topics: topics, Instance: instance, Revoking: takeTime}
}

// A member that comes back under its identity gets exactly its own, with
// another member ID and without static membership.
func TestRestart(t *testing.T) {
	eachRole(t, func(w *world, m *scenario.Member) {
		comesBack(w, m, m.Restart)
	})
}

func TestRestartAfterAWhile(t *testing.T) {
	eachRole(t, func(w *world, m *scenario.Member) {
		before := w.Owned()
		comesBack(w, m, func() {
			m.Stop()
			w.Settle().MustOnlyLose(w.t, before, m.Name)
			m.Start()
		})
	})
}

// The pod is back before the broker has noticed that it is dead: the join waits
// for the ghost's session to end, and then everything comes back in one round.
func TestRestartAfterCrash(t *testing.T) {
	eachRole(t, func(w *world, m *scenario.Member) {
		before, mark := w.Owned(), w.Mark()
		comesBack(w, m, func() {
			ghost := memberID(m)
			m.Crash()
			m.Start()
			w.broker("the member has joined beside its ghost", func(g *kfake.GroupInfo) bool { return len(g.Members) == 4 })
			w.expire(ghost)
		})
		w.MustOnlyReturn(mark, before)
	})
}

// comesBack asserts that restart leaves everything where it was.
func comesBack(w *world, m *scenario.Member, restart func()) {
	w.t.Helper()
	before, mark, id := w.Owned(), w.Mark(), memberID(m)
	restart()
	w.Settle().MustEqual(w.t, before)
	w.MustNotPause(mark)
	if memberID(m) == id {
		w.t.Errorf("%s came back under its old member ID %s, which proves nothing", m.Name, id)
	}
}

func TestStaticRestart(t *testing.T) {
	for _, role := range []string{"follower", "leader"} {
		t.Run(role, func(t *testing.T) {
			w := newWorld(t, orders)
			for _, name := range []string{"a", "b", "c"} {
				w.Start(name, static(name, "orders"))
			}
			before, mark := w.Settle(), w.Mark()
			m := w.leader()
			if role == "follower" {
				m = w.follower()
			}
			m.Restart()
			w.Settle().MustEqual(t, before)
			w.MustNotPause(mark)
			w.MustOnlyReturn(mark, before)
		})
	}
}

// A static leader that restarts with the very bytes it joined with is told to
// skip the assignment (KIP-814): it plans nothing and everything is back.
func TestStaticLeaderSkipsAssignment(t *testing.T) {
	w := newWorld(t, orders)
	a := w.Start("a", static("a", "orders"))
	before, mark := w.Settle(), w.Mark()

	a.Restart()
	w.Settle().MustEqual(t, before)
	if plans := w.PlansSince(mark); len(plans) > 0 {
		t.Errorf("planned %d times though the broker said to skip it", len(plans))
	}
	w.NextRound()
	a.Client().ForceRebalance()
	w.Settle().MustEqual(t, before)
}

// With a changed subscription kfake rebalances. Apache Kafka does not: there
// the new topic waits for the next rebalance, as the integration module shows.
// In both a ForceRebalance ends with the topic assigned and nothing else moved.
func TestStaticLeaderRestartsWithNewTopic(t *testing.T) {
	w := newWorld(t, map[string]int32{"orders": 24, "returns": 6})
	for _, name := range []string{"a", "b", "c"} {
		w.Start(name, static(name, "orders"))
	}
	before, mark := w.Settle(), w.Mark()
	m := w.leader()
	m.Spec.Topics = []string{"orders", "returns"}
	m.Restart()
	w.NextRound()
	m.Client().ForceRebalance()
	after := w.Settle()
	w.MustNotPause(mark)
	moved := scenario.Moved(before, after)
	for _, h := range moved {
		if h.Topic != "returns" || h.To != m.Name {
			t.Errorf("%v moved, only the new topic should go to its reader %s", h, m.Name)
		}
	}
	if len(moved) != 6 {
		t.Errorf("%d partitions of the new topic are assigned, not 6:\n%v", len(moved), after)
	}
}

func TestEager(t *testing.T) {
	w := newWorld(t, orders)
	spec := func(name string) scenario.Spec {
		s := reads(name, "orders")
		s.Options = []assignor.Option{assignor.Eager()}
		return s
	}
	for _, name := range []string{"a", "b", "c"} {
		w.Start(name, spec(name))
	}
	before := w.Settle()
	m := w.follower()
	m.Stop()
	without, mark := w.Settle(), w.Mark()
	without.MustOnlyLose(t, before, m.Name)

	m.Start()
	w.Settle().MustEqual(t, before)
	for _, p := range w.PlansSince(mark) {
		if p.Strategy != "hrw-eager" || len(p.Moves)+len(p.Withheld) > 0 || p.Owed {
			t.Errorf("generation %d of %s: moves %v, withheld %v, owed %v; an eager group has none", p.Generation, p.Strategy, p.Moves, p.Withheld, p.Owed)
		}
	}
	// The world stops: whoever stayed gave up all it had.
	revoked := make(map[string]int)
	for _, e := range w.Recorder().Events() {
		if e.Seq > mark && e.Kind == scenario.Revoked {
			revoked[e.Owner.Member] += len(e.Partitions)
		}
	}
	for _, name := range []string{"a", "b", "c"} {
		if had := len(without.Of(name)); revoked[name] < had {
			t.Errorf("%s had %d partitions and gave up %d", name, had, revoked[name])
		}
	}
}
