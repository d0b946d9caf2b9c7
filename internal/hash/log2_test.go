package hash

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestNegLog2(t *testing.T) {
	for _, c := range []struct {
		score uint64
		want  uint64
	}{
		{1<<64 - 1, 1},              // clamped: 0.5/2^64 under one
		{1<<63 - 1, 1<<LogBits + 1}, // u just under a half
		{0, 65 << LogBits},          // the least u, 2^-65
	} {
		got := NegLog2(c.score)
		if diff := int64(got - c.want); diff > 1<<30 || diff < -1<<30 {
			t.Errorf("NegLog2(%d) = %d, want about %d", c.score, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.Uint64().Draw(t, "score") >> rapid.IntRange(0, 63).Draw(t, "shift")
		u, _ := new(big.Float).Quo(new(big.Float).Add(new(big.Float).SetUint64(s), big.NewFloat(0.5)), new(big.Float).SetMantExp(big.NewFloat(1), 64)).Float64()
		want := -math.Log2(u)
		if got := float64(NegLog2(s)) / (1 << LogBits); math.Abs(got-want) > 1e-14*max(1, want)+0x1p-51 {
			t.Fatalf("NegLog2(%d) = %g, want %g", s, got, want)
		}
	})
}

func TestNegLog2NeverRises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.Uint64().Draw(t, "score") >> rapid.IntRange(0, 63).Draw(t, "shift")
		d := rapid.Uint64().Draw(t, "more") >> rapid.IntRange(1, 63).Draw(t, "shift")
		if s+d >= s && NegLog2(s+d) > NegLog2(s) {
			t.Fatalf("NegLog2(%d) = %d, but NegLog2(%d) = %d", s, NegLog2(s), s+d, NegLog2(s+d))
		}
	})
}

// TestBestWeighted holds the filter against comparing every pair, and equal
// weights against no weights.
func TestBestWeighted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.Uint64().Draw(t, "key")
		members := rapid.SliceOfN(rapid.Uint64(), 0, 30).Draw(t, "members")
		weights := make([]uint32, len(members))
		same := make([]uint32, len(members))
		for i := range weights {
			weights[i] = uint32(rapid.SampledFrom([]int{1, 2, 3, 100, 10_000}).Draw(t, "weight"))
			same[i] = 7
		}
		want := -1
		for i := range members {
			w := Weighted{Score(k, members[i]), weights[i]}
			if want < 0 || w.Better(Weighted{Score(k, members[want]), weights[want]}) {
				want = i
			}
		}
		if got := BestWeighted(k, members, weights, nil); got != want {
			t.Fatalf("got %d, want %d", got, want)
		}
		if got, want := BestWeighted(k, members, same, nil), Best(k, members); got != want {
			t.Fatalf("equal weights: got %d, want %d", got, want)
		}
	})
}

func TestBestAccepted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.Uint64().Draw(t, "key")
		members := rapid.SliceOfN(rapid.SampledFrom([]uint64{0, 1, 2, 3, 4, 5, 6, 7, 8}), 0, 12).Draw(t, "members")
		accepts := rapid.SliceOfN(rapid.Bool(), len(members), len(members)).Draw(t, "accepts")
		same := make([]uint32, len(members))
		want := -1
		for i := range members {
			same[i] = 5
			if accepts[i] && (want < 0 || Score(k, members[i]) > Score(k, members[want])) {
				want = i
			}
		}
		accept := func(i int, score uint64) bool {
			if score != Score(k, members[i]) {
				t.Fatalf("asked with score %d", score)
			}
			return accepts[i]
		}
		if got := BestAccepted(k, members, accept); got != want {
			t.Fatalf("got %d, want %d", got, want)
		}
		if got := BestWeighted(k, members, same, accept); got != want {
			t.Fatalf("weighted: got %d, want %d", got, want)
		}
	})
}
