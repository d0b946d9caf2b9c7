//go:build integration

package integration

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/scenario"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// static is a member with an instance ID, which is its key too.
func (g *group) static(instance string, topics ...string) scenario.Spec {
	spec := g.reads("", topics...)
	spec.Instance = instance
	return spec
}

// startStatic starts static members and waits for the group to settle.
func (g *group) startStatic(names ...string) (scenario.Ownership, []*scenario.Member) {
	g.t.Helper()
	var members []*scenario.Member
	for _, name := range names {
		members = append(members, g.Start(name, g.static(name, "orders")))
	}
	return g.Settle(), members
}

// Nobody notices that a static member, the leader too, was away: no rebalance.
func TestStaticRestart(t *testing.T) {
	for _, which := range []string{"a follower", "the leader"} {
		t.Run(which, func(t *testing.T) {
			withDefault(t, orders, func(t *testing.T, g *group) {
				before, members := g.startStatic("a", "b", "c")
				generation := g.Generation()
				m := g.leader()
				if which == "a follower" {
					m = members[(slices.Index(members, m)+1)%len(members)]
				}
				mark := g.Mark()
				g.timed("restart of "+which, m.Restart).MustEqual(t, before)
				if _, now := m.Client().GroupMetadata(); now != generation {
					t.Errorf("generation %d followed on %d", now, generation)
				}
				g.MustNotPause(mark)
			})
		})
	}
}

// A limit of the protocol (KIP-814), documented: a static leader that comes back
// with another subscription is not asked to plan, so a new topic waits for the
// next rebalance.
func TestStaticLeaderRestartsWithNewTopic(t *testing.T) {
	withDefault(t, map[string]int32{"orders": 24, "payments": 6}, func(t *testing.T, g *group) {
		before, _ := g.startStatic("a", "b", "c")
		generation := g.Generation()
		m := g.leader()
		beats := new(heartbeats)
		m.Spec = g.static(m.Name, "orders", "payments")
		m.Spec.Client = []kgo.Opt{kgo.WithHooks(beats)}
		m.Restart()
		g.Wait("the leader is back", func() bool { return len(g.Owned()) == len(before) })
		beats.wait(t, 10) // a rebalance would be announced by one
		g.Owned().MustEqual(t, before)
		if g.Generation() != generation {
			t.Errorf("generation %d followed on %d", g.Generation(), generation)
		}

		g.NextRound()
		start := time.Now()
		m.Client().ForceRebalance()
		after := g.Settle()
		t.Logf("ForceRebalance assigned the new topic in %d ms", time.Since(start).Milliseconds())
		g.mustOnlyGain(before, after, m.Name)
	})
}

// heartbeats counts a client's heartbeats that were answered.
type heartbeats struct {
	mu    sync.Mutex
	seen  int
	until int
	done  chan struct{}
}

func (h *heartbeats) OnBrokerRead(_ kgo.BrokerMetadata, key int16, _ int, _, _ time.Duration, err error) {
	if key != kmsg.Heartbeat.Int16() || err != nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.seen++; h.done != nil && h.seen == h.until {
		close(h.done)
	}
}

// wait waits for n heartbeats from now on.
func (h *heartbeats) wait(t *testing.T, n int) {
	t.Helper()
	h.mu.Lock()
	h.until, h.done = h.seen+n, make(chan struct{})
	h.mu.Unlock()
	select {
	case <-h.done:
	case <-time.After(20 * time.Second):
		t.Fatalf("waited 20 s for %d heartbeats", n)
	}
}

// A static member that is killed after it gave up partitions and before it said
// so by joining again, and that comes back within its session timeout: for the
// broker nothing has happened, and the partitions that were withheld for it stay
// without an owner. The leader must ask for the round that is owed, which it can
// with kgo.WithHooks only.
//
// While the member stays away its claims stand, and the first round that the
// leader asks for withholds again. But the broker removes a member that does not
// take part in that round, so the next one settles, long before the session
// would have timed out.
func TestStaticKilledBetweenRevokingAndRejoining(t *testing.T) {
	for _, test := range []struct {
		name            string
		hook, comesBack bool
	}{
		{"with hook", true, true},
		{"with hook, it stays away", true, false},
		{"without hook", false, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			withDefault(t, map[string]int32{"orders": 24, "audit": 2}, func(t *testing.T, g *group) {
				const rebalance = 2 * time.Second
				g.MaxPlans = 0
				g.Client = []kgo.Opt{kgo.RebalanceTimeout(rebalance), kgo.SessionTimeout(5 * time.Minute)}
				static := func(name, topic string) scenario.Spec {
					spec := g.static(name, topic)
					spec.NoHook = !test.hook
					return spec
				}
				// a leads, and reads something else: whoever gives up partitions
				// joins again, so the victim must be the only one.
				beats := new(heartbeats)
				leader := static("a", "audit")
				leader.Client = []kgo.Opt{kgo.WithHooks(beats)}
				a := g.Start("a", leader)
				g.Settle()
				var killing atomic.Bool
				revoking := make(chan struct{})
				victim := g.Member("b", static("b", "orders"))
				victim.Spec.Revoking = func(ctx context.Context, _ *kgo.Client, ps map[string][]int32) {
					if len(ps) > 0 && killing.CompareAndSwap(true, false) {
						close(revoking)
						<-ctx.Done() // killed here
					}
				}
				victim.Start()
				g.Settle()

				// A third joins, so that the victim must give up partitions.
				killing.Store(true)
				g.Start("c", static("c", "orders"))
				select {
				case <-revoking:
				case <-time.After(g.Deadline):
					t.Fatal("the victim was not asked to give up partitions")
				}
				killed := time.Now()
				victim.Crash()
				if test.comesBack {
					victim.Start()
					g.Wait("the victim is back", func() bool { return len(g.Owned().Of("b")) > 0 })
				}
				if g.leader() != a {
					t.Fatalf("%s leads, the scenario wants a to", g.leader().Name)
				}
				if !test.hook {
					beats.wait(t, 80) // twice as long as a leader with the hook takes
					unowned := 24 + 2 - len(g.Owned())
					if unowned == 0 {
						t.Fatal("the broker brought the owed round itself: the scenario is void")
					}
					t.Logf("%d partitions have no owner after %d ms, and a ForceRebalance is called", unowned, time.Since(killed).Milliseconds())
					g.NextRound()
					a.Client().ForceRebalance()
				}
				after := g.Settle()
				t.Logf("all partitions are owned again %d ms after the kill; the rebalance timeout is %v", time.Since(killed).Milliseconds(), rebalance)
				if len(after.Of("c")) == 0 {
					t.Error("the third member got nothing")
				}
			})
		})
	}
}
