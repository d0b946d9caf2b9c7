package baseline

import (
	"math"
	"slices"
	"testing"
)

// Wikipedia, "Rendezvous hashing", the example in Python: 45,000 keys on three
// nodes of weights 100, 200 and 300.
func TestArticleWeights(t *testing.T) {
	ns := nodes(100, 200, 300)
	got := loads(Logarithmic{}.Build(ns), ns, keys(45_000))
	if want := []int{7493, 15020, 22487}; !slices.Equal(got, want) {
		t.Errorf("keys %v, want %v", got, want)
	}
}

func TestUnit(t *testing.T) {
	const most = math.MaxUint64
	for _, test := range []struct {
		low, high uint64
		want      float64
	}{
		{0, 0, 0x1p-128},
		{most, 0, 0x1p-64},
		{0, 1 << 63, 0.5},
		{most, 1<<63 - 1, 0.5},
		{most, most, 1},
	} {
		if got := unit(test.low, test.high); got != test.want {
			t.Errorf("unit(%#x, %#x) = %v, want %v", test.low, test.high, got, test.want)
		}
	}
}
