package cases_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"pgregory.net/rapid"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/cases"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

// Metadata of kgo's own balancers: what it owns counts, its user data does not.
func TestForeignMetadata(t *testing.T) {
	for _, tt := range []struct {
		b      kgo.GroupBalancer
		proves bool // lists ownership where every cooperative balancer does
	}{{kgo.CooperativeStickyBalancer(), true}, {kgo.StickyBalancer(), false}, {kgo.RangeBalancer(), false}, {kgo.RoundRobinBalancer(), false}} {
		a := lead.Member{ID: "a", Balancer: tt.b, Topics: []string{"t"}, Owned: lead.Owned{"t": {0, 1}}, Generation: 8}
		l := newHRW()
		r := round(t, l, 9, of(3), a, claims("b", 8, []int32{2}))
		if len(r.Warnings) > 0 {
			t.Errorf("%s: %v", tt.b.ProtocolName(), r.Warnings)
		}
		if m := r.Report.Group.Members[0]; m.Key != "a" || m.Weight != 1 || m.Endpoint != "" {
			t.Errorf("%s: %+v", tt.b.ProtocolName(), m)
		}
		if tt.proves {
			before(t, r, "a: t[0 1]; b: t[2]")
		} else {
			before(t, r, "a: -; b: t[2]; (nobody): t[0 1]")
		}
	}
}

// A member of a later version: more fields behind those of the consumer
// protocol, another version of our data, tags that nobody knows yet.
func TestNewerMetadata(t *testing.T) {
	b := hrw.New(assignor.Identity("pod-7"), assignor.Endpoint("pod-7:1"))
	meta, err := cases.ReadMetadata(lead.Join([]lead.Member{{ID: "b", Balancer: b, Topics: []string{"t"}, Owned: lead.Owned{"t": {0}}, Generation: 8}})[0].ProtocolMetadata)
	if err != nil {
		t.Fatal(err)
	}
	meta.UserData[2] = 9
	meta.UserData = append(binary.AppendUvarint(binary.AppendUvarint(meta.UserData, 300), 3), "new"...)
	src := append(meta.AppendTo(nil), "and more"...)
	binary.BigEndian.PutUint16(src, 7)
	r := round(t, newHRW(), 9, of(1), claims("a", 8, nil), lead.Member{ID: "b", Metadata: src})
	if m := r.Report.Group.Members[1]; m.Key != "pod-7" || m.Endpoint != "pod-7:1" || len(r.Warnings) > 0 {
		t.Errorf("%+v, warnings %v", m, r.Warnings)
	}
	before(t, r, "a: -; pod-7: t[0]")
}

// Our own data cut off anywhere keeps the identity if it got that far, and the
// member works either way.
func TestUserDataCutOffAtEachByte(t *testing.T) {
	b := hrw.New(assignor.Identity("pod-7"), assignor.Endpoint("pod-7:1"), assignor.Pinned())
	whole, err := cases.ReadMetadata(lead.Join([]lead.Member{{ID: "b", Balancer: b, Topics: []string{"t"}, Owned: lead.Owned{"t": {0}}, Generation: 8}})[0].ProtocolMetadata)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(whole.UserData) {
		meta := whole
		meta.UserData = whole.UserData[:n]
		r := round(t, newHRW(), 9, of(1), claims("a", 8, nil), lead.Member{ID: "b", Metadata: meta.AppendTo(nil)})
		want := "b"
		if n >= 3+1+len("pod-7") {
			want = "pod-7"
		}
		if got := r.Report.Group.Members[1].Key; got != want {
			t.Errorf("%d bytes: key %q, want %q", n, got, want)
		}
		before(t, r, "a: -; "+want+": t[0]")
	}
}

// kgo writes the rack into metadata after us.
func TestRackIsReadAndDisturbsNothing(t *testing.T) {
	b := hrw.New(assignor.Identity("pod-7"))
	meta, err := cases.ReadMetadata(lead.Join([]lead.Member{{ID: "b", Balancer: b, Topics: []string{"t"}, Owned: lead.Owned{"t": {0}}, Generation: 8}})[0].ProtocolMetadata)
	if err != nil {
		t.Fatal(err)
	}
	meta.Rack = kmsg.StringPtr("rack-1")
	r := round(t, newHRW(), 9, of(1), lead.Member{ID: "b", Metadata: meta.AppendTo(nil)})
	if m := r.Report.Group.Members[0]; m.Key != "pod-7" || m.Rack != "rack-1" {
		t.Errorf("%+v", m)
	}
	before(t, r, "pod-7: t[0]")
}

// Members that share an identity, an instance, or an identity that is another's
// member ID are told apart, and keep what they own where the plan lets them.
func TestTwins(t *testing.T) {
	twin := func(id, instance, identity string, owned []int32) lead.Member {
		return lead.Member{ID: id, Instance: instance, Balancer: hrw.New(assignor.Identity(identity)), Topics: []string{"t"}, Owned: lead.Owned{"t": owned}, Generation: 8}
	}
	r := round(t, newHRW(), 9, of(6), twin("m1", "", "x", []int32{0}), twin("m2", "", "x", []int32{1}), twin("m3", "", "x", []int32{2}),
		claims("x", 8, []int32{3}), lead.Member{ID: "m4", Instance: "x", Balancer: plain, Topics: []string{"t"}, Owned: lead.Owned{"t": {4}}, Generation: 8})
	var keys []string
	for _, m := range r.Report.Group.Members {
		keys = append(keys, m.ID+"="+m.Key)
	}
	if want := []string{"m1=x", "m2=x\x00m2", "m3=x\x00m3", "m4=x\x00m4", "x=x\x00x"}; !slices.Equal(keys, want) {
		t.Errorf("keys %q, want %q", keys, want)
	}
	if ws := r.Warned(assignor.WarnIdentity); len(ws) != 1 || !strings.Contains(ws[0].Message, "5 live members") {
		t.Errorf("warnings %v", ws)
	}
}

// An identity that leaves to its twin is not the twin's past: a leader that knew
// both gives the name to the one that is left.
func TestTwinOfOneThatLeft(t *testing.T) {
	twin := func(id string) lead.Member {
		return lead.Member{ID: id, Balancer: hrw.New(assignor.Identity("x")), Topics: []string{"t"}}
	}
	l := newHRW()
	r := round(t, l, 1, of(4), twin("m1"), twin("m2"))
	r = round(t, l, 2, of(4), next(r, twin("m2"))...)
	if key := r.Report.Group.Members[0].Key; key != "x" {
		t.Errorf("key %q", key)
	}
	r = round(t, l, 3, of(4), append(next(r, twin("m2")), twin("m1"))...)
	if got := r.Report.Group.Members[0].ID; got != "m2" {
		t.Errorf("the key goes to %s, though m2 had it", got)
	}
}

// hostile plays a few rounds of a group in which anybody may send anything.
func hostile(t *rapid.T) {
	leaders := []*cases.Leader{newHRW(), newHRW(assignor.Pinned())}
	generation := int32(rapid.IntRange(0, 3).Draw(t, "generation")) // 0: unknown
	for range rapid.IntRange(1, 4).Draw(t, "rounds") {
		var members []kmsg.JoinGroupResponseMember
		for range rapid.IntRange(0, 6).Draw(t, "members") {
			m := hostileMember(t, generation)
			// Listed again it says the same; see TestDuplicateMemberHidesATopic.
			if i := slices.IndexFunc(members, func(o kmsg.JoinGroupResponseMember) bool { return o.MemberID == m.MemberID }); i >= 0 {
				m = members[i]
			}
			members = append(members, m)
		}
		v := cases.View{Counts: rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "c"}), rapid.Int32Range(-1, 6), 0, 3).Draw(t, "counts"),
			Unknown: rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b"}), 0, 2).Draw(t, "unknown")}
		l := leaders[rapid.IntRange(0, 1).Draw(t, "leader")]
		r, err := l.Play("group", generation, "x", members, v)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Check(); err != nil {
			t.Fatalf("%v\nsent %v", err, r.Sent)
		}
		if generation > 0 {
			generation += int32(rapid.IntRange(1, 2).Draw(t, "later"))
		}
	}
}

var (
	topicsAtAll = rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", ""}), 0, 4)
	partitions  = rapid.SliceOfN(rapid.OneOf(rapid.Int32Range(-2, 9), rapid.SampledFrom([]int32{100_000, 100_001, 1<<31 - 1, -1 << 31})), 0, 5)
	anyone      = rapid.SampledFrom([]string{"v", "w", "x", "y", "z"})
)

func hostileMember(t *rapid.T, generation int32) kmsg.JoinGroupResponseMember {
	balancers := []kgo.GroupBalancer{hrw.New(), hrw.New(assignor.Identity(anyone.Draw(t, "identity"))), kgo.CooperativeStickyBalancer(), kgo.RangeBalancer()}
	meta := kmsg.NewConsumerMemberMetadata()
	b := balancers[rapid.IntRange(0, len(balancers)-1).Draw(t, "balancer")]
	if err := meta.ReadFrom(b.JoinGroupMetadata(topicsAtAll.Draw(t, "topics"), nil, -1)); err != nil {
		t.Fatal(err)
	}
	meta.Version = int16(rapid.IntRange(0, 4).Draw(t, "version"))
	meta.Generation = generation + rapid.Int32Range(-3, 2).Draw(t, "generation")
	for range rapid.IntRange(0, 4).Draw(t, "owned") {
		meta.OwnedPartitions = append(meta.OwnedPartitions, kmsg.ConsumerMemberMetadataOwnedPartition{Topic: rapid.SampledFrom([]string{"a", "b", "c", ""}).Draw(t, "topic"), Partitions: partitions.Draw(t, "partitions")})
	}
	src := meta.AppendTo(nil)
	switch rapid.IntRange(0, 7).Draw(t, "damage") {
	case 5:
		src = src[:rapid.IntRange(0, len(src)).Draw(t, "cut")]
	case 6:
		src[rapid.IntRange(0, len(src)-1).Draw(t, "at")] ^= rapid.Byte().Draw(t, "flip")
	case 7:
		src = rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "bytes")
	}
	m := kmsg.NewJoinGroupResponseMember()
	m.MemberID, m.ProtocolMetadata = anyone.Draw(t, "ID"), src
	if rapid.Bool().Draw(t, "static") {
		m.InstanceID = kmsg.StringPtr(anyone.Draw(t, "instance"))
	}
	return m
}

// Whatever members send, no round fails, everybody is named, and nobody is given
// what another claims.
func TestHostileGroups(t *testing.T) { rapid.Check(t, hostile) }

func FuzzHostileGroups(f *testing.F) { f.Fuzz(rapid.MakeFuzz(hostile)) }

// A liar at the highest generation can keep a partition from everybody. Where it
// is planned the partition it even gets it at once, as any claimant in a tie
// does: only ACLs keep liars out. It cannot make the group fail or keep others
// from what it does not claim.
func TestLiarWithholdsOnlyWhatItClaims(t *testing.T) {
	all := []int32{0, 1, 2, 3, 4, 5}
	l := newHRW()
	a, b := claims("a", -1, nil), claims("b", -1, nil)
	r := round(t, l, 1, of(6), a, b)
	for generation := int32(2); generation < 6; generation++ {
		r = round(t, l, generation, of(6), append(next(r, a, b), claims("liar", generation-1, all[:3]))...)
		for p := range int32(6) {
			if owner := ownerOf(r, "t", p); p >= 3 && owner == "" && generation > 3 {
				t.Errorf("generation %d: t/%d, which is not claimed, goes to nobody", generation, p)
			}
		}
	}
	if got := fmt.Sprint(r.Withheld()); got != "[t/0 t/1 t/2]" && len(r.Withheld()) > 3 {
		t.Errorf("withheld %s", got)
	}
}
