package assignor_test

import (
	"reflect"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

// keeper leaves partitions with their owners and gives free ones to a chosen
// member; it records the homes that it was shown.
type keeper struct {
	to    string // key of who gets free partitions; "" for the first reader
	homes []string
}

func (*keeper) Name() string { return "keeper" }
func (*keeper) Homing()      {}
func (k *keeper) Assign(g *assignor.Group) assignor.Plan {
	p := make(assignor.Plan, len(g.Topics))
	k.homes = nil
	for t := range p {
		topic := &g.Topics[t]
		to := topic.Subscribers[0]
		for _, m := range topic.Subscribers {
			if g.Members[m].Key == k.to {
				to = m
			}
		}
		for i := range topic.Partitions {
			owner := topic.Owner(i)
			if owner == assignor.None {
				owner = to
			}
			p[t] = append(p[t], owner)
			home := "-"
			if topic.Homes != nil && topic.Homes[i] != assignor.None {
				home = g.Members[topic.Homes[i]].Key
			}
			k.homes = append(k.homes, home)
		}
	}
	return p
}

// homeGroup is a leader and what members own, generation by generation.
type homeGroup struct {
	t          *testing.T
	keeper     keeper
	leader     *assignor.Balancer
	generation int32
	ids        map[string]string // by identity: the member's ID, new after each restart
	restarts   int
	owned      map[string]lead.Owned // by identity
	topics     []string
	counts     map[string]int32
}

func newHomeGroup(t *testing.T) *homeGroup {
	h := &homeGroup{t: t, ids: map[string]string{}, owned: map[string]lead.Owned{}, topics: []string{"t"}, counts: map[string]int32{"t": 4}}
	h.elect()
	return h
}

// newSplitGroup has members a, which leads, and b with two partitions each.
func newSplitGroup(t *testing.T) *homeGroup {
	h := newHomeGroup(t)
	h.start("a", "b")
	h.round("a", "-", "-", "-", "-")
	h.owned["a"], h.owned["b"] = lead.Owned{"t": {0, 1}}, lead.Owned{"t": {2, 3}}
	return h
}

// elect makes a leader without memory.
func (h *homeGroup) elect() {
	h.leader = mustNew(h.t, &h.keeper, assignor.OnWarning(func(assignor.Warning) {}))
}

func (h *homeGroup) start(names ...string) {
	for _, n := range names {
		h.restarts++
		h.ids[n] = n + string(rune('0'+h.restarts))
		h.owned[n] = nil
	}
}

// missing plays a rebalance in which the topic's partitions are not known.
func (h *homeGroup) missing() {
	h.t.Helper()
	counts := h.counts
	h.counts = nil
	h.round("")
	h.counts = counts
}

func (h *homeGroup) stop(name string) {
	delete(h.ids, name)
	delete(h.owned, name)
}

// round plays a rebalance of four partitions and compares the homes that the
// strategy is shown.
func (h *homeGroup) round(to string, want ...string) {
	h.t.Helper()
	h.keeper.to = to
	var members []lead.Member
	for name, id := range h.ids {
		b := mustNew(h.t, &keeper{}, assignor.Identity(name))
		members = append(members, lead.Member{ID: id, Balancer: b, Topics: h.topics, Owned: h.owned[name], Generation: h.generation})
	}
	h.generation++
	got := round(h.t, h.leader, kgo.BalanceInfo{Group: "g", Generation: h.generation}, h.counts, members...)
	for name, id := range h.ids {
		h.owned[name] = got[id]
	}
	if !reflect.DeepEqual(h.keeper.homes, want) {
		h.t.Errorf("generation %d: homes %v, want %v", h.generation, h.keeper.homes, want)
	}
}

func TestHomeOfWhoLeft(t *testing.T) {
	h := newHomeGroup(t)
	h.start("a", "b")
	h.round("a", "-", "-", "-", "-") // a fresh group has no homes
	h.stop("a")
	h.round("b", "-", "-", "-", "-") // a's, but a is not there
	h.start("a")
	h.round("b", "a", "a", "a", "a") // it comes back
	h.stop("b")
	h.round("a", "-", "-", "-", "-") // another owner left: now they are b's; a gets them
	h.round("a", "-", "-", "-", "-")
	h.start("b")
	h.round("a", "b", "b", "b", "b")
}

func TestHomeEndsWhenItIsOwnedAgain(t *testing.T) {
	h := newHomeGroup(t)
	h.start("a", "b")
	h.round("a", "-", "-", "-", "-")
	h.stop("a")
	h.round("b", "-", "-", "-", "-")
	h.start("a")
	h.owned["b"] = lead.Owned{"t": {0, 1}} // b has let go of two, and a gets them
	h.round("a", "a", "a", "a", "a")
	h.round("a", "a", "a", "-", "-")
	h.round("a", "a", "a", "-", "-")
}

func TestHomeOfWhoRestartedWithinOneRound(t *testing.T) {
	h := newHomeGroup(t)
	h.start("a", "b")
	h.round("a", "-", "-", "-", "-")
	h.start("a") // a new ID, nothing claimed, and no round in between
	h.round("b", "a", "a", "a", "a")
}

func TestHomeOfWhatIsOnItsWay(t *testing.T) {
	h := newHomeGroup(t)
	h.start("a", "b", "c")
	h.round("a", "-", "-", "-", "-")
	// Two members claim partition 0: it is withheld on its way to c.
	h.owned["b"] = lead.Owned{"t": {0}}
	h.round("c", "-", "-", "-", "-")
	if got := h.owned["c"]; len(got) != 0 {
		t.Fatalf("c was given %v", got)
	}
	h.owned["b"] = nil
	h.round("b", "c", "-", "-", "-")
}

func TestHomeOfWhoANewLeaderNeverKnew(t *testing.T) {
	h := newSplitGroup(t)
	h.round("a", "-", "-", "-", "-")
	// The leader, a, leaves; b leads and knows nothing of it.
	h.stop("a")
	h.elect()
	h.round("b", "-", "-", "-", "-")
	h.start("a")
	h.round("b", "a", "a", "-", "-") // dealt to who arrives next
	h.start("a")
	h.round("b", "a", "a", "-", "-") // again, if it restarts before it takes them
	h.start("c")
	h.round("b", "c", "a", "-", "-") // to both, as long as a has nothing
	h.owned["a"], h.owned["b"] = lead.Owned{"t": {1}}, lead.Owned{"t": {0, 2, 3}}
	h.start("d")
	h.round("b", "d", "-", "-", "-") // what a has taken is home, whoever comes next
	h.stop("a")
	h.round("b", "d", "-", "-", "-")
	h.start("a")
	h.round("b", "d", "a", "-", "-")
}

func TestHomeOfWhoCameBackBeforeANewLeadersFirstPlan(t *testing.T) {
	h := newSplitGroup(t)
	h.round("a", "-", "-", "-", "-")
	h.start("a")
	h.elect()
	h.round("b", "a", "a", "-", "-")
}

// Homes outlive rounds that others led, and never name who is not there.
func TestHomesOutliveOthersRounds(t *testing.T) {
	h := newHomeGroup(t)
	h.start("a", "b")
	h.round("a", "-", "-", "-", "-")
	h.stop("a")
	h.round("b", "-", "-", "-", "-")
	h.generation += 3
	h.start("a")
	h.round("b", "a", "a", "a", "a")
}

// What a member had a longer time ago and did not get back is not its home once
// it leaves with something else.
func TestOlderHomesEndWhenTheirMemberLeavesAgain(t *testing.T) {
	h := newHomeGroup(t)
	h.start("a", "b")
	h.round("a", "-", "-", "-", "-")
	h.stop("a")
	h.round("b", "-", "-", "-", "-")
	h.start("a")
	h.owned["b"] = lead.Owned{"t": {2, 3}} // two come home
	h.round("a", "a", "a", "a", "a")
	h.stop("a")
	h.round("b", "-", "-", "-", "-")
	h.start("a")
	h.round("b", "a", "a", "-", "-")
}

// A member that crashes again before it could take what it was to have keeps its
// homes.
func TestHomesOutliveACrashLoop(t *testing.T) {
	h := newHomeGroup(t)
	h.start("a", "b", "c")
	h.round("c", "-", "-", "-", "-")
	h.stop("c")
	h.round("a", "-", "-", "-", "-")
	h.start("c")
	h.round("a", "c", "c", "c", "c") // c has been given nothing yet
	h.stop("c")
	h.round("a", "-", "-", "-", "-")
	h.start("c")
	h.owned["a"], h.owned["b"] = lead.Owned{"t": {0, 2, 3}}, lead.Owned{"t": {0}}
	h.round("c", "c", "c", "c", "c") // partition 1 is given, 0 is on its way
	if got := h.owned["c"]; !reflect.DeepEqual(got, lead.Owned{"t": {1}}) {
		t.Fatalf("c was given %v", got)
	}
	h.stop("c")
	h.round("a", "-", "-", "-", "-")
	h.start("c")
	h.round("a", "c", "c", "c", "c")
}

// Whom a leader has seen is not the one that had left before it led.
func TestUnknownHomesAreNotDealtToAKnownMember(t *testing.T) {
	h := newHomeGroup(t)
	h.start("a", "b", "c")
	h.round("a", "-", "-", "-", "-")
	h.owned["a"], h.owned["b"], h.owned["c"] = lead.Owned{"t": {0, 1}}, lead.Owned{"t": {2}}, lead.Owned{"t": {3}}
	h.round("a", "-", "-", "-", "-")
	h.stop("a")
	h.elect()
	h.round("b", "-", "-", "-", "-")
	h.stop("c")
	h.round("b", "-", "-", "-", "-")
	h.start("c")
	h.round("b", "-", "-", "-", "c")
	h.start("a")
	h.round("b", "a", "a", "-", "c")
}

// A leader that leads again after others does not take whom it met before for one
// that stayed, nor what was unknown then for unknown still.
func TestHomesOfALeaderThatLedBefore(t *testing.T) {
	h := newHomeGroup(t)
	h.start("a", "b", "c")
	h.round("a", "-", "-", "-", "-")
	h.owned["a"], h.owned["b"], h.owned["c"] = lead.Owned{"t": {0}}, lead.Owned{"t": {1}}, lead.Owned{"t": {2, 3}}
	h.stop("a")
	h.elect() // b; what a had is unknown to it
	h.round("c", "-", "-", "-", "-")
	h.generation += 3 // c leads: a comes back to what it had; then c leaves
	h.start("a")
	h.owned["a"] = lead.Owned{"t": {0}}
	h.stop("c")
	h.round("b", "-", "-", "-", "-")
	h.start("c")
	h.round("b", "-", "-", "c", "c")
}

// A member that had something in a topic whose partitions are not known and in
// another finds both when it is back.
func TestHomeInAMissingTopicAndInAnother(t *testing.T) {
	h := newHomeGroup(t)
	h.topics, h.counts = []string{"t", "u"}, map[string]int32{"t": 2, "u": 2}
	h.start("a", "c")
	h.round("a", "-", "-", "-", "-")
	h.owned["a"], h.owned["c"] = lead.Owned{"t": {0}}, lead.Owned{"t": {1}, "u": {0, 1}}
	h.round("a", "-", "-", "-", "-")
	h.counts = map[string]int32{"t": 2}
	h.round("a", "-", "-")
	h.stop("c")
	h.counts = map[string]int32{"t": 2, "u": 2}
	h.round("a", "-", "-", "-", "-")
	h.start("c")
	h.round("a", "-", "c", "c", "c")
}

// Who came after the others and has had something is not dealt what an unknown
// owner left when it restarts.
func TestUnknownHomesAreNotDealtToWhoHasHadSomething(t *testing.T) {
	h := newSplitGroup(t)
	h.stop("a")
	h.elect()
	h.round("b", "-", "-", "-", "-")
	h.start("d")
	h.round("b", "d", "d", "-", "-")
	h.owned["b"], h.owned["d"] = lead.Owned{"t": {0, 1, 2}}, lead.Owned{"t": {3}}
	h.round("b", "-", "-", "-", "-")
	h.start("d")
	h.round("b", "-", "-", "-", "d")
}
