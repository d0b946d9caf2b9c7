package hrw_test

import (
	"math"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor/assignortest"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
)

// TestSlots: with 200,000 partitions, as many as a Kafka group may have, loads
// deviate little more than sampling alone makes them. What members lose or win
// by sharing slots is their own share, about 7 % at 8000 members, and would show
// with more partitions each. The laws are checked in TestLaws.
func TestSlots(t *testing.T) {
	const partitions = 200_000
	for _, n := range []int{100, 500, 1000, 2000, 4000, 8000} {
		g := assignortest.Uniform(n, partitions).Group()
		plan := hrw.Strategy{Slots: true}.Assign(g)
		chi2 := spread(g, plan)
		mean := float64(partitions) / float64(n)
		most := 0
		for _, load := range plan.Loads(g) {
			most = max(most, load)
		}
		t.Logf("%d members: deviation %.3f (sampling alone %.3f), chi²/df %.2f, max/avg %.2f", n, math.Sqrt(chi2/mean), math.Sqrt(1/mean), chi2, float64(most)/mean)
		if chi2 > 1.25 && n >= 500 {
			t.Errorf("%d members: chi²/df %.2f, at most 1.25", n, chi2)
		}
	}
}
