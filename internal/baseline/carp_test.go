package baseline

import (
	"math"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

func TestCARPFactors(t *testing.T) {
	for _, test := range []struct {
		weights, want []float64
	}{
		{[]float64{1}, []float64{1}},
		{[]float64{5, 5, 5}, []float64{1, 1, 1}},
		// u₁·X₁ > u₂·X₂ has probability X₁/2X₂, and X₁·X₂ is 1.
		{[]float64{1, 2}, []float64{math.Sqrt(2. / 3), math.Sqrt(3. / 2)}},
		{[]float64{3, 1}, []float64{math.Sqrt2, math.Sqrt2 / 2}},
	} {
		var ws []uint32
		for _, w := range test.weights {
			ws = append(ws, uint32(w))
		}
		for i, got := range carpFactors(nodes(ws...)) {
			if math.Abs(got-test.want[i]) > 1e-12 {
				t.Errorf("weights %v: factor %d is %v, want %v", ws, i, got, test.want[i])
			}
		}
	}
}

func TestCARPFactorsOfManyNodes(t *testing.T) {
	ws := make([]uint32, 2000)
	for i := range ws {
		ws[i] = uint32(1 + i*i%97*100)
	}
	ns := nodes(ws...)
	factors := carpFactors(ns)
	for i, f := range factors {
		if !(f > 0) || math.IsInf(f, 1) || i > 0 && (f > factors[i-1]) != (ws[i] > ws[i-1]) {
			t.Fatalf("factor %v of weight %d", f, ws[i])
		}
	}
}

// A node that joins changes every factor, and so keys move between nodes that
// stay. The logarithmic method, in floats, in CRUSH's integers or by
// multiplicity, moves none of them.
func TestCARPDrifts(t *testing.T) {
	ks := keys(5000)
	for _, test := range []struct {
		what          string
		before, after []Node
		drift         float64 // CARP's least needless moves, in percent
	}{
		{"1:2:3, a fourth of 3", nodes(1, 2, 3), nodes(1, 2, 3, 3), 2},
		{"1:10, a third of 10", nodes(1, 10), nodes(1, 10, 10), 2},
		{"1 to 8, a ninth of 1", nodes(1, 2, 3, 4, 5, 6, 7, 8), nodes(1, 2, 3, 4, 5, 6, 7, 8, 1), 0.5},
		{"1 to 8, the first to 4", nodes(1, 2, 3, 4, 5, 6, 7, 8), nodes(4, 2, 3, 4, 5, 6, 7, 8), 0.5},
		{"equal, one more", nodes(4, 4, 4), nodes(4, 4, 4, 4), 0},
	} {
		m := moved(CARP{}, test.before, test.after, ks)
		t.Logf("%-24s carp moves %v", test.what, m)
		if got := m.percent(m.needless); got < test.drift || test.drift == 0 && got > 0 {
			t.Errorf("%s: carp moves %.2f %% needlessly, want at least %v", test.what, got, test.drift)
		}
		for _, a := range []Algorithm{Logarithmic{}, Straw2{}, Multiplicity{}} {
			if m := moved(a, test.before, test.after, ks); m.needless > 0 || m.needed == 0 {
				t.Errorf("%s: %s moves %v", test.what, a.Name(), m)
			}
		}
	}
}

// dividedBy is the usual mistake: the least (1-u)/weight owns the key.
type dividedBy []Node

func (p dividedBy) Owner(key string) int {
	owner, least := -1, math.Inf(1)
	for i, n := range p {
		u := float64(hash.Score(hash.Member(key), hash.Member(n.Name))) / (1 << 64)
		if s := (1 - u) / float64(n.weight()); s < least {
			owner, least = i, s
		}
	}
	return owner
}

// The node of twice the weight gets 75 % of the keys where 66.7 % is meant: its
// distance, over 2, is less than the other's with probability 1 - 1/4.
func TestDividingTheScoreIsWrong(t *testing.T) {
	ns, ks := nodes(1, 2), keys(45_000)
	got := loads(dividedBy(ns), ns, ks)
	t.Logf("divided: %.1f %% and %.1f %%", 100*float64(got[0])/45_000, 100*float64(got[1])/45_000)
	checkShares(t, "divided", nodes(1, 3), got)
	for _, a := range []Algorithm{Logarithmic{}, CARP{}, Straw2{}, Multiplicity{}} {
		checkShares(t, a.Name(), ns, loads(a.Build(ns), ns, ks))
	}
}
