package sticky

import (
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// A mover finds, for known loads, the plans with the fewest partitions off their
// leader's rack, then the fewest moves: a flow of least cost from pools of
// partitions to members, through slots for each topic and member with PerTopic.
// It counts partitions and does not tell them apart.
type mover struct {
	*planner
	ends
	sets  []set
	hints bool

	pools  []*pool
	owned  [][]int32 // by pool and taker
	supply []int32   // by pool
	sites  [][]site  // by pool and reader
}

// site is a reader of a pool, with the arcs that lead to it.
type site struct{ member, keep, take int32 }

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
	readers := 0
	for _, s := range x.sets {
		readers += len(s.readers)
	}
	takers, owned := make([]int32, readers), make([]int32, readers)
	reads := slices.Repeat([]int32{-1}, len(x.g.Members)) // by member: its place among the readers
	x.pools = make([]*pool, 0, len(x.sets))
	pools := make([]pool, len(x.sets))
	for i, s := range x.sets {
		n := len(s.readers)
		pools[i] = pool{topics: s.topics, racked: x.Racks, takers: takers[:n:n]}
		takers = takers[n:]
		copy(pools[i].takers, s.readers)
		x.order(pools[i].takers, s.topics[0])
		for j, m := range pools[i].takers {
			reads[m] = int32(j)
		}
		first := len(x.pools)
		x.addPools(&pools[i])
		for range x.pools[first:] {
			if len(owned) < n {
				owned = make([]int32, n)
			}
			x.owned, owned = append(x.owned, owned[:n]), owned[n:]
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
					x.owned[at][reads[m]]++
				}
			}
		}
		for _, m := range s.readers {
			reads[m] = -1
		}
	}
}

// addPools adds the pools of a set: one, or one for each rack.
func (x *mover) addPools(first *pool) {
	x.pools, x.supply = append(x.pools, first), append(x.supply, 0)
	if !x.Racks {
		return
	}
	racks := []string{""}
	for _, t := range first.topics {
		for _, rack := range x.g.Topics[t].Racks {
			if !slices.Contains(racks, rack) {
				racks = append(racks, rack)
			}
		}
	}
	slices.Sort(racks)
	for _, rack := range racks[1:] {
		another := *first
		another.rack = rack
		x.pools, x.supply = append(x.pools, &another), append(x.supply, 0)
	}
}

// build makes the network. What partitions cost is a move, and more than that to
// be off the leader's rack.
func (x *mover) build() {
	x.open()
	all := 0
	for _, pool := range x.pools {
		all += len(pool.takers)
	}
	slab := make([]site, all)
	for _, owned := range x.owned {
		for _, n := range owned {
			if n > 0 {
				all++
			}
		}
	}
	x.net.expect(all + len(x.pools) + 2*x.members + 2*len(x.slots))
	for i, pool := range x.pools {
		node := x.net.node()
		x.net.arc(x.source, node, int(x.supply[i]), 0)
		sites := slab[:len(pool.takers)]
		slab = slab[len(sites):]
		// The arcs added last are tried first.
		for j := len(sites) - 1; j >= 0; j-- {
			m := pool.takers[j]
			end := x.end(pool.topics[0], m)
			cost := int64(0)
			if pool.racked && apart(pool.rack, x.g.Members[m].Rack) {
				cost = x.middle
			}
			s := site{member: m, keep: -1}
			s.take = x.net.arc(node, end, maxRoom, cost+x.low)
			if n := x.owned[i][j]; n > 0 {
				s.keep = x.net.arc(node, end, int(n), cost)
			}
			sites[j] = s
		}
		x.sites = append(x.sites, sites)
	}
}

// apply sets what pools' members give and take, where all plans that this flow
// stands for are as good.
func (x *mover) apply() {
	for i, pool := range x.pools {
		for j, s := range x.sites[i] {
			if s.keep >= 0 {
				if gone := x.owned[i][j] - int32(x.net.carried(s.keep)); gone > 0 {
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
