package scenario_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/scenario"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"
)

// marked makes a member ask for metadata in a version that no other client
// uses, so that the broker can be made to answer it alone.
func marked(spec scenario.Spec) scenario.Spec {
	versions := kversion.Stable()
	versions.SetMaxKeyVersion(int16(kmsg.Metadata), markedVersion)
	spec.Client = append(slices.Clone(spec.Client), kgo.MaxVersions(versions))
	return spec
}

const markedVersion = 12

func isMarked(req kmsg.Request) bool { return req.GetVersion() == markedVersion }

// failMetadata makes the marked members' metadata requests fail for a topic.
func (w *world) failMetadata(topic string) *kfake.FaultHandle {
	return w.cluster.Fault(kfake.Fault{
		Keys:  []kmsg.Key{kmsg.Metadata},
		Topic: topic,
		Err:   kerr.LeaderNotAvailable,
		Count: -1,
		When:  isMarked,
	})
}

// waitHit waits until a request has met the fault.
func (w *world) waitHit(fault *kfake.FaultHandle) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), w.Deadline)
	defer cancel()
	if err := fault.Wait(ctx, 1); err != nil {
		w.t.Fatalf("waited %v until a request meets the fault", w.Deadline)
	}
}

// waitPlan waits for a plan made since mark for which cond holds.
func (w *world) waitPlan(what string, mark int, cond func(*scenario.Plan) bool) (found scenario.Plan) {
	w.t.Helper()
	w.Wait(what, func() bool {
		for _, p := range w.PlansSince(mark) {
			if cond(&p) {
				found = p
				return true
			}
		}
		return false
	})
	return found
}

var twoTopics = map[string]int32{"orders": 12, "returns": 12}

// The leader has to ask for a topic that only others read, and the answer is an
// error. Its owners keep what they have. What nobody has waits for a round that
// only the Balancer's hook brings, or somebody by hand: kgo does not ask again.
// (Without the hook WarnOwed says so, but the Balancer does not know its
// client's timeouts then and goes by kgo's defaults, five minutes.)
func TestMetadataFailsForTopicNotReadByLeader(t *testing.T) {
	for _, hook := range []bool{true, false} {
		t.Run(map[bool]string{true: "with hook", false: "without hook"}[hook], func(t *testing.T) {
			w := newWorld(t, twoTopics)
			w.MaxPlans = 0 // owed rounds come as often as metadata fails
			spec := marked(reads("a", "orders", "returns"))
			spec.NoHook = !hook
			a := w.Start("a", spec)
			w.Settle() // a leads
			w.Start("b", reads("b", "orders", "returns"))
			before, mark := w.Settle(), w.Mark()

			fault := w.failMetadata("returns")
			a.Spec.Topics = []string{"orders"}
			a.Client().PurgeTopicsFromConsuming("returns")
			p := w.waitPlan("a round misses the topic", mark, func(p *scenario.Plan) bool { return len(p.Missing) > 0 })
			if !slices.Equal(p.Missing, []string{"returns"}) || !p.Owed {
				t.Errorf("missing %v, owed %v", p.Missing, p.Owed)
			}
			if had := of(before, "b", "returns"); len(p.Held) != had || had == 0 {
				t.Errorf("%d partitions are held, b has %d: %v", len(p.Held), had, p.Held)
			}
			w.mustWarnOfTopic("returns", mark)
			fault.Remove()
			if !hook {
				a.Client().ForceRebalance()
			}
			after := w.Settle()
			w.MustNotPause(mark)
			if n := of(after, "b", "returns"); n != 12 {
				t.Errorf("the only reader has %d of 12 partitions:\n%v", n, after)
			}
		})
	}
}

// The leader reads the topic itself but has never had an answer for it. It
// comes back to it by itself as soon as there is one.
func TestMetadataFailsForTopicReadByLeader(t *testing.T) {
	w := newWorld(t, twoTopics)
	w.MaxPlans = 0
	a := w.Start("a", marked(reads("a", "orders", "returns")))
	w.Settle() // a leads
	w.Start("b", reads("b", "orders", "returns"))
	c := w.Start("c", reads("c", "orders", "returns"))
	w.Settle()
	a.Spec.Topics = []string{"orders"}
	w.NextRound()
	a.Client().PurgeTopicsFromConsuming("returns")
	before, mark := w.Settle(), w.Mark()

	fault := w.failMetadata("returns")
	// As leader a asks for the others' topics too: no older answer is under way
	// any more when one has failed.
	w.waitHit(fault)
	a.Spec.Topics = []string{"orders", "returns"}
	a.Client().AddConsumeTopics("returns")
	c.Stop()
	p := w.waitPlan("a round misses the topic", mark, func(p *scenario.Plan) bool {
		return len(p.Missing) > 0 && len(p.Group.Members) == 2
	})
	if had := of(before, "b", "returns"); len(p.Held) != had || had == 0 || !p.Owed {
		t.Errorf("%d partitions are held, b has %d; owed %v", len(p.Held), had, p.Owed)
	}
	w.mustWarnOfTopic("returns", mark)
	fault.Remove()
	after := w.Settle()
	w.MustNotPause(mark)
	if n := of(after, "a", "returns"); n == 0 {
		t.Errorf("the leader has nothing of the topic:\n%v", after)
	}
}

// A topic grows and then another member leads, whose metadata is older: what
// was given out beyond the count that it knows stays where it is.
func TestNewLeaderWithOlderPartitionCount(t *testing.T) {
	w := newWorld(t, map[string]int32{"orders": 6})
	a := w.Start("a", reads("a", "orders"))
	w.Settle() // a leads
	w.Start("b", marked(reads("b", "orders")))
	w.Start("c", marked(reads("c", "orders")))
	w.Settle()

	thaw := w.freezeMetadata()
	w.GrowTopic("orders", 24)
	before, mark := w.Settle(), w.Mark()
	grown := beyond(before, 6)
	if len(grown["b"]) == 0 || len(grown["c"]) == 0 {
		t.Fatalf("b and c should have some of the new partitions:\n%v", before)
	}

	a.Stop()
	w.Expect("orders", 6)
	stale := w.Settle()
	w.MustNotPause(mark)
	for _, m := range []string{"b", "c"} {
		if now := beyond(stale, 6)[m]; !slices.Equal(now, grown[m]) {
			t.Errorf("%s had %v and has %v", m, grown[m], now)
		}
	}

	w.Expect("orders", 24)
	thaw()
	w.Settle().MustOnlyLose(t, before, "a")
	w.MustNotPause(mark)
}

// freezeMetadata answers marked members with the metadata of now until it is
// thawed.
func (w *world) freezeMetadata() (thaw func()) {
	w.t.Helper()
	req := kmsg.NewPtrMetadataRequest()
	frozen, err := req.RequestWith(w.t.Context(), w.client)
	if err != nil {
		w.t.Fatal(err)
	}
	var thawed atomic.Bool
	w.cluster.ControlKey(int16(kmsg.Metadata), func(req kmsg.Request) (kmsg.Response, error, bool) {
		if thawed.Load() {
			w.cluster.DropControl()
			return nil, nil, false
		}
		w.cluster.KeepControl()
		if !isMarked(req) {
			return nil, nil, false
		}
		resp := *frozen
		resp.Version = req.GetVersion()
		return &resp, nil, true
	})
	return func() { thawed.Store(true) }
}

// of returns how many partitions of a topic a member has.
func of(o scenario.Ownership, member, topic string) (n int) {
	for _, p := range o.Of(member) {
		if p.Topic == topic {
			n++
		}
	}
	return n
}

// beyond returns the partitions from a number on, by member.
func beyond(o scenario.Ownership, from int32) map[string][]scenario.Partition {
	byMember := make(map[string][]scenario.Partition)
	for _, m := range o {
		byMember[m] = slices.DeleteFunc(o.Of(m), func(p scenario.Partition) bool { return p.Number < from })
	}
	return byMember
}

// mustWarnOfTopic fails the test unless a warning since mark names the topic.
func (w *world) mustWarnOfTopic(topic string, mark int) {
	w.t.Helper()
	for _, warned := range w.Recorder().Warnings(assignor.WarnTopic) {
		if warned.Seq > mark && warned.Topic == topic {
			return
		}
	}
	w.t.Errorf("no warning names the topic %q", topic)
}
