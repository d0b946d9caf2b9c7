package scenario_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// A static member is killed after it gave up partitions and before it joins
// again (franz-go 1483). The broker thinks it is there until its session ends,
// and nothing rebalances; the leader's hook asks for the round that is owed.
// (Apache Kafka rebalances neither when the member comes back, kfake does.)
func TestKilledBetweenRevokingAndRejoining(t *testing.T) {
	w := newWorld(t, twoTopics)
	a := static("a", "returns")                                        // gives nothing up, so only b would bring a round
	a.Client = []kgo.Opt{kgo.RebalanceTimeout(300 * time.Millisecond)} // how long the leader waits
	w.Start("a", a)
	w.Settle() // a leads
	revoking := make(chan struct{})
	reached := sync.OnceFunc(func() { close(revoking) })
	spec := static("b", "orders")
	spec.Revoking = func(ctx context.Context, _ *kgo.Client, _ map[string][]int32) {
		reached()
		<-ctx.Done()
	}
	b := w.Start("b", spec)
	before, mark := w.Settle(), w.Mark()

	w.Start("c", static("c", "orders"))
	<-revoking
	id := memberID(b)
	b.Crash()
	if p := w.PlansSince(mark)[0]; len(p.Withheld) == 0 || !p.Owed {
		t.Errorf("withheld %v, owed %v", p.Withheld, p.Owed)
	}
	w.broker("the leader has asked for a round", func(g *kfake.GroupInfo) bool {
		return g.State == "PreparingRebalance" && len(g.Members) == 3
	})
	w.expire(id) // the round waits for b; Kafka gives it the rebalance timeout
	after := w.Settle()
	w.MustNotPause(mark)
	after.MustOnlyLose(t, before, "b")
	if n := of(after, "c", "orders"); n != 12 {
		t.Errorf("c has %d of 12 partitions:\n%v", n, after)
	}
}
