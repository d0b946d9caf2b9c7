package scenario

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// WaitStable waits until the broker describes the group as stable under a
// protocol, with exactly the live members, each assigned what it owns, and until
// nothing that somebody reads is unowned. Unlike Settle it asks for no plan: for
// groups that other balancers lead. The broker tells by itself of nothing, so it
// is asked again and again.
func (g *Group) WaitStable(protocol string) Ownership {
	g.tb.Helper()
	ctx, cancel := context.WithTimeout(g.tb.Context(), g.Deadline)
	defer cancel()
	for {
		owned, why := g.described(ctx, protocol)
		if why == "" {
			g.mustBeFair(owned)
			return owned
		}
		select {
		case <-time.After(5 * time.Millisecond):
		case <-ctx.Done():
			g.tb.Fatalf("waited %v until the group is stable: %s", g.Deadline, why)
		}
	}
}

// described returns who owns what if that is what the broker describes, or why
// it is not.
func (g *Group) described(ctx context.Context, protocol string) (owned Ownership, why string) {
	groups, err := g.admin.DescribeGroups(ctx, g.Name)
	if err == nil {
		err = groups[g.Name].Err
	}
	if err != nil {
		return nil, err.Error()
	}
	d, v := groups[g.Name], g.look()
	if d.State != "Stable" || d.Protocol != protocol {
		return nil, fmt.Sprintf("it is %s under %q", d.State, d.Protocol)
	}
	if len(d.Members) != len(v.live) {
		return nil, fmt.Sprintf("it has %d members, %d live", len(d.Members), len(v.live))
	}
	assigned := make(map[string][]Partition)
	for _, m := range d.Members {
		byTopic := make(map[string][]int32)
		if a, ok := m.Assigned.AsConsumer(); ok {
			for _, t := range a.Topics {
				byTopic[t.Topic] = t.Partitions
			}
		}
		assigned[m.ClientID] = Flatten(byTopic)
	}
	owned = v.ownership()
	for _, m := range v.live {
		if is, should := owned.Of(m.Name), assigned[m.Name]; !slices.Equal(is, should) {
			return nil, fmt.Sprintf("%v owns %s and is assigned %s", m.Owner(), formatPartitions(is), formatPartitions(should))
		}
	}
	for topic, n := range v.expected {
		for p := range n {
			if part := (Partition{topic, p}); len(v.owners[part]) != 1 {
				return nil, fmt.Sprintf("%v is owned by %v", part, v.owners[part])
			}
		}
	}
	return owned, ""
}
