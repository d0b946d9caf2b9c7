package main

import (
	"slices"
	"strings"
)

// An outcome compares what a step left with what it found. Workers are known by
// name, so a worker that restarts is the same worker.
type outcome struct {
	before, after placement
	old, now      []string // workers before and after, sorted
	restarted     []string

	moved    int // partitions handed from one worker to another, in all of the step's rebalances; not while the first start
	needless int // of them, between workers that neither came nor went in that rebalance
	had      int // partitions of restarted workers, each as it went
	back     int // of them, those the worker has again when it is back

	last placement // after the latest change
	away map[string]placement
}

func newOutcome(before placement, workers []string) *outcome {
	workers = sorted(workers)
	return &outcome{
		before: before, after: before, last: before,
		old: workers, now: workers,
		away: make(map[string]placement),
	}
}

// add takes note of one change and of the placement after it.
func (o *outcome) add(ch change, after placement) {
	involved := slices.Concat(ch.stop, ch.start)
	o.last.count(func(t, i int, from string) bool {
		to := after[t][i]
		if from == "" || from == to || len(o.old) == 0 {
			return false
		}
		o.moved++
		if !slices.Contains(involved, from) && !slices.Contains(involved, to) {
			o.needless++
		}
		return true
	})
	for _, name := range ch.stop {
		o.away[name] = o.last
		o.now = slices.DeleteFunc(slices.Clone(o.now), func(n string) bool { return n == name })
	}
	for _, name := range ch.start {
		o.now = sorted(append(slices.Clone(o.now), name))
		home, ok := o.away[name]
		if !ok {
			continue
		}
		delete(o.away, name)
		o.restarted = append(o.restarted, name)
		o.had += home.load(name)
		o.back += home.count(func(t, i int, owner string) bool { return owner == name && after[t][i] == name })
	}
	o.last, o.after = after, after
}

// workers returns all that were there before or are now.
func (o *outcome) workers() []string {
	return slices.Compact(sorted(slices.Concat(o.old, o.now)))
}

// sorted sorts names so that worker-10 follows worker-9.
func sorted(names []string) []string {
	out := slices.Clone(names)
	slices.SortFunc(out, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	return out
}

// A mark says what a partition is to a worker after a step.
type mark int

const (
	absent    mark = iota // never had it in this step
	former                // had it before the step, not now
	kept                  // has it as before
	home                  // has it as before, and restarted meanwhile
	necessary             // new to it: it came, or the owner left, or there was none
	needless              // new to it, though the owner before is still, or again, there
)

func (o *outcome) mark(worker string, t, p int) mark {
	before, after := o.before[t][p], o.after[t][p]
	switch {
	case after != worker && before != worker:
		return absent
	case after != worker:
		return former
	case before == worker && slices.Contains(o.restarted, worker):
		return home
	case before == worker:
		return kept
	case before != "" && slices.Contains(o.old, worker) && slices.Contains(o.now, before):
		return needless
	}
	return necessary
}

// displaced returns how many partitions are with another worker than before
// the step although both are there, before and after.
func (o *outcome) displaced() int {
	return o.after.count(func(t, p int, owner string) bool {
		return owner != "" && o.mark(owner, t, p) == needless
	})
}

// fullest returns the largest load and the average of those that are there.
func (o *outcome) fullest() (most int, average float64) {
	for _, name := range o.now {
		most = max(most, o.after.load(name))
	}
	return most, float64(o.after.size()) / float64(len(o.now))
}
