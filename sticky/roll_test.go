package sticky_test

import (
	"flag"
	"fmt"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/roll"
	"github.com/kgo-rendezvous/kgo-rendezvous/sticky"
)

var seeds = flag.Int("seeds", 2, "histories of each size in tests of rolling restarts; 20 for the figures in the docs")

// slow says that the race detector is on.
var slow bool

// TestRollingRestart has every member of a group leave and come back: what it
// gets is what it had just before, and in the end all is where it was at first.
//
// Where counts do not divide, the fewest moves stand against that: who comes back
// gets one less than it had if enough others have one more by then.
func TestRollingRestart(t *testing.T) {
	t.Parallel()
	for _, shape := range []roll.Shape{
		{Members: 3, Topics: 1, Partitions: 12},
		{Members: 10, Topics: 1, Partitions: 100},
		{Members: 20, Topics: 1, Partitions: 256},
		{Members: 10, Topics: 4, Partitions: 30},
		{Members: 50, Topics: 1, Partitions: 1000},
		{Members: 100, Topics: 1, Partitions: 1000},
	} {
		t.Run(fmt.Sprint(shape), func(t *testing.T) {
			s := roll.Of(sticky.Strategy{})
			s.Even, s.Fewest = true, true
			var all roll.Restarts
			for seed := range *seeds {
				r, err := roll.Restart(s, shape, 20, uint64(seed))
				if err != nil {
					t.Fatal(err)
				}
				all.Add(r)
			}
			t.Logf("precision %v, leaders %v, stability %v", all.Precision, all.Leaders, all.Stability)
			if least := 0.999; all.Precision.Of == 0 || ratio(all.Precision) < least {
				t.Errorf("precision is %v, want %.1f %%", all.Precision, 100*least)
			}
			divides := shape.Topics*shape.Partitions%shape.Members == 0
			if least := 0.93; ratio(all.Stability) < least || divides && !all.Stability.Whole() {
				t.Errorf("stability is %v, want %.0f %%, and all where counts divide", all.Stability, 100*least)
			}
		})
	}
}

func ratio(s roll.Share) float64 { return float64(s.Is) / float64(s.Of) }
