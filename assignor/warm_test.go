package assignor

import (
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"pgregory.net/rapid"
)

func TestWarmRoundTrip(t *testing.T) {
	topics := []string{"a", "b", "c", "d"}
	rapid.Check(t, func(t *rapid.T) {
		warm := map[string][]int32{"not read": {1}}
		want := map[string]map[int32]bool{}
		for _, topic := range topics {
			ps := rapid.SliceOfN(rapid.SampledFrom([]int32{-1, 0, 1, 2, 3, 7, 8, 100, maxUnseenPartition, maxUnseenPartition + 1}), 0, 12).Draw(t, topic)
			warm[topic] = ps
			for _, p := range ps {
				if p >= 0 && p <= maxUnseenPartition {
					if want[topic] == nil {
						want[topic] = map[int32]bool{}
					}
					want[topic][p] = true
				}
			}
		}
		src, cut := encodeWarm(topics, warm)
		got := map[string]map[int32]bool{}
		err := eachWarm(src, func(i int, r partitionRange) {
			if got[topics[i]] == nil {
				got[topics[i]] = map[int32]bool{}
			}
			for p := r.first; p <= r.last; p++ {
				got[topics[i]][p] = true
			}
		})
		if err != nil || cut || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v became %v, %v, cut %v", want, got, err, cut)
		}
	})
}

func TestWarmIsCut(t *testing.T) {
	warm := map[string][]int32{"b": {5}}
	for p := int32(0); p < 4000; p += 2 {
		warm["a"] = append(warm["a"], p)
	}
	src, cut := encodeWarm([]string{"a", "b"}, warm)
	if !cut || len(src) > maxWarm {
		t.Errorf("%d bytes, cut %v", len(src), cut)
	}
	var got []string
	if err := eachWarm(src, func(i int, r partitionRange) { got = append(got, fmt.Sprint(i, r)) }); err != nil || len(got) != 1 {
		t.Errorf("what fits: %v, %v", got, err)
	}
}

func FuzzWarm(f *testing.F) {
	src, _ := encodeWarm([]string{"a", "b"}, map[string][]int32{"a": {1, 2, 3, 9}, "b": {0}})
	f.Add(src)
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1})
	f.Fuzz(func(t *testing.T, src []byte) {
		last := partitionRange{-1, -2}
		lastTopic := -1
		_ = eachWarm(src, func(topic int, r partitionRange) {
			if topic < lastTopic || topic == lastTopic && r.first <= last.last || r.last < r.first || r.last > maxUnseenPartition {
				t.Fatalf("%d %v after %d %v", topic, r, lastTopic, last)
			}
			last, lastTopic = r, topic
		})
	})
}

func TestWarmIsAskedOnceAGeneration(t *testing.T) {
	asked := 0
	w := warmList{fn: func() map[string][]int32 { asked++; return map[string][]int32{"t": {1}} }}
	for _, generation := range []int32{-1, -1, 3, 3, 3, 4} {
		if got, err := w.get(generation); err != nil || len(got) != 1 {
			t.Fatalf("%v, %v", got, err)
		}
	}
	if asked != 4 { // before the first generation nothing tells two joins apart
		t.Errorf("asked %d times", asked)
	}
}

func TestWarmThatFails(t *testing.T) {
	w := warmList{fn: func() map[string][]int32 { panic("no disk") }}
	if _, err := w.get(1); err == nil || !strings.Contains(err.Error(), "no disk") {
		t.Errorf("got %v", err)
	}
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		w := warmList{fn: func() map[string][]int32 {
			calls.Add(1)
			time.Sleep(time.Minute)
			return map[string][]int32{"t": {1}}
		}}
		start := time.Now()
		if _, err := w.get(1); err == nil || time.Since(start) != warmTimeout {
			t.Errorf("got %v after %v", err, time.Since(start))
		}
		if _, err := w.get(2); err == nil { // it still runs, and is not called again
			t.Error("answered")
		}
		time.Sleep(time.Minute)
		if got, err := w.get(3); err != nil || len(got) != 1 {
			t.Errorf("the late answer is %v, %v", got, err)
		}
		if calls.Load() != 1 {
			t.Errorf("called %d times", calls.Load())
		}
	})
}

// What members have at hand reaches the strategy, also from members that join
// with broken lists and of partitions that are not there.
func TestWarmReachesTheStrategy(t *testing.T) {
	var g *Group
	b, err := New(stub{func(seen *Group) Plan { g = seen; return stub{}.Assign(seen) }}, OnWarning(func(w Warning) {
		if w.Kind != WarnMetadata {
			t.Error(w)
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	join := func(id string, warm map[string][]int32) (m kmsg.JoinGroupResponseMember) {
		from, err := New(stub{}, Identity(id), Warm(func() map[string][]int32 { return warm }))
		if err != nil {
			t.Fatal(err)
		}
		m.MemberID, m.ProtocolMetadata = id, from.JoinGroupMetadata([]string{"t", "u"}, nil, -1)
		return m
	}
	broken := kmsg.JoinGroupResponseMember{MemberID: "z"}
	meta := kmsg.NewConsumerMemberMetadata()
	meta.Topics = []string{"t", "u"}
	meta.UserData = (&userData{identity: "z", warm: []byte{0, 1, 1, 0, 0xff}}).append(nil)
	broken.ProtocolMetadata = meta.AppendTo(nil)
	mb, _, err := b.MemberBalancer([]kmsg.JoinGroupResponseMember{
		join("a", map[string][]int32{"u": {0, 1, 99}, "other": {3}}), join("b", map[string][]int32{"u": {1}}), broken,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mb.(kgo.GroupMemberBalancerOrError).BalanceOrError(map[string]int32{"t": 2, "u": 3}); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(g.Topics[0].Warm, g.Topics[1].Warm); got != "[[] [2]] [[0] [0 1] []]" {
		t.Errorf("warm: %s", got)
	}
}

// The example of docs/wire.md.
func TestWarmGolden(t *testing.T) {
	got, _ := encodeWarm([]string{"a", "b", "c"}, map[string][]int32{"a": {2, 0, 9, 1, 0}, "c": {0}})
	if want := "00020002060001010000"; fmt.Sprintf("%x", got) != want {
		t.Errorf("got %x, want %s", got, want)
	}
}
