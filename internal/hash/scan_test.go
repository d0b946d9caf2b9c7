package hash

import (
	"cmp"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// bestSlow is what Best must equal.
func bestSlow(k uint64, members []uint64) int {
	best := -1
	for i, m := range members {
		if best < 0 || Score(k, m) > Score(k, members[best]) {
			best = i
		}
	}
	return best
}

// topSlow is what Top(nil, ...) must equal.
func topSlow(k uint64, members []uint64, n int) []int32 {
	all := make([]int32, len(members))
	for i := range all {
		all[i] = int32(i)
	}
	slices.SortStableFunc(all, func(a, b int32) int { return cmp.Compare(Score(k, members[b]), Score(k, members[a])) })
	return all[:max(0, min(n, len(all)))]
}

// checkScans compares all three scans with the slow ones.
func checkScans(t failer, k uint64, members []uint64) {
	t.Helper()
	checkBest(t, k, members)
	for _, n := range []int{-1, 0, 1, 2, 3, len(members) / 2, len(members) - 1, len(members), len(members) + 1} {
		checkTop(t, k, members, n)
	}
}

// checkBest has k at an even and at an odd place among the keys of BestAll, and
// as the last of an odd number.
func checkBest(t failer, k uint64, members []uint64) {
	t.Helper()
	if got, want := Best(k, members), bestSlow(k, members); got != want {
		t.Fatalf("Best = %d, want %d, of %d members", got, want, len(members))
	}
	const untouched = -9
	keys := [5]uint64{k, ^k, k + 1, k, k}
	want := [6]int32{5: untouched}
	for i, k := range keys {
		want[i] = int32(bestSlow(k, members))
	}
	for n := range len(keys) + 1 {
		owners := []int32{untouched, untouched, untouched, untouched, untouched, untouched}
		BestAll(owners[len(keys)-n:], keys[len(keys)-n:], members)
		if !slices.Equal(owners[len(keys)-n:], want[len(keys)-n:]) {
			t.Fatalf("BestAll = %v, want %v, of %d members", owners[len(keys)-n:], want[len(keys)-n:], len(members))
		}
	}
}

func checkTop(t failer, k uint64, members []uint64, n int) {
	t.Helper()
	got := Top([]int32{-7}, k, members, n)
	if want := append([]int32{-7}, topSlow(k, members, n)...); !slices.Equal(got, want) {
		t.Fatalf("Top %d of %d = %v, want %v", n, len(members), got, want)
	}
}

type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

func TestScansSmall(t *testing.T) {
	for n := range 300 {
		checkScans(t, Key("orders", int32(n)), membersNamed("worker-", n))
	}
	checkScans(t, Key("orders", 0), membersNamed("worker-", 5000))
}

// Scores of zero are no reason to be nobody, and all may be equal.
func TestScansOfEqualScores(t *testing.T) {
	const k = 42
	for _, score := range []uint64{0, 1, 1 << 33, 1<<33 - 1, ^uint64(0)} {
		m := memberScoring(k, score)
		for _, n := range []int{1, 2, 7, 64, 65, 66, 67, 68, 200} {
			members := slices.Repeat([]uint64{m}, n)
			if got := Best(k, members); got != 0 {
				t.Errorf("%d times score %#x: Best = %d", n, score, got)
			}
			checkScans(t, k, members)
		}
	}
}

// Near-ties: where the upper 31 bits of two early mixes agree, their order is
// not the scores'. The pair is put at all places of groups around the size from
// which there is a tail.
func TestScansOfNearTies(t *testing.T) {
	const k = 0x9d3f_02c1_77aa_5e10
	for _, top := range []uint64{1 << 33, 0x1234_5678 << 33, 1<<64 - 1<<33} {
		bit := top >> 31 & -(top >> 31) // the last step flips it
		early, better := k^unearly(top|bit), k^unearly(top)
		if Score(k, better) <= Score(k, early) {
			t.Fatalf("the pair for %#x is in order", top)
		}
		for _, n := range []int{2, 3, 10, 63, 64, 65, 66, 67, 68, 69, 100} {
			members := make([]uint64, n)
			for i := range members {
				members[i] = memberScoring(k, uint64(i)) // below the pair
			}
			for i := range n {
				for j := range n {
					if i == j {
						continue
					}
					was := [2]uint64{members[i], members[j]}
					members[i], members[j] = early, better
					if got := Best(k, members); got != j {
						t.Fatalf("top %#x: Best = %d, want %d, of %d members", top, got, j, n)
					}
					owners := []int32{-1, -1}
					if BestAll(owners, []uint64{k, k}, members); owners[0] != int32(j) || owners[1] != int32(j) {
						t.Fatalf("top %#x: BestAll = %v, want %d, of %d members", top, owners, j, n)
					}
					if got := Top(nil, k, members, 2); got[0] != int32(j) || got[1] != int32(i) {
						t.Fatalf("top %#x: Top = %v, want [%d %d], of %d members", top, got, j, i, n)
					}
					members[i], members[j] = was[0], was[1]
				}
			}
		}
	}
}

// scanLaw: the scans equal the slow ones on members that are strangers, the
// same as an earlier one, or a near-tie with an earlier one.
func scanLaw(t *rapid.T) {
	k := rapid.Uint64().Draw(t, "k")
	n := rapid.OneOf(rapid.IntRange(0, 8), rapid.IntRange(60, 75), rapid.IntRange(0, 300)).Draw(t, "members")
	kinds := rapid.SliceOfN(rapid.IntRange(0, 4), n, n).Draw(t, "kinds")
	r := rand.New(rand.NewPCG(k, rapid.Uint64().Draw(t, "seed")))
	members := make([]uint64, n)
	for i, kind := range kinds {
		m := r.Uint64()
		switch {
		case kind == 0 && i > 0: // equal
			m = members[r.IntN(i)]
		case kind == 1 && i > 0: // a near-tie with any
			m = nearTie(k, members[r.IntN(i)], r.Uint64())
		case kind == 2 && i > 0: // a near-tie with the best
			m = nearTie(k, members[bestSlow(k, members[:i])], r.Uint64()*r.Uint64N(2))
		case kind == 3 && i > 0: // by one from the best, above or below
			m = memberScoring(k, Score(k, members[bestSlow(k, members[:i])])+2*r.Uint64N(2)-1)
		}
		members[i] = m
	}
	checkScans(t, k, members)
}

func TestScanLaw(t *testing.T) { rapid.Check(t, scanLaw) }

func FuzzScanLaw(f *testing.F) { f.Fuzz(rapid.MakeFuzz(scanLaw)) }

// FuzzScanBytes has the members in the input: eight bytes each.
func FuzzScanBytes(f *testing.F) {
	f.Add(uint64(1), []byte{})
	f.Add(uint64(2), []byte("members 1members 2members 1"))
	f.Add(uint64(3), make([]byte, 8*70))
	f.Fuzz(func(t *testing.T, k uint64, b []byte) {
		var members []uint64
		for ; len(b) >= 8 && len(members) < 500; b = b[8:] {
			members = append(members, binary.LittleEndian.Uint64(b))
		}
		checkScans(t, k, members)
	})
}

func TestBestAllNeedsRoom(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("BestAll wrote three owners into two")
		}
	}()
	BestAll(make([]int32, 2), make([]uint64, 3), []uint64{1})
}

func TestNothingIsAllocated(t *testing.T) {
	topic := string(slices.Repeat([]byte{'t'}, 249))
	keys, owners := make([]uint64, 101), make([]int32, 101)
	for _, n := range []int{0, 1, 10, 64, 65, 1000} {
		members := membersNamed("worker-", n)
		ranks := make([]int32, 1, 1+n)
		for name, f := range map[string]func(){
			"Key":     func() { keys[0] = Key(topic, 1) },
			"Keys":    func() { Keys(keys, topic, 0) },
			"Member":  func() { keys[0] = Member(topic) },
			"Score":   func() { keys[0] = Score(1, 2) },
			"Best":    func() { owners[0] = int32(Best(1, members)) },
			"BestAll": func() { BestAll(owners, keys, members) },
			"Top":     func() { Top(ranks, 1, members, n) },
		} {
			if got := testing.AllocsPerRun(10, f); got != 0 {
				t.Errorf("%s of %d members: %v allocations", name, n, got)
			}
		}
	}
}

func membersNamed(prefix string, n int) []uint64 {
	members := make([]uint64, n)
	for i := range members {
		members[i] = Member(prefix + strconv.Itoa(i))
	}
	return members
}

// nearTie returns a member whose early mix for k has the upper 31 bits of m's
// and other lower ones.
func nearTie(k, m, other uint64) uint64 {
	y := mixer{gamma, mul1, mul2}.early(k ^ m)
	return k ^ unearly(floor(y)|other>>31)
}

// memberScoring returns the one member with this score for k.
func memberScoring(k, score uint64) uint64 { return k ^ unearly(score^score>>31^score>>62) }

// unearly undoes early: multiplies by the inverses, shifts on until nothing is
// left.
func unearly(y uint64) uint64 {
	y *= inverse(mul2)
	y ^= y>>27 ^ y>>54
	y *= inverse(mul1)
	y ^= y>>30 ^ y>>60
	return y - gamma
}

// inverse returns the inverse of an odd number modulo 2^64, by Newton's method.
func inverse(a uint64) uint64 {
	x := a // right in the lower 3 bits
	for range 5 {
		x *= 2 - a*x
	}
	return x
}

func TestInverses(t *testing.T) {
	c := mixer{gamma, mul1, mul2}
	for i := range uint64(1000) {
		x := i * mul2
		if got := c.early(unearly(x)); got != x {
			t.Fatalf("early(unearly(%#x)) = %#x", x, got)
		}
		if got := Score(i, memberScoring(i, x)); got != x {
			t.Fatalf("a member scores %#x, want %#x", got, x)
		}
		near := nearTie(i, x, ^x)
		if y, z := c.early(i^x), c.early(i^near); y>>33 != z>>33 || y == z {
			t.Fatalf("%#x and %#x are no near-tie", y, z)
		}
	}
}
