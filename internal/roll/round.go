package roll

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

// changes are what one round changes. It is looked at by what changes, not by
// what there is: most members get what they had, and groups are large.
type changes struct {
	assigned []int32 // by partition: the latest generation in which a member with changes was assigned it
	lost     []int
	gained   []gain
	joining  []lead.Member
}

type gain struct {
	partition int
	to        *member
}

// round plays one round: all members join with what they claim, the leader
// decides, and all give up what is not theirs any more. It tells whether
// anything changed, and whether a further round follows: a cooperative member
// that gave up something joins again.
func (g *Group) round() (changed, again bool, err error) {
	leader := g.standing[0]
	cooperative := leader.balancer.IsCooperative()
	g.generation++
	if !cooperative {
		g.giveUp()
	}
	joined := g.join()
	info := kgo.BalanceInfo{Group: "roll", Generation: g.generation, LeaderID: leader.id}
	sync, err := lead.Balance(leader.balancer, info, joined, g.counts)
	if err == nil {
		err = g.failed
	}
	if err != nil {
		return false, false, err
	}
	g.lost, g.gained = g.lost[:0], g.gained[:0]
	for i := range sync {
		if err := g.sync(&sync[i], cooperative); err != nil {
			return false, false, err
		}
	}
	if len(sync) != len(g.standing) {
		return false, false, fmt.Errorf("%d of %d members were sent an assignment", len(sync), len(g.standing))
	}
	again = len(g.lost) > 0
	changed, err = g.hand()
	return changed || again, again, err
}

// hand takes what was lost from its owners and gives what was gained to them.
// It tells whether anybody gained what it did not have.
func (g *Group) hand() (changed bool, err error) {
	for _, p := range g.lost {
		g.owner[p], g.lostOnce[p] = nil, true
	}
	for _, c := range g.gained {
		g.owner[c.partition] = c.to
		// An eager member gains all that it had.
		changed = changed || g.last[c.partition] != c.to
		if err := g.moves.to(c.to, c.partition); err != nil {
			return changed, fmt.Errorf("%s: %w", g.partition(c.partition), err)
		}
	}
	return changed, nil
}

// join returns the members as they join.
func (g *Group) join() []kmsg.JoinGroupResponseMember {
	g.joining = g.joining[:0]
	for _, m := range g.listed {
		// Topics and partitions are sorted already, which lead.Join would
		// do for every member again.
		metadata := m.balancer.JoinGroupMetadata(g.interests(), m.owned, m.generation)
		g.joining = append(g.joining, lead.Member{ID: m.id, Metadata: metadata})
	}
	joined := lead.Join(g.joining)
	if g.shuffle != nil {
		g.shuffle.Shuffle(len(joined), func(i, j int) { joined[i], joined[j] = joined[j], joined[i] })
	}
	return joined
}

func (g *Group) interests() []string {
	if g.shuffle == nil {
		return g.topics
	}
	topics := slices.Clone(g.topics)
	g.shuffle.Shuffle(len(topics), func(i, j int) { topics[i], topics[j] = topics[j], topics[i] })
	return topics
}

// giveUp has all members give up all they own, as eager ones do before they
// join. kgo's then claim nothing either.
func (g *Group) giveUp() {
	clear(g.owner)
	for _, m := range g.listed {
		m.owned, m.has = nil, nil
	}
}

// sync tells a member what it is assigned, and notes what that changes.
func (g *Group) sync(s *kmsg.SyncGroupRequestGroupAssignment, cooperative bool) error {
	m := g.byID[s.MemberID]
	if m == nil {
		return fmt.Errorf("member ID %q is sent an assignment and is not in the group", s.MemberID)
	}
	if m.generation == g.generation {
		return fmt.Errorf("%s is sent two assignments", m.name)
	}
	same := cooperative && m.generation >= 0 && bytes.Equal(m.assignment, s.MemberAssignment)
	m.generation, m.assignment = g.generation, s.MemberAssignment
	if same {
		return nil
	}
	owned, err := m.balancer.ParseSyncAssignment(s.MemberAssignment)
	if err != nil {
		return fmt.Errorf("%s: %w", m.name, err)
	}
	m.owned = owned
	return g.assign(m)
}

// assign notes what a member gains and loses by what it now owns. Nothing is
// taken from its owner yet: what another member claims must not be assigned to
// this one, whoever of them is told first.
func (g *Group) assign(m *member) error {
	had := m.has
	m.has = make([]int, 0, len(had)+1)
	for topic, partitions := range m.owned {
		first, ok := g.first[topic]
		if !ok {
			return fmt.Errorf("%s is assigned partitions of topic %s, which it does not read", m.name, topic)
		}
		slices.Sort(partitions)
		count := g.counts[topic]
		for _, p := range partitions {
			if p < 0 || p >= count {
				return fmt.Errorf("%s is assigned %s[%d], which does not exist", m.name, topic, p)
			}
			n := first + int(p)
			if g.assigned[n] == g.generation {
				return fmt.Errorf("%s is assigned twice, at last to %s", g.partition(n), m.name)
			}
			g.assigned[n] = g.generation
			switch g.owner[n] {
			case m:
			case nil:
				g.gained = append(g.gained, gain{n, m})
			default:
				return fmt.Errorf("%s is assigned to %s while %s claims it", g.partition(n), m.name, g.owner[n].name)
			}
			m.has = append(m.has, n)
		}
	}
	for _, p := range had {
		if g.assigned[p] != g.generation {
			g.lost = append(g.lost, p)
		}
	}
	return nil
}
