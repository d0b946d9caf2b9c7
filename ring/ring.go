// Package ring places partitions on a consistent-hash ring with virtual nodes
// (Karger et al., 1997), as users of Ketama and Cassandra know it. It is here to
// compare against: it keeps the same promises as package hrw (a member that
// joins takes only for itself, one that leaves gives up only its own, one that
// comes back gets exactly those), is as uneven, and slower to build.
//
// Every member has VirtualNodes points for each unit of its weight; a partition
// belongs to the member of the first point at or after its hash, going round.
// docs/placement.md has the formulas and golden vectors.
package ring

import (
	"errors"
	"fmt"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

const (
	// DefaultVirtualNodes is the number of points of a member of weight 1
	// where VirtualNodes is zero.
	DefaultVirtualNodes = 128
	// MaxVirtualNodes is the largest VirtualNodes that New takes.
	MaxVirtualNodes = 4096
	// MaxPoints is the largest number of points of one member: with 128
	// virtual nodes, a weight above 512 counts as 512.
	MaxPoints = 1 << 16
)

// Strategy is a consistent-hash ring. The zero value is ready to use.
type Strategy struct {
	// VirtualNodes is the number of points of a member of weight 1, 128 if
	// zero. More points make loads more even and plans slower: the deviation
	// falls with the square root of it, until chance in the partitions
	// themselves is all that is left.
	VirtualNodes int
	// LoadBound, if not zero, is how many times its fair share a member may
	// have at most, such as 1.25 (consistent hashing with bounded loads,
	// Mirrokni, Thorup and Zadimoghaddam, 2016): see assignor.Caps for the
	// exact bound. Partitions are placed in the order of the ring, and one
	// whose member is full goes forward to the next that has room.
	LoadBound float64

	// point replaces hash.Point in tests: equal points do not occur by
	// themselves. A pointer, so that strategies can be compared.
	point *func(member, i uint64) uint64
}

// New returns a Balancer for the zero Strategy, ready for kgo.Balancers and
// kgo.WithHooks. It panics on an option that makes no sense; assignor.New
// returns an error instead.
func New(opts ...assignor.Option) *assignor.Balancer {
	b, err := assignor.New(Strategy{}, opts...)
	if err != nil {
		panic(err)
	}
	return b
}

// Name returns "ring".
func (Strategy) Name() string { return "ring" }

// Validate reports settings that make no sense.
func (s Strategy) Validate() error {
	err := assignor.CheckLoadBound(s.LoadBound)
	if s.VirtualNodes < 0 || s.VirtualNodes > MaxVirtualNodes {
		err = errors.Join(fmt.Errorf("VirtualNodes is %d: give 1 to %d, or 0 for %d", s.VirtualNodes, MaxVirtualNodes, DefaultVirtualNodes), err)
	}
	return err
}

// Assign gives every partition to the member of the first point at or after its
// hash. Time is linear in partitions and points; with a LoadBound the points
// are sorted.
func (s Strategy) Assign(g *assignor.Group) assignor.Plan {
	p := make(assignor.Plan, len(g.Topics))
	for t := range p {
		p[t] = make([]int32, g.Topics[t].Partitions)
	}
	sets := setsOf(g)
	if s.LoadBound != 0 {
		s.assignBounded(g, sets, p)
		return p
	}
	for _, set := range sets {
		s.assign(g, set, p)
	}
	return p
}

// Update returns plan if nothing changed, and Assign(g) otherwise.
func (s Strategy) Update(last *assignor.Group, plan assignor.Plan, g *assignor.Group) assignor.Plan {
	if assignor.Unchanged(last, g) {
		return plan
	}
	return s.Assign(g)
}

// Rank returns the owner of a partition and the next distinct members of the
// ring. With a LoadBound the owner comes first, which takes a whole Assign to
// know, and then the others in the order of the ring.
func (s Strategy) Rank(g *assignor.Group, topic int, partition int32, k int) []int32 {
	t := &g.Topics[topic]
	k = min(k, len(t.Subscribers))
	if k <= 0 {
		return nil
	}
	// The ring restated: a member is as good as its first point is near.
	at := hash.Key(t.Name, partition)
	near := make([]uint64, len(t.Subscribers))
	for i, m := range t.Subscribers {
		near[i] = ^uint64(0)
		s.each(g, m, func(point uint64) { near[i] = min(near[i], point-at) })
	}
	rank := make([]int32, len(near))
	for i := range rank {
		rank[i] = int32(i)
	}
	slices.SortStableFunc(rank, func(a, b int32) int {
		switch {
		case near[a] < near[b]:
			return -1
		case near[a] > near[b]:
			return 1
		}
		return 0 // the smaller key first, as they are
	})
	for j, i := range rank {
		rank[j] = t.Subscribers[i]
	}
	if s.LoadBound != 0 {
		owner := s.Assign(g)[topic][partition]
		i := slices.Index(rank, owner)
		copy(rank[1:], rank[:i])
		rank[0] = owner
	}
	return rank[:k]
}

// Audit warns where the bound had to be exceeded.
func (s Strategy) Audit(g *assignor.Group, p assignor.Plan) []assignor.Warning {
	return assignor.AuditLoadBound(g, p, s.LoadBound)
}

// each calls fn for every point of a member.
func (s Strategy) each(g *assignor.Group, m int32, fn func(point uint64)) {
	h := hash.Member(g.Members[m].Key)
	point := hash.Point
	if s.point != nil {
		point = *s.point
	}
	for i := range s.points(g, m) {
		fn(point(h, uint64(i)))
	}
}

// points returns how many points a member has.
func (s Strategy) points(g *assignor.Group, m int32) int {
	n := s.VirtualNodes
	if n == 0 {
		n = DefaultVirtualNodes
	}
	// In a Group made by hand the weight may be left out.
	return min(n*int(max(g.Members[m].Weight, 1)), MaxPoints)
}
