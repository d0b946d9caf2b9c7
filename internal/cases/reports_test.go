package cases_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/cases"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
	"github.com/kgo-rendezvous/kgo-rendezvous/sticky"
)

// Bug reports from the public, by number in testdata/reports.md, which says
// where those are answered that have no test here.

// #1, KAFKA-7026: after a pause a member claims what another was given since.
func TestStaleClaimDoesNotGiveTwoOwners(t *testing.T) {
	for _, planned := range []string{"c1", "c2"} {
		l := cases.NewLeader(placed{"t": planned})
		c1, c2 := claims("c1", 1, []int32{0}), claims("c2", 2, []int32{0})
		r := round(t, l, 3, of(1), c1, c2)
		before(t, r, "c1: -; c2: t[0]")
		sent(t, r, map[string]string{"c1": "c1: c2:", "c2": "c1: c2:t[0]"}[planned])
		r = round(t, l, 4, of(1), next(r, c1, c2)...)
		sent(t, r, map[string]string{"c1": "c1:t[0] c2:", "c2": "c1: c2:t[0]"}[planned])
	}
}

// #2, KAFKA-12984 and KIP-792: two claim one partition in the same generation.
func TestDoubleClaimIsNotGivenToAThird(t *testing.T) {
	l := cases.NewLeader(placed{"t": "c3 c1 c2"})
	c1, c2, c3 := claims("c1", 1, []int32{0, 1}), claims("c2", 1, []int32{0, 2}), claims("c3", 1, nil)
	r := round(t, l, 2, of(3), c1, c2, c3)
	sent(t, r, "c1:t[1] c2:t[2] c3:")
	r = round(t, l, 3, of(3), next(r, c1, c2, c3)...)
	sent(t, r, "c1:t[1] c2:t[2] c3:t[0]")
}

// #4, KAFKA-14639: a claim of an older generation counts where it is the only
// one, and nowhere else.
func TestOldClaimCountsOnlyWhereItIsAlone(t *testing.T) {
	each(t, func(t *testing.T, s assignor.Strategy) {
		both := func(id string, generation int32, owned lead.Owned) lead.Member {
			return lead.Member{ID: id, Balancer: plain, Topics: []string{"t", "t2"}, Owned: owned, Generation: generation}
		}
		r := round(t, cases.NewLeader(s), 11, known(map[string]int32{"t": 3, "t2": 3}),
			both("c1", 10, lead.Owned{"t": {0, 1}, "t2": {1}}), both("c2", 8, lead.Owned{"t": {0}, "t2": {1, 2}}))
		before(t, r, "c1: t[0 1] t2[1]; c2: t2[2]; (nobody): t[2] t2[0]")
	})
}

// #6, franz-go d7ae9db9: a stale claim neither blocks nor doubles.
func TestStaleClaimDoesNotBlock(t *testing.T) {
	l := cases.NewLeader(placed{"t": "a b b"})
	a, b := claims("a", 1, []int32{0}), claims("b", 2, []int32{0, 1, 2})
	r := round(t, l, 3, of(3), a, b)
	sent(t, r, "a: b:t[1 2]")
	sent(t, round(t, l, 4, of(3), next(r, a, b)...), "a:t[0] b:t[1 2]")
}

// #7, franz-go 4deed686: the member whose claim wins no longer reads the topic.
func TestClaimantThatStoppedReadingWins(t *testing.T) {
	each(t, func(t *testing.T, s assignor.Strategy) {
		for range 20 { // map order must not show
			l := cases.NewLeader(s)
			a, b := claims("a", 1, []int32{0, 1}), reads(claims("b", 2, []int32{0}), "u")
			r := round(t, l, 3, known(map[string]int32{"t": 2, "u": 1}), a, b)
			before(t, r, "a: t[1]; b: -; (nobody): t[0] u[0]")
			sent(t, r, "a:t[1] b:u[0]") // b may still be working on t/0
			sent(t, round(t, l, 4, known(map[string]int32{"t": 2, "u": 1}), next(r, a, b)...), "a:t[0 1] b:u[0]")
		}
	})
}

// #9, librdkafka 2.2: the lowest generation was taken for the highest.
func TestHighestGenerationWinsNotTheLowest(t *testing.T) {
	each(t, func(t *testing.T, s assignor.Strategy) {
		r := round(t, cases.NewLeader(s), 9, of(1), claims("a", 1, []int32{0}), claims("b", 8, []int32{0}), claims("c", 3, []int32{0}))
		before(t, r, "a: -; b: t[0]; c: -")
	})
}

// #10, aiokafka #1175: many consumers in one process with one assignor object,
// all without a generation: 45 minutes of outage.
func TestManyConsumersWithOneBalancer(t *testing.T) {
	each(t, func(t *testing.T, s assignor.Strategy) {
		warned := 0
		shared, err := assignor.New(s, assignor.OnWarning(func(assignor.Warning) { warned++ }))
		if err != nil {
			t.Fatal(err)
		}
		var members []lead.Member
		for i := range 84 {
			topics := []string{"t", "u", "v"}[i%3:]
			members = append(members, lead.Member{ID: fmt.Sprintf("m%02d", i), Balancer: shared, Topics: topics, Owned: lead.Owned{topics[0]: {int32(i % 7)}}})
		}
		l := cases.NewLeader(s)
		v := known(map[string]int32{"t": 7, "u": 7, "v": 7})
		r := round(t, l, 1, v, members...)
		if len(r.Report.Moves) > 0 { // every claim is contested: nobody owns anything
			t.Errorf("moves %v", r.Report.Moves)
		}
		r = round(t, l, 2, v, next(r, members...)...)
		if len(r.Report.Withheld) > 0 || len(r.Warnings) > 0 {
			t.Errorf("withheld %v, warnings %v", r.Withheld(), r.Warnings)
		}
	})
}

// #11, sarama #2453: one strategy value used by several clients at once; and one
// Balancer, against advice.
func TestOneStrategyValueInManyClients(t *testing.T) {
	for _, s := range []assignor.Strategy{hrw.Strategy{LoadBound: 1.25}, sticky.Strategy{PerTopic: true}} {
		misused := cases.NewLeader(s)
		var group sync.WaitGroup
		for i := range 8 {
			group.Go(func() {
				own, err := assignor.New(s, assignor.OnWarning(func(assignor.Warning) {}))
				if err != nil {
					t.Error(err)
					return
				}
				for n := range int32(10) {
					for _, b := range []*assignor.Balancer{own, misused.Balancer} {
						ms := lead.Join([]lead.Member{{ID: "a", Balancer: b, Topics: []string{"t"}}, {ID: "b", Balancer: b, Topics: []string{"t"}}})
						sync, err := lead.Balance(b, kgo.BalanceInfo{Group: fmt.Sprint("g", i), Generation: n + 1, LeaderID: "a"}, ms, map[string]int32{"t": 20})
						if err == nil {
							_, err = lead.Decode(b, sync)
						}
						if err != nil {
							t.Error(err)
						}
					}
				}
			})
		}
		group.Wait()
	}
}

// #12, librdkafka #4783: a rebalance that never ends, with more members than
// partitions and two topics read by different members.
func TestMoreMembersThanPartitionsSettles(t *testing.T) {
	each(t, func(t *testing.T, s assignor.Strategy) {
		var members []lead.Member
		for i := range 25 {
			topic := "t"
			if i >= 10 {
				topic = "u"
			}
			members = append(members, lead.Member{ID: fmt.Sprintf("client-%02d", i), Balancer: plain, Topics: []string{topic}})
		}
		settles(t, s, known(map[string]int32{"t": 6, "u": 8}), members...)
	})
}

// #15, franz-go #995: 20 members on 18 partitions rebalanced for ever.
func TestMembersWithNothingAreStable(t *testing.T) {
	each(t, func(t *testing.T, s assignor.Strategy) {
		var members []lead.Member
		for i := range 20 {
			members = append(members, claims(fmt.Sprintf("m%02d", i), -1, nil))
		}
		settles(t, s, of(18), members...)
	})
}

// settles plays a fresh group and expects the same bytes from then on.
func settles(t *testing.T, s assignor.Strategy, v cases.View, members ...lead.Member) *cases.Round {
	t.Helper()
	l := cases.NewLeader(s)
	first := round(t, l, 1, v, members...)
	for generation := int32(2); generation < 6; generation++ {
		if r := round(t, l, generation, v, next(first, members...)...); say(r.Sent) != say(first.Sent) || len(r.Report.Moves) > 0 {
			t.Fatalf("generation %d: %s\nwas %s", generation, say(r.Sent), say(first.Sent))
		}
	}
	return first
}

// #17, franz-go #686: after a roll from eager to cooperative members some
// partitions were never assigned again. A member that was eager claims nothing.
func TestMembersThatWereEagerGetTheirPartitions(t *testing.T) {
	each(t, func(t *testing.T, s assignor.Strategy) {
		l := cases.NewLeader(s)
		a, b, c := claims("a", 4, nil), claims("b", 4, nil), claims("c", -1, nil)
		a.Owned = lead.Owned{"t": {0, 1}} // the first to be cooperative
		r := round(t, l, 5, of(6), a, b, c)
		r = round(t, l, 6, of(6), next(r, a, b, c)...)
		if n := strings.Count(r.Report.After.Format(r.Report.Group), "nobody"); n > 0 || len(r.Report.Withheld) > 0 {
			t.Errorf("somewhat is unassigned: %s", say(r.Sent))
		}
	})
}

// #19, franz-go #1483: a static member dies between letting go and joining
// again. The leader knows that a round is owed, and it assigns everything.
func TestMemberThatDiesInTheMiddleOfAHandover(t *testing.T) {
	l := cases.NewLeader(placed{"t": "b b"})
	s := lead.Member{ID: "s-1", Instance: "s", Balancer: plain, Topics: []string{"t"}, Owned: lead.Owned{"t": {0, 1}}, Generation: 1}
	b := claims("b", 1, nil)
	r := round(t, l, 2, of(2), s, b)
	sent(t, r, "b: s-1:")
	if !r.Report.Owed {
		t.Error("no round is owed while partitions are withheld")
	}
	r = round(t, l, 3, of(2), next(r, b)...)
	sent(t, r, "b:t[0 1]")
}

// #21, kafka-go #1315: a topic that is created, or grows, after an assignment
// without it.
func TestTopicThatComesLater(t *testing.T) {
	each(t, func(t *testing.T, s assignor.Strategy) {
		l := cases.NewLeader(s)
		a := claims("a", -1, nil)
		r := round(t, l, 1, cases.View{Unknown: []string{"t"}}, a)
		if sent(t, r, "a:"); !r.Report.Owed {
			t.Error("no round is owed for a topic that is not there")
		}
		for n := int32(1); n < 5; n += 2 {
			r = round(t, l, n+1, of(n), next(r, a)...)
			if len(r.Sent["a"]["t"]) != int(n) {
				t.Errorf("%d partitions: sent %v", n, r.Sent)
			}
		}
	})
}

// #22, KAFKA-9801: a broker sends a static member no bytes at all.
func TestEmptyAssignmentBytesAssignNothing(t *testing.T) {
	for _, src := range [][]byte{nil, {}} {
		if got, err := hrw.New().ParseSyncAssignment(src); err != nil || len(got) > 0 {
			t.Errorf("%v, %v", got, err)
		}
	}
}

// #25, librdkafka #2121: topics were ignored where subscriptions differ.
func TestEveryPartitionWithAReaderHasAnOwner(t *testing.T) {
	each(t, func(t *testing.T, s assignor.Strategy) {
		r := settles(t, s, known(map[string]int32{"t1": 3, "t2": 5}),
			lead.Member{ID: "c1", Balancer: plain, Topics: []string{"t1"}}, lead.Member{ID: "c2", Balancer: plain, Topics: []string{"t1", "t2"}})
		if n := len(r.Sent["c1"]["t1"]) + len(r.Sent["c2"]["t1"]); n != 3 || len(r.Sent["c2"]["t2"]) != 5 {
			t.Errorf("sent %v", r.Sent)
		}
	})
}

// #26, Tempo and Loki: the plan was touched up after the handover, so that a
// partition had a second reader. Whatever moves between two members is owned by
// one of them or by neither, in every round.
func TestNoPartitionHasTwoReadersAtAnyStep(t *testing.T) {
	plan := placed{"t": "a a b b"}
	l := cases.NewLeader(plan)
	a, b := claims("a", -1, nil), claims("b", -1, nil)
	ms := []lead.Member{a, b}
	for generation, p := range []string{"a a b b", "b b a a", "a b a b", "a a a a", "b b b b", "b a b a"} {
		plan["t"] = p
		for half := range 2 {
			r := round(t, l, int32(2*generation+half+1), of(4), ms...)
			for _, m := range ms {
				for _, n := range r.Sent[m.ID]["t"] {
					for _, other := range ms {
						if other.ID != m.ID && slices.Contains(other.Owned["t"], n) {
							t.Errorf("%s gets t/%d while %s has it", m.ID, n, other.ID)
						}
					}
				}
			}
			ms = next(r, a, b)
		}
	}
}
