package cases_test

import (
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/cases"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
	"github.com/kgo-rendezvous/kgo-rendezvous/sticky"
)

// The bug reports that are about claims and what is withheld, with a strategy
// that looks at owners: see testdata/reports.md.

// #2, KAFKA-12984: what two claim in the same generation is the idle third's,
// one round later. Java does the same.
func TestDoubleClaimGoesToTheIdleMemberAfterARound(t *testing.T) {
	l := cases.NewLeader(sticky.Strategy{})
	c1, c2, c3 := claims("c1", 1, []int32{0, 1}), claims("c2", 1, []int32{0, 2}), claims("c3", 1, nil)
	r := round(t, l, 2, of(3), c1, c2, c3)
	sent(t, r, "c1:t[1] c2:t[2] c3:")
	r = round(t, l, 3, of(3), next(r, c1, c2, c3)...)
	sent(t, r, "c1:t[1] c2:t[2] c3:t[0]")
}

// #4, KAFKA-14639: a claim of an older generation was thrown away as a whole, or
// kept as a whole. Where it is contested it is void, where it is alone it stands.
func TestBeatenMemberKeepsWhatItAloneClaims(t *testing.T) {
	l := cases.NewLeader(sticky.Strategy{})
	v := known(map[string]int32{"t": 3, "u": 3})
	c1 := owns("c1", 10, lead.Owned{"t": {0, 1}, "u": {1}})
	c2 := owns("c2", 8, lead.Owned{"t": {0}, "u": {1, 2}})
	r := round(t, l, 11, v, c1, c2)
	sent(t, r, "c1:t[0 1]u[1] c2:t[2]u[0 2]") // at once: nobody has what c2 gets
}

// #6, franz-go d7ae9db9: a stale claim blocked a partition, or doubled it. What
// a takes from b it gets after b has let go of it.
func TestStaleClaimantWaitsForTheOwner(t *testing.T) {
	l := cases.NewLeader(sticky.Strategy{})
	a, b := claims("a", 1, []int32{0}), claims("b", 2, []int32{0, 1, 2})
	r := round(t, l, 3, of(3), a, b)
	if n := len(r.Sent["b"]["t"]); n != 2 || len(r.Sent["a"]["t"]) > 0 {
		t.Errorf("sent %s", say(r.Sent))
	}
	settled := round(t, l, 4, of(3), next(r, a, b)...)
	if n := len(settled.Sent["a"]["t"]); n != 1 || len(settled.Report.Moves) > 0 || settled.Report.Owed {
		t.Errorf("sent %s, then %s", say(r.Sent), say(settled.Sent))
	}
}

// #14, KAFKA-15170: racks moved a partition away and back while a plan was made,
// and the wrong ones were withheld. Withheld is what the final plan takes from an
// owner, whatever leaders do in between.
func TestRackMovesAreWithheldByTheFinalPlan(t *testing.T) {
	racks := map[string][]string{"t": {"a", "b", "a", "b"}}
	l := cases.NewLeader(cases.WithRacks(sticky.Strategy{Racks: true}, racks))
	c0, c1 := inRack(t, claims("c0", 1, []int32{0, 1}), "a"), inRack(t, claims("c1", 1, []int32{2, 3}), "b")
	r := round(t, l, 2, of(4), c0, c1)
	sent(t, r, "c0:t[0] c1:t[3]")

	// The leaders return before anybody has let go: nothing is taken any more.
	swapped := racks["t"]
	racks["t"] = []string{"a", "a", "b", "b"}
	sent(t, round(t, l, 3, of(4), c0, c1), "c0:t[0 1] c1:t[2 3]")

	// They do not, and what was let go of is given away.
	racks["t"] = swapped
	r = round(t, l, 4, of(4), c0, c1)
	sent(t, r, "c0:t[0] c1:t[3]")
	c0, c1 = inRack(t, claims("c0", 4, []int32{0}), "a"), inRack(t, claims("c1", 4, []int32{3}), "b")
	sent(t, round(t, l, 5, of(4), c0, c1), "c0:t[0 2] c1:t[1 3]")

	// Or they return just then: everybody has back at once what nobody has.
	racks["t"] = []string{"a", "a", "b", "b"}
	l = cases.NewLeader(cases.WithRacks(sticky.Strategy{Racks: true}, racks))
	sent(t, round(t, l, 5, of(4), c0, c1), "c0:t[0 1] c1:t[2 3]")
}

// inRack is a member with kgo.Rack set, which kgo writes into its metadata.
func inRack(t *testing.T, m lead.Member, rack string) lead.Member {
	t.Helper()
	meta, err := cases.ReadMetadata(lead.Join([]lead.Member{m})[0].ProtocolMetadata)
	if err != nil {
		t.Fatal(err)
	}
	meta.Rack = &rack
	m.Metadata = meta.AppendTo(nil)
	return m
}

// #19, franz-go #1483: a static member dies while it hands over, and its
// partitions and what was on its way from it are the others' in the next round.
func TestStaticMemberThatDiesWhileItHandsOver(t *testing.T) {
	l := cases.NewLeader(sticky.Strategy{})
	s := lead.Member{ID: "s-1", Instance: "s", Balancer: plain, Topics: []string{"t"}, Owned: lead.Owned{"t": {0, 1, 2, 3}}, Generation: 1}
	b := claims("b", 1, nil)
	r := round(t, l, 2, of(4), s, b)
	if len(r.Withheld()) != 2 || !r.Report.Owed {
		t.Errorf("withheld %v, owed: %v", r.Withheld(), r.Report.Owed)
	}
	r = round(t, l, 3, of(4), next(r, b)...)
	if sent(t, r, "b:t[0 1 2 3]"); r.Report.Owed {
		t.Error("a round is owed though nothing is missing")
	}
}
