package scenario

import "github.com/twmb/franz-go/pkg/kgo"

// Old is the protocol that groups are upgraded from, kgo's default.
const Old = "cooperative-sticky"

// OffersOld is a member as it was before ours.
func OffersOld(kgo.GroupBalancer) []kgo.GroupBalancer {
	return []kgo.GroupBalancer{kgo.CooperativeStickyBalancer()}
}

// OffersBoth is a member that is ready for ours, and for those that are not.
func OffersBoth(ours kgo.GroupBalancer) []kgo.GroupBalancer {
	return []kgo.GroupBalancer{ours, kgo.CooperativeStickyBalancer()}
}

// OffersOldFirst is one that would rather stay with the old.
func OffersOldFirst(ours kgo.GroupBalancer) []kgo.GroupBalancer {
	return []kgo.GroupBalancer{kgo.CooperativeStickyBalancer(), ours}
}

// Elected returns the protocol that Kafka picks for the live members: of those
// that all offer the one that most of them prefer to the others.
func (g *Group) Elected() string {
	g.tb.Helper()
	live := g.Live()
	offered := make(map[string]int)
	for _, m := range live {
		for _, name := range m.life.offers {
			offered[name]++
		}
	}
	votes := make(map[string]int)
	for _, m := range live {
		for _, name := range m.life.offers {
			if offered[name] == len(live) {
				votes[name]++
				break
			}
		}
	}
	for name, n := range votes {
		if 2*n > len(live) {
			return name
		}
	}
	g.tb.Fatalf("no protocol has a majority: %v", votes)
	return ""
}

// Vote starts three static members that offer both protocols, two of which would
// rather have the old, and restarts these so that the protocol changes, and
// changes back, while nobody joins or leaves. It fails the test if anything moves
// or is taken from who did not restart.
func (g *Group) Vote(spec func(instance string) Spec) {
	g.tb.Helper()
	for _, name := range []string{"a", "b", "c"} {
		s := spec(name)
		if s.Offers = OffersOldFirst; name == "c" {
			s.Offers = OffersBoth
		}
		g.Start(name, s)
	}
	before, mark := g.WaitStable(Old), g.Mark()
	for _, m := range g.Live()[:2] {
		voted := g.Mark()
		m.Spec.Offers = OffersBoth
		m.Restart()
		g.WaitStable(g.Ours.Name()).MustEqual(g.tb, before)
		g.mustTakeNothing(voted)
		m.Spec.Offers = OffersOldFirst
		m.Restart()
		g.WaitStable(Old).MustEqual(g.tb, before)
	}
	g.MustNotPause(mark)
	g.MustOnlyReturn(mark, before)
}

// mustTakeNothing fails the test unless there is a plan since mark and the first
// takes nothing from anybody.
func (g *Group) mustTakeNothing(mark int) {
	g.tb.Helper()
	plans := g.PlansSince(mark)
	if len(plans) == 0 {
		g.tb.Errorf("nobody has planned")
	} else if p := plans[0]; len(p.Moves)+len(p.Withheld) > 0 {
		g.tb.Errorf("the first plan under %s moves %v and withholds %v", p.Strategy, p.Moves, p.Withheld)
	}
}
