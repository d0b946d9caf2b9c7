package main

import (
	"fmt"
	"math"
	"runtime"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

// costs are measured and differ from run to run, all but the bytes.
type costs struct {
	plan    time.Duration // the leader's work when a member joins
	lookups float64       // per second; 0 where one owner cannot be found alone
	bytes   float64       // of join metadata of a member that has partitions, mean
}

// The best of several passes over all algorithms counts, so that what disturbs
// the machine for a moment does not fall on one of them.
const passes = 3

// measure sets the costs of results at one size. Each measurement takes about
// the time given, more where one run does. Nothing else should run.
func measure(results []*result, w *world, measuring time.Duration, step func(*result)) error {
	joins := make([]*join, len(results))
	for i, r := range results {
		var err error
		if joins[i], err = newJoin(r.algorithm, w); err != nil {
			return fmt.Errorf("%s: %w", r.algorithm.name, err)
		}
		r.costs = costs{plan: math.MaxInt64, bytes: joins[i].bytes}
	}
	for range passes {
		for i, r := range results {
			step(r)
			plan, err := joins[i].fastest(measuring)
			if err != nil {
				return fmt.Errorf("%s: %w", r.algorithm.name, err)
			}
			r.plan = min(r.plan, plan)
			if find := r.algorithm.lookup(w); find != nil {
				r.lookups = max(r.lookups, perSecond(measuring, func(n int) {
					sum := 0
					for ; n > 0; n-- {
						sum += find(n)
					}
					runtime.KeepAlive(sum)
				}))
			}
		}
	}
	return nil
}

// A join is the round in which a member joins, and the one before it, ready but
// for the leader's work.
type join struct {
	leader       func() (kgo.GroupBalancer, error)
	before, then round
	counts       map[string]int32
	bytes        float64
	failed       error // what a leader reported
}

type round struct {
	members []kmsg.JoinGroupResponseMember
	info    kgo.BalanceInfo
}

func newJoin(a *algorithm, w *world) (*join, error) {
	f := newFleet(w, a)
	present := w.start()
	if _, err := f.settle(present); err != nil {
		return nil, err
	}
	j := &join{counts: f.counts}
	j.leader = func() (kgo.GroupBalancer, error) {
		return a.newBalancer(w, f.leader, func(err error) { j.failed = err })
	}
	j.before = f.next()
	for _, p := range f.processes {
		if p != nil {
			p.last = f.generation
		}
	}
	present[w.joiner] = true
	if err := f.admit(present); err != nil {
		return nil, err
	}
	j.then = f.next()
	for _, m := range j.before.members {
		j.bytes += float64(len(m.ProtocolMetadata)) / float64(len(j.before.members))
	}
	return j, nil
}

// next returns the round that comes next, without playing it.
func (f *fleet) next() round {
	f.generation++
	return round{lead.Join(f.joining()), f.info()}
}

// fastest returns the leader's time in the fastest of some runs, from the
// members' metadata to their assignments. The leader led the group before, as
// it usually has, so that it remembers what a Balancer remembers.
func (j *join) fastest(measuring time.Duration) (time.Duration, error) {
	var best time.Duration
	for start, n := time.Now(), 0; n < 1 || time.Since(start) < measuring; n++ {
		leader, err := j.leader()
		if err != nil {
			return 0, err
		}
		if _, err := lead.Balance(leader, j.before.info, j.before.members, j.counts); err != nil {
			return 0, err
		}
		begun := time.Now()
		if _, err := lead.Balance(leader, j.then.info, j.then.members, j.counts); err != nil {
			return 0, err
		}
		if d := time.Since(begun); n == 0 || d < best {
			best = d
		}
	}
	return best, j.failed
}

// perSecond returns how many of what do does n times fit into a second.
func perSecond(measuring time.Duration, do func(n int)) float64 {
	for n := 1; ; n *= 2 {
		begun := time.Now()
		do(n)
		if d := time.Since(begun); d >= measuring {
			return float64(n) / d.Seconds()
		}
	}
}
