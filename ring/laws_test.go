package ring_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor/assignortest"
	"github.com/kgo-rendezvous/kgo-rendezvous/ring"
)

func TestLaws(t *testing.T) {
	hashing := []assignortest.Law{assignortest.Stateless, assignortest.Local, assignortest.Rank, assignortest.Spread}
	t.Run("128 virtual nodes", func(t *testing.T) { assignortest.Run(t, ring.Strategy{}, hashing...) })
	for name, s := range map[string]ring.Strategy{"bound 1": {LoadBound: 1, VirtualNodes: 16}, "bound 1.25": {LoadBound: 1.25, VirtualNodes: 16}} {
		t.Run(name, func(t *testing.T) { assignortest.Run(t, s, assignortest.Stateless) })
	}
}

func FuzzLocal(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(assignortest.Property(ring.Strategy{}, assignortest.Local)))
}

func FuzzUpdate(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(assignortest.Property(ring.Strategy{}, assignortest.Update)))
}

func FuzzBound(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(assignortest.Property(ring.Strategy{LoadBound: 1.25}, assignortest.Valid)))
}
