package cases_test

import (
	"flag"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/cases"
	"github.com/kgo-rendezvous/kgo-rendezvous/ring"
)

var full = flag.Bool("full", false, "play the large cases at their full size and with all strategies, which takes minutes")

// stateless has the strategies that look at keys only. They promise no balance
// but where a bound is set, look at no racks and at no present owner: they are
// held to what binds everybody, and to the rest where the subscriptions leave no
// choice.
var stateless = map[string]assignor.Strategy{
	"hrw":          hrw.Strategy{},
	"hrw bounded":  hrw.Strategy{LoadBound: 1.25},
	"hrw slots":    hrw.Strategy{Slots: true},
	"ring":         ring.Strategy{},
	"ring bounded": ring.Strategy{LoadBound: 1.25},
}

func TestCases(t *testing.T) {
	for name, s := range stateless {
		t.Run(name, func(t *testing.T) {
			if !*full && (name == "hrw slots" || name == "ring bounded") {
				t.Skip("slow: with -full only")
			}
			cases.Run(t, cases.Subject{Strategy: s, Full: *full})
		})
	}
}
