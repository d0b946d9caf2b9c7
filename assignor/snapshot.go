package assignor

import (
	"cmp"
	"errors"
	"math/bits"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

// snapshot is everything that one round is decided from.
type snapshot struct {
	group   *Group
	joiners []*joiner // as group.Members
	before  []int32   // by member: its key's in the latest round led here, or None
	sets    *topicSets
	claims  *claims
	void    []bool        // by member: its claims prove nothing
	read    []int32       // ids of the topics that are read
	ids     []int32       // ids of those that are in the group, as group.Topics
	readers [][]int32     // by topic id
	topics  []topicMemory // those that are read, by name; the next round's memory

	held    []Move   // claims outside the group, to be kept by their claimants
	missing []string // topics read, not known this round, and not gone
	gone    []string // topics read, and deleted as far as can be known

	warnings []Warning
}

func (s *snapshot) warn(kind WarningKind, member, topic, message string, err error) {
	s.warnings = append(s.warnings, Warning{Kind: kind, Member: member, Topic: topic, Message: message, Err: err})
}

// takeSnapshot turns members and partition counts into a Group. It never fails:
// what cannot be read costs only its own member.
func takeSnapshot(sets *topicSets, joiners []*joiner, counts map[string]int32, cb *kgo.ConsumerBalancer, mem *memory, homing bool) *snapshot {
	s := &snapshot{group: new(Group), sets: sets}
	generation := cb.Info().Generation
	s.addMembers(joiners, mem)
	s.before = mem.group.find(s.group.Members)
	s.addReaders()
	s.addTopics(counts, cb, mem)
	s.readClaims(mem, generation)
	s.decideOwners(mem, generation)
	s.hold()
	if homing {
		s.findHomes(mem, generation)
		s.addWarm()
	}
	return s
}

// addReaders fills readers, one slice shared by all topics read by the same
// members.
func (s *snapshot) addReaders() {
	count := make([]int32, len(s.sets.sets)+1) // members by set
	for _, j := range s.joiners {
		if j.err == nil {
			count[j.meta.set+1]++
		}
	}
	bySet := make([][]int32, len(s.sets.sets)) // members by set
	slab := make([]int32, len(s.joiners))
	used := make([]int, 0, len(bySet))
	for set, n := range count[1:] {
		if n > 0 {
			used = append(used, set)
			bySet[set], slab = slab[:0:n], slab[n:]
		}
	}
	for m, j := range s.joiners {
		if j.err == nil {
			bySet[j.meta.set] = append(bySet[j.meta.set], int32(m))
		}
	}
	s.readers = make([][]int32, len(s.sets.names))
	if len(used) == 1 { // everybody reads the same
		for _, id := range s.sets.sets[used[0]].ids {
			s.readers[id] = bySet[used[0]]
		}
		return
	}
	s.shareReaders(used, bySet)
}

// shareReaders fills readers where subscriptions are unlike.
func (s *snapshot) shareReaders(used []int, bySet [][]int32) {
	ends := make([]int, len(s.sets.names)+1) // of topics' sets in setsOf
	for _, set := range used {
		for _, id := range s.sets.sets[set].ids {
			ends[id+1]++
		}
	}
	for id := range s.sets.names {
		ends[id+1] += ends[id]
	}
	setsOf := make([]int, ends[len(ends)-1]) // sets by topic id
	next := slices.Clone(ends)
	for _, set := range used {
		for _, id := range s.sets.sets[set].ids {
			setsOf[next[id]] = set
			next[id]++
		}
	}
	var slab []int32
	reads := make([]bool, len(bySet))                           // by set: it has the topic
	shared := make(map[uint64]int, min(len(s.sets.names), 128)) // by hash of the sets that read it: a topic
	for id := range s.sets.names {
		sets := setsOf[ends[id]:ends[id+1]]
		if len(sets) == 1 {
			s.readers[id] = bySet[sets[0]]
			continue
		}
		hash, n := uint64(0), 0
		for _, set := range sets {
			hash = bits.RotateLeft64((hash^uint64(set))*0x9e3779b97f4a7c15, 32)
			n += len(bySet[set])
		}
		first, ok := shared[hash]
		if ok && slices.Equal(setsOf[ends[first]:ends[first+1]], sets) {
			s.readers[id] = s.readers[first]
			continue
		}
		shared[hash] = id
		if len(slab) < n {
			slab = make([]int32, max(n, 256))
		}
		members := slab[:0:n]
		slab = slab[n:]
		if n < len(s.joiners)/8 {
			for _, set := range sets {
				members = append(members, bySet[set]...)
			}
			slices.Sort(members)
		} else { // cheaper than to sort
			for _, set := range sets {
				reads[set] = true
			}
			for m, j := range s.joiners {
				if j.err == nil && reads[j.meta.set] {
					members = append(members, int32(m))
				}
			}
			for _, set := range sets {
				reads[set] = false
			}
		}
		s.readers[id] = members
	}
}

// addTopics splits the topics that are read into those of the group and those
// whose partitions are not known.
func (s *snapshot) addTopics(counts map[string]int32, cb *kgo.ConsumerBalancer, mem *memory) {
	s.read = make([]int32, 0, len(s.readers))
	for id, members := range s.readers {
		if len(members) > 0 {
			s.read = append(s.read, int32(id))
		}
	}
	slices.SortFunc(s.read, func(a, b int32) int { return cmp.Compare(s.sets.names[a], s.sets.names[b]) })

	s.topics = make([]topicMemory, len(s.read))
	before := mem.topics
	racks := cb.PartitionRacks()
	byID := make([]int32, len(s.sets.names))
	s.ids = make([]int32, 0, len(s.read))
	s.group.Topics = make([]Topic, 0, len(s.read))
	for i, id := range s.read {
		name := s.sets.names[id]
		for len(before) > 0 && before[0].name < name {
			before = before[1:]
		}
		topic := &s.topics[i]
		topic.name = name
		if len(before) > 0 && before[0].name == name {
			topic.largest, topic.unknown = before[0].largest, before[0].unknown
		}
		n := counts[name]
		if n <= 0 {
			s.addMissing(topic, cb)
			continue
		}
		topic.largest, topic.unknown = max(topic.largest, n), 0
		s.ids = append(s.ids, id)
		byID[id] = n
		t := Topic{Name: name, Partitions: n, Subscribers: s.readers[id]}
		if r := racks[name]; int32(len(r)) == n {
			t.Racks = r
		}
		s.group.Topics = append(s.group.Topics, t)
	}
	s.claims = newClaims(byID)
}

// addMissing notes a topic that is read and whose partitions are not known.
func (s *snapshot) addMissing(t *topicMemory, cb *kgo.ConsumerBalancer) {
	topic := t.name
	seen := cb.Info().Topics()[topic].Err // from the client's cache, asks nobody
	if t.unknown++; !errors.Is(seen, kerr.UnknownTopicOrPartition) {
		t.unknown = 0
	}
	switch {
	case t.unknown < roundsUntilGone:
		s.missing = append(s.missing, topic)
		s.warn(WarnTopic, "", topic, "the topic's partitions are not known this round: its owners keep what they have, the rest waits for a further round", seen)
	case t.unknown == roundsUntilGone:
		s.warn(WarnTopic, "", topic, "the topic is gone: members that still read it get nothing of it until it is there again", nil)
		fallthrough
	default:
		s.gone = append(s.gone, topic)
	}
}

func sameSlice(a, b []int32) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
