package sticky

import (
	"cmp"
	"math"
	"math/bits"
)

// A burden is what a unit more or less changes load²/weight by: a fraction.
type burden struct{ over, weight int64 }

var boundless = burden{math.MaxInt64, 1}

func (a burden) compare(b burden) int {
	if a.weight == b.weight {
		return cmp.Compare(a.over, b.over)
	}
	// Burdens of a unit less than nothing are never asked for, so none is
	// negative but where a load is 0.
	if a.over < 0 || b.over < 0 {
		return cmp.Compare(max(a.over, -1), max(b.over, -1))
	}
	hi, lo := bits.Mul64(uint64(a.over), uint64(b.weight))
	hi2, lo2 := bits.Mul64(uint64(b.over), uint64(a.weight))
	return cmp.Or(cmp.Compare(hi, hi2), cmp.Compare(lo, lo2))
}
