package sticky_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor/assignortest"
	"github.com/kgo-rendezvous/kgo-rendezvous/sticky"
)

// claims has the laws of every setting beside those that bind all strategies.
var claims = []struct {
	name string
	sticky.Strategy
	laws []assignortest.Law
}{
	{"plain", sticky.Strategy{}, []assignortest.Law{
		assignortest.Even, assignortest.LeastMoves, assignortest.Home, assignortest.Spread}},
	{"per topic", sticky.Strategy{PerTopic: true}, []assignortest.Law{
		assignortest.PerTopic, assignortest.Even, assignortest.LeastMoves, assignortest.Home, assignortest.Spread}},
	{"racks", sticky.Strategy{Racks: true}, []assignortest.Law{
		assignortest.Even, assignortest.Racks, assignortest.LeastMoves, assignortest.Home, assignortest.Spread}},
	{"per topic and racks", sticky.Strategy{PerTopic: true, Racks: true}, []assignortest.Law{
		assignortest.PerTopic, assignortest.Even, assignortest.Racks, assignortest.LeastMoves, assignortest.Home, assignortest.Spread}},
}

func TestLaws(t *testing.T) {
	for _, c := range claims {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			assignortest.Run(t, c.Strategy, c.laws...)
		})
	}
}

func FuzzLeastMoves(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(assignortest.Property(sticky.Strategy{}, assignortest.LeastMoves)))
}

func FuzzHome(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(assignortest.Property(sticky.Strategy{}, assignortest.Home)))
}
