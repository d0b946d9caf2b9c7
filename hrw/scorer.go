package hrw

import (
	"cmp"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

// A scorer keeps what topics of one plan have in common: the readers, for as
// long as the next topic has the same ones.
type scorer struct {
	g     *assignor.Group
	slots bool
	last  readers
	table *table   // of last; made when it pays
	pairs int      // of partition and member, with last
	keys  []uint64 // of the present topic's partitions
}

// readers are the subscribers of a topic, ready to be scored.
type readers struct {
	members []int32  // indexes into Group.Members, ascending
	hashes  []uint64 // of their keys
	weights []uint32 // nil where all are equal: then they do not matter
}

// readers returns the readers for a topic's Subscribers, until the next call.
func (s *scorer) readers(members []int32) *readers {
	if s.last.hashes != nil && sameSlice(members, s.last.members) {
		return &s.last
	}
	s.last, s.table, s.pairs = newReaders(s.g, members), nil, 0
	return &s.last
}

func newReaders(g *assignor.Group, members []int32) readers {
	r := readers{members: members, hashes: make([]uint64, len(members))}
	unlike := false
	for i, m := range members {
		r.hashes[i] = hash.Member(g.Members[m].Key)
		unlike = unlike || weightOf(g, m) != weightOf(g, members[0])
	}
	if unlike {
		r.weights = make([]uint32, len(members))
		for i, m := range members {
			r.weights[i] = weightOf(g, m)
		}
	}
	return r
}

// weightOf returns a member's weight; in a Group made by hand it may be left
// out.
func weightOf(g *assignor.Group, m int32) uint32 { return max(g.Members[m].Weight, 1) }

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
	owners := make([]int32, topic.Partitions)
	r, keys := s.readers(topic.Subscribers), s.keysOf(topic)
	if s.slots {
		s.slotOwners(r, owners, keys)
	} else {
		r.bestAll(owners, keys)
	}
	return owners
}

// bestAll sets owners[i] to the best member for keys[i].
func (r *readers) bestAll(owners []int32, keys []uint64) {
	if r.weights == nil {
		hash.BestAll(owners, keys, r.hashes)
		for p, i := range owners {
			owners[p] = r.members[i]
		}
		return
	}
	for p, k := range keys {
		owners[p] = r.best(k)
	}
}

// best returns the best member for a key.
func (r *readers) best(k uint64) int32 { return r.members[r.bestIndex(k)] }

// bestIndex returns the best member's index among the readers.
func (r *readers) bestIndex(k uint64) int {
	if r.weights != nil {
		return hash.BestWeighted(k, r.hashes, r.weights, nil)
	}
	return hash.Best(k, r.hashes)
}

// bestAccepted returns the index into members of the best that accept accepts,
// -1 for none.
func (r *readers) bestAccepted(k uint64, accept func(i int, score uint64) bool) int {
	if r.weights != nil {
		return hash.BestWeighted(k, r.hashes, r.weights, accept)
	}
	return hash.BestAccepted(k, r.hashes, accept)
}

// rank returns the n best members for a partition, best first.
func (s *scorer) rank(topic *assignor.Topic, partition int32, n int) []int32 {
	r := newReaders(s.g, topic.Subscribers)
	k := hash.Key(topic.Name, partition)
	var rank []int32
	switch {
	case s.slots:
		rank = r.rankBySlots(s.g, k, n)
	case r.weights != nil:
		rank = r.byScore(k)[:n]
	default:
		rank = hash.Top(nil, k, r.hashes, n)
	}
	for j, i := range rank {
		rank[j] = r.members[i]
	}
	return rank
}

// byScore returns the indexes of all readers by score and weight, best first.
func (r *readers) byScore(k uint64) []int32 {
	all := make([]int32, len(r.members))
	worth := make([]hash.Weighted, len(r.members))
	for i := range all {
		all[i], worth[i] = int32(i), r.worth(k, i)
	}
	slices.SortFunc(all, func(a, b int32) int {
		switch {
		case worth[a].Better(worth[b]):
			return -1
		case worth[b].Better(worth[a]):
			return 1
		}
		return cmp.Compare(a, b)
	})
	return all
}

// worth returns what the i-th reader is worth for a key.
func (r *readers) worth(k uint64, i int) hash.Weighted {
	w := hash.Weighted{Score: hash.Score(k, r.hashes[i]), Weight: 1}
	if r.weights != nil {
		w.Weight = r.weights[i]
	}
	return w
}

func sameSlice(a, b []int32) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
