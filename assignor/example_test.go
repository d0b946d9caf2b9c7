package assignor_test

import (
	"fmt"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// A strategy of one's own is one pure function.
type roundRobin struct{}

func (roundRobin) Name() string { return "example-round-robin" }

func (roundRobin) Assign(g *assignor.Group) assignor.Plan {
	next := 0
	p := make(assignor.Plan, len(g.Topics))
	for t, topic := range g.Topics {
		for range topic.Partitions {
			p[t] = append(p[t], topic.Subscribers[next%len(topic.Subscribers)])
			next++
		}
	}
	return p
}

func ExampleNew() {
	b, err := assignor.New(roundRobin{},
		assignor.Identity("worker-7"),
		assignor.OnPlan(func(r assignor.Report) {
			fmt.Printf("generation %d: %d moved, %d are owed\n", r.Generation, len(r.Moves), len(r.Withheld))
		}))
	fmt.Println(b.ProtocolName(), err)

	_, err = assignor.New(roundRobin{}, assignor.Identity(""))
	fmt.Println(err)
	// Output:
	// example-round-robin <nil>
	// assignor: strategy "example-round-robin": Identity is empty, most likely an unset variable: give a name that survives restarts, or leave the option out
}

func ExampleDiff() {
	g := &assignor.Group{
		Members: []assignor.Member{{Key: "a"}, {Key: "b"}},
		Topics: []assignor.Topic{
			{Name: "orders", Partitions: 3, Subscribers: []int32{0, 1}, Owners: []int32{0, 0, assignor.None}},
		},
	}
	plan := roundRobin{}.Assign(g)
	fmt.Print(plan.Format(g))
	for _, m := range assignor.Diff(g, g.Owned(), plan) {
		fmt.Printf("%s %d: from %d to %d\n", m.Topic, m.Partition, m.From, m.To)
	}
	// Output:
	// a: orders[0 2]
	// b: orders[1]
	// orders 1: from 0 to 1
	// orders 2: from -1 to 0
}

func ExampleCaps() {
	g := &assignor.Group{
		Members: []assignor.Member{{Key: "a", Weight: 1}, {Key: "b", Weight: 1}},
		Topics:  []assignor.Topic{{Name: "orders", Partitions: 20, Subscribers: []int32{0, 1}}},
	}
	fmt.Println(assignor.Caps(g, 1.1)) // 1.1 times 10 is 11, not 12
	// Output: [11 11]
}
