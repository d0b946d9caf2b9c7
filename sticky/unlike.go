package sticky

import (
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// unlike plans where subscriptions are unlike: it finds the least loads, which
// cuts the group into components, and plans those one by one.
func (p *planner) unlike(sets []set) {
	l, bands, settled := p.level(sets)
	if settled && !p.Racks {
		p.keep(sets)
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
	for _, c := range components(p.g, sets) {
		p.newBlock(c.sets, c.members, bands).solve()
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
	p.vacate(l.sets)
	var dealt pool
	for s, x := range l.sets {
		dealt.topics, dealt.needy = x.topics, dealt.needy[:0]
		for i, m := range x.readers {
			if need := l.flow[s][i]; need > 0 {
				dealt.needy = append(dealt.needy, taker{member: m, need: need})
			}
		}
		p.deal(&dealt, false)
	}
}

// A component is sets that are connected by common readers, and these readers.
// Sets with the same readers are one.
type component struct {
	size    int // sets, before those with the same readers are one
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
		all[index[r]].size++
	}
	if len(all) == 1 && distinct(sets) {
		all[0].sets = sets
	} else {
		for s := range sets {
			all[index[find(s)]].add(sets[s])
		}
	}
	for m, s := range first {
		if s >= 0 {
			c := &all[index[find(s)]]
			c.members = append(c.members, int32(m))
		}
	}
	return all
}

// distinct tells whether no two neighbours of the sets have the same readers.
func distinct(sets []set) bool {
	for s := range sets {
		if s > 0 && slices.Equal(sets[s-1].readers, sets[s].readers) {
			return false
		}
	}
	return true
}

// add adds a set.
func (c *component) add(s set) {
	if n := len(c.sets); n > 0 && slices.Equal(c.sets[n-1].readers, s.readers) {
		c.sets[n-1].add(s.topics)
		return
	}
	if c.sets == nil {
		c.sets = make([]set, 0, c.size)
	}
	c.sets = append(c.sets, s)
}
