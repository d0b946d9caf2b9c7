// Package sticky places partitions evenly, with the fewest moves, and sends home
// what comes back.
package sticky

import (
	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// Strategy is even, sticky placement. The zero value balances the members' total
// loads.
type Strategy struct {
	PerTopic bool
	Racks    bool
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

// Homing says that homes and warm lists are looked at.
func (Strategy) Homing() {}

// Assign returns the best plan by the order above.
func (s Strategy) Assign(g *assignor.Group) assignor.Plan {
	p := &planner{Strategy: s, g: g, plan: make(assignor.Plan, len(g.Topics))}
	p.assign()
	return p.plan
}
