package sticky

import (
	"cmp"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// A block is sets of topics and their readers, such that what is in the block
// stays in it, and which loads its members get is known but for who gets one
// partition more where that cannot be even. With equal subscriptions a whole
// group is one, of one set.
//
// As long as each move goes straight from a member that has too many to one that
// has too few, nothing moves that need not. That can always be had where all
// members read all sets; where not, it may take chains.
type block struct {
	*planner
	sets    []set
	members []int32
	bands   []band  // by member of the group
	inside  []bool  // by member of the group; nil: all are of the block
	own     []int32 // by member of the group: what it owns of these sets
	total   int     // partitions
	free    int     // partitions that nobody owns, or nobody of the block
}

func (p *planner) newBlock(sets []set, members []int32, bands []band) *block {
	b := &block{planner: p, sets: sets, members: members, bands: bands}
	if len(members) < len(p.g.Members) {
		b.inside = make([]bool, len(p.g.Members))
		for _, m := range members {
			b.inside[m] = true
		}
	}
	return b
}

// has tells whether a member is of the block.
func (b *block) has(m int32) bool { return b.inside == nil || b.inside[m] }

// solve plans the block.
func (b *block) solve() {
	b.count()
	extra := b.total // how many members get one more than low
	holders := 0     // of those, who has it
	over := 0
	for _, m := range b.members {
		w := &b.bands[m]
		extra -= int(w.low)
		if w.high > w.low && b.own[m] > w.low {
			holders++
		}
		over += int(max(0, b.own[m]-w.high))
	}
	over += max(0, holders-extra)
	if b.free == 0 && over == 0 {
		b.keep(b.sets)
		return
	}
	if len(b.sets) > 1 {
		b.solveSets(holders, extra)
		return
	}
	b.copyOwners()
	b.narrow(holders, extra)
	x := &pool{goods: goods{topics: b.sets[0].topics}, sharers: len(b.members)}
	hints := hinted(b.g, x.topics)
	if hints {
		b.open(x)
		b.sendHome([]*pool{x}, b.bands, nil)
	} else {
		x.spare = b.choose(holders, extra)
		b.ask(x)
	}
	b.deal(x, hints)
}

// ask says who gives how many and who takes how many.
func (b *block) ask(x *pool) {
	givers := 0
	for _, m := range b.members {
		if b.own[m] > b.bands[m].low {
			givers++
		}
	}
	x.givers = make([]giver, 0, givers)
	x.needy = make([]taker, 0, len(b.members)-givers)
	for _, m := range b.members {
		w := &b.bands[m]
		switch may := w.high > w.low; {
		case b.own[m] > w.low:
			x.givers = append(x.givers, giver{member: m, left: b.own[m] - w.high, may: may})
		case b.own[m] < w.high:
			x.needy = append(x.needy, taker{member: m, need: w.low - b.own[m], may: may})
		}
	}
}

// open says who may give and who may take.
func (b *block) open(x *pool) {
	var open []int32
	for _, m := range b.members {
		if w := &b.bands[m]; b.own[m] > w.low || b.own[m] < w.high {
			open = append(open, m)
		}
	}
	b.order(open, x.topics[0])
	x.readers = make([]reader, len(open))
	for i, m := range open {
		w := &b.bands[m]
		x.readers[i] = reader{member: m, gives: b.own[m] > w.low, takes: b.own[m] < w.high}
	}
}

// count sets own, free and total.
func (b *block) count() {
	b.own = make([]int32, len(b.g.Members))
	for _, s := range b.sets {
		for _, t := range s.topics {
			topic := &b.g.Topics[t]
			b.total += int(topic.Partitions)
			if topic.Owners == nil {
				b.free += int(topic.Partitions)
			}
			for _, m := range topic.Owners {
				if m == assignor.None || !b.has(m) {
					b.free++
				} else {
					b.own[m]++
				}
			}
		}
	}
}

// copyOwners starts the plan of a block of one set from the present owners.
func (b *block) copyOwners() {
	b.vacate(b.sets)
	for _, t := range b.sets[0].topics {
		topic := &b.g.Topics[t]
		if b.inside == nil {
			copy(b.plan[t], topic.Owners)
			continue
		}
		for i, m := range topic.Owners {
			if m != assignor.None && b.inside[m] {
				b.plan[t][i] = m
			}
		}
	}
}

// narrow takes from the bands what would cost a move more than must be. Where
// more members have their ceiling than may, holders keep theirs as far as that
// goes, and nobody else gets one; where fewer do, all of them keep it.
func (b *block) narrow(holders, extra int) {
	for _, m := range b.members {
		w := &b.bands[m]
		switch has := b.own[m] > w.low; {
		case w.high == w.low:
		case has && holders <= extra:
			w.low = w.high
		case !has && holders >= extra:
			w.high = w.low
		}
	}
}

// choose decides by rank who gets one more of those who may, where no warm list
// and no home does. It leaves open those of the one rank of which some may and
// some may not, and returns how many of them give one or take one.
func (b *block) choose(holders, extra int) (spare int) {
	left := extra
	if holders <= extra {
		left -= holders
	}
	var open []int32
	for _, m := range b.members {
		if w := &b.bands[m]; w.high > w.low {
			open = append(open, m)
		}
	}
	slices.SortStableFunc(open, func(x, y int32) int { return cmp.Compare(b.bands[x].rank, b.bands[y].rank) })
	for i := 0; i < len(open); {
		end := i + 1
		for end < len(open) && b.bands[open[end]].rank == b.bands[open[i]].rank {
			end++
		}
		same := open[i:end]
		i = end
		switch {
		case left >= len(same):
			for _, m := range same {
				b.bands[m].low = b.bands[m].high
			}
			left -= len(same)
		case left == 0:
			for _, m := range same {
				b.bands[m].high = b.bands[m].low
			}
		default:
			if spare = left; holders > extra {
				spare = len(same) - left
			}
			left = 0
		}
	}
	return spare
}
