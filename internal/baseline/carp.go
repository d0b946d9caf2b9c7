package baseline

import (
	"cmp"
	"math"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

// CARP is rendezvous hashing with the weights of the Cache Array Routing
// Protocol: V. Valloppillil and K. Ross, draft-vinod-carp-v1-03, 1998. A score
// is multiplied by a factor, computed from the weights of all nodes so that the
// shares come out exactly; the highest product owns the key. Since the factors
// depend on everybody, a node that joins or leaves changes them all, and keys
// move between nodes that stay: the weights drift. With equal weights every
// factor is 1 and nothing drifts.
//
// Scores are this project's, not the draft's 32 bits of rotated sums: only the
// weights are compared. A look-up scores every node.
type CARP struct{}

// Name returns "carp".
func (CARP) Name() string { return "carp" }

// Build computes the factors: section 3.2 of the draft, in one pass over the
// nodes sorted by weight.
func (CARP) Build(nodes []Node) Placement {
	return carp{hashes(nodes), carpFactors(nodes)}
}

// carpFactors returns each node's factor X. With the shares P ascending,
//
//	X₁ = (n·P₁)^(1/n)
//	Xₖ = (Xₖ₋₁^m + m·(Pₖ-Pₖ₋₁)/(X₁·…·Xₖ₋₁))^(1/m) where m = n-k+1
func carpFactors(nodes []Node) []float64 {
	order := make([]int, len(nodes))
	var sum float64
	for i, n := range nodes {
		order[i] = i
		sum += float64(n.weight())
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(nodes[a].weight(), nodes[b].weight()) })

	factors := make([]float64, len(nodes))
	var x, share float64 // of the node before
	product := 1.0
	for k, i := range order {
		m := float64(len(nodes) - k)
		s := float64(nodes[i].weight()) / sum
		if s > share {
			x = math.Pow(math.Pow(x, m)+m*(s-share)/product, 1/m)
		}
		factors[i], share = x, s
		product *= x
	}
	return factors
}

type carp struct {
	hashes  []uint64
	factors []float64
}

func (p carp) Owner(key string) int {
	k := hash.Member(key)
	owner, best := -1, -1.0
	for i, m := range p.hashes {
		if s := float64(hash.Score(k, m)) * p.factors[i]; s > best {
			owner, best = i, s
		}
	}
	return owner
}
