package assignor

import (
	"strings"
	"testing"
)

func twoMembers() *Group {
	return &Group{
		Members: []Member{{ID: "a", Key: "a"}, {ID: "b", Key: "b"}, {ID: "c", Key: "c"}},
		Topics: []Topic{
			{Name: "t", Partitions: 3, Subscribers: []int32{0, 1}, Owners: []int32{1, None, 0}},
			{Name: "u", Partitions: 1, Subscribers: []int32{2}},
		},
	}
}

// A strategy that breaks its contract costs nobody what it has, and the error
// names strategy, topic and partition.
func TestBrokenStrategyFallsBack(t *testing.T) {
	for _, c := range []struct {
		name string
		plan func(*Group) Plan
		want string
	}{
		{"panics", func(*Group) Plan { panic("oh no") }, `strategy "stub": panic: oh no`},
		{"index out of range", func(g *Group) Plan { return Plan{{int32(len(g.Topics[99].Name))}} }, `strategy "stub": panic: runtime error`},
		{"nil", func(*Group) Plan { return nil }, "0 topics, the group 2"},
		{"too many topics", func(*Group) Plan { return Plan{{0, 0, 0}, {2}, {0}} }, "3 topics, the group 2"},
		{"too few partitions", func(*Group) Plan { return Plan{{0, 0}, {2}} }, `topic "t" has 3 partitions, the plan has 2`},
		{"nobody", func(*Group) Plan { return Plan{{0, None, 0}, {2}} }, `topic "t" partition 1 goes to nobody`},
		{"foreign", func(*Group) Plan { return Plan{{0, 0, 7}, {2}} }, `topic "t" partition 2 goes to member 7 of 3`},
		{"negative", func(*Group) Plan { return Plan{{-5, 0, 0}, {2}} }, `partition 0 goes to member -5`},
		{"no reader", func(*Group) Plan { return Plan{{0, 0, 0}, {1}} }, `topic "u" partition 0 goes to member "b", which does not read`},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := twoMembers()
			p, err := place(stub{c.plan}, newMemory(), g, g.apart())
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if check(g, p) != nil || p[0][0] != 1 || p[0][2] != 0 {
				t.Errorf("fell back to %v", p)
			}
		})
	}
	if p, err := place(stub{}, newMemory(), twoMembers(), twoMembers()); err != nil || check(twoMembers(), p) != nil {
		t.Errorf("a good strategy: %v, %v", p, err)
	}
}
