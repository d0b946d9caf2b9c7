package sticky

import (
	"cmp"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// A block is topics and members such that each member may have each partition,
// and what is in the block stays in it. Which loads its members get is known but
// for who gets one partition more where that cannot be even. With equal
// subscriptions a whole group is one.
//
// No chains are needed in a block: a move that helps goes straight from a member
// that has too many to one that has too few.
type block struct {
	*planner
	topics  []int
	members []int32
	bands   []band  // by member of the group
	own     []int32 // by member of the group: what it owns of these topics
	free    int     // partitions that nobody owns, or nobody of the block
	inside  []bool  // by member of the group; nil: all are
}

func (b *block) solve() {
	total := b.count()
	extra := total // how many members get one more than low
	holders := 0   // of those, who has it
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
		for _, t := range b.topics {
			b.plan[t] = b.g.Topics[t].Owners
		}
		return
	}
	b.copyOwners()
	b.narrow(holders, extra)
	x := b.pool()
	hints := hinted(b.g, b.topics)
	if hints {
		b.sendHome([]*pool{x}, b.bands, nil)
	} else {
		x.spare = b.choose(holders, extra)
		for _, m := range b.members {
			w := &b.bands[m]
			if n := b.own[m] - w.high; b.own[m] > w.low {
				x.givers = append(x.givers, giver{member: m, left: n, may: w.high > w.low})
			} else if b.own[m] < w.high {
				x.needy = append(x.needy, taker{member: m, need: w.low - b.own[m], may: w.high > w.low})
			}
		}
	}
	b.deal(x, hints)
}

// pool returns the one pool that a block is.
func (b *block) pool() *pool {
	n := len(b.g.Members)
	flags := make([]bool, 2*n)
	x := &pool{topics: b.topics, gives: flags[:n], takes: flags[n:]}
	for _, m := range b.members {
		w := &b.bands[m]
		x.gives[m] = b.own[m] > w.low
		if b.own[m] < w.high {
			x.takes[m] = true
			x.takers = append(x.takers, m)
		}
	}
	return x
}

// count sets own and free, and returns the number of partitions.
func (b *block) count() (total int) {
	b.own = make([]int32, len(b.g.Members))
	for _, t := range b.topics {
		topic := &b.g.Topics[t]
		total += int(topic.Partitions)
		if topic.Owners == nil {
			b.free += int(topic.Partitions)
		}
		for _, m := range topic.Owners {
			if m == assignor.None || b.inside != nil && !b.inside[m] {
				b.free++
			} else {
				b.own[m]++
			}
		}
	}
	return total
}

// copyOwners starts the plan from the present owners.
func (b *block) copyOwners() {
	for _, t := range b.topics {
		topic := &b.g.Topics[t]
		b.plan[t] = make([]int32, topic.Partitions)
		if topic.Owners == nil {
			for i := range b.plan[t] {
				b.plan[t][i] = assignor.None
			}
			continue
		}
		copy(b.plan[t], topic.Owners)
		if b.inside != nil {
			for i, m := range b.plan[t] {
				if m != assignor.None && !b.inside[m] {
					b.plan[t][i] = assignor.None
				}
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
