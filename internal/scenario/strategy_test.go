package scenario_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/scenario"
)

// A faulty strategy is plain rendezvous hashing until something is wrong with
// it. It is no Updater: it shows what Assign returned.
type faulty struct {
	fault *atomic.Pointer[func(g *assignor.Group, p assignor.Plan) assignor.Plan]
}

func (faulty) Name() string { return "faulty" }

func (f faulty) Assign(g *assignor.Group) assignor.Plan {
	p := hrw.Strategy{}.Assign(g)
	if fault := f.fault.Load(); fault != nil {
		return (*fault)(g, p)
	}
	return p
}

// faults are what a strategy can get wrong, and what Report.Err must say of it
// besides the strategy's name.
var faults = []struct {
	name  string
	fault func(g *assignor.Group, p assignor.Plan) assignor.Plan
	says  []string
}{
	{"panics", func(*assignor.Group, assignor.Plan) assignor.Plan { panic("out of ideas") }, []string{"panic", "out of ideas"}},
	{"panics with an error", func(_ *assignor.Group, p assignor.Plan) assignor.Plan { return p[:cap(p)+1] }, []string{"panic", "range"}},
	{"no plan", func(*assignor.Group, assignor.Plan) assignor.Plan { return nil }, []string{"0 topics"}},
	{"too few topics", func(_ *assignor.Group, p assignor.Plan) assignor.Plan { return p[:len(p)-1] }, []string{"1 topics"}},
	{"too few partitions", func(_ *assignor.Group, p assignor.Plan) assignor.Plan {
		p[0] = p[0][:7]
		return p
	}, []string{`"orders"`, "7"}},
	{"too many partitions", func(_ *assignor.Group, p assignor.Plan) assignor.Plan {
		p[0] = append(p[0], 0)
		return p
	}, []string{`"orders"`, "13"}},
	{"nobody", func(_ *assignor.Group, p assignor.Plan) assignor.Plan {
		p[0][5] = assignor.None
		return p
	}, []string{`"orders"`, "partition 5"}},
	{"foreign", func(g *assignor.Group, p assignor.Plan) assignor.Plan {
		p[0][5] = int32(len(g.Members))
		return p
	}, []string{`"orders"`, "partition 5"}},
	{"a member that does not read the topic", func(g *assignor.Group, p assignor.Plan) assignor.Plan {
		for i := range g.Members {
			if g.Members[i].Key == "a" {
				p[1][3] = int32(i)
			}
		}
		return p
	}, []string{`"returns"`, "partition 3", `"a"`}},
}

// Whatever a strategy does, the group goes on: everyone keeps what it has, what
// is free is placed by plain rendezvous hashing, and Report.Err says what is
// wrong. When the strategy is well again the next plan is its own.
func TestFaultyStrategy(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			w := newWorld(t, twoTopics)
			w.Faulty = true
			strategy := faulty{new(atomic.Pointer[func(*assignor.Group, assignor.Plan) assignor.Plan])}
			spec := func(name string, topics ...string) scenario.Spec {
				s := reads(name, topics...)
				s.Strategy = strategy
				return s
			}
			w.Start("a", spec("a", "orders"))
			w.Settle() // a leads
			b := w.Start("b", spec("b", "orders", "returns"))
			w.Start("c", spec("c", "orders", "returns"))
			before, mark := w.Settle(), w.Mark()

			strategy.fault.Store(&f.fault)
			w.Start("d", spec("d", "orders", "returns"))
			w.Settle().MustEqual(t, before)
			w.MustNotPause(mark)
			w.mustReport(mark, f.says...)

			b.Stop()
			w.Settle().MustOnlyLose(t, before, "b")
			w.MustNotPause(mark)

			strategy.fault.Store(nil)
			b.Start()
			w.Settle().MustOnlyGain(t, before, "d")
		})
	}
}

// mustReport fails the test unless all plans since mark failed and the errors
// name the strategy and contain the given words.
func (w *world) mustReport(mark int, words ...string) {
	w.t.Helper()
	plans := w.PlansSince(mark)
	for _, p := range plans {
		if p.Err == nil {
			w.t.Errorf("generation %d: no error", p.Generation)
			continue
		}
		for _, word := range append(words, `"faulty"`) {
			if !strings.Contains(p.Err.Error(), word) {
				w.t.Errorf("the error does not say %s: %v", word, p.Err)
			}
		}
	}
	if warned := w.Recorder().Warnings(assignor.WarnStrategy); len(plans) == 0 || len(warned) == 0 {
		w.t.Errorf("%d plans and %d warnings", len(plans), len(warned))
	}
}
