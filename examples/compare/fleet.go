package main

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

// A fleet plays a kgo.GroupBalancer: processes that join, are assigned
// partitions, give up what they have to and join again, as kgo's clients do,
// only without a broker. What a member had is in its metadata, and nowhere else
// but in its leader's memory, which ends with the leader.
type fleet struct {
	w          *world
	algorithm  *algorithm
	processes  []*process // by member, nil while it is away
	leader     int
	generation int32
	rng        *rand.Rand
	topics     []string
	counts     map[string]int32
	failed     error // what a balancer reported
}

// A process is a member from its start to its end.
type process struct {
	id       string // new for every process, as the broker gives it
	balancer kgo.GroupBalancer
	born     int32 // the generation it first joined
	owned    lead.Owned
	last     int32 // the generation it was last in, 0 before the first
}

func newFleet(w *world, a *algorithm) *fleet {
	f := &fleet{
		w:         w,
		algorithm: a,
		processes: make([]*process, len(w.names)),
		leader:    -1,
		rng:       rand.New(rand.NewPCG(w.seed, 1)),
		counts:    make(map[string]int32),
	}
	for _, t := range w.topics {
		f.topics = append(f.topics, t.name)
		f.counts[t.name] = int32(t.partitions)
	}
	return f
}

// maxRounds is far more than any balancer needs: cooperative ones take two.
const maxRounds = 10

func (f *fleet) settle(present []bool) (placement, error) {
	if err := f.admit(present); err != nil {
		return nil, err
	}
	for range maxRounds {
		again, err := f.round()
		if err != nil {
			return nil, err
		}
		if !again {
			return f.placement()
		}
	}
	return nil, fmt.Errorf("the group does not settle within %d rounds", maxRounds)
}

// admit starts and ends processes.
func (f *fleet) admit(present []bool) error {
	for m := range f.processes {
		switch {
		case !present[m]:
			f.processes[m] = nil
		case f.processes[m] == nil:
			b, err := f.algorithm.newBalancer(f.w, m, f.fail)
			if err != nil {
				return err
			}
			f.processes[m] = &process{id: f.newID(), balancer: b, born: f.generation + 1}
		}
	}
	if f.leader >= 0 && f.processes[f.leader] != nil {
		return nil
	}
	// The broker chooses whom it likes; let it be the one here longest.
	f.leader = -1
	for m, p := range f.processes {
		if p != nil && (f.leader < 0 || p.born < f.processes[f.leader].born) {
			f.leader = m
		}
	}
	return nil
}

// newID returns a member ID as a broker makes it of kgo's default client ID.
func (f *fleet) newID() string {
	a, b := f.rng.Uint64(), f.rng.Uint64()
	return fmt.Sprintf("kgo-%08x-%04x-%04x-%04x-%012x", uint32(a), uint16(a>>32), uint16(a>>48), uint16(b), b>>16)
}

// round plays one rebalance. It tells whether a further one follows: in a
// cooperative group a member that has to give up something joins again.
func (f *fleet) round() (again bool, err error) {
	f.generation++
	leader := f.processes[f.leader]
	sync, err := lead.Balance(leader.balancer, f.info(), lead.Join(f.joining()), f.counts)
	if err == nil {
		err = f.failed
	}
	if err != nil {
		return false, err
	}
	assigned, err := lead.Decode(leader.balancer, sync)
	if err != nil {
		return false, err
	}
	for _, p := range f.processes {
		if p == nil {
			continue
		}
		now := assigned[p.id]
		for _, partitions := range now {
			slices.Sort(partitions)
		}
		again = again || leader.balancer.IsCooperative() && givesUp(p.owned, now)
		p.owned, p.last = now, f.generation
	}
	return again, nil
}

func (f *fleet) fail(err error) { f.failed = err }

func (f *fleet) info() kgo.BalanceInfo {
	return kgo.BalanceInfo{Group: "compare", Generation: f.generation, LeaderID: f.processes[f.leader].id}
}

// joining returns the members with what they say. An eager member has given up
// everything by then, but kgo's still says what it had.
func (f *fleet) joining() []lead.Member {
	members := make([]lead.Member, 0, len(f.processes))
	for _, p := range f.processes {
		if p != nil {
			members = append(members, lead.Member{ID: p.id, Metadata: p.metadata(f.topics)})
		}
	}
	return members
}

// metadata returns what a member joins with. Topics and partitions are sorted.
func (p *process) metadata(topics []string) []byte {
	generation := p.last
	if generation == 0 {
		generation = -1
	}
	return p.balancer.JoinGroupMetadata(topics, p.owned, generation)
}

// givesUp tells whether a partition of before is not in after.
func givesUp(before, after lead.Owned) bool {
	for t, ps := range before {
		if len(ps) == 0 {
			continue
		}
		has := make(map[int32]bool, len(after[t]))
		for _, p := range after[t] {
			has[p] = true
		}
		for _, p := range ps {
			if !has[p] {
				return true
			}
		}
	}
	return false
}

// placement returns who owns what; everything must have one owner.
func (f *fleet) placement() (placement, error) {
	owners := make(placement, f.w.total)
	for p := range owners {
		owners[p] = nobody
	}
	owned := 0
	for m, process := range f.processes {
		if process == nil {
			continue
		}
		for name, ps := range process.owned {
			t := f.w.topicOf(name)
			for _, p := range ps {
				if t == nil || p < 0 || int(p) >= t.partitions {
					return nil, fmt.Errorf("%s owns partition %d of topic %s, which does not exist", f.w.names[m], p, name)
				}
				if at := t.first + int(p); owners[at] != nobody {
					return nil, fmt.Errorf("%s and %s both own partition %d of topic %s", f.w.names[owners[at]], f.w.names[m], p, name)
				}
				owners[t.first+int(p)] = int32(m)
				owned++
			}
		}
	}
	if owned < f.w.total {
		return nil, fmt.Errorf("%d of %d partitions have no owner though the group has settled", f.w.total-owned, f.w.total)
	}
	return owners, nil
}
