package baseline

import (
	"encoding/binary"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// Strategy carries an Algorithm as an assignor.Strategy, for the same laws,
// moves and loads as any other. Nodes are a topic's subscribers, sorted by key
// as a Group is, keys are what KeyOf returns.
type Strategy struct {
	Algorithm
}

// Assign builds one Placement for each list of subscribers and asks it for every
// partition.
func (s Strategy) Assign(g *assignor.Group) assignor.Plan {
	plan := make(assignor.Plan, len(g.Topics))
	var placement Placement
	var readers []int32
	for t := range g.Topics {
		topic := &g.Topics[t]
		if placement == nil || !sameSlice(readers, topic.Subscribers) {
			readers = topic.Subscribers
			placement = s.Build(nodesOf(g, readers))
		}
		row := make([]int32, topic.Partitions)
		for p := range row {
			row[p] = readers[placement.Owner(KeyOf(topic.Name, int32(p)))]
		}
		plan[t] = row
	}
	return plan
}

// KeyOf returns a partition as a key: the topic's name, a zero byte, and the
// partition as four bytes, big endian. XXH64 of it is hash.Key, so that an
// Algorithm on XXH64 scores partitions as the strategies do.
func KeyOf(topic string, partition int32) string {
	b := make([]byte, 0, 64)
	b = append(append(b, topic...), 0)
	return string(binary.BigEndian.AppendUint32(b, uint32(partition)))
}

func nodesOf(g *assignor.Group, members []int32) []Node {
	nodes := make([]Node, len(members))
	for i, m := range members {
		nodes[i] = Node{g.Members[m].Key, g.Members[m].Weight}
	}
	return nodes
}

func sameSlice(a, b []int32) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

var _ assignor.Strategy = Strategy{}
