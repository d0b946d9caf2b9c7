package sticky

import (
	"cmp"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// quotas returns, by reader, the floor and the ceiling of its quota of n
// partitions: n × its weight / the weights of all readers. Those with the largest
// remainder come first in rank; equal remainders are equal in rank, so that the
// extra partitions of many groups do not all go to one member.
func quotas(g *assignor.Group, readers []int32, n int) []band {
	bands := make([]band, len(readers))
	var sum uint64
	equal := true
	for _, m := range readers {
		w := weight(g, m)
		sum += w
		equal = equal && w == weight(g, readers[0])
	}
	if equal {
		q, r := int32(n/len(readers)), n%len(readers)
		b := band{low: q, high: q}
		if r > 0 {
			b.high++
		}
		for i := range bands {
			bands[i] = b
		}
		return bands
	}
	remainders := make([]uint64, 0, len(readers))
	for i, m := range readers {
		share := uint64(n) * weight(g, m)
		b := band{low: int32(share / sum)}
		b.high = b.low
		if rest := share % sum; rest > 0 {
			b.high++
			remainders = append(remainders, rest)
		}
		bands[i] = b
	}
	slices.SortFunc(remainders, func(a, b uint64) int { return cmp.Compare(b, a) })
	remainders = slices.Compact(remainders)
	for i, m := range readers {
		if rest := uint64(n) * weight(g, m) % sum; rest > 0 {
			rank, _ := slices.BinarySearchFunc(remainders, rest, func(a, b uint64) int { return cmp.Compare(b, a) })
			bands[i].rank = int32(rank)
		}
	}
	return bands
}
