package main

import (
	"runtime"
	"runtime/debug"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

// A measurement is something to run, and the best of its runs so far.
type measurement struct {
	run    func() (best time.Duration, allocs uint64)
	once   bool
	best   time.Duration
	allocs uint64 // of the last run
	runs   int
	spent  time.Duration // with all that a run prepares
}

// Fewer runs than this are no minimum to rely on, where time allows them.
const fewRuns = 5

// interleave runs all in turns until the budget is spent. If one is slow, the
// others then have had few runs: those go on, each within a budget of its own.
func interleave(all []*measurement, runs int, budget time.Duration) {
	start := time.Now()
	for again := true; again; {
		again = false
		for _, m := range all {
			switch {
			case m.runs == 0:
			case m.once || m.runs >= runs:
				continue
			case time.Since(start) < budget:
			case m.runs >= fewRuns || m.spent >= budget:
				continue
			}
			m.next()
			again = true
		}
	}
	for _, m := range all {
		m.run = nil // nor what it refers to: collecting around it would cost later runs their caches
	}
}

func (m *measurement) next() {
	start := time.Now()
	d, allocs := m.run()
	if m.runs == 0 || d < m.best {
		m.best = d
	}
	m.allocs = allocs
	m.runs++
	m.spent += time.Since(start)
}

func (m *measurement) ms() float64 { return m.best.Seconds() * 1e3 }

// ratio returns m's time to another's.
func (m *measurement) ratio(to *measurement) float64 { return float64(m.best) / float64(to.best) }

// measure runs the event on balancers that led the group before it, a few in a
// row where one is too short for the caches to settle, and returns the shortest
// time and the allocations of the last run.
func (c *benchCase) measure() (best time.Duration, allocs uint64) {
	balancers := make([]kgo.GroupBalancer, batch(len(c.event.members)))
	for i := range balancers {
		balancers[i] = c.leader()
		if err := c.prepare(balancers[i]); err != nil {
			panic(err)
		}
	}
	members := lead.Join(c.event.members)
	return shortest(len(balancers), func(i int) {
		if _, err := lead.Balance(balancers[i], c.event.info, members, c.event.counts); err != nil {
			panic(err)
		}
	})
}

// measureAssign is planning alone. In a round the Group has just been written
// when Assign reads it, so never the first time counts alone.
func measureAssign(s assignor.Strategy, g *assignor.Group) (best time.Duration, allocs uint64) {
	return shortest(max(2, batch(len(g.Members))), func(int) { s.Assign(g) })
}

func batch(members int) int { return max(1, 256/members) }

func shortest(n int, run func(i int)) (best time.Duration, allocs uint64) {
	// Garbage of other runs must not be collected on this run's time.
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before, after runtime.MemStats
	for i := range n {
		if i == n-1 {
			runtime.ReadMemStats(&before)
		}
		start := time.Now()
		run(i)
		d := time.Since(start)
		if i == 0 || d < best {
			best = d
		}
	}
	runtime.ReadMemStats(&after)
	return best, after.Mallocs - before.Mallocs
}
