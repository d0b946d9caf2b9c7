package roll

import (
	"fmt"
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// A watched balancer notes what is asked of it.
type watched struct {
	kgo.GroupBalancer
	log *[]string
	who string // name and number of the process
}

func (w *watched) JoinGroupMetadata(topics []string, owned map[string][]int32, generation int32) []byte {
	*w.log = append(*w.log, fmt.Sprintf("%s joins with %d of %v at %d", w.who, len(owned["t"]), topics, generation))
	return w.GroupBalancer.JoinGroupMetadata(topics, owned, generation)
}

func (w *watched) MemberBalancer(members []kmsg.JoinGroupResponseMember) (kgo.GroupMemberBalancer, map[string]struct{}, error) {
	*w.log = append(*w.log, fmt.Sprintf("%s leads %d", w.who, len(members)))
	return w.GroupBalancer.MemberBalancer(members)
}

func TestGroup(t *testing.T) {
	var log []string
	processes := 0
	g := NewGroup(Subject{New: func(name string, _ func(error)) (kgo.GroupBalancer, error) {
		processes++
		return &watched{kgo.CooperativeStickyBalancer(), &log, fmt.Sprint(name, processes)}, nil
	}}, map[string]int32{"t": 4}, 1)
	for _, step := range []struct {
		happen func(...string) (Event, error)
		name   string
		want   []string // in any order within a round
		event  Event
	}{
		{g.Join, "a", []string{"a1 joins with 0 of [t] at -1", "a1 leads 1"}, Event{1, 1, 1, 0, 0, 4, 4}},
		{g.Join, "b", []string{
			"a1 joins with 4 of [t] at 1", "b2 joins with 0 of [t] at -1", "a1 leads 2",
			"a1 joins with 2 of [t] at 2", "b2 joins with 0 of [t] at 2", "a1 leads 2",
		}, Event{2, 2, 2, 2, 2, 2, 2}},
		{g.Leave, "a", []string{"b2 joins with 2 of [t] at 3", "b2 leads 1"}, Event{1, 1, 1, 0, 0, 4, 4}},
		{g.Join, "a", []string{
			"b2 joins with 4 of [t] at 4", "a3 joins with 0 of [t] at -1", "b2 leads 2",
			"b2 joins with 2 of [t] at 5", "a3 joins with 0 of [t] at 5", "b2 leads 2",
		}, Event{2, 2, 2, 2, 2, 2, 2}},
		{func(...string) (Event, error) { return g.Rebalance() }, "", []string{
			"a3 joins with 2 of [t] at 6", "b2 joins with 2 of [t] at 6", "b2 leads 2",
		}, Event{2, 1, 0, 0, 0, 2, 2}},
		{g.Leave, "b", []string{"a3 joins with 2 of [t] at 7", "a3 leads 1"}, Event{1, 1, 1, 0, 0, 4, 4}},
		{g.Leave, "a", nil, Event{}},
		{g.Join, "c", []string{"c4 joins with 0 of [t] at -1", "c4 leads 1"}, Event{1, 1, 1, 0, 0, 4, 4}},
	} {
		log = nil
		e, err := step.happen(step.name)
		if err != nil {
			t.Fatal(err)
		}
		if e != step.event {
			t.Errorf("%s: %+v, want %+v", step.name, e, step.event)
		}
		slices.Sort(log)
		slices.Sort(step.want)
		if !slices.Equal(log, step.want) {
			t.Errorf("%s: log is\n%q, want\n%q", step.name, log, step.want)
		}
	}
	for _, happen := range []func(...string) (Event, error){
		func(...string) (Event, error) { return g.Join("c") },
		func(...string) (Event, error) { return g.Leave("d") },
	} {
		if _, err := happen(); err == nil {
			t.Error("a member that is there joins, or one that is not leaves")
		}
	}
}

func TestHistorySizes(t *testing.T) {
	for _, events := range []int{0, 1, 20, 31} {
		for _, members := range []int{1, 2, 10} {
			var sizes []int
			err := Play(CooperativeSticky, Shape{members, 1, 5}, events, 1, func(g *Group) error {
				sizes = append(sizes, len(g.Names()))
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			least, most := max(1, members-max(members/2, 1)), members+max(members/2, 1)
			if len(sizes) != events+1 || sizes[events] != members || slices.Min(sizes) < least || slices.Max(sizes) > most {
				t.Errorf("%d events around %d members: sizes %v", events, members, sizes)
			}
		}
	}
}
