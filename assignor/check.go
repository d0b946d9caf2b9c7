package assignor

import (
	"fmt"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

// check returns an error unless p gives every partition of every topic of g to
// exactly one of its subscribers.
func check(g *Group, p Plan) error {
	if len(p) != len(g.Topics) {
		return fmt.Errorf("the plan has %d topics, the group %d", len(p), len(g.Topics))
	}
	reads := make([]bool, len(g.Members))
	var last []int32 // the subscribers that reads was made for
	for t := range g.Topics {
		topic := &g.Topics[t]
		if len(p[t]) != int(topic.Partitions) {
			return fmt.Errorf("topic %q has %d partitions, the plan has %d of them", topic.Name, topic.Partitions, len(p[t]))
		}
		if t == 0 || !sameSlice(last, topic.Subscribers) {
			last = topic.Subscribers
			clear(reads)
			for _, m := range last {
				reads[m] = true
			}
		}
		for i, m := range p[t] {
			switch {
			case m == None:
				return fmt.Errorf("topic %q partition %d goes to nobody", topic.Name, i)
			case m < 0 || int(m) >= len(g.Members):
				return fmt.Errorf("topic %q partition %d goes to member %d of %d", topic.Name, i, m, len(g.Members))
			case !reads[m]:
				return fmt.Errorf("topic %q partition %d goes to member %q, which does not read the topic", topic.Name, i, g.Members[m].Key)
			}
		}
	}
	return nil
}

// place asks the strategy for a plan and checks it. The plan it returns is
// always valid; the error says why it is not the strategy's. shown is the strategy's
// own copy of g.
func place(s Strategy, mem *memory, g, shown *Group) (Plan, error) {
	p, err := try(s, mem, g, shown)
	if err != nil {
		return fallback(g), fmt.Errorf("strategy %q: %w", s.Name(), err)
	}
	return p, nil
}

func try(s Strategy, mem *memory, g, shown *Group) (p Plan, err error) {
	defer func() {
		// A panic here would kill the process, and then the next leader's:
		// the whole group, one by one.
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
			if e, ok := r.(error); ok {
				err = fmt.Errorf("panic: %w", e)
			}
		}
	}()
	if u, ok := s.(Updater); ok && mem.plan != nil {
		p = u.Update(mem.group.apart(), mem.plan, shown)
	} else {
		p = s.Assign(shown)
	}
	return p, check(g, p)
}

// fallback lets everybody keep what it owns and places the rest by plain
// rendezvous hashing.
func fallback(g *Group) Plan {
	p := make(Plan, len(g.Topics))
	var subscribers []int32
	var members []uint64
	for t := range g.Topics {
		topic := &g.Topics[t]
		if t == 0 || !sameSlice(subscribers, topic.Subscribers) {
			subscribers = topic.Subscribers
			members = members[:0]
			for _, m := range subscribers {
				members = append(members, hash.Member(g.Members[m].Key))
			}
		}
		p[t] = make([]int32, topic.Partitions)
		for i := range p[t] {
			p[t][i] = topic.Owner(int32(i))
			if p[t][i] == None {
				p[t][i] = subscribers[hash.Best(hash.Key(topic.Name, int32(i)), members)]
			}
		}
	}
	return p
}

// audit asks the strategy what a user should know of its plan.
func audit(s Strategy, shown *Group, p Plan) (ws []Warning, err error) {
	a, ok := s.(Auditor)
	if !ok {
		return nil, nil
	}
	defer func() {
		if r := recover(); r != nil {
			ws, err = nil, fmt.Errorf("strategy %q: Audit panicked: %v", s.Name(), r)
		}
	}()
	return a.Audit(shown, p), nil
}
