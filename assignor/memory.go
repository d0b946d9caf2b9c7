package assignor

import (
	"cmp"
	"slices"
)

// memory is what a leader keeps of a group between the rounds it leads. All of
// it is a hint: a leader without memory decides as safely, a little slower.
// What members own is never remembered as truth, they say so themselves.
type memory struct {
	generation int32 // of the latest round led here; 0: unknown

	// The latest round: who took part, and what each was given.
	group *Group
	after Plan
	held  []Move
	// withheld is what nobody was given, in the order of topics.
	withheld []Move

	// The strategy's own latest result, for Update; nil after a failure.
	plan Plan

	// By topic that the group reads: the largest count ever seen, and the
	// rounds running in which the client's metadata named it unknown.
	counts  map[string]int32
	unknown map[string]int

	homes homes
}

// The rounds running after which an unknown topic counts as deleted.
const roundsUntilGone = 3

func newMemory() *memory {
	return &memory{group: new(Group), counts: make(map[string]int32), unknown: make(map[string]int)}
}

// holder returns the ID of the member that had a key in the latest round led
// here, "" if none had.
func (m *memory) holder(key string) string {
	i, ok := slices.BinarySearchFunc(m.group.Members, key, func(m Member, key string) int { return cmp.Compare(m.Key, key) })
	if !ok {
		return ""
	}
	return m.group.Members[i].ID
}

// member returns the index of the member that had this ID, or None.
func (m *memory) member(id string) int32 {
	return int32(slices.IndexFunc(m.group.Members, func(m Member) bool { return m.ID == id }))
}

// removed tells whether a member was not in the round just before generation,
// as far as this leader knows. If it nevertheless claims partitions, it was
// removed from the group in between (it slept, or was cut off) and others may
// have been given them since.
func (m *memory) removed(key, id string, generation int32) bool {
	if m.generation == 0 || generation != m.generation+1 {
		return false
	}
	return m.holder(key) != id && m.member(id) == None
}

// given calls fn for all partitions that the member with this ID was given in
// the latest round led here.
func (m *memory) given(id string, fn func(topic string, partition int32)) {
	i := m.member(id)
	if i == None {
		return
	}
	for t, row := range m.after {
		for p, owner := range row {
			if owner == i {
				fn(m.group.Topics[t].Name, int32(p))
			}
		}
	}
	for _, h := range m.held {
		if h.To == i {
			fn(h.Topic, h.Partition)
		}
	}
}

// sawCount notes a topic's partition count and returns the largest seen.
func (m *memory) sawCount(topic string, n int32) int32 {
	largest := m.counts[topic]
	if n > largest {
		m.counts[topic], largest = n, n
	}
	return largest
}

// sawUnknown notes whether the client's metadata names a missing topic unknown
// and returns for how many rounds running it has.
func (m *memory) sawUnknown(topic string, unknown bool) int {
	if !unknown {
		delete(m.unknown, topic)
		return 0
	}
	m.unknown[topic]++
	return m.unknown[topic]
}

// remember takes over the outcome of a round.
func (m *memory) remember(s *snapshot, generation int32, o *outcome) {
	m.generation = generation
	m.group, m.after, m.held, m.withheld = s.group, o.after, s.held, o.withheld
	if m.plan = o.plan; o.err != nil {
		m.plan = nil
	}
	// Topics that nobody reads any more are forgotten.
	if len(m.counts) > len(s.read) {
		m.counts = keep(m.counts, s.read, s.sets)
	}
	if len(m.unknown) > len(s.missing)+len(s.gone) {
		m.unknown = keep(m.unknown, s.read, s.sets)
	}
}

func keep[V any](all map[string]V, read []int32, sets *topicSets) map[string]V {
	kept := make(map[string]V, len(read))
	for _, id := range read {
		if v, ok := all[sets.names[id]]; ok {
			kept[sets.names[id]] = v
		}
	}
	return kept
}
