package ring

import (
	"cmp"
	"math/bits"

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
	table  prefixTable
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

func (p point) position() uint64 { return p.at }

func comparePoints(a, b point) int {
	return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.member, b.member))
}

func (s Strategy) sorted(g *assignor.Group, readers []int32) *sorted {
	n := 0
	for _, m := range readers {
		n += s.points(g, m)
	}
	points := make([]point, 0, n)
	for _, m := range readers {
		s.each(g, m, func(at uint64) { points = append(points, point{at, m}) })
	}
	r := &sorted{next: make([]int32, n), left: n}
	r.points, r.table = sortByPosition(points, comparePoints)
	for i := range r.next {
		r.next[i] = int32(i)
	}
	return r
}

// open returns the member of the first open point at or after a hash, None if
// all are closed.
func (r *sorted) open(h uint64) int32 {
	if r.left == 0 {
		return assignor.None
	}
	i := r.table.before(h)
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
