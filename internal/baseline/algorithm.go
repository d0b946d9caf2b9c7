package baseline

import "github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"

// A Node can own keys.
type Node struct {
	Name   string
	Weight uint32 // its share, relative to the others'; 0 counts as 1
}

func (n Node) weight() uint32 { return max(n.Weight, 1) }

// An Algorithm places keys on nodes.
//
// Build takes nodes of distinct names, in an order that the caller should fix
// by sorting: where the algorithm is not indifferent to order, and for ties,
// the order given counts. It does not change nodes. The same nodes give the
// same Placement.
type Algorithm interface {
	// Name is short and the same for all settings.
	Name() string
	Build(nodes []Node) Placement
}

// A Placement is an Algorithm's result for one list of nodes. It does not
// change, and may be asked by several goroutines at once.
type Placement interface {
	// Owner returns the index of the node that owns the key, -1 if there
	// are no nodes.
	Owner(key string) int
}

// All returns every algorithm, with the settings to compare.
func All() []Algorithm {
	return []Algorithm{
		ModN{},
		Jump{},
		Ring{VirtualNodes: 100, Hash: MD5},
		CARP{},
		Straw2{},
		Multiplicity{},
		Logarithmic{},
		Skeleton{},
	}
}

// hashes returns the hash of each node's name.
func hashes(nodes []Node) []uint64 {
	hs := make([]uint64, len(nodes))
	for i, n := range nodes {
		hs[i] = hash.Member(n.Name)
	}
	return hs
}
