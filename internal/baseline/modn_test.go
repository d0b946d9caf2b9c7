package baseline

import (
	"slices"
	"testing"
)

// Bendersky, "Consistent hashing": three words among 32 nodes and among 33.
func TestArticleModN(t *testing.T) {
	words := []string{"hello", "consistent", "marmot"}
	for n, want := range map[int][]int{32: {4, 14, 5}, 33: {23, 18, 31}} {
		p := ModN{Hash: MD5}.Build(equal(n))
		var got []int
		for _, w := range words {
			got = append(got, p.Owner(w))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v of %d: %v, want %v", words, n, got, want)
		}
	}
}

// h mod n = h mod n+1 for n of the n·(n+1) residues.
func TestModNKeepsOneKeyInNPlusOne(t *testing.T) {
	ks := keys(30_000)
	for _, n := range []int{3, 10, 32} {
		p, q := ModN{}.Build(equal(n)), ModN{}.Build(equal(n+1))
		stayed := make([]int, 2)
		for _, k := range ks {
			if p.Owner(k) == q.Owner(k) {
				stayed[0]++
			} else {
				stayed[1]++
			}
		}
		checkShares(t, "stayed and moved", nodes(1, uint32(n)), stayed)
	}
}
