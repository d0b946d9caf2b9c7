package baseline

import "math"

// Logarithmic is weighted rendezvous hashing as Wikipedia's example has it: the
// logarithmic method (J. Resch, "New Hashing Algorithms for Data Storage", SDC
// 2015; C. Schindelhauer and G. Schomaker, "Weighted Distributed Hash Tables",
// SPAA 2005) on MurmurHash3 of "name: key". With u = (hash+1)/2^128, in (0, 1],
// the largest -weight/ln u owns the key. Shares are exact, and a change of one
// weight moves keys only to or from that node. A look-up hashes the key once
// for every node.
type Logarithmic struct{}

// Name returns "logarithmic".
func (Logarithmic) Name() string { return "logarithmic" }

// Build keeps the nodes.
func (Logarithmic) Build(nodes []Node) Placement { return logarithmic(append([]Node(nil), nodes...)) }

type logarithmic []Node

// Owner returns the node of the smallest -ln u/weight: so the best u, 1, needs
// no division by zero.
func (p logarithmic) Owner(key string) int {
	var room [128]byte
	owner, least := -1, math.Inf(1)
	for i, n := range p {
		b := append(append(append(room[:0], n.Name...), ": "...), key...)
		if d := -math.Log(unit(murmur3(b, 0))) / float64(n.weight()); d < least {
			owner, least = i, d
		}
	}
	return owner
}

// unit returns (hash+1)/2^128.
func unit(low, high uint64) float64 {
	low++
	if low == 0 {
		high++
		if high == 0 {
			return 1
		}
	}
	return math.Ldexp(float64(high), -64) + math.Ldexp(float64(low), -128)
}
