package baseline

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// arcs returns how much of the ring each node has.
func arcs(p *ring, n int) []float64 {
	all := math.Ldexp(1, 64)
	if p.slots > 0 {
		all = float64(p.slots)
	}
	arcs := make([]float64, n)
	for i, at := range p.points {
		before := p.points[(i+len(p.points)-1)%len(p.points)]
		gap := float64(at.slot) - float64(before.slot)
		if gap < 0 || len(p.points) == 1 {
			gap += all
		}
		arcs[at.node] += gap / all
	}
	return arcs
}

// extremes returns the least and the most.
func extremes(xs []float64) (float64, float64) {
	least, most := xs[0], xs[0]
	for _, x := range xs {
		least, most = min(least, x), max(most, x)
	}
	return least, most
}

// Bendersky, "Consistent hashing": the smallest and the largest arc of 20 nodes,
// in degrees, plain and with ten virtual nodes each.
func TestArticleArcs(t *testing.T) {
	ns := make([]Node, 20)
	for i := range ns {
		ns[i] = Node{fmt.Sprintf("n%02d", i), 1}
	}
	for virtual, want := range map[int][2]string{0: {"0.08", "45.73"}, 10: {"8.12", "27.25"}} {
		p := Ring{VirtualNodes: virtual, Slots: 10_000_000, Hash: MD5}.Build(ns).(*ring)
		least, most := extremes(arcs(p, len(ns)))
		got := [2]string{strconv.FormatFloat(360*least, 'f', 2, 64), strconv.FormatFloat(360*most, 'f', 2, 64)}
		if got != want {
			t.Errorf("%d virtual nodes: arcs %v, want %v", virtual, got, want)
		}
	}
}

// A fourth node beside three, with 100 virtual nodes each, takes about a quarter
// of the keys, from all three; when it leaves every key is back.
func TestArticleFourthNode(t *testing.T) {
	a := Ring{VirtualNodes: 100, Hash: MD5}
	ks := keys(45_000)
	three, four := nodes(1, 1, 1), nodes(1, 1, 1, 1)
	m := moved(a, three, four, ks)
	t.Logf("a fourth node: %s", m)
	if got := m.percent(m.needed); m.needless != 0 || got < 20 || got > 30 {
		t.Errorf("a fourth node moves %s, want about 25 %% and only to it", m)
	}
	before, with, after := a.Build(three), a.Build(four), a.Build(without(four, 3))
	gave := make([]int, 3)
	for _, k := range ks {
		if with.Owner(k) == 3 {
			gave[before.Owner(k)]++
		}
		if before.Owner(k) != after.Owner(k) {
			t.Fatalf("%q is not back", k)
		}
	}
	for i, n := range gave {
		if n < len(ks)/40 {
			t.Errorf("%s gave %d keys of %v", three[i].Name, n, gave)
		}
	}
}

// The load of the fullest node over the average, measured as arcs: about
// 1 + z/√v for v virtual nodes, z the most of 20 normal deviates, 1.9.
func TestPeakFallsWithVirtualNodes(t *testing.T) {
	const n, trials = 20, 10
	last := math.Inf(1)
	for _, virtual := range []int{1, 2, 5, 10, 20, 50, 100, 200} {
		var peak float64
		for trial := range trials {
			ns := make([]Node, n)
			for i := range ns {
				ns[i] = Node{fmt.Sprintf("%d/n%02d", trial, i), 1}
			}
			_, most := extremes(arcs(Ring{VirtualNodes: virtual, Hash: MD5}.Build(ns).(*ring), n))
			peak += most * n / trials
		}
		expected := 1 + 1.87/math.Sqrt(float64(virtual))
		t.Logf("%3d virtual nodes: peak load %.2f × the average; 1 + 1.87/√v is %.2f", virtual, peak, expected)
		if peak >= last {
			t.Errorf("%d virtual nodes: peak %.2f, with fewer %.2f", virtual, peak, last)
		}
		if virtual >= 20 && math.Abs(peak-expected) > 0.3*(expected-1) {
			t.Errorf("%d virtual nodes: peak %.2f, want about %.2f", virtual, peak, expected)
		}
		last = peak
	}
}

// clockwise is the ring as rendezvous hashing: a node's score for a key is minus
// the distance from the key clockwise to the node's nearest point.
type clockwise struct{ Ring }

func (c clockwise) owner(nodes []Node, key string) int {
	hash := c.Hash.orDefault()
	at := func(s string) uint64 {
		if c.Slots > 0 {
			return hash(s) % c.Slots
		}
		return hash(s)
	}
	owner, best := -1, uint64(0)
	for i, n := range nodes {
		points := []string{n.Name}
		if c.VirtualNodes > 0 {
			points = nil
			for v := range c.VirtualNodes * int(n.weight()) {
				points = append(points, fmt.Sprintf("%s@%d", n.Name, v))
			}
		}
		for _, point := range points {
			distance := at(point) - at(key) // modulo 2^64
			if c.Slots > 0 && at(point) < at(key) {
				distance += c.Slots
			}
			if owner < 0 || distance < best {
				owner, best = i, distance
			}
		}
	}
	return owner
}

func TestRingIsRendezvous(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := Ring{
			VirtualNodes: rapid.IntRange(0, 5).Draw(t, "virtual nodes"),
			Slots:        rapid.SampledFrom([]uint64{0, 1, 3, 20, 10_000_000}).Draw(t, "slots"), // the small for equal points
			Hash:         rapid.SampledFrom([]Hash{nil, MD5}).Draw(t, "hash"),
		}
		ns := nodes(rapid.SliceOfN(rapid.Uint32Range(0, 3), 0, 8).Draw(t, "weights")...)
		p := a.Build(ns)
		for _, k := range keys(100) {
			if got, want := p.Owner(k), (clockwise{a}).owner(ns, k); got != want {
				t.Fatalf("%q belongs to %d on the ring and to %d by rendezvous", k, got, want)
			}
		}
	})
}

// A node's own name is its point, and a key there is its own.
func TestRingOwnsItsPoint(t *testing.T) {
	ns := equal(50)
	for _, h := range []Hash{nil, MD5} {
		p := Ring{Hash: h}.Build(ns)
		q := Ring{VirtualNodes: 7, Hash: h}.Build(ns)
		for i, n := range ns {
			if got := p.Owner(n.Name); got != i {
				t.Errorf("%s is %d's", n.Name, got)
			}
			if point := n.Name + "@6"; q.Owner(point) != i || strings.Contains(n.Name, "@") {
				t.Errorf("%s is %d's", point, q.Owner(point))
			}
		}
	}
}
