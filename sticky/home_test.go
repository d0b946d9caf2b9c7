package sticky_test

import (
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/sticky"
)

// TestHalfOfAHomeIsOfAllTopics: who takes only a part of what it has its home in,
// such as the first member of a group that was planned everything before others
// came, takes of each topic alike.
func TestHalfOfAHomeIsOfAllTopics(t *testing.T) {
	g := &assignor.Group{Members: []assignor.Member{{ID: "a", Key: "a"}, {ID: "b", Key: "b"}, {ID: "c", Key: "c"}}}
	for _, name := range []string{"x", "y"} {
		g.Topics = append(g.Topics, assignor.Topic{Name: name, Partitions: 6, Subscribers: []int32{0, 1, 2},
			Owners: []int32{-1, -1, -1, -1, -1, -1}, Homes: []int32{1, 1, 1, 1, 1, 1}})
	}
	plan := sticky.Strategy{}.Assign(g)
	for topic := range plan {
		for m, n := range (assignor.Plan{plan[topic]}).Loads(g) {
			if n != 2 {
				t.Errorf("%s has %d of %s, want 2", g.Members[m].Key, n, g.Topics[topic].Name)
			}
		}
	}
}
