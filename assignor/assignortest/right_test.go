package assignortest

import (
	"cmp"
	"slices"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
	"pgregory.net/rapid"
)

// rendezvous is the slow and obvious kind: score every reader, the best owns.
type rendezvous struct {
	score func(topic string, partition int32, key string) uint64
}

func (rendezvous) Name() string { return "rendezvous" }

func (r rendezvous) Assign(g *assignor.Group) assignor.Plan {
	return each(g, func(t int, p int32) int32 {
		owner, best := assignor.None, uint64(0)
		for _, m := range g.Topics[t].Subscribers {
			if s := r.score(g.Topics[t].Name, p, g.Members[m].Key); owner < 0 || s > best {
				owner, best = m, s
			}
		}
		return owner
	})
}

func (r rendezvous) Rank(g *assignor.Group, topic int, partition int32, k int) []int32 {
	t := &g.Topics[topic]
	scores := make([]uint64, len(g.Members))
	for _, m := range t.Subscribers {
		scores[m] = r.score(t.Name, partition, g.Members[m].Key)
	}
	rank := slices.Clone(t.Subscribers)
	slices.SortStableFunc(rank, func(a, b int32) int { return cmp.Compare(scores[b], scores[a]) })
	return rank[:min(k, len(rank))]
}

// Update returns rows of the last plan where the topic and the keys of its
// readers are as they were.
func (r rendezvous) Update(last *assignor.Group, plan assignor.Plan, g *assignor.Group) assignor.Plan {
	next := r.Assign(g)
	for t := range next {
		for u := range last.Topics {
			if last.Topics[u].Name == g.Topics[t].Name && slices.Equal(plan[u], next[t]) {
				next[t] = plan[u]
			}
		}
	}
	return next
}

func good(topic string, partition int32, key string) uint64 {
	return hash.Score(hash.Key(topic, partition), hash.Member(key))
}

// each plans partition by partition.
func each(g *assignor.Group, owner func(t int, p int32) int32) assignor.Plan {
	plan := make(assignor.Plan, len(g.Topics))
	for t := range plan {
		plan[t] = make([]int32, g.Topics[t].Partitions)
		for p := range plan[t] {
			plan[t][p] = owner(t, int32(p))
		}
	}
	return plan
}

// ring is a consistent-hash ring of as many points a member.
type ring int

func (ring) Name() string { return "ring" }

func (r ring) Assign(g *assignor.Group) assignor.Plan {
	type point struct {
		at     uint64
		member int32
	}
	points := make(map[*int32][]point)
	return each(g, func(t int, p int32) int32 {
		readers := g.Topics[t].Subscribers
		circle, ok := points[&readers[0]]
		if !ok {
			for _, m := range readers {
				for i := range r {
					circle = append(circle, point{good("point", int32(i), g.Members[m].Key), m})
				}
			}
			slices.SortFunc(circle, func(a, b point) int {
				return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.member, b.member))
			})
			points[&readers[0]] = circle
		}
		at, _ := slices.BinarySearchFunc(circle, hash.Key(g.Topics[t].Name, p), func(x point, k uint64) int { return cmp.Compare(x.at, k) })
		return circle[at%len(circle)].member
	})
}

// sticky keeps each topic's counts within one of each other, what is owned
// where it is, and gives the rest to those who have least, then by score.
type sticky struct{}

func (sticky) Name() string { return "sticky" }

func (sticky) Assign(g *assignor.Group) assignor.Plan {
	plan := make(assignor.Plan, len(g.Topics))
	for t := range plan {
		topic := &g.Topics[t]
		score := func(m, p int32) uint64 { return good(topic.Name, p, g.Members[m].Key) }
		has := make(map[int32][]int32)
		for p := range topic.Partitions {
			has[topic.Owner(p)] = append(has[topic.Owner(p)], p)
		}
		free := has[assignor.None]
		n := int32(len(topic.Subscribers))
		extra := topic.Partitions % n
		fullest := slices.Clone(topic.Subscribers)
		slices.SortStableFunc(fullest, func(a, b int32) int { return cmp.Compare(len(has[b]), len(has[a])) })
		room := make(map[int32]int)
		for i, m := range fullest {
			quota := int(topic.Partitions / n)
			if int32(i) < extra {
				quota++
			}
			slices.SortStableFunc(has[m], func(a, b int32) int { return cmp.Compare(score(m, b), score(m, a)) })
			for len(has[m]) > quota {
				free = append(free, has[m][quota])
				has[m] = slices.Delete(has[m], quota, quota+1)
			}
			room[m] = quota - len(has[m])
		}
		plan[t] = make([]int32, topic.Partitions)
		for _, m := range topic.Subscribers {
			for _, p := range has[m] {
				plan[t][p] = m
			}
		}
		slices.Sort(free)
		for _, p := range free {
			to := slices.MaxFunc(topic.Subscribers, func(a, b int32) int {
				return cmp.Or(cmp.Compare(room[a], room[b]), cmp.Compare(score(a, p), score(b, p)))
			})
			plan[t][p] = to
			room[to]--
		}
	}
	return plan
}

func TestRendezvous(t *testing.T) {
	Run(t, rendezvous{good}, Stateless, Local, Rank, Spread, SpreadWithin)
}

func TestRing(t *testing.T) { Run(t, ring(8), Stateless, Local, Spread) }

func TestSticky(t *testing.T) { Run(t, sticky{}, Spread) }

func FuzzUpdate(f *testing.F) { f.Fuzz(rapid.MakeFuzz(Property(rendezvous{good}, Update))) }
