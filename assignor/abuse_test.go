package assignor_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

// abuser does to the Group what its contract forbids, and then plans.
type abuser struct{ abuse func(*assignor.Group) }

func (abuser) Name() string { return "abuser" }
func (a abuser) Assign(g *assignor.Group) assignor.Plan {
	a.abuse(g)
	return first{}.Assign(g)
}

// A strategy that sorts or cuts the Group in place, the likeliest mistake of
// one's own, must neither give away what others claim nor stop the process.
func TestStrategyThatChangesTheGroup(t *testing.T) {
	for name, abuse := range map[string]func(*assignor.Group){
		"reverses members": func(g *assignor.Group) { slices.Reverse(g.Members) },
		"reverses topics":  func(g *assignor.Group) { slices.Reverse(g.Topics) },
		"drops members":    func(g *assignor.Group) { g.Members = g.Members[:1] },
		"drops topics":     func(g *assignor.Group) { g.Topics = g.Topics[:1] },
		"forgets readers": func(g *assignor.Group) {
			for t := range g.Topics {
				g.Topics[t].Subscribers = []int32{99}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			var s seen
			b := mustNew(t, abuser{abuse}, s.options()...)
			topics := []string{"t", "u"}
			got := round(t, b, kgo.BalanceInfo{Group: "g", Generation: 5}, map[string]int32{"t": 2, "u": 3},
				lead.Member{ID: "a", Balancer: b, Topics: topics, Generation: 4, Owned: lead.Owned{"t": {0, 1}}},
				lead.Member{ID: "b", Balancer: b, Topics: topics, Generation: 4, Owned: lead.Owned{"u": {0, 1, 2}}})
			if len(got["b"]["t"]) > 0 || len(got["a"]["u"]) > 0 {
				t.Errorf("given away while others claim it: %v", got)
			}
		})
	}
}

// Whoever sorts or changes a report must not change the next plan.
func TestReceiverThatChangesTheReport(t *testing.T) {
	abuse := func(r assignor.Report) {
		slices.Reverse(r.Group.Members)
		slices.Reverse(r.Group.Topics)
		for _, p := range []assignor.Plan{r.Target, r.After} {
			for _, row := range p {
				for i := range row {
					row[i] = 77
				}
			}
		}
		for i := range r.Withheld {
			r.Withheld[i].To = 77
		}
	}
	play := func(options ...assignor.Option) (all []map[string]lead.Owned) {
		b := mustNew(t, &keeper{to: "b"}, append(options, assignor.OnWarning(func(w assignor.Warning) { t.Error(w) }))...)
		owned := map[string]lead.Owned{"a": {"t": {0, 1}}, "b": {"u": {0}}}
		for generation := int32(5); generation < 9; generation++ {
			var members []lead.Member
			for _, id := range []string{"a", "b"} {
				members = append(members, lead.Member{ID: id, Balancer: b, Topics: []string{"t", "u"}, Generation: generation - 1, Owned: owned[id]})
			}
			owned = round(t, b, kgo.BalanceInfo{Group: "g", Generation: generation}, map[string]int32{"t": 3, "u": 2}, members...)
			all = append(all, owned)
		}
		return all
	}
	if got, want := play(assignor.OnPlan(abuse)), play(); !reflect.DeepEqual(got, want) {
		t.Errorf("with the receiver %v, without %v", got, want)
	}
}

// A static member that has not joined again may be working on what it had, in an
// eager group too, and under another ID if it restarted in the stable group.
func TestStaticMemberThatSaysNothing(t *testing.T) {
	for _, eager := range []bool{false, true} {
		for _, id := range []string{"s-1", "s-2"} {
			options := []assignor.Option{assignor.OnWarning(func(assignor.Warning) {})}
			if eager {
				options = append(options, assignor.Eager())
			}
			k := &keeper{to: "s"}
			b := mustNew(t, planFor{k}, options...)
			counts := map[string]int32{"t": 2}
			static := lead.Member{ID: "s-1", Instance: "s", Balancer: b, Topics: []string{"t"}}
			joiner := lead.Member{ID: "j", Balancer: b, Topics: []string{"t"}}
			if got := round(t, b, kgo.BalanceInfo{Group: "g", Generation: 4}, counts, static, joiner); len(got["s-1"]["t"]) != 2 {
				t.Fatalf("assigned %v", got)
			}
			static.ID, joiner.Generation = id, 4
			k.to = "j"
			if got := round(t, b, kgo.BalanceInfo{Group: "g", Generation: 5}, counts, static, joiner); len(got["j"]) > 0 {
				t.Errorf("eager %v, %s: given away at once: %v", eager, id, got)
			}
			k.to = "s"
			if got := round(t, b, kgo.BalanceInfo{Group: "g", Generation: 6}, counts, static, joiner); len(got[id]["t"]) != 2 {
				t.Errorf("eager %v, %s: its own is kept from it: %v", eager, id, got)
			}
		}
	}
}

// Homes of a topic that is missing for a round are there when it is.
func TestHomesOutliveAMissingTopic(t *testing.T) {
	for _, leaves := range []int{0, 1, 2, 3} { // rounds in which the topic is missing before a leaves
		h := newHomeGroup(t)
		h.start("a", "b")
		h.round("a", "-", "-", "-", "-")
		for round := range 4 {
			if round == leaves {
				h.stop("a")
			}
			if round == 0 {
				h.round("b", "-", "-", "-", "-")
			} else {
				h.missing()
			}
		}
		h.start("a")
		h.round("b", "a", "a", "a", "a")
	}
}
