package ring

import (
	"cmp"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

// A set is the topics that share their readers, and so a ring.
type set struct {
	readers []int32
	keys    []key       // of all their partitions, in the order of the ring
	table   prefixTable // of keys
}

type key struct {
	hash             uint64
	topic, partition int32
}

func (k key) position() uint64 { return k.hash }

// setsOf returns the sets of a group, those with the fewest readers first.
func setsOf(g *assignor.Group) []*set {
	var sets []*set
	var hashes []uint64
	for _, rs := range g.ReaderSets() {
		n := 0
		for _, t := range rs.Topics {
			n += int(g.Topics[t].Partitions)
		}
		keys := make([]key, 0, n)
		for _, t := range rs.Topics {
			topic := &g.Topics[t]
			hashes = slices.Grow(hashes[:0], int(topic.Partitions))[:topic.Partitions]
			hash.Keys(hashes, topic.Name, 0)
			for p, h := range hashes {
				keys = append(keys, key{h, int32(t), int32(p)})
			}
		}
		sorted, table := sortByPosition(keys, compareKeys)
		sets = append(sets, &set{rs.Readers, sorted, table})
	}
	return sets
}

func compareKeys(a, b key) int {
	return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.topic, b.topic), cmp.Compare(a.partition, b.partition))
}

// assign places the keys of one set. It passes over all points once, keeping the
// nearest of each gap between keys, so that they need no sorting: there are far
// more points than keys.
func (s Strategy) assign(g *assignor.Group, set *set, p assignor.Plan) {
	keys := set.keys
	if len(keys) == 0 {
		return
	}
	type nearest struct {
		point  uint64
		member int32
	}
	// gaps[i] is the first point from keys[i-1] to before keys[i]; gaps[0] the
	// first one before all keys, where the ring closes.
	gaps := make([]nearest, len(keys)+1)
	for i := range gaps {
		gaps[i].member = assignor.None
	}
	for _, m := range set.readers {
		s.each(g, m, func(point uint64) {
			i := set.table.before(point)
			for int(i) < len(keys) && keys[i].hash <= point {
				i++
			}
			// Readers come by key: of equal points the first stays.
			if gap := &gaps[i]; gap.member == assignor.None || point < gap.point {
				*gap = nearest{point, m}
			}
		})
	}
	// A key belongs to the first point after it; from the end of the ring
	// backwards that is the latest seen, and beyond the end the first of all.
	owner := assignor.None
	for i := range gaps {
		if owner = gaps[i].member; owner != assignor.None {
			break
		}
	}
	for i := len(keys) - 1; i >= 0; i-- {
		if m := gaps[i+1].member; m != assignor.None {
			owner = m
		}
		p[keys[i].topic][keys[i].partition] = owner
	}
}
