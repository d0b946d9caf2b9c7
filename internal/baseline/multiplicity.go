package baseline

import "github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"

// Multiplicity is rendezvous hashing where a node of weight w takes part w
// times, the oldest way to weigh it: D. Thaler and C. Ravishankar, "Using
// Name-Based Mappings to Increase Hit Rates", IEEE/ACM Transactions on
// Networking 6(1), 1998, is the method without weights. Shares are exact and
// nothing drifts, but a look-up scores as many as the weights' sum. Where all
// weights are 1 the owners are those of package hrw.
type Multiplicity struct{}

// Name returns "multiplicity".
func (Multiplicity) Name() string { return "multiplicity" }

// Build lists every node as often as it weighs.
func (Multiplicity) Build(nodes []Node) Placement {
	var p multiplicity
	for i, n := range nodes {
		m := hash.Member(n.Name)
		for range n.weight() {
			p.hashes = append(p.hashes, m)
			p.nodes = append(p.nodes, i)
			m += golden
		}
	}
	return p
}

// golden is 2^64 over the golden ratio: multiples of it lie far apart.
const golden = 0x9e3779b97f4a7c15

type multiplicity struct {
	hashes []uint64
	nodes  []int // by hashes
}

func (p multiplicity) Owner(key string) int {
	if len(p.hashes) == 0 {
		return -1
	}
	return p.nodes[hash.Best(hash.Member(key), p.hashes)]
}
