package sticky

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

// A mover finds, for known loads, the plans with the fewest partitions off their
// leader's rack, then the fewest moves: a flow of least cost from pools of
// partitions to members, through slots for each topic and member with PerTopic.
// It counts partitions and does not tell them apart.
type mover struct {
	*planner
	sets  []set
	bands []band // by member
	slots []band // by topic and member, with PerTopic
	hints bool

	pools  []*pool
	owned  [][]int32 // by pool and member
	supply []int32   // by pool
	sites  [][]site  // by pool and reader

	net       network
	source    int32
	must, may int32
	nodes     []int32 // by member
	mays      []int32 // by member: the arc to may, or -1
	slotNodes []int32 // by topic and member
	seconds   []int32 // by topic and member: the arc of the second number, or -1
}

// site is a reader of a pool, with the arcs that lead to it.
type site struct{ member, keep, take int32 }

// move plans sets of topics whose readers may give each other only through
// others, or are bound by slots or racks.
func (p *planner) move(sets []set, bands, slots []band) {
	x := &mover{planner: p, sets: sets, bands: bands, slots: slots}
	for _, s := range sets {
		x.hints = x.hints || hinted(p.g, s.topics)
	}
	x.collect()
	x.build()
	x.net.send(x.source, x.must)
	x.net.send(x.source, x.may)
	if x.hints {
		x.face()
		p.sendHome(x.pools, bands, slots)
	} else {
		x.apply()
	}
	for _, pool := range x.pools {
		p.deal(pool, x.hints)
	}
}

// collect makes the pools, and starts the plan from those owners that may own.
func (x *mover) collect() {
	members := len(x.g.Members)
	reads := make([]bool, members)
	for _, s := range x.sets {
		for _, m := range s.readers {
			reads[m] = true
		}
		first := len(x.pools)
		x.addPools(s)
		for _, t := range s.topics {
			topic := &x.g.Topics[t]
			row := make([]int32, topic.Partitions)
			x.plan[t] = row
			for p := range row {
				at := first
				for !x.pools[at].has(topic, p) {
					at++
				}
				x.supply[at]++
				if row[p] = topic.Owner(int32(p)); row[p] == assignor.None {
					continue
				}
				if !reads[row[p]] {
					row[p] = assignor.None
					continue
				}
				x.owned[at][row[p]]++
			}
		}
		for _, m := range s.readers {
			reads[m] = false
		}
	}
}

// addPools adds the pools of a set: one, or one for each rack.
func (x *mover) addPools(s set) {
	racks := []string{""}
	for _, t := range s.topics {
		if x.Racks {
			for _, rack := range x.g.Topics[t].Racks {
				if !slices.Contains(racks, rack) {
					racks = append(racks, rack)
				}
			}
		}
	}
	slices.Sort(racks)
	// Who scores highest takes first where there is a choice.
	key := x.topicKey(s.topics[0])
	takers := slices.Clone(s.readers)
	slices.SortFunc(takers, func(a, b int32) int {
		return cmp.Or(cmp.Compare(hash.Score(key, x.hashes()[b]), hash.Score(key, x.hashes()[a])), cmp.Compare(a, b))
	})
	for _, rack := range racks {
		x.pools = append(x.pools, &pool{topics: s.topics, rack: rack, racked: x.Racks, takers: takers})
		x.owned = append(x.owned, make([]int32, len(x.g.Members)))
		x.supply = append(x.supply, 0)
	}
}

// build makes the network. Costs are digits, from the lowest: rank for one more
// than others have, which only decides where no home may come before it; a move;
// off the leader's rack; and the second of two numbers that a slot may have, so
// that every slot gets the first.
func (x *mover) build() {
	members := len(x.g.Members)
	ranks := int32(0)
	for _, b := range x.bands {
		ranks = max(ranks, b.rank)
	}
	// A path changes the owner of at most one partition for each member or slot.
	moved := int64(1) << bits.Len(uint(2*(ranks+1)))
	base := bits.Len(uint(4 * (members + len(x.slots) + 2)))
	off := moved << base
	second := off << base

	x.source, x.must, x.may = x.net.node(), x.net.node(), x.net.node()
	x.nodes = slices.Repeat([]int32{-1}, members)
	x.mays = slices.Repeat([]int32{-1}, members)
	if x.slots != nil {
		x.slotNodes = slices.Repeat([]int32{-1}, len(x.slots))
		x.seconds = slices.Repeat([]int32{-1}, len(x.slots))
	}
	for i, pool := range x.pools {
		node := x.net.node()
		x.net.arc(x.source, node, int(x.supply[i]), 0)
		sites := make([]site, len(pool.takers))
		// The arcs added last are tried first.
		for j := len(sites) - 1; j >= 0; j-- {
			m := pool.takers[j]
			end := x.end(pool.topics[0], m, second)
			cost := int64(0)
			if rack := x.g.Members[m].Rack; pool.racked && pool.rack != "" && rack != "" && rack != pool.rack {
				cost = off
			}
			s := site{member: m, keep: -1}
			s.take = x.net.arc(node, end, maxRoom, cost+moved)
			if n := x.owned[i][m]; n > 0 {
				s.keep = x.net.arc(node, end, int(n), cost)
			}
			sites[j] = s
		}
		x.sites = append(x.sites, sites)
	}
}

// end returns the node of a member, or of its slot in a topic.
func (x *mover) end(topic int, m int32, second int64) int32 {
	if x.nodes[m] < 0 {
		x.nodes[m] = x.net.node()
		b := &x.bands[m]
		x.net.arc(x.nodes[m], x.must, int(b.low), 0)
		if b.high > b.low {
			rank := int64(b.rank)
			if x.hints {
				rank = 0
			}
			x.mays[m] = x.net.arc(x.nodes[m], x.may, int(b.high-b.low), rank)
		}
	}
	if x.slots == nil {
		return x.nodes[m]
	}
	at := topic*len(x.g.Members) + int(m)
	if x.slotNodes[at] < 0 {
		x.slotNodes[at] = x.net.node()
		b := &x.slots[at]
		x.net.arc(x.slotNodes[at], x.nodes[m], int(b.low), 0)
		if b.high > b.low {
			x.seconds[at] = x.net.arc(x.slotNodes[at], x.nodes[m], int(b.high-b.low), second)
		}
	}
	return x.slotNodes[at]
}

// apply sets what pools' members give and take, where all plans that this flow
// stands for are as good.
func (x *mover) apply() {
	for i, pool := range x.pools {
		for _, s := range x.sites[i] {
			if s.keep >= 0 {
				if gone := x.owned[i][s.member] - int32(x.net.carried(s.keep)); gone > 0 {
					pool.givers = append(pool.givers, giver{member: s.member, left: gone})
				}
			}
			if need := x.net.carried(s.take); need > 0 {
				pool.needy = append(pool.needy, taker{member: s.member, need: int32(need)})
			}
		}
	}
}

// face tells from the reduced costs what may be otherwise in flows of the same
// cost, and narrows everything else down to what it is.
func (x *mover) face() {
	narrow := func(b *band, a int32) {
		if a < 0 {
			return
		}
		switch c := x.net.reduced(a); {
		case c < 0:
			b.low = b.high
		case c > 0:
			b.high = b.low
		}
	}
	for m, a := range x.mays {
		narrow(&x.bands[m], a)
	}
	for at, a := range x.seconds {
		narrow(&x.slots[at], a)
	}
	for i, pool := range x.pools {
		flags := make([]bool, 3*len(x.g.Members))
		cut := func() (part []bool) {
			part, flags = flags[:len(x.g.Members)], flags[len(x.g.Members):]
			return part
		}
		leaves := cut() // keeps nothing
		pool.gives, pool.takes = cut(), cut()
		all := pool.takers
		pool.takers = nil
		any := false
		for j, m := range all {
			s := x.sites[i][j]
			if s.keep >= 0 {
				c := x.net.reduced(s.keep)
				pool.gives[m] = c == 0
				leaves[m] = c > 0
				any = any || leaves[m]
			}
			if x.net.reduced(s.take) == 0 {
				pool.takes[m] = true
				pool.takers = append(pool.takers, m)
			}
		}
		if !any {
			continue
		}
		for _, t := range pool.topics {
			for p, m := range x.plan[t] {
				if m != assignor.None && leaves[m] && pool.has(&x.g.Topics[t], p) {
					x.plan[t][p] = assignor.None
				}
			}
		}
	}
}
