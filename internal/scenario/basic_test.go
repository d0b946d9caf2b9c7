package scenario_test

import (
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/scenario"
)

var orders = map[string]int32{"orders": 24}

func TestJoin(t *testing.T) {
	eachStrategy(t, orders, func(t *testing.T, w *world) {
		w.Start("a", reads("a", "orders"))
		w.Start("b", reads("b", "orders"))
		before, mark := w.Settle(), w.Mark()

		w.Start("c", reads("c", "orders"))
		w.Settle().MustOnlyGain(t, before, "c")
		w.MustNotPause(mark)
	})
}

func TestLeave(t *testing.T) {
	eachRole(t, func(w *world, m *scenario.Member) {
		before, mark := w.Owned(), w.Mark()
		m.Stop()
		w.Settle().MustOnlyLose(w.t, before, m.Name)
		w.MustNotPause(mark)
	})
}

func TestCrash(t *testing.T) {
	eachRole(t, func(w *world, m *scenario.Member) {
		before, mark := w.Owned(), w.Mark()
		id := memberID(m)
		m.Crash()
		w.expire(id)
		w.Settle().MustOnlyLose(w.t, before, m.Name)
		w.MustNotPause(mark)
	})
}

// eachRole runs a test on a settled group of a, b and c, for every strategy, for
// a follower and for the leader.
func eachRole(t *testing.T, test func(w *world, m *scenario.Member)) {
	for _, role := range []string{"follower", "leader"} {
		t.Run(role, func(t *testing.T) {
			eachStrategy(t, orders, func(t *testing.T, w *world) {
				for _, name := range []string{"a", "b", "c"} {
					w.Start(name, reads(name, "orders"))
				}
				w.Settle()
				if role == "follower" {
					test(w, w.follower())
				} else {
					test(w, w.leader())
				}
			})
		})
	}
}

func TestThreeAtOnce(t *testing.T) {
	eachStrategy(t, orders, func(t *testing.T, w *world) {
		start := func(names ...string) (ms []*scenario.Member) {
			for _, name := range names {
				ms = append(ms, w.Start(name, reads(name, "orders")))
			}
			return ms
		}
		start("a", "b", "c") // into an empty group
		before, mark := w.Settle(), w.Mark()

		three := start("d", "e", "f")
		with := w.Settle()
		with.MustOnlyGain(t, before, "d", "e", "f")
		w.MustNotPause(mark)

		mark = w.Mark()
		for _, m := range three {
			m.Stop()
		}
		after := w.Settle()
		after.MustOnlyLose(t, with, "d", "e", "f")
		if !w.Even { // where what moved once has no other home
			after.MustEqual(t, before)
		}
		w.MustNotPause(mark)
	})
}
