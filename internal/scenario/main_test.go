package scenario_test

import (
	"context"
	"flag"
	"testing"
	"time"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/scenario"
	"github.com/kgo-rendezvous/kgo-rendezvous/sticky"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	// Scenarios wait for heartbeats and timeouts more than they work.
	if err := flag.Set("test.parallel", "4"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

// A world is a fake cluster and a group on it.
type world struct {
	*scenario.Group
	t       *testing.T
	cluster *kfake.Cluster
	client  *kgo.Client // for requests of the test's own
}

// newWorld starts a cluster of its own for a test that runs beside others, with
// topics by name and number of partitions.
func newWorld(t *testing.T, topics map[string]int32) *world {
	t.Helper()
	t.Parallel()
	c, err := kfake.NewCluster(kfake.NumBrokers(1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	client, err := kgo.NewClient(kgo.SeedBrokers(c.ListenAddrs()...), kgo.DisableClientMetrics())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	w := &world{scenario.NewGroup(t, "group", c.ListenAddrs()), t, c, client}
	for name, n := range topics {
		w.CreateTopic(name, n)
	}
	return w
}

// A candidate is a strategy that the scenarios are run for.
type candidate struct {
	assignor.Strategy
	even bool // it promises what Group.Even checks
}

var (
	plain      = candidate{hrw.Strategy{}, false}
	evenly     = candidate{sticky.Strategy{}, true}
	strategies = []candidate{plain, evenly}
)

// newWorldOf starts a cluster as newWorld does, for members with a strategy.
func newWorldOf(t *testing.T, s candidate, topics map[string]int32) *world {
	t.Helper()
	w := newWorld(t, topics)
	w.Ours, w.Even = s.Strategy, s.even
	return w
}

// eachStrategy runs a test for every strategy.
func eachStrategy(t *testing.T, topics map[string]int32, test func(t *testing.T, w *world)) {
	for _, s := range strategies {
		t.Run(s.Name(), func(t *testing.T) { test(t, newWorldOf(t, s, topics)) })
	}
}

// expire ends a crashed member's session, as the broker does when its timeout
// is over: kfake does the same for both, and no live member of a starved
// machine can be taken for dead.
func (w *world) expire(memberID string) {
	w.t.Helper()
	member := kmsg.NewLeaveGroupRequestMember()
	member.MemberID = memberID
	req := kmsg.NewPtrLeaveGroupRequest()
	req.Group, req.Members = w.Name, []kmsg.LeaveGroupRequestMember{member}
	resp, err := req.RequestWith(w.t.Context(), w.client)
	if err == nil {
		err = kerr.ErrorForCode(resp.Members[0].ErrorCode)
	}
	if err != nil {
		w.t.Fatalf("expiring the session of %s: %v", memberID, err)
	}
}

// broker waits until the broker's view of the group fulfills cond.
func (w *world) broker(what string, cond func(*kfake.GroupInfo) bool) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), w.Deadline)
	defer cancel()
	if _, err := w.cluster.WaitGroupInfo(ctx, w.Name, cond); err != nil {
		w.t.Fatalf("waited %v until %s", w.Deadline, what)
	}
}

// memberID returns the broker's name for a running member.
func memberID(m *scenario.Member) string {
	id, _ := m.Client().GroupMetadata()
	return id
}

// reads is the usual member: with an identity, reading the given topics.
func reads(identity string, topics ...string) scenario.Spec {
	return scenario.Spec{Topics: topics, Identity: identity, Revoking: takeTime}
}

// takeTime is a member that needs a moment to let go of partitions: whoever
// gets them too early shows as a second owner.
func takeTime(ctx context.Context, _ *kgo.Client, _ map[string][]int32) {
	select {
	case <-time.After(20 * time.Millisecond):
	case <-ctx.Done():
	}
}

// leader returns the live member that made the latest plan.
func (w *world) leader() *scenario.Member {
	w.t.Helper()
	plans := w.Recorder().Plans()
	by := plans[len(plans)-1].By
	for _, m := range w.Live() {
		if m.Owner() == by {
			return m
		}
	}
	w.t.Fatalf("the latest plan is by %v, which does not live", by)
	return nil
}

// follower returns a live member that is not the leader and owns something.
func (w *world) follower() *scenario.Member {
	w.t.Helper()
	leader, owned := w.leader(), w.Owned()
	for _, m := range w.Live() {
		if m != leader && len(owned.Of(m.Name)) > 0 {
			return m
		}
	}
	w.t.Fatal("there is no follower")
	return nil
}
