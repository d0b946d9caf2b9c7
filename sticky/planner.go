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
	if len(sets) == 0 {
		return
	}
	p.disown(sets)
	equal, total := true, 0
	for _, s := range sets {
		equal = equal && slices.Equal(s.readers, sets[0].readers)
		total += s.partitions(p.g)
	}
	if !equal {
		p.unlike(sets)
		return
	}
	members := sets[0].readers
	bands := make([]band, len(p.g.Members))
	for i, b := range quotas(p.g, members, total) {
		bands[members[i]] = b
	}
	// Dealt to a fresh group whose members are alike, topics are within one
	// anyway.
	if p.PerTopic && (p.weighted || !p.fresh()) || p.Racks {
		slots := p.topicQuotas(sets)
		if p.settled(sets, bands, slots) {
			p.keep(sets)
		} else {
			p.move(sets, bands, slots)
		}
		return
	}
	p.newBlock([]set{merge(sets)}, members, bands).solve()
}

// disown takes partitions from owners that do not read them, which no Balancer
// says of anybody, so that all else can rely on it.
func (p *planner) disown(sets []set) {
	reads := make([]bool, len(p.g.Members))
	mark := func(readers []int32, as bool) {
		for _, m := range readers {
			reads[m] = as
		}
	}
	var g *assignor.Group // a copy, if need be
	for _, s := range sets {
		mark(s.readers, true)
		for _, t := range s.topics {
			foreign := func(m int32) bool { return m != assignor.None && !reads[m] }
			if !slices.ContainsFunc(p.g.Topics[t].Owners, foreign) {
				continue
			}
			if g == nil {
				g = &assignor.Group{Members: p.g.Members, Topics: slices.Clone(p.g.Topics)}
			}
			owners := slices.Clone(p.g.Topics[t].Owners)
			for i, m := range owners {
				if foreign(m) {
					owners[i] = assignor.None
				}
			}
			g.Topics[t].Owners = owners
		}
		mark(s.readers, false)
	}
	if g != nil {
		p.g = g
	}
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
	s.topics = append(s.topics, topics...) // has no room at first
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
		total += s.partitions(p.g)
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
func (p *planner) settled(sets []set, bands, slots []band) bool {
	loads := make([]int32, len(p.g.Members))
	before := make([]int32, len(loads)) // loads, without a topic
	for _, s := range sets {
		for _, t := range s.topics {
			topic := &p.g.Topics[t]
			if topic.Owners == nil && topic.Partitions > 0 {
				return false
			}
			for i, m := range topic.Owners {
				if m == assignor.None || p.Racks && topic.Racks != nil && apart(topic.Racks[i], p.g.Members[m].Rack) {
					return false
				}
				loads[m]++
			}
			if slots == nil {
				continue
			}
			for i, m := range s.readers {
				has := loads[m] - before[m]
				before[m] = loads[m]
				if b := &slots[int(s.slots)+i]; has < b.low || has > b.high {
					return false
				}
			}
		}
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

// topicQuotas returns the quotas by slot, with PerTopic.
func (p *planner) topicQuotas(sets []set) []band {
	if !p.PerTopic {
		return nil
	}
	last := sets[len(sets)-1]
	slots := make([]band, int(last.slots)+len(last.readers))
	for _, s := range sets {
		copy(slots[s.slots:], quotas(p.g, s.readers, s.partitions(p.g)))
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

// A set is topics that the same members read. With PerTopic it is one topic, and
// each of its readers has a slot.
type set struct {
	topics  []int
	readers []int32
	slots   int32 // the slot of the first reader; the others' follow
}

func (s *set) partitions(g *assignor.Group) (n int) {
	for _, t := range s.topics {
		n += int(g.Topics[t].Partitions)
	}
	return n
}

// readerSets groups topics by their readers, or takes them one by one with
// PerTopic. Topics that nobody reads are in no set.
func readerSets(g *assignor.Group, perTopic bool) (sets []set) {
	if perTopic {
		slots := int32(0)
		for t := range g.Topics {
			if readers := g.Topics[t].Subscribers; len(readers) > 0 {
				sets = append(sets, set{[]int{t}, readers, slots})
				slots += int32(len(readers))
			}
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
		sets = append(sets, set{topics: x.Topics, readers: x.Readers})
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
