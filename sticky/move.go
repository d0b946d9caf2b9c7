package sticky

import (
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// A mover finds, for known loads, the plans with the fewest partitions off their
// leader's rack, then the fewest moves: a flow of least cost from stocks of
// partitions to members, within slots for each topic and member with PerTopic.
// It counts partitions and does not tell them apart.
type mover struct {
	*planner
	ends
	stocks   []stock
	straight *block // if not nil, partitions go only from who has too many of all to who has too few
	near     *near  // if not nil, the network is of stocks near what is missing or left
	hints    bool

	// Room for connect.
	place   []int32 // by member: among the readers of a set
	readers []int32
	sites   []site
}

// A stock is goods with who owns how much of them.
type stock struct {
	goods
	set   *set
	free  int32   // partitions that no reader owns
	given int32   // those and what readers may give
	owned []int32 // by reader of the set
	sites []site  // readers that may give or take, those first that are asked first
}

// A site is a reader of a stock, and where it is in the network.
type site struct {
	member, slot int32
	owned        int32
	first, arcs  int32 // arcs that lead to it, the cheapest first
}

// move plans sets of topics whose readers are bound by slots or racks.
func (p *planner) move(sets []set, bands, slots []band) {
	x := p.newMover(sets, bands, slots)
	x.solve()
	x.finish()
}

// solveSets plans a block of several sets: partitions go straight from those who
// have too many to those who have too few or, where that does not do, through
// others, near ones if possible.
func (b *block) solveSets(holders, extra int) {
	before := make([]band, len(b.members))
	for i, m := range b.members {
		before[i] = b.bands[m]
	}
	b.narrow(holders, extra)
	x := b.newMover(b.sets, b.bands, nil)
	x.straight = b
	if !x.enough() || !x.solve() {
		for i, m := range b.members {
			b.bands[m] = before[i]
		}
		x.straight = nil
		x.near = x.around(b)
		if x.near == nil || !x.solve() {
			x.near = nil
			x.solve()
		}
	}
	x.finish()
}

// newMover makes the stocks, and starts the plan from those owners that may own.
func (p *planner) newMover(sets []set, bands, slots []band) *mover {
	x := &mover{planner: p, stocks: make([]stock, 0, len(sets))}
	x.members, x.bands, x.slots = len(p.g.Members), bands, slots
	x.place = slices.Repeat([]int32{assignor.None}, x.members)
	x.vacate(sets)
	readers := 0
	for _, s := range sets {
		x.hints = x.hints || hinted(p.g, s.topics)
		readers += len(s.readers)
	}
	room := make([]int32, readers)
	for i := range sets {
		s := &sets[i]
		first := len(x.stocks)
		x.open(s)
		stocks := x.stocks[first:]
		for i := range stocks {
			if len(room) < len(s.readers) {
				room = make([]int32, len(s.readers))
			}
			stocks[i].owned, room = room[:len(s.readers):len(s.readers)], room[len(s.readers):]
		}
		x.count(s, stocks)
	}
	return x
}

// open makes the stocks of a set: one, or one for each rack.
func (x *mover) open(s *set) {
	if !x.Racks {
		x.stocks = append(x.stocks, stock{goods: goods{topics: s.topics}, set: s})
		return
	}
	var racks []string
	for _, t := range s.topics {
		topic := &x.g.Topics[t]
		for p := range topic.Partitions {
			if rack := rackOf(topic, int(p)); !slices.Contains(racks, rack) {
				racks = append(racks, rack)
			}
		}
	}
	slices.Sort(racks)
	for _, rack := range racks {
		x.stocks = append(x.stocks, stock{goods: goods{topics: s.topics, racked: true, rack: rack}, set: s})
	}
}

// count counts what the readers of a set own in each of its stocks.
func (x *mover) count(s *set, stocks []stock) {
	for i, m := range s.readers {
		x.place[m] = int32(i)
	}
	for _, t := range s.topics {
		topic, row := &x.g.Topics[t], x.plan[t]
		for p := range row {
			at := &stocks[0]
			for i := 1; !at.has(topic, p); i++ {
				at = &stocks[i]
			}
			if m := topic.Owner(int32(p)); m != assignor.None && x.place[m] != assignor.None {
				at.owned[x.place[m]]++
				row[p] = m
			} else {
				at.free++
			}
		}
	}
	for _, m := range s.readers {
		x.place[m] = assignor.None
	}
}

// gives and takes tell what a member may do.
func (x *mover) gives(m int32) bool { return x.straight == nil || x.straight.own[m] > x.bands[m].low }
func (x *mover) takes(m int32) bool { return x.straight == nil || x.straight.own[m] < x.bands[m].high }

// enough tells whether what members have too much of, and what nobody owns, can do
// for those that need something: a quick way to see that straight moves do not.
func (x *mover) enough() bool {
	own := x.straight.own
	reach := make([]int32, len(own)) // by member: what it can get
	for i := range x.stocks {
		at := &x.stocks[i]
		give := at.free
		for j, m := range at.set.readers {
			give += max(0, min(at.owned[j], own[m]-x.bands[m].low))
		}
		for _, m := range at.set.readers {
			reach[m] += give
		}
	}
	for _, m := range x.straight.members {
		if own[m]+reach[m] < x.bands[m].low {
			return false
		}
	}
	return true
}

// solve makes the network, in which a move costs something and more than that to be
// off the leader's rack, and tells whether everything finds its place.
func (x *mover) solve() bool {
	// Without hints ranks say who gets one more; else a home may come first.
	x.ends = ends{members: x.members, bands: x.bands, slots: x.slots, ranked: !x.hints}
	switch {
	case x.straight != nil:
		x.fixed = make([]int32, x.members)
		for _, m := range x.straight.members {
			if !x.gives(m) {
				x.fixed[m] = x.straight.own[m]
			}
		}
	case x.near != nil:
		x.fixed = x.near.fixed
	}
	x.start()
	arcs := 2 * x.members
	for i := range x.stocks {
		at := &x.stocks[i]
		if at.given = 0; x.near != nil && !x.near.in[i] {
			continue
		}
		at.given = at.free
		more := 1 + len(at.owned)
		for j, n := range at.owned {
			if n > 0 && x.gives(at.set.readers[j]) {
				at.given += n
				more++
			}
		}
		if at.given > 0 {
			arcs += more
		}
	}
	x.net.expect(arcs)
	for i := range x.stocks {
		if at := &x.stocks[i]; at.given > 0 {
			x.connect(at)
		} else {
			at.sites = nil
		}
	}
	if x.near != nil {
		x.net.rim = x.near.rim()
	}
	return x.send()
}

// connect adds a stock to the network.
func (x *mover) connect(at *stock) {
	readers := x.readers[:0]
	for i, m := range at.set.readers {
		if at.owned[i] > 0 && x.gives(m) || x.takes(m) {
			x.place[m] = int32(i)
			readers = append(readers, m)
		}
	}
	x.readers = readers
	x.order(readers, at.topics[0])
	if len(x.sites) < len(readers) {
		x.sites = make([]site, max(len(readers), 2*len(x.stocks)))
	}
	at.sites, x.sites = x.sites[:len(readers):len(readers)], x.sites[len(readers):]
	node := x.net.node()
	arc := x.net.arc(x.source, node, int(at.given), 0)
	for i, m := range readers {
		s := &at.sites[i]
		*s = site{member: m, slot: at.set.slots + x.place[m]}
		if x.gives(m) {
			s.owned = at.owned[x.place[m]]
		}
		cost := int64(0)
		if at.racked && apart(at.rack, x.g.Members[m].Rack) {
			cost = x.middle
		}
		x.lay(node, s, cost)
		if cost == 0 && x.slotNodes == nil {
			x.keepMost(arc, s)
		}
	}
}

// lay adds arcs from a stock to one of its readers: what it keeps costs less than
// what it takes and, where slots are bound, the first of the two numbers that a
// slot may have less than the second. Only where the stocks of several racks
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
	if !x.takes(s.member) {
		high = s.owned
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

// keepMost has a reader keep what it owns as far as it must or may have as much
// anyway, which costs nothing: what is left for the flow to find is little. The arc
// is that of the supply.
func (x *mover) keepMost(arc int32, s *site) {
	left := s.owned
	if x.slots != nil {
		left = min(left, x.slots[s.slot].low)
	}
	for _, a := range [...]int32{x.musts[s.member], x.mays[s.member]} {
		if a < 0 || x.net.added[a].cost > 0 {
			continue
		}
		end := &x.net.added[a]
		if keep := min(left, end.room-end.carries); keep > 0 {
			x.net.carry(arc, keep)
			x.net.carry(s.first, keep)
			x.net.carry(a, keep)
			left -= keep
		}
	}
}

// finish turns the flow into a plan.
func (x *mover) finish() {
	if !x.hints {
		x.apply()
		return
	}
	pools := x.face()
	x.sendHome(pools, x.bands, x.slots)
	for _, p := range pools {
		x.deal(p, true)
	}
}

// apply has members give and take as many as the flow says, where all plans that it
// stands for are as good.
func (x *mover) apply() {
	var dealt pool
	for i := range x.stocks {
		at := &x.stocks[i]
		dealt.goods, dealt.givers, dealt.needy = at.goods, dealt.givers[:0], dealt.needy[:0]
		for _, s := range at.sites {
			has := int32(0)
			for a := range s.arcs {
				has += int32(x.net.carried(s.first + a))
			}
			switch {
			case has < s.owned:
				dealt.givers = append(dealt.givers, giver{member: s.member, left: s.owned - has})
			case has > s.owned:
				dealt.needy = append(dealt.needy, taker{member: s.member, need: has - s.owned})
			}
		}
		x.deal(&dealt, false)
	}
}

// face tells from the reduced costs what may be otherwise in flows of the same
// cost, and narrows everything else down to what it is.
func (x *mover) face() []*pool {
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
	leaves := make([]bool, x.members) // by member: it keeps nothing
	pools := make([]*pool, len(x.stocks))
	for i := range x.stocks {
		at := &x.stocks[i]
		pools[i] = &pool{goods: at.goods}
		any := false
		for _, s := range at.sites {
			low, high := x.span(&s)
			if x.slots != nil && !x.Racks {
				b := &x.slots[s.slot]
				b.low, b.high = low, high
			}
			r := reader{member: s.member, slot: s.slot, gives: low < s.owned && high > 0, takes: high > s.owned}
			if r.gives || r.takes || x.slots != nil {
				pools[i].readers = append(pools[i].readers, r)
			}
			leaves[s.member] = s.owned > 0 && high == 0
			any = any || leaves[s.member]
		}
		if any {
			for _, t := range at.topics {
				for p, m := range x.plan[t] {
					if m != assignor.None && leaves[m] && at.has(&x.g.Topics[t], p) {
						x.plan[t][p] = assignor.None
					}
				}
			}
		}
		for _, s := range at.sites {
			leaves[s.member] = false
		}
	}
	return pools
}

// span returns how much of its stock a reader has in flows of the same cost: of
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
