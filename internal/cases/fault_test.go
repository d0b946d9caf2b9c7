package cases_test

import (
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/cases"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

// A static member that restarts in a stable group gets its stored assignment
// under a new member ID, with no round: this leader has not seen the ID, and yet
// the member was never removed. What it claims is its own.
func TestStaticMemberRestartedWithoutARound(t *testing.T) {
	static := func(id string) lead.Member {
		return lead.Member{ID: id, Instance: "s", Balancer: plain, Topics: []string{"t", "u"}}
	}
	l := cases.NewLeader(placed{"t": "s s"})
	v := known(map[string]int32{"t": 2, "u": 1})
	a := reads(claims("a", -1, nil), "u")
	r := round(t, l, 1, v, static("s-1"), a)
	sent(t, r, "a:u[0] s-1:t[0 1]")
	restarted := static("s-2")
	restarted.Owned, restarted.Generation = r.Sent["s-1"], 1
	again := cases.NewLeader(placed{"t": "s s"}) // one without memory
	r2 := round(t, again, 2, v, append(next(r, a), restarted)...)
	before(t, r2, "a: u[0]; s: t[0 1]")

	r3 := round(t, l, 2, cases.View{Counts: map[string]int32{"u": 1}}, append(next(r, a), restarted)...)
	fault(t, "memory.removed takes a static member that restarted without a round for one that was removed: its claims do not own, and it loses the partitions of a missing topic",
		say(r3.Sent) != "a:u[0] s-2:t[0 1]")
	before(t, r3, "a: u[0]; s: -")
}

// A round whose syncs were refused gave nobody anything: what a member had
// before is still what it works on. If it then cannot be read, the leader must
// not go by what it planned to give.
func TestUnreadableMemberAfterARefusedSync(t *testing.T) {
	a, b := claims("a", -1, nil), claims("b", -1, nil)
	plan := placed{"t": "a a"}
	l := cases.NewLeader(plan)
	r := round(t, l, 1, of(2), a, b)
	sent(t, r, "a:t[0 1] b:")
	ms := next(r, a, b)
	plan["t"] = "a b" // t/1 is withheld from a, whose sync is refused
	r = round(t, l, 2, of(2), ms...)
	sent(t, r, "a:t[0] b:")
	broken := lead.Member{ID: "a", Metadata: []byte{0}} // would claim t/0 and t/1 as of generation 2
	r, err := l.Play("group", 3, "b", lead.Join([]lead.Member{broken, claims("b", 2, nil)}), of(2))
	if err != nil {
		t.Fatal(err)
	}
	fault(t, "memory.given knows what was planned, not what was claimed before: t/1 goes to b while a, unreadable since its sync was refused, still works on it",
		ownerOf(r, "t", 1) == "b")
	sent(t, r, "a: b:")
}

// A static member that does not rejoin in time stays in the group with the
// metadata of its latest join, which does not list what it was given then. This
// leader knows both: the generation in the metadata is older than the round it
// led, in which the member took part.
func TestStaticMemberThatDoesNotRejoin(t *testing.T) {
	s := lead.Member{ID: "s-1", Instance: "s", Balancer: plain, Topics: []string{"t"}}
	a := claims("a", -1, nil)
	plan := placed{"t": "s a"}
	l := cases.NewLeader(plan)
	r := round(t, l, 1, of(2), s, a)
	sent(t, r, "a:t[1] s-1:t[0]")
	// s hangs in a callback: the broker lists its metadata of generation 1's
	// join, which claims nothing.
	plan["t"] = "a a"
	r, err := l.Play("group", 2, "a", lead.Join(append(next(r, a), s)), of(2))
	if err != nil {
		t.Fatal(err)
	}
	fault(t, "a static member's metadata that is older than the round it took part in is believed: t/0 goes to a while s works on it",
		ownerOf(r, "t", 0) == "a")
	sent(t, r, "a:t[1] s-1:")
}

// A member that a buggy broker lists a second time, with other topics, is left
// out by kgo, and with it must not go what others read.
func TestDuplicateMemberHidesATopic(t *testing.T) {
	joined := lead.Join([]lead.Member{reads(claims("v", -1, nil), "u"), claims("v", -1, nil), claims("w", -1, nil)})
	l := newHRW()
	r, err := l.Play("group", 1, "w", joined, known(map[string]int32{"t": 2, "u": 1}))
	if err != nil {
		t.Fatal(err)
	}
	fault(t, "topics were written into the first member's metadata only, and kgo drops that member: the topic is missing",
		len(r.Report.Missing) > 0)
	sent(t, r, "v:u[0] w:t[0 1]")
}

// What was withheld on its way to a member is that member's until it has taken
// it; a refused sync in between changes nothing.
func TestHomeOfWhatIsOnItsWayOutlivesARefusedSync(t *testing.T) {
	l := cases.NewLeader(placed{"t": "b", "u": "b"})
	v := known(map[string]int32{"t": 1, "u": 1})
	a, b := claims("a", 1, []int32{0}, "u"), reads(claims("b", 1, nil), "t", "u")
	b.Owned = lead.Owned{"u": {0}}
	r := round(t, l, 2, v, a, b)
	sent(t, r, "a: b:u[0]")
	r = round(t, l, 3, v, next(r, a, b)...)
	sent(t, r, "a: b:t[0]u[0]")
	a.Owned, a.Generation, b.Generation = nil, 3, 3 // b's sync was refused: it still has u/0 only
	r = round(t, l, 4, v, a, b)
	homes := r.Report.Group.Topics[0].Homes
	fault(t, "memory.withheld is that of the latest round only: once t/0 has been given out its home is forgotten, though b never took it",
		homes == nil || r.Report.Group.Members[max(homes[0], 0)].Key != "b")
}
