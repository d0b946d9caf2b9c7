package sticky

import "slices"

// A near is the stocks around what is missing and what is left. Where subscriptions
// are in a chain, say, a change at one end shifts partitions only as far as there is
// somebody to take from or give to, and building all of the network would take most
// of the time.
//
// A flow there is one of least cost in the whole network too, as long as no search
// settles a member that reads something else besides: what is farther away than the
// ends of the shortest path makes no difference to it, and keeps what it has, which
// costs nothing.
type near struct {
	*mover
	b     *block
	reads places
	in    []bool  // by stock
	count int     // of stocks
	fixed []int32 // by member: what it owns of others
}

// around finds what is near; nil: a network of that is hardly less than the whole,
// or there are warm lists or homes, which may make a difference anywhere.
func (x *mover) around(b *block) *near {
	if x.hints {
		return nil
	}
	n := &near{mover: x, b: b, reads: placesOf(x.members, b.sets), in: make([]bool, len(x.stocks))}
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

// spread takes in stocks, then those that their readers read and so on, until as
// much can be given by, or along the flow to, members found so far. It gives up
// where it takes in most of all.
func (n *near) spread(stocks []int32, units int32, along bool) bool {
	met := make([]bool, n.members)
	seen := make([]bool, len(n.stocks))
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
			at := &n.stocks[s]
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
		if 2*n.count > len(n.stocks) {
			return false
		}
		if units <= 0 || len(found) == 0 {
			return true
		}
		stocks = stocks[:0]
		for _, m := range found {
			stocks = n.readBy(stocks, m)
		}
	}
}

// rim tells by node whether it is of a member that reads something else.
func (n *near) rim() []bool {
	rim := make([]bool, n.net.nodes)
	for m, v := range n.nodes {
		if v >= 0 {
			rim[v] = slices.ContainsFunc(n.reads.of(int32(m)), func(at place) bool { return !n.in[at.set] })
		}
	}
	return rim
}
