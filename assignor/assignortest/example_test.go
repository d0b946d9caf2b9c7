package assignortest_test

import (
	"fmt"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/assignor/assignortest"
)

// blocks is range by another name: the simplest strategy there is.
type blocks struct{}

func (blocks) Name() string { return "blocks" }

func (blocks) Assign(g *assignor.Group) assignor.Plan {
	plan := make(assignor.Plan, len(g.Topics))
	for t, topic := range g.Topics {
		plan[t] = make([]int32, topic.Partitions)
		for p := range plan[t] {
			plan[t][p] = topic.Subscribers[p*len(topic.Subscribers)/len(plan[t])]
		}
	}
	return plan
}

// As a test of one's own: func TestLaws(t *testing.T) { ... }
func ExampleRun() {
	_ = func(t *testing.T) {
		// blocks keeps what every strategy must and that it looks at nobody's
		// history. Neither Local nor Spread can be claimed for it.
		assignortest.Run(t, blocks{}, assignortest.Stateless)
	}
}

// TestBlocks is that example, run.
func TestBlocks(t *testing.T) {
	assignortest.Run(t, blocks{}, assignortest.Stateless)
}

func ExampleSpec() {
	spec := &assignortest.Spec{
		Topics: []assignortest.Topic{{Name: "orders", Partitions: 6}},
		Members: []assignortest.Member{
			{Key: "pod-1", Reads: []string{"orders"}},
			{Key: "pod-0", Reads: []string{"orders"}, Owns: map[string][]int32{"orders": {0, 5}}},
			{Key: "pod-2", ID: "kgo-5d1f", Weight: 3},
		},
	}
	fmt.Print(assignortest.Format(spec.Group()))
	// Output:
	// 3 members, 1 topic
	//   0 "pod-0"
	//   1 "pod-1"
	//   2 "pod-2" id "kgo-5d1f" weight 3
	//   "orders" [6] read by 0 1: owners 0 .×4 0
}

// A third pod joins two. What it takes from them is withheld for one round.
func ExampleSpec_Settle() {
	spec := assignortest.Uniform(2, 6)
	spec.Settle(blocks{}.Assign(spec.Group()))
	spec.Join(assignortest.Member{Key: "pod-2", Reads: []string{"topic-0"}})
	for range 2 {
		g := spec.Group()
		fmt.Printf("before:\n%s", g.Owned().Format(g))
		spec.Settle(blocks{}.Assign(g))
	}
	g := spec.Group()
	fmt.Printf("settled:\n%s", g.Owned().Format(g))
	// Output:
	// before:
	// pod-0: topic-0[0 1 2]
	// pod-1: topic-0[3 4 5]
	// pod-2: -
	// before:
	// pod-0: topic-0[0 1]
	// pod-1: topic-0[3]
	// pod-2: -
	// (nobody): topic-0[2 4 5]
	// settled:
	// pod-0: topic-0[0 1]
	// pod-1: topic-0[2 3]
	// pod-2: topic-0[4 5]
}
