package sticky_test

import (
	"flag"
	"fmt"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/roll"
	"github.com/kgo-rendezvous/kgo-rendezvous/sticky"
)

var seeds = flag.Int("seeds", 2, "histories of each size in tests of rolling restarts; 20 for the figures in the docs")

func TestRollingRestart(t *testing.T) {
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
		})
	}
}
