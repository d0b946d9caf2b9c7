package scenario

import (
	"cmp"
	"slices"
	"time"
)

// A Ledger is what a sequence of events adds up to: who owns what, who did
// before, and whether ever two did. The zero value is empty. Recorder keeps
// one; events gathered otherwise (from the logs of processes, say, sorted by
// time) can be added by hand.
type Ledger struct {
	open     map[Partition][]Interval // more than one: two owners
	closed   []Interval
	overlaps []Overlap
	ended    map[Owner]bool
}

// Add takes over one event; events must come in order. It tells whether the
// event counts: nothing does after its owner's end.
func (l *Ledger) Add(e Event) bool {
	if l.ended[e.Owner] {
		return false
	}
	switch e.Kind {
	case Assigned:
		for _, p := range e.Partitions {
			l.assign(p, e)
		}
	case Revoked, Lost:
		for _, p := range e.Partitions {
			l.release(p, e)
		}
	case Stopped, Crashed:
		for p := range l.open {
			l.release(p, e)
		}
		if l.ended == nil {
			l.ended = make(map[Owner]bool)
		}
		l.ended[e.Owner] = true
	}
	return true
}

func (l *Ledger) assign(p Partition, e Event) {
	if l.open == nil {
		l.open = make(map[Partition][]Interval)
	}
	for _, i := range l.open[p] {
		if i.Owner == e.Owner {
			return // an eager client may be told again
		}
	}
	for _, i := range l.open[p] {
		l.overlaps = append(l.overlaps, Overlap{p, i.Owner, e.Owner, i.From, e})
	}
	l.open[p] = append(l.open[p], Interval{Partition: p, Owner: e.Owner, From: e})
}

func (l *Ledger) release(p Partition, e Event) {
	for k, i := range l.open[p] {
		if i.Owner == e.Owner {
			i.To = e
			l.closed = append(l.closed, i)
			l.open[p] = slices.Delete(l.open[p], k, k+1)
			break
		}
	}
	if len(l.open[p]) == 0 {
		delete(l.open, p)
	}
}

// Owners returns who owns what now, by partition; more than one only where
// there is an Overlap too.
func (l *Ledger) Owners() map[Partition][]Owner {
	owners := make(map[Partition][]Owner, len(l.open))
	for p, is := range l.open {
		for _, i := range is {
			owners[p] = append(owners[p], i.Owner)
		}
	}
	return owners
}

// Intervals returns all intervals, those that are still open too, by partition
// and start.
func (l *Ledger) Intervals() []Interval {
	all := slices.Clone(l.closed)
	for _, is := range l.open {
		all = append(all, is...)
	}
	slices.SortFunc(all, func(a, b Interval) int {
		return cmp.Or(comparePartitions(a.Partition, b.Partition), cmp.Compare(a.From.Seq, b.From.Seq))
	})
	return all
}

// A Gap is the time for which a partition was between two owners.
type Gap struct {
	Partition
	From, To time.Time
}

// Gaps returns all gaps that ended after since.
func (l *Ledger) Gaps(since time.Time) (gaps []Gap) {
	is := l.Intervals() // by partition and start
	for i := 1; i < len(is); i++ {
		before := is[i-1]
		if is[i].Partition == before.Partition && before.To.Seq > 0 && is[i].From.At.After(since) {
			gaps = append(gaps, Gap{before.Partition, before.To.At, is[i].From.At})
		}
	}
	return gaps
}

// Unowned returns the longest gap of those that ended after since.
func (l *Ledger) Unowned(since time.Time) (longest time.Duration) {
	for _, g := range l.Gaps(since) {
		longest = max(longest, g.To.Sub(g.From))
	}
	return longest
}

// Overlaps returns every case of two owners at once, in the order found.
func (l *Ledger) Overlaps() []Overlap { return slices.Clone(l.overlaps) }
