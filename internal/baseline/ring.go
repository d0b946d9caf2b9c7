package baseline

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
)

// Ring is the ring of consistent hashing: D. Karger et al., "Consistent Hashing
// and Random Trees", STOC 1997, with the positions of Bendersky's article if
// Hash is MD5. A key belongs to the first point at or after its own, wrapping.
// A node that joins takes only for itself, one that leaves gives up only its
// own, and the more virtual nodes the more even: the deviation of a load is
// about 1/√VirtualNodes of the average. Package ring is the same as a product.
//
// Building sorts all points, a look-up searches them by halving.
type Ring struct {
	// VirtualNodes is the number of points of a node of weight 1, at
	// "name@0", "name@1" and so on; a weight multiplies it. 0 is one point,
	// at the name itself, whatever the weight.
	VirtualNodes int
	// Slots is the number of places, 0 for all 2^64. The article takes
	// 10,000,000, to draw them; a point's place is its hash modulo Slots.
	Slots uint64
	Hash  Hash
}

// Name returns "karger": package ring's strategy is "ring".
func (Ring) Name() string { return "karger" }

// Build places and sorts the points. Where two are equal, the earlier node's
// comes first and the other is never found.
func (a Ring) Build(nodes []Node) Placement {
	p := &ring{hash: a.Hash.orDefault(), slots: a.Slots}
	for i, n := range nodes {
		if a.VirtualNodes <= 0 {
			p.points = append(p.points, point{p.slot(n.Name), i})
			continue
		}
		for v := range a.VirtualNodes * int(n.weight()) {
			p.points = append(p.points, point{p.slot(n.Name + "@" + strconv.Itoa(v)), i})
		}
	}
	slices.SortFunc(p.points, func(a, b point) int {
		return cmp.Or(cmp.Compare(a.slot, b.slot), cmp.Compare(a.node, b.node))
	})
	return p
}

type ring struct {
	hash   Hash
	slots  uint64
	points []point
}

type point struct {
	slot uint64
	node int
}

func (p *ring) slot(s string) uint64 {
	h := p.hash(s)
	if p.slots > 0 {
		h %= p.slots
	}
	return h
}

func (p *ring) Owner(key string) int {
	if len(p.points) == 0 {
		return -1
	}
	slot := p.slot(key)
	i := sort.Search(len(p.points), func(i int) bool { return p.points[i].slot >= slot })
	return p.points[i%len(p.points)].node
}
