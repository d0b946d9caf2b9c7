package assignor

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

// joiner is one member as the broker listed it, decoded.
type joiner struct {
	id, instance string
	bytes        int // of join metadata
	meta         metadata
	err          error // its metadata cannot be read; meta is void
}

// baseKey is the member's key before duplicates are told apart.
func (j *joiner) baseKey(mem *memory) string {
	switch {
	case j.err == nil && j.meta.user.identity != "":
		return j.meta.user.identity
	case j.instance != "":
		return j.instance
	case j.err != nil:
		if m := mem.member(j.id); m != None {
			return mem.group.Members[m].Key
		}
	}
	return j.id
}

func (j *joiner) name() string {
	if key := j.meta.user.identity; key != "" && key != j.id {
		return fmt.Sprintf("%s (%s)", key, printable(j.id))
	}
	if j.instance != "" {
		return fmt.Sprintf("%s (%s)", printable(j.instance), printable(j.id))
	}
	return printable(j.id)
}

// snapshot is everything that one round is decided from.
type snapshot struct {
	group   *Group
	joiners []*joiner // as group.Members
	sets    *topicSets
	claims  *claims
	void    []bool    // by member: its claims prove nothing
	read    []int32   // ids of the topics that are read
	ids     []int32   // ids of those that are in the group, as group.Topics
	readers [][]int32 // by topic id

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
func takeSnapshot(sets *topicSets, joiners []*joiner, counts map[string]int32, cb *kgo.ConsumerBalancer, mem *memory) *snapshot {
	s := &snapshot{group: new(Group), sets: sets}
	generation := cb.Info().Generation
	s.addMembers(joiners, mem)
	s.addReaders()
	s.addTopics(counts, cb, mem)
	s.readClaims(mem, generation)
	s.decideOwners(mem, generation)
	s.hold(mem)
	return s
}

// addMembers gives every member its key and sorts them.
func (s *snapshot) addMembers(joiners []*joiner, mem *memory) {
	type keyed struct {
		key string
		*joiner
	}
	all := make([]keyed, len(joiners))
	for i, j := range joiners {
		all[i] = keyed{j.baseKey(mem), j}
	}
	order := func(a, b keyed) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.id, b.id)) }
	slices.SortFunc(all, order)
	duplicates := false
	for i := 0; i < len(all); {
		same := 1
		for i+same < len(all) && all[i+same].key == all[i].key {
			same++
		}
		if same > 1 {
			duplicates = true
			// The incumbent keeps the key and with it what it had; without
			// one any leader must decide the same, so the lower ID does.
			keeper := i
			for k := i; k < i+same; k++ {
				if mem.holder(all[k].key) == all[k].id {
					keeper = k
				}
			}
			s.warn(WarnIdentity, all[keeper].name(), "", fmt.Sprintf("%d live members have the identity %q, among them %s: give each member one of its own; until then the others are placed under a key of their own", same, all[i].key, all[i+min(same-1, 1)].name()), nil)
			for k := i; k < i+same; k++ {
				if k != keeper {
					all[k].key += "\x00" + all[k].id
				}
			}
		}
		i += same
	}
	if duplicates {
		slices.SortFunc(all, order)
	}

	s.joiners = make([]*joiner, len(all))
	s.group.Members = make([]Member, len(all))
	for i, k := range all {
		j := k.joiner
		s.joiners[i] = j
		m := &s.group.Members[i]
		*m = Member{ID: j.id, Key: k.key, Weight: max(j.meta.user.weight, 1), Endpoint: j.meta.user.endpoint}
		if j.meta.rack != nil {
			m.Rack = *j.meta.rack
		}
		switch {
		case j.err != nil:
			s.warn(WarnMetadata, j.name(), "", "the member's join metadata cannot be read, it gets nothing this round: check which client it is and what it runs", j.err)
		case j.meta.userErr != nil:
			s.warn(WarnMetadata, j.name(), "", "the member's own data is broken and ignored from there on: check which version it runs", j.meta.userErr)
		}
	}
}

// addReaders fills readers, one slice shared by all topics read by the same
// members.
func (s *snapshot) addReaders() {
	bySet := make([][]int32, len(s.sets.sets)) // members by set
	var used []int
	for m, j := range s.joiners {
		if j.err != nil {
			continue
		}
		set := int(j.meta.set)
		if bySet[set] == nil {
			used = append(used, set)
			bySet[set] = make([]int32, 0, len(s.joiners)-m)
		}
		bySet[set] = append(bySet[set], int32(m))
	}
	s.readers = make([][]int32, len(s.sets.names))
	if len(used) == 1 { // everybody reads the same
		for _, id := range s.sets.sets[used[0]].ids {
			s.readers[id] = bySet[used[0]]
		}
		return
	}
	setsOf := make([][]byte, len(s.sets.names)) // sets by topic id, as a key
	for _, set := range used {
		for _, id := range s.sets.sets[set].ids {
			setsOf[id] = binary.BigEndian.AppendUint32(setsOf[id], uint32(set))
		}
	}
	shared := make(map[string][]int32)
	for id, key := range setsOf {
		members, ok := shared[string(key)]
		if !ok {
			for k := key; len(k) > 0; k = k[4:] {
				members = append(members, bySet[binary.BigEndian.Uint32(k)]...)
			}
			slices.Sort(members)
			shared[string(key)] = members
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

	racks := cb.PartitionRacks()
	byID := make([]int32, len(s.sets.names))
	s.ids = make([]int32, 0, len(s.read))
	s.group.Topics = make([]Topic, 0, len(s.read))
	for _, id := range s.read {
		name := s.sets.names[id]
		n := counts[name]
		if n <= 0 {
			s.addMissing(name, cb, mem)
			continue
		}
		mem.sawCount(name, n)
		mem.sawUnknown(name, false)
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
func (s *snapshot) addMissing(topic string, cb *kgo.ConsumerBalancer, mem *memory) {
	seen := cb.Info().Topics()[topic].Err // from the client's cache, asks nobody
	switch rounds := mem.sawUnknown(topic, errors.Is(seen, kerr.UnknownTopicOrPartition)); {
	case rounds < roundsUntilGone:
		s.missing = append(s.missing, topic)
		s.warn(WarnTopic, "", topic, "the topic's partitions are not known this round: its owners keep what they have, the rest waits for a further round", seen)
	case rounds == roundsUntilGone:
		s.warn(WarnTopic, "", topic, "the topic is gone: members that still read it get nothing of it until it is there again", nil)
		fallthrough
	default:
		s.gone = append(s.gone, topic)
	}
}

// readClaims collects what members say they own.
func (s *snapshot) readClaims(mem *memory, generation int32) {
	for m, j := range s.joiners {
		if j.err != nil {
			// It cannot say what it owns, and may still be working on what it
			// was given.
			mem.given(j.id, func(topic string, partition int32) {
				if id, ok := s.sets.ids[topic]; ok {
					s.claims.add(partitionKey{id, partition}, int32(m), mem.generation)
				}
			})
			continue
		}
		gen := j.meta.generation
		if generation > 0 && gen >= generation {
			gen = -1 // no member can have been there yet
		}
		set := s.sets.sets[j.meta.set].ids
		eachClaim(j.meta.owned, func(topic, partitions []byte) {
			// Claims come in the order of the subscription, as a rule.
			for len(set) > 0 && s.sets.names[set[0]] < string(topic) {
				set = set[1:]
			}
			if len(set) > 0 && s.sets.names[set[0]] == string(topic) {
				s.claims.addAll(set[0], partitions, int32(m), gen)
			} else if id, ok := s.sets.ids[string(topic)]; ok {
				s.claims.addAll(id, partitions, int32(m), gen)
			}
		})
	}
}

// decideOwners fills Owners with the claims that prove ownership.
func (s *snapshot) decideOwners(mem *memory, generation int32) {
	s.void = make([]bool, len(s.joiners))
	for m, j := range s.joiners {
		s.void[m] = j.err != nil || len(j.meta.owned) > 4 && mem.removed(s.group.Members[m].Key, j.id, generation)
	}
	all := make([]int32, s.group.Partitions())
	owns := make([]bool, len(s.joiners))
	var last []int32 // the subscribers that owns was made for
	for t, id := range s.ids {
		topic := &s.group.Topics[t]
		if t == 0 || !sameSlice(last, topic.Subscribers) {
			last = topic.Subscribers
			clear(owns)
			for _, m := range last {
				owns[m] = !s.void[m]
			}
		}
		topic.Owners, all = all[:topic.Partitions:topic.Partitions], all[topic.Partitions:]
		for p, cl := range s.claims.rows[id] {
			topic.Owners[p] = None
			if cl.member >= 0 && owns[cl.member] {
				topic.Owners[p] = cl.member
			}
		}
	}
}

// hold finds the claims outside the group that their claimants are to keep: the
// partitions of missing topics, and numbers that this leader's metadata may
// just not know yet.
func (s *snapshot) hold(mem *memory) {
	for k, cl := range s.claims.unseen {
		topic := s.sets.names[k.topic]
		n := int32(len(s.claims.rows[k.topic]))
		switch {
		case cl.member < 0 || s.void[cl.member] || !contains(s.readers[k.topic], cl.member):
		case n > 0 && mem.sawCount(topic, n) > n: // the topic shrank, by this leader's own eyes
		case n == 0 && slices.Contains(s.gone, topic):
		default:
			s.held = append(s.held, Move{topic, k.partition, cl.member, cl.member})
		}
	}
	slices.SortFunc(s.held, func(a, b Move) int {
		return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition))
	})
}

func sameSlice(a, b []int32) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// contains tells whether an ascending list holds m.
func contains(members []int32, m int32) bool {
	_, found := slices.BinarySearch(members, m)
	return found
}
