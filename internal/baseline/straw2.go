package baseline

import (
	"math"
	"sync"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

// Straw2 is the bucket that Ceph's CRUSH takes since 2015 (S. Weil et al.,
// "CRUSH", SC 2006, describes straw, whose weights drifted): every item draws a
// straw, the logarithm of 16 random bits over its weight, and the longest wins.
// That is the logarithmic method in integers, so a change of one weight moves
// keys only to or from that item.
//
// As in CRUSH, 16 bits make two straws of n items equal for about n/130,000 of
// the keys, which the earlier item gets. Random bits are this project's, not
// CRUSH's own hash, and the logarithms are rounded once, not taken from its
// table. A look-up draws for every item.
type Straw2 struct{}

// Name returns "straw2".
func (Straw2) Name() string { return "straw2" }

// Build hashes the names.
func (Straw2) Build(nodes []Node) Placement {
	p := straw2{hashes: hashes(nodes), weights: make([]int64, len(nodes)), logs: straw2Logs()}
	for i, n := range nodes {
		p.weights[i] = int64(n.weight()) << 16 // fixed point, as in a CRUSH map
	}
	return p
}

type straw2 struct {
	hashes  []uint64
	weights []int64
	logs    []int64
}

func (p straw2) Owner(key string) int {
	k := hash.Member(key)
	owner, longest := -1, int64(math.MinInt64)
	for i, m := range p.hashes {
		if straw := p.logs[hash.Score(k, m)>>48] / p.weights[i]; straw > longest {
			owner, longest = i, straw
		}
	}
	return owner
}

// straw2Logs returns log2((u+1)/2^16) for every u of 16 bits, in units of
// 2^-44: 0 for the highest u, negative for all others.
var straw2Logs = sync.OnceValue(func() []int64 {
	logs := make([]int64, 1<<16)
	for u := range logs {
		logs[u] = int64(math.Round(math.Ldexp(math.Log2(float64(u+1))-16, 44)))
	}
	return logs
})
