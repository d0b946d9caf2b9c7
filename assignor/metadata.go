package assignor

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"maps"
	"slices"

	"github.com/cespare/xxhash/v2"
	"github.com/twmb/franz-go/pkg/kbin"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// consumerVersion is the version of the consumer protocol's metadata that
// members write: 3 has owned partitions, generation and rack (KIP-881).
const consumerVersion = 3

// encodeMetadata writes a member's join metadata. Ownership is listed once, in
// OwnedPartitions; kgo's cooperative-sticky lists it a second time in its user
// data, and all of it counts towards the record limit.
func encodeMetadata(topics []string, owned map[string][]int32, generation int32, u *userData) []byte {
	meta := kmsg.NewConsumerMemberMetadata()
	meta.Version = consumerVersion
	meta.Topics = topics
	meta.Generation = generation
	meta.UserData = u.append(nil)
	for topic, partitions := range owned {
		if len(partitions) == 0 {
			continue
		}
		o := kmsg.NewConsumerMemberMetadataOwnedPartition()
		o.Topic, o.Partitions = topic, partitions
		meta.OwnedPartitions = append(meta.OwnedPartitions, o)
	}
	// Map order would differ from call to call, and a broker takes metadata
	// that differs for a change of subscription (KAFKA-12898).
	slices.SortFunc(meta.OwnedPartitions, func(a, b kmsg.ConsumerMemberMetadataOwnedPartition) int {
		return cmp.Compare(a.Topic, b.Topic)
	})
	return meta.AppendTo(nil)
}

// metadata is one member's join metadata as far as it concerns placement.
type metadata struct {
	set        int32  // index into topicSets.sets
	owned      []byte // array of (topic, partitions), validated; read with eachClaim
	generation int32  // -1: none given
	// hasGeneration: the version has the field, so that -1 stands for a first
	// join.
	hasGeneration bool
	rack          *string
	user          userData
	userErr       error
}

// topicSets interns topic names and the sets of topics that members read:
// members of a group nearly always read one of a few sets, and most of the cost
// of decoding is in their names.
type topicSets struct {
	members int              // how many there may be
	ids     map[string]int32 // id by name
	names   []string         // name by id
	byHash  map[uint64]int32 // by hash of the raw topics array
	sets    []topicSet
	room    []int32 // for ids, many sets at a time
}

type topicSet struct {
	raw []byte
	ids []int32 // ascending by name, without repeats
}

func newTopicSets(members int) *topicSets {
	return &topicSets{members: members, byHash: make(map[uint64]int32)}
}

var errMetadata = errors.New("not consumer protocol metadata")

// decode reads metadata as kmsg.ConsumerMemberMetadata.ReadFrom does, and as
// leniently as kgo: trailing bytes are a newer version's; repeated topics are
// merged; a v1 without owned partitions is read as v0 (franz-go issue 493).
func (s *topicSets) decode(src []byte, m *metadata) error {
	r := kbin.Reader{Src: src}
	version := r.Int16()
	if !r.Ok() {
		return errMetadata
	}
	err := s.decodeVersion(r.Src, version, m)
	if err != nil && version == 1 {
		err = s.decodeVersion(r.Src, 0, m)
	}
	return err
}

// decodeVersion reads what follows the version.
func (s *topicSets) decodeVersion(src []byte, version int16, m *metadata) (err error) {
	*m = metadata{generation: -1}
	r := kbin.Reader{}
	if m.set, r.Src, err = s.readSet(src); err != nil {
		return err
	}
	user := r.NullableBytes()
	if version >= 1 {
		start := r.Src
		n := r.ArrayLen()
		if n < 0 {
			n = 0 // null
		}
		for ; n > 0 && r.Ok(); n-- {
			r.Span(int(r.Int16()))
			if count := r.ArrayLen(); count > 0 {
				r.Span(4 * int(count))
			}
		}
		m.owned = start[:len(start)-len(r.Src)]
	}
	if version >= 2 {
		m.generation, m.hasGeneration = max(r.Int32(), -1), true
	}
	if version >= 3 {
		m.rack = r.NullableString()
	}
	if !r.Ok() {
		return errMetadata
	}
	m.user, m.userErr = readUserData(user)
	return nil
}

// readSet reads the topics array at the start of src and returns its set and
// what follows.
func (s *topicSets) readSet(src []byte) (set int32, rest []byte, err error) {
	// The encoding delimits itself, so the same prefix is the same array.
	// The latest set first: members come in runs of one.
	if n := len(s.sets); n > 0 && bytes.HasPrefix(src, s.sets[n-1].raw) {
		return int32(n - 1), src[len(s.sets[n-1].raw):], nil
	}
	r := kbin.Reader{Src: src}
	n := int(max(r.ArrayLen(), 0))
	if !r.Ok() || 2*n > len(r.Src) {
		return 0, nil, errMetadata
	}
	for range n {
		r.Span(int(r.Int16()))
	}
	if !r.Ok() {
		return 0, nil, errMetadata
	}
	raw := src[:len(src)-len(r.Src)]
	key := xxhash.Sum64(raw)
	set, ok := s.byHash[key]
	if !ok || !bytes.Equal(raw, s.sets[set].raw) { // where hashes collide one is known twice
		set = int32(len(s.sets))
		if set == 1 {
			s.expectMany()
		}
		s.byHash[key] = set
		s.sets = append(s.sets, topicSet{raw: raw, ids: s.intern(raw, n)})
	}
	return set, r.Src, nil
}

// expectMany makes room, as subscriptions are unlike: there may be one a member.
func (s *topicSets) expectMany() {
	room := min(s.members, 128)
	s.sets = slices.Grow(s.sets, room)
	s.names = slices.Grow(s.names, room)
	byHash, ids := make(map[uint64]int32, room), make(map[string]int32, len(s.ids)+room)
	maps.Copy(byHash, s.byHash)
	maps.Copy(ids, s.ids)
	s.byHash, s.ids = byHash, ids
}

// intern returns the ids of the n topics of an array.
func (s *topicSets) intern(raw []byte, n int) []int32 {
	if len(s.names) == 0 {
		s.names, s.ids = make([]string, 0, n), make(map[string]int32, n)
		s.room = make([]int32, 0, n) // as a rule all read the same
	}
	if cap(s.room) < n {
		s.room = make([]int32, 0, max(n, 512))
	}
	ids := s.room[:0:n]
	s.room = s.room[n:n:cap(s.room)]
	text := "" // raw, as soon as a name is new: names are parts of it
	for at := 4; len(ids) < n; {
		begin := at + 2
		at = begin + int(raw[at])<<8 + int(raw[at+1])
		id, ok := s.ids[string(raw[begin:at])]
		if !ok {
			if text == "" {
				text = string(raw)
			}
			name := text[begin:at]
			id = int32(len(s.names))
			s.names = append(s.names, name)
			s.ids[name] = id
		}
		ids = append(ids, id)
	}
	byName := func(a, b int32) int { return cmp.Compare(s.names[a], s.names[b]) }
	slices.SortFunc(ids, byName)
	return slices.Compact(ids)
}

// eachClaim calls fn for each topic of a validated owned array; partitions are
// big-endian int32s.
func eachClaim(owned []byte, fn func(topic, partitions []byte)) {
	if len(owned) < 4 {
		return
	}
	n := int32(binary.BigEndian.Uint32(owned))
	for owned = owned[4:]; n > 0; n-- {
		l := int(binary.BigEndian.Uint16(owned))
		topic := owned[2 : 2+l]
		owned = owned[2+l:]
		count := 4 * int(max(int32(binary.BigEndian.Uint32(owned)), 0))
		fn(topic, owned[4:4+count])
		owned = owned[4+count:]
	}
}

// justRack writes metadata with nothing but the rack.
func (m *metadata) justRack() []byte {
	meta := kmsg.NewConsumerMemberMetadata()
	meta.Version = consumerVersion
	meta.Rack = m.rack
	return meta.AppendTo(nil)
}
