package assignor_test

import (
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

// TestClaimsAndHandover plays one round on partition 0 of t, which the strategy
// plans for c, after a round in which b and c took part and nobody owned it.
// Generation 5 is planned, and the leader led 4.
func TestClaimsAndHandover(t *testing.T) {
	type claim struct {
		id         string
		generation int32
		garbage    bool
		unread     bool // it does not read t any more
	}
	for _, c := range []struct {
		name   string
		claims []claim
		owner  string // what the strategy is shown
		gets   bool   // c gets the partition now
	}{
		{"nobody claims it", nil, "", true},
		{"one claims it", []claim{{id: "b", generation: 4}}, "b", false},
		{"the planned owner claims it", []claim{{id: "c", generation: 4}}, "c", true},
		{"the planned owner's claim is old", []claim{{id: "c", generation: 3}, {id: "b", generation: 4}}, "b", false},
		{"another's claim is old", []claim{{id: "c", generation: 4}, {id: "b", generation: 3}}, "c", true},
		{"a tie without the planned owner", []claim{{id: "b", generation: 4}, {id: "d", generation: 4}}, "", false},
		{"a tie with the planned owner", []claim{{id: "b", generation: 4}, {id: "c", generation: 4}}, "", true},
		{"a tie of three with the planned owner", []claim{{id: "b", generation: 4}, {id: "d", generation: 4}, {id: "c", generation: 4}}, "", true},
		{"a tie below the top", []claim{{id: "b", generation: 3}, {id: "d", generation: 3}, {id: "c", generation: 4}}, "c", true},
		{"a claim without a generation", []claim{{id: "b", generation: -1}}, "b", false},
		{"two claims without a generation", []claim{{id: "b", generation: -1}, {id: "d", generation: -1}}, "", false},
		{"a claim at the generation that is planned", []claim{{id: "b", generation: 5}}, "b", false},
		{"a claim from the future against an honest one", []claim{{id: "b", generation: 9}, {id: "c", generation: 4}}, "c", true},
		{"who was removed in between", []claim{{id: "x", generation: 3}}, "", false},
		{"who was removed in between, against the owner since", []claim{{id: "x", generation: 3}, {id: "c", generation: 4}}, "c", true},
		{"who does not read the topic any more", []claim{{id: "b", generation: 4, unread: true}}, "", false},
		{"who cannot be read and was given nothing", []claim{{id: "b", generation: 4, garbage: true}}, "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := &keeper{to: "c"}
			var reports []assignor.Report
			b := mustNew(t, planFor{k}, assignor.OnPlan(func(r assignor.Report) { reports = append(reports, r) }), assignor.OnWarning(func(assignor.Warning) {}))
			members := map[string]*lead.Member{}
			for _, id := range []string{"b", "c", "d"} {
				members[id] = &lead.Member{ID: id, Balancer: b, Topics: []string{"t", "u"}, Generation: 3}
			}
			play := func(generation int32) map[string]lead.Owned {
				var all []lead.Member
				for _, m := range members {
					all = append(all, *m)
				}
				return round(t, b, kgo.BalanceInfo{Group: "g", Generation: generation}, map[string]int32{"t": 1, "u": 1}, all...)
			}
			play(4)
			for _, cl := range c.claims {
				m := members[cl.id]
				if m == nil {
					m = &lead.Member{ID: cl.id, Balancer: b, Topics: []string{"t", "u"}}
					members[cl.id] = m
				}
				m.Owned, m.Generation = lead.Owned{"t": {0}}, cl.generation
				if cl.garbage {
					m.Metadata = []byte("garbage")
				}
				if cl.unread {
					m.Topics = []string{"u"}
				}
			}
			got := play(5)
			r := reports[len(reports)-1]
			owner := ""
			if m := r.Before[0][0]; m != assignor.None {
				owner = r.Group.Members[m].Key
			}
			if owner != c.owner {
				t.Errorf("the strategy is shown owner %q, want %q", owner, c.owner)
			}
			if gets := len(got["c"]["t"]) == 1; gets != c.gets {
				t.Errorf("c gets it: %v, want %v", gets, c.gets)
			}
			for id, owned := range got {
				if id != "c" && len(owned["t"]) > 0 {
					t.Errorf("%s has it too", id)
				}
			}
			if r.Owed == c.gets {
				t.Errorf("owed: %v", r.Owed)
			}
		})
	}
}

// planFor gives everything to one member, whoever owns it.
type planFor struct{ k *keeper }

func (planFor) Name() string { return "plan-for" }
func (p planFor) Assign(g *assignor.Group) assignor.Plan {
	free := *g
	free.Topics = append([]assignor.Topic(nil), g.Topics...)
	for t := range free.Topics {
		free.Topics[t].Owners = nil
	}
	return p.k.Assign(&free)
}

// What a leader last gave to a member that it cannot read is withheld for one
// round; by then the member, which got nothing, has let go of it.
func TestUnreadableOwner(t *testing.T) {
	k := &keeper{to: "b"}
	b := mustNew(t, planFor{k}, assignor.OnWarning(func(assignor.Warning) {}))
	counts := map[string]int32{"t": 2}
	owner := lead.Member{ID: "b", Balancer: b, Topics: []string{"t"}}
	other := lead.Member{ID: "c", Balancer: b, Topics: []string{"t"}}
	round(t, b, kgo.BalanceInfo{Group: "g", Generation: 1}, counts, owner, other)
	owner.Metadata = []byte{0}
	k.to = "c"
	if got := round(t, b, kgo.BalanceInfo{Group: "g", Generation: 2}, counts, owner, other); len(got["b"])+len(got["c"]) > 0 {
		t.Errorf("given out at once: %v", got)
	}
	other.Generation = 2
	if got := round(t, b, kgo.BalanceInfo{Group: "g", Generation: 3}, counts, owner, other); len(got["c"]["t"]) != 2 {
		t.Errorf("still withheld: %v", got)
	}
}
