package scenario_test

import (
	"sync/atomic"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/scenario"
	"github.com/twmb/franz-go/pkg/kgo"
)

// garbage goes by the name of the Balancer in it and, when it is on, joins with
// bytes that nobody can read.
type garbage struct {
	*assignor.Balancer
	on    atomic.Bool
	joins atomic.Int32 // so that no two joins are the same
}

func (g *garbage) JoinGroupMetadata(topics []string, current map[string][]int32, generation int32) []byte {
	meta := g.Balancer.JoinGroupMetadata(topics, current, generation)
	if !g.on.Load() {
		return meta
	}
	return []byte{0, 3, 0xff, 0xff, 0xff, byte(g.joins.Add(1))}
}

func (w *world) garbage(name string, on bool) (*garbage, scenario.Spec) {
	spec := reads(name, "orders")
	g := &garbage{Balancer: w.Balancer(scenario.Owner{Member: name, Life: 1}, spec)}
	g.on.Store(on)
	spec.Balancers = []kgo.GroupBalancer{g}
	return g, spec
}

// A member whose metadata cannot be read gets nothing, and nobody loses
// anything by it.
func TestGarbageJoins(t *testing.T) {
	w := newWorld(t, orders)
	for _, name := range []string{"a", "b", "c"} {
		w.Start(name, reads(name, "orders"))
	}
	before, mark := w.Settle(), w.Mark()

	_, spec := w.garbage("d", true)
	d := w.Start("d", spec)
	w.Settle().MustEqual(t, before)
	w.MustNotPause(mark)
	w.mustWarnOf(assignor.WarnMetadata, mark)

	d.Stop()
	w.Settle().MustEqual(t, before)
	w.MustNotPause(mark)
}

// A member that owns partitions and cannot be read from one round on may still
// be working on what it was given: others get that only after it let go.
func TestGarbageFromAnOwner(t *testing.T) {
	w := newWorld(t, orders)
	w.Start("a", reads("a", "orders"))
	w.Settle() // a leads
	g, spec := w.garbage("b", false)
	b := w.Start("b", spec)
	w.Start("c", reads("c", "orders"))
	before, mark := w.Settle(), w.Mark()

	g.on.Store(true)
	w.NextRound()
	b.Client().ForceRebalance()
	w.Settle().MustOnlyLose(t, before, "b")
	w.MustNotPause(mark)
	w.mustWarnOf(assignor.WarnMetadata, mark)
	if first := w.PlansSince(mark)[0]; len(first.Withheld) != len(before.Of("b")) {
		t.Errorf("withheld %v, not exactly what b had: %v", first.Withheld, before.Of("b"))
	}

	mark = w.Mark()
	g.on.Store(false)
	w.NextRound()
	b.Client().ForceRebalance()
	w.Settle().MustEqual(t, before)
	w.MustNotPause(mark)
}

// mustWarnOf fails the test unless a warning of a kind came since mark and says
// which member it is about.
func (w *world) mustWarnOf(kind assignor.WarningKind, mark int) {
	w.t.Helper()
	for _, warned := range w.Recorder().Warnings(kind) {
		if warned.Seq > mark && warned.Member != "" && warned.Message != "" {
			return
		}
	}
	w.t.Errorf("no warning of kind %q that names a member", kind)
}
