package roll

import (
	"fmt"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
)

// Hashing needs no memory: whatever comes back gets exactly what it had, whoever
// led meanwhile.
func TestHashing(t *testing.T) {
	t.Parallel()
	subject := Of(hrw.Strategy{})
	for shape, seeds := range map[Shape]uint64{{3, 1, 12}: 5, {10, 1, 100}: 3, {10, 4, 30}: 2, {50, 1, 1000}: 1} {
		var all Restarts
		for seed := range seeds {
			if err := Check(subject, shape, 20, seed); err != nil {
				t.Errorf("%v, seed %d: %v", shape, seed, err)
			}
			r, err := Restart(subject, shape, 20, seed)
			if err != nil {
				t.Fatalf("%v, seed %d: %v", shape, seed, err)
			}
			all.Add(r)
		}
		if !all.Precision.Whole() || !all.Stability.Whole() {
			t.Errorf("%v: precision %v, stability %v; want all", shape, all.Precision, all.Stability)
		}
		if n := int(seeds) * shape.Topics * shape.Partitions; all.Precision.Of != n || all.Stability.Of != n {
			t.Errorf("%v: precision is of %d, stability of %d partitions; want %d", shape, all.Precision.Of, all.Stability.Of, n)
		}
		if all.Leaders.Of == 0 || all.Leaders.Of > all.Precision.Of {
			t.Errorf("%v: %d of %d partitions came back to a leader", shape, all.Leaders.Of, all.Precision.Of)
		}
	}
	if ways, err := Orders(subject, Shape{10, 4, 30}, 6, 1, 10); ways != 1 || err != nil {
		t.Errorf("the broker's order makes %d histories of one (%v), want 1", ways, err)
	}
	if spreads, err := Spreads(subject, Shape{10, 4, 30}, 30, 1); len(spreads) != 31 || err != nil {
		t.Errorf("%d spreads (%v), want 31", len(spreads), err)
	}
}

func TestEagerHashing(t *testing.T) {
	for seed := range uint64(5) {
		if err := Check(Of(hrw.Strategy{}, assignor.Eager()), Shape{10, 2, 20}, 20, seed); err != nil {
			t.Error(err)
		}
	}
}

// What it promises holds at all shapes of one subscription; where partitions
// came from it does not know.
func TestCooperativeSticky(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		shape := Shape{1 + int(seed%13), 1 + int(seed/5%4), 1 + int(seed*17%41)}
		if err := Check(CooperativeSticky, shape, 10, seed); err != nil {
			t.Errorf("%v, seed %d: %v", shape, seed, err)
		}
	}
	for _, shape := range []Shape{{3, 1, 12}, {10, 1, 100}} {
		var all Restarts
		for seed := range uint64(10) {
			r, err := Restart(CooperativeSticky, shape, 20, seed)
			if err != nil {
				t.Fatalf("%v, seed %d: %v", shape, seed, err)
			}
			all.Add(r)
		}
		if all.Precision.Is > all.Precision.Of/2 || all.Stability.Is > all.Stability.Of/2 {
			t.Errorf("%v: precision %v, stability %v; want less than half", shape, all.Precision, all.Stability)
		}
		t.Logf("%v: precision %v, stability %v", shape, all.Precision, all.Stability)
	}
	ways, err := Orders(CooperativeSticky, Shape{10, 1, 100}, 6, 1, 10)
	if ways < 2 || err != nil {
		t.Errorf("the broker's order makes %d histories of one (%v), want several", ways, err)
	}
}

// The shares are those that Owned shows.
func TestRestartCounts(t *testing.T) {
	h, err := newHistory(CooperativeSticky, Shape{5, 3, 7}, 6, 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.play(func(*Group) error { return nil }); err != nil {
		t.Fatal(err)
	}
	for i, name := range h.Names() {
		before := set(h.Group, name)
		var r Restarts
		if err := r.restart(h.Group, name); err != nil {
			t.Fatal(err)
		}
		var want Share
		for p := range set(h.Group, name) {
			want.Of++
			if before[p] {
				want.Is++
			}
		}
		if r.Precision != want || want.Of == 0 {
			t.Errorf("%s: precision is %d of %d, want %d of %d", name, r.Precision.Is, r.Precision.Of, want.Is, want.Of)
		}
		// In the order in which they joined each of them leads in turn.
		if r.Leaders != want {
			t.Errorf("restart %d was not the leader's", i)
		}
	}
}

func set(g *Group, name string) map[string]bool {
	s := make(map[string]bool)
	for topic, partitions := range g.Owned()[name] {
		for _, p := range partitions {
			s[fmt.Sprint(topic, p)] = true
		}
	}
	return s
}

func TestSpread(t *testing.T) {
	g := NewGroup(Of(first{}), map[string]int32{"t": 5, "u": 3}, 1)
	if got := g.Spread(); got != 0 {
		t.Errorf("without members the spread is %d, want 0", got)
	}
	for i, want := range []int{0, 5, 5} {
		if _, err := g.Join(fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
		if got := g.Spread(); got != want {
			t.Errorf("with %d members the spread is %d, want %d", i+1, got, want)
		}
	}
}

// first gives everything to the first member by key.
type first struct{}

func (first) Name() string { return "first" }

func (first) Assign(g *assignor.Group) assignor.Plan {
	p := make(assignor.Plan, len(g.Topics))
	for t := range p {
		p[t] = make([]int32, g.Topics[t].Partitions)
	}
	return p
}
