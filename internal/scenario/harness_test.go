package scenario_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/scenario"
	"github.com/twmb/franz-go/pkg/kgo"
)

// These are the tests of the tests: what the harness must notice.

// told keeps what a test would have failed for.
type told struct {
	testing.TB
	mu     sync.Mutex
	errors []string
}

func (t *told) Errorf(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.errors = append(t.errors, fmt.Sprintf(format, args...))
}

func (t *told) Failed() bool { return false }

func (t *told) mustSay(tb testing.TB, words ...string) {
	tb.Helper()
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, word := range words {
		if !slices.ContainsFunc(t.errors, func(e string) bool { return strings.Contains(e, word) }) {
			tb.Errorf("no failure says %q: %q", word, t.errors)
		}
	}
	t.errors = nil
}

// forgetful joins as if it owned nothing. Cooperative members that do so get
// two owners at once.
type forgetful struct{ *assignor.Balancer }

func (f forgetful) JoinGroupMetadata(topics []string, _ map[string][]int32, generation int32) []byte {
	return f.Balancer.JoinGroupMetadata(topics, nil, generation)
}

func TestHarnessNoticesTwoOwners(t *testing.T) {
	w := newWorld(t, orders)
	said := &told{TB: t}
	t.Run("group", func(t *testing.T) {
		said.TB = t
		g := scenario.NewGroup(said, "forgetful", w.cluster.ListenAddrs())
		twoOwners := func() bool { return len(g.Recorder().Overlaps()) > 0 }
		spec := reads("a", "orders")
		spec.Balancers = []kgo.GroupBalancer{forgetful{g.Balancer(scenario.Owner{Member: "a", Life: 1}, spec)}}
		// It takes a while to let go.
		spec.Revoking = func(ctx context.Context, _ *kgo.Client, _ map[string][]int32) {
			_ = g.Recorder().Wait(ctx, twoOwners)
		}
		g.Start("a", spec)
		g.Settle()
		g.Start("b", reads("b", "orders"))
		g.Wait("a partition has two owners", twoOwners)
	})
	said.mustSay(t, "has two owners: assigned to b#1", "while a#1 has it")
}

func TestHarnessNoticesFailingStrategies(t *testing.T) {
	w := newWorld(t, orders)
	said := &told{TB: t}
	t.Run("group", func(t *testing.T) {
		said.TB = t
		g := scenario.NewGroup(said, "failing", w.cluster.ListenAddrs())
		fault := func(*assignor.Group, assignor.Plan) assignor.Plan { return nil }
		strategy := faulty{new(atomic.Pointer[func(*assignor.Group, assignor.Plan) assignor.Plan])}
		strategy.fault.Store(&fault)
		g.Ours = strategy
		g.Start("a", reads("a", "orders"))
		g.Settle()
	})
	said.mustSay(t, "planned by a#1", "0 topics")
}

// An eager group pauses everything at a join, and lends what a member had while
// it is away.
func TestHarnessNoticesPausesAndLoans(t *testing.T) {
	w := newWorld(t, orders)
	said := &told{TB: t}
	w.Group = scenario.NewGroup(said, "eager", w.cluster.ListenAddrs())
	spec := func(name string) scenario.Spec {
		s := reads(name, "orders")
		s.Options = []assignor.Option{assignor.Eager()}
		return s
	}
	w.Start("a", spec("a"))
	w.Settle()
	mark := w.Mark()
	b := w.Start("b", spec("b"))
	before := w.Settle()
	w.MustNotPause(mark)
	said.mustSay(t, "was taken from a#1")

	mark = w.Mark()
	b.Stop()
	w.Settle()
	w.MustOnlyReturn(mark, before)
	said.mustSay(t, `was "b"'s and was lent to a#1`)
}

func TestHarnessCountsPlans(t *testing.T) {
	w := newWorld(t, orders)
	said := &told{TB: t}
	w.Group = scenario.NewGroup(said, "plans", w.cluster.ListenAddrs())
	a := reads("a", "orders")
	a.Revoking = func(ctx context.Context, _ *kgo.Client, _ map[string][]int32) {
		_ = w.Recorder().Wait(ctx, func() bool { // so that the first plan reaches b
			return slices.ContainsFunc(w.Recorder().Events(), func(e scenario.Event) bool {
				return e.Owner.Member == "b" && e.Kind == scenario.Assigned
			})
		})
	}
	w.Start("a", a)
	w.Settle()
	w.MaxPlans = 1 // a join takes two
	w.Start("b", reads("b", "orders"))
	w.Settle()
	said.mustSay(t, "settling took 2 plans since a member last came or went, 1 are allowed")
}

func partitions(numbers ...int32) []scenario.Partition {
	return scenario.Flatten(map[string][]int32{"t": numbers})
}

func TestLedger(t *testing.T) {
	a1, a2, b1 := scenario.Owner{Member: "a", Life: 1}, scenario.Owner{Member: "a", Life: 2}, scenario.Owner{Member: "b", Life: 1}
	var l scenario.Ledger
	for i, e := range []scenario.Event{
		{Owner: a1, Kind: scenario.Assigned, Partitions: partitions(0, 1, 2)},
		{Owner: a1, Kind: scenario.Revoked, Partitions: partitions(2)},
		{Owner: b1, Kind: scenario.Assigned, Partitions: partitions(2)},
		{Owner: a1, Kind: scenario.Crashed},
		{Owner: a1, Kind: scenario.Assigned, Partitions: partitions(2)}, // said by a dead client
		{Owner: a2, Kind: scenario.Assigned, Partitions: partitions(0, 1)},
		{Owner: b1, Kind: scenario.Assigned, Partitions: partitions(1)},
		{Owner: b1, Kind: scenario.Lost, Partitions: partitions(1, 2)},
	} {
		e.Seq, e.At = i+1, time.Unix(int64(i), 0)
		l.Add(e)
	}
	overlaps := l.Overlaps()
	if len(overlaps) != 1 || overlaps[0].First != a2 || overlaps[0].Second != b1 || overlaps[0].Number != 1 {
		t.Errorf("overlaps: %v", overlaps)
	}
	if owners := l.Owners(); len(owners) != 2 || !slices.Equal(owners[partitions(0)[0]], []scenario.Owner{a2}) {
		t.Errorf("owners: %v", owners)
	}
	if since := time.Unix(4, 0); l.Unowned(time.Time{}) != 2*time.Second || l.Unowned(since) != 2*time.Second || l.Unowned(since.Add(time.Second)) != 0 {
		t.Errorf("unowned for %v", l.Unowned(time.Time{}))
	}
	var got []string
	for _, i := range l.Intervals() {
		got = append(got, fmt.Sprintf("%v %v %d-%d", i.Partition, i.Owner, i.From.Seq, i.To.Seq))
	}
	want := []string{"t/0 a#1 1-4", "t/0 a#2 6-0", "t/1 a#1 1-4", "t/1 a#2 6-0", "t/1 b#1 7-8", "t/2 a#1 1-2", "t/2 b#1 3-8"}
	if !slices.Equal(got, want) {
		t.Errorf("intervals\n%v\nnot\n%v", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestOwnershipAssertions(t *testing.T) {
	own := func(members string) scenario.Ownership { // by partition of t
		o := make(scenario.Ownership)
		for i, m := range members {
			if m != '-' {
				o[scenario.Partition{Topic: "t", Number: int32(i)}] = string(m)
			}
		}
		return o
	}
	for _, tt := range []struct {
		name          string
		check         func(tb testing.TB, before, after scenario.Ownership)
		before, after string
		say           string // "": nothing
	}{
		{"equal", equal, "aabb", "aabb", ""},
		{"moved", equal, "aabb", "abbb", `t/1 "a"→"b"`},
		{"lost", equal, "aabb", "a-bb", `t/1 "a"→""`},
		{"join", gain, "aabb", "acbc", ""},
		{"join moves another", gain, "aabb", "acba", `t/3 "b"→"a"`},
		{"join gets nothing", gain, "aabb", "aabb", "got nothing"},
		{"leave", lose, "accb", "aabb", ""},
		{"leave moves another", lose, "accb", "babb", `t/0 "a"→"b"`},
		{"leave strands one", lose, "accb", "aa-b", `t/2 "c"→""`},
		{"leave keeps one", lose, "accb", "aacb", "had 2 partitions, 1 moved"},
		{"even", even, "", "aabbc", ""},
		{"uneven", even, "", "aaabc", "[3 1 1]"},
		{"even, one has nothing", even, "", "aaabb", "[3 2 0]"},
		{"least", least, "aaabbb", "aacbbc", ""},
		{"least, for who has most", least, "aabb", "aacb", ""},
		{"least, one is new", least, "aabb", "aabbc", ""},
		{"least, one is gone", least, "aabbcc", "aabbc", ""},
		{"more than least", least, "aaabbb", "bacabc", "4 partitions moved, 2 suffice"},
		{"less than least", least, "aaabbb", "aacbbb", "1 partitions moved, 2 suffice"},
	} {
		said := &told{TB: t}
		tt.check(said, own(tt.before), own(tt.after))
		switch {
		case tt.say != "":
			said.mustSay(t, tt.say)
		case len(said.errors) > 0:
			t.Errorf("%s: %q", tt.name, said.errors)
		}
	}
}

func equal(tb testing.TB, before, after scenario.Ownership) { after.MustEqual(tb, before) }
func gain(tb testing.TB, before, after scenario.Ownership)  { after.MustOnlyGain(tb, before, "c") }
func lose(tb testing.TB, before, after scenario.Ownership)  { after.MustOnlyLose(tb, before, "c") }
func even(tb testing.TB, _, after scenario.Ownership)       { after.MustBeEven(tb, "a", "b", "c") }
func least(tb testing.TB, before, after scenario.Ownership) {
	after.MustMoveLeast(tb, before, "a", "b", "c")
}
