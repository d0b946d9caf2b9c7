package sticky

import (
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// A mover finds, for known loads, the plans with the fewest partitions off their
// leader's rack, then the fewest moves: a flow of least cost from pools of
// partitions to members, within slots for each topic and member with PerTopic.
// It counts partitions and does not tell them apart.
type mover struct {
	*planner
	ends
	sets  []set
	hints bool

	pools  []*pool
	supply []int32  // by pool
	sites  [][]site // by pool and reader, those first that are asked first
}

// site is a reader of a pool.
type site struct {
	member, slot int32
	owned        int32
	first, arcs  int32 // arcs that lead to it, the cheapest first
}

// move plans sets of topics whose readers may give each other only through
// others, or are bound by slots or racks.
func (p *planner) move(sets []set, bands, slots []band) {
	x := &mover{planner: p, ends: ends{members: len(p.g.Members), bands: bands, slots: slots}, sets: sets}
	for _, s := range sets {
		x.hints = x.hints || hinted(p.g, s.topics)
	}
	x.ranked = !x.hints // or a home may come first
	x.collect()
	x.build()
	x.send()
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
	x.vacate(x.sets)
	all := 0
	for _, s := range x.sets {
		all += len(s.readers)
	}
	slab := make([]site, all)
	reads := slices.Repeat([]int32{-1}, len(x.g.Members)) // by member: its place among the readers
	x.pools, x.sites = make([]*pool, 0, len(x.sets)), make([][]site, 0, len(x.sets))
	var readers []int32
	for _, s := range x.sets {
		for i, m := range s.readers {
			reads[m] = int32(i)
		}
		readers = append(readers[:0], s.readers...)
		x.order(readers, s.topics[0])
		first := len(x.pools)
		x.addPools(s)
		for range x.pools[first:] {
			if len(slab) < len(readers) {
				slab = make([]site, len(readers))
			}
			sites := slab[:len(readers):len(readers)]
			slab = slab[len(readers):]
			for j, m := range readers {
				sites[j] = site{member: m, slot: s.slots + reads[m]}
			}
			x.sites = append(x.sites, sites)
		}
		for j, m := range readers {
			reads[m] = int32(j)
		}
		for _, t := range s.topics {
			topic, row := &x.g.Topics[t], x.plan[t]
			for p := range row {
				at := first
				for !x.pools[at].has(topic, p) {
					at++
				}
				x.supply[at]++
				if m := topic.Owner(int32(p)); m != assignor.None && reads[m] >= 0 {
					row[p] = m
					x.sites[at][reads[m]].owned++
				}
			}
		}
		for _, m := range readers {
			reads[m] = -1
		}
	}
}

// addPools adds the pools of a set: one, or one for each rack.
func (x *mover) addPools(s set) {
	racks := []string{""}
	if x.Racks {
		racks = racks[:0]
		for _, t := range s.topics {
			topic := &x.g.Topics[t]
			for p := range topic.Partitions {
				if rack := rackOf(topic, int(p)); !slices.Contains(racks, rack) {
					racks = append(racks, rack)
				}
			}
		}
		slices.Sort(racks)
	}
	for _, rack := range racks {
		x.pools = append(x.pools, &pool{topics: s.topics, racked: x.Racks, rack: rack})
		x.supply = append(x.supply, 0)
	}
}

// build makes the network. What partitions cost is a move, and more than that to
// be off the leader's rack.
func (x *mover) build() {
	x.open()
	sites, owned := 0, 0
	for _, all := range x.sites {
		sites += len(all)
		for i := range all {
			if all[i].owned > 0 {
				owned++
			}
		}
	}
	x.net.expect(sites + owned + len(x.pools) + 2*x.members)
	for i, pool := range x.pools {
		node := x.net.node()
		x.net.arc(x.source, node, int(x.supply[i]), 0)
		for j := range x.sites[i] {
			cost := int64(0)
			if pool.racked && apart(pool.rack, x.g.Members[x.sites[i][j].member].Rack) {
				cost = x.middle
			}
			x.lay(node, &x.sites[i][j], cost)
		}
	}
}

// lay adds arcs from a pool to one of its readers: what it keeps costs less than
// what it takes and, where slots are bound, the first of the two numbers that a
// slot may have less than the second. Only where the pools of several racks
// share a slot does that have a node of its own.
func (x *mover) lay(node int32, s *site, cost int64) {
	low, high, end := int32(maxRoom), int32(maxRoom), int32(0)
	switch {
	case x.slots == nil:
		end = x.end(s.member)
	case x.Racks:
		end = x.slotEnd(s.slot, s.member)
	default:
		end = x.end(s.member)
		low, high = x.slots[s.slot].low, x.slots[s.slot].high
	}
	s.first = int32(len(x.net.added))
	for at := int32(0); at < high; {
		next, c := high, cost
		if at < s.owned {
			next = min(next, s.owned)
		} else {
			c += x.low
		}
		if at < low {
			next = min(next, low)
		} else {
			c += x.second
		}
		x.net.arc(node, end, int(next-at), c)
		s.arcs++
		at = next
	}
}

// apply sets what pools' members give and take, where all plans that this flow
// stands for are as good.
func (x *mover) apply() {
	for i, pool := range x.pools {
		for j := range x.sites[i] {
			s := &x.sites[i][j]
			has := int32(0)
			for a := range s.arcs {
				has += int32(x.net.carried(s.first + a))
			}
			switch {
			case has < s.owned:
				pool.givers = append(pool.givers, giver{member: s.member, left: s.owned - has})
			case has > s.owned:
				pool.needy = append(pool.needy, taker{member: s.member, need: has - s.owned})
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
	leaves := make([]bool, len(x.g.Members)) // by member: it keeps nothing
	for i, pool := range x.pools {
		any := false
		for j := range x.sites[i] {
			s := &x.sites[i][j]
			low, high := x.span(s)
			if x.slots != nil && !x.Racks {
				b := &x.slots[s.slot]
				b.low, b.high = low, high
			}
			r := reader{member: s.member, slot: s.slot, gives: low < s.owned && high > 0, takes: high > s.owned}
			if r.gives || r.takes || x.slots != nil {
				pool.readers = append(pool.readers, r)
			}
			leaves[s.member] = high == 0
			any = any || high == 0 && s.owned > 0
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

// span returns how much of its pool a reader has in flows of the same cost: of
// no arc but one can they use more or less than this one does.
func (x *mover) span(s *site) (low, high int32) {
	for a := range s.arcs {
		switch c, room := x.net.reduced(s.first+a), x.net.added[s.first+a].room; {
		case c < 0:
			low += room
			high += room
		case c == 0:
			high += room
		}
	}
	return low, high
}
