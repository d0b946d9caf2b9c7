// Package hrw places partitions by highest random weight, also called
// rendezvous hashing (Thaler and Ravishankar, 1998): every subscriber of a
// topic is scored for every partition, the highest score owns it.
//
// It promises that a member that joins takes partitions only for itself, that a
// member that leaves gives up only its own, and that one that comes back under
// its key gets exactly those back; all of it without remembering anything, so
// that everybody can compute who owns a partition and who is next. The price is
// that loads are only as even as chance makes them: the fullest member has 1.4
// to 2.6 times the average at usual sizes. Use package sticky where that is too
// much.
package hrw

import (
	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

// Strategy is plain rendezvous hashing. The zero value is ready to use.
type Strategy struct{}

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

// Assign gives every partition to the subscriber that scores highest for it, at
// the cost of one score for each pair of partition and subscriber.
func (Strategy) Assign(g *assignor.Group) assignor.Plan {
	p := make(assignor.Plan, len(g.Topics))
	s := scorer{g: g}
	for t := range g.Topics {
		p[t] = s.assign(t)
	}
	return p
}

// Rank returns the k subscribers that score highest for a partition, the owner
// first: if it leaves, the next one owns the partition.
func (Strategy) Rank(g *assignor.Group, topic int, partition int32, k int) []int32 {
	s := scorer{g: g}
	members := s.members(g.Topics[topic].Subscribers)
	rank := hash.Top(nil, hash.Key(g.Topics[topic].Name, partition), members, k)
	for i, m := range rank {
		rank[i] = g.Topics[topic].Subscribers[m]
	}
	return rank
}
