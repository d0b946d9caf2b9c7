package baseline

import "github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"

// Jump is jump consistent hashing: J. Lamping and E. Veach, "A Fast, Minimal
// Memory, Consistent Hash Algorithm", 2014 (arXiv:1406.2294). It keeps nothing
// but the number of nodes, is as even as ModN, and takes ln n steps. The nodes
// are numbered, so only the last can join or leave with no needless move: one
// that joins or leaves in the middle of the order renumbers all behind it.
// Weights do not count.
type Jump struct{}

// Name returns "jump".
func (Jump) Name() string { return "jump" }

// Build keeps the number of nodes.
func (Jump) Build(nodes []Node) Placement { return jumpTo(len(nodes)) }

type jumpTo int

func (n jumpTo) Owner(key string) int { return jump(hash.Member(key), int(n)) }

// jump follows one key as the buckets grow from none to n: next is where it
// leaves the bucket it is in, and the last bucket it enters below n has it.
func jump(key uint64, n int) int {
	bucket, next := int64(-1), int64(0)
	for next < int64(n) {
		bucket = next
		key = key*lcg + 1
		// The key stays while the buckets grow to j with probability
		// (bucket+1)/j; 31 random bits decide.
		next = int64(float64(bucket+1) * (float64(1<<31) / float64(key>>33+1)))
	}
	return int(bucket)
}

// lcg is the multiplier of the paper's linear congruential generator.
const lcg = 2862933555777941757
