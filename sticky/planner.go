package sticky

import (
	"cmp"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

// A planner makes one plan.
type planner struct {
	Strategy
	g        *assignor.Group
	plan     assignor.Plan
	hashed   []uint64 // by member, see hashes
	weighted bool     // weights differ
	dealer   *dealer  // the last one, for its room
	ranks    []ranked // room for order
}

// A band is how many partitions a member gets in all: low, or one more if high
// says so.
type band struct {
	low, high int32
	// rank is the member's place among those that get one more where nothing
	// else decides, the lowest first.
	rank int32
}

func (p *planner) assign() {
	for m := range p.g.Members {
		p.weighted = p.weighted || weight(p.g, int32(m)) != weight(p.g, 0)
	}
	sets := readerSets(p.g, p.PerTopic)
	equal := true
	for _, s := range sets {
		equal = equal && slices.Equal(s.readers, sets[0].readers)
	}
	if len(sets) == 0 {
		return
	}
	if !equal {
		p.unlike(sets)
		return
	}
	bands := quotas(p.g, sets[0].readers, p.g.Partitions())
	// Dealt to a fresh group whose members are alike, topics are within one
	// anyway.
	if p.PerTopic && (p.weighted || !p.fresh()) || p.Racks {
		slots := p.topicQuotas()
		if p.settled(bands, slots) {
			p.keep(sets)
		} else {
			p.move(sets, bands, slots)
		}
		return
	}
	b := &block{planner: p, sets: []set{merge(sets)}, members: sets[0].readers, bands: bands}
	b.solve()
}

// merge makes one set of sets with the same readers.
func merge(sets []set) set {
	if len(sets) == 1 {
		return sets[0]
	}
	all := set{readers: sets[0].readers}
	for _, s := range sets {
		all.add(s.topics)
	}
	return all
}

// add adds topics to a set.
func (s *set) add(topics []int) {
	s.topics = append(slices.Clip(s.topics), topics...)
	slices.Sort(s.topics)
}

// keep plans the present owners.
func (p *planner) keep(sets []set) {
	for _, s := range sets {
		for _, t := range s.topics {
			p.plan[t] = p.g.Topics[t].Owners
		}
	}
}

// vacate plans nobody anywhere.
func (p *planner) vacate(sets []set) {
	total := 0
	for _, s := range sets {
		for _, t := range s.topics {
			total += int(p.g.Topics[t].Partitions)
		}
	}
	slab := slices.Repeat([]int32{assignor.None}, total)
	for _, s := range sets {
		for _, t := range s.topics {
			n := p.g.Topics[t].Partitions
			p.plan[t], slab = slab[:n:n], slab[n:]
		}
	}
}

// settled tells whether the present owners are a plan that none is better than,
// where that is seen at once: all is owned, loads are right, and nothing is off
// its rack.
func (p *planner) settled(bands, slots []band) bool {
	loads, has := make([]int32, len(p.g.Members)), make([]int32, len(p.g.Members))
	for t := range p.g.Topics {
		topic := &p.g.Topics[t]
		if topic.Owners == nil && topic.Partitions > 0 {
			return false
		}
		for i, m := range topic.Owners {
			if m == assignor.None || p.Racks && topic.Racks != nil && apart(topic.Racks[i], p.g.Members[m].Rack) {
				return false
			}
			has[m]++
		}
		for m, n := range has {
			if slots != nil {
				if s := &slots[t*len(has)+m]; n < s.low || n > s.high {
					return false
				}
			}
			loads[m] += n
		}
		clear(has)
	}
	for m, n := range loads {
		if n < bands[m].low || n > bands[m].high {
			return false
		}
	}
	return true
}

// apart tells whether two racks are known and differ.
func apart(a, b string) bool { return a != "" && b != "" && a != b }

// topicQuotas returns quotas by topic and member, with PerTopic.
func (p *planner) topicQuotas() []band {
	if !p.PerTopic {
		return nil
	}
	n := len(p.g.Members)
	slots := make([]band, len(p.g.Topics)*n)
	for t := range p.g.Topics {
		topic := &p.g.Topics[t]
		copy(slots[t*n:], quotas(p.g, topic.Subscribers, int(topic.Partitions)))
	}
	return slots
}

// hashes returns the members' hashes.
func (p *planner) hashes() []uint64 {
	if p.hashed == nil {
		p.hashed = make([]uint64, len(p.g.Members))
		for m := range p.hashed {
			p.hashed[m] = hash.Member(p.g.Members[m].Key)
		}
	}
	return p.hashed
}

// readerSets groups topics by their readers, or takes them one by one with
// PerTopic.
func readerSets(g *assignor.Group, perTopic bool) (sets []set) {
	if perTopic {
		for t := range g.Topics {
			sets = append(sets, set{[]int{t}, g.Topics[t].Subscribers})
		}
		return sets
	}
	// Groups that a Balancer makes share the slices of equal readers; others
	// may not.
	shared := g.ReaderSets()
	slices.SortFunc(shared, func(a, b assignor.ReaderSet) int {
		return cmp.Or(cmp.Compare(len(a.Readers), len(b.Readers)), slices.Compare(a.Readers, b.Readers), cmp.Compare(a.Topics[0], b.Topics[0]))
	})
	sets = make([]set, 0, len(shared))
	for _, x := range shared {
		if n := len(sets); n > 0 && slices.Equal(sets[n-1].readers, x.Readers) {
			sets[n-1].add(x.Topics)
			continue
		}
		sets = append(sets, set{x.Topics, x.Readers})
	}
	return sets
}

// order sorts members by their score for a topic as a whole: where nothing else
// decides, the first is asked first.
func (p *planner) order(members []int32, topic int) {
	key, hashes := p.topicKey(topic), p.hashes()
	ranks := p.ranks[:0]
	for _, m := range members {
		ranks = append(ranks, ranked{who: m, score: hash.Score(key, hashes[m])})
	}
	slices.SortFunc(ranks, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.who, b.who))
	})
	for i := range ranks {
		members[i] = ranks[i].who
	}
	p.ranks = ranks
}

// topicKey is the hash by which members are told apart for a topic as a whole.
func (p *planner) topicKey(topic int) uint64 { return hash.Key(p.g.Topics[topic].Name, -1) }

func weight(g *assignor.Group, m int32) uint64 { return uint64(max(1, g.Members[m].Weight)) }
