package sticky

import (
	"cmp"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// A homing finds, among the plans with the least loads and the fewest moves,
// one with most partitions warm, and most at home among those. It is a flow like
// that of move.go, in which partitions that are worth something to somebody who
// may take them go in bundles; the others go in numbers.
type homing struct {
	*planner
	ends
	pools   []*pool
	bundles []bundle
	alike   map[string]int32 // into bundles
	key     []byte           // room for a key of alike
	room    []want           // room for wanted
	numbers []number
}

// number is so many partitions of one owner that are worth something to nobody
// else, and the same to the owner.
type number struct {
	pool   int32
	owner  int32 // its place among the pool's readers, or None
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
	place := slices.Repeat([]int32{assignor.None}, members) // by member: among the pool's readers
	var index []int32                                       // by reader and worth: into numbers, + 1; the first are for nobody
	for i, x := range h.pools {
		for j := range x.readers {
			place[x.readers[j].member] = int32(j)
		}
		index = slices.Grow(index[:0], (len(x.readers)+1)*worths)[:(len(x.readers)+1)*worths]
		clear(index)
		for _, t := range x.topics {
			topic := &h.g.Topics[t]
			for p, m := range h.plan[t] {
				if !x.has(topic, p) {
					continue
				}
				owner, w := assignor.None, worth(0)
				if m != assignor.None {
					owner = place[m]
					if owner == assignor.None || !x.readers[owner].gives {
						h.fixed[m]++
						if h.slots != nil {
							h.slotFixed[x.readers[owner].slot]++
						}
						continue
					}
					w = worthOf(topic, p, m)
				}
				if wanted := h.wanted(x, topic, p, m, place); len(wanted) > 0 {
					h.bundle(int32(i), part{int32(t), int32(p)}, owner, w, wanted)
					continue
				}
				n := &index[int(owner+1)*worths+int(w)]
				if *n == 0 {
					h.numbers = append(h.numbers, number{pool: int32(i), owner: owner, worth: w})
					*n = int32(len(h.numbers))
				}
				h.numbers[*n-1].count++
			}
		}
		for j := range x.readers {
			place[x.readers[j].member] = assignor.None
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
				if m != assignor.None && topic.Owner(int32(p)) != m && x.has(topic, p) {
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

// A want is a member that may take a partition which is worth something to it.
type want struct {
	reader int32 // its place among the pool's readers
	worth  worth
}

// wanted returns to whom but its owner that may take it a partition is worth
// something, until it is called again.
func (h *homing) wanted(x *pool, t *assignor.Topic, p int, owner int32, place []int32) []want {
	wanted := h.room[:0]
	add := func(m int32, w worth) {
		if r := place[m]; m != owner && r != assignor.None && x.readers[r].takes {
			wanted = append(wanted, want{r, w})
		}
	}
	home := assignor.None
	if t.Homes != nil {
		home = t.Homes[p]
	}
	if t.Warm != nil {
		for _, m := range t.Warm[p] {
			if m == home {
				add(m, isWarm|atHome)
				home = assignor.None
			} else {
				add(m, isWarm)
			}
		}
	}
	if home != assignor.None {
		add(home, atHome)
	}
	h.room = wanted
	return wanted
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
	h.start()
	hubs := h.net.row(len(h.pools))
	for i, x := range h.pools {
		for j := range x.readers { // the ends of those first that are asked first
			if r := &x.readers[j]; r.takes {
				r.out = h.net.arc(hubs+int32(i), h.slotEnd(r.slot, r.member), maxRoom, 0)
			} else if r.gives {
				h.slotEnd(r.slot, r.member)
			}
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
		h.net.arc(node, h.endOf(n.pool, n.owner), int(n.count), h.cost(n.worth))
	}
	for i := range h.bundles {
		b := &h.bundles[i]
		node, n := h.net.node(), len(b.parts)
		h.net.arc(h.source, node, n, 0)
		h.net.arc(node, hubs+b.pool, n, h.cost(0))
		if b.owner != assignor.None {
			b.keep = h.net.arc(node, h.endOf(b.pool, b.owner), n, h.cost(b.kept))
		}
		b.first = int32(len(h.net.added))
		for _, w := range b.wanted { // takers, whose ends are there
			h.net.arc(node, h.endOf(b.pool, w.reader), n, h.cost(w.worth))
		}
	}
}

// endOf returns the end of a reader of a pool.
func (h *homing) endOf(pool, i int32) int32 {
	r := &h.pools[pool].readers[i]
	return h.slotEnd(r.slot, r.member)
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
			x.givers = append(x.givers, giver{member: x.readers[n.owner].member, worth: n.worth, left: int32(left)})
		}
	}
	for _, x := range h.pools {
		for _, r := range x.readers {
			if !r.takes {
				continue
			}
			if need := h.net.carried(r.out); need > 0 {
				x.needy = append(x.needy, taker{member: r.member, need: int32(need)})
			}
		}
	}
}
