package roll

import (
	"crypto/sha256"
	"math/rand/v2"
)

// Orders plays one history k times, each time with the list of members and each
// member's list of topics shuffled in another way in every round, and returns
// in how many different ways it went: 1 if the order is of no account.
//
// kgo sorts members by ID before a balancer sees them, and IDs are drawn by the
// broker. Shuffling the sorted list is, for a balancer that goes by the order,
// as if the broker had drawn other ones.
func Orders(s Subject, shape Shape, events int, seed uint64, k int) (int, error) {
	ways := make(map[[sha256.Size]byte]struct{})
	for i := range k {
		h, err := newHistory(s, shape, events, seed, rand.New(rand.NewPCG(seed, uint64(i)+2)))
		if err != nil {
			return 0, err
		}
		way := sha256.New()
		if err := h.play(func(g *Group) error {
			for _, m := range g.owner {
				way.Write([]byte(m.name)) // all are of one length
			}
			return nil
		}); err != nil {
			return 0, err
		}
		ways[[sha256.Size]byte(way.Sum(nil))] = struct{}{}
	}
	return len(ways), nil
}
