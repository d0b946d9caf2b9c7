//go:build integration

package integration

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/scenario"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

// newProtocol starts a member of the new consumer protocol (KIP-848), whose
// ownership is recorded like that of all others, as "new". It returns what ends
// it.
func (g *group) newProtocol(opts ...kgo.Opt) (leave func()) {
	g.t.Helper()
	g.Foreign = true
	who := scenario.Owner{Member: "new", Life: 1}
	record := func(kind scenario.Kind) func(context.Context, *kgo.Client, map[string][]int32) {
		return func(_ context.Context, _ *kgo.Client, ps map[string][]int32) {
			g.Recorder().Record(scenario.Event{Owner: who, Kind: kind, Partitions: scenario.Flatten(ps)})
		}
	}
	cl, err := kgo.NewClient(append([]kgo.Opt{
		kgo.SeedBrokers(broker(g.t)),
		kgo.ClientID("new"),
		kgo.ConsumerGroup(g.Name),
		kgo.ConsumeTopics(g.topic("orders")),
		kgo.ServerSideBalancer(),
		kgo.MetadataMinAge(20 * time.Millisecond),
		kgo.DisableClientMetrics(),
		kgo.OnPartitionsAssigned(record(scenario.Assigned)),
		kgo.OnPartitionsRevoked(record(scenario.Revoked)),
		kgo.OnPartitionsLost(record(scenario.Lost)),
	}, opts...)...)
	if err != nil {
		g.t.Fatal(err)
	}
	leave = sync.OnceFunc(func() {
		cl.Close()
		g.Recorder().Record(scenario.Event{Owner: who, Kind: scenario.Stopped})
	})
	g.t.Cleanup(leave)
	return leave
}

// A group that is not pinned is taken over, silently, by one member of the new
// protocol, and is ours again when that member has left.
func TestNewProtocolTakesOver(t *testing.T) {
	withDefault(t, orders, func(t *testing.T, g *group) {
		before, _ := g.start("orders", "a", "b")
		leave := g.newProtocol()
		g.Wait("the member of the new protocol has its share", func() bool { return len(g.Owned().Of("new")) > 0 })
		shared := g.WaitOwned()
		t.Logf("the broker gave the member of the new protocol %d of 24 partitions", len(shared.Of("new")))
		groups, err := g.Admin().DescribeConsumerGroups(t.Context(), g.Name)
		if err != nil || groups[g.Name].Err != nil || groups[g.Name].AssignorName != "uniform" {
			t.Errorf("the group is described as %+v, %v", groups[g.Name], err)
		}

		g.NextRound()
		start := time.Now()
		leave()
		after := g.Settle()
		t.Logf("ours again %d ms after it left", time.Since(start).Milliseconds())
		if g.local {
			after.MustEqual(t, before)
		}
		if d := g.describe(); d.Protocol != g.Strategy.Name() {
			t.Errorf("the group's protocol is %q", d.Protocol)
		}
	})
}

// A pinned group refuses that member as long as it has others, and they notice
// nothing. Nothing keeps an empty group from being taken.
func TestPinned(t *testing.T) {
	withDefault(t, orders, func(t *testing.T, g *group) {
		pinned := g.reads("a", "orders")
		pinned.Options = []assignor.Option{assignor.Pinned()} // one is enough
		g.Start("a", pinned)
		g.Start("b", g.reads("b", "orders"))
		before := g.Settle()
		mark := g.Mark()

		refused := &groupErrors{seen: make(chan error, 1)}
		g.newProtocol(kgo.WithHooks(refused))
		select {
		case err := <-refused.seen:
			t.Logf("refused: %v", err)
			if !errors.Is(err, kerr.GroupIDNotFound) {
				t.Errorf("refused with another error: %v", err)
			}
		case <-time.After(g.Deadline):
			t.Fatal("the member of the new protocol was not refused")
		}
		g.Settle().MustEqual(t, before)
		g.MustNotPause(mark)
		if plans := g.PlansSince(mark); len(plans) > 0 {
			t.Errorf("it cost %d rounds", len(plans))
		}
		if ws := g.Recorder().Warnings(assignor.WarnPinned); len(ws) > 0 {
			t.Errorf("warned: %v", ws)
		}

		for _, m := range g.Live() {
			m.Stop()
		}
		g.Wait("the member of the new protocol, which kept asking, has all", func() bool { return len(g.Owned().Of("new")) == 24 })
	})
}

// groupErrors hears why a client has no session.
type groupErrors struct{ seen chan error }

func (g *groupErrors) OnGroupManageError(err error) {
	select {
	case g.seen <- err:
	default:
	}
}
