package hrw_test

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
)

func Example() {
	b := hrw.New(assignor.Identity("worker-7")) // a name that survives restarts
	client, err := kgo.NewClient(
		kgo.ConsumerGroup("orders"),
		kgo.ConsumeTopics("orders"),
		kgo.Balancers(b),
		kgo.WithHooks(b), // lets the leader ask for rebalances that are owed
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	fmt.Println(b.ProtocolName(), b.IsCooperative())
	// Output: hrw true
}

func ExampleStrategy() {
	b, err := assignor.New(hrw.Strategy{LoadBound: 1.25}, assignor.Identity("worker-7"), assignor.Weight(2))
	fmt.Println(b.ProtocolName(), err)
	_, err = assignor.New(hrw.Strategy{LoadBound: 0.5})
	fmt.Println(err)
	// Output:
	// hrw <nil>
	// assignor: strategy "hrw": LoadBound is 0.5: give how many times its fair share a member may have at most, 1 to 1000, such as 1.25, or 0 for no bound
}

// Who owns partition 3, and who takes it over if the owner leaves?
func ExampleStrategy_Rank() {
	g := &assignor.Group{
		Members: []assignor.Member{{Key: "worker-0"}, {Key: "worker-1"}, {Key: "worker-2"}},
		Topics:  []assignor.Topic{{Name: "orders", Partitions: 6, Subscribers: []int32{0, 1, 2}}},
	}
	s := hrw.Strategy{}
	fmt.Print(s.Assign(g).Format(g))
	for _, m := range s.Rank(g, 0, 3, 2) {
		fmt.Println(g.Members[m].Key)
	}
	// Output:
	// worker-0: orders[0 1 2]
	// worker-1: orders[4]
	// worker-2: orders[3 5]
	// worker-2
	// worker-1
}
