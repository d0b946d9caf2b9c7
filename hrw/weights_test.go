package hrw_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/assignor/assignortest"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
)

// spread returns chi-squared over its degrees of freedom of loads against
// weights.
func spread(g *assignor.Group, p assignor.Plan) float64 {
	var total, weights float64
	for m, n := range p.Loads(g) {
		total += float64(n)
		weights += float64(g.Members[m].Weight)
	}
	var chi2 float64
	for m, n := range p.Loads(g) {
		want := total * float64(g.Members[m].Weight) / weights
		chi2 += (float64(n) - want) * (float64(n) - want) / want
	}
	return chi2 / float64(len(g.Members)-1)
}

// limit is where chi-squared over df degrees of freedom has p = 10^-6, by the
// approximation of Wilson and Hilferty (1931).
func limit(df int) float64 {
	k := 2 / (9 * float64(df))
	return math.Pow(1-k+4.753*math.Sqrt(k), 3)
}

// Shares are in proportion to weights, within sampling error.
func TestWeights(t *testing.T) {
	for name, s := range map[string]hrw.Strategy{"plain": {}, "slots": {Slots: true}} {
		for _, weights := range [][]uint32{{1, 2, 3}, {1, 10_000}, upTo(50)} {
			if s.Slots && len(weights) < 50 {
				continue // made for large groups; TestSlots
			}
			spec := assignortest.Uniform(len(weights), 20_000)
			for i := range weights {
				spec.Members[i].Weight = weights[i]
			}
			g := spec.Group()
			got, most := spread(g, s.Assign(g)), limit(len(weights)-1)
			if s.Slots {
				most = 1.6 // slots that members share cost the heavy ones a little
			}
			t.Logf("%s %d members: chi²/df %.2f, at most %.2f", name, len(weights), got, most)
			if got > most {
				t.Errorf("%s, %v: loads %v, chi²/df %.2f, at most %.2f", name, weights, s.Assign(g).Loads(g), got, most)
			}
		}
	}
}

func upTo(n int) (weights []uint32) {
	for i := range n {
		weights = append(weights, uint32(i+1))
	}
	return weights
}

// TestWeightsEqual: a weight that all have is as none.
func TestWeightsEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := assignortest.Specs(assignortest.Shape{}).Draw(t, "group")
		for i := range spec.Members {
			spec.Members[i].Weight = 1
		}
		g := spec.Group()
		w := uint32(rapid.IntRange(2, 10_000).Draw(t, "weight"))
		for i := range spec.Members {
			spec.Members[i].Weight = w
		}
		weighted := spec.Group()
		for _, s := range []hrw.Strategy{{}, {LoadBound: 1.25}} {
			if got, want := s.Assign(weighted).Format(weighted), s.Assign(g).Format(g); got != want {
				t.Fatalf("%+v with weight %d:\n%s\nwithout:\n%s", s, w, got, want)
			}
		}
	})
}

// TestWeightChangeIsLocal: it moves partitions only to or from that member.
func TestWeightChangeIsLocal(t *testing.T) {
	for name, s := range map[string]hrw.Strategy{"plain": {}, "slots": {Slots: true}} {
		t.Run(name, func(t *testing.T) {
			spec := assignortest.Uniform(12, 300, 200)
			for i := range spec.Members {
				spec.Members[i].Weight = uint32(1 + i%3)
			}
			before := spec.Group()
			for _, w := range []uint32{1, 2, 3, 50} {
				spec.Members[4].Weight = w
				after := spec.Group()
				changed := assignor.None
				for m := range after.Members {
					if after.Members[m].Key == spec.Members[4].Key {
						changed = int32(m)
					}
				}
				up := w > before.Members[changed].Weight
				for _, move := range assignor.Diff(after, s.Assign(before), s.Assign(after)) {
					if up && move.To != changed || !up && move.From != changed {
						t.Fatalf("weight %d: %s", w, fmt.Sprint(move))
					}
				}
			}
		})
	}
}
