package sticky

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// start has everybody keep what it owns, as far as its slots allow, and hands
// out the rest.
func (l *leveler) start() (settled bool) {
	settled = true
	members := len(l.g.Members)
	l.slots = l.topicQuotas(l.sets)
	own := make([]int32, members)
	l.flow = make([][]int32, len(l.sets))
	slab := make([]int32, l.readers())
	for s := range l.sets {
		x := &l.sets[s]
		flow := slab[:len(x.readers):len(x.readers)]
		l.flow[s], slab = flow, slab[len(flow):]
		left := int32(x.partitions(l.g))
		for _, t := range x.topics {
			for _, m := range l.g.Topics[t].Owners {
				if m != assignor.None {
					own[m]++
				}
			}
		}
		for i, m := range x.readers {
			flow[i] = own[m]
			own[m] = 0
			if l.slots != nil {
				b := l.slots[int(x.slots)+i]
				if c := min(max(flow[i], b.low), b.high); c != flow[i] {
					flow[i], settled = c, false
				}
			}
			left -= flow[i]
			l.load[m] += flow[i]
		}
		if left != 0 {
			settled = false
		}
		l.fill(s, left)
	}
	return settled
}

// readers returns how many there are in all sets.
func (l *leveler) readers() (n int) {
	for _, x := range l.sets {
		n += len(x.readers)
	}
	return n
}

// fill hands out what is left of a set, or takes back what is too much, each time
// to or from whom that helps most.
func (l *leveler) fill(s int, left int32) {
	if left == 0 {
		return
	}
	x, flow := &l.sets[s], l.flow[s]
	if l.slots != nil {
		for i, m := range x.readers {
			b := l.slots[int(x.slots)+i]
			var change int32
			if left > 0 && flow[i] < b.high {
				change = 1
			} else if left < 0 && flow[i] > b.low {
				change = -1
			}
			flow[i] += change
			l.load[m] += change
			left -= change
		}
		return
	}
	// Raise those with the least load for their weight to one level, rounded
	// down, and give one each of what is left.
	order := make([]int32, len(x.readers))
	for i := range order {
		order[i] = int32(i)
	}
	ratio := func(i int32) burden { return burden{int64(l.load[x.readers[i]]), int64(weight(l.g, x.readers[i]))} }
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(ratio(a).compare(ratio(b)), cmp.Compare(a, b)) })
	level, n := burden{int64(left), 0}, 0
	for n < len(order) && (n == 0 || ratio(order[n]).compare(level) < 0) {
		r := ratio(order[n])
		level.over += r.over
		level.weight += r.weight
		n++
	}
	give := func(i, more int32) {
		flow[i] += more
		l.load[x.readers[i]] += more
		left -= more
	}
	for _, i := range order[:n] {
		r := ratio(i)
		hi, lo := bits.Mul64(uint64(level.over), uint64(r.weight))
		share, _ := bits.Div64(hi, lo, uint64(level.weight))
		give(i, int32(share)-int32(r.over))
	}
	for _, i := range order[:left] {
		give(i, 1)
	}
}

// room tells whether a reader may have one more of a set, spare whether one less.
func (l *leveler) room(at place) bool {
	return l.slots == nil || l.flow[at.set][at.reader] < l.slotOf(at).high
}

func (l *leveler) spare(at place) bool {
	low := int32(0)
	if l.slots != nil {
		low = l.slotOf(at).low
	}
	return l.flow[at.set][at.reader] > low
}

func (l *leveler) slotOf(at place) *band { return &l.slots[l.sets[at.set].slots+at.reader] }
