package cases

import (
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

// A seat is one member as the broker knows it.
type seat struct {
	id       string
	holder   *process
	metadata []byte
	assigned lead.Owned // in the latest generation; nil if it was not synced
}

// mine tells whether the holder still goes by this member ID: one that lost its
// session joins under another, and its old seat stands empty until the broker
// notices.
func (s *seat) mine() bool { return s.id == s.holder.id }

func (s *seat) static() bool { return s.holder.instance != "" }

// coordinator is the broker's side of a classic group, as far as an assignor can
// tell: members, generations, and the stored assignments that a static member
// is given when it comes back without a round.
type coordinator struct {
	seats      []*seat
	generation int32
	leader     string
	stable     bool // the latest round was synced and none has begun since
}

func (c *coordinator) seatOf(p *process) *seat {
	for _, s := range c.seats {
		if s.holder == p && s.id == p.id && p.id != "" {
			return s
		}
	}
	return nil
}

// vacant returns the seat of a static member's instance.
func (c *coordinator) vacant(instance string) *seat {
	for _, s := range c.seats {
		if instance != "" && s.holder.instance == instance {
			return s
		}
	}
	return nil
}

// remove takes a seat away; whoever had it may not know for a while.
func (c *coordinator) remove(s *seat) {
	c.seats = slices.DeleteFunc(c.seats, func(o *seat) bool { return o == s })
	c.stable = false
	if s.mine() {
		s.holder.doubt(removed)
	}
}

// join seats a process: a new one, one that comes back under its member ID, or
// one that takes its instance's seat. newID makes the broker's names.
func (c *coordinator) join(p *process, newID func(*process) string, metadata func(*process) []byte) {
	s := c.seatOf(p)
	if s == nil {
		p.id = newID(p)
		if s = c.vacant(p.instance); s == nil {
			s = new(seat)
			c.seats = append(c.seats, s)
		} else if s.holder != p {
			s.holder.doubt(removed) // fenced
		}
		s.id, s.holder = p.id, p
	}
	s.metadata = metadata(p)
}

// close ends the join phase: dynamic members that did not join are out, static
// ones stay with the metadata of their latest join.
func (c *coordinator) close(joined map[*process]bool) {
	for _, s := range slices.Clone(c.seats) {
		if joined[s.holder] && s.mine() {
			continue
		}
		if !s.static() {
			c.remove(s)
			continue
		}
		meta, err := ReadMetadata(s.metadata)
		for tp := range s.holder.works {
			if err != nil || !slices.ContainsFunc(meta.OwnedPartitions, func(o kmsg.ConsumerMemberMetadataOwnedPartition) bool {
				return o.Topic == tp.topic && slices.Contains(o.Partitions, tp.p)
			}) {
				s.holder.works[tp] = late
			}
		}
	}
	c.generation++
	c.stable = false
}

// members lists all seats to the leader.
func (c *coordinator) members() []kmsg.JoinGroupResponseMember {
	all := make([]lead.Member, len(c.seats))
	for i, s := range c.seats {
		all[i] = lead.Member{ID: s.id, Instance: s.holder.instance, Metadata: s.metadata}
	}
	return lead.Join(all)
}
