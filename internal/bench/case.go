package main

import (
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

var events = []string{"fresh", "join", "leave", "same"}

// A group is a shape at a size.
type group struct {
	shape  *shape
	size   size
	topics []string
}

func newGroup(sh *shape, z size) *group {
	g := &group{shape: sh, size: z}
	for t := range z.topics {
		g.topics = append(g.topics, fmt.Sprintf("topic-%010d", t))
	}
	return g
}

// A rebalance is one round with everything ready but the leader's work.
type rebalance struct {
	info    kgo.BalanceInfo
	members []lead.Member
	counts  map[string]int32
}

func (r *rebalance) lead(b kgo.GroupBalancer) error {
	_, err := lead.Balance(b, r.info, lead.Join(r.members), r.counts)
	return err
}

// A side is a group under one balancer, ours or kgo's.
type side struct {
	group    *group
	strategy assignor.Strategy // nil: kgo's cooperative-sticky
	weights  bool
	members  []lead.Member // the one that joins is the last
	settled  []lead.Member // without it, owning what a fresh group gives them
	// failed is set when the strategy broke its contract: what is measured
	// then is the balancer's fallback.
	failed error
}

func newSide(g *group, strategy assignor.Strategy, weights bool) *side {
	s := &side{group: g, strategy: strategy, weights: weights}
	for i := range g.size.members + 1 {
		s.members = append(s.members, lead.Member{
			ID:       fmt.Sprintf("client-%06d-8a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9", i),
			Balancer: s.member(i),
			Topics:   g.shape.reads(i, g.topics),
		})
	}
	return s
}

// leader returns a balancer that has led no round yet.
func (s *side) leader() kgo.GroupBalancer {
	if s.strategy == nil {
		return kgo.CooperativeStickyBalancer()
	}
	return s.leaderOf(s.strategy)
}

func (s *side) leaderOf(strategy assignor.Strategy) kgo.GroupBalancer {
	return mustNew(strategy, assignor.OnWarning(func(w assignor.Warning) {
		if w.Kind == assignor.WarnStrategy {
			s.failed = fmt.Errorf("%s: %w", w.Message, w.Err)
		}
	}))
}

// member returns the balancer that writes member i's metadata: an identity of
// 12 bytes, where the balancer has one, is in it as in production.
func (s *side) member(i int) kgo.GroupBalancer {
	if s.strategy == nil {
		return kgo.CooperativeStickyBalancer()
	}
	weight := uint32(1)
	if s.weights {
		weight += uint32(i % 3)
	}
	return mustNew(s.strategy, assignor.Identity(fmt.Sprintf("worker-%05d", i)), assignor.Weight(weight))
}

func mustNew(s assignor.Strategy, opts ...assignor.Option) *assignor.Balancer {
	b, err := assignor.New(s, opts...)
	if err != nil {
		panic(err)
	}
	return b
}

// rebalance returns a round of members, whose metadata it writes once and for
// all.
func (s *side) rebalance(generation int32, members []lead.Member) *rebalance {
	r := &rebalance{
		info:    kgo.BalanceInfo{Group: "group", Generation: generation, LeaderID: s.members[0].ID},
		members: slices.Clone(members),
		counts:  make(map[string]int32, len(s.group.topics)),
	}
	for i := range r.members {
		m := &r.members[i]
		m.Metadata = lead.Join([]lead.Member{*m})[0].ProtocolMetadata
		for _, t := range m.Topics {
			r.counts[t] = int32(s.group.size.partitions / s.group.size.topics)
		}
	}
	return r
}

// settle has members own what a fresh group gives them, once for all events:
// it can take kgo seconds.
func (s *side) settle() error {
	if s.settled != nil {
		return nil
	}
	b := s.leader()
	r := s.rebalance(1, s.members[:s.group.size.members])
	sync, err := lead.Balance(b, r.info, lead.Join(r.members), r.counts)
	if err != nil {
		return err
	}
	owned, err := lead.Decode(b, sync)
	if err != nil {
		return err
	}
	settled := slices.Clone(s.members[:s.group.size.members])
	for i := range settled {
		settled[i].Owned = owned[settled[i].ID]
	}
	s.settled = settled
	return nil
}

// at returns the settled members as they join from a generation.
func (s *side) at(generation int32) []lead.Member {
	out := slices.Clone(s.settled)
	for i := range out {
		out[i].Generation = generation
	}
	return out
}

// A benchCase is an event, with the group as it was before.
type benchCase struct {
	leader func() kgo.GroupBalancer
	before *rebalance // nil for fresh
	event  *rebalance
	bytes  int // of join metadata a member, mean, in the event
}

func (s *side) play(event string) (*benchCase, error) {
	c := &benchCase{leader: s.leader}
	if event == "fresh" {
		c.event = s.rebalance(1, s.members[:s.group.size.members])
	} else {
		if err := s.settle(); err != nil {
			return nil, err
		}
		c.before = s.rebalance(10, s.at(9))
		after := s.at(10)
		switch event {
		case "join":
			after = append(after, s.members[len(s.members)-1])
		case "leave":
			middle := len(after) / 2
			after = slices.Delete(after, middle, middle+1)
		}
		c.event = s.rebalance(11, after)
	}
	for _, m := range c.event.members {
		c.bytes += len(m.Metadata)
	}
	c.bytes /= len(c.event.members)
	return c, nil
}

// prepare has a balancer lead the group as it was before the event.
func (c *benchCase) prepare(b kgo.GroupBalancer) error {
	if c.before == nil {
		return nil
	}
	return c.before.lead(b)
}

// capture returns the Group that the strategy is to plan in an event.
func (s *side) capture(c *benchCase) (*assignor.Group, error) {
	strategy, caught := newCapture(s.strategy)
	b := s.leaderOf(strategy)
	if err := c.prepare(b); err != nil {
		return nil, err
	}
	if err := c.event.lead(b); err != nil {
		return nil, err
	}
	return caught.group, nil
}

// capture keeps the latest Group that its strategy was given. It is no Updater,
// so that Assign is called in every round.
type capture struct {
	assignor.Strategy
	group *assignor.Group
}

// newCapture returns s as it is to be given to a balancer, and where the Group
// is found afterwards.
func newCapture(s assignor.Strategy) (assignor.Strategy, *capture) {
	c := &capture{Strategy: s}
	if _, ok := s.(assignor.Homing); ok {
		return homingCapture{c}, c
	}
	return c, c
}

func (c *capture) Assign(g *assignor.Group) assignor.Plan {
	c.group = g
	return c.Strategy.Assign(g)
}

// homingCapture is given what only Homing strategies are: homes and warm lists.
type homingCapture struct{ *capture }

func (homingCapture) Homing() {}
