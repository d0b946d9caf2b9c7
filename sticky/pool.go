package sticky

import "github.com/kgo-rendezvous/kgo-rendezvous/assignor"

// A pool is partitions that are alike but for their owners, warm lists and
// homes. The plans with the least loads and the fewest moves are known by who
// gives some of what it owns in the pool, where others keep all of it, and who
// takes some.
type pool struct {
	topics []int // indexes into Group.Topics
	// rack, if racked, is the rack of their leaders: others are not in the
	// pool.
	rack   string
	racked bool

	sharers int // how many members can have equal shares of each topic; 0: not all can

	gives  []bool  // by member: it may give
	takes  []bool  // by member: it may take
	takers []int32 // who may take, those first that are asked first
	out    []int32 // by taker: an arc

	// What is decided on in the end: so many partitions of these owners, so
	// many for these members, and those that their owners keep.
	givers []giver
	needy  []taker
	spare  int // how many of the givers that may give one more do, or of such takers
	pinned map[[2]int32]bool
}

// has tells whether partition p of a topic of the pool is in it.
func (x *pool) has(t *assignor.Topic, p int) bool {
	return !x.racked || t.Racks != nil && t.Racks[p] == x.rack || t.Racks == nil && x.rack == ""
}

// pin keeps a partition from being given.
func (x *pool) pin(topic, partition int32) {
	if x.pinned == nil {
		x.pinned = make(map[[2]int32]bool)
	}
	x.pinned[[2]int32{topic, partition}] = true
}
