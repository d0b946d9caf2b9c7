package cases_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/cases"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

// What claims prove and what they withhold, by who claims t/0 as of which
// generation. The rebalance is of generation 9.
func TestClaims(t *testing.T) {
	zero := []int32{0}
	for _, tt := range []struct {
		name    string
		planned string
		members []lead.Member
		owner   string // as the report says before; "" for nobody
		sent    string // who gets it; "" for nobody
	}{
		{"nobody claims it", "b", []lead.Member{claims("a", 8, nil), claims("b", 8, nil)}, "", "b"},
		{"its owner keeps it", "a", []lead.Member{claims("a", 8, zero), claims("b", 8, nil)}, "a", "a"},
		{"it moves", "b", []lead.Member{claims("a", 8, zero), claims("b", 8, nil)}, "a", ""},
		{"an old claim alone still counts", "b", []lead.Member{claims("a", 2, zero), claims("b", 8, nil)}, "a", ""},
		{"a claim without a generation still counts", "b", []lead.Member{claims("a", -1, zero), claims("b", 8, nil)}, "a", ""},
		{"the highest generation owns", "b", []lead.Member{claims("a", 7, zero), claims("b", 8, zero)}, "b", "b"},
		{"the highest generation withholds", "a", []lead.Member{claims("a", 7, zero), claims("b", 8, zero)}, "b", ""},
		{"a beaten claimant is like anybody", "c", []lead.Member{claims("a", 7, zero), claims("b", 8, zero), claims("c", 8, nil)}, "b", ""},
		{"no generation loses to any", "a", []lead.Member{claims("a", -1, zero), claims("b", 1, zero)}, "b", ""},
		{"two without a generation tie", "c", []lead.Member{claims("a", -1, zero), claims("b", -1, zero), claims("c", 8, nil)}, "", ""},
		{"three tie, the planned one among them", "b", []lead.Member{claims("a", 8, zero), claims("b", 8, zero), claims("c", 8, zero)}, "", "b"},
		{"three tie, the planned one the first", "a", []lead.Member{claims("a", 8, zero), claims("b", 8, zero), claims("c", 8, zero)}, "", "a"},
		{"three tie, the planned one the last", "c", []lead.Member{claims("a", 8, zero), claims("b", 8, zero), claims("c", 8, zero)}, "", "c"},
		{"three tie, the planned one is another", "d", []lead.Member{claims("a", 8, zero), claims("b", 8, zero), claims("c", 8, zero), claims("d", 8, nil)}, "", ""},
		{"three tie below a fourth", "a", []lead.Member{claims("a", 7, zero), claims("b", 7, zero), claims("c", 7, zero), claims("d", 8, zero)}, "d", ""},
		{"a tie is broken by a later claim only", "a", []lead.Member{claims("a", 8, zero), claims("b", 8, zero), claims("c", 2, zero)}, "", "a"},
		{"the rebalance's own generation is no proof", "a", []lead.Member{claims("a", 9, zero), claims("b", 1, zero)}, "b", ""},
		{"a generation to come is no proof", "a", []lead.Member{claims("a", math.MaxInt32, zero), claims("b", 1, zero)}, "b", ""},
		{"a generation to come ties with none", "c", []lead.Member{claims("a", 10, zero), claims("b", -1, zero), claims("c", 8, nil)}, "", ""},
		{"a generation to come alone still counts", "b", []lead.Member{claims("a", 10, zero), claims("b", 8, nil)}, "a", ""},
		{"a negative generation is none", "a", []lead.Member{claims("a", math.MinInt32, zero), claims("b", -1, zero)}, "", "a"},
		{"one that does not read it withholds it", "b", []lead.Member{reads(claims("a", 8, zero), "u"), claims("b", 8, nil)}, "", ""},
		{"one that does not read it is beaten", "b", []lead.Member{reads(claims("a", 7, zero), "u"), claims("b", 8, zero)}, "b", "b"},
		{"a tie with one that does not read it", "b", []lead.Member{reads(claims("a", 8, zero), "u"), claims("b", 8, zero)}, "", "b"},
		{"claimed twice by one", "a", []lead.Member{claims("a", 8, []int32{0, 0, 0}), claims("b", 8, nil)}, "a", "a"},
		{"claimed twice by one of a tie", "c", []lead.Member{claims("a", 8, []int32{0, 0}), claims("b", 8, []int32{0, 0}), claims("c", 8, nil)}, "", ""},
		{"negative partitions", "a", []lead.Member{claims("a", 8, []int32{math.MinInt32, -1, 0}), claims("b", 8, []int32{-1})}, "a", "a"},
	} {
		for _, reversed := range []bool{false, true} {
			t.Run(tt.name, func(t *testing.T) {
				l := cases.NewLeader(placed{"t": tt.planned})
				joined := lead.Join(tt.members)
				if reversed {
					slices.Reverse(joined)
				}
				r, err := l.Play("group", 9, "leader", joined, known(map[string]int32{"t": 1, "u": 1}))
				if err != nil {
					t.Fatal(err)
				}
				if err := r.Check(); err != nil {
					t.Error(err)
				}
				owner, got := "", ""
				g := r.Report.Group
				for i, topic := range g.Topics {
					if topic.Name == "t" && r.Report.Before[i][0] != assignor.None {
						owner = g.Members[r.Report.Before[i][0]].ID
					}
				}
				for id, owned := range r.Sent {
					if len(owned["t"]) > 0 {
						got += id
					}
				}
				if owner != tt.owner || got != tt.sent {
					t.Errorf("owner %q, sent to %q; want %q and %q", owner, got, tt.owner, tt.sent)
				}
			})
		}
	}
}

// Where the generation is not known, as in a program that drives a Balancer
// itself, no claim is too late.
func TestUnknownGenerationBelievesAll(t *testing.T) {
	r := round(t, newHRW(), 0, of(1), claims("a", 7, []int32{0}), claims("b", math.MaxInt32, []int32{0}))
	before(t, r, "a: -; b: t[0]")
}

func reads(m lead.Member, topics ...string) lead.Member {
	m.Topics = topics
	return m
}

// A topic listed twice among the owned ones, as no honest client does.
func TestRepeatedTopicInOwnership(t *testing.T) {
	meta, err := cases.ReadMetadata(lead.Join([]lead.Member{claims("a", 8, []int32{0})})[0].ProtocolMetadata)
	if err != nil {
		t.Fatal(err)
	}
	meta.OwnedPartitions = append(meta.OwnedPartitions, kmsg.ConsumerMemberMetadataOwnedPartition{Topic: "t", Partitions: []int32{1, 0}}, kmsg.ConsumerMemberMetadataOwnedPartition{Topic: "a", Partitions: []int32{1}})
	a := claims("a", 8, nil)
	a.Metadata = meta.AppendTo(nil)
	r := round(t, newHRW(), 9, of(2), a, claims("b", 8, nil))
	before(t, r, "a: t[0 1]; b: -")
}

// Beyond what a leader knows, only a sole and valid claim is believed, up to
// partition 100,000.
func TestClaimsBeyondTheCount(t *testing.T) {
	l := newHRW()
	r := round(t, l, 9, of(1),
		claims("a", 8, []int32{1, 2, 3, 100_000, 100_001, math.MaxInt32}),
		claims("b", 8, []int32{2, 4}),
		claims("c", 7, []int32{3, 5}),
		reads(claims("d", 8, []int32{4, 6}), "u"))
	for _, tt := range []struct {
		p    int32
		want string
	}{{1, "a"}, {2, ""}, {3, "a"}, {4, ""}, {5, "c"}, {6, ""}, {100_000, "a"}, {100_001, ""}, {math.MaxInt32, ""}} {
		if got := ownerOf(r, "t", tt.p); got != tt.want {
			t.Errorf("t/%d goes to %q, want %q", tt.p, got, tt.want)
		}
	}
	if len(r.Report.Held) != 4 {
		t.Errorf("held %v", r.Report.Held)
	}
}

func ownerOf(r *cases.Round, topic string, p int32) (owner string) {
	for id, owned := range r.Sent {
		if slices.Contains(owned[topic], p) {
			owner += id
		}
	}
	return owner
}

// In a topic that is known to be that large, high numbers are like any other.
func TestPartitionsBeyondAHundredThousand(t *testing.T) {
	last := int32(100_005)
	l := cases.NewLeader(placed{})
	r := round(t, l, 9, of(last+1), claims("a", 8, []int32{0, last}), claims("b", 8, []int32{last - 1}))
	if got := ownerOf(r, "t", last); got != "a" {
		t.Errorf("t/%d goes to %q, want a", last, got)
	}
	if got := ownerOf(r, "t", last-1); got != "" { // planned for a, b lets go
		t.Errorf("t/%d goes to %q, want nobody", last-1, got)
	}
}

// A new leader's metadata may be older than what members own; one that has seen
// a larger count knows that the topic shrank.
func TestOlderMetadataAndShrunkTopics(t *testing.T) {
	a, b := claims("a", 1, []int32{0, 1}), claims("b", 1, []int32{2, 3})
	l := newHRW()
	r := round(t, l, 2, of(2), a, b)
	if ownerOf(r, "t", 2) != "b" || ownerOf(r, "t", 3) != "b" {
		t.Errorf("a leader with older metadata: sent %v", r.Sent)
	}
	r = round(t, l, 3, of(4), next(r, a, b)...)
	r = round(t, l, 4, of(4), next(r, a, b)...)
	r = round(t, l, 5, of(2), next(r, a, b)...)
	if ownerOf(r, "t", 2) != "" || ownerOf(r, "t", 3) != "" || len(r.Report.Held) > 0 {
		t.Errorf("the topic shrank before this leader's eyes: sent %v", r.Sent)
	}
	// It forgets once nobody reads the topic.
	round(t, l, 6, of(2), reads(a, "u"), reads(b, "u"))
}

// A topic whose metadata fails stays with its owners; one that is named unknown
// three times running is gone; it comes back like a new one.
func TestMissingTopic(t *testing.T) {
	a, b, c := claims("a", 1, []int32{0}), claims("b", 1, []int32{1, 2}), claims("c", 0, []int32{2})
	unknown := cases.View{Unknown: []string{"t"}}
	l := newHRW()
	r := round(t, l, 2, cases.View{}, a, b, c)
	sent(t, r, "a:t[0] b:t[1 2] c:")
	if !r.Report.Owed || !slices.Equal(r.Report.Missing, []string{"t"}) || len(r.Warned(assignor.WarnTopic)) != 1 {
		t.Errorf("owed %v, missing %v, warnings %v", r.Report.Owed, r.Report.Missing, r.Warnings)
	}
	for generation := int32(3); generation <= 5; generation++ {
		r = round(t, l, generation, unknown, next(r, a, b, c)...)
		sent(t, r, map[bool]string{true: "a:t[0] b:t[1 2] c:", false: "a: b: c:"}[generation < 5])
	}
	if r.Report.Owed {
		t.Error("a round is owed for a topic that is gone")
	}
	r = round(t, l, 6, of(3), next(r, a, b, c)...)
	if n := len(r.Sent["a"]["t"]) + len(r.Sent["b"]["t"]) + len(r.Sent["c"]["t"]); n != 3 {
		t.Errorf("the topic is back: sent %v", r.Sent)
	}
	// In between it was seen: counting begins anew.
	r = round(t, l, 7, unknown, next(r, a, b, c)...)
	r = round(t, l, 8, cases.View{}, next(r, a, b, c)...)
	r = round(t, l, 9, unknown, next(r, a, b, c)...)
	r = round(t, l, 10, unknown, next(r, a, b, c)...)
	if !r.Report.Owed {
		t.Error("the topic is given up after two rounds running")
	}
}

// Two rounds of unknown, one in which nobody reads the topic, and two more: not
// three running.
func TestUnknownRoundsMustRun(t *testing.T) {
	l := newHRW()
	unknown := cases.View{Counts: map[string]int32{"u": 1}, Unknown: []string{"t"}}
	a := claims("a", 1, []int32{0}, "u", "v") // v fails for another reason
	r := round(t, l, 2, unknown, a)
	r = round(t, l, 3, unknown, next(r, a)...)
	round(t, l, 4, unknown, reads(a, "u", "v"))
	r = round(t, l, 5, unknown, claims("a", 4, []int32{0}, "u", "v"))
	fault(t, "memory.remember keeps a topic that nobody reads among those counted as unknown while another topic is missing for another reason", !slices.Contains(r.Report.Missing, "t"))
	sent(t, r, "a:t[0]u[0]")
}

// A member that is listed twice counts once, with what it said first.
func TestDuplicateMemberIDs(t *testing.T) {
	joined := lead.Join([]lead.Member{claims("a", 8, []int32{0}), claims("b", 8, []int32{1})})
	other := lead.Join([]lead.Member{claims("a", 8, []int32{1})})
	for _, again := range [][]kmsg.JoinGroupResponseMember{{joined[0]}, {joined[1], joined[1]}, other} {
		l := newHRW()
		r, err := l.Play("group", 9, "leader", append(slices.Clone(joined), again...), of(4))
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Sync) != 2 {
			t.Fatalf("%d members are named, want 2", len(r.Sync))
		}
		before(t, r, "a: t[0]; b: t[1]; (nobody): t[2 3]")
	}
}

// Leaders that change in the middle of a handover, with and without memory,
// finish it as one that stays would.
func TestLeaderChangesInTheMiddleOfAHandover(t *testing.T) {
	a, b, c := claims("a", 1, []int32{0, 1, 2, 3}), claims("b", 1, []int32{4, 5, 6, 7}), claims("c", -1, nil)
	want := ""
	for name, leaders := range map[string][]int{"one stays": {0, 0, 0}, "a restart": {0, 1, 1}, "two in a row": {0, 1, 2}, "the first comes back": {0, 1, 0}} {
		pool := []*cases.Leader{newHRW(), newHRW(), newHRW()}
		// All of them have led before, and remember something else.
		for _, l := range pool[1:] {
			round(t, l, 1, of(5), claims("a", 0, nil), claims("gone", 0, []int32{3}))
		}
		r := round(t, pool[leaders[0]], 2, of(8), a, b, c)
		if len(r.Report.Withheld) == 0 {
			t.Fatal("nothing moves: not the middle of a handover")
		}
		r = round(t, pool[leaders[1]], 3, of(8), next(r, a, b, c)...)
		if len(r.Report.Withheld) > 0 {
			t.Errorf("%s: withheld %v in the second round", name, r.Withheld())
		}
		r = round(t, pool[leaders[2]], 4, of(8), next(r, a, b, c)...)
		if got := say(r.Sent); want == "" {
			want = got
		} else if got != want {
			t.Errorf("%s: %s\nwant %s", name, got, want)
		}
	}
}

// In the middle of a handover, half of the members have let go: the rest stays
// withheld.
func TestHalfOfAHandover(t *testing.T) {
	l := cases.NewLeader(placed{"t": "c c"})
	a, b, c := claims("a", 1, []int32{0}), claims("b", 1, []int32{1}), claims("c", -1, nil)
	sent(t, round(t, l, 2, of(2), a, b, c), "a: b: c:")
	a, c = claims("a", 2, nil), claims("c", 2, nil) // b's sync was refused
	b = claims("b", 2, []int32{1})
	sent(t, round(t, l, 3, of(2), a, b, c), "a: b: c:t[0]")
}

// A member that was removed and comes back under a new ID with what it had
// proves nothing by it, and still withholds.
func TestRemovedInBetween(t *testing.T) {
	l := cases.NewLeader(placed{"t": "b b"})
	a, b := claims("a1", -1, nil), claims("b", -1, nil)
	r := round(t, l, 2, of(2), a, b)
	r = round(t, l, 3, of(2), next(r, b)...) // a1 sleeps
	r = round(t, l, 4, of(2), append(next(r, b), claims("a2", 1, []int32{0}))...)
	before(t, r, "a2: -; b: t[0 1]")
	sent(t, r, "a2: b:t[0 1]")

	// b dies: a2 alone claims, and another is to have it.
	l = cases.NewLeader(placed{"t": "c c"})
	round(t, l, 3, of(2), claims("b", 2, []int32{0, 1}))
	r = round(t, l, 4, of(2), claims("a2", 1, []int32{0}), claims("c", -1, nil))
	before(t, r, "a2: -; c: -; (nobody): t[0 1]")
	sent(t, r, "a2: c:t[1]")
	r = round(t, l, 5, of(2), next(r, claims("a2", 0, nil), claims("c", 0, nil))...)
	sent(t, r, "a2: c:t[0 1]")

	// A leader that did not lead the round before cannot know.
	r = round(t, newHRW(), 4, of(2), claims("a2", 1, []int32{0}), claims("c", 3, nil))
	before(t, r, "a2: t[0]; c: -; (nobody): t[1]")
}

// Metadata that cannot be read costs its own member only, and what this leader
// last gave it goes to nobody until it has said, or shown by an empty
// assignment, that it stopped.
func TestUnreadableMemberWithPartitions(t *testing.T) {
	l := cases.NewLeader(placed{"t": "a b b"})
	a, b := claims("a", -1, nil), claims("b", -1, nil)
	r := round(t, l, 1, of(3), a, b)
	sent(t, r, "a:t[0] b:t[1 2]")
	ms := next(r, a, b)
	for _, meta := range [][]byte{{}, {0}, {0, 3}, {0, 3, 0, 0, 0, 9}, []byte("not metadata at all, far from it")} {
		l := cases.NewLeader(placed{"t": "a b b"})
		r := round(t, l, 1, of(3), a, b)
		ms[1].Metadata = meta
		r = round(t, l, 2, of(3), ms...)
		sent(t, r, "a:t[0] b:")
		if ws := r.Warned(assignor.WarnMetadata); len(ws) != 1 || !strings.Contains(ws[0].Member, "b") || !r.Report.Owed {
			t.Errorf("warnings %v, owed %v", r.Warnings, r.Report.Owed)
		}
		ms[1].Metadata = nil
		r = round(t, l, 3, of(3), next(r, a, b)...)
		sent(t, r, "a:t[0] b:t[1 2]")
		// Nobody can be read.
		r = round(t, l, 4, of(3), lead.Member{ID: "a", Metadata: meta}, lead.Member{ID: "b", Metadata: meta})
		sent(t, r, "a: b:")
	}
}

// Every way of cutting off metadata is either read or costs its member only.
func TestMetadataCutOffAtEachByte(t *testing.T) {
	b := hrw.New(assignor.Identity("pod-b"), assignor.Endpoint("b:1"))
	whole := lead.Join([]lead.Member{{ID: "b", Balancer: b, Topics: []string{"t", "u"}, Owned: lead.Owned{"t": {1, 2}, "u": {0}}, Generation: 8}})[0].ProtocolMetadata
	for n := range len(whole) + 1 {
		l := newHRW()
		r := round(t, l, 9, known(map[string]int32{"t": 3, "u": 1}), claims("a", 8, []int32{0}), lead.Member{ID: "b", Metadata: whole[:n]})
		_, err := cases.ReadMetadata(whole[:n])
		if ws := r.Warned(assignor.WarnMetadata); (err != nil) != (len(ws) > 0) {
			t.Errorf("the first %d of %d bytes: kmsg says %v, warnings %v", n, len(whole), err, ws)
		}
	}
}
