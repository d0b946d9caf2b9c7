package cases

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// reported checks the Report against the plan and what was sent.
func (c *checking) reported() {
	rep := &c.Report
	g := rep.Group
	if g == nil {
		return
	}
	if rep.Err != nil {
		c.errorf("the strategy failed: %v", rep.Err)
	}
	c.keys(g)
	var withheld, moves, gains []assignor.Move
	for t := range g.Topics {
		name := g.Topics[t].Name
		c.homes(g, &g.Topics[t])
		if want := c.View.Counts[name]; g.Topics[t].Partitions != want || len(rep.Target[t]) != int(want) {
			c.errorf("%s has %d partitions, the plan %d, the client knows %d", name, g.Topics[t].Partitions, len(rep.Target[t]), want)
		}
		for p := range rep.Target[t] {
			before, target, after := rep.Before[t][p], rep.Target[t][p], rep.After[t][p]
			if before != assignor.None && before != target {
				moves = append(moves, assignor.Move{Topic: name, Partition: int32(p), From: before, To: target})
			}
			if before == assignor.None && after != assignor.None {
				gains = append(gains, assignor.Move{Topic: name, Partition: int32(p), From: assignor.None, To: after})
			}
			if after == assignor.None {
				withheld = append(withheld, assignor.Move{Topic: name, Partition: int32(p), From: c.claimant(name, int32(p)), To: target})
			}
			if want := c.owner(name, int32(p)); before != assignor.None && (want < 0 || c.Members[want].MemberID != g.Members[before].ID) {
				c.errorf("%s/%d: Report.Before says %s, whose claim does not prove that", name, p, g.Members[before].ID)
			}
		}
	}
	c.same("Moves", rep.Moves, moves)
	c.same("Gains", rep.Gains, gains)
	c.same("Withheld", rep.Withheld, withheld)
	if owed := len(withheld) > 0 || len(rep.Missing) > 0; rep.Owed != owed {
		c.errorf("Report.Owed is %v with %d withheld and %v missing", rep.Owed, len(withheld), rep.Missing)
	}
	if want := rep.Target.Loads(g); !slices.Equal(rep.Loads, want) {
		c.errorf("Report.Loads is %v, not %v", rep.Loads, want)
	}
	c.held()
	// A leader with memory may ask for less than a whole plan.
	if n := g.Partitions(); n < 20_000 && n*len(g.Members) < 1e7 && !reflect.DeepEqual(c.strategy.Assign(g), rep.Target) {
		c.errorf("the plan is not what %s plans from scratch:\n%s", c.strategy.Name(), rep.Target.Format(g))
	}
}

// keys checks that members are sorted and told apart.
func (c *checking) keys(g *assignor.Group) {
	if len(g.Members) != len(c.index) {
		c.errorf("the group has %d members, not %d", len(g.Members), len(c.index))
	}
	for i := range g.Members {
		if i > 0 && g.Members[i-1].Key >= g.Members[i].Key {
			c.errorf("keys %q and %q are not ascending", g.Members[i-1].Key, g.Members[i].Key)
		}
	}
}

// homes checks that homes are with readers other than the owner.
func (c *checking) homes(g *assignor.Group, topic *assignor.Topic) {
	if topic.Homes != nil && len(topic.Homes) != int(topic.Partitions) {
		c.errorf("%s has %d homes for %d partitions", topic.Name, len(topic.Homes), topic.Partitions)
		return
	}
	for p, m := range topic.Homes {
		if m != assignor.None && (!slices.Contains(topic.Subscribers, m) || topic.Owner(int32(p)) == m) {
			c.errorf("%s/%d, owned by %d, has its home with %d of readers %v", topic.Name, p, topic.Owner(int32(p)), m, topic.Subscribers)
		}
	}
}

// claimant returns the only claimant at the highest generation as an index
// into Group.Members, None where there are several.
func (c *checking) claimant(topic string, p int32) int32 {
	cl, ok := c.claims[topic][p]
	if !ok || !cl.sole() {
		return assignor.None
	}
	id := c.Members[cl.first].MemberID
	return int32(slices.IndexFunc(c.Report.Group.Members, func(m assignor.Member) bool { return m.ID == id }))
}

func (c *checking) same(what string, got, want []assignor.Move) {
	if len(got) != len(want) || len(got) > 0 && !reflect.DeepEqual(got, want) {
		c.errorf("Report.%s is %v, not %v", what, got, want)
	}
}

// held checks Report.Held against what is sent beyond the plan.
func (c *checking) held() {
	var held, sent []string
	for _, h := range c.Report.Held {
		if h.From != h.To {
			c.errorf("Report.Held: %v moves", h)
		}
		held = append(held, fmt.Sprintf("%s/%d to %s", h.Topic, h.Partition, c.Report.Group.Members[h.To].ID))
	}
	for topic, owners := range c.owners {
		for p, m := range owners {
			if p >= c.View.Counts[topic] {
				sent = append(sent, fmt.Sprintf("%s/%d to %s", topic, p, c.Members[m].MemberID))
			}
		}
	}
	slices.Sort(held)
	slices.Sort(sent)
	if !slices.Equal(held, sent) {
		c.errorf("Report.Held is %v, sent is %v", held, sent)
	}
}
