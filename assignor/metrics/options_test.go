package metrics

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// first gives everything to the first subscriber.
type first struct{}

func (first) Name() string { return "first" }

func (first) Assign(g *assignor.Group) assignor.Plan {
	plan := make(assignor.Plan, len(g.Topics))
	for t, topic := range g.Topics {
		plan[t] = make([]int32, topic.Partitions)
		for p := range plan[t] {
			plan[t][p] = topic.Subscribers[0]
		}
	}
	return plan
}

// Through a real Balancer: it leads a round with a member that cannot be read,
// and follows in the next.
func TestOptions(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)

	c := New()
	b, err := assignor.New(first{}, append(c.Options(), assignor.Identity("worker-0"))...)
	if err != nil {
		t.Fatal(err)
	}
	balancer, _, err := b.MemberBalancer([]kmsg.JoinGroupResponseMember{
		{MemberID: "id-0", ProtocolMetadata: b.JoinGroupMetadata([]string{"t"}, nil, -1)},
		{MemberID: "id-1", ProtocolMetadata: []byte("?")},
	})
	if err != nil {
		t.Fatal(err)
	}
	decided, err := balancer.(*kgo.ConsumerBalancer).BalanceOrError(map[string]int32{"t": 3})
	if err != nil {
		t.Fatal(err)
	}
	plan := decided.IntoSyncAssignment()
	if _, err := b.ParseSyncAssignment(plan[0].MemberAssignment); err != nil {
		t.Fatal(err)
	}
	const leading = `
# HELP kgo_rendezvous_gains_total Partitions that nobody owned, given to a member.
# TYPE kgo_rendezvous_gains_total counter
kgo_rendezvous_gains_total{group="",strategy="first"} 3
# HELP kgo_rendezvous_member_partitions Partitions planned for the member.
# TYPE kgo_rendezvous_member_partitions gauge
kgo_rendezvous_member_partitions{group="",member="id-1",strategy="first"} 0
kgo_rendezvous_member_partitions{group="",member="worker-0",strategy="first"} 3
`
	names := []string{"kgo_rendezvous_gains_total", "kgo_rendezvous_member_partitions"}
	if err := testutil.CollectAndCompare(c, strings.NewReader(leading), names...); err != nil {
		t.Error(err)
	}

	// Plugging in metrics must not silence the log.
	if !strings.Contains(log.String(), "kind=metadata") {
		t.Errorf("the log has no warning of the unreadable member:\n%s", &log)
	}
	if n := c.warnings[warning{series{"first", ""}, "metadata"}].n; n != 1 {
		t.Errorf("%d warnings are counted, want 1", n)
	}

	b.JoinGroupMetadata([]string{"t"}, map[string][]int32{"t": {0, 1, 2}}, 1)
	if _, err := b.ParseSyncAssignment(plan[0].MemberAssignment); err != nil {
		t.Fatal(err)
	}
	if n := testutil.CollectAndCount(c, "kgo_rendezvous_leader", "kgo_rendezvous_member_partitions"); n != 0 {
		t.Errorf("a follower still exports %d series of a leader", n)
	}
}
