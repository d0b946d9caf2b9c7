package sticky

import (
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// A worth says why a partition should be with a member: that it is warm there
// counts more than that it is home.
type worth int8

const (
	atHome worth = 1 << iota
	isWarm
	worths = 4
)

func worthOf(t *assignor.Topic, p int, m int32) (w worth) {
	if t.Homes != nil && t.Homes[p] == m {
		w |= atHome
	}
	if t.Warm != nil && slices.Contains(t.Warm[p], m) {
		w |= isWarm
	}
	return w
}

// hinted tells whether a warm list or a home says anything of some topics.
func hinted(g *assignor.Group, topics []int) bool {
	for _, t := range topics {
		topic := &g.Topics[t]
		for _, m := range topic.Homes {
			if m != assignor.None {
				return true
			}
		}
		for _, list := range topic.Warm {
			if len(list) > 0 {
				return true
			}
		}
	}
	return false
}
