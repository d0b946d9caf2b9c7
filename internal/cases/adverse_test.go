package cases_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/cases"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

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
	round(t, l, 3, unknown, next(r, a)...)
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

	// Nor does it hold on to what the leader does not know.
	l = cases.NewLeader(placed{})
	round(t, l, 3, of(2), claims("b", 2, []int32{0, 1}))
	r = round(t, l, 4, cases.View{}, claims("a2", 1, []int32{0}), claims("b", 3, []int32{1}))
	sent(t, r, "a2: b:t[1]")

	// A leader that did not lead the round before cannot know.
	r = round(t, newHRW(), 4, of(2), claims("a2", 1, []int32{0}), claims("c", 3, nil))
	before(t, r, "a2: t[0]; c: -; (nobody): t[1]")
}

// Metadata that cannot be read costs its own member only, and what this leader
// last gave it goes to nobody until it has said, or shown by an empty
// assignment, that it stopped.
func TestUnreadableMemberWithPartitions(t *testing.T) {
	a, b := claims("a", -1, nil), claims("b", -1, nil)
	for _, meta := range [][]byte{{}, {0}, {0, 3}, {0, 3, 0, 0, 0, 9}, []byte("not metadata at all, far from it")} {
		l := cases.NewLeader(placed{"t": "a b b"})
		r := round(t, l, 1, of(3), a, b)
		sent(t, r, "a:t[0] b:t[1 2]")
		ms := next(r, a, b)
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
