package metrics

import "github.com/kgo-rendezvous/kgo-rendezvous/assignor"

// Options returns what connects one Balancer: give them to its New, and call
// Options again for the next one.
//
// Warnings are counted, and go where they go without metrics: to slog.Default or
// the program's own assignor.OnWarning.
func (c *Collector) Options() []assignor.Option {
	f := c.Feed()
	return []assignor.Option{
		assignor.OnPlan(f.OnPlan),
		assignor.OnFollow(f.OnFollow),
		assignor.ObserveWarning(f.OnWarning),
	}
}

// A Feed is what one Balancer reports to. Options connects one; its methods are
// for programs that already have functions of their own and call these too.
type Feed struct {
	c  *Collector
	at series // of its latest plan: a Balancer has one group, whose name it may learn late
}

// Feed returns a new Feed, for one Balancer. It may be used by several
// goroutines at once.
func (c *Collector) Feed() *Feed { return &Feed{c: c} }

// OnPlan counts a plan and shows the group as the leader saw it.
func (f *Feed) OnPlan(r assignor.Report) {
	at := newSeries(r.Strategy, r.GroupName)
	l := newLead(f, &r)

	defer f.c.lock().Unlock()
	if f.at != at {
		f.unlead()
	}
	f.at = at
	f.c.leads[at] = l
	f.c.count(at, &r)
}

// OnFollow lets a leader's series vanish.
func (f *Feed) OnFollow() {
	defer f.c.lock().Unlock()
	f.unlead()
}

// OnWarning counts a warning, nothing else.
func (f *Feed) OnWarning(w assignor.Warning) {
	at := newSeries(w.Strategy, w.Group)
	defer f.c.lock().Unlock()
	f.c.warn(warning{at, label(string(w.Kind))}, 1)
}

// unlead leaves alone what another Balancer of this process, the next leader of
// the same group, has put there meanwhile.
func (f *Feed) unlead() {
	if l := f.c.leads[f.at]; l != nil && l.feed == f {
		delete(f.c.leads, f.at)
	}
}
