package sticky

import (
	"cmp"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// A homing finds, among the plans with the least loads and the fewest moves,
// one with most partitions warm, and most at home among those. It is a flow like
// that of move.go, in which each partition that is worth something to somebody
// who may take it goes its own way; the others go in numbers.
type homing struct {
	*planner
	ends
	pools   []*pool
	bundles []bundle
	alike   map[alike]int32 // into bundles
	room    []int32         // for wanted
	numbers []number
}

// number is so many partitions of one owner that are worth something to nobody
// else, and the same to the owner.
type number struct {
	pool   int32
	owner  int32 // or None
	worth  worth
	count  int32
	others int32 // arc: to anybody
}

// sendHome decides on the partitions that warm lists and homes say something
// of, and sets for each pool how many of the others are given and taken.
func (p *planner) sendHome(pools []*pool, bands []band, slots []band) {
	h := &homing{planner: p, ends: ends{members: len(p.g.Members), bands: bands, slots: slots, ranked: true}, pools: pools}
	h.sort()
	h.rankByMissing()
	h.build()
	h.send()
	h.apply()
}

// sort tells partitions that stay in any case from bundles and numbers.
func (h *homing) sort() {
	members := len(h.g.Members)
	h.fixed = make([]int32, members)
	if h.slots != nil {
		h.slotFixed = make([]int32, len(h.slots))
	}
	index := make([]int32, (members+1)*worths) // into numbers, + 1; the last for nobody
	for i, x := range h.pools {
		clear(index)
		for _, t := range x.topics {
			topic := &h.g.Topics[t]
			for p, o := range h.plan[t] {
				if !x.has(topic, p) {
					continue
				}
				if o != assignor.None && !x.gives[o] {
					h.fixed[o]++
					if h.slots != nil {
						h.slotFixed[t*members+int(o)]++
					}
					continue
				}
				at, w := members, worth(0)
				if o != assignor.None {
					at, w = int(o), worthOf(topic, p, o)
				}
				if wanted := h.wanted(x, topic, p, o); len(wanted) > 0 {
					h.bundle(int32(i), part{int32(t), int32(p)}, o, w, wanted)
					continue
				}
				n := &index[at*worths+int(w)]
				if *n == 0 {
					h.numbers = append(h.numbers, number{pool: int32(i), owner: o, worth: w})
					*n = int32(len(h.numbers))
				}
				h.numbers[*n-1].count++
			}
		}
	}
}

// rankByMissing puts those first, among equals in rank, that have most homes
// elsewhere: whoever could not take all of its own home once is the first to be
// given one more than others.
func (h *homing) rankByMissing() {
	missing := make([]int32, len(h.g.Members))
	for _, x := range h.pools {
		for _, t := range x.topics {
			topic := &h.g.Topics[t]
			for p, m := range topic.Homes {
				if m != assignor.None && topic.Owner(int32(p)) != m {
					missing[m]++
				}
			}
		}
	}
	var order []int32
	for m := range h.bands {
		if b := &h.bands[m]; b.high > b.low {
			order = append(order, int32(m))
		}
	}
	compare := func(a, b int32) int {
		return cmp.Or(cmp.Compare(h.bands[a].rank, h.bands[b].rank), cmp.Compare(missing[b], missing[a]))
	}
	slices.SortFunc(order, compare)
	rank := int32(0)
	for i, m := range order {
		next := rank
		if i+1 < len(order) && compare(m, order[i+1]) != 0 {
			next++
		}
		h.bands[m].rank, rank = rank, next
	}
}

// wanted returns to whom that may take it a partition is worth something, until
// it is called again.
func (h *homing) wanted(x *pool, t *assignor.Topic, p int, owner int32) []int32 {
	members := h.room[:0]
	if t.Warm != nil {
		for _, m := range t.Warm[p] {
			if m != owner && x.takes[m] {
				members = append(members, m)
			}
		}
	}
	if t.Homes != nil {
		if m := t.Homes[p]; m != assignor.None && m != owner && x.takes[m] && !slices.Contains(members, m) {
			members = append(members, m)
		}
	}
	h.room = members
	return members
}

// cost is of a partition that is worth w where it goes.
func (h *homing) cost(w worth) (c int64) {
	if w&atHome == 0 {
		c += h.low
	}
	if w&isWarm == 0 {
		c += h.middle
	}
	return c
}

// build makes the network. What partitions cost is not to be at home, and more
// than that not to be warm.
func (h *homing) build() {
	h.open()
	hubs := h.net.nodes(len(h.pools))
	for i, x := range h.pools {
		x.out = make([]int32, len(x.takers))
		for j := len(x.takers) - 1; j >= 0; j-- { // the arcs added last are tried first
			x.out[j] = h.net.arc(hubs+int32(i), h.end(x.topics[0], x.takers[j]), maxRoom, 0)
		}
	}
	for i := range h.numbers {
		n := &h.numbers[i]
		hub := hubs + n.pool
		if n.owner == assignor.None {
			h.net.arc(h.source, hub, int(n.count), h.cost(0))
			continue
		}
		node := h.net.node()
		h.net.arc(h.source, node, int(n.count), 0)
		n.others = h.net.arc(node, hub, int(n.count), h.cost(0))
		h.net.arc(node, h.end(h.pools[n.pool].topics[0], n.owner), int(n.count), h.cost(n.worth))
	}
	for i := range h.bundles {
		b := &h.bundles[i]
		topic, p, n := &h.g.Topics[b.parts[0].topic], int(b.parts[0].partition), len(b.parts)
		x := h.pools[b.pool]
		node := h.net.node()
		h.net.arc(h.source, node, n, 0)
		h.net.arc(node, hubs+b.pool, n, h.cost(0))
		if b.owner != assignor.None {
			b.keep = h.net.arc(node, h.end(x.topics[0], b.owner), n, h.cost(worthOf(topic, p, b.owner)))
		}
		b.first = int32(len(h.net.arcs))
		for _, m := range b.members { // takers, whose ends are there
			h.net.arc(node, h.end(x.topics[0], m), n, h.cost(worthOf(topic, p, m)))
		}
	}
}

// apply puts bundles into the plan, and numbers into the pools.
func (h *homing) apply() {
	for i := range h.bundles {
		h.unpack(&h.bundles[i])
	}
	for i := range h.numbers {
		n := &h.numbers[i]
		if n.owner == assignor.None {
			continue
		}
		if left := h.net.carried(n.others); left > 0 {
			x := h.pools[n.pool]
			x.givers = append(x.givers, giver{member: n.owner, worth: n.worth, left: int32(left)})
		}
	}
	for _, x := range h.pools {
		for i, m := range x.takers {
			if need := h.net.carried(x.out[i]); need > 0 {
				x.needy = append(x.needy, taker{member: m, need: int32(need)})
			}
		}
	}
}
