package baseline

import (
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

// Of equal weights, multiplicity, CARP and straw2 are plain rendezvous hashing.
func TestPlainRendezvous(t *testing.T) {
	const n = 500
	ks, ns := keys(10_000), equal(n)
	members := hashes(ns)
	best := make([]int, len(ks))
	for i, k := range ks {
		best[i] = hash.Best(hash.Member(k), members)
	}
	wrong := func(a Algorithm, ks []string) (wrong int) {
		p := a.Build(ns)
		for i, k := range ks {
			if p.Owner(k) != best[i] {
				wrong++
			}
		}
		return wrong
	}
	if got := wrong(Multiplicity{}, ks[:2000]); got != 0 {
		t.Errorf("multiplicity: %d keys elsewhere", got)
	}
	if got := wrong(CARP{}, ks[:2000]); got != 0 {
		t.Errorf("carp: %d keys elsewhere", got)
	}
	// Half of the draws for the longest straw, one in n/2^17, go wrong.
	got, want := wrong(Straw2{}, ks), float64(len(ks))*n/(1<<18)
	t.Logf("straw2: %d of %d keys go to the earlier of two equal straws, %.0f expected", got, len(ks), want)
	if float64(got) < want/2 || float64(got) > want*2 {
		t.Errorf("straw2: %d keys elsewhere, want about %.0f", got, want)
	}
}
