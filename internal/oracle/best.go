package oracle

import "github.com/kgo-rendezvous/kgo-rendezvous/assignor"

// Best returns a plan that no valid plan of g betters, with what it is worth. Of
// several its ceilings are those of law 11, the rest is arbitrary but the same
// in every call.
func Best(g *assignor.Group, o Options) (assignor.Plan, Value) {
	plan := solve(g, o)
	return plan, Measure(g, plan, o)
}

// Ceilings returns which members get more than the floor of their quota in the
// best plans, by index; among several sets that the best plans can have, the one
// that goes to the largest remainders, then to the smallest keys. It returns nil
// where subscriptions are unlike: there are no quotas.
func Ceilings(g *assignor.Group, o Options) []int32 {
	return ceilings(g, solve(g, o))
}

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
func (s Strategy) Assign(g *assignor.Group) assignor.Plan { return solve(g, s.Options) }
