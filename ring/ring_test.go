package ring

import (
	"cmp"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/assignor/assignortest"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

// slowRing is the ring as one draws it: all points, sorted.
func slowRing(s Strategy, g *assignor.Group, readers []int32) (points []point) {
	for _, m := range readers {
		s.each(g, m, func(at uint64) { points = append(points, point{at, m}) })
	}
	slices.SortStableFunc(points, func(a, b point) int { return cmp.Compare(a.at, b.at) })
	return points
}

// slowOrder returns the distinct members of a ring from a hash on.
func slowOrder(points []point, h uint64) (order []int32) {
	start := 0
	for start < len(points) && points[start].at < h {
		start++
	}
	for i := range points {
		if m := points[(start+i)%len(points)].member; !slices.Contains(order, m) {
			order = append(order, m)
		}
	}
	return order
}

// draw returns a strategy and a group, now and then with equal points and with
// points where partitions are.
func draw(t *rapid.T) (Strategy, *assignor.Group) {
	s := Strategy{VirtualNodes: rapid.SampledFrom([]int{1, 2, 7, 40}).Draw(t, "virtual nodes")}
	g := assignortest.Groups(assignortest.Shape{}).Draw(t, "group")
	switch rapid.IntRange(0, 3).Draw(t, "points") {
	case 0:
		s.point = points(func(uint64, uint64) uint64 { return 1 << 63 }) // all in one place
	case 1:
		s.point = points(func(m, i uint64) uint64 { return hash.Point(m, i) >> 60 << 60 }) // in sixteen places
	case 2:
		if len(g.Topics) > 0 {
			name := g.Topics[0].Name
			s.point = points(func(m, i uint64) uint64 { return hash.Key(name, int32(hash.Point(m, i)%8)) }) // on partitions
		}
	}
	return s, g
}

func points(f func(m, i uint64) uint64) *func(m, i uint64) uint64 { return &f }

func TestAssignAndRankAsDrawn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, g := draw(t)
		plan := s.Assign(g)
		for i := range g.Topics {
			topic := &g.Topics[i]
			points := slowRing(s, g, topic.Subscribers)
			for p := range topic.Partitions {
				want := slowOrder(points, hash.Key(topic.Name, p))
				if plan[i][p] != want[0] {
					t.Fatalf("%s %d belongs to %d, want %d", topic.Name, p, plan[i][p], want[0])
				}
				for _, k := range []int{0, 1, 2, len(want), len(want) + 5} {
					if got := s.Rank(g, i, p, k); !slices.Equal(got, want[:min(k, len(want))]) {
						t.Fatalf("%s %d: the first %d are %v, want %v", topic.Name, p, k, got, want)
					}
				}
			}
		}
	})
}

// TestBoundAsDrawn places keys one by one in the order of the ring.
func TestBoundAsDrawn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, g := draw(t)
		s.LoadBound = rapid.SampledFrom([]float64{1, 1.1, 1.25, 3}).Draw(t, "bound")
		plan := s.Assign(g)
		caps, loads := assignor.Caps(g, s.LoadBound), make([]int64, len(g.Members))
		type homeless struct{ topic, partition int32 }
		var rest []homeless
		for _, set := range setsOf(g) {
			points := slowRing(s, g, set.readers)
			if !slices.IsSortedFunc(set.keys, compareKeys) {
				t.Fatal("keys are not sorted")
			}
			for _, k := range set.keys {
				want := assignor.None
				for _, m := range slowOrder(points, k.hash) {
					if loads[m] < int64(caps[m]) {
						want = m
						break
					}
				}
				if want == assignor.None {
					rest = append(rest, homeless{k.topic, k.partition})
					continue
				}
				loads[want]++
				if got := plan[k.topic][k.partition]; got != want {
					t.Fatalf("%s %d belongs to %d, want %d", g.Topics[k.topic].Name, k.partition, got, want)
				}
			}
		}
		for _, h := range rest {
			readers := g.Topics[h.topic].Subscribers
			want := slices.MinFunc(readers, func(a, b int32) int {
				return big.NewRat(loads[a], int64(caps[a])).Cmp(big.NewRat(loads[b], int64(caps[b])))
			})
			loads[want]++
			if got := plan[h.topic][h.partition]; got != want {
				t.Fatalf("%s %d, for which nobody has room, belongs to %d, want %d", g.Topics[h.topic].Name, h.partition, got, want)
			}
		}
		if len(rest) == 0 && len(s.Audit(g, plan)) > 0 {
			t.Fatalf("warned of a bound that is kept: %v", s.Audit(g, plan))
		}
	})
}

// More virtual nodes make a ring more even, in the square root; weights multiply
// them.
func TestVirtualNodes(t *testing.T) {
	most := func(s Strategy, weights ...uint32) (heaviest float64) {
		spec := assignortest.Uniform(len(weights), 50_000)
		var total uint32
		for i, w := range weights {
			spec.Members[i].Weight = w
			total += w
		}
		g := spec.Group()
		for m, n := range s.Assign(g).Loads(g) {
			heaviest = max(heaviest, float64(n)*float64(total)/float64(g.Members[m].Weight)/50_000)
		}
		return heaviest
	}
	equal := []uint32{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
	last := 10.0
	for _, v := range []int{1, 8, 64, 512, 4096} {
		now := most(Strategy{VirtualNodes: v}, equal...)
		t.Logf("%d virtual nodes: max/avg %.2f", v, now)
		if now >= last {
			t.Errorf("%d virtual nodes: max/avg %.2f, no better than %.2f", v, now, last)
		}
		last = now
	}
	if got := most(Strategy{VirtualNodes: 512}, 1, 2, 3, 10); got > 1.15 {
		t.Errorf("weights: max/share %.2f", got)
	}
}

func TestValidate(t *testing.T) {
	for _, s := range []Strategy{{}, {VirtualNodes: 1}, {VirtualNodes: MaxVirtualNodes, LoadBound: 1.25}} {
		if err := s.Validate(); err != nil {
			t.Errorf("%+v: %v", s, err)
		}
	}
	for _, s := range []Strategy{{VirtualNodes: -1}, {VirtualNodes: MaxVirtualNodes + 1}, {LoadBound: 0.5}} {
		if _, err := assignor.New(s); err == nil {
			t.Errorf("%+v is taken", s)
		}
	}
}
