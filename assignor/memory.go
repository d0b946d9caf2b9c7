package assignor

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// memory is what a leader keeps of a group between the rounds it leads. All of
// it is a hint that saves work or a round, except where a member does not say
// what it is working on (silent): then memory is all there is.
type memory struct {
	generation int32 // of the latest round led here; 0: unknown

	// The latest round: who took part, what each claimed, and what each was
	// given.
	group   *Group
	joiners []*joiner // as group.Members
	after   Plan
	held    []Move
	// awaited is what was withheld for a member, by index To, that has not
	// taken it yet; in the order of topics.
	awaited []Move

	// The strategy's own latest result, for Update; nil after a failure.
	plan Plan

	topics []topicMemory // that the group reads, by name

	homes homes
}

// The rounds running after which an unknown topic counts as deleted.
const roundsUntilGone = 3

func newMemory() *memory {
	return &memory{group: new(Group)}
}

// topicMemory is what a leader remembers of a topic.
type topicMemory struct {
	name    string
	largest int32 // of the partition counts ever seen
	unknown int   // for how many rounds running the client's metadata has named it so
}

// largest returns the largest partition count ever seen of a topic that the group
// reads.
func (s *snapshot) largest(topic string) int32 {
	i, ok := slices.BinarySearchFunc(s.topics, topic, func(t topicMemory, name string) int { return cmp.Compare(t.name, name) })
	if !ok {
		return 0
	}
	return s.topics[i].largest
}

// holder returns the ID of the member that had a key in the latest round led
// here, "" if none had.
func (m *memory) holder(key string) string {
	i, ok := m.group.member(key)
	if !ok {
		return ""
	}
	return m.group.Members[i].ID
}

// member returns the index of the member that had this ID, or None.
func (m *memory) member(id string) int32 {
	return int32(slices.IndexFunc(m.group.Members, func(m Member) bool { return m.ID == id }))
}

// ledBefore tells whether this leader led the round just before generation.
func (m *memory) ledBefore(generation int32) bool {
	return m.generation != 0 && generation == m.generation+1
}

// removed tells whether a member, whose key the given one had in the latest round,
// was not in the round just before generation,
// as far as this leader knows. If it nevertheless claims partitions, it was
// removed from the group in between (it slept, or was cut off) and others may
// have been given them since. A static member that restarts in a stable group
// has another ID without having been away.
func (m *memory) removed(was int32, j *joiner, generation int32) bool {
	if !m.ledBefore(generation) {
		return false
	}
	holder := ""
	if was != None {
		holder = m.group.Members[was].ID
	}
	return holder != j.id && (holder == "" || j.instance == "") && m.member(j.id) == None
}

// silent returns who a member was in the latest round, if it does not say what it
// may be working on since; None otherwise. It says nothing if it cannot be read,
// or if it is a static member that has not joined again: the broker keeps that
// one, with the metadata of an earlier join than the round it took part in, or,
// where it restarted in the stable group, of a first join under another ID.
func (m *memory) silent(j *joiner, generation int32) int32 {
	if j.err != nil {
		return m.member(j.id)
	}
	if j.instance == "" || !m.ledBefore(generation) {
		return None
	}
	if i := m.member(j.id); i != None {
		if j.meta.hasGeneration && j.meta.generation < m.generation {
			return i
		}
		return None
	}
	if j.meta.generation == -1 && !j.claims() {
		return int32(slices.IndexFunc(m.joiners, func(last *joiner) bool { return last.instance == j.instance }))
	}
	return None
}

// had calls fn for all partitions that a member of the latest round led here may
// be working on after it: what it claimed then, since the plan may not have
// reached it, and what it was given.
func (m *memory) had(i int32, fn func(topic string, partition int32)) {
	if j := m.joiners[i]; j.err == nil {
		eachClaim(j.meta.owned, func(topic, partitions []byte) {
			for ; len(partitions) >= 4; partitions = partitions[4:] {
				fn(string(topic), int32(binary.BigEndian.Uint32(partitions)))
			}
		})
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

// remember takes over the outcome of a round.
func (m *memory) remember(s *snapshot, generation int32, o *outcome) {
	m.awaited = m.stillAwaited(s, o)
	m.generation = generation
	m.group, m.joiners = s.group, s.joiners
	m.after, m.held = o.after, s.held
	if m.plan = o.plan; o.err != nil {
		m.plan = nil
	}
	m.topics = s.topics // others are forgotten
}

// given tells whether the last round gave a partition to whom it was on its way to.
func (m *memory) given(w Move) bool {
	t, ok := slices.BinarySearchFunc(m.group.Topics, w.Topic, func(t Topic, name string) int { return cmp.Compare(t.Name, name) })
	return ok && int(w.Partition) < len(m.after[t]) && m.after[t][w.Partition] == w.To
}

// stillAwaited adds what this round withholds to what was withheld before and
// has not been taken, nor given to anybody else.
func (m *memory) stillAwaited(s *snapshot, o *outcome) []Move {
	if len(m.awaited) == 0 {
		return o.withheld
	}
	awaited := slices.Clone(o.withheld)
	t := 0
	for _, w := range m.awaited {
		to, there := s.group.member(m.group.Members[w.To].Key)
		for t < len(s.group.Topics) && s.group.Topics[t].Name < w.Topic {
			t++
		}
		if there && slices.Contains(s.missing, w.Topic) {
			awaited = append(awaited, Move{w.Topic, w.Partition, None, int32(to)})
			continue
		}
		if !there || t == len(s.group.Topics) || s.group.Topics[t].Name != w.Topic || w.Partition >= s.group.Topics[t].Partitions {
			continue
		}
		// Withheld again it is among o.withheld; taken, it has an owner.
		if o.after[t][w.Partition] == int32(to) && s.group.Topics[t].Owner(w.Partition) != int32(to) {
			awaited = append(awaited, Move{w.Topic, w.Partition, None, int32(to)})
		}
	}
	sortMoves(awaited)
	return awaited
}
