package assignor

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestCheckLoadBound(t *testing.T) {
	for _, ok := range []float64{0, 1, 1.25, 1000} {
		if err := CheckLoadBound(ok); err != nil {
			t.Errorf("%v: %v", ok, err)
		}
	}
	for _, bad := range []float64{-1, 0.5, 0.999, 1000.1, math.NaN(), math.Inf(1)} {
		if CheckLoadBound(bad) == nil {
			t.Errorf("%v is taken", bad)
		}
	}
}

func equalGroup(partitions int32, weights ...uint32) *Group {
	g := &Group{Topics: []Topic{{Name: "t", Partitions: partitions}}}
	for i, w := range weights {
		g.Members = append(g.Members, Member{Weight: w})
		g.Topics[0].Subscribers = append(g.Topics[0].Subscribers, int32(i))
	}
	return g
}

func TestCaps(t *testing.T) {
	for _, c := range []struct {
		partitions int32
		bound      float64
		weights    []uint32
		want       []int32
	}{
		{20, 1.1, []uint32{1, 1}, []int32{11, 11}}, // 1.1 × 10 is 11.000000000000002 in floats
		{36, 1.25, slices.Repeat([]uint32{1}, 23), slices.Repeat([]int32{2}, 23)},
		{36, 1.25, slices.Repeat([]uint32{1}, 22), slices.Repeat([]int32{3}, 22)},
		{12, 1, []uint32{1, 2, 3}, []int32{2, 4, 6}},
		{10, 1, []uint32{1, 1, 1}, []int32{4, 4, 4}},
		{100, 1.2504, []uint32{1}, []int32{125}}, // three decimals
	} {
		if got := Caps(equalGroup(c.partitions, c.weights...), c.bound); !slices.Equal(got, c.want) {
			t.Errorf("%d partitions × %v on %v: %v, want %v", c.partitions, c.bound, c.weights, got, c.want)
		}
	}
}

// TestCapsExact compares with rational arithmetic.
func TestCapsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &Group{}
		for range rapid.IntRange(1, 8).Draw(t, "members") {
			g.Members = append(g.Members, Member{Weight: rapid.SampledFrom([]uint32{1, 1, 2, 3, 7, 10_000}).Draw(t, "weight")})
		}
		var sets [][]int32
		for range rapid.IntRange(1, 3).Draw(t, "sets") {
			var set []int32
			for m := range g.Members {
				if len(set) == 0 || rapid.Bool().Draw(t, "reads") {
					set = append(set, int32(m))
				}
			}
			sets = append(sets, set)
		}
		for range rapid.IntRange(0, 5).Draw(t, "topics") {
			g.Topics = append(g.Topics, Topic{Partitions: int32(rapid.IntRange(1, 5000).Draw(t, "partitions")), Subscribers: rapid.SampledFrom(sets).Draw(t, "set")})
		}
		milli := int64(rapid.IntRange(1000, 3000).Draw(t, "bound"))
		got := Caps(g, float64(milli)/1000)
		var room, all int64
		for m := range g.Members {
			share := new(big.Rat)
			for _, topic := range g.Topics {
				if contains(topic.Subscribers, int32(m)) {
					var weights int64
					for _, r := range topic.Subscribers {
						weights += int64(g.Members[r].Weight)
					}
					share.Add(share, big.NewRat(int64(topic.Partitions)*int64(g.Members[m].Weight), weights))
				}
			}
			share.Mul(share, big.NewRat(milli, 1000))
			want := new(big.Int).Div(new(big.Int).Add(share.Num(), new(big.Int).Sub(share.Denom(), big.NewInt(1))), share.Denom())
			if int64(got[m]) != want.Int64() {
				t.Fatalf("member %d: cap %d, want %v = ceil(%v)", m, got[m], want, share)
			}
			room += int64(got[m])
		}
		for _, topic := range g.Topics {
			all += int64(topic.Partitions)
		}
		if room < all {
			t.Fatalf("room for %d of %d", room, all)
		}
	})
}
