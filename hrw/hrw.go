// Package hrw places partitions by highest random weight, also called
// rendezvous hashing (Thaler and Ravishankar, 1998): every subscriber of a
// topic is scored for every partition, the highest score owns it.
//
// It promises that a member that joins takes partitions only for itself, that a
// member that leaves gives up only its own, and that one that comes back under
// its key gets exactly those back; all of it without remembering anything, so
// that everybody can compute who owns a partition and who is next. The price is
// that loads are only as even as chance makes them: the fullest member has 1.4
// to 2.6 times the average at usual sizes. LoadBound caps that, for a little
// more movement.
//
// docs/placement.md has the formulas and golden vectors.
package hrw

import (
	"errors"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// Strategy is rendezvous hashing. The zero value is the plain kind. Members'
// weights (assignor.Weight) are respected in all kinds: shares are in proportion
// to them, and a change of a weight moves partitions only to or from that member.
type Strategy struct {
	// LoadBound, if not zero, is how many times its fair share a member may
	// have at most, such as 1.25: see assignor.Caps for the exact bound. A
	// partition whose best member is full of partitions that score higher
	// there goes to its next best: the one stable matching, whatever the
	// order. A join or leave then also moves a few partitions between
	// members that stay: on average 0 to 0.34 times what it must move, and
	// more where the cap itself steps; docs/placement.md has the figures.
	LoadBound float64
	// Slots finds owners in a fixed table instead of scoring every
	// subscriber, for groups from about 500 members on: a fresh plan of
	// 1000 members and 100,000 partitions takes a fraction of the time. All
	// promises of plain rendezvous hold. A weight above 85 counts as 85. It
	// cannot be combined with LoadBound.
	Slots bool
}

// New returns a Balancer for the zero Strategy, ready for kgo.Balancers and
// kgo.WithHooks. It panics on an option that makes no sense, as
// regexp.MustCompile does: it is called once, at start-up. assignor.New returns
// an error instead.
func New(opts ...assignor.Option) *assignor.Balancer {
	b, err := assignor.New(Strategy{}, opts...)
	if err != nil {
		panic(err)
	}
	return b
}

// Name returns "hrw".
func (Strategy) Name() string { return "hrw" }

// Validate reports settings that make no sense.
func (s Strategy) Validate() error {
	err := assignor.CheckLoadBound(s.LoadBound)
	if s.Slots && s.LoadBound != 0 {
		err = errors.Join(err, errors.New("LoadBound and Slots cannot be combined: a bound compares all subscribers, which Slots avoids; drop one of them"))
	}
	return err
}

// Assign gives every partition to the best of its subscribers, at the cost of
// one score for each pair of partition and subscriber; with Slots, of a few
// steps for each partition.
func (s Strategy) Assign(g *assignor.Group) assignor.Plan {
	if s.LoadBound != 0 {
		return assignBounded(g, s.LoadBound)
	}
	p := make(assignor.Plan, len(g.Topics))
	sc := scorer{g: g, slots: s.Slots}
	for t := range g.Topics {
		p[t] = sc.assign(t)
	}
	return p
}

// Rank returns the k best subscribers for a partition, the owner first: if it
// leaves, the next one owns the partition. With a LoadBound the owner comes
// first, which takes a whole Assign to know, and then the others by score.
func (s Strategy) Rank(g *assignor.Group, topic int, partition int32, k int) []int32 {
	t := &g.Topics[topic]
	k = min(k, len(t.Subscribers))
	if k <= 0 {
		return nil
	}
	sc := scorer{g: g, slots: s.Slots}
	rank := sc.rank(t, partition, k)
	if s.LoadBound != 0 {
		rank = ownerFirst(s.Assign(g)[topic][partition], rank)
	}
	return rank
}

// ownerFirst puts the owner before a ranking that may have it elsewhere or not
// at all.
func ownerFirst(owner int32, rank []int32) []int32 {
	i := slices.Index(rank, owner)
	if i < 0 {
		i = len(rank) - 1 // the last one gives way
	}
	copy(rank[1:i+1], rank[:i])
	rank[0] = owner
	return rank
}

// Audit warns where the bound had to be exceeded.
func (s Strategy) Audit(g *assignor.Group, p assignor.Plan) []assignor.Warning {
	return assignor.AuditLoadBound(g, p, s.LoadBound)
}
