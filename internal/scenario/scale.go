package scenario

import (
	"fmt"
	"sync"
)

// StopAll stops members at the same time.
func StopAll(members []*Member) {
	for _, m := range members {
		m.life.freeze() // so that none remembers what it gets from another
	}
	var stopping sync.WaitGroup
	for _, m := range members {
		stopping.Go(m.Stop)
	}
	stopping.Wait()
}

// Scale starts members, or stops those that have run for longest, all at once,
// until n run, and waits until the group has settled. It returns what that took,
// in words.
func (g *Group) Scale(n int, spec func(name string) Spec) (took string) {
	g.tb.Helper()
	live, before, mark := g.Live(), g.Owned(), g.Mark()
	StopAll(live[:max(0, len(live)-n)])
	for i := len(live); i < n; i++ {
		name := fmt.Sprintf("worker-%d", i)
		g.Start(name, spec(name))
	}
	after := g.Settle()
	generations, arrivals := make(map[int32]bool), 0
	for _, p := range g.PlansSince(mark) {
		generations[p.Generation] = true
	}
	for _, i := range g.rec.Intervals() {
		if i.From.Seq > mark {
			arrivals++
		}
	}
	return fmt.Sprintf("%d to %d members: %d partitions have another owner, %d arrived somewhere, in %d rounds",
		len(live), n, arrived(before, after), arrivals, len(generations))
}
