//go:build integration

package integration

import (
	"slices"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/scenario"
	"github.com/twmb/franz-go/pkg/kadm"
)

// What the tools of Kafka show of a group is true.
func TestDescribe(t *testing.T) {
	withDefault(t, map[string]int32{"orders": 12, "payments": 7}, func(t *testing.T, g *group) {
		topics := []string{g.topic("orders"), g.topic("payments")}
		for _, name := range []string{"a", "b", "c"} {
			g.Start(name, g.reads(name, "orders", "payments"))
		}
		static := g.reads("", "orders", "payments")
		static.Instance = "d"
		g.Start("d", static)
		owned := g.Settle()

		described := g.describe()
		if described.State != "Stable" || described.Protocol != g.Strategy.Name() || described.ProtocolType != "consumer" {
			t.Errorf("state %s, protocol %s of type %s", described.State, described.Protocol, described.ProtocolType)
		}
		if len(described.Members) != 4 {
			t.Errorf("%d members are described", len(described.Members))
		}
		for _, m := range described.Members {
			if name := m.ClientID; name == "d" != (m.InstanceID != nil && *m.InstanceID == "d") {
				t.Errorf("%s has the instance ID %v", name, m.InstanceID)
			}
			join, ok := m.Join.AsConsumer()
			if !ok || !slices.Equal(join.Topics, topics) {
				t.Errorf("%s reads %v (%v)", m.ClientID, join, ok)
			}
			assigned, ok := m.Assigned.AsConsumer()
			if !ok {
				t.Fatalf("the assignment of %s cannot be decoded", m.ClientID)
			}
			byTopic := make(map[string][]int32)
			for _, topic := range assigned.Topics {
				byTopic[topic.Topic] = topic.Partitions
			}
			if got, want := scenario.Flatten(byTopic), owned.Of(m.ClientID); !slices.Equal(got, want) {
				t.Errorf("%s is described with %v, it owns %v", m.ClientID, got, want)
			}
		}
		lags, err := g.Admin().Lag(t.Context(), g.Name)
		if err != nil {
			t.Fatal(err)
		}
		lag := lags[g.Name]
		for p, owner := range owned {
			if l := lag.Lag[p.Topic][p.Number]; l.Member == nil || l.Member.ClientID != owner {
				t.Errorf("the lag of %v is not shown for %s: %+v", p, owner, l)
			}
		}
	})
}

// describe returns the group as the broker describes it, with the classic API.
func (g *group) describe() kadm.DescribedGroup {
	g.t.Helper()
	groups, err := g.Admin().DescribeGroups(g.t.Context(), g.Name)
	if err == nil {
		err = groups[g.Name].Err
	}
	if err != nil {
		g.t.Fatalf("describing group %s: %v", g.Name, err)
	}
	return groups[g.Name]
}
