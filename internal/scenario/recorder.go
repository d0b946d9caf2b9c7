package scenario

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// A Plan is a Report with who made it.
//
// Under kfake several members may plan the same generation: after the leader
// left, kfake tells each of the others that it leads, and takes the plan of one.
type Plan struct {
	Seq int // in the order of events
	By  Owner
	assignor.Report
}

// A Warned is a Warning with whose it is.
type Warned struct {
	Seq int
	By  Owner
	assignor.Warning
}

// A Recorder collects events, reports and warnings in one order and wakes those
// who wait for them. It may be used by any number of goroutines.
type Recorder struct {
	mu       sync.Mutex
	start    time.Time
	seq      int
	ledger   Ledger
	events   []Event
	plans    []Plan
	warnings []Warned
	changed  chan struct{} // closed and replaced by each change
}

// NewRecorder returns an empty Recorder.
func NewRecorder() *Recorder {
	return &Recorder{start: time.Now(), changed: make(chan struct{})}
}

// Record adds an event. It sets Seq, and At unless it is set.
func (r *Recorder) Record(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e.Seq = r.seq + 1
	if e.At.IsZero() {
		e.At = time.Now()
	}
	if !r.ledger.Add(e) {
		return
	}
	r.events = append(r.events, e)
	r.wake()
}

// Planned adds a report.
func (r *Recorder) Planned(by Owner, rep assignor.Report) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ledger.ended[by] {
		return // planned by a client that was cut off meanwhile
	}
	r.plans = append(r.plans, Plan{r.seq + 1, by, rep})
	r.wake()
}

// Warned adds a warning.
func (r *Recorder) Warned(by Owner, w assignor.Warning) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.warnings = append(r.warnings, Warned{r.seq + 1, by, w})
	r.wake()
}

// wake counts a change and wakes those who wait. The caller holds mu.
func (r *Recorder) wake() {
	r.seq++
	close(r.changed)
	r.changed = make(chan struct{})
}

// Wait returns when cond holds. It asks cond at once and after each change, and
// gives up with ctx. cond may use the Recorder.
func (r *Recorder) Wait(ctx context.Context, cond func() bool) error {
	for {
		r.mu.Lock()
		changed := r.changed
		r.mu.Unlock()
		if cond() {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Events returns all events so far.
func (r *Recorder) Events() []Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.events)
}

// Plans returns all plans so far.
func (r *Recorder) Plans() []Plan {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.plans)
}

// Warnings returns all warnings so far of one kind, or of every kind for "".
func (r *Recorder) Warnings(kind assignor.WarningKind) []Warned {
	r.mu.Lock()
	defer r.mu.Unlock()
	var ws []Warned
	for _, w := range r.warnings {
		if kind == "" || w.Kind == kind {
			ws = append(ws, w)
		}
	}
	return ws
}

// Owners returns who owns what now.
func (r *Recorder) Owners() map[Partition][]Owner {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ledger.Owners()
}

// OwnersOf returns who owns a partition now.
func (r *Recorder) OwnersOf(p Partition) (owners []Owner) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, i := range r.ledger.open[p] {
		owners = append(owners, i.Owner)
	}
	return owners
}

// Gaps returns the times for which partitions were between two owners, of those
// that got their new one after since.
func (r *Recorder) Gaps(since time.Time) []Gap {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ledger.Gaps(since)
}

// Unowned returns the longest of these.
func (r *Recorder) Unowned(since time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ledger.Unowned(since)
}

// Intervals returns who owned what and when, by partition.
func (r *Recorder) Intervals() []Interval {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ledger.Intervals()
}

// Overlaps returns every case of two owners at once.
func (r *Recorder) Overlaps() []Overlap {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ledger.Overlaps()
}

// Timeline returns everything recorded as text, one line each.
func (r *Recorder) Timeline() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	lines := make([]string, r.seq+1)
	for _, e := range r.events {
		lines[e.Seq] = fmt.Sprintf("%4d %8.3fs %v %s", e.Seq, e.At.Sub(r.start).Seconds(), e.Owner, e.Kind)
		switch e.Kind {
		case Assigned:
			lines[e.Seq] += fmt.Sprintf(" %s, generation %d, member %s", formatPartitions(e.Partitions), e.Generation, e.MemberID)
		case Revoked, Lost:
			lines[e.Seq] += " " + formatPartitions(e.Partitions)
		}
	}
	for _, p := range r.plans {
		lines[p.Seq] = fmt.Sprintf("%4d           %v plans generation %d: %d members, %d moves, %d gains, withheld %v, held %v, missing %v, owed %v, err %v",
			p.Seq, p.By, p.Generation, len(p.Group.Members), len(p.Moves), len(p.Gains), p.Withheld, p.Held, p.Missing, p.Owed, p.Err)
	}
	for _, w := range r.warnings {
		lines[w.Seq] = fmt.Sprintf("%4d           %v warns: %v", w.Seq, w.By, w.Warning)
	}
	return strings.Join(lines[1:], "\n")
}
