package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

// kgo's sticky balancers must be played as sticky: nobody loses more than a join
// takes, and a restarted process is a new one.
func TestStockBalancers(t *testing.T) {
	for _, a := range algorithms() {
		if a.kind != kgos {
			continue
		}
		w := newWorld(setup{size: size{4, 40}, topics: 2}, 1)
		f, err := play(w, a.newPlacer(w), true)
		if err != nil {
			t.Fatalf("%s: %v", a.name, err)
		}
		if f.maxAvg != 1 {
			t.Errorf("%s: the fullest of 4 has %v of its share of 40", a.name, f.maxAvg)
		}
		if strings.Contains(a.name, "sticky") {
			if f.join != (change{8, 0, 40}) || f.leave != (change{8, 0, 40}) {
				t.Errorf("%s: join %+v, leave %+v, want a fifth each and nothing needless", a.name, f.join, f.leave)
			}
		}
		if f.received.is == f.received.of {
			t.Errorf("%s: returning members got all of their own: are their processes new?", a.name)
		}
	}
}

func TestProcesses(t *testing.T) {
	w := newWorld(setup{size: size{3, 12}, topics: 2}, 1)
	a := find(t, "kgo-cooperative-sticky")
	f := a.newPlacer(w).(*fleet)
	present := w.start()
	settle := func() {
		t.Helper()
		if _, err := f.settle(present); err != nil {
			t.Fatal(err)
		}
	}
	settle()
	first := f.leader
	before := f.processes[first].id
	present[first] = false
	settle()
	if f.leader == first || f.processes[first] != nil {
		t.Error("the leader has left and still leads")
	}
	present[first] = true
	settle()
	if f.processes[first].id == before {
		t.Error("a restarted process has the member ID it had")
	}
	if f.leader == first {
		t.Error("the newest member leads though others were there")
	}
}

func TestFleetNoticesMistakes(t *testing.T) {
	w, _ := tiny()
	f := &fleet{w: w, processes: make([]*process, len(w.names))}
	for want, owned := range map[string][2]lead.Owned{
		"both own":       {{"x": {0, 1}}, {"x": {1}}},
		"no owner":       {{"x": {0, 1, 2, 3}}, {"y": {0}}},
		"does not exist": {{"x": {4}}, {}},
		"of topic z":     {{"z": {0}}, {}},
	} {
		f.processes[0], f.processes[1] = &process{owned: owned[0]}, &process{owned: owned[1]}
		if _, err := f.placement(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want one that says %q", err, want)
		}
	}
}

func TestGivesUp(t *testing.T) {
	before := lead.Owned{"x": {0, 1}, "y": nil}
	if givesUp(before, lead.Owned{"x": {2, 1, 0}}) {
		t.Error("all that it had is there")
	}
	if !givesUp(before, lead.Owned{"x": {1}}) || !givesUp(before, nil) {
		t.Error("something is missing")
	}
}

func find(t *testing.T, name string) *algorithm {
	t.Helper()
	all := algorithms()
	i := slices.IndexFunc(all, func(a algorithm) bool { return a.name == name })
	if i < 0 {
		t.Fatalf("no algorithm %s", name)
	}
	return &all[i]
}

// broken is a strategy that panics.
type broken struct{}

func (broken) Name() string                         { return "broken" }
func (broken) Assign(*assignor.Group) assignor.Plan { panic("out of order") }

// A Balancer makes up for a strategy that fails; its figures must not be shown as
// the strategy's.
func TestFleetNoticesFailures(t *testing.T) {
	w := newWorld(setup{size: size{3, 12}, topics: 2}, 1)
	a := &algorithm{name: "broken", strategy: broken{}, remembers: true}
	if _, err := play(w, a.newPlacer(w), false); err == nil || !strings.Contains(err.Error(), "out of order") {
		t.Errorf("got error %v, want the panic", err)
	}
}
