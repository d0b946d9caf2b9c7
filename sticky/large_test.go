package sticky_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/sticky"
)

// TestLarge plans groups in which one or another part of the algorithm once took a
// minute or gigabytes. The limits are ten times what they take now, or more.
func TestLarge(t *testing.T) {
	if slow {
		t.Skip("times mean nothing here")
	}
	for _, c := range []struct {
		name      string
		s         sticky.Strategy
		g         *assignor.Group
		megabytes uint64
	}{
		{"warm at 3 of 1000, no two weights equal", sticky.Strategy{}, warmAt(1000, 20000, 3, distinct), 300},
		{"warm at all of 500", sticky.Strategy{}, warmAt(500, 10000, 500, one), 300},
		{"5000 topics in a chain, by topic", sticky.Strategy{PerTopic: true}, chain(5000, 5000*4), 300},
		{"300 nested subscriptions with racks", sticky.Strategy{Racks: true}, nested(300, 20), 300},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			c.s.Assign(c.g)
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			megabytes := (after.TotalAlloc - before.TotalAlloc) >> 20
			if t.Logf("%v, %d MB", took.Round(time.Millisecond), megabytes); took > 10*time.Second || megabytes > c.megabytes {
				t.Errorf("planning took %v and %d MB, want at most 10s and %d MB", took, megabytes, c.megabytes)
			}
		})
	}
}

func one(int) uint32        { return 1 }
func distinct(m int) uint32 { return uint32(1 + m*7919%10000) }

func crew(members int, weight func(m int) uint32) (g *assignor.Group, all []int32) {
	g = new(assignor.Group)
	for m := range members {
		g.Members = append(g.Members, assignor.Member{Key: fmt.Sprintf("m%05d", m), Weight: weight(m), Rack: string(rune('a' + m%3))})
		all = append(all, int32(m))
	}
	return g, all
}

// warmAt is a group of one topic, each partition of which is warm at so many
// members.
func warmAt(members, partitions, warm int, weight func(m int) uint32) *assignor.Group {
	r := rand.New(rand.NewPCG(1, 1))
	g, all := crew(members, weight)
	topic := assignor.Topic{Name: "t", Partitions: int32(partitions), Subscribers: all, Warm: make([][]int32, partitions)}
	for p := range topic.Warm {
		left := warm
		for m := range members {
			if r.IntN(members-m) < left {
				topic.Warm[p] = append(topic.Warm[p], int32(m))
				left--
			}
		}
	}
	g.Topics = []assignor.Topic{topic}
	return g
}

// chain is a group in which each member reads its topic and its neighbour's, and
// one has just left.
func chain(members, partitions int) *assignor.Group {
	g, _ := crew(members, one)
	for m := range members {
		x := assignor.Topic{Name: fmt.Sprintf("t%05d", m), Partitions: int32(partitions / members), Subscribers: []int32{int32(m), int32((m + 1) % members)}}
		if m == members-1 {
			x.Subscribers = []int32{0, int32(m)}
		}
		for range x.Partitions {
			x.Owners = append(x.Owners, int32(m))
		}
		if m == members/2 {
			clear(x.Owners)
			for i := range x.Owners {
				x.Owners[i] = assignor.None
			}
		}
		g.Topics = append(g.Topics, x)
	}
	return g
}

// nested is a fresh group in which each member reads one topic more than the
// member before.
func nested(members, partitions int) *assignor.Group {
	r := rand.New(rand.NewPCG(3, 9))
	g, all := crew(members, one)
	for t := range members {
		x := assignor.Topic{Name: fmt.Sprintf("t%05d", t), Partitions: int32(partitions), Subscribers: all[t:]}
		for range partitions {
			x.Racks = append(x.Racks, string(rune('a'+r.IntN(3))))
		}
		g.Topics = append(g.Topics, x)
	}
	return g
}

// TestNotOfABalancer: a Balancer makes no such group, but planning one must end,
// with a plan of everything that has a reader.
func TestNotOfABalancer(t *testing.T) {
	for i := range 8 {
		s := sticky.Strategy{PerTopic: i&1 > 0, Racks: i&2 > 0}
		g := new(assignor.Group)
		for m, weight := range []uint32{1109, 8480, 9390, 2839, 7776, 4792, 7415, 2404} {
			if i&4 > 0 {
				weight = 1
			}
			g.Members = append(g.Members, assignor.Member{Key: string(rune('a' + m)), Weight: weight, Rack: "r"})
		}
		g.Topics = []assignor.Topic{
			{Name: "owned by who does not read it", Partitions: 1, Subscribers: []int32{0, 4, 7}, Owners: []int32{3}},
			{Name: "read by its owner", Partitions: 1, Subscribers: []int32{1, 3, 4}, Owners: []int32{3}},
			{Name: "unowned", Partitions: 1, Subscribers: []int32{1, 3, 4, 5, 6, 7}},
			{Name: "another's", Partitions: 1, Subscribers: []int32{3, 4, 7}, Owners: []int32{2}},
			{Name: "and another", Partitions: 1, Subscribers: []int32{2, 3, 6, 7}, Owners: []int32{2}},
			{Name: "without readers", Partitions: 2},
			{Name: "without partitions", Subscribers: []int32{0, 1}},
		}
		alike := &assignor.Group{Members: g.Members, Topics: []assignor.Topic{
			{Name: "x", Partitions: 4, Subscribers: []int32{1, 2}, Owners: []int32{0, 1, 7, 2}},
			{Name: "y", Partitions: 4, Subscribers: []int32{1, 2}, Owners: []int32{1, 1, 1, -1}},
			{Name: "z", Partitions: 1},
		}}
		for _, g := range []*assignor.Group{g, alike} {
			plan := s.Assign(g)
			for at := range g.Topics {
				topic := &g.Topics[at]
				if len(topic.Subscribers) == 0 {
					continue
				}
				if len(plan[at]) != int(topic.Partitions) {
					t.Fatalf("%+v: %q has %d partitions in the plan, want %d", s, topic.Name, len(plan[at]), topic.Partitions)
				}
				for p, m := range plan[at] {
					if !slices.Contains(topic.Subscribers, m) {
						t.Errorf("%+v: %q/%d goes to %d, which does not read it", s, topic.Name, p, m)
					}
				}
			}
		}
	}
}
