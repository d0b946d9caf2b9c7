package cases_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/cases"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
	"github.com/kgo-rendezvous/kgo-rendezvous/sticky"
)

// placed is a strategy that does what it is told: owners by topic and partition,
// "a b -" for example. Whom it does not find gets nothing; the first subscriber
// gets it instead.
type placed map[string]string

func (placed) Name() string { return "placed" }
func (placed) Homing()      {}

func (s placed) Assign(g *assignor.Group) assignor.Plan {
	plan := make(assignor.Plan, len(g.Topics))
	for t := range g.Topics {
		topic := &g.Topics[t]
		keys := strings.Fields(s[topic.Name])
		plan[t] = make([]int32, topic.Partitions)
		for p := range plan[t] {
			plan[t][p] = topic.Subscribers[0]
			for _, m := range topic.Subscribers {
				if p < len(keys) && g.Members[m].Key == keys[p] {
					plan[t][p] = m
				}
			}
		}
	}
	return plan
}

// claims is a member that claims partitions of topic t as of a generation; it
// reads t and whatever else is said.
func claims(id string, generation int32, partitions []int32, alsoReads ...string) lead.Member {
	return lead.Member{ID: id, Balancer: plain, Topics: append([]string{"t"}, alsoReads...), Owned: lead.Owned{"t": partitions}, Generation: generation}
}

// plain is a Balancer for members' metadata, nothing else: it never leads.
var plain = hrw.New()

// known is a view of topics that are all well.
func known(counts map[string]int32) cases.View { return cases.View{Counts: counts} }

// of is a view of topic t alone.
func of(n int32) cases.View { return known(map[string]int32{"t": n}) }

// round plays a round and checks what must hold in any.
func round(t *testing.T, l *cases.Leader, generation int32, v cases.View, members ...lead.Member) *cases.Round {
	t.Helper()
	r, err := l.Play("group", generation, "leader", lead.Join(members), v)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Check(); err != nil {
		t.Errorf("%v\nsent %v", err, r.Sent)
	}
	return r
}

// sent compares what members are sent, written as "a:t[0 1] b:".
func sent(t *testing.T, r *cases.Round, want string) {
	t.Helper()
	if got := say(r.Sent); got != want {
		t.Errorf("generation %d: sent %s\nwant %s", r.Generation, got, want)
	}
}

func say(owned map[string]lead.Owned) string {
	var all []string
	for id, topics := range owned {
		var parts []string
		for topic, ps := range topics {
			parts = append(parts, fmt.Sprintf("%s%v", topic, ps))
		}
		slices.Sort(parts)
		all = append(all, id+":"+strings.Join(parts, ""))
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// before compares who counts as an owner.
func before(t *testing.T, r *cases.Round, want string) {
	t.Helper()
	got := strings.ReplaceAll(strings.TrimSpace(r.Report.Before.Format(r.Report.Group)), "\n", "; ")
	if got != want {
		t.Errorf("generation %d: owners %s\nwant %s", r.Generation, got, want)
	}
}

// next returns members as they join after a round in which all were synced.
func next(r *cases.Round, members ...lead.Member) []lead.Member {
	members = slices.Clone(members)
	for i := range members {
		members[i].Owned, members[i].Generation = r.Sent[members[i].ID], r.Generation
	}
	return members
}

// each plays a test with every kind of strategy: one that hashes and one that
// looks at owners and homes.
func each(t *testing.T, test func(t *testing.T, s assignor.Strategy)) {
	for _, s := range []assignor.Strategy{hrw.Strategy{}, sticky.Strategy{}} {
		t.Run(s.Name(), func(t *testing.T) { test(t, s) })
	}
}

func newHRW(opts ...assignor.Option) *cases.Leader { return cases.NewLeader(hrw.Strategy{}, opts...) }

// fault fails the test if a fault that the plumbing once had is there again.
func fault(t *testing.T, what string, there bool) {
	t.Helper()
	if there {
		t.Error(what)
	}
}
