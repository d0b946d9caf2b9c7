package roll

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// Against all choices of who is to have the larger load.
func TestLeastMoves(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		loads := make([]int, 1+rng.IntN(7))
		owned := 0
		for i := range loads {
			loads[i] = rng.IntN(8)
			owned += loads[i]
		}
		partitions := owned + rng.IntN(6)
		want := owned
		for larger := range 1 << len(loads) {
			if bits.OnesCount(uint(larger)) != partitions%len(loads) {
				continue
			}
			moves := 0
			for i, load := range loads {
				moves += max(0, load-partitions/len(loads)-larger>>i&1)
			}
			want = min(want, moves)
		}
		if got := LeastMoves(loads, partitions); got != want {
			t.Fatalf("loads %v of %d partitions: %d moves, want %d", loads, partitions, got, want)
		}
	}
}
