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
	switch {
	case len(sets) == 0:
	case !equal:
		p.unlike(sets)
	case p.PerTopic || p.Racks:
		bands := quotas(p.g, sets[0].readers, p.g.Partitions())
		p.move(sets, bands, p.topicQuotas())
	default:
		b := &block{planner: p, sets: sets, members: sets[0].readers}
		b.bands = quotas(p.g, b.members, p.g.Partitions())
		b.solve()
	}
}

// unlike plans where subscriptions are unlike: it finds the least loads, which
// cuts the group into components, and plans those that are blocks as such.
func (p *planner) unlike(sets []set) {
	l, bands, settled := p.level(sets)
	if settled && !p.Racks {
		for t := range p.plan {
			p.plan[t] = p.g.Topics[t].Owners
		}
		return
	}
	if !p.Racks && p.fresh() {
		p.take(l)
		return
	}
	if p.PerTopic || p.Racks {
		p.move(sets, bands, l.slots)
		return
	}
	var rest []set
	for _, c := range components(p.g, sets) {
		b := &block{planner: p, sets: c.sets, members: c.members, bands: bands, inside: make([]bool, len(p.g.Members))}
		for _, m := range c.members {
			b.inside[m] = true
		}
		if !b.solve() {
			rest = append(rest, c.sets...)
		}
	}
	if len(rest) > 0 {
		p.move(rest, bands, nil)
	}
}

// fresh tells whether nobody owns, nor has had, anything.
func (p *planner) fresh() bool {
	for t := range p.g.Topics {
		topic := &p.g.Topics[t]
		if slices.ContainsFunc(topic.Owners, func(m int32) bool { return m != assignor.None }) || hinted(p.g, []int{t}) {
			return false
		}
	}
	return true
}

// take deals what the leveler found, where any of the least loads are as good.
func (p *planner) take(l *leveler) {
	slab := make([]int32, p.g.Partitions())
	for i := range slab {
		slab[i] = assignor.None
	}
	for s, x := range l.sets {
		for _, t := range x.topics {
			n := p.g.Topics[t].Partitions
			p.plan[t], slab = slab[:n:n], slab[n:]
		}
		dealt := &pool{topics: x.topics}
		for i, m := range x.readers {
			if need := l.flow[s][i]; need > 0 {
				dealt.needy = append(dealt.needy, taker{member: m, need: need})
			}
		}
		p.deal(dealt, false)
	}
}

// A component is sets that are connected by common readers, and these readers.
// Sets with the same readers are one.
type component struct {
	sets    []set
	members []int32
}

// components cuts sets into components.
func components(g *assignor.Group, sets []set) (all []component) {
	root := make([]int, len(sets)) // by set: another of the component, at last itself
	find := func(s int) int {
		for root[s] != s {
			root[s] = root[root[s]]
			s = root[s]
		}
		return s
	}
	first := slices.Repeat([]int{-1}, len(g.Members)) // by member: a set it reads
	for s := range sets {
		root[s] = s
		for _, m := range sets[s].readers {
			if first[m] < 0 {
				first[m] = s
			} else if a, b := find(first[m]), find(s); a != b {
				root[max(a, b)] = min(a, b)
			}
		}
	}
	index := slices.Repeat([]int{-1}, len(sets))
	for s := range sets {
		r := find(s)
		if index[r] < 0 {
			index[r] = len(all)
			all = append(all, component{})
		}
		all[index[r]].add(sets[s])
	}
	for m, s := range first {
		if s >= 0 {
			c := &all[index[find(s)]]
			c.members = append(c.members, int32(m))
		}
	}
	return all
}

func (c *component) add(s set) {
	if n := len(c.sets); n > 0 && slices.Equal(c.sets[n-1].readers, s.readers) {
		last := &c.sets[n-1]
		last.topics = append(slices.Clip(last.topics), s.topics...)
		slices.Sort(last.topics)
		return
	}
	c.sets = append(c.sets, s)
}

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
			sets[n-1].topics = append(sets[n-1].topics, x.Topics...)
			slices.Sort(sets[n-1].topics)
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
