package scenario

// Mark returns the present moment, for questions about what happened since.
func (g *Group) Mark() int {
	g.rec.mu.Lock()
	defer g.rec.mu.Unlock()
	return g.rec.seq
}

// PlansSince returns the plans made since a mark.
func (g *Group) PlansSince(mark int) []Plan {
	plans := g.rec.Plans()
	for len(plans) > 0 && plans[0].Seq <= mark {
		plans = plans[1:]
	}
	return plans
}

// MustNotPause fails the test if a partition that a member had at mark was
// taken from it and given back since: the others work through a rebalance
// undisturbed.
func (g *Group) MustNotPause(mark int) {
	g.tb.Helper()
	paused := make(map[Partition]Interval)
	for _, i := range g.rec.Intervals() { // by partition and start
		switch before, ok := paused[i.Partition]; {
		case i.From.Seq <= mark && i.To.Seq > mark:
			paused[i.Partition] = i
		case ok && i.Owner == before.Owner:
			g.tb.Errorf("%v was taken from %v by event %d and given back by event %d", i.Partition, i.Owner, before.To.Seq, i.From.Seq)
		}
	}
}

// MustOnlyReturn fails the test if since mark a partition was assigned to
// another member than the one that had it before.
func (g *Group) MustOnlyReturn(mark int, before Ownership) {
	g.tb.Helper()
	for _, i := range g.rec.Intervals() {
		if i.From.Seq > mark && before[i.Partition] != i.Owner.Member {
			g.tb.Errorf("%v was %q's and was lent to %v by event %d", i.Partition, before[i.Partition], i.Owner, i.From.Seq)
		}
	}
}
