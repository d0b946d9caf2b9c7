package scenario_test

import (
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/scenario"
)

// A member that gives up partitions without committing what it has processed
// processes it again.
func TestHarnessNoticesRecordsProcessedTwice(t *testing.T) {
	w := newWorld(t, orders)
	said := &told{TB: t}
	w.Group = scenario.NewGroup(said, "forgets", w.cluster.ListenAddrs())
	w.Expect("orders", orders["orders"])
	load := w.Load("orders")
	spec := load.Processing("a", scenario.Spec{Topics: []string{"orders"}})
	spec.Revoking = nil
	a := w.Start("a", spec)
	w.Settle()
	load.Await(1)
	a.Restart()
	load.AwaitFault()
	load.Finish()
	said.mustSay(t, ", which had been processed") // whichever partition came first
}
