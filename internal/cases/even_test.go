package cases_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/cases"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
	"github.com/kgo-rendezvous/kgo-rendezvous/sticky"
)

// The bug reports that are about even loads, which sticky is for: see
// testdata/reports.md.

// A crew is a group that grows and shrinks under one leader.
type crew struct {
	*testing.T
	leader  *cases.Leader
	view    cases.View
	members []lead.Member
	moves   int // of the latest change
}

func newCrew(t *testing.T, s assignor.Strategy, counts map[string]int32) *crew {
	return &crew{T: t, leader: cases.NewLeader(s), view: known(counts)}
}

// join adds members that read some topics, all if none are named, and settles.
func (c *crew) join(ids []string, topics ...string) *cases.Round {
	c.Helper()
	if len(topics) == 0 {
		topics = slices.Sorted(maps.Keys(c.view.Counts))
	}
	for _, id := range ids {
		c.members = append(c.members, lead.Member{ID: id, Balancer: plain, Topics: topics, Generation: -1})
	}
	return c.settle()
}

// leave removes a member and settles.
func (c *crew) leave(id string) *cases.Round {
	c.Helper()
	c.members = slices.DeleteFunc(c.members, func(m lead.Member) bool { return m.ID == id })
	return c.settle()
}

// settle plays what a change brings: one round, and another if something is
// withheld. Nothing moves in the second.
func (c *crew) settle() *cases.Round {
	c.Helper()
	generation := c.members[0].Generation + 1
	r := round(c.T, c.leader, max(1, generation), c.view, c.members...)
	c.moves = len(r.Report.Moves)
	c.members = next(r, c.members...)
	if !r.Report.Owed {
		return r
	}
	r = round(c.T, c.leader, r.Generation+1, c.view, c.members...)
	if r.Report.Owed || len(r.Report.Moves) > 0 {
		c.Errorf("not settled: withheld %v, moves %v", r.Withheld(), r.Report.Moves)
	}
	c.members = next(r, c.members...)
	return r
}

// loads returns how many partitions members have of some topics, or in all.
func loads(r *cases.Round, topics ...string) (all []int) {
	for _, id := range slices.Sorted(maps.Keys(r.Sent)) {
		n := 0
		for topic, ps := range r.Sent[id] {
			if len(topics) == 0 || slices.Contains(topics, topic) {
				n += len(ps)
			}
		}
		all = append(all, n)
	}
	return all
}

// numbered returns the names of n members.
func numbered(n int) (ids []string) {
	for i := range n {
		ids = append(ids, fmt.Sprintf("m%02d", i))
	}
	return ids
}

func (c *crew) want(what string, got, want any) {
	c.Helper()
	if got, want := fmt.Sprint(got), fmt.Sprint(want); got != want {
		c.Errorf("%s: %s, want %s", what, got, want)
	}
}

// within fails where members' loads of a topic are apart by more than one.
func (c *crew) within(r *cases.Round, topics ...string) {
	c.Helper()
	for _, topic := range topics {
		if all := loads(r, topic); slices.Max(all)-slices.Min(all) > 1 {
			c.Errorf("generation %d: loads within %s are %v", r.Generation, topic, all)
		}
	}
}

// #30, parallel-consumer #646: one of sixteen had everything, and #811: so it
// was in each of many topics.
func TestOneOfSixteenKeepsOnlyItsShare(t *testing.T) {
	c := newCrew(t, sticky.Strategy{}, map[string]int32{"t": 64})
	c.join([]string{"m00"})
	r := c.join(numbered(16)[1:])
	c.want("loads", loads(r), slices.Repeat([]int{4}, 16))
	c.want("moves", c.moves, 60)

	counts := make(map[string]int32)
	for i := range 32 {
		counts[fmt.Sprintf("t%02d", i)] = 1
	}
	c = newCrew(t, sticky.Strategy{}, counts)
	c.want("loads, 32 topics of one partition", loads(c.join(numbered(16))), slices.Repeat([]int{2}, 16))
}

// #38, librdkafka #3306: one, two, three members on ten partitions got 0-9, then
// 0-4 and 5-9, then {1,4,7}, {0,3,6,9} and {2,5,8}. The newcomer's quota moves
// and nothing else.
func TestGrowingGroupMovesOnlyQuota(t *testing.T) {
	for _, forgets := range []bool{false, true} {
		c := newCrew(t, sticky.Strategy{}, map[string]int32{"t": 10})
		c.join([]string{"a"})
		for _, tt := range []struct {
			id    string
			moves int
			loads string
		}{{"b", 5, "[5 5]"}, {"c", 3, "[4 3 3]"}, {"d", 2, "[3 3 2 2]"}} {
			if forgets {
				c.leader = cases.NewLeader(sticky.Strategy{})
			}
			before := c.members
			r := c.join([]string{tt.id})
			c.want("moves", c.moves, tt.moves)
			totals := loads(r)
			slices.Sort(totals)
			slices.Reverse(totals)
			c.want("loads", totals, tt.loads)
			for _, m := range before {
				for _, p := range r.Sent[m.ID]["t"] {
					if !slices.Contains(m.Owned["t"], p) {
						t.Errorf("%s joins: %s gets t/%d", tt.id, m.ID, p)
					}
				}
			}
		}
	}
}

// #39, confluent-kafka-dotnet #1712: when the second member came each had one
// whole topic of two.
func TestSecondMemberGetsHalfOfEachTopic(t *testing.T) {
	for _, s := range []assignor.Strategy{sticky.Strategy{}, sticky.Strategy{PerTopic: true}} {
		c := newCrew(t, s, map[string]int32{"x": 4, "y": 4})
		c.join([]string{"c1"})
		r := c.join([]string{"c2"})
		c.want("moves", c.moves, 4)
		c.want("loads within x", loads(r, "x"), []int{2, 2})
		c.want("loads within y", loads(r, "y"), []int{2, 2})
	}
}

// #40, librdkafka #4044: two topics of 18 on eight members, then nine.
func TestNinthMemberLeavesEachTopicEven(t *testing.T) {
	for _, s := range []assignor.Strategy{sticky.Strategy{}, sticky.Strategy{PerTopic: true}} {
		c := newCrew(t, s, map[string]int32{"x": 18, "y": 18})
		r := c.join(numbered(8))
		c.within(r, "x", "y")
		r = c.join([]string{"m08"})
		c.want("moves", c.moves, 4)
		c.want("loads within x", loads(r, "x"), slices.Repeat([]int{2}, 9))
		c.want("loads within y", loads(r, "y"), slices.Repeat([]int{2}, 9))
	}
}

// #41, confluent-kafka-go #680: partition n of two topics was on two members,
// which nobody promises, and one member had two partitions of one topic. Of each
// topic a member has its share.
func TestTopicsOfOneSizeAreSharedAlike(t *testing.T) {
	c := newCrew(t, sticky.Strategy{PerTopic: true}, map[string]int32{"x": 3, "y": 3})
	r := c.join(numbered(3))
	c.want("loads within x", loads(r, "x"), []int{1, 1, 1})
	c.want("loads within y", loads(r, "y"), []int{1, 1, 1})
}

// #42, KIP-49: round-robin is unfair where subscriptions differ.
func TestUnlikeSubscriptionsGetTwoEach(t *testing.T) {
	c := newCrew(t, sticky.Strategy{}, map[string]int32{"T1": 2, "T2": 1, "T3": 2, "T4": 1, "T5": 2})
	c.join([]string{"C1"})
	c.join([]string{"C2", "C3"}, "T1", "T3", "T5")
	c.want("loads", loads(c.join([]string{"C4"})), []int{2, 2, 2, 2})
}

// #44, OTel #48096: all four partitions of a tenant's topic were on one of three
// pods. Each tenant is spread, whatever happens to the group.
func TestNoTenantIsOnOnePod(t *testing.T) {
	counts := make(map[string]int32)
	for i := range 30 {
		counts[fmt.Sprintf("tenant-%02d", i)] = 4
	}
	tenants := slices.Sorted(maps.Keys(counts))
	c := newCrew(t, sticky.Strategy{PerTopic: true}, counts)
	c.within(c.join(numbered(1)), tenants...)
	r := c.join([]string{"m01", "m02"})
	c.within(r, tenants...)
	c.want("loads", loads(r), []int{40, 40, 40})
	c.within(c.join([]string{"m03"}), tenants...)
	c.within(c.leave("m01"), tenants...)
	c.within(c.join([]string{"m01"}), tenants...)
}
