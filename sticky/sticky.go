package sticky

import (
	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// Strategy is even, sticky placement. The zero value balances members' loads over
// all topics, and spreads each topic only where nothing else decides. Members'
// weights (assignor.Weight) are respected in all kinds.
type Strategy struct {
	// PerTopic balances each topic first: every reader has the floor or the
	// ceiling of its quota of each topic, and total loads come next. For topics
	// that differ in what a partition costs. A join or leave moves more than
	// without.
	PerTopic bool
	// Racks keeps partitions on the rack of their leader (KIP-881) where loads
	// allow, before it keeps them where they are: a consumer that reads from
	// its own rack saves traffic between zones. Members say theirs by kgo.Rack.
	// An unknown rack, of a member or a partition, is no reason to move.
	Racks bool
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

// Name returns "hrw-sticky".
func (Strategy) Name() string { return "hrw-sticky" }

// Homing marks a strategy that looks at homes and warm lists.
func (Strategy) Homing() {}

// Assign returns the best plan by the order of the package comment. With equal
// subscriptions it takes time in proportion to partitions, plus those that change
// hands × the members that give and take; with unlike ones a flow over pairs of
// members and sets of topics comes to that. Rows of partitions that do not change
// hands are those of g.
func (s Strategy) Assign(g *assignor.Group) assignor.Plan {
	p := &planner{Strategy: s, g: g, plan: make(assignor.Plan, len(g.Topics))}
	p.assign()
	return p.plan
}
