//go:build integration

package integration

import (
	"sync"
	"testing"
	"time"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/scenario"
	"github.com/twmb/franz-go/pkg/kgo"
)

var orders = map[string]int32{"orders": 24}

func TestJoin(t *testing.T) {
	eachStrategy(t, orders, func(t *testing.T, g *group) {
		before, _ := g.start("orders", "a", "b", "c")
		after := g.timed("join", func() { g.Start("d", g.reads("d", "orders")) })
		g.mustOnlyGain(before, after, "d")
	})
}

func TestLeave(t *testing.T) {
	eachStrategy(t, orders, func(t *testing.T, g *group) {
		before, members := g.start("orders", "a", "b", "c", "d")
		after := g.timed("leave", members[1].Stop)
		g.mustOnlyLose(before, after, "b")
	})
}

const crashSession = 2 * time.Second

func TestCrash(t *testing.T) {
	eachStrategy(t, orders, func(t *testing.T, g *group) {
		g.Client = []kgo.Opt{kgo.SessionTimeout(crashSession)}
		before, members := g.start("orders", "a", "b", "c", "d")
		after := g.timed("crash, with a session timeout of "+crashSession.String(), members[1].Crash)
		g.mustOnlyLose(before, after, "b")
	})
}

// A pod that is back in a second still waits for its ghost's session to end; it
// then gets its own in the same round.
func TestCrashAndRestart(t *testing.T) {
	eachStrategy(t, orders, func(t *testing.T, g *group) {
		g.Client = []kgo.Opt{kgo.SessionTimeout(crashSession)}
		before, members := g.start("orders", "a", "b", "c", "d")
		after := g.timed("crash and restart at once, with a session timeout of "+crashSession.String(), func() {
			members[1].Crash()
			members[1].Start()
		})
		after.MustEqual(t, before)
	})
}

func TestThreeAtOnce(t *testing.T) {
	eachStrategy(t, orders, func(t *testing.T, g *group) {
		g.MaxPlans = 4 // the broker begins a round with the first that arrives
		before, _ := g.start("orders", "a", "b")
		var more []*scenario.Member
		between := g.timed("three join", func() {
			for _, name := range []string{"c", "d", "e"} {
				more = append(more, g.Start(name, g.reads(name, "orders")))
			}
		})
		g.mustOnlyGain(before, between, "c", "d", "e")
		after := g.timed("three leave", func() {
			var stopping sync.WaitGroup
			for _, m := range more {
				stopping.Go(m.Stop)
			}
			stopping.Wait()
		})
		if !g.even {
			after.MustEqual(t, before)
		}
	})
}

func TestNewLeader(t *testing.T) {
	for _, end := range []struct {
		how string
		do  func(*scenario.Member)
	}{
		{"leaves", (*scenario.Member).Stop},
		{"crashes", (*scenario.Member).Crash},
	} {
		t.Run(end.how, func(t *testing.T) {
			withDefault(t, orders, func(t *testing.T, g *group) {
				g.Client = []kgo.Opt{kgo.SessionTimeout(crashSession)}
				before, _ := g.start("orders", "a", "b", "c", "d")
				old := g.leader()
				after := g.timed("the leader "+end.how, func() { end.do(old) })
				g.mustOnlyLose(before, after, old.Name)
				if g.leader() == old {
					t.Fatal("the leader that is gone still leads")
				}
				g.timed("the old leader comes back", old.Start).MustEqual(t, before)
			})
		})
	}
}
