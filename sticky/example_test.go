package sticky_test

import (
	"fmt"
	"log"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/sticky"
)

func ExampleNew() {
	b := sticky.New(assignor.Identity("worker-7")) // a name that survives restarts
	client, err := kgo.NewClient(
		kgo.SeedBrokers("localhost:9092"),
		kgo.ConsumerGroup("orders"),
		kgo.ConsumeTopics("orders"),
		kgo.Balancers(b),
		kgo.WithHooks(b), // lets the leader ask for rebalances that are owed
	)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
}

// Settings are fields of the strategy; every member is given the same.
func ExampleStrategy() {
	b, err := assignor.New(sticky.Strategy{PerTopic: true, Racks: true}, assignor.Identity("worker-7"), assignor.Weight(2))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(b.ProtocolName(), b.IsCooperative())
	// Output: hrw-sticky true
}

// Loads are even as they are. With PerTopic each topic is as well, for more moves.
func ExampleStrategy_perTopic() {
	everybody := []int32{0, 1}
	g := &assignor.Group{
		Members: []assignor.Member{{Key: "worker-0"}, {Key: "worker-1"}},
		Topics: []assignor.Topic{
			{Name: "orders", Partitions: 4, Subscribers: everybody, Owners: []int32{0, 0, 0, 0}},
			{Name: "payments", Partitions: 4, Subscribers: everybody, Owners: []int32{1, 1, 1, 1}},
		},
	}
	for _, s := range []sticky.Strategy{{}, {PerTopic: true}} {
		plan := s.Assign(g)
		fmt.Printf("per topic %v, %d moves\n%s", s.PerTopic, len(assignor.Diff(g, g.Owned(), plan)), plan.Format(g))
	}
	// Output:
	// per topic false, 0 moves
	// worker-0: orders[0 1 2 3]
	// worker-1: payments[0 1 2 3]
	// per topic true, 4 moves
	// worker-0: orders[0 2] payments[1 2]
	// worker-1: orders[1 3] payments[0 3]
}

// A member leaves and comes back. Meanwhile the others have what it had; then that
// is its own again, by the homes that a Balancer remembers.
func ExampleStrategy_Assign() {
	const nobody = assignor.None
	a, b, c := assignor.Member{Key: "a"}, assignor.Member{Key: "b"}, assignor.Member{Key: "c"}
	show := func(what string, members []assignor.Member, orders assignor.Topic) {
		orders.Name, orders.Partitions = "orders", 6
		g := &assignor.Group{Members: members, Topics: []assignor.Topic{orders}}
		fmt.Printf("%s\n%s", what, sticky.Strategy{}.Assign(g).Format(g))
	}
	show("a new group", []assignor.Member{a, b, c}, assignor.Topic{
		Subscribers: []int32{0, 1, 2},
	})
	show("b is away", []assignor.Member{a, c}, assignor.Topic{
		Subscribers: []int32{0, 1},
		Owners:      []int32{1, 0, nobody, nobody, 1, 0},
	})
	show("b is back", []assignor.Member{a, b, c}, assignor.Topic{
		Subscribers: []int32{0, 1, 2},
		Owners:      []int32{2, 0, 2, 0, 2, 0},
		Homes:       []int32{nobody, nobody, 1, 1, nobody, nobody},
	})
	// Output:
	// a new group
	// a: orders[1 5]
	// b: orders[2 3]
	// c: orders[0 4]
	// b is away
	// a: orders[1 3 5]
	// c: orders[0 2 4]
	// b is back
	// a: orders[1 5]
	// b: orders[2 3]
	// c: orders[0 4]
}
