package scenario_test

import (
	"strings"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/scenario"
	"github.com/twmb/franz-go/pkg/kgo"
)

// A second member with b's identity works beside it, under a key of its own:
// the incumbent loses no more than to any other joiner, and everything is as
// before when the second one leaves.
func TestTwoMembersWithOneIdentity(t *testing.T) {
	w := newWorld(t, orders)
	w.Start("a", reads("a", "orders"))
	w.Start("b", reads("b", "orders"))
	before, mark := w.Settle(), w.Mark()

	second := w.Start("b2", reads("b", "orders"))
	both := w.Settle()
	both.MustOnlyGain(t, before, "b2")
	w.MustNotPause(mark)
	if len(both.Of("b")) == 0 {
		t.Errorf("the incumbent has nothing left:\n%v", both)
	}
	warned := w.Recorder().Warnings(assignor.WarnIdentity)
	if len(warned) == 0 || !strings.Contains(warned[0].Message, `"b"`) {
		t.Errorf("no warning names the identity: %v", warned)
	}

	second.Stop()
	w.Settle().MustEqual(t, before)
}

// One Balancer is given to two clients by mistake: both work, and somebody is
// told. Without the hook a Balancer does not know its clients and notices only
// when both have led; it works just as well.
func TestBalancerOfTwoClients(t *testing.T) {
	for _, hook := range []bool{true, false} {
		t.Run(map[bool]string{true: "with hook", false: "without hook"}[hook], func(t *testing.T) {
			w := newWorld(t, orders)
			c := w.Start("c", reads("c", "orders"))
			w.Settle() // c leads
			shared := w.Balancer(scenario.Owner{Member: "shared", Life: 1}, scenario.Spec{})
			spec := scenario.Spec{Topics: []string{"orders"}, Balancers: []kgo.GroupBalancer{shared}, NoHook: !hook, Revoking: takeTime}
			a := w.Start("a", spec)
			w.Start("b", spec)
			before, mark := w.Settle(), w.Mark()

			// kfake tells both that they lead: they plan at the same time.
			c.Stop()
			after := w.Settle()
			after.MustOnlyLose(t, before, "c")
			w.MustNotPause(mark)
			a.Stop()
			w.Settle().MustOnlyLose(t, after, "a")
			w.MustNotPause(mark)
			if warned := w.Recorder().Warnings(assignor.WarnShared); hook && len(warned) == 0 {
				t.Error("no warning that two clients have one Balancer")
			}
		})
	}
}
