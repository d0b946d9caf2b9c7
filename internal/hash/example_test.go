package hash_test

import (
	"fmt"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

func ExampleTop() {
	names := []string{"ann", "bob", "cid"}
	var members []uint64
	for _, name := range names {
		members = append(members, hash.Member(name))
	}
	for p := range int32(3) {
		rank := hash.Top(nil, hash.Key("orders", p), members, 2)
		fmt.Printf("orders/%d is %s's, then %s's\n", p, names[rank[0]], names[rank[1]])
	}
	// Output:
	// orders/0 is bob's, then cid's
	// orders/1 is ann's, then cid's
	// orders/2 is cid's, then bob's
}
