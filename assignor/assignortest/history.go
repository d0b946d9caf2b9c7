package assignortest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"pgregory.net/rapid"
)

// Change draws one to three things that happen to a group between two rounds,
// has them happen to s, and says what they were: a member joins, leaves, or
// restarts under its key with a new ID, now and then with another weight; it
// subscribes otherwise; a topic grows, appears, vanishes, or is made anew with
// another number of partitions.
//
// With Spec.Settle it makes histories:
//
//	plan := strategy.Assign(spec.Group())
//	spec.Settle(plan)
//	what := assignortest.Change(t, spec)
func Change(t *rapid.T, s *Spec) string {
	c := rapid.Custom(func(t *rapid.T) another {
		c := s.Clone()
		var what []string
		for range rapid.IntRange(1, 3).Draw(t, "changes") {
			what = append(what, c.change(t))
		}
		return another{c, strings.Join(what, ", ")}
	}).Draw(t, "change")
	*s = *c.Spec
	return c.what
}

func (s *Spec) change(t *rapid.T) string {
	events := []func(*rapid.T) string{s.joins, s.appears}
	if len(s.Members) > 0 {
		events = append(events, s.leaves, s.restarts, s.restarts, s.subscribes)
	}
	if len(s.Topics) > 0 {
		events = append(events, s.grows, s.vanishes)
	}
	return rapid.SampledFrom(events).Draw(t, "event")(t)
}

func (s *Spec) joins(t *rapid.T) string {
	m := drawJoiner(t, s)
	s.Join(m)
	return fmt.Sprintf("%q joins for %q", m.Key, m.Reads)
}

// drawJoiner draws a member that s does not have, often with a key close to
// one it has, reading any of its topics.
func drawJoiner(t *rapid.T, s *Spec) Member {
	m := Member{Weight: rapid.SampledFrom([]uint32{1, 1, 1, 3}).Draw(t, "weight")}
	keys := []string{fmt.Sprintf("pod-%d", len(s.Members)), "x", rapid.StringN(1, 8, 32).Draw(t, "key")}
	for _, other := range s.Members {
		keys = append(keys, other.Key+"0", other.Key+"\x00"+other.ID)
	}
	m.Key = rapid.SampledFrom(keys).Draw(t, "key")
	for s.member(m.Key) >= 0 {
		m.Key += "'"
	}
	m.ID = drawID(t, len(s.Members))
	for _, topic := range s.Topics {
		if !rapid.Bool().Draw(t, "reads not") {
			m.Reads = append(m.Reads, topic.Name)
		}
	}
	return m
}

func (s *Spec) leaves(t *rapid.T) string {
	key := s.drawMember(t).filled().Key
	s.Leave(key)
	return fmt.Sprintf("%q leaves", key)
}

func (s *Spec) restarts(t *rapid.T) string {
	m := s.drawMember(t)
	key := m.filled().Key
	id := drawID(t, len(s.Members))
	for slices.ContainsFunc(s.Members, func(m Member) bool { return m.ID == id }) {
		id += "'"
	}
	s.Restart(key, id)
	what := fmt.Sprintf("%q restarts", key)
	if oneIn(t, 4, "reweighed") {
		m = &s.Members[s.member(key)]
		m.Weight = rapid.Uint32Range(1, 5).Draw(t, "weight")
		what += fmt.Sprintf(" with weight %d", m.Weight)
	}
	return what
}

func (s *Spec) subscribes(t *rapid.T) string {
	m := s.drawMember(t)
	var names []string
	for _, topic := range s.Topics {
		if rapid.Bool().Draw(t, "reads") {
			names = append(names, topic.Name)
		}
	}
	m.Reads = names
	return fmt.Sprintf("%q now reads %q", m.filled().Key, names)
}

func (s *Spec) grows(t *rapid.T) string {
	topic := s.drawTopic(t)
	topic.Partitions += rapid.Int32Range(1, 8).Draw(t, "more")
	if topic.Racks != nil {
		topic.Racks = append(topic.Racks, "a") // the others' are not known
	}
	return fmt.Sprintf("%q grows to %d", topic.Name, topic.Partitions)
}

func (s *Spec) appears(t *rapid.T) string {
	name := rapid.SampledFrom(topicNames).Draw(t, "name")
	n := rapid.Int32Range(1, 12).Draw(t, "partitions")
	topic := Topic{Name: name, Partitions: n}
	if i := slices.IndexFunc(s.Topics, func(x Topic) bool { return x.Name == name }); i >= 0 {
		s.Topics[i] = topic
		return fmt.Sprintf("%q is made anew with %d partitions", name, n)
	}
	s.Topics = append(s.Topics, topic)
	for i := range s.Members {
		m := &s.Members[i]
		if !slices.Contains(m.Reads, name) && rapid.Bool().Draw(t, "reads") {
			m.Reads = append(m.Reads, name)
		}
	}
	return fmt.Sprintf("%q appears with %d partitions", name, n)
}

func (s *Spec) vanishes(t *rapid.T) string {
	i := rapid.IntRange(0, len(s.Topics)-1).Draw(t, "topic")
	name := s.Topics[i].Name
	s.Topics = slices.Delete(s.Topics, i, i+1)
	return fmt.Sprintf("%q vanishes", name)
}

func (s *Spec) drawMember(t *rapid.T) *Member {
	return &s.Members[rapid.IntRange(0, len(s.Members)-1).Draw(t, "member")]
}

func (s *Spec) drawTopic(t *rapid.T) *Topic {
	return &s.Topics[rapid.IntRange(0, len(s.Topics)-1).Draw(t, "topic")]
}

func checkUpdate(c *trial) {
	u, ok := c.s.(assignor.Updater)
	if !ok {
		c.broken(nil, "%T has no method Update", c.s)
	}
	spec := drawSpec(c, "group")
	last := spec.Group()
	plan := c.assign(last)
	for range rapid.IntRange(1, 8).Draw(c.T, "rounds") {
		spec.Settle(plan)
		what := "nothing happens"
		switch rapid.IntRange(0, 9).Draw(c.T, "what happens") {
		case 8:
		case 9:
			spec, what = drawSpec(c, "another group"), "another group"
		default:
			what = Change(c.T, spec)
		}
		next := spec.Group()
		want, got := c.assign(next), c.update(u, last, plan, next)
		c.same(next, want, got, "after this: %s; expected what Assign gives. The last group was: %sthe last plan:\n%sUpdate differs", what, Format(last), plan.Format(last))
		last, plan = next, got
	}
}
