package hrw

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

// assignBounded finds the stable matching of partitions and members in which
// partitions rank members by worth, members rank partitions by worth too, and
// each member has room for its cap: Gale and Shapley's deferred acceptance
// (1962), partitions proposing. Since the same worth ranks both sides there is
// one stable matching only, whoever proposes first; "the next with room", in
// contrast, depends on the order.
//
// With unlike subscriptions members prefer partitions of topics with fewer
// readers, which have fewer places to go.
func assignBounded(g *assignor.Group, bound float64) assignor.Plan {
	b := bounder{
		g:       g,
		plan:    make(assignor.Plan, len(g.Topics)),
		readers: make([]*readers, len(g.Topics)),
		members: make([]bounded, len(g.Members)),
		hashes:  make([]uint64, len(g.Members)),
	}
	for m, n := range assignor.Caps(g, bound) {
		b.members[m].cap = int(n)
	}
	// Partitions of topics with more readers cannot evict those of topics
	// with fewer, so this order saves proposals; the outcome is the same in
	// any.
	for _, set := range g.ReaderSets() {
		r := newReaders(g, set.Readers)
		for i, m := range r.members {
			b.hashes[m] = r.hashes[i]
		}
		for _, t := range set.Topics {
			b.readers[t] = &r
			b.propose(t)
		}
	}
	for m := range b.members {
		for _, s := range b.members[m].held {
			b.plan[s.topic][s.partition] = int32(m)
		}
	}
	slices.SortFunc(b.homeless, func(x, y suitor) int {
		return cmp.Or(cmp.Compare(x.readers, y.readers), cmp.Compare(x.topic, y.topic), cmp.Compare(x.partition, y.partition))
	})
	for i := range b.homeless {
		b.squeezeIn(&b.homeless[i])
	}
	return b.plan
}

type bounder struct {
	g        *assignor.Group
	plan     assignor.Plan
	readers  []*readers // by topic
	members  []bounded
	hashes   []uint64 // by member
	homeless []suitor // nobody has room for them
}

// bounded is what a member holds: a heap, the partition it likes least first.
type bounded struct {
	cap  int
	held []suitor
}

// A suitor is a partition with its score at the member that it proposes to or is
// held by.
type suitor struct {
	topic, partition int32
	readers          int32 // of its topic
	key, score       uint64
}

// before tells whether a member prefers s to o. A member's own weight changes
// nothing in that.
func (s *suitor) before(o *suitor) bool {
	switch {
	case s.readers != o.readers:
		return s.readers < o.readers
	case s.score != o.score:
		return s.score > o.score
	case s.topic != o.topic:
		return s.topic < o.topic
	}
	return s.partition < o.partition
}

// propose lets all partitions of a topic propose to their best members.
func (b *bounder) propose(t int) {
	topic, r := &b.g.Topics[t], b.readers[t]
	keys := make([]uint64, topic.Partitions)
	hash.Keys(keys, topic.Name, 0)
	b.plan[t] = make([]int32, topic.Partitions)
	r.bestAll(b.plan[t], keys)
	for p, m := range b.plan[t] {
		s := suitor{topic: int32(t), partition: int32(p), readers: int32(len(r.members)), key: keys[p]}
		s.score = hash.Score(s.key, b.hashes[m])
		b.accept(s, m)
	}
}

// accept has m take s, or keep what it has and turn s away; whoever is turned
// away goes on to its best of those that would take it.
func (b *bounder) accept(s suitor, m int32) {
	for {
		who := &b.members[m]
		if len(who.held) < who.cap {
			who.push(s)
			return
		}
		if len(who.held) > 0 && s.before(&who.held[0]) {
			s, who.held[0] = who.held[0], s
			who.sink()
		}
		if m = b.next(&s); m == assignor.None {
			b.homeless = append(b.homeless, s)
			return
		}
	}
}

// next returns the best member that would take s, and sets its score there.
func (b *bounder) next(s *suitor) int32 {
	r := b.readers[s.topic]
	at := r.bestAccepted(s.key, func(i int, score uint64) bool {
		who := &b.members[r.members[i]]
		if len(who.held) < who.cap {
			return true
		}
		s.score = score
		return len(who.held) > 0 && s.before(&who.held[0])
	})
	if at < 0 {
		return assignor.None
	}
	s.score = hash.Score(s.key, r.hashes[at])
	return r.members[at]
}

// squeezeIn gives a partition that nobody has room for to the reader with the
// least load for its cap, the best of those.
func (b *bounder) squeezeIn(s *suitor) {
	r := b.readers[s.topic]
	best := 0
	for i := 1; i < len(r.members); i++ {
		x, y := &b.members[r.members[i]], &b.members[r.members[best]]
		hi, lo := bits.Mul64(uint64(len(x.held)), uint64(y.cap))
		hi2, lo2 := bits.Mul64(uint64(len(y.held)), uint64(x.cap))
		if hi < hi2 || hi == hi2 && (lo < lo2 || lo == lo2 && r.worth(s.key, i).Better(r.worth(s.key, best))) {
			best = i
		}
	}
	m := r.members[best]
	b.members[m].held = append(b.members[m].held, *s)
	b.plan[s.topic][s.partition] = m
}

// push and sink are those of a binary heap.
func (b *bounded) push(s suitor) {
	b.held = append(b.held, s)
	for i := len(b.held) - 1; i > 0; {
		up := (i - 1) / 2
		if !b.held[up].before(&b.held[i]) {
			break
		}
		b.held[up], b.held[i] = b.held[i], b.held[up]
		i = up
	}
}

func (b *bounded) sink() {
	for i := 0; ; {
		worst := i
		for c := 2*i + 1; c <= 2*i+2 && c < len(b.held); c++ {
			if b.held[worst].before(&b.held[c]) {
				worst = c
			}
		}
		if worst == i {
			return
		}
		b.held[i], b.held[worst] = b.held[worst], b.held[i]
		i = worst
	}
}
