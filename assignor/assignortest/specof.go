package assignortest

import (
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// SpecOf returns the Spec of a Group; SpecOf(g).Group() equals g if g is sorted
// as a Group is.
func SpecOf(g *assignor.Group) *Spec {
	s := new(Spec)
	for _, m := range g.Members {
		s.Members = append(s.Members, Member{Key: m.Key, ID: m.ID, Rack: m.Rack, Endpoint: m.Endpoint, Weight: m.Weight})
	}
	for i := range g.Topics {
		t := &g.Topics[i]
		for _, m := range t.Subscribers {
			s.Members[m].Reads = append(s.Members[m].Reads, t.Name)
		}
		if t.Owners != nil {
			s.Members[t.Subscribers[0]].claim(t.Name) // so that the row is there
		}
		for p, m := range t.Owners {
			if m != assignor.None {
				s.Members[m].claim(t.Name, int32(p))
			}
		}
		if t.Warm != nil {
			s.Members[t.Subscribers[0]].warm(t.Name)
		}
		for p, members := range t.Warm {
			for _, m := range members {
				s.Members[m].warm(t.Name, int32(p))
			}
		}
		topic := Topic{Name: t.Name, Partitions: t.Partitions, Racks: slices.Clone(t.Racks)}
		if t.Homes != nil {
			topic.Homes = make([]string, len(t.Homes))
			for p, m := range t.Homes {
				if m != assignor.None {
					topic.Homes[p] = g.Members[m].Key
				}
			}
		}
		s.Topics = append(s.Topics, topic)
	}
	return s
}

func (m *Member) claim(topic string, partitions ...int32) {
	if m.Owns == nil {
		m.Owns = make(map[string][]int32)
	}
	m.Owns[topic] = append(m.Owns[topic], partitions...)
}

func (m *Member) warm(topic string, partitions ...int32) {
	if m.Warm == nil {
		m.Warm = make(map[string][]int32)
	}
	m.Warm[topic] = append(m.Warm[topic], partitions...)
}
