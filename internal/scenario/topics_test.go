package scenario_test

import (
	"slices"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/scenario"
)

func TestTopicGrows(t *testing.T) {
	w := newWorld(t, orders)
	for _, name := range []string{"a", "b", "c"} {
		w.Start(name, reads(name, "orders"))
	}
	before, mark := w.Settle(), w.Mark()

	w.GrowTopic("orders", 36)
	after := w.Settle()
	w.MustNotPause(mark)
	for _, h := range scenario.Moved(before, after) {
		if h.From != "" || h.Number < 24 {
			t.Errorf("%v moved, only new partitions should", h)
		}
	}
}

// A topic that a member reads is made after it joined (segmentio/kafka-go 1315).
func TestTopicCreatedLater(t *testing.T) {
	w := newWorld(t, orders)
	w.Start("a", reads("a", "orders", "late"))
	w.Start("b", reads("b", "orders"))
	before, mark := w.Settle(), w.Mark()

	w.CreateTopic("late", 5)
	after := w.Settle()
	w.MustNotPause(mark)
	if n := of(after, "a", "late"); n != 5 || len(scenario.Moved(before, after)) != 5 {
		t.Errorf("the new topic's reader has %d of 5 partitions:\n%v", n, after)
	}
}

// A topic is deleted while b still reads it and its leader no longer does. For
// the rounds in which the topic might just be unknown for a moment b keeps what
// it had; then its claims are dropped, and nothing is owed for it any more.
func TestTopicDeleted(t *testing.T) {
	w := newWorld(t, twoTopics)
	w.MaxPlans = 0 // it takes three rounds to believe it
	a := w.Start("a", reads("a", "orders", "returns"))
	w.Settle() // a leads
	w.Start("b", reads("b", "orders", "returns"))
	before, mark := w.Settle(), w.Mark()

	w.DeleteTopic("returns")
	a.Spec.Topics = []string{"orders"}
	w.NextRound()
	a.Client().PurgeTopicsFromConsuming("returns")
	after := w.Settle()
	for _, h := range scenario.Moved(before, after) {
		if h.Topic != "returns" || h.To != "" {
			t.Errorf("%v moved, only the deleted topic should be gone", h)
		}
	}
	if n := of(after, "b", "returns"); n != 0 {
		t.Errorf("b still has %d partitions of the deleted topic:\n%v", n, after)
	}
	plans := w.PlansSince(mark)
	if len(plans) < 3 {
		t.Errorf("the topic was given up after %d rounds", len(plans))
	}
	for i, p := range plans {
		switch last := i == len(plans)-1; {
		case !last && (!slices.Equal(p.Missing, []string{"returns"}) || len(p.Held) != of(before, "b", "returns") || !p.Owed):
			t.Errorf("generation %d: missing %v, owed %v, held %v", p.Generation, p.Missing, p.Owed, p.Held)
		case last && (len(p.Missing)+len(p.Held) > 0 || p.Owed):
			t.Errorf("the last round: missing %v, owed %v, held %v", p.Missing, p.Owed, p.Held)
		}
	}
	w.mustWarnOfTopic("returns", mark)
	w.MustNotPause(mark)

	// Further rounds owe nothing either.
	w.NextRound()
	a.Client().ForceRebalance()
	w.Settle().MustEqual(t, after)
}

// A topic is deleted that everybody reads. kgo keeps a topic's last known count
// for as long as a client reads it, so the plan goes on as if nothing had
// happened until somebody purges the topic; nothing is owed in the meantime.
func TestTopicDeletedUnderItsReaders(t *testing.T) {
	w := newWorld(t, twoTopics)
	w.MaxPlans = 0
	for _, name := range []string{"a", "b", "c"} {
		w.Start(name, reads(name, "orders", "returns"))
	}
	w.Settle()
	w.DeleteTopic("returns")
	w.NextRound()
	w.leader().Client().ForceRebalance()
	w.Settle()
	for _, m := range w.Live() {
		m.Spec.Topics = []string{"orders"}
		w.NextRound()
		m.Client().PurgeTopicsFromConsuming("returns")
		w.Settle()
	}
	for p, m := range w.Owned() {
		if p.Topic == "returns" {
			t.Errorf("%s still has %v", m, p)
		}
	}
}

func TestSubscriptionsDiffer(t *testing.T) {
	eachStrategy(t, map[string]int32{"orders": 12, "returns": 6, "parcels": 6, "unread": 3}, func(t *testing.T, w *world) {
		even := w.Even
		w.Even = false // which is for those that read the same
		specs := map[string]scenario.Spec{
			"a": reads("a", "orders"),
			"b": reads("b", "orders", "returns"),
			"c": reads("c", "returns", "parcels"),
			"d": reads("d", "parcels"),
		}
		members := make(map[string]*scenario.Member)
		settle := func() scenario.Ownership {
			t.Helper()
			o := w.Settle()
			for p, m := range o {
				if !slices.Contains(specs[m].Topics, p.Topic) {
					t.Errorf("%s has %v, which it does not read", m, p)
				}
			}
			return o
		}
		for _, name := range []string{"a", "b", "c", "d"} {
			members[name] = w.Start(name, specs[name])
			settle()
		}
		before := w.Settle()
		for _, name := range []string{"b", "d", "c", "a"} {
			members[name].Restart()
			if after := settle(); even {
				after.MustBeEven(t, "a", "b", "c", "d") // as it can be here
			} else {
				after.MustEqual(t, before)
			}
		}
		if ws := w.Recorder().Warnings(assignor.WarnTopic); len(ws) > 0 {
			t.Errorf("topics were taken for missing: %v", ws)
		}

		// The only readers of a topic go: it belongs to nobody, and nothing is
		// owed for it.
		mark := w.Mark()
		members["c"].Stop()
		members["d"].Stop()
		settle()
		if !even {
			w.MustNotPause(mark)
		}
	})
}
