package oracle

import (
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// Best returns a plan that no valid plan of g betters, with what it is worth. Of
// several it is one whose ceilings go to the largest remainders, the rest is
// arbitrary but the same in every call.
func Best(g *assignor.Group, o Options) (assignor.Plan, Value) {
	plan := solve(g, nil, o)
	return plan, Measure(g, plan, o)
}

// BestAt returns a plan that no valid plan of g with the same loads betters, with
// what it is worth; loads are by member. The plan is nil if none has these loads
// or, with PerTopic, none that keeps to floors and ceilings within topics.
func BestAt(g *assignor.Group, loads []int, o Options) (assignor.Plan, Value) {
	plan := solve(g, loads, o)
	if plan == nil || !slices.Equal(plan.Loads(g), loads) {
		return nil, Value{}
	}
	v := Measure(g, plan, o)
	if v.Topics > 0 {
		return nil, Value{}
	}
	return plan, v
}

// ceilings returns which members have more than the floor of their quota, by
// index; nil where subscriptions are unlike: there are no quotas.
func ceilings(g *assignor.Group, plan assignor.Plan) []int32 {
	if !equal(g) {
		return nil
	}
	var above []int32
	loads := plan.Loads(g)
	for m, quota := range totals(g) {
		if loads[m] > quota.floor {
			above = append(above, int32(m))
		}
	}
	return above
}

// Strategy is the oracle as a strategy, for tests that want to see a best plan
// at work.
type Strategy struct{ Options }

// Name returns "oracle".
func (Strategy) Name() string { return "oracle" }

// Assign returns the plan that Best returns.
func (s Strategy) Assign(g *assignor.Group) assignor.Plan { return solve(g, nil, s.Options) }
