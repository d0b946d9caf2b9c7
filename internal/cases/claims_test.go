package cases_test

import (
	"math"
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
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
