package assignortest

import (
	"cmp"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"pgregory.net/rapid"
)

func checkLocal(c *trial) {
	g := drawSpec(c, "group").Group()
	g = owned(g, c.assign(g))
	before := c.assign(g)

	spec := SpecOf(g)
	joiner := drawJoiner(c.T, spec)
	spec.Join(joiner)
	joined := spec.Group()
	j := find(joined, joiner.Key, joiner.ID)
	after := c.assign(joined)
	was := translate(g, before, joined)
	for t := range after {
		for p, m := range after[t] {
			if m != was[t][p] && m != j {
				c.broken(joined, "topic %q partition %d moved from %s to %s when %q (index %d) joined",
					joined.Topics[t].Name, p, who(joined, was[t][p]), who(joined, m), joiner.Key, j)
			}
		}
	}

	if len(g.Members) == 0 {
		return
	}
	l := rapid.IntRange(0, len(g.Members)-1).Draw(c.T, "leaver")
	left := without(g, int32(l))
	after = c.assign(left)
	was = translate(g, before, left)
	for t := range after {
		for p, m := range after[t] {
			if m != was[t][p] && was[t][p] != assignor.None {
				c.broken(g, "topic %q partition %d moved from %q to %q when %s left, who did not have it",
					left.Topics[t].Name, p, left.Members[was[t][p]].Key, left.Members[m].Key, who(g, int32(l)))
			}
		}
	}
}

// without returns g after a member has left.
func without(g *assignor.Group, m int32) *assignor.Group {
	spec := SpecOf(g) // its members are in g's order
	spec.away(spec.Members[m])
	spec.Members = slices.Delete(spec.Members, int(m), int(m)+1)
	return spec.Group()
}

// find returns the index of a member of g, or None.
func find(g *assignor.Group, key, id string) int32 {
	i, ok := slices.BinarySearchFunc(g.Members, assignor.Member{Key: key, ID: id}, func(a, b assignor.Member) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.ID, b.ID))
	})
	if !ok {
		return assignor.None
	}
	return int32(i)
}

// translate returns a plan over g by the indexes of h, None for members and
// partitions that the other does not have.
func translate(g *assignor.Group, plan assignor.Plan, h *assignor.Group) assignor.Plan {
	members := make([]int32, len(g.Members))
	for m := range members {
		members[m] = find(h, g.Members[m].Key, g.Members[m].ID)
	}
	rows := make(map[string][]int32)
	for t := range g.Topics {
		rows[g.Topics[t].Name] = plan[t]
	}
	translated := make(assignor.Plan, len(h.Topics))
	for t := range h.Topics {
		translated[t] = nobody(h.Topics[t].Partitions)
		for p, m := range rows[h.Topics[t].Name] {
			if m != assignor.None && p < len(translated[t]) {
				translated[t][p] = members[m]
			}
		}
	}
	return translated
}

func checkOwnerFirst(c *trial) {
	c.ownerFirst(drawSpec(c, "group").Group())
}

// ownerFirst returns the plan for g after it has been held against every rank.
func (c *trial) ownerFirst(g *assignor.Group) (assignor.Ranker, assignor.Plan) {
	c.Helper()
	r, ok := c.s.(assignor.Ranker)
	if !ok {
		c.broken(nil, "%T has no method Rank", c.s)
	}
	plan := c.assign(g)
	for t := range g.Topics {
		topic := &g.Topics[t]
		n := len(topic.Subscribers)
		k := rapid.IntRange(0, n).Draw(c.T, "k")
		for p := range topic.Partitions {
			full := c.rank(r, g, t, p, n+1)
			distinct := slices.Clone(full)
			slices.Sort(distinct)
			switch {
			case !slices.Equal(distinct, topic.Subscribers):
				c.broken(g, "topic %q partition %d: the full ranking is%s, expected the readers in some order", topic.Name, p, indexes(full))
			case full[0] != plan[t][p]:
				c.broken(g, "topic %q partition %d: rank 0 is %s, the owner is %s", topic.Name, p, who(g, full[0]), who(g, plan[t][p]))
			}
			for _, k := range [...]int{0, 1, k, n} {
				if k > 1 && p > 0 {
					continue // the first partition will do
				}
				if short := c.rank(r, g, t, p, k); !slices.Equal(short, full[:k]) {
					c.broken(g, "topic %q partition %d: the ranking of %d is%s, that of all is%s", topic.Name, p, k, indexes(short), indexes(full))
				}
			}
		}
	}
	return r, plan
}

func checkRank(c *trial) {
	g := drawSpec(c, "group").Group()
	r, plan := c.ownerFirst(g)
	if len(g.Topics) == 0 {
		return
	}

	// Without one member every partition goes to the first that is left.
	t, p := drawPartition(c.T, g)
	gone := plan[t][p]
	left := without(g, gone)
	want := make(assignor.Plan, len(left.Topics))
	for i := range want {
		topic := slices.IndexFunc(g.Topics, func(x assignor.Topic) bool { return x.Name == left.Topics[i].Name })
		for q := range left.Topics[i].Partitions {
			rank := c.rank(r, g, topic, q, 2)
			next := slices.IndexFunc(rank, func(m int32) bool { return m != gone })
			m := g.Members[rank[next]]
			want[i] = append(want[i], find(left, m.Key, m.ID))
		}
	}
	c.same(left, want, c.assign(left), "without %s, expected the next in rank", who(g, gone))

	// And so on down, for one partition.
	const deepest = 8
	name, rank := g.Topics[t].Name, c.rank(r, g, t, p, len(g.Members))
	left = g
	for i := 1; i < min(len(rank), deepest); i++ {
		gone, next := g.Members[rank[i-1]], g.Members[rank[i]]
		left = without(left, find(left, gone.Key, gone.ID))
		t := slices.IndexFunc(left.Topics, func(x assignor.Topic) bool { return x.Name == name })
		if got := c.assign(left)[t][p]; got != find(left, next.Key, next.ID) {
			c.broken(g, "topic %q partition %d is ranked%s; without the first %d its owner is %q, expected %s",
				name, p, indexes(rank), i, left.Members[got].Key, who(g, rank[i]))
		}
	}
}
