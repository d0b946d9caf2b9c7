package main

import (
	"context"
	"fmt"
)

// A ledger is what was processed of one partition.
type ledger struct {
	times []uint8 // by offset: 0, 1, or 2 for more than once
	once  int     // offsets processed at all
	twice int     // offsets processed more than once
	total int
}

func (l *ledger) process(offset int64) {
	for int64(len(l.times)) <= offset {
		l.times = append(l.times, 0)
	}
	l.total++
	switch l.times[offset] {
	case 0:
		l.once++
		l.times[offset] = 1
	case 1:
		l.twice++
		l.times[offset] = 2
	}
}

// records is what became of all records under one strategy.
type records struct {
	written, processed, twice, lost int
	overlaps                        int // times a partition was given to a worker while another had it
}

// tally counts what became of what has been written so far.
func (g *group) tally() (r records) {
	written := g.cluster.written()
	g.mu.Lock()
	defer g.mu.Unlock()
	r.overlaps = g.overlaps
	for t := range g.ledgers {
		for p := range g.ledgers[t] {
			l := &g.ledgers[t][p]
			r.written += int(written[t][p])
			r.processed += l.total
			r.twice += l.twice
			r.lost += int(written[t][p]) - l.once
		}
	}
	return r
}

// drain waits until every record written has been processed.
func (g *group) drain(ctx context.Context) error {
	written := g.cluster.written()
	return g.wait(ctx, func() []string {
		g.mu.Lock()
		defer g.mu.Unlock()
		var behind []string
		for t, topic := range g.cluster.topics {
			for p, end := range written[t] {
				if n := g.ledgers[t][p].once; n < int(end) {
					behind = append(behind, fmt.Sprintf("%s/%d at %d of %d", topic, p, n, end))
				}
			}
		}
		if len(behind) == 0 {
			return nil
		}
		return []string{"records to process: " + some(behind)}
	})
}
