package assignortest

import (
	"cmp"
	"reflect"
	"slices"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"pgregory.net/rapid"
)

func TestGroup(t *testing.T) {
	spec := &Spec{
		Topics: []Topic{
			{Name: "b", Partitions: 4, Homes: []string{"", "pod-1", "away"}},
			{Name: "unread", Partitions: 3},
			{Name: "a", Partitions: 2},
			{Name: "empty"},
		},
		Members: []Member{
			{Key: "pod-1", ID: "x", Reads: []string{"a", "b", "missing"}, Weight: 3,
				Owns: map[string][]int32{"b": {0, 1, 1, 9, -1}, "missing": {0}, "a": nil}},
			{ID: "pod-0", Rack: "r", Reads: []string{"b", "a", "b"},
				Owns: map[string][]int32{"b": {2, 1}, "unread": {0}}, Warm: map[string][]int32{"b": {3, 3}}},
			{Key: "pod-2"},
		},
	}
	want := &assignor.Group{
		Members: []assignor.Member{
			{ID: "pod-0", Key: "pod-0", Rack: "r", Weight: 1},
			{ID: "x", Key: "pod-1", Weight: 3},
			{ID: "pod-2", Key: "pod-2", Weight: 1},
		},
		Topics: []assignor.Topic{
			{Name: "a", Partitions: 2, Subscribers: []int32{0, 1}, Owners: []int32{-1, -1}},
			{Name: "b", Partitions: 4, Subscribers: []int32{0, 1},
				Owners: []int32{1, -1, 0, -1}, // both claim 1
				Homes:  []int32{-1, 1, -1, -1},
				Warm:   [][]int32{nil, nil, nil, {0}}},
		},
	}
	got := spec.Group()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %swant %s", Format(got), Format(want))
	}
	if &got.Topics[0].Subscribers[0] != &got.Topics[1].Subscribers[0] {
		t.Error("topics read by the same members do not share their subscribers")
	}
}

func TestGroupRefusesTheSameTwice(t *testing.T) {
	for _, spec := range []*Spec{
		{Members: []Member{{Key: "a", ID: "x"}, {Key: "a", ID: "x"}}},
		{Members: []Member{{Key: "a", Reads: []string{"t"}}}, Topics: []Topic{{Name: "t", Partitions: 1}, {Name: "t", Partitions: 2}}},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("no panic for %+v", *spec)
				}
			}()
			spec.Group()
		}()
	}
}

// What is drawn is a Group as the Balancer would make it, and SpecOf loses
// nothing of it.
func TestGroups(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := Specs(Shape{}).Draw(t, "spec")
		g := spec.Group()
		for i := 1; i < len(g.Members); i++ {
			a, b := g.Members[i-1], g.Members[i]
			if cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.ID, b.ID)) >= 0 {
				t.Fatalf("members %d and %d are out of order:\n%s", i-1, i, Format(g))
			}
		}
		shared := make(map[string]*int32)
		for i := range g.Topics {
			topic := &g.Topics[i]
			if i > 0 && g.Topics[i-1].Name >= topic.Name {
				t.Fatalf("topics %d and %d are out of order:\n%s", i-1, i, Format(g))
			}
			if topic.Partitions < 1 || len(topic.Subscribers) == 0 || !slices.IsSorted(topic.Subscribers) {
				t.Fatalf("topic %q is no topic of a group:\n%s", topic.Name, Format(g))
			}
			for p := range topic.Partitions {
				m := topic.Owner(p)
				if _, ok := slices.BinarySearch(topic.Subscribers, m); !ok && m != assignor.None {
					t.Fatalf("topic %q partition %d: %s owns and does not read:\n%s", topic.Name, p, who(g, m), Format(g))
				}
			}
			key := fingerprint(topic.Subscribers)
			if first, ok := shared[key]; ok && first != &topic.Subscribers[0] {
				t.Fatalf("topic %q has subscribers of its own:\n%s", topic.Name, Format(g))
			}
			shared[key] = &topic.Subscribers[0]
		}
		if again := SpecOf(g).Group(); !reflect.DeepEqual(again, g) {
			t.Fatalf("SpecOf(g).Group() is not g but %s", Format(again))
		}
		if again := spec.Clone().Group(); !reflect.DeepEqual(again, g) {
			t.Fatalf("the clone's group is not g but %s", Format(again))
		}
	})
}

func TestShape(t *testing.T) {
	sh := Shape{Members: 3, Topics: 2, Partitions: 5, Weight: 2, Equal: true, Fresh: true}
	rapid.Check(t, func(t *rapid.T) {
		g := Groups(sh).Draw(t, "group")
		if len(g.Members) > 3 || len(g.Topics) > 2 {
			t.Fatalf("too large: %s", Format(g))
		}
		for _, m := range g.Members {
			if m.Weight > 2 {
				t.Fatalf("too heavy: %s", Format(g))
			}
		}
		for _, topic := range g.Topics {
			if topic.Partitions > 5 || len(topic.Subscribers) != len(g.Members) || topic.Owners != nil || topic.Homes != nil {
				t.Fatalf("not in shape: %s", Format(g))
			}
		}
	})
}

// Groups at odds have everything at once, often enough for a hundred of them to
// tell.
func TestAtOdds(t *testing.T) {
	const groups = 100
	found := make(map[string]int)
	for i := range groups {
		g := Groups(small).Example(i)
		reads := make(map[int32]bool)
		racks, contested := false, false
		for t := range g.Topics {
			topic := &g.Topics[t]
			racks = racks || topic.Racks != nil
			for _, m := range topic.Subscribers {
				reads[m] = true
			}
			for p := range topic.Partitions {
				if topic.Homes == nil || topic.Warm == nil {
					break
				}
				owner, home, warm := topic.Owner(p), topic.Homes[p], topic.Warm[p]
				if owner != assignor.None && home != assignor.None && home != owner && len(warm) > 0 && !slices.Contains(warm, owner) {
					contested = true
				}
			}
		}
		weighted := slices.ContainsFunc(g.Members, func(m assignor.Member) bool { return m.Weight > 1 })
		racked := racks && slices.ContainsFunc(g.Members, func(m assignor.Member) bool { return m.Rack != "" })
		same := len(g.Topics) > 1 && equal(g)
		for what, yes := range map[string]bool{
			"equal":                   same,
			"equal, weighted, idle":   same && weighted && len(reads) < len(g.Members),
			"equal, contested":        same && contested,
			"unlike, weighted":        !equal(g) && weighted,
			"unlike, contested":       !equal(g) && contested,
			"racks, contested":        racked && contested,
			"racks, weighted, unlike": racked && weighted && !equal(g),
		} {
			if found[what] += 0; yes {
				found[what]++
			}
		}
	}
	for what, n := range found {
		if n < 3 {
			t.Errorf("%s: %d of %d groups", what, n, groups)
		}
	}
	t.Log(found)
}
