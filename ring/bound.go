package ring

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// assignBounded places all sets with room for its cap in each member: keys in
// the order of the ring, each at the first point after it whose member has
// room. Sets with fewer readers come first, since they have fewer places to go;
// a key that nobody has room for goes to the least load for its cap.
func (s Strategy) assignBounded(g *assignor.Group, sets []*set, p assignor.Plan) {
	caps := assignor.Caps(g, s.LoadBound)
	loads := make([]int32, len(g.Members))
	var homeless []key
	var readers [][]int32 // of homeless
	for _, set := range sets {
		r := s.sorted(g, set.readers)
		for _, m := range set.readers {
			if loads[m] >= caps[m] {
				r.close(m)
			}
		}
		for _, k := range set.keys {
			m := r.open(k.hash)
			if m == assignor.None {
				homeless, readers = append(homeless, k), append(readers, set.readers)
				continue
			}
			p[k.topic][k.partition] = m
			if loads[m]++; loads[m] == caps[m] {
				r.close(m)
			}
		}
	}
	for i, k := range homeless {
		best := readers[i][0]
		for _, m := range readers[i][1:] {
			hi, lo := bits.Mul64(uint64(loads[m]), uint64(caps[best]))
			hi2, lo2 := bits.Mul64(uint64(loads[best]), uint64(caps[m]))
			if hi < hi2 || hi == hi2 && lo < lo2 {
				best = m
			}
		}
		p[k.topic][k.partition] = best
		loads[best]++
	}
}

// A sorted is a ring whose members can be closed one by one.
type sorted struct {
	points []point
	shift  int
	upTo   []int32 // by prefix: how many points have a prefix below it
	// next leads from a point to the first at or after it that is open, in
	// some steps: the forest of Tarjan's union-find (1975).
	next []int32
	of   map[int32][]int32 // a member's points; made when the first closes
	left int               // open points
}

type point struct {
	at     uint64
	member int32
}

func (s Strategy) sorted(g *assignor.Group, readers []int32) *sorted {
	r := &sorted{}
	for _, m := range readers {
		s.each(g, m, func(at uint64) { r.points = append(r.points, point{at, m}) })
	}
	slices.SortFunc(r.points, func(a, b point) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.member, b.member))
	})
	r.shift = prefixShift(len(r.points))
	r.upTo = make([]int32, 1<<(64-r.shift)+1)
	r.next = make([]int32, len(r.points))
	for i := range r.points {
		r.upTo[r.points[i].at>>r.shift+1]++
		r.next[i] = int32(i)
	}
	for b := 1; b < len(r.upTo); b++ {
		r.upTo[b] += r.upTo[b-1]
	}
	r.left = len(r.points)
	return r
}

// open returns the member of the first open point at or after a hash, None if
// all are closed.
func (r *sorted) open(h uint64) int32 {
	if r.left == 0 {
		return assignor.None
	}
	i := r.upTo[h>>r.shift]
	for int(i) < len(r.points) && r.points[i].at < h {
		i++
	}
	if int(i) == len(r.points) {
		i = 0
	}
	return r.points[r.find(i)].member
}

func (r *sorted) find(i int32) int32 {
	root := i
	for r.next[root] != root {
		root = r.next[root]
	}
	for r.next[i] != root {
		i, r.next[i] = r.next[i], root
	}
	return root
}

// close takes a member's points off the ring.
func (r *sorted) close(m int32) {
	if r.of == nil {
		r.of = make(map[int32][]int32)
		for i := range r.points {
			r.of[r.points[i].member] = append(r.of[r.points[i].member], int32(i))
		}
	}
	for _, i := range r.of[m] {
		if r.left--; r.left > 0 {
			r.next[i] = r.find((i + 1) % int32(len(r.points)))
		}
	}
}
