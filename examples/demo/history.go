package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
)

// A step is one thing that happens to a group: changes, one after the other,
// each when the group has come to rest after the one before.
type step struct {
	title string
	look  string // what to look at
	changes
}

type changes []change

// A change stops and starts workers.
type change struct{ stop, start []string }

// newHistory is what every group lives through. The seed chooses who leaves and
// who restarts.
func newHistory(members int, seed uint64) []step {
	random := rand.New(rand.NewPCG(seed, 0))
	var all []string
	for i := range members {
		all = append(all, workerName(i+1))
	}
	joiner := workerName(members + 1)
	leaver := all[random.IntN(len(all))]
	stay := slices.DeleteFunc(append(slices.Clone(all), joiner), func(n string) bool { return n == leaver })
	restarted := stay[random.IntN(len(stay))]

	var rolling changes
	for _, name := range stay {
		rolling = append(rolling, restart(name)...)
	}
	var starts changes // one at a time: who comes first leads, in every run
	for _, name := range all {
		starts = append(starts, change{start: []string{name}})
	}
	return []step{
		{fmt.Sprintf("%d workers start, one after the other", members),
			"How even is it? The last column counts a worker's partitions.",
			starts},
		{joiner + " joins",
			"Only " + joiner + " should get anything: + in its row and nowhere else.",
			changes{{start: []string{joiner}}}},
		{leaver + " leaves for good",
			"Only what " + leaver + " had should move: + where it has -, and nowhere else.",
			changes{{stop: []string{leaver}}}},
		{restarted + " restarts: it leaves and comes back, with a new member ID",
			"Does it get its own partitions back (H), or somebody else's (x)?",
			restart(restarted)},
		{"a deploy: all workers restart, one after the other",
			"Is everything home again (H), or with another worker than before (x)?",
			rolling},
	}
}

func workerName(n int) string { return fmt.Sprintf("worker-%d", n) }

func restart(name string) changes {
	return changes{{stop: []string{name}}, {start: []string{name}}}
}

// play lives through one step and tells what came of it.
func (g *group) play(ctx context.Context, st step) (*outcome, error) {
	o := newOutcome(g.placement(), g.running())
	for _, ch := range st.changes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := g.apply(ch); err != nil {
			return nil, err
		}
		if err := g.settle(ctx); err != nil {
			return nil, err
		}
		o.add(ch, g.placement())
	}
	return o, nil
}

func (g *group) running() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var names []string
	for name := range g.workers {
		names = append(names, name)
	}
	return names
}
