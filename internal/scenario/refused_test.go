package scenario_test

import (
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/scenario"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// A sync is refused, as one is that comes after somebody joined again. The
// member does not learn what it was assigned, keeps working on what it had, and
// claims it anew, as of a generation whose plan it never saw. Whoever it is and
// whatever the plan wanted of it, nobody else gets that meanwhile.
func TestSyncRefused(t *testing.T) {
	for _, tt := range []struct {
		name string
		who  func(leader, follower *scenario.Member) *scenario.Member
		// The first syncs of the round are refused.
		times int
	}{
		{"to a follower that gives up partitions", func(_, f *scenario.Member) *scenario.Member { return f }, 1},
		{"to a follower, three times", func(_, f *scenario.Member) *scenario.Member { return f }, 3},
		{"to the leader", func(l, _ *scenario.Member) *scenario.Member { return l }, 1},
		{"to the leader, twice", func(l, _ *scenario.Member) *scenario.Member { return l }, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, orders)
			w.Start("a", reads("a", "orders"))
			w.Start("b", reads("b", "orders"))
			before, mark := w.Settle(), w.Mark()
			m := tt.who(w.leader(), w.follower())
			refused := w.refuseSync(memberID(m), tt.times)

			w.Start("c", reads("c", "orders"))
			w.Settle().MustOnlyGain(t, before, "c")
			w.MustNotPause(mark)
			if refused.Hits() != tt.times {
				t.Errorf("%d syncs were refused, not %d", refused.Hits(), tt.times)
			}
			// The refused member's claims stood again in the next round.
			var withheld int
			for _, p := range w.PlansSince(mark) {
				if takes(&p, m) {
					withheld++
				}
			}
			if withheld < 2 {
				t.Errorf("partitions of %s were withheld in %d rounds, the refused claim changed nothing", m.Name, withheld)
			}
		})
	}
}

// A sync is refused to the one that gains: it does not have it then, claims only
// what it had, and gets the same in the next round.
func TestSyncRefusedToTheOneWhoGains(t *testing.T) {
	w := newWorld(t, orders)
	w.Start("a", reads("a", "orders"))
	w.Settle() // a leads
	w.Start("b", reads("b", "orders"))
	c := w.Start("c", reads("c", "orders"))
	before, mark := w.Settle(), w.Mark()

	refused := w.refuseSync(memberID(w.follower()), 1)
	c.Stop()
	w.Settle().MustOnlyLose(t, before, "c")
	w.MustNotPause(mark)
	if refused.Hits() != 1 {
		t.Error("no sync was refused")
	}
}

// takes tells whether a plan withholds something that a member claims.
func takes(p *scenario.Plan, m *scenario.Member) bool {
	for _, h := range p.Withheld {
		if h.From >= 0 && p.Group.Members[h.From].ID == memberID(m) {
			return true
		}
	}
	return false
}

// refuseSync answers the next syncs of a member as if a rebalance had begun.
func (w *world) refuseSync(memberID string, times int) *kfake.FaultHandle {
	return w.cluster.Fault(kfake.Fault{
		Keys:  []kmsg.Key{kmsg.SyncGroup},
		Group: w.Name,
		Err:   kerr.RebalanceInProgress,
		Count: times,
		When:  func(req kmsg.Request) bool { return req.(*kmsg.SyncGroupRequest).MemberID == memberID },
	})
}
