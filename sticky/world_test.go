package sticky_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/cases"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/oracle"
	"github.com/kgo-rendezvous/kgo-rendezvous/sticky"
)

// A world is one group whose members each have a Balancer.
type world struct {
	*testing.T
	now        string // the command being carried out
	strategy   sticky.Strategy
	counts     map[string]int32
	racks      map[string][]string // of partitions' leaders, by topic
	members    []*worker           // in the order in which they joined: the first leads
	generation int32
	ids        int
	warm, had  map[string]lead.Owned // by name: what it has at hand, what it had when it left or restarted
	back       []string              // who is back since the latest rebalance
}

// A worker is a process, from its start to its end.
type worker struct {
	lead.Member
	name, rack string
	weight     uint32
	balancer   *cases.Leader
}

func newWorld(t *testing.T) *world {
	return &world{T: t, counts: make(map[string]int32), racks: make(map[string][]string), warm: make(map[string]lead.Owned), had: make(map[string]lead.Owned)}
}

func (w *world) at(name string) int {
	w.Helper()
	i := slices.IndexFunc(w.members, func(m *worker) bool { return m.name == name })
	if i < 0 {
		w.Fatalf("%s: there is no %s", w.now, name)
	}
	return i
}

// start has a process join that claims nothing.
func (w *world) start(m *worker) {
	opts := []assignor.Option{
		assignor.Identity(m.name),
		assignor.Weight(m.weight),
		assignor.Warm(func() map[string][]int32 { return w.warm[m.name] }),
	}
	var s assignor.Strategy = w.strategy
	if w.strategy.Racks {
		s = cases.WithRacks(s, w.racks)
	}
	w.ids++
	m.balancer = cases.NewLeader(s, opts...)
	m.Member = lead.Member{ID: fmt.Sprint("id-", w.ids), Balancer: m.balancer, Topics: m.Topics, Generation: -1}
	w.members = append(w.members, m)
	if w.had[m.name] != nil {
		w.back = append(w.back, m.name)
	}
}

// stop ends a process, and remembers what it had.
func (w *world) stop(name string) *worker {
	i := w.at(name)
	m := w.members[i]
	w.members = slices.Delete(w.members, i, i+1)
	w.had[name] = m.Owned
	return m
}

// topics returns what a worker reads: everything, if it does not say.
func (w *world) topics(m *worker) []string {
	if m.Topics != nil {
		return m.Topics
	}
	return slices.Sorted(maps.Keys(w.counts))
}

// round has all members join and take over what they are sent.
func (w *world) round() *cases.Round {
	w.generation++
	var all []lead.Member
	for _, m := range w.members {
		joins := m.Member
		joins.Topics = w.topics(m)
		meta, err := cases.ReadMetadata(lead.Join([]lead.Member{joins})[0].ProtocolMetadata)
		if err != nil {
			w.Fatal(err)
		}
		if m.rack != "" {
			meta.Rack = &m.rack
		}
		joins.Metadata = meta.AppendTo(nil)
		all = append(all, joins)
	}
	leader := w.members[0]
	r, err := leader.balancer.Play("history", w.generation, leader.ID, lead.Join(all), cases.View{Counts: w.counts})
	if err == nil {
		err = r.Check()
	}
	if err != nil {
		w.Fatalf("%s: %v", w.now, err)
	}
	if len(r.Warnings) > 0 {
		w.Errorf("%s: %v", w.now, r.Warnings)
	}
	for _, m := range w.members {
		m.Owned, m.Generation = r.Sent[m.ID], w.generation
	}
	return r
}

// rebalance plays rounds until nothing is withheld, and tells what came of them.
func (w *world) rebalance() string {
	first := w.round()
	last, rounds := first, 1
	for ; len(last.Report.Withheld) > 0; rounds++ {
		if rounds == 2 {
			w.Fatalf("%s: not settled after two rounds: %v still withheld", w.now, last.Withheld())
		}
		last = w.round()
	}
	g := first.Report.Group // a copy as far as racks go
	for t := range g.Topics {
		g.Topics[t].Racks = nil
		if w.strategy.Racks {
			g.Topics[t].Racks = make([]string, g.Topics[t].Partitions)
			copy(g.Topics[t].Racks, w.racks[g.Topics[t].Name])
		}
	}
	plan := last.Report.Target
	if diff := assignor.Diff(g, first.Report.Target, plan); len(diff) > 0 {
		w.Errorf("%s: %d partitions are planned for others in the second round than in the first", w.now, len(diff))
	}
	w.check(g, plan)
	return w.tell(g, first.Report.Before, plan, rounds)
}

// check holds a plan against what must be so of any, and the best that can be.
func (w *world) check(g *assignor.Group, plan assignor.Plan) {
	alike := true
	for _, m := range w.members {
		alike = alike && m.weight == w.members[0].weight && slices.Equal(w.topics(m), w.topics(w.members[0]))
	}
	if loads := plan.Loads(g); alike && slices.Max(loads)-slices.Min(loads) > 1 {
		w.Errorf("%s: loads are %d", w.now, loads)
	}
	o := oracle.Options{PerTopic: w.strategy.PerTopic, Racks: w.strategy.Racks}
	if err := oracle.Judge(g, plan, o); err != nil {
		w.Errorf("%s: %v", w.now, err)
	}
	if err := oracle.JudgeCeilings(g, plan, o); err != nil {
		w.Errorf("%s: %v", w.now, err)
	}
}

// tell returns a rebalance as text.
func (w *world) tell(g *assignor.Group, before, plan assignor.Plan, rounds int) string {
	var sb strings.Builder
	sb.WriteString(plan.Format(g))
	moved, given := 0, 0
	for _, m := range assignor.Diff(g, before, plan) {
		if m.From == assignor.None {
			given++
		} else {
			moved++
		}
	}
	fmt.Fprintf(&sb, "loads %v, moved %d, given out %d, rounds %d, leader %s", plan.Loads(g), moved, given, rounds, w.members[0].name)
	if w.strategy.Racks {
		fmt.Fprintf(&sb, ", off rack %d", oracle.Measure(g, plan, oracle.Options{Racks: true}).OffRack)
	}
	for _, name := range w.back {
		had, has := 0, 0
		for topic, partitions := range w.had[name] {
			for _, p := range partitions {
				had++
				if slices.Contains(w.members[w.at(name)].Owned[topic], p) {
					has++
				}
			}
		}
		fmt.Fprintf(&sb, "\n%s is back with %d of its %d", name, has, had)
	}
	w.back = nil
	return sb.String()
}
