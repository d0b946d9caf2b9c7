package oracle_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/oracle"
	"pgregory.net/rapid"
)

// A kind of groups, with the options they are planned under.
type kind struct {
	unlike, weighted bool
	oracle.Options
}

// kinds has every kind once.
func kinds() (all []kind) {
	for i := range 16 {
		all = append(all, kind{i&1 > 0, i&2 > 0, oracle.Options{PerTopic: i&4 > 0, Racks: i&8 > 0}})
	}
	return all
}

func (k kind) String() string {
	name := "equal"
	for _, part := range []struct {
		yes  bool
		text string
	}{{k.unlike, "unlike"}, {k.weighted, "weighted"}, {k.PerTopic, "per topic"}, {k.Racks, "racks"}} {
		if part.yes {
			name = strings.TrimPrefix(name+" "+part.text, "equal ")
		}
	}
	return name
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// A size bounds drawn groups.
type size struct{ members, topics, partitions int }

// drawGroup draws a group of a kind, in which owners, homes and warm lists are at
// odds with each other. rapid shrinks towards none of them.
func drawGroup(t *rapid.T, k kind, sz size) *assignor.Group {
	flip := func(label string) bool { return rapid.Bool().Draw(t, label) }
	number := func(from, to int, label string) int { return rapid.IntRange(from, to).Draw(t, label) }
	most := func(to int, label string) int { // small ones are drawn most
		if flip("many " + label) {
			return to
		}
		return number(1, to, label)
	}

	g := new(assignor.Group)
	for m := range most(sz.members, "members") {
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
	left := most(sz.partitions, "partitions")
	for i := 0; i < sz.topics && left > 0; i++ {
		topic := assignor.Topic{Name: fmt.Sprint("topic", i), Partitions: int32(left)}
		if i < sz.topics-1 {
			topic.Partitions = int32(number(1, left, "of them"))
		}
		left -= int(topic.Partitions)
		for m := range int32(len(g.Members)) {
			if (!k.unlike || flip("reads") || flip("really")) && !(idle && m == 1) {
				topic.Subscribers = append(topic.Subscribers, m)
			}
		}
		if len(topic.Subscribers) > 0 {
			g.Topics = append(g.Topics, topic)
		}
	}
	owned, homes, warm := flip("owned"), flip("homes"), flip("warm")
	reader := func(topic *assignor.Topic, label string) int32 {
		return append([]int32{assignor.None}, topic.Subscribers...)[number(0, len(topic.Subscribers), label)]
	}
	for i := range g.Topics {
		topic := &g.Topics[i]
		for range topic.Partitions {
			if owned {
				topic.Owners = append(topic.Owners, reader(topic, "owner"))
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
