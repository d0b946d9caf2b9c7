package assignor

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// checkDecode compares our decoder with kmsg's, which kgo uses.
func checkDecode(t *testing.T, src []byte) {
	t.Helper()
	var want kmsg.ConsumerMemberMetadata
	err := want.ReadFrom(src)
	if err != nil && bytes.HasPrefix(src, []byte{0, 1}) { // as kgo does
		v0 := slices.Clone(src)
		v0[1] = 0
		err = want.ReadFrom(v0)
	}
	sets := newTopicSets(1)
	var got metadata
	gotErr := sets.decode(src, &got)
	if (err == nil) != (gotErr == nil) {
		t.Fatalf("%x: kmsg says %v, we say %v", src, err, gotErr)
	}
	if err != nil {
		return
	}
	topics := slices.Clone(want.Topics)
	slices.Sort(topics)
	topics = slices.Compact(topics)
	var names []string
	for _, id := range sets.sets[got.set].ids {
		names = append(names, sets.names[id])
	}
	if !slices.Equal(names, topics) {
		t.Fatalf("topics %q, want %q", names, topics)
	}
	if got.generation != max(want.Generation, -1) {
		t.Fatalf("generation %d, want %d", got.generation, want.Generation)
	}
	if (got.rack == nil) != (want.Rack == nil) || got.rack != nil && *got.rack != *want.Rack {
		t.Fatalf("rack %v, want %v", got.rack, want.Rack)
	}
	var claims, wantClaims []string
	eachClaim(got.owned, func(topic, partitions []byte) {
		for ; len(partitions) > 0; partitions = partitions[4:] {
			claims = append(claims, fmt.Sprintf("%s/%d", topic, int32(binary.BigEndian.Uint32(partitions))))
		}
	})
	for _, o := range want.OwnedPartitions {
		for _, p := range o.Partitions {
			wantClaims = append(wantClaims, fmt.Sprintf("%s/%d", o.Topic, p))
		}
	}
	if !slices.Equal(claims, wantClaims) {
		t.Fatalf("claims %q, want %q", claims, wantClaims)
	}
	// What kgo gets to see always decodes, with the same rack.
	var seen kmsg.ConsumerMemberMetadata
	if err := seen.ReadFrom(got.justRack()); err != nil {
		t.Fatalf("just the rack: %v", err)
	}
	if (seen.Rack == nil) != (want.Rack == nil) || len(seen.Topics) > 0 || len(seen.OwnedPartitions) > 0 {
		t.Fatalf("just the rack of %+v is %+v", want, seen)
	}
}

func metadataSeeds() [][]byte {
	rack := "r1"
	seeds := [][]byte{
		nil, {0}, {0, 0}, {0, 1, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff}, // the last: v1 without owned partitions
		{0, 3, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1, 0xff, 0xff},
		{0, 0, 0x7f, 0xff, 0xff, 0xff, 0, 0},
	}
	for version := int16(0); version <= 5; version++ {
		m := kmsg.NewConsumerMemberMetadata()
		m.Version = version
		m.Topics = []string{"b", "a", "b"}
		m.UserData = (&userData{identity: "x"}).append(nil)
		m.Generation = 7
		m.Rack = &rack
		o := kmsg.NewConsumerMemberMetadataOwnedPartition()
		o.Topic, o.Partitions = "a", []int32{3, 1, -1}
		m.OwnedPartitions = append(m.OwnedPartitions, o, o)
		seeds = append(seeds, m.AppendTo(nil))
	}
	return seeds
}

func TestDecodeLikeKmsg(t *testing.T) {
	for _, src := range metadataSeeds() {
		checkDecode(t, src)
		for n := range src {
			checkDecode(t, src[:n])
			changed := slices.Clone(src)
			changed[n] ^= 0x81
			checkDecode(t, changed)
		}
	}
}

func FuzzMetadata(f *testing.F) {
	for _, src := range metadataSeeds() {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) < 1<<16 {
			checkDecode(t, src)
		}
	})
}

func TestMetadataIsDeterministic(t *testing.T) {
	owned := map[string][]int32{}
	var topics []string
	for i := range 20 {
		topics = append(topics, fmt.Sprintf("t%02d", i))
		owned[topics[i]] = []int32{1, 2, 3}
	}
	b, err := New(stub{}, Identity("worker-7"))
	if err != nil {
		t.Fatal(err)
	}
	first := b.JoinGroupMetadata(topics, owned, 3)
	for range 50 {
		if !bytes.Equal(first, b.JoinGroupMetadata(topics, owned, 3)) {
			t.Fatal("the same input gave other bytes: endless rebalances (KAFKA-12898)")
		}
	}
}

// The record limit makes bytes a limit on the size of a group.
func TestMetadataIsSmall(t *testing.T) {
	b, err := New(stub{}, Identity("worker-00007"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		partitions int
		ratio      float64
	}{{10, 0.70}, {50, 0.65}, {100, 0.60}} {
		var topics []string
		owned := map[string][]int32{}
		for i := range 10 {
			topic := fmt.Sprintf("topic-%010d", i)
			topics = append(topics, topic)
			for p := range c.partitions / 10 {
				owned[topic] = append(owned[topic], int32(p))
			}
		}
		ours := len(b.JoinGroupMetadata(topics, owned, 5))
		theirs := len(kgo.CooperativeStickyBalancer().JoinGroupMetadata(topics, owned, 5))
		if r := float64(ours) / float64(theirs); r > c.ratio {
			t.Errorf("%d partitions: %d bytes, kgo %d: %.2f, want at most %.2f", c.partitions, ours, theirs, r, c.ratio)
		}
	}
}

// stub is a strategy that does nothing of interest.
type stub struct{ assign func(*Group) Plan }

func (stub) Name() string { return "stub" }
func (stub) Homing()      {}
func (s stub) Assign(g *Group) Plan {
	if s.assign != nil {
		return s.assign(g)
	}
	p := make(Plan, len(g.Topics))
	for t := range p {
		p[t] = make([]int32, g.Topics[t].Partitions)
		for i := range p[t] {
			p[t][i] = g.Topics[t].Subscribers[0]
		}
	}
	return p
}
