package hash

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

var sizes = []int{10, 100, 1000, 2000}

// BenchmarkScan takes 100,000 mixes an operation, for the owners or only to add
// them up.
func BenchmarkScan(b *testing.B) {
	for _, n := range sizes {
		keys, members, owners := scanInput(n)
		run := func(name string, f func()) {
			b.Run(fmt.Sprintf("members=%d/%s", n, name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(keys)*n), "ns/mix")
			})
		}
		c := mixer{gamma, mul1, mul2}
		run("sum", func() { sink += c.sum(keys, members) })
		run("sum4", func() { sink += c.sumFour(keys, members) })
		run("best", func() { BestAll(owners, keys, members) })
	}
}

// BenchmarkScanRatio says what BestAll costs of a loop that only adds up the same
// mixes: x-of-sum of two bare loops with the constants in registers, x-of-sum4 of
// the fastest way we found. The three take turns, and each one's minimum counts,
// since the machine may be busy.
func BenchmarkScanRatio(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("members=%d", n), func(b *testing.B) {
			keys, members, owners := scanInput(n)
			c := mixer{gamma, mul1, mul2}
			sum, sum4, best := time.Hour, time.Hour, time.Hour
			for b.Loop() {
				start := time.Now()
				sink += c.sum(keys, members)
				sum = min(sum, time.Since(start))

				start = time.Now()
				sink += c.sumFour(keys, members)
				sum4 = min(sum4, time.Since(start))

				start = time.Now()
				BestAll(owners, keys, members)
				best = min(best, time.Since(start))
			}
			b.ReportMetric(float64(best)/float64(sum), "x-of-sum")
			b.ReportMetric(float64(best)/float64(sum4), "x-of-sum4")
			b.ReportMetric(float64(best.Nanoseconds())/float64(len(keys)*n), "ns/mix")
			b.ReportMetric(0, "ns/op") // of the three together: says nothing
		})
	}
}

func BenchmarkKeys(b *testing.B) {
	keys := make([]uint64, 100_000)
	b.ReportAllocs()
	for b.Loop() {
		Keys(keys, "orders-by-country", 0)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(keys)), "ns/key")
}

func BenchmarkTop(b *testing.B) {
	for _, n := range []int{10, 1000} {
		for _, top := range []int{2, 3, n} {
			b.Run(fmt.Sprintf("members=%d/top=%d", n, top), func(b *testing.B) {
				keys, members, ranks := scanInput(n)
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					ranks = Top(ranks[:0], keys[i%len(keys)], members, top)
					i++
				}
			})
		}
	}
}

// sum adds up the scores in two bare loops.
//
//go:noinline
func (c mixer) sum(keys, members []uint64) (sum uint64) {
	for _, k := range keys {
		for _, m := range members {
			sum += c.score(k ^ m)
		}
	}
	return sum
}

// sumFour is the fastest sum found: four keys a step, written out, which for few
// members is a little faster than with score.
//
//go:noinline
func (c mixer) sumFour(keys, members []uint64) (sum uint64) {
	for len(keys) >= 4 {
		k0, k1, k2, k3 := keys[0], keys[1], keys[2], keys[3]
		keys = keys[4:]
		for _, m := range members {
			z0 := (k0 ^ m) + c.gamma
			z0 = (z0 ^ z0>>30) * c.mul1
			z0 = (z0 ^ z0>>27) * c.mul2
			z1 := (k1 ^ m) + c.gamma
			z1 = (z1 ^ z1>>30) * c.mul1
			z1 = (z1 ^ z1>>27) * c.mul2
			z2 := (k2 ^ m) + c.gamma
			z2 = (z2 ^ z2>>30) * c.mul1
			z2 = (z2 ^ z2>>27) * c.mul2
			z3 := (k3 ^ m) + c.gamma
			z3 = (z3 ^ z3>>30) * c.mul1
			z3 = (z3 ^ z3>>27) * c.mul2
			sum += (z0 ^ z0>>31) + (z1 ^ z1>>31) + (z2 ^ z2>>31) + (z3 ^ z3>>31)
		}
	}
	return sum + c.sum(keys, members)
}

var sink uint64

// scanInput has keys for 100,000 mixes with n members.
func scanInput(n int) (keys, members []uint64, owners []int32) {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	random := func(n int) []uint64 {
		s := make([]uint64, n)
		for i := range s {
			s[i] = r.Uint64()
		}
		return s
	}
	return random(100_000 / n), random(n), make([]int32, 100_000/n)
}

// The sums are sums of the same mixes.
func TestSumsAgree(t *testing.T) {
	keys, members, _ := scanInput(13)
	var want uint64
	for _, k := range keys {
		for _, m := range members {
			want += Score(k, m)
		}
	}
	c := mixer{gamma, mul1, mul2}
	if a, b := c.sum(keys, members), c.sumFour(keys, members); a != want || b != want {
		t.Errorf("sums %d and %d, want %d", a, b, want)
	}
}
