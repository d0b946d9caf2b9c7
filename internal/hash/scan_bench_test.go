package hash

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"
)

var sink uint64

//go:noinline
func (c consts) sumBare(keys, members []uint64) (sum uint64) {
	for _, k := range keys {
		for _, m := range members {
			sum += c.full(k ^ m)
		}
	}
	return sum
}

//go:noinline
func (c consts) sumFour(keys, members []uint64) (sum uint64) {
	for len(keys) >= 4 {
		k0, k1, k2, k3 := keys[0], keys[1], keys[2], keys[3]
		keys = keys[4:]
		for _, m := range members {
			z0 := (k0 ^ m) + c.g
			z0 = (z0 ^ z0>>30) * c.c1
			z0 = (z0 ^ z0>>27) * c.c2
			z1 := (k1 ^ m) + c.g
			z1 = (z1 ^ z1>>30) * c.c1
			z1 = (z1 ^ z1>>27) * c.c2
			z2 := (k2 ^ m) + c.g
			z2 = (z2 ^ z2>>30) * c.c1
			z2 = (z2 ^ z2>>27) * c.c2
			z3 := (k3 ^ m) + c.g
			z3 = (z3 ^ z3>>30) * c.c1
			z3 = (z3 ^ z3>>27) * c.c2
			sum += (z0 ^ z0>>31) + (z1 ^ z1>>31) + (z2 ^ z2>>31) + (z3 ^ z3>>31)
		}
	}
	return
}

func TestTmp(t *testing.T) {
	if v := os.Getenv("HM"); v != "" {
		headMax, _ = strconv.Atoi(v)
	}
	if v := os.Getenv("HN"); v != "" {
		headMin, _ = strconv.Atoi(v)
	}
	for _, n := range []int{10, 20, 30, 40, 50, 60, 70, 80, 100, 200, 500, 1000, 2000} {
		r := rand.New(rand.NewPCG(1, uint64(n)))
		members := make([]uint64, n)
		for i := range members {
			members[i] = r.Uint64()
		}
		nk := max(400000/n, 64) &^ 3
		keys := make([]uint64, nk)
		for i := range keys {
			keys[i] = r.Uint64()
		}
		owners := make([]int32, nk)
		mins := [3]time.Duration{1 << 60, 1 << 60, 1 << 60}
		for range 100 {
			t0 := time.Now()
			sink += constants.sumBare(keys, members)
			t1 := time.Now()
			sink += constants.sumFour(keys, members)
			t2 := time.Now()
			BestAll(owners, keys, members)
			t3 := time.Now()
			mins[0] = min(mins[0], t1.Sub(t0))
			mins[1] = min(mins[1], t2.Sub(t1))
			mins[2] = min(mins[2], t3.Sub(t2))
		}
		var x [3]float64
		for i := range x {
			x[i] = float64(mins[i].Nanoseconds()) / float64(n*nk)
		}
		fmt.Printf("%5d bare %.3f four %.3f best %.3f   %.3f %.3f\n", n, x[0], x[1], x[2], x[2]/x[0], x[2]/x[1])
	}
}
