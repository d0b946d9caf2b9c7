package main

import (
	"math"
	"slices"
	"testing"
)

// tiny is a group made by hand: a, b and c share topics x with 4 partitions and
// y with 2; d is away.
func tiny() (w *world, present []bool) {
	w = &world{
		names:   []string{"a", "b", "c", "d"},
		weights: []uint32{1, 1, 1, 1},
		topics:  []topic{{"x", 4, 0}, {"y", 2, 4}},
		total:   6,
		joiner:  3,
	}
	return w, []bool{true, true, true, false}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestBalance(t *testing.T) {
	w, present := tiny()
	var f figures
	f.balance(w, present, placement{0, 0, 0, 1, 0, 1})
	if !near(f.maxAvg, 2) || !near(f.p95, 2) || f.idle != 1 || f.spread != 3 {
		t.Errorf("got %+v, want 4 of 6 partitions to be twice a third, one member idle, and 3 of topic x against none", f)
	}
	if !slices.Equal(f.loads, []float64{0, 1, 2}) {
		t.Errorf("loads %v, want 0, 1, 2", f.loads)
	}

	w.weights[0] = 4
	f = figures{}
	f.balance(w, present, placement{0, 0, 0, 1, 0, 1})
	if !near(f.maxAvg, 2) || f.loads[1] != 1 {
		t.Errorf("with weight 4 of 6, loads %v, want a's 4 partitions to be its share and b's 2 twice its own", f.loads)
	}
}

func TestPercentile(t *testing.T) {
	hundred := make([]float64, 100)
	for i := range hundred {
		hundred[i] = float64(i + 1)
	}
	for _, c := range []struct {
		of   []float64
		want float64
	}{{hundred, 95}, {hundred[:20], 19}, {hundred[:19], 19}, {hundred[:1], 1}} {
		if got := percentile(c.of, 95); got != c.want {
			t.Errorf("95th percentile of 1 to %d is %v, want %v", len(c.of), got, c.want)
		}
	}
}

func TestChange(t *testing.T) {
	var c change
	before := placement{0, 0, 1, 1, 2, 2}
	c.add(before, placement{3, 0, 1, 2, 2, 3}, 3)
	if c != (change{3, 1, 6}) {
		t.Errorf("got %+v, want 3 moved, one of them from b to c as d joins", c)
	}
	c = change{}
	c.add(before, placement{1, 2, 1, 1, 2, 2}, 0)
	if c != (change{2, 0, 6}) {
		t.Errorf("got %+v, want a's 2 moved as a leaves", c)
	}
	c.sum(change{4, 1, 6})
	if moved, needless := c.perPartition(); moved != 0.5 || !near(needless, 1.0/12) {
		t.Errorf("got %v and %v a partition, want 6/12 and 1/12", moved, needless)
	}
}

func TestShares(t *testing.T) {
	var s share
	s.add(placement{0, 0, 1, 1, 2, 2}, placement{0, 1, 0, 1, 0, 2}, 0)
	if s != (share{1, 3}) {
		t.Errorf("got %+v, want 1 of a's 3 to be its own", s)
	}
	s = share{}
	s.kept(placement{0, 0, 1}, placement{0, 1, 1})
	if s != (share{2, 3}) {
		t.Errorf("got %+v, want 2 of 3 where they were", s)
	}
	if !math.IsNaN(share{}.ratio()) {
		t.Error("nothing of nothing is a share")
	}
}

func TestMean(t *testing.T) {
	m := mean([]*figures{
		{maxAvg: 1, idle: 0, loads: []float64{1, 1}, join: change{1, 0, 10}, rolled: true, received: share{1, 1}},
		{maxAvg: 2, idle: 1, loads: []float64{0, 2}, join: change{3, 2, 10}, rolled: true, received: share{0, 3}},
	})
	moved, needless := m.join.perPartition()
	if m.maxAvg != 1.5 || m.idle != 0.5 || !slices.Equal(m.loads, []float64{0.5, 1.5}) || moved != 0.2 || needless != 0.1 || !m.rolled {
		t.Errorf("got %+v", m)
	}
	if m.received.ratio() != 0.25 {
		t.Errorf("of 4 received 1 was its own, got %v: every partition counts alike, not every history", m.received.ratio())
	}
}
