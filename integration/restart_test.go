//go:build integration

package integration

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/scenario"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Without static membership, so that the others have its partitions while it is
// away; it has another member ID when it is back.
func TestRestart(t *testing.T) {
	eachStrategy(t, orders, func(t *testing.T, g *group) {
		before, members := g.start("orders", "a", "b", "c")
		id, _ := members[1].Client().GroupMetadata()
		between := g.timed("stop", members[1].Stop)
		g.mustOnlyLose(before, between, "b")
		after := g.timed("start again", members[1].Start)
		after.MustEqual(t, before)
		if now, _ := members[1].Client().GroupMetadata(); now == id {
			t.Errorf("the restarted member still has the ID %s", id)
		}
	})
}

// The restart within one round: nobody else need have had the partitions.
func TestRestartAtOnce(t *testing.T) {
	eachStrategy(t, orders, func(t *testing.T, g *group) {
		before, members := g.start("orders", "a", "b", "c")
		g.timed("restart", members[1].Restart).MustEqual(t, before)
	})
}

func TestRollingRestart(t *testing.T) {
	eachStrategy(t, map[string]int32{"orders": 24, "payments": 13}, func(t *testing.T, g *group) { g.roll("orders", "payments") })
}

// Counts that divide, so that what is even can be what it was, too.
func TestRollingRestartEvenly(t *testing.T) {
	withStrategy(t, evenly, map[string]int32{"orders": 24, "payments": 16}, func(t *testing.T, g *group) { g.roll("orders", "payments") })
}

// roll restarts five members one by one.
func (g *group) roll(topics ...string) {
	g.t.Helper()
	for i := range 5 {
		name := fmt.Sprintf("worker-%d", i)
		g.Start(name, g.reads(name, topics...))
	}
	g.Settle()
	back, all := g.RollingRestart()
	g.t.Logf("rolling restart of five members, one by one: %d of %d partitions came back to their member", back, all)
}

// All members are gone at once, and what each had is known from its disk alone.
func TestRestartOfAll(t *testing.T) {
	withStrategy(t, evenly, map[string]int32{"orders": 36}, func(t *testing.T, g *group) {
		g.Client = []kgo.Opt{kgo.SessionTimeout(crashSession)}
		dir := t.TempDir()
		for _, name := range []string{"a", "b", "c", "d"} {
			spec := g.reads("", "orders") // no identity, to say who is who
			spec.Memory = filepath.Join(dir, name)
			g.Start(name, spec)
		}
		g.Settle()
		g.RestartAll(scenario.StopAll)
		g.RestartAll(func(members []*scenario.Member) {
			for _, m := range members {
				m.Crash()
			}
		})
	})
}

func TestEager(t *testing.T) {
	withDefault(t, orders, func(t *testing.T, g *group) {
		g.MaxPlans = 3
		eager := func(name string) scenario.Spec {
			spec := g.reads(name, "orders")
			spec.Options = []assignor.Option{assignor.Eager()}
			return spec
		}
		a, b := g.Start("a", eager("a")), g.Start("b", eager("b"))
		without := g.Settle()
		c := g.Member("c", eager("c"))
		with := g.timed("eager join", c.Start)
		g.mustOnlyGain(without, with, "c")
		for _, m := range []*scenario.Member{a, b} {
			g.mustHaveRevoked(m.Owner(), without.Of(m.Name))
		}
		if p := g.Recorder().Plans(); p[0].Strategy != g.Strategy.Name()+"-eager" {
			t.Errorf("the protocol is named %q", p[0].Strategy)
		}
		g.timed("eager leave", c.Stop).MustEqual(t, without)
		g.timed("eager start again", c.Start).MustEqual(t, with)
	})
}

// mustHaveRevoked fails the test unless the owner gave up all these partitions
// at some time.
func (g *group) mustHaveRevoked(o scenario.Owner, ps []scenario.Partition) {
	g.t.Helper()
	closed := make(map[scenario.Partition]bool)
	for _, i := range g.Recorder().Intervals() {
		if i.Owner == o && i.To.Kind == scenario.Revoked {
			closed[i.Partition] = true
		}
	}
	for _, p := range ps {
		if !closed[p] {
			g.t.Errorf("%v kept %v through an eager rebalance", o, p)
		}
	}
}
