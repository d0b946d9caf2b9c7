package ring_test

import (
	"fmt"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/ring"
)

func ExampleStrategy() {
	g := &assignor.Group{
		Members: []assignor.Member{{Key: "worker-0"}, {Key: "worker-1"}, {Key: "worker-2", Weight: 2}},
		Topics:  []assignor.Topic{{Name: "orders", Partitions: 12, Subscribers: []int32{0, 1, 2}}},
	}
	for _, s := range []ring.Strategy{{}, {LoadBound: 1}} {
		fmt.Println(s.Assign(g).Loads(g))
	}
	// Output:
	// [5 1 6]
	// [3 3 6]
}
