package scenario

import (
	"sync"
	"time"
)

// A pulse tells for how long this process, or the broker, could not run, because
// others did: it wants to do next to nothing, often, and knows how late it was. On
// an idle machine that is never by as much as a period.
type pulse struct {
	mu    sync.Mutex
	lates []late
	quit  chan struct{}
	ended sync.WaitGroup
}

type late struct {
	at time.Time
	by time.Duration
}

const pulsePeriod = 5 * time.Millisecond

// newPulse starts a pulse. What it wants to do is to ask the broker something that
// it can answer at once.
func newPulse(ask func()) *pulse {
	p := &pulse{quit: make(chan struct{})}
	p.ended.Go(func() {
		last := time.Now()
		for {
			select {
			case <-p.quit:
				return
			case <-time.After(pulsePeriod):
			}
			ask()
			now := time.Now()
			if by := now.Sub(last) - pulsePeriod; by > pulsePeriod {
				p.mu.Lock()
				p.lates = append(p.lates, late{now, by})
				p.mu.Unlock()
			}
			last = now
		}
	})
	return p
}

func (p *pulse) stop() {
	close(p.quit)
	p.ended.Wait()
}

// lost returns the time that was lost between two moments.
func (p *pulse) lost(from, to time.Time) (sum time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.lates {
		began, ended := l.at.Add(-l.by), l.at
		if began.Before(from) {
			began = from
		}
		if ended.After(to) {
			ended = to
		}
		sum += max(0, ended.Sub(began))
	}
	return sum
}
