package sticky_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/oracle"
	"github.com/kgo-rendezvous/kgo-rendezvous/sticky"
)

// A kind of groups, with the settings they are planned under.
type kind struct {
	unlike, weighted bool
	sticky.Strategy
}

func kinds() (all []kind) {
	for i := range 16 {
		all = append(all, kind{i&1 > 0, i&2 > 0, sticky.Strategy{PerTopic: i&4 > 0, Racks: i&8 > 0}})
	}
	return all
}

func (k kind) String() string {
	name := "equal"
	if k.unlike {
		name = "unlike"
	}
	for _, part := range []struct {
		yes  bool
		text string
	}{{k.weighted, " weighted"}, {k.PerTopic, " per topic"}, {k.Racks, " racks"}} {
		if part.yes {
			name += part.text
		}
	}
	return name
}

// TestOracle compares plans with the best there are.
func TestOracle(t *testing.T) {
	for _, k := range kinds() {
		t.Run(k.String(), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				g := drawGroup(t, k)
				checkOracle(t, k, g)
			})
		})
	}
}

func checkOracle(t *rapid.T, k kind, g *assignor.Group) {
	o := oracle.Options{PerTopic: k.PerTopic, Racks: k.Racks}
	plan := k.Assign(g)
	if err := oracle.Judge(g, plan, o); err != nil {
		t.Fatalf("%v\nplan:\n%s\ngroup: %+v", err, plan.Format(g), *g)
	}
	if err := oracle.JudgeCeilings(g, plan, o); err != nil {
		t.Fatalf("%v\nplan:\n%s\ngroup: %+v", err, plan.Format(g), *g)
	}
}

// drawGroup draws a group in which owners, homes and warm lists are at odds with
// each other.
func drawGroup(t *rapid.T, k kind) *assignor.Group {
	flip := func(label string) bool { return rapid.Bool().Draw(t, label) }
	number := func(from, to int, label string) int { return rapid.IntRange(from, to).Draw(t, label) }
	g := new(assignor.Group)
	for m := range number(1, 7, "members") {
		member := assignor.Member{ID: fmt.Sprint("id", m), Key: fmt.Sprint("key", m), Weight: 1}
		if k.weighted {
			member.Weight = rapid.SampledFrom([]uint32{1, 2, 3, 4, 9, 9973}).Draw(t, "weight")
		}
		if k.Racks {
			member.Rack = rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "rack")
		}
		g.Members = append(g.Members, member)
	}
	idle := number(0, 3, "idle") == 3
	for i := range number(1, 5, "topics") {
		topic := assignor.Topic{Name: fmt.Sprint("topic", i), Partitions: int32(number(1, 9, "partitions"))}
		for m := range int32(len(g.Members)) {
			if (!k.unlike || flip("reads") || flip("really")) && !(idle && m == 1) {
				topic.Subscribers = append(topic.Subscribers, m)
			}
		}
		if len(topic.Subscribers) > 0 {
			g.Topics = append(g.Topics, topic)
		}
	}
	owned, homes, warm := number(0, 3, "owned"), flip("homes"), flip("warm")
	reader := func(topic *assignor.Topic, label string) int32 {
		return append([]int32{assignor.None}, topic.Subscribers...)[number(0, len(topic.Subscribers), label)]
	}
	for i := range g.Topics {
		topic := &g.Topics[i]
		for range topic.Partitions {
			if owned > 0 {
				m := reader(topic, "owner")
				if owned > 1 && m == assignor.None {
					m = topic.Subscribers[0]
				}
				topic.Owners = append(topic.Owners, m)
			}
			if homes {
				topic.Homes = append(topic.Homes, reader(topic, "home"))
			}
			if warm {
				list := []int32{}
				for range number(0, 2, "warm") {
					if m := reader(topic, "warm"); m != assignor.None && !slices.Contains(list, m) {
						list = append(list, m)
					}
				}
				slices.Sort(list)
				topic.Warm = append(topic.Warm, list)
			}
			if k.Racks {
				topic.Racks = append(topic.Racks, rapid.SampledFrom([]string{"", "a", "b", "c"}).Draw(t, "leader"))
			}
		}
	}
	return g
}
