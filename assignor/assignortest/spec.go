package assignortest

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// A Spec is a group in the form one writes it in: by names, in any order. It
// also remembers, across changes, what a leader's memory would: the homes of
// partitions whose members are away.
type Spec struct {
	Members []Member
	Topics  []Topic
}

// A Member of a Spec. An empty ID is the Key and the other way round; weight 0
// is 1.
type Member struct {
	Key, ID        string
	Rack, Endpoint string
	Weight         uint32
	Reads          []string           // topics, known or not
	Owns, Warm     map[string][]int32 // partitions by topic
}

// A Topic of a Spec. Homes holds, by partition, the key of the member it should
// go back to, present or not, "" for none; it may be shorter than Partitions.
type Topic struct {
	Name       string
	Partitions int32
	Homes      []string
	Racks      []string
}

// Uniform returns a group of members "pod-0", "pod-1" and so on that all read
// topics "topic-0", "topic-1" and so on with the partition counts given.
func Uniform(members int, partitions ...int32) *Spec {
	s := new(Spec)
	var reads []string
	for i, n := range partitions {
		s.Topics = append(s.Topics, Topic{Name: fmt.Sprintf("topic-%d", i), Partitions: n})
		reads = append(reads, s.Topics[i].Name)
	}
	for i := range members {
		s.Members = append(s.Members, Member{Key: fmt.Sprintf("pod-%d", i), Reads: slices.Clone(reads)})
	}
	return s
}

// Group puts the group together as a Balancer does: members sorted by key and
// ID, topics by name and only those that somebody reads, one slice of
// subscribers for all topics read by the same members. Claims that cannot stand
// (on topics not read, partitions that do not exist, or made by two members) own
// nothing. Owners, Homes and Warm are nil where the Spec says nothing.
//
// It panics on two members with the same key and ID and on two topics with the
// same name.
func (s *Spec) Group() *assignor.Group {
	g := new(assignor.Group)
	readers := make(map[string][]int32)
	byKey := make(map[string]int32)
	order := s.order()
	for i, at := range order {
		m := s.Members[at].filled()
		if i > 0 && m.Key == g.Members[i-1].Key {
			if m.ID == g.Members[i-1].ID {
				panic(fmt.Sprintf("assignortest: two members with key %q and ID %q", m.Key, m.ID))
			}
		} else {
			byKey[m.Key] = int32(i)
		}
		g.Members = append(g.Members, assignor.Member{ID: m.ID, Key: m.Key, Rack: m.Rack, Weight: m.Weight, Endpoint: m.Endpoint})
		for _, name := range m.Reads {
			if r := readers[name]; len(r) == 0 || r[len(r)-1] != int32(i) {
				readers[name] = append(r, int32(i))
			}
		}
	}
	shared := make(map[string][]int32)
	for i := range s.Topics {
		topic := &s.Topics[i]
		subscribers := readers[topic.Name]
		if len(subscribers) == 0 || topic.Partitions <= 0 {
			continue
		}
		key := fingerprint(subscribers)
		if _, ok := shared[key]; !ok {
			shared[key] = subscribers
		}
		t := assignor.Topic{Name: topic.Name, Partitions: topic.Partitions, Subscribers: shared[key]}
		t.Owners = s.owners(order, &t)
		t.Warm = s.warm(order, &t)
		if topic.Homes != nil {
			t.Homes = homes(topic, subscribers, byKey)
		}
		if topic.Racks != nil {
			t.Racks = make([]string, topic.Partitions)
			copy(t.Racks, topic.Racks)
		}
		g.Topics = append(g.Topics, t)
	}
	slices.SortFunc(g.Topics, func(a, b assignor.Topic) int { return cmp.Compare(a.Name, b.Name) })
	for t := 1; t < len(g.Topics); t++ {
		if g.Topics[t].Name == g.Topics[t-1].Name {
			panic(fmt.Sprintf("assignortest: two topics named %q", g.Topics[t].Name))
		}
	}
	return g
}

// order returns indexes into Members in the order in which a Group has them.
func (s *Spec) order() []int {
	order := make([]int, len(s.Members))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		x, y := s.Members[a].filled(), s.Members[b].filled()
		return cmp.Or(cmp.Compare(x.Key, y.Key), cmp.Compare(x.ID, y.ID))
	})
	return order
}

func (m Member) filled() Member {
	m.ID, m.Key, m.Weight = cmp.Or(m.ID, m.Key), cmp.Or(m.Key, m.ID), max(m.Weight, 1)
	return m
}

// owners returns the owners of a topic of the group, nil where nobody so much
// as mentions it.
func (s *Spec) owners(order []int, t *assignor.Topic) []int32 {
	var owners []int32
	contested := make(map[int32]bool)
	for _, m := range t.Subscribers {
		claims, ok := s.Members[order[m]].Owns[t.Name]
		if ok && owners == nil {
			owners = nobody(t.Partitions)
		}
		for _, p := range claims {
			switch {
			case p < 0 || p >= t.Partitions:
			case owners[p] == assignor.None && !contested[p]:
				owners[p] = m
			case owners[p] != m:
				owners[p], contested[p] = assignor.None, true
			}
		}
	}
	return owners
}

func (s *Spec) warm(order []int, t *assignor.Topic) [][]int32 {
	var warm [][]int32
	for _, m := range t.Subscribers {
		list, ok := s.Members[order[m]].Warm[t.Name]
		if ok && warm == nil {
			warm = make([][]int32, t.Partitions)
		}
		for _, p := range list {
			if p >= 0 && p < t.Partitions && !slices.Contains(warm[p], m) {
				warm[p] = append(warm[p], m)
			}
		}
	}
	return warm
}

func homes(topic *Topic, subscribers []int32, byKey map[string]int32) []int32 {
	homes := nobody(topic.Partitions)
	for p := range homes {
		if p < len(topic.Homes) && topic.Homes[p] != "" {
			m, ok := byKey[topic.Homes[p]]
			if _, reads := slices.BinarySearch(subscribers, m); ok && reads {
				homes[p] = m
			}
		}
	}
	return homes
}

func fingerprint(members []int32) string {
	b := make([]byte, 0, 4*len(members))
	for _, m := range members {
		b = binary.LittleEndian.AppendUint32(b, uint32(m))
	}
	return string(b)
}

func nobody(n int32) []int32 {
	row := make([]int32, n)
	for p := range row {
		row[p] = assignor.None
	}
	return row
}
