package scenario

import "fmt"

// Settle waits until the group has settled and returns who owns what:
//   - the latest plan has exactly the live members, and all expected partitions
//     of the topics they read,
//   - every live member has been assigned in that generation,
//   - every partition is owned by the member it is planned for and nobody else,
//   - and no round is owed.
//
// It fails the test when that takes more than MaxPlans, or when the result is
// not what Even promises.
func (g *Group) Settle() Ownership {
	g.tb.Helper()
	var settled Ownership
	var plans int
	g.waitFor("the group has settled", func() string {
		v := g.look()
		why := v.unsettled()
		if why == "" {
			settled, plans = v.ownership(), v.plansSince(g.settled)
		}
		return why
	})
	if g.MaxPlans > 0 && plans > g.MaxPlans {
		g.tb.Errorf("settling took %d plans since a member last came or went, %d are allowed", plans, g.MaxPlans)
	}
	g.rec.mu.Lock()
	g.settled = g.rec.seq
	g.rec.mu.Unlock()
	g.mustBeFair(settled)
	g.built(settled)
	return settled
}

// NextRound makes the next Settle wait for a later generation than the present
// one: for a change that Settle cannot see by itself, such as ForceRebalance.
// Call it before the change.
func (g *Group) NextRound() { g.floor = g.Generation() }

// Generation returns the latest generation planned, 0 before the first.
func (g *Group) Generation() int32 {
	if plans := g.rec.Plans(); len(plans) > 0 {
		return plans[len(plans)-1].Generation
	}
	return 0
}

// WaitOwned waits until every expected partition that somebody live reads has
// exactly one owner, a live one. Unlike Settle it asks for no plan: for groups
// that others lead.
func (g *Group) WaitOwned() Ownership {
	g.tb.Helper()
	var owned Ownership
	g.waitFor("every partition is owned", func() string {
		v := g.look()
		owned = v.ownership()
		for topic, n := range v.expected {
			for p := range n {
				if len(v.owners[Partition{topic, p}]) != 1 {
					return fmt.Sprintf("%s/%d is owned by %v", topic, p, v.owners[Partition{topic, p}])
				}
			}
		}
		return ""
	})
	return owned
}

// Owned returns who owns what now.
func (g *Group) Owned() Ownership { return (&view{owners: g.rec.Owners()}).ownership() }
