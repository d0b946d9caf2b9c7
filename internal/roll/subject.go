package roll

import (
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// A Subject is a kind of balancer, and what it promises of groups whose members
// read the same topics with the same weight.
type Subject struct {
	// New returns the balancer of a member that starts. The balancer calls
	// fail, on the goroutine that plays, for what a group survives and a
	// test must not.
	New func(name string, fail func(error)) (kgo.GroupBalancer, error)

	Even   bool // members' loads differ by one at most
	Fewest bool // no more partitions than Even needs leave a member that stays
}

// Of returns members that run a strategy of ours under their names as
// identities. It promises nothing yet.
func Of(s assignor.Strategy, opts ...assignor.Option) Subject {
	return Subject{New: func(name string, fail func(error)) (kgo.GroupBalancer, error) {
		// A Balancer makes up for a strategy that fails, and warns.
		watch := assignor.OnWarning(func(w assignor.Warning) {
			if w.Err != nil {
				fail(fmt.Errorf("%v", w))
			}
		})
		return assignor.New(s, append(slices.Clone(opts), assignor.Identity(name), watch)...)
	}}
}

// CooperativeSticky is kgo's own, with the promises that it keeps.
var CooperativeSticky = Subject{
	New: func(string, func(error)) (kgo.GroupBalancer, error) {
		return kgo.CooperativeStickyBalancer(), nil
	},
	Even:   true,
	Fewest: true,
}

// A Shape is the size of a group.
type Shape struct {
	Members    int
	Topics     int
	Partitions int // of each topic
}

func (s Shape) String() string {
	if s.Topics == 1 {
		return fmt.Sprintf("%dx%d", s.Members, s.Partitions)
	}
	return fmt.Sprintf("%dx(%dx%d)", s.Members, s.Topics, s.Partitions)
}
