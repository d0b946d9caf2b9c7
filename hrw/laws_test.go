package hrw_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor/assignortest"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
)

func TestLaws(t *testing.T) {
	hashing := []assignortest.Law{assignortest.Stateless, assignortest.Local, assignortest.Rank, assignortest.Spread, assignortest.SpreadWithin}
	t.Run("plain", func(t *testing.T) { assignortest.Run(t, hrw.Strategy{}, hashing...) })
	t.Run("slots", func(t *testing.T) {
		// Even within sampling is what TestSlots says of it, at its sizes.
		assignortest.Run(t, hrw.Strategy{Slots: true}, assignortest.Stateless, assignortest.Local, assignortest.Rank)
	})
	for name, s := range map[string]hrw.Strategy{"bound 1": {LoadBound: 1}, "bound 1.25": {LoadBound: 1.25}} {
		t.Run(name, func(t *testing.T) { assignortest.Run(t, s, assignortest.Stateless) })
	}
}

func FuzzLocal(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(assignortest.Property(hrw.Strategy{}, assignortest.Local)))
}

func FuzzUpdate(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(assignortest.Property(hrw.Strategy{}, assignortest.Update)))
}

func FuzzBound(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(assignortest.Property(hrw.Strategy{LoadBound: 1.25}, assignortest.Valid)))
}
