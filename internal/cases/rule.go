package cases

import (
	"errors"
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// believed is the highest partition number that is believed of a topic whose
// count is not known to be higher.
const believed = 100_000

// A claim is the highest claim on one partition: the generation, and who makes
// it, as indexes into Round.Members. The first of them is kept apart so that a
// million claims do not make a million slices.
type claim struct {
	generation int32
	first      int32
	more       []int32
}

func (c claim) by(m int32) bool { return c.first == m || slices.Contains(c.more, m) }
func (c claim) sole() bool      { return len(c.more) == 0 }

// said is what members say in their metadata, read by kmsg and not by our own
// decoder.
type said struct {
	reads      []map[string]bool // by member
	readable   []bool            // by member
	claims     map[string]map[int32]claim
	generation int32   // the one being planned; 0: unknown
	another    []int32 // members whose claims are those of a process before them
}

// hear decodes members' metadata. What counts as claimed is said here and
// nowhere else in this package.
func hear(r *Round) *said {
	s := &said{claims: make(map[string]map[int32]claim), generation: r.Generation}
	seen := make(map[string]bool)
	for i, m := range r.Members {
		meta, err := ReadMetadata(m.ProtocolMetadata)
		reads := make(map[string]bool)
		s.readable = append(s.readable, err == nil)
		s.reads = append(s.reads, reads)
		if seen[m.MemberID] {
			continue // of repeated members the first counts
		}
		seen[m.MemberID] = true
		if err != nil {
			s.claimAll(r.Had[m.MemberID], int32(i), r.Led)
			continue
		}
		// A static member that did not join again is listed as of an earlier
		// join than the round it took part in; if it restarted in the stable
		// group, as of a first join under another ID.
		if m.InstanceID != nil && r.Led > 0 && r.Led == r.Generation-1 {
			had, there := r.Had[m.MemberID]
			switch {
			case there && meta.Version >= 2 && meta.Generation < r.Led:
				s.claimAll(had, int32(i), r.Led)
			case !there && meta.Generation < 0 && len(meta.OwnedPartitions) == 0:
				s.claimAll(r.Had[r.Static[*m.InstanceID]], int32(i), r.Led)
				s.another = append(s.another, int32(i))
			}
		}
		for _, t := range meta.Topics {
			reads[t] = true
		}
		for _, o := range meta.OwnedPartitions {
			s.claim(o.Topic, o.Partitions, int32(i), meta.Generation)
		}
	}
	return s
}

// ReadMetadata decodes join metadata as kgo does.
func ReadMetadata(src []byte) (meta kmsg.ConsumerMemberMetadata, err error) {
	meta.Default()
	if err = meta.ReadFrom(src); err != nil && len(src) > 2 && src[0] == 0 && src[1] == 1 {
		v0 := slices.Clone(src) // franz-go issue 493
		v0[1] = 0
		meta.Default()
		err = meta.ReadFrom(v0)
	}
	return meta, err
}

func (s *said) claimAll(owned map[string][]int32, member, generation int32) {
	for topic, partitions := range owned {
		s.claim(topic, partitions, member, generation)
	}
}

func (s *said) claim(topic string, partitions []int32, member, generation int32) {
	if generation < 0 || s.generation > 0 && generation >= s.generation {
		generation = -1
	}
	row := s.claims[topic]
	if row == nil {
		row = make(map[int32]claim, len(partitions))
		s.claims[topic] = row
	}
	for _, p := range partitions {
		c, ok := row[p]
		switch {
		case p < 0:
		case !ok || generation > c.generation:
			row[p] = claim{generation, member, nil}
		case generation == c.generation && !c.by(member):
			c.more = append(slices.Clip(c.more), member)
			row[p] = c
		}
	}
}

// owner returns the member whose claim proves ownership, by index, or -1.
func (s *said) owner(topic string, partition int32) int32 {
	c, ok := s.claims[topic][partition]
	if !ok || !c.sole() || !s.reads[c.first][topic] || slices.Contains(s.another, c.first) {
		return -1
	}
	return c.first
}

// Check holds a round against what must be true of any, whatever the strategy:
//
//   - every member is named once in what is sent, with nothing it does not read;
//   - no partition goes to two members;
//   - a partition goes to a member only if nobody else claims it at the highest
//     generation claimed, or that member is among those who do;
//   - what the plan gives is sent, except for just that reason;
//   - what is sent beyond the plan was its claimant's before;
//   - the Report says what was done, and what is planned is what the strategy
//     would plan from scratch.
func (r *Round) Check() error {
	c := &checking{Round: r, said: hear(r), index: make(map[string]int32)}
	for i := len(r.Members) - 1; i >= 0; i-- { // of repeated members the first counts
		c.index[r.Members[i].MemberID] = int32(i)
	}
	c.named()
	c.receivers()
	c.planned()
	c.reported()
	return errors.Join(c.errs...)
}

type checking struct {
	*Round
	*said
	index  map[string]int32 // by member ID
	owners map[string]map[int32]int32
	errs   []error
}

func (c *checking) errorf(format string, args ...any) {
	if len(c.errs) < 10 {
		c.errs = append(c.errs, fmt.Errorf(format, args...))
	}
}

// named checks that every member is named, once.
func (c *checking) named() {
	named := make(map[string]bool)
	for _, s := range c.Sync {
		if named[s.MemberID] {
			c.errorf("member %s is named twice", s.MemberID)
		}
		if _, ok := c.index[s.MemberID]; !ok {
			c.errorf("member %s is named and not in the group", s.MemberID)
		}
		named[s.MemberID] = true
	}
	for id := range c.index {
		if !named[id] {
			c.errorf("member %s is not named: it would join again for ever", id)
		}
	}
}

// receivers checks each partition that is sent to somebody.
func (c *checking) receivers() {
	c.owners = make(map[string]map[int32]int32)
	for _, s := range c.Sync {
		m := c.index[s.MemberID]
		for topic, partitions := range c.Sent[s.MemberID] {
			if c.owners[topic] == nil {
				c.owners[topic] = make(map[int32]int32, len(partitions))
			}
			if !c.reads[m][topic] {
				c.errorf("%s gets %s, which it does not read", s.MemberID, topic)
			}
			if !slices.IsSorted(partitions) {
				c.errorf("%s gets %s%v, unsorted", s.MemberID, topic, partitions)
			}
			for _, p := range partitions {
				c.receiver(topic, p, m)
			}
		}
	}
}

func (c *checking) receiver(topic string, p, m int32) {
	id := c.Members[m].MemberID
	if other, ok := c.owners[topic][p]; ok {
		c.errorf("%s/%d goes to %s and to %s", topic, p, c.Members[other].MemberID, id)
	}
	c.owners[topic][p] = m
	cl, ok := c.claims[topic][p]
	if ok && !cl.by(m) {
		c.errorf("%s/%d goes to %s while %s claims it at the highest generation, %d", topic, p, id, c.Members[cl.first].MemberID, cl.generation)
	}
	if p >= c.View.Counts[topic] && (!ok || !cl.by(m) || !cl.sole() || p > believed) {
		c.errorf("%s/%d is not known to exist and goes to %s, which is not its only claimant", topic, p, id)
	}
	if p < 0 {
		c.errorf("%s/%d goes to %s", topic, p, id)
	}
}

// planned checks that all of the plan is sent, except what must be withheld.
func (c *checking) planned() {
	g := c.Report.Group
	if g == nil {
		c.errorf("no report")
		return
	}
	in := make(map[string]bool)
	for t := range g.Topics {
		topic := &g.Topics[t]
		in[topic.Name] = true
		for p, owner := range c.Report.Target[t] {
			want := c.index[g.Members[owner].ID]
			if cl, ok := c.claims[topic.Name][int32(p)]; ok && !cl.by(want) {
				want = -1
			}
			got, ok := c.owners[topic.Name][int32(p)]
			if !ok {
				got = -1
			}
			if got != want {
				c.errorf("%s/%d is planned for %s and goes to member %d, not %d", topic.Name, p, g.Members[owner].ID, got, want)
			}
			if after := c.Report.After[t][p]; (after == assignor.None) != (got < 0) || after != assignor.None && g.Members[after].ID != c.Members[got].MemberID {
				c.errorf("%s/%d: Report.After says %d, sent to member %d", topic.Name, p, after, got)
			}
		}
	}
	for m, reads := range c.reads {
		for topic := range reads {
			if c.View.Counts[topic] > 0 && !in[topic] {
				c.errorf("%s reads %s, which is not in the plan", c.Members[m].MemberID, topic)
			}
		}
	}
}
