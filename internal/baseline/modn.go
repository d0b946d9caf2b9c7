package baseline

// ModN is the hash of the key modulo the number of nodes, where the articles
// begin. Loads are as even as chance makes them, at the cost of one division;
// but from n to n+1 nodes only one key in n+1 stays where it was. Weights do not
// count.
type ModN struct {
	Hash Hash
}

// Name returns "mod-n".
func (ModN) Name() string { return "mod-n" }

// Build keeps the number of nodes.
func (a ModN) Build(nodes []Node) Placement {
	return modN{a.Hash.orDefault(), uint64(len(nodes))}
}

type modN struct {
	hash Hash
	n    uint64
}

func (p modN) Owner(key string) int {
	if p.n == 0 {
		return -1
	}
	return int(p.hash(key) % p.n)
}
