package cases

import (
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// WithRacks returns s as it plans where the racks of partitions' leaders are
// known, by topic and partition. Only kgo's own client can tell a Balancer those,
// so that here the strategy hears of them past it. Racks may change between
// rounds, as leaders do.
func WithRacks(s assignor.Strategy, racks map[string][]string) assignor.Strategy {
	if _, ok := s.(assignor.Homing); ok {
		return homingRacked{racked{s, racks}}
	}
	return racked{s, racks}
}

type racked struct {
	assignor.Strategy
	racks map[string][]string
}

func (s racked) Assign(g *assignor.Group) assignor.Plan {
	return s.Strategy.Assign(withRacks(g, s.racks))
}

// homingRacked is told homes and warm lists as s is.
type homingRacked struct{ racked }

func (homingRacked) Homing() {}

// withRacks returns g with the racks of leaders; a partition of which none is
// known has "".
func withRacks(g *assignor.Group, racks map[string][]string) *assignor.Group {
	with := *g
	with.Topics = slices.Clone(g.Topics)
	for t := range with.Topics {
		topic := &with.Topics[t]
		topic.Racks = make([]string, topic.Partitions)
		copy(topic.Racks, racks[topic.Name])
	}
	return &with
}
