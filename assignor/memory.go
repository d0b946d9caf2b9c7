package assignor

// memory is what a leader keeps of a group between the rounds it leads. All of
// it is a hint: a leader without memory decides as safely, a little slower.
// What members own is never remembered as truth, they say so themselves.
type memory struct {
	generation int32 // of the latest round led here; 0: unknown

	// The latest round: who took part, and what each was given.
	keys  map[string]string // key by member ID
	group *Group
	after Plan
	held  []Move

	// The strategy's own latest result, for Update; nil after a failure.
	plan Plan

	// By topic that the group reads: the largest count ever seen, and the
	// rounds running in which the client's metadata named it unknown.
	counts  map[string]int32
	unknown map[string]int
}

// The rounds running after which an unknown topic counts as deleted.
const roundsUntilGone = 3

func newMemory() *memory {
	return &memory{
		keys:    make(map[string]string),
		counts:  make(map[string]int32),
		unknown: make(map[string]int),
	}
}

// removed tells whether the member with this ID was not in the round just
// before generation, as far as this leader knows. If it nevertheless claims
// partitions, it was removed from the group in between (it slept, or was cut
// off) and others may have been given them since.
func (m *memory) removed(id string, generation int32) bool {
	if m.generation == 0 || generation != m.generation+1 {
		return false
	}
	_, known := m.keys[id]
	return !known
}

// given calls fn for all partitions that the member with this ID was given in
// the latest round led here.
func (m *memory) given(id string, fn func(topic string, partition int32)) {
	if m.group == nil {
		return
	}
	for i := range m.group.Members {
		if m.group.Members[i].ID != id {
			continue
		}
		for t, row := range m.after {
			for p, owner := range row {
				if owner == int32(i) {
					fn(m.group.Topics[t].Name, int32(p))
				}
			}
		}
		for _, h := range m.held {
			if h.To == int32(i) {
				fn(h.Topic, h.Partition)
			}
		}
		return
	}
}

// remember takes over the outcome of a round.
func (m *memory) remember(s *snapshot, generation int32, plan, after Plan) {
	m.generation = generation
	m.group, m.plan, m.after, m.held = s.group, plan, after, s.held
	m.keys = make(map[string]string, len(s.group.Members))
	for i := range s.group.Members {
		m.keys[s.group.Members[i].ID] = s.group.Members[i].Key
	}
	m.counts, m.unknown = s.largest, s.unknown
}
