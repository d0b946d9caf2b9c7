package sticky

import "slices"

// A near is the stocks around what is missing and what is left. Where subscriptions
// are in a chain, say, a change at one end shifts partitions only as far as there is
// somebody to take from or give to, and building all of the network would take most
// of the time.
//
// A flow there is one of least cost in the whole network too, as long as no search
// settles a member that reads something else besides. Whatever lies beyond keeps what
// it has, at no cost: everybody there is within its band, everything has an owner,
// and without hints nobody has a rank. A path that ended before it got there could
// not have been shorter through it.
type near struct {
	x     *mover
	b     *block
	reads places
	in    []bool  // by stock
	count int     // of stocks
	fixed []int32 // by member: what it owns of others, nothing if it is out of its band
}

// fewStocks is up to how many stocks the whole network is made at once: to find out
// what is near costs as much.
const fewStocks = 16

// around finds what is near; nil: a network of that is hardly less than the whole,
// or there are warm lists or homes, which may make a difference anywhere.
func (x *mover) around(b *block) *near {
	if x.hints || len(x.stocks) <= fewStocks {
		return nil
	}
	n := &near{x: x, b: b, reads: placesOf(x.members, b.sets), in: make([]bool, len(x.stocks))}
	missing, left := int32(0), int32(0)
	var to, from []int32 // stocks that what is missing may come from, that what is left is of
	for _, m := range b.members {
		own, low, high := b.own[m], b.bands[m].low, b.bands[m].high
		if own < low {
			missing += low - own
			to = n.readBy(to, m)
		}
		if own > high {
			left += own - high
			from = n.readBy(from, m)
		}
	}
	for i := range x.stocks {
		if free := x.stocks[i].free; free > 0 {
			left += free
			from = append(from, int32(i))
		}
	}
	if !n.spread(to, missing, false) || !n.spread(from, left, true) {
		return nil
	}
	n.fixed = slices.Clone(b.own)
	for i, in := range n.in {
		if at := &x.stocks[i]; in {
			for j, m := range at.set.readers {
				n.fixed[m] -= at.owned[j]
			}
		}
	}
	return n
}

// readBy appends the stocks that a member reads.
func (n *near) readBy(stocks []int32, m int32) []int32 {
	for _, at := range n.reads.of(m) {
		stocks = append(stocks, at.set)
	}
	return stocks
}

// spread takes in stocks, then those that the members found there read, and so on,
// until these members seem to have enough to give, where units are missing, or room
// enough, where units are left and to go along the flow. It then goes one step
// further, for that is a guess: a member may own enough and little of the stock in
// question. It gives up where it takes in most of all stocks.
func (n *near) spread(stocks []int32, units int32, along bool) bool {
	met := make([]bool, n.x.members)
	seen := make([]bool, len(n.x.stocks))
	enough := false
	for {
		var found []int32
		for _, s := range stocks {
			if seen[s] {
				continue
			}
			seen[s] = true
			if !n.in[s] {
				n.in[s] = true
				n.count++
			}
			at := &n.x.stocks[s]
			if !along {
				units -= at.free
			}
			for i, m := range at.set.readers {
				if met[m] || !along && at.owned[i] == 0 {
					continue
				}
				met[m] = true
				found = append(found, m)
				if along {
					units -= max(0, n.b.bands[m].high-n.b.own[m])
				} else {
					units -= max(0, n.b.own[m]-n.b.bands[m].low)
				}
			}
		}
		if 2*n.count > len(n.x.stocks) {
			return false
		}
		if enough || len(found) == 0 {
			return true
		}
		enough = units <= 0
		stocks = stocks[:0]
		for _, m := range found {
			stocks = n.readBy(stocks, m)
		}
	}
}

// rim tells by node whether it is of a member that reads something else.
func (n *near) rim() []bool {
	rim := make([]bool, n.x.net.nodes)
	for m, v := range n.x.nodes {
		if v >= 0 {
			rim[v] = slices.ContainsFunc(n.reads.of(int32(m)), func(at place) bool { return !n.in[at.set] })
		}
	}
	return rim
}
