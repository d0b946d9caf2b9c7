package hrw

import (
	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

// A scorer keeps what topics of one plan have in common: the hashes of a
// topic's subscribers, for as long as the next topic has the same ones.
type scorer struct {
	g           *assignor.Group
	subscribers []int32
	hashes      []uint64 // by subscribers
	keys        []uint64 // of the present topic's partitions
}

// members returns the hashes of the given members' keys.
func (s *scorer) members(subscribers []int32) []uint64 {
	if sameSlice(subscribers, s.subscribers) {
		return s.hashes
	}
	s.subscribers, s.hashes = subscribers, s.hashes[:0]
	for _, m := range subscribers {
		s.hashes = append(s.hashes, hash.Member(s.g.Members[m].Key))
	}
	return s.hashes
}

// keysOf returns the hashes of a topic's partitions, until the next call.
func (s *scorer) keysOf(topic *assignor.Topic) []uint64 {
	if cap(s.keys) < int(topic.Partitions) {
		s.keys = make([]uint64, topic.Partitions)
	}
	keys := s.keys[:topic.Partitions]
	hash.Keys(keys, topic.Name, 0)
	return keys
}

// assign returns the owners of a topic's partitions.
func (s *scorer) assign(t int) []int32 {
	topic := &s.g.Topics[t]
	members := s.members(topic.Subscribers)
	owners := make([]int32, topic.Partitions)
	hash.BestAll(owners, s.keysOf(topic), members)
	for p, i := range owners {
		owners[p] = topic.Subscribers[i]
	}
	return owners
}

func sameSlice(a, b []int32) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
