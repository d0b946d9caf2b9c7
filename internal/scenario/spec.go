package scenario

import (
	"context"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/twmb/franz-go/pkg/kgo"
)

// A Spec says what a member is. It is read at each start.
type Spec struct {
	Topics   []string
	Identity string            // "": none
	Instance string            // group.instance.id; "": not static
	Strategy assignor.Strategy // nil: the Group's
	Options  []assignor.Option // more of them
	// Offers, if set, returns what the member offers to the group, the
	// preferred first, in place of the Balancer made from the fields above.
	Offers func(ours kgo.GroupBalancer) []kgo.GroupBalancer
	// Balancers are used instead of all that; see Group.Balancer.
	Balancers []kgo.GroupBalancer
	NoHook    bool // leave out kgo.WithHooks(balancer)
	// Client holds options of this member, after the Group's.
	Client []kgo.Opt
	// Run, if set, runs beside the client, usually to poll, until ctx is
	// done or the client is closed; a Stop or Crash waits for it.
	Run func(ctx context.Context, cl *kgo.Client)
	// Memory, if set, is the path of a file of package warm, which the member
	// keeps as that package says. What it builds for a partition is there when
	// the group has settled.
	Memory string
	// Revoking, if set, runs when partitions are taken, before that is
	// recorded: to commit, and to wait for what is under way.
	Revoking func(ctx context.Context, cl *kgo.Client, partitions map[string][]int32)
}
