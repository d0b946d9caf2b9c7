package oracle

import (
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// A share is what a reader should get of a number of partitions: its quota, the
// number × its weight / the weights of all readers, in whole numbers.
type share struct {
	floor, ceiling int
	remainder      int // of the division, over the weights of all readers
}

// outside returns by how many partitions n misses both floor and ceiling.
func (s share) outside(n int) int {
	return max(0, s.floor-n, n-s.ceiling)
}

// shares returns by member what readers should get of n partitions; all others
// should get nothing.
func shares(g *assignor.Group, readers []int32, n int) []share {
	all := make([]share, len(g.Members))
	var sum int
	for _, m := range readers {
		sum += weight(g, m)
	}
	for _, m := range readers {
		s := share{floor: n * weight(g, m) / sum, remainder: n * weight(g, m) % sum}
		s.ceiling = s.floor
		if s.remainder > 0 {
			s.ceiling++
		}
		all[m] = s
	}
	return all
}

// weight returns a member's weight, 1 where a test left it out.
func weight(g *assignor.Group, m int32) int { return max(1, int(g.Members[m].Weight)) }

// equal tells whether every member that reads anything reads every topic.
func equal(g *assignor.Group) bool {
	for t := range g.Topics {
		if !slices.Equal(g.Topics[t].Subscribers, g.Topics[0].Subscribers) {
			return false
		}
	}
	return true
}

// weighted tells whether the weights of members that read something differ.
func weighted(g *assignor.Group) bool {
	first := 0
	for t := range g.Topics {
		for _, m := range g.Topics[t].Subscribers {
			if w := weight(g, m); first == 0 {
				first = w
			} else if w != first {
				return true
			}
		}
	}
	return false
}

// totals returns what members should get of all partitions. Only where
// subscriptions are equal is there such a share.
func totals(g *assignor.Group) []share {
	if len(g.Topics) == 0 {
		return make([]share, len(g.Members))
	}
	return shares(g, g.Topics[0].Subscribers, g.Partitions())
}

// ranks returns by member who is before whom, from 0, where nothing else decides
// on a ceiling: the largest remainder first. Equal remainders share a rank.
func ranks(shares []share) []int {
	remainders := make([]int, len(shares))
	for m := range shares {
		remainders[m] = -shares[m].remainder
	}
	distinct := slices.Clone(remainders)
	slices.Sort(distinct)
	distinct = slices.Compact(distinct)
	ranks := make([]int, len(shares))
	for m := range ranks {
		ranks[m], _ = slices.BinarySearch(distinct, remainders[m])
	}
	return ranks
}

// remaindersOf returns the remainders of some members, the largest first.
func remaindersOf(members []int32, shares []share) []int {
	var remainders []int
	for _, m := range members {
		remainders = append(remainders, shares[m].remainder)
	}
	slices.Sort(remainders)
	slices.Reverse(remainders)
	return remainders
}
