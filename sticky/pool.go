package sticky

import "github.com/kgo-rendezvous/kgo-rendezvous/assignor"

// Goods are partitions that are alike but for their owners, warm lists and homes.
type goods struct {
	topics []int // indexes into Group.Topics
	// rack, if racked, is the rack of their leaders: others are not of them.
	rack   string
	racked bool
}

// A pool is goods that change hands. The plans with the least loads and the fewest
// moves are known by who gives some of what it owns in the pool, where others keep
// all of it, and who takes some.
type pool struct {
	goods

	sharers int // how many members can have equal shares of each topic; 0: not all can

	// Who may give or take, those first that are asked first; with PerTopic,
	// all readers.
	readers []reader

	// What is decided on in the end: so many partitions of these owners, so
	// many for these members, and those that their owners keep.
	givers []giver
	needy  []taker
	spare  int // how many of the givers that may give one more do, or of such takers
	pinned map[[2]int32]bool
}

// reader is a member as a reader of a pool.
type reader struct {
	member       int32
	slot         int32 // with PerTopic
	gives, takes bool  // it may give, it may take
	out          int32 // arc from what may go to anybody, if it takes
}

// has tells whether partition p of one of the topics is in it.
func (x *goods) has(t *assignor.Topic, p int) bool {
	return !x.racked || rackOf(t, p) == x.rack
}

// rackOf returns the rack of a partition's leader, "" for an unknown one.
func rackOf(t *assignor.Topic, p int) string {
	if t.Racks == nil {
		return ""
	}
	return t.Racks[p]
}

// pin keeps a partition from being given.
func (x *pool) pin(topic, partition int32) {
	if x.pinned == nil {
		x.pinned = make(map[[2]int32]bool)
	}
	x.pinned[[2]int32{topic, partition}] = true
}
