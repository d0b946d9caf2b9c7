package assignortest

import (
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// Settle plays one cooperative round (KIP-429) and returns the group that the
// next one starts from. A partition planned for its owner stays; one that nobody
// owns is given to whom it is planned for; one that has another owner is withheld
// and owned by nobody until a further round. As in a leader's memory, a withheld
// partition's home is the member it is planned for, and a partition that its home
// owns has none.
//
// A group is settled once Settle withholds nothing: after one round for a plan
// that takes nothing from anybody, after two for one that does.
func Settle(g *assignor.Group, plan assignor.Plan) *assignor.Group {
	next := &assignor.Group{Members: g.Members, Topics: slices.Clone(g.Topics)}
	for t := range next.Topics {
		topic := &next.Topics[t]
		owners := slices.Clone(plan[t])
		homes := topic.Homes
		if homes == nil {
			homes = nobody(topic.Partitions)
		} else {
			homes = slices.Clone(homes)
		}
		for p, to := range plan[t] {
			if from := topic.Owner(int32(p)); from != assignor.None && from != to {
				owners[p], homes[p] = assignor.None, to
			} else if homes[p] == to {
				homes[p] = assignor.None
			}
		}
		if slices.Max(homes) == assignor.None {
			homes = nil
		}
		topic.Owners, topic.Homes = owners, homes
	}
	return next
}

// Settle plays one round of the group, as the function Settle does, and leaves
// the Spec as the next one starts. The plan is one for s.Group(). Claims on
// topics outside the group stay.
func (s *Spec) Settle(plan assignor.Plan) {
	g, order := Settle(s.Group(), plan), s.order()
	for t := range g.Topics {
		topic := s.topic(g.Topics[t].Name)
		for i := range s.Members {
			delete(s.Members[i].Owns, topic.Name)
		}
		for p := range topic.Partitions {
			if m := g.Topics[t].Owner(p); m != assignor.None {
				s.Members[order[m]].claim(topic.Name, p)
				if p < int32(len(topic.Homes)) && topic.Homes[p] == g.Members[m].Key {
					topic.Homes[p] = ""
				}
			}
			if g.Topics[t].Homes != nil && g.Topics[t].Homes[p] != assignor.None {
				topic.home(p, g.Members[g.Topics[t].Homes[p]].Key)
			}
		}
	}
}

// Join adds a member.
func (s *Spec) Join(m Member) { s.Members = append(s.Members, m) }

// Leave removes the member with that key, the first of them, and remembers it
// as the home of what it owned. It says whether there was one.
func (s *Spec) Leave(key string) bool {
	i := s.member(key)
	if i < 0 {
		return false
	}
	s.away(s.Members[i])
	s.Members = slices.Delete(s.Members, i, i+1)
	return true
}

// Restart has the member with that key come back under a new ID within one
// round: it owns nothing, and what it owned has it as home. It says whether
// there was one.
func (s *Spec) Restart(key, id string) bool {
	i := s.member(key)
	if i < 0 {
		return false
	}
	s.away(s.Members[i])
	s.Members[i].Key, s.Members[i].ID = key, id
	s.Members[i].Owns, s.Members[i].Warm = nil, nil
	return true
}

// Clone returns a copy that shares nothing with s.
func (s *Spec) Clone() *Spec {
	c := &Spec{Members: slices.Clone(s.Members), Topics: slices.Clone(s.Topics)}
	for i := range c.Members {
		m := &c.Members[i]
		m.Reads, m.Owns, m.Warm = slices.Clone(m.Reads), cloneLists(m.Owns), cloneLists(m.Warm)
	}
	for i := range c.Topics {
		t := &c.Topics[i]
		t.Homes, t.Racks = slices.Clone(t.Homes), slices.Clone(t.Racks)
	}
	return c
}

func cloneLists(m map[string][]int32) map[string][]int32 {
	if m == nil {
		return nil
	}
	c := make(map[string][]int32, len(m))
	for k, v := range m {
		c[k] = slices.Clone(v)
	}
	return c
}

// away remembers m as the home of all it owns.
func (s *Spec) away(m Member) {
	for name, partitions := range m.Owns {
		if t := s.topic(name); t != nil {
			for _, p := range partitions {
				if p >= 0 && p < t.Partitions {
					t.home(p, m.filled().Key)
				}
			}
		}
	}
}

func (s *Spec) member(key string) int {
	return slices.IndexFunc(s.Members, func(m Member) bool { return m.filled().Key == key })
}

func (s *Spec) topic(name string) *Topic {
	i := slices.IndexFunc(s.Topics, func(t Topic) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return &s.Topics[i]
}

func (t *Topic) home(p int32, key string) {
	for int32(len(t.Homes)) <= p {
		t.Homes = append(t.Homes, "")
	}
	t.Homes[p] = key
}
