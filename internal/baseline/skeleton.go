package baseline

import (
	"strconv"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

// Skeleton is rendezvous hashing in a tree of virtual nodes, the article's way
// to place in O(log n): Z. Yao, C. Ravishankar and S. Tripathi, "Hash-Based
// Virtual Hierarchies for Caching in Hybrid Content-Delivery Networks",
// technical report, UC Riverside, 2001. The nodes, in the order given, are cut
// into clusters; clusters are the leaves of a tree of virtual nodes, each named
// by its path from the root. A key goes to the child that scores highest for
// it, from the root down to one node.
//
// As long as the tree is complete, loads are as even as in plain rendezvous
// hashing. But a partial last cluster, or a last branch with few of them, gets as
// much as a full one: 6 times the average a node at 50 or 101 nodes, 54 times at
// 109. A node that joins or leaves in the middle of the order shifts all
// clusters behind it, so that growth by one moves 20 to 25 % of the keys (5 to
// 13 % with clusters of 16), and one cluster more than the tree has room for
// renames everything: 98 % at 108 nodes. Weights do not count.
type Skeleton struct {
	Cluster int // nodes in a cluster, m in the article; 0 stands for 4
	Fanout  int // children of a virtual node, f in the article; 0 stands for 3
}

// Name returns "skeleton".
func (Skeleton) Name() string { return "skeleton" }

// Build hashes the names of all nodes, virtual and real: "2", "2/0", "2/0/1"
// and so on, the digits of the cluster's number from the highest on.
func (a Skeleton) Build(nodes []Node) Placement {
	p := skeleton{cluster: a.Cluster, fanout: a.Fanout}
	if p.cluster <= 0 {
		p.cluster = 4
	}
	if p.fanout <= 1 {
		p.fanout = 3
	}
	clusters := (len(nodes) + p.cluster - 1) / p.cluster
	below := 1 // clusters under one virtual node of the present tier
	for below < clusters {
		below *= p.fanout
	}
	paths := []string{""} // of the tier above, first the root
	for below > 1 {
		below /= p.fanout
		tier := make([]uint64, (clusters+below-1)/below)
		next := make([]string, len(tier))
		for i := range tier {
			next[i] = paths[i/p.fanout] + "/" + strconv.Itoa(i%p.fanout)
			tier[i] = hash.Member(next[i][1:])
		}
		p.tiers, paths = append(p.tiers, tier), next
	}
	p.nodes = hashes(nodes)
	return p
}

type skeleton struct {
	cluster, fanout int
	tiers           [][]uint64 // virtual nodes, from below the root to the clusters
	nodes           []uint64
}

func (p skeleton) Owner(key string) int {
	k := hash.Member(key)
	at := 0
	for _, tier := range p.tiers {
		at = bestChild(k, tier, at, p.fanout)
	}
	return bestChild(k, p.nodes, at, p.cluster)
}

// bestChild returns which of the n children of the one at i scores highest, -1
// if there are none. The last of a tier may have fewer.
func bestChild(k uint64, tier []uint64, i, n int) int {
	children := tier[i*n : min((i+1)*n, len(tier))]
	best := hash.Best(k, children)
	if best < 0 {
		return -1
	}
	return i*n + best
}
