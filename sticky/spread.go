package sticky

import "slices"

// small is up to how many arcs the network has that spreads topics.
const small = 4096

// spreads tells whether there is anything to spread that deal may have done badly: in
// a fresh group it does it well, or it would take too long, or members have no
// equal shares of topics.
func (d *dealer) spreads() bool {
	if d.weighted || d.sharers == 0 || len(d.topics) < 2 || d.nothingOwned() {
		return false
	}
	arcs := 0
	for _, x := range d.givers {
		arcs += int(x.left) + 1
	}
	for _, x := range d.takers {
		arcs += int(x.need) + 1
	}
	return arcs*len(d.topics) <= small
}

// nothingOwned tells whether nobody has any of the pool.
func (d *dealer) nothingOwned() bool {
	for t, topic := range d.topics {
		if d.free[t] != d.g.Topics[topic].Partitions {
			return false
		}
	}
	return true
}

// uneven tells whether a giver or taker has more or less of a topic than its
// share of it.
func (d *dealer) uneven() bool {
	for t, topic := range d.topics {
		n := int(d.g.Topics[topic].Partitions)
		low := int32(n / d.sharers)
		high := int32((n + d.sharers - 1) / d.sharers)
		for _, has := range d.count[t*d.columns : (t+1)*d.columns] {
			if has < low || has > high {
				return true
			}
		}
	}
	return false
}

// spread decides anew on how much of which topic is given and taken, so that the
// sum of the squares of what givers and takers have of each topic is the least
// possible: one topic after the other, as deal does it, can end with the wrong
// ones left for the last. Nothing has been dealt yet.
func (d *dealer) spread() {
	var (
		net    network
		source = net.node()
		must   = net.node() // what takers need
		may    = net.node() // what some take beyond
		spare  = net.node() // what some give beyond
		topics = net.row(len(d.topics))
		give   = make([]ladder, len(d.give))
		take   = make([]ladder, len(d.take))
		most   = slices.Max(d.count)
	)
	for t, n := range d.free {
		net.arc(source, topics+int32(t), int(n), 0)
	}
	for i, x := range d.givers {
		node := net.node()
		net.arc(source, node, int(x.left), 0)
		limit := x.left
		if x.may {
			net.arc(spare, node, 1, 0)
			limit++
		}
		for t := range d.topics {
			at := t*len(d.givers) + i
			has := d.count[t*d.columns+int(x.column)]
			// The first of n that are given saves 2n-1, the next 2n-3 and so on.
			give[at] = net.ladder(node, topics+int32(t), min(limit, d.leftOf(t, int32(i))), 2*int64(most-has)+1)
		}
	}
	if slices.ContainsFunc(d.givers, func(x giver) bool { return x.may }) {
		net.arc(source, spare, d.spare, 0)
	}
	for i, x := range d.takers {
		node := net.node()
		net.arc(node, must, int(x.need), 0)
		limit := x.need
		if x.may {
			net.arc(node, may, 1, 0)
			limit++
		}
		for t := range d.topics {
			at := t*len(d.takers) + i
			// One more than n costs 2n+1, the next 2n+3 and so on.
			take[at] = net.ladder(topics+int32(t), node, limit, 2*int64(d.count[t*d.columns+d.first+i])+1)
		}
	}
	net.send(source, must)
	net.send(source, may)
	for at, l := range give {
		d.give[at] = net.climbed(l)
	}
	for at, l := range take {
		d.take[at] = net.climbed(l)
	}
}
