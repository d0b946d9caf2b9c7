package scenario

import (
	"context"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// Upgrade starts four members under kgo's cooperative-sticky and redeploys them
// to ours, an even one, and back, while records are produced to a topic and
// processed. It fails the test if a record is not processed exactly once or a
// partition has no owner for a second in which this process and the broker could run, besides
// what Redeploy says.
func (g *Group) Upgrade(topic string, spec func(name string) Spec) {
	g.tb.Helper()
	load, start := g.Load(topic), time.Now()
	machine := newPulse(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		g.admin.ListBrokers(ctx) // its answer does not matter, how long it takes does
	})
	defer machine.stop()
	for _, name := range []string{"a", "b", "c", "d"} {
		s := load.Processing(name, spec(name))
		s.Offers = OffersOld
		g.Start(name, s)
	}
	g.WaitStable(Old)
	g.tb.Logf("upgrade: %s", g.Redeploy(OffersBoth))
	g.WaitStable(g.Ours.Name())
	g.tb.Logf("and back: %s", g.Redeploy(OffersOld))
	g.WaitStable(Old)
	for _, gap := range g.rec.Gaps(start) {
		took, lost := gap.To.Sub(gap.From), machine.lost(gap.From, gap.To)
		if took-lost >= time.Second {
			g.tb.Errorf("%v was without an owner for %v, of which this process or the broker could not run for %v", gap.Partition, took, lost)
		}
	}
	g.tb.Logf("%d records were processed once each", load.Finish())
}

// Redeploy restarts the live members one by one, each to make these offers from
// then on. It fails the test unless the protocol is the elected one all the time
// and changes once, or if a stop moves anything but what that member had, or a
// start anything but what it gets, the change of protocol or not. It returns what
// it took, in words.
func (g *Group) Redeploy(offers func(ours kgo.GroupBalancer) []kgo.GroupBalancer) (took string) {
	g.tb.Helper()
	start, changes, back, all, rounds := time.Now(), 0, 0, 0, int32(0)
	protocol := g.Elected()
	step := func(m *Member, what string, mark int) Ownership {
		g.tb.Helper()
		stable := g.WaitStable(g.Elected())
		if now := g.Elected(); now != protocol {
			g.tb.Logf("%s is elected when %s %s", now, m.Name, what)
			changes++
			if protocol = now; now != Old {
				g.mustTakeNothing(mark)
			}
		}
		return stable
	}
	for _, m := range g.Live() {
		before, mark, generation := g.WaitStable(protocol), g.Mark(), g.generation()
		m.Stop()
		without := step(m, "stops", mark)
		without.MustOnlyLose(g.tb, before, m.Name)
		m.Spec.Offers = offers
		m.Start()
		after := step(m, "starts", mark)
		after.MustOnlyGain(g.tb, without, m.Name)
		g.MustNotPause(mark)
		rounds = max(rounds, g.generation()-generation)
		for _, p := range before.Of(m.Name) {
			if all++; after[p] == m.Name {
				back++
			}
		}
	}
	if changes != 1 {
		g.tb.Errorf("the protocol changed %d times", changes)
	}
	return fmt.Sprintf("%d of %d partitions came back, at most %d rounds for a stop and a start, none was unowned for more than %d ms",
		back, all, rounds, g.rec.Unowned(start).Milliseconds())
}

// generation is the latest that a live member is in.
func (g *Group) generation() (latest int32) {
	for _, m := range g.Live() {
		_, n := m.Client().GroupMetadata()
		latest = max(latest, n)
	}
	return latest
}
