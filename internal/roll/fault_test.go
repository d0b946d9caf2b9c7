package roll

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

// A scripted balancer assigns, round by round, what a script says.
type scripted struct {
	kgo.GroupBalancer
	script func(round int, members []string) []lead.Owned
	rounds *int
}

func (s *scripted) MemberBalancer(members []kmsg.JoinGroupResponseMember) (kgo.GroupMemberBalancer, map[string]struct{}, error) {
	_, topics, err := s.GroupBalancer.MemberBalancer(members)
	ids := make([]string, len(members))
	for i := range members {
		ids[i] = members[i].MemberID
	}
	return &plan{s, ids}, topics, err
}

type plan struct {
	*scripted
	ids []string
}

func (p *plan) Balance(map[string]int32) kgo.IntoSyncAssignment {
	*p.rounds++
	return assignments{p.ids, p.script(*p.rounds, p.ids)}
}

type assignments struct {
	ids   []string
	owned []lead.Owned
}

func (a assignments) IntoSyncAssignment() []kmsg.SyncGroupRequestGroupAssignment {
	var out []kmsg.SyncGroupRequestGroupAssignment
	for i, owned := range a.owned {
		var ca kmsg.ConsumerMemberAssignment
		for _, t := range slices.Sorted(maps.Keys(owned)) {
			ca.Topics = append(ca.Topics, kmsg.ConsumerMemberAssignmentTopic{Topic: t, Partitions: owned[t]})
		}
		out = append(out, kmsg.SyncGroupRequestGroupAssignment{MemberID: a.ids[i%len(a.ids)], MemberAssignment: ca.AppendTo(nil)})
	}
	return out
}

// Two members and topic t of four partitions; a round is what the members are
// assigned, in kgo's order. The last one is repeated.
func TestFaultsAreFound(t *testing.T) {
	type round = []lead.Owned
	own := func(ps ...int32) lead.Owned { return lead.Owned{"t": ps} }
	even := round{own(0, 1), own(2, 3)}
	var dwindling []round // one less in every round
	for all := own(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)["t"]; len(all) > 0; all = all[1:] {
		dwindling = append(dwindling, round{own(all...), own()})
	}
	for _, tt := range []struct {
		name       string
		rounds     []round // the first is the start
		want       string
		partitions int32 // 0: four
	}{
		{"nothing", []round{even, even}, "", 0},
		{"two rounds", []round{even, {own(0), own(2, 3)}, {own(0), own(1, 2, 3)}}, "", 0},
		{"given away while claimed", []round{even, {own(0), own(1, 2, 3)}}, "t[1] is assigned to", 0},
		{"given away while claimed, the owner is told last", []round{even, {own(0, 1, 2), own(3)}}, "t[2] is assigned to", 0},
		{"given away while kept", []round{even, {own(0, 1, 2), own(2, 3)}}, "claims it", 0},
		{"assigned twice", []round{{own(0, 1, 2), own(2, 3)}}, "t[2] is assigned twice", 0},
		{"assigned twice to one", []round{{own(0, 1, 1), own(2, 3)}}, "t[1] is assigned twice", 0},
		{"one without an owner", []round{{own(0, 1), own(2)}}, "t[3] has no owner", 0},
		{"there and back", []round{even, {own(0), own(2, 3)}, even}, "had to give it up and gets it back", 0},
		{"twice", []round{even, {own(0), own(2, 3)}, {own(0), own(1, 2)}, {own(0, 3), own(2)}, {own(0, 1, 3), own(2)}}, "t[1]: it moves again", 0},
		{"three rounds", []round{even, {own(0), own(2, 3)}, {own(0), own(1, 3)}, {own(0, 2), own(1, 3)}}, "3 rounds changed", 0},
		{"never settled", dwindling, "does not settle within 10 rounds", 12},
		{"other topics", []round{{lead.Owned{"u": {0}}, own(0, 1, 2, 3)}}, "topic u", 0},
		{"beyond the topic", []round{{own(0, 1, 4), own(2, 3)}}, "t[4], which does not exist", 0},
		{"negative", []round{{own(0, 1, -1), own(2, 3)}}, "t[-1], which does not exist", 0},
		{"a member left out", []round{{own(0, 1, 2, 3)}}, "1 of 2 members", 0},
		{"a member told twice", []round{{own(0, 1), own(2), own(3)}}, "two assignments", 0},
		{"uneven", []round{{own(0), own(1, 2, 3)}}, "loads are from 1 to 3", 0},
		{"needless moves", []round{even, {own(0), own(2)}, {own(0, 3), own(1, 2)}}, "2 partitions left members that stayed, the fewest are 0", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			promises := tt.name == "uneven" || tt.name == "needless moves"
			rounds := 0
			g := NewGroup(Subject{
				New: func(string, func(error)) (kgo.GroupBalancer, error) {
					return &scripted{kgo.CooperativeStickyBalancer(), func(round int, _ []string) []lead.Owned {
						return tt.rounds[min(round, len(tt.rounds))-1]
					}, &rounds}, nil
				},
				Even: promises, Fewest: promises,
			}, map[string]int32{"t": cmp.Or(tt.partitions, 4)}, 1)
			_, err := g.Join("a", "b")
			if err == nil && len(tt.rounds) > 1 {
				_, err = g.Rebalance()
			}
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error is %v, want %q", err, tt.want)
			}
		})
	}
}

// A Balancer makes up for a strategy that fails; a test must know.
func TestFailingStrategyIsFound(t *testing.T) {
	_, err := NewGroup(Of(panicking{}), map[string]int32{"t": 4}, 1).Join("a")
	if err == nil || !strings.Contains(err.Error(), "on purpose") {
		t.Errorf("error is %v, want the strategy's", err)
	}
	want := errors.New("no balancer")
	_, err = NewGroup(Subject{New: func(string, func(error)) (kgo.GroupBalancer, error) { return nil, want }}, nil, 1).Join("a")
	if !errors.Is(err, want) {
		t.Errorf("error is %v, want %v", err, want)
	}
}

type panicking struct{}

func (panicking) Name() string { return "panicking" }

func (panicking) Assign(*assignor.Group) assignor.Plan { panic("on purpose") }
