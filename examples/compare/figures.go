package main

import (
	"math"
	"slices"
)

// figures are what came of one history, or of several: sums are over all of
// them, means are too once mean has made one of many.
type figures struct {
	maxAvg float64 // the largest load over its fair share
	p95    float64 // 95th percentile of loads over their fair shares
	idle   float64 // members without a partition
	spread float64 // largest difference of two members' loads in one topic
	aged   float64 // the largest spread while members come and go
	loads  []float64

	join, leave, roll change
	scale             change // each partition counts once for each who comes or goes
	rolled            bool
	home              share // partitions whose owner is the one before the roll
	received          share // what a returning member gets that was its own
}

// A change counts partitions that changed hands. It is needless where both who
// had it and who has it now were there before and after.
type change struct{ moved, needless, partitions int }

// add counts what changed when member m came or went.
func (c *change) add(before, after placement, m int) {
	c.partitions = max(c.partitions, len(before))
	for p := range before {
		if before[p] == after[p] {
			continue
		}
		c.moved++
		if before[p] != int32(m) && after[p] != int32(m) {
			c.needless++
		}
	}
}

// A share counts what is so of what could be.
type share struct{ is, of int }

// add counts what member m has after that it had before.
func (s *share) add(before, after placement, m int) {
	for p := range after {
		if after[p] == int32(m) {
			s.of++
			if before[p] == int32(m) {
				s.is++
			}
		}
	}
}

// kept counts partitions that are where they were.
func (s *share) kept(before, after placement) {
	for p := range after {
		s.of++
		if before[p] == after[p] {
			s.is++
		}
	}
}

// ratio returns the share, NaN of nothing.
func (s share) ratio() float64 { return float64(s.is) / float64(s.of) }

// balance looks at the loads of those present, each against its fair share of
// all partitions.
func (f *figures) balance(w *world, present []bool, p placement) {
	counts := make([]int, len(w.names))
	for _, m := range p {
		counts[m]++
	}
	var weights float64
	for m := range counts {
		if present[m] {
			weights += float64(w.weights[m])
		}
	}
	f.loads = nil
	for m, n := range counts {
		if !present[m] {
			continue
		}
		f.loads = append(f.loads, float64(n)*weights/float64(w.weights[m])/float64(w.total))
		if n == 0 {
			f.idle++
		}
	}
	slices.Sort(f.loads)
	f.maxAvg = f.loads[len(f.loads)-1]
	f.p95 = percentile(f.loads, 95)
	f.spread = worstSpread(w, present, p)
}

// percentile returns the smallest of sorted values that at least q percent of
// them do not exceed.
func percentile(sorted []float64, q int) float64 {
	return sorted[max((len(sorted)*q+99)/100-1, 0)]
}

// worstSpread returns, of the topic where it is largest, the difference between
// the most and the fewest partitions that a member has.
func worstSpread(w *world, present []bool, p placement) float64 {
	worst := 0
	counts := make([]int, len(w.names))
	for _, t := range w.topics {
		clear(counts)
		for _, m := range p[t.first : t.first+t.partitions] {
			counts[m]++
		}
		least, most := math.MaxInt, 0
		for m, n := range counts {
			if present[m] {
				least, most = min(least, n), max(most, n)
			}
		}
		worst = max(worst, most-least)
	}
	return float64(worst)
}

// mean makes one of the figures of several histories. Their order does not
// change counts, but it does change the last bits of means: give one order.
func mean(all []*figures) *figures {
	n := float64(len(all))
	m := &figures{rolled: true, loads: make([]float64, len(all[0].loads))}
	for _, f := range all {
		m.maxAvg += f.maxAvg / n
		m.p95 += f.p95 / n
		m.idle += f.idle / n
		m.spread += f.spread / n
		m.aged += f.aged / n
		for i, load := range f.loads {
			m.loads[i] += load / n
		}
		m.join.sum(f.join)
		m.leave.sum(f.leave)
		m.roll.sum(f.roll)
		m.scale.sum(f.scale)
		m.home.is, m.home.of = m.home.is+f.home.is, m.home.of+f.home.of
		m.received.is, m.received.of = m.received.is+f.received.is, m.received.of+f.received.of
		m.rolled = m.rolled && f.rolled
	}
	return m
}

func (c *change) sum(o change) {
	c.moved += o.moved
	c.needless += o.needless
	c.partitions += o.partitions
}

// perPartition returns how often a partition moved, and needlessly.
func (c change) perPartition() (moved, needless float64) {
	return float64(c.moved) / float64(c.partitions), float64(c.needless) / float64(c.partitions)
}
