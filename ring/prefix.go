package ring

import (
	"math/bits"
	"slices"
)

// What stands on the ring.
type positioned interface{ position() uint64 }

// A prefixTable says, for the leading bits of a position, how many of a ring's
// items have smaller ones. Positions are hashes, spread evenly: with about as
// many prefixes as items a look-up is one step and a little.
type prefixTable struct {
	shift int
	upTo  []int32 // by prefix
}

func newPrefixTable[T positioned](items []T) prefixTable {
	t := prefixTable{shift: 64 - min(bits.Len(uint(len(items))), 20)}
	t.upTo = make([]int32, 1<<(64-t.shift)+1)
	for _, item := range items {
		t.upTo[item.position()>>t.shift+1]++
	}
	for b := 1; b < len(t.upTo); b++ {
		t.upTo[b] += t.upTo[b-1]
	}
	return t
}

// before returns how many items are surely before a position: those with a
// smaller prefix.
func (t *prefixTable) before(position uint64) int32 { return t.upTo[position>>t.shift] }

// sortByPosition returns items in the order of compare, which must begin with
// their position, and their table. Dealt out by prefix there is little left to
// sort.
func sortByPosition[T positioned](items []T, compare func(a, b T) int) ([]T, prefixTable) {
	t := newPrefixTable(items)
	sorted := make([]T, len(items))
	next := slices.Clone(t.upTo)
	for _, item := range items {
		b := item.position() >> t.shift
		sorted[next[b]] = item
		next[b]++
	}
	for b := range len(t.upTo) - 1 {
		if from, to := t.upTo[b], t.upTo[b+1]; to-from > 1 {
			slices.SortFunc(sorted[from:to], compare)
		}
	}
	return sorted, t
}
