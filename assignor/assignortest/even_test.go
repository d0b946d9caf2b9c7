package assignortest

import (
	"fmt"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/oracle"
	"pgregory.net/rapid"
)

// best plans as the oracle does.
type best struct{ oracle.Strategy }

func (best) Homing() {}

func bestWith(perTopic, racks bool) best {
	return best{oracle.Strategy{Options: oracle.Options{PerTopic: perTopic, Racks: racks}}}
}

// The best plans keep all laws that bind every strategy and those of even
// placement: what looks at owners, homes and warm lists can be a fixed point, and
// settles in two rounds.
func TestBest(t *testing.T) {
	for i := range 4 {
		s := bestWith(i&1 > 0, i&2 > 0)
		t.Run(fmt.Sprintf("%+v", s.Options), func(t *testing.T) {
			laws := []Law{FixedPoint, TwoStep, Even, LeastMoves, Home}
			if s.Options == (oracle.Options{}) {
				laws = append(laws, Valid, Pure, OrderFree, RestartStable)
			}
			if s.PerTopic {
				laws = append(laws, PerTopic)
			}
			if s.Racks {
				laws = append(laws, Racks)
			}
			for _, law := range laws {
				t.Run(law.String(), func(t *testing.T) {
					rapid.Check(t, func(t *rapid.T) {
						// The oracle is too slow for groups of the usual shape.
						drawn(law)(&trial{TB: t, T: t, law: law, s: s, beside: laws, shape: small})
					})
				})
			}
		})
	}
}

// A strategy that is not Homing is held against what it is shown. It cannot claim
// Home.
func TestNotHoming(t *testing.T) {
	s := oracle.Strategy{}
	judged(t, s, Even, false)
	judged(t, s, LeastMoves, false)
	judged(t, s, Home, true)
}
