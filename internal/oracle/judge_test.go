package oracle

import (
	"slices"
	"strings"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/assignor/assignortest"
	"pgregory.net/rapid"
)

// Judge passes the plans that are as good as the best and no others.
func TestJudgeEveryPlan(t *testing.T) {
	for _, k := range kinds() {
		t.Run(k.String(), func(t *testing.T) {
			draw := rapid.Custom(func(t *rapid.T) *assignor.Group {
				return drawGroup(t, k, size{members: 3, topics: 2, partitions: 3})
			})
			for i := range 10 {
				g := draw.Example(i)
				_, best := Best(g, k.Options)
				every(g, func(plan assignor.Plan) {
					err, v := Judge(g, plan, k.Options), Measure(g, plan, k.Options)
					if (err == nil) != (v.Compare(best) == 0) {
						t.Fatalf("%v, best %v, judged: %v\n%s", v, best, err, assignortest.Format(g))
					}
				})
			}
		})
	}
}

// Each fault is named, with its size and what would be best.
func TestJudgeSays(t *testing.T) {
	two := func(partitions ...int32) *assignor.Group { return assignortest.Uniform(2, partitions...).Group() }
	with := func(g *assignor.Group, change func(g *assignor.Group)) *assignor.Group {
		change(g)
		return g
	}
	for _, tt := range []struct {
		name string
		g    *assignor.Group
		plan assignor.Plan
		o    Options
		want string // the first line
	}{
		{"rows", two(2), nil, Options{}, "valid: 0 rows for 1 topics"},
		{"row", two(2), assignor.Plan{{0}}, Options{}, "valid: 1 owners for the 2 partitions of topic-0"},
		{"nobody", two(2), assignor.Plan{{0, assignor.None}}, Options{}, "valid: topic-0/1 goes to member -1, not a reader"},
		{"loads", two(4), assignor.Plan{{0, 0, 0, 1}}, Options{}, "loads: [3 1], it could be [2 2]: 1 misplaced"},
		{
			"quotas", with(two(4), func(g *assignor.Group) { g.Members[0].Weight = 3 }),
			assignor.Plan{{0, 0, 1, 1}}, Options{}, "loads: [2 2] are uneven by 2, it could be 0 with [3 1]: 2 too much",
		},
		{
			"unlike and weighted", with(two(1, 4), func(g *assignor.Group) {
				g.Members[0].Weight = 3
				g.Topics[0].Subscribers = []int32{0}
			}),
			assignor.Plan{{0}, {0, 1, 1, 1}}, Options{}, "loads: [3 2] are uneven by 31/3, it could be 19/3 with [4 1]: 4 too much",
		},
		{"topics", two(2, 2), assignor.Plan{{0, 0}, {1, 1}}, Options{PerTopic: true}, "per topic: counts within topics are 4 beyond floor and ceiling in sum, it could be 0"},
		{"topics are none of its business", two(2, 2), assignor.Plan{{0, 0}, {1, 1}}, Options{}, ""},
		{
			"racks", with(two(4), func(g *assignor.Group) {
				g.Members[0].Rack, g.Members[1].Rack = "a", "b"
				g.Topics[0].Racks = []string{"a", "b", "c", ""}
			}),
			assignor.Plan{{1, 0, 0, 1}}, Options{Racks: true}, "off rack: 3 partitions, it could be 1: 2 too many",
		},
		{"moves", with(two(4), func(g *assignor.Group) { g.Topics[0].Owners = []int32{0, 0, 0, 1} }), assignor.Plan{{1, 0, 1, 0}}, Options{}, "moves: 3 partitions, it could be 1: 2 too many"},
		{
			"warm", with(two(4), func(g *assignor.Group) { g.Topics[0].Warm = [][]int32{{0}, {0, 1}, {0}, {0}} }),
			assignor.Plan{{0, 1, 1, 0}}, Options{}, "",
		},
		{
			"not warm", with(two(4), func(g *assignor.Group) { g.Topics[0].Warm = [][]int32{{0}, {0, 1}, {0}, {0}} }),
			assignor.Plan{{1, 0, 1, 0}}, Options{}, "warm: 2 partitions, it could be 3: 1 too few",
		},
		{
			"home", with(two(4), func(g *assignor.Group) { g.Topics[0].Homes = []int32{0, 1, assignor.None, 0} }),
			assignor.Plan{{1, 1, 0, 0}}, Options{}, "home: 2 partitions, it could be 3: 1 too few",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if err := Judge(tt.g, tt.plan, tt.o); err != nil {
				got, _, _ = strings.Cut(err.Error(), "\n")
			}
			if got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// Law 11's order of ceilings, one rule after the other.
func TestCeilings(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(g *assignor.Group) // pod-0, pod-1, pod-2 and five partitions
		want   []int32
	}{
		{"by key", func(*assignor.Group) {}, []int32{0, 1}},
		{"by remainder", func(g *assignor.Group) { // quotas 5/4, 5/4, 10/4
			g.Members[2].Weight = 2
		}, []int32{2}},
		{"home before remainder", func(g *assignor.Group) {
			g.Members[2].Weight = 2
			g.Topics[0].Homes = []int32{1, 1, -1, -1, -1}
		}, []int32{1}},
		{"but not for homes that the floor has room for", func(g *assignor.Group) {
			g.Topics[0].Homes = []int32{2, -1, -1, -1, -1}
		}, []int32{0, 1}},
		{"warm before home", func(g *assignor.Group) {
			g.Members[2].Weight = 2
			g.Topics[0].Homes = []int32{1, 1, -1, -1, -1}
			g.Topics[0].Warm = [][]int32{{0}, {0}, {}, {}, {}}
		}, []int32{0}},
		{"holders first", func(g *assignor.Group) {
			g.Topics[0].Owners = []int32{2, 2, -1, -1, -1}
			g.Topics[0].Homes = []int32{-1, -1, 1, 1, -1}
		}, []int32{1, 2}},
		{"nobody has a part of one above a whole quota", func(g *assignor.Group) { // quotas 1, 1, 3
			g.Members[2].Weight = 3
			g.Topics[0].Owners = []int32{0, 0, 0, 0, 0}
		}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := assignortest.Uniform(3, 5).Group()
			tt.change(g)
			plan, _ := Best(g, Options{})
			if err := Judge(g, plan, Options{}); err != nil {
				t.Error(err)
			}
			if err := JudgeCeilings(g, plan, Options{}); err != nil {
				t.Error(err)
			}
			for m, n := range plan.Loads(g) {
				floor := totals(g)[m].floor
				if has, want := n > floor, slices.Contains(tt.want, int32(m)); has != want {
					t.Errorf("member %d has %d, its floor is %d; ceilings should go to %d", m, n, floor, tt.want)
				}
			}
		})
	}
	g := assignortest.Uniform(3, 5).Group()
	err := JudgeCeilings(g, assignor.Plan{{0, 1, 1, 2, 2}}, Options{})
	if want := "ceilings: members [1 2] have more than the floor of their quota; it should be [0 1]"; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
