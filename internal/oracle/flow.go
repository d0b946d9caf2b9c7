package oracle

import (
	"cmp"
	"math"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// A solver places partitions one after the other, each by the cheapest chain.
//
// What is cheap is decided in the order of Value: first how a chain changes
// counts within topics (PerTopic), then at whose load it ends, then the cost of
// the owners that it changes, then the rank of who gets a ceiling. A chain adds a
// partition to the load of the member at its end and leaves all others' loads
// alone, so loads need no sum: the least next step of a load is the cheapest.
//
// In the words of flows: partitions are the sources. An edge leads from each to
// a slot for every reader of its topic, at the cost of that reader as its owner;
// from a slot, which is a member within a topic, to the member, at the cost of
// the member's next partition of the topic; and from a member to the sink, at
// the cost of its next partition at all. The latter two rise with each
// partition, so they are convex and cheapest first is right.
type solver struct {
	g *assignor.Group
	o Options

	plan   assignor.Plan // None: not placed yet
	counts [][]int       // by topic and member
	loads  []int         // by member

	owner  [][][]int // cost of an owner, by topic, partition and member
	topics [][]share // what members should get, by topic
	want   []int     // the loads to reach, or nil: the best
	even   bool      // subscriptions are equal
	totals []share   // what members should get of all, if even
	ranks  []int     // who is next for a ceiling, if even
}

// solve returns the best plan, or the best with the loads wanted: nil if there is
// none.
func solve(g *assignor.Group, want []int, o Options) assignor.Plan {
	s := &solver{g: g, o: o, plan: assignor.Plan{}, owner: ownerCosts(g, o), want: want, even: equal(g)}
	if s.even {
		s.totals = totals(g)
		s.ranks = ranks(s.totals)
	}
	for t := range g.Topics {
		topic := &g.Topics[t]
		s.topics = append(s.topics, shares(g, topic.Subscribers, int(topic.Partitions)))
		s.plan = append(s.plan, make([]int32, topic.Partitions))
		for p := range s.plan[t] {
			s.plan[t][p] = assignor.None
		}
	}
	for t := range s.plan {
		for p := range s.plan[t] {
			s.tally()
			switch placed := s.place(t, p); {
			case !placed && want == nil:
				panic("oracle: a partition that nobody has room for")
			case !placed:
				return nil
			}
		}
	}
	return s.plan
}

// tally counts what members have so far.
func (s *solver) tally() {
	s.loads = s.plan.Loads(s.g)
	s.counts = s.counts[:0]
	for t := range s.plan {
		s.counts = append(s.counts, s.plan[t:t+1].Loads(s.g))
	}
}

// ownerCosts returns what it costs that a member owns a partition: a number whose
// digits say whether that is off its rack, a move, not warm and not home. The
// base is larger than the number of partitions, so that the digits of a plan's
// cost are its numbers of such partitions, and the least cost is the least in
// their order.
func ownerCosts(g *assignor.Group, o Options) [][][]int {
	base := g.Partitions() + 1
	if math.Pow(float64(base), 4) > math.MaxInt64/2 {
		panic("oracle: too many partitions for exact costs")
	}
	costs := make([][][]int, len(g.Topics))
	for t := range g.Topics {
		topic := &g.Topics[t]
		costs[t] = make([][]int, topic.Partitions)
		for p := range costs[t] {
			costs[t][p] = make([]int, len(g.Members))
			for _, m := range topic.Subscribers {
				digits := []bool{o.Racks && offRack(g, topic, p, m), moved(topic, p, m), !warm(topic, p, m), !home(topic, p, m)}
				for _, d := range digits {
					costs[t][p][m] = costs[t][p][m]*base + count(d)
				}
			}
		}
	}
	return costs
}

// slotStep returns the cost of the partition of topic t that member m gets when
// it has n of them, and whether it may. With PerTopic those up to the floor pay
// off, so that all floors are reached, and there are none beyond the ceiling.
func (s *solver) slotStep(t int, m int32, n int) (int, bool) {
	if !s.o.PerTopic {
		return 0, true
	}
	quota := s.topics[t][m]
	return -count(n < quota.floor), n < quota.ceiling
}

// A step is the cost of one more partition for a member.
type step struct {
	numerator, denominator int // of the growth of load²/weight
	rank                   int // of the member, if it is a ceiling
}

// loadStep returns the cost of the partition that member m gets when it has n,
// and whether it may. Where loads are given, steps up to them are all alike.
// Otherwise, with equal subscriptions those up to the floor pay off and there are
// none beyond the ceiling; with unlike ones load²/weight grows by (2n+1)/weight.
func (s *solver) loadStep(m int32, n int) (step, bool) {
	if s.want != nil {
		return step{0, 1, 0}, n < s.want[m]
	}
	if !s.even {
		return step{2*n + 1, weight(s.g, m), 0}, true
	}
	quota := s.totals[m]
	if n < quota.floor {
		return step{-1, 1, 0}, true
	}
	return step{0, 1, s.ranks[m]}, n < quota.ceiling
}

func (a step) compare(b step) int {
	return cmp.Compare(a.numerator*b.denominator, b.numerator*a.denominator)
}
