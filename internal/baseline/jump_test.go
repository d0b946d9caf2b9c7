package baseline

import (
	"math"
	"testing"
)

// Vectors that implementations in several languages share.
func TestJumpVectors(t *testing.T) {
	for _, test := range []struct {
		key     uint64
		n, want int
	}{
		{1, 1, 0},
		{1, 128, 55},
		{129, 128, 120},
		{math.MaxUint64, 128, 92},
		{4, 2, 1},
		{7, 2, 0},
		{42, 57, 43},
		{256, 1024, 520},
		{0xDEAD10CC, 1, 0},
		{0xDEAD10CC, 666, 361},
		{128, 100_000_000, 38_172_097},
		{7, 0, -1},
		{7, -1, -1},
	} {
		if got := jump(test.key, test.n); got != test.want {
			t.Errorf("jump(%d, %d) = %d, want %d", test.key, test.n, got, test.want)
		}
	}
}
