package assignortest

import (
	"reflect"
	"slices"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"pgregory.net/rapid"
)

func TestSettle(t *testing.T) {
	g := &assignor.Group{
		Members: []assignor.Member{{ID: "a", Key: "a", Weight: 1}, {ID: "b", Key: "b", Weight: 1}},
		Topics: []assignor.Topic{{Name: "t", Partitions: 5, Subscribers: []int32{0, 1},
			//             stays, given, withheld, at home again, not at home
			Owners: []int32{0, -1, 0, -1, -1},
			Homes:  []int32{-1, -1, -1, 0, 1}}},
	}
	kept := clone(g)
	plan := assignor.Plan{{0, 1, 1, 0, 0}}

	half := Settle(g, plan)
	if want := []int32{0, 1, -1, 0, 0}; !slices.Equal(half.Topics[0].Owners, want) {
		t.Errorf("owners after one round%s, want%s", indexes(half.Topics[0].Owners), indexes(want))
	}
	if want := []int32{-1, -1, 1, -1, 1}; !slices.Equal(half.Topics[0].Homes, want) {
		t.Errorf("homes after one round%s, want%s", indexes(half.Topics[0].Homes), indexes(want))
	}
	whole := Settle(half, plan)
	if !slices.Equal(whole.Topics[0].Owners, plan[0]) {
		t.Errorf("owners after two rounds%s, want%s", indexes(whole.Topics[0].Owners), indexes(plan[0]))
	}
	if !reflect.DeepEqual(g, kept) {
		t.Errorf("Settle changed its input to %s", Format(g))
	}
}

// A member that leaves and comes back while others own its partitions finds
// itself remembered as their home.
func TestLeaveAndReturn(t *testing.T) {
	spec := Uniform(3, 6)
	plan := assignor.Plan{{0, 0, 1, 1, 2, 2}}
	spec.Settle(plan)
	gone := spec.Members[1]
	if !spec.Leave("pod-1") || spec.Leave("pod-1") {
		t.Fatal("pod-1 should leave once")
	}
	if g := spec.Group(); !slices.Equal(g.Topics[0].Owners, []int32{0, 0, -1, -1, 1, 1}) {
		t.Errorf("after the leave: %s", Format(g))
	}
	spec.Settle(assignor.Plan{{0, 0, 0, 1, 1, 1}})
	gone.Owns = nil
	spec.Join(gone)
	if g := spec.Group(); !slices.Equal(g.Topics[0].Homes, []int32{-1, -1, 1, 1, -1, -1}) {
		t.Errorf("after the return: %s", Format(g))
	}
	spec.Settle(plan) // withholds 2 and 3
	spec.Settle(plan)
	if g := spec.Group(); !slices.Equal(g.Topics[0].Owners, plan[0]) || slices.Max(g.Topics[0].Homes) != assignor.None {
		t.Errorf("at home again: %s", Format(g))
	}

	if !spec.Restart("pod-2", "new") {
		t.Fatal("pod-2 should restart")
	}
	g := spec.Group()
	if g.Members[2].ID != "new" || !slices.Equal(g.Topics[0].Owners, []int32{0, 0, 1, 1, -1, -1}) || !slices.Equal(g.Topics[0].Homes, []int32{-1, -1, -1, -1, 2, 2}) {
		t.Errorf("after the restart: %s", Format(g))
	}
}

// The Spec's Settle and the function agree, and a topic outside the group
// keeps its claims.
func TestSpecSettles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := Specs(Shape{}).Draw(t, "spec")
		for _, topic := range spec.Topics {
			for p := range topic.Homes { // homes of members away or not reading are the Spec's alone
				topic.Homes[p] = ""
			}
		}
		if len(spec.Members) > 0 {
			spec.Members[0].claim("missing", 7)
		}
		for range 3 {
			g := spec.Group()
			plan := rendezvous{good}.Assign(g)
			want := Settle(g, plan)
			spec.Settle(plan)
			got := spec.Group()
			for i := range want.Topics {
				homes := got.Topics[i].Homes
				if homes != nil && slices.Max(homes) == assignor.None {
					homes = nil
				}
				if !slices.Equal(want.Owned()[i], got.Owned()[i]) || !slices.Equal(want.Topics[i].Homes, homes) && !twins(g) {
					t.Fatalf("want %sgot %s", Format(want), Format(got))
				}
			}
		}
		if len(spec.Members) > 0 && !slices.Equal(spec.Members[0].Owns["missing"], []int32{7}) {
			t.Fatalf("a held claim is lost: %v", spec.Members[0].Owns)
		}
	})
}

// twins reports whether two members share a key, so that a key is no longer the
// name of one home.
func twins(g *assignor.Group) bool {
	for i := 1; i < len(g.Members); i++ {
		if g.Members[i].Key == g.Members[i-1].Key {
			return true
		}
	}
	return false
}

// What happens to a group leaves a group.
func TestChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := Specs(Shape{}).Draw(t, "spec")
		for range 5 {
			if Change(t, spec) == "" {
				t.Fatal("nothing happened")
			}
			g := spec.Group() // panics on one member or topic twice
			spec.Settle(rendezvous{good}.Assign(g))
		}
	})
}
