package assignor_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

// first gives everything to the first subscriber.
type first struct{ Setting int }

func (first) Name() string { return "first" }
func (first) Assign(g *assignor.Group) assignor.Plan {
	p := make(assignor.Plan, len(g.Topics))
	for t := range p {
		p[t] = make([]int32, g.Topics[t].Partitions)
		for i := range p[t] {
			p[t][i] = g.Topics[t].Subscribers[0]
		}
	}
	return p
}

// seen collects what a Balancer tells.
type seen struct {
	reports  []assignor.Report
	warnings []assignor.Warning
	follows  int
}

func (s *seen) options(more ...assignor.Option) []assignor.Option {
	return append(more,
		assignor.OnPlan(func(r assignor.Report) { s.reports = append(s.reports, r) }),
		assignor.OnWarning(func(w assignor.Warning) { s.warnings = append(s.warnings, w) }),
		assignor.OnFollow(func() { s.follows++ }))
}

func (s *seen) kinds() (ks []assignor.WarningKind) {
	for _, w := range s.warnings {
		ks = append(ks, w.Kind)
	}
	return ks
}

func mustNew(t *testing.T, s assignor.Strategy, opts ...assignor.Option) *assignor.Balancer {
	t.Helper()
	b, err := assignor.New(s, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func round(t *testing.T, b kgo.GroupBalancer, info kgo.BalanceInfo, counts map[string]int32, members ...lead.Member) map[string]lead.Owned {
	t.Helper()
	sync, err := lead.Balance(b, info, lead.Join(members), counts)
	if err != nil {
		t.Fatal(err)
	}
	owned, err := lead.Decode(b, sync)
	if err != nil {
		t.Fatal(err)
	}
	return owned
}

func TestReport(t *testing.T) {
	var s seen
	b := mustNew(t, first{}, s.options()...)
	other := mustNew(t, first{}, assignor.Identity("zebra"), assignor.Endpoint("z:1"))
	topics := []string{"gone", "t"}
	got := round(t, b, kgo.BalanceInfo{Group: "g", Generation: 5, LeaderID: "m1"}, map[string]int32{"t": 4},
		lead.Member{ID: "m1", Balancer: b, Topics: topics, Generation: 4, Owned: lead.Owned{"t": {0}}},
		lead.Member{ID: "m2", Balancer: other, Topics: topics, Generation: 4, Owned: lead.Owned{"t": {1}, "gone": {7}}})
	if want := (map[string]lead.Owned{"m1": {"t": {0, 2, 3}}, "m2": {"gone": {7}}}); !reflect.DeepEqual(got, want) {
		t.Errorf("assigned %v, want %v", got, want)
	}
	r := s.reports[0]
	m := func(p, from, to int32) assignor.Move {
		return assignor.Move{Topic: "t", Partition: p, From: from, To: to}
	}
	check := func(what string, got, want any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	check("group", []any{r.Strategy, r.GroupName, r.Generation}, []any{"first", "g", int32(5)})
	check("members", r.Group.Members, []assignor.Member{{ID: "m1", Key: "m1", Weight: 1}, {ID: "m2", Key: "zebra", Weight: 1, Endpoint: "z:1"}})
	check("moves", r.Moves, []assignor.Move{m(1, 1, 0)})
	check("withheld", r.Withheld, []assignor.Move{m(1, 1, 0)})
	check("gains", r.Gains, []assignor.Move{m(2, assignor.None, 0), m(3, assignor.None, 0)})
	check("held", r.Held, []assignor.Move{{Topic: "gone", Partition: 7, From: 1, To: 1}})
	check("missing", r.Missing, []string{"gone"})
	check("owed", r.Owed, true)
	check("loads", r.Loads, []int{4, 0})
	check("before", r.Before, assignor.Plan{{0, 1, assignor.None, assignor.None}})
	check("after", r.After, assignor.Plan{{0, assignor.None, 0, 0}})
	check("after as text", r.After.Format(r.Group), "m1: t[0 2 3]\nzebra: -\n(nobody): t[1]\n")
	check("kinds of warnings", s.kinds(), []assignor.WarningKind{assignor.WarnTopic})
	if r.RecordBytes < 200 || r.MetadataBytes[1] <= r.MetadataBytes[0] || r.Elapsed <= 0 || r.Err != nil {
		t.Errorf("record %d, metadata %d, elapsed %v, err %v", r.RecordBytes, r.MetadataBytes, r.Elapsed, r.Err)
	}
}

func TestTwoLiveMembersWithOneIdentity(t *testing.T) {
	var s seen
	b := mustNew(t, first{}, s.options(assignor.Identity("twin"))...)
	member := func(id string) lead.Member { return lead.Member{ID: id, Balancer: b, Topics: []string{"t"}} }
	keys := func() (ks []string) {
		for _, m := range s.reports[len(s.reports)-1].Group.Members {
			ks = append(ks, m.ID+"="+m.Key)
		}
		return ks
	}
	counts := map[string]int32{"t": 2}
	// Without knowledge the lower ID keeps the key; so the incumbent, once
	// there is one.
	round(t, b, kgo.BalanceInfo{Group: "g", Generation: 1}, counts, member("b"), member("c"))
	if got := keys(); !reflect.DeepEqual(got, []string{"b=twin", "c=twin\x00c"}) {
		t.Errorf("keys %q", got)
	}
	round(t, b, kgo.BalanceInfo{Group: "g", Generation: 2}, counts, member("a"), member("b"), member("c"))
	if got := keys(); !reflect.DeepEqual(got, []string{"b=twin", "a=twin\x00a", "c=twin\x00c"}) {
		t.Errorf("keys %q", got)
	}
	if got := s.kinds(); !reflect.DeepEqual(got, []assignor.WarningKind{assignor.WarnIdentity, assignor.WarnIdentity}) {
		t.Errorf("warnings %v", s.warnings)
	}
}

func TestSettingsThatDifferAreWarnedOf(t *testing.T) {
	var s seen
	b := mustNew(t, first{}, s.options()...)
	other := mustNew(t, first{Setting: 2}, assignor.Identity("other"))
	round(t, b, kgo.BalanceInfo{}, map[string]int32{"t": 1},
		lead.Member{ID: "a", Balancer: b, Topics: []string{"t"}},
		lead.Member{ID: "b", Balancer: kgo.RangeBalancer(), Topics: []string{"t"}}, // foreign user data: no settings to compare
		lead.Member{ID: "c", Balancer: other, Topics: []string{"t"}})
	if len(s.warnings) != 1 || s.warnings[0].Kind != assignor.WarnSettings || !strings.Contains(s.warnings[0].String(), "1 of 3") || !strings.Contains(s.warnings[0].Member, "other") {
		t.Errorf("warnings %v", s.warnings)
	}
}

func TestPinned(t *testing.T) {
	var s seen
	pinned := mustNew(t, first{}, s.options(assignor.Pinned())...)
	plain := mustNew(t, first{})
	userData := func(leader kgo.GroupBalancer, other kgo.GroupBalancer) []byte {
		sync, err := lead.Balance(leader, kgo.BalanceInfo{}, lead.Join([]lead.Member{
			{ID: "a", Balancer: plain, Topics: []string{"t"}}, {ID: "b", Balancer: other, Topics: []string{"t"}},
		}), map[string]int32{"t": 1})
		if err != nil {
			t.Fatal(err)
		}
		var a kmsg.ConsumerMemberAssignment
		if err := a.ReadFrom(sync[1].MemberAssignment); err != nil {
			t.Fatal(err)
		}
		if _, err := pinned.ParseSyncAssignment(sync[1].MemberAssignment); err != nil {
			t.Fatal(err)
		}
		return a.UserData
	}
	if got := userData(plain, pinned); len(got) == 0 || len(s.warnings) != 0 {
		t.Errorf("one pinned member: marker %q, warnings %v", got, s.warnings)
	}
	if got := userData(plain, plain); len(got) != 0 || len(s.warnings) != 1 || s.warnings[0].Kind != assignor.WarnPinned {
		t.Errorf("no pinned member: marker %q, warnings %v", got, s.warnings)
	}
}

// KAFKA-9801: a broker sends empty bytes to a static member.
func TestEmptyAssignment(t *testing.T) {
	for _, b := range []*assignor.Balancer{mustNew(t, first{}), mustNew(t, first{}, assignor.Pinned(), assignor.OnWarning(func(w assignor.Warning) { t.Error(w) }))} {
		for _, src := range [][]byte{nil, {}} {
			if got, err := b.ParseSyncAssignment(src); err != nil || len(got) != 0 {
				t.Errorf("got %v, %v", got, err)
			}
		}
	}
	if _, err := mustNew(t, first{}).ParseSyncAssignment([]byte{1}); err == nil {
		t.Error("half an assignment is no error")
	}
}

// Two clients with one Balancer lead in turn, each still in the group.
func TestSharedBalancerIsWarnedOf(t *testing.T) {
	var s seen
	b := mustNew(t, first{}, s.options()...)
	members := []lead.Member{{ID: "a", Balancer: b, Topics: []string{"t"}}, {ID: "b", Balancer: b, Topics: []string{"t"}}}
	for i, leader := range []string{"a", "a", "b", "b", "a"} {
		round(t, b, kgo.BalanceInfo{Group: "g", Generation: int32(i + 1), LeaderID: leader}, map[string]int32{"t": 1}, members...)
	}
	if got := s.kinds(); !reflect.DeepEqual(got, []assignor.WarningKind{assignor.WarnShared, assignor.WarnShared}) {
		t.Errorf("warnings %v", s.warnings)
	}
	s = seen{}
	b = mustNew(t, first{}, s.options()...)
	var clients []*kgo.Client
	for range 2 {
		cl, err := kgo.NewClient(kgo.SeedBrokers("127.0.0.1:1"), kgo.Balancers(b), kgo.WithHooks(b))
		if err != nil {
			t.Fatal(err)
		}
		clients = append(clients, cl)
	}
	for _, cl := range clients {
		cl.Close()
	}
	if got := s.kinds(); !reflect.DeepEqual(got, []assignor.WarningKind{assignor.WarnShared}) {
		t.Errorf("warnings %v", s.warnings)
	}
}

// What a leader reported is stale once another leads.
func TestOnFollow(t *testing.T) {
	var s seen
	b := mustNew(t, first{}, s.options()...)
	join := func() { b.JoinGroupMetadata([]string{"t"}, nil, -1) }
	sync := func() { b.ParseSyncAssignment(nil) }
	plan := func() {
		round(t, mustNew(t, first{}), kgo.BalanceInfo{}, nil) // somebody else's
		lead.Balance(b, kgo.BalanceInfo{Group: "g", Generation: 1}, lead.Join([]lead.Member{{ID: "a", Metadata: mustNew(t, first{}).JoinGroupMetadata([]string{"t"}, nil, -1)}}), map[string]int32{"t": 1})
	}
	expect := func(n int) {
		t.Helper()
		if s.follows != n {
			t.Fatalf("told %d times, want %d", s.follows, n)
		}
	}
	join()
	sync()
	expect(0) // never led
	join()
	plan()
	sync()
	join()
	plan()
	sync()
	expect(0) // leads on
	join()
	sync()
	expect(1)
	join()
	sync()
	expect(1) // once
	join()
	plan()
	join() // its sync was refused
	sync()
	expect(2)
}

// A callback that panics costs no member its process.
func TestPanickingCallbacks(t *testing.T) {
	var warnings []assignor.Warning
	b := mustNew(t, first{},
		assignor.OnPlan(func(assignor.Report) { panic("plan") }),
		assignor.OnWarning(func(w assignor.Warning) { warnings = append(warnings, w) }))
	got := round(t, b, kgo.BalanceInfo{}, map[string]int32{"t": 1}, lead.Member{ID: "a", Balancer: b, Topics: []string{"t"}})
	if len(got["a"]["t"]) != 1 || len(warnings) != 1 || warnings[0].Kind != assignor.WarnCallback {
		t.Errorf("assigned %v, warnings %v", got, warnings)
	}
}

// A topic that the client's metadata names unknown three rounds running is
// gone: its claims end and nothing is owed for it.
func TestDeletedTopic(t *testing.T) {
	var s seen
	b := mustNew(t, first{}, s.options()...)
	unknown := func() map[string]kgo.TopicMetadata {
		return map[string]kgo.TopicMetadata{"t": {Topic: "t", Err: kerr.UnknownTopicOrPartition}}
	}
	member := lead.Member{ID: "a", Balancer: b, Topics: []string{"t"}, Owned: lead.Owned{"t": {0, 1}}}
	for i := range int32(5) {
		member.Generation = i + 1
		got := round(t, b, kgo.BalanceInfo{Group: "g", Generation: i + 2, Topics: unknown}, nil, member)
		r := s.reports[i]
		if i < 2 && (len(got["a"]["t"]) != 2 || !r.Owed) || i >= 2 && (len(got["a"]["t"]) != 0 || r.Owed) {
			t.Errorf("round %d: assigned %v, owed %v", i, got, r.Owed)
		}
		member.Owned = got["a"]
	}
	// It is there again.
	member.Generation = 7
	if got := round(t, b, kgo.BalanceInfo{Group: "g", Generation: 8}, map[string]int32{"t": 2}, member); len(got["a"]["t"]) != 2 {
		t.Errorf("assigned %v", got)
	}
}
