package oracle_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/assignor/assignortest"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/oracle"
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
				_, best := oracle.Best(g, k.Options)
				every(g, func(plan assignor.Plan) {
					err, v := oracle.Judge(g, plan, k.Options), oracle.Measure(g, plan, k.Options)
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
		o    oracle.Options
		want string // the first line
	}{
		{"rows", two(2), nil, oracle.Options{}, "valid: 0 rows for 1 topics"},
		{"row", two(2), assignor.Plan{{0}}, oracle.Options{}, "valid: 1 owners for the 2 partitions of topic-0"},
		{"nobody", two(2), assignor.Plan{{0, assignor.None}}, oracle.Options{}, "valid: topic-0/1 goes to member -1, not a reader"},
		{"loads", two(4), assignor.Plan{{0, 0, 0, 1}}, oracle.Options{}, "loads: [3 1], it could be [2 2]: 1 misplaced"},
		{
			"quotas", with(two(4), func(g *assignor.Group) { g.Members[0].Weight = 3 }),
			assignor.Plan{{0, 0, 1, 1}}, oracle.Options{}, "loads: [2 2] are uneven by 2, it could be 0 with [3 1]: 2 too much",
		},
		{
			"unlike and weighted", with(two(1, 4), func(g *assignor.Group) {
				g.Members[0].Weight = 3
				g.Topics[0].Subscribers = []int32{0}
			}),
			assignor.Plan{{0}, {0, 1, 1, 1}}, oracle.Options{}, "loads: [3 2] are uneven by 31/3, it could be 19/3 with [4 1]: 4 too much",
		},
		{"topics", two(2, 2), assignor.Plan{{0, 0}, {1, 1}}, oracle.Options{PerTopic: true}, "per topic: counts within topics are 4 beyond floor and ceiling in sum, it could be 0"},
		{"topics are none of its business", two(2, 2), assignor.Plan{{0, 0}, {1, 1}}, oracle.Options{}, ""},
		{
			"racks", with(two(4), func(g *assignor.Group) {
				g.Members[0].Rack, g.Members[1].Rack = "a", "b"
				g.Topics[0].Racks = []string{"a", "b", "c", ""}
			}),
			assignor.Plan{{1, 0, 0, 1}}, oracle.Options{Racks: true}, "off rack: 3 partitions, it could be 1: 2 too many",
		},
		{"moves", with(two(4), func(g *assignor.Group) { g.Topics[0].Owners = []int32{0, 0, 0, 1} }), assignor.Plan{{1, 0, 1, 0}}, oracle.Options{}, "moves: 3 partitions, it could be 1: 2 too many"},
		{
			"warm", with(two(4), func(g *assignor.Group) { g.Topics[0].Warm = [][]int32{{0}, {0, 1}, {0}, {0}} }),
			assignor.Plan{{0, 1, 1, 0}}, oracle.Options{}, "",
		},
		{
			"not warm", with(two(4), func(g *assignor.Group) { g.Topics[0].Warm = [][]int32{{0}, {0, 1}, {0}, {0}} }),
			assignor.Plan{{1, 0, 1, 0}}, oracle.Options{}, "warm: 2 partitions, it could be 3: 1 too few",
		},
		{
			"home", with(two(4), func(g *assignor.Group) { g.Topics[0].Homes = []int32{0, 1, assignor.None, 0} }),
			assignor.Plan{{1, 1, 0, 0}}, oracle.Options{}, "home: 2 partitions, it could be 3: 1 too few",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if err := oracle.Judge(tt.g, tt.plan, tt.o); err != nil {
				got, _, _ = strings.Cut(err.Error(), "\n")
			}
			if got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// Law 11's order of ceilings, one rule after the other: which members may have
// them. JudgeCeilings passes them with any plan, right or wrong, that has such
// loads.
func TestCeilings(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(g *assignor.Group) // pod-0, pod-1, pod-2 and five partitions
		want   [][]int32
	}{
		{"equal remainders", func(*assignor.Group) {}, [][]int32{{0, 1}, {0, 2}, {1, 2}}},
		{"by remainder", func(g *assignor.Group) { // quotas 5/4, 5/4, 10/4
			g.Members[2].Weight = 2
		}, [][]int32{{2}}},
		{"home before remainder", func(g *assignor.Group) {
			g.Members[2].Weight = 2
			g.Topics[0].Homes = []int32{1, 1, -1, -1, -1}
		}, [][]int32{{1}}},
		{"but not for homes that the floor has room for", func(g *assignor.Group) {
			g.Topics[0].Homes = []int32{2, -1, -1, -1, -1}
		}, [][]int32{{0, 1}, {0, 2}, {1, 2}}},
		{"warm before home", func(g *assignor.Group) {
			g.Members[2].Weight = 2
			g.Topics[0].Homes = []int32{1, 1, -1, -1, -1}
			g.Topics[0].Warm = [][]int32{{0}, {0}, {}, {}, {}}
		}, [][]int32{{0}}},
		{"holders first", func(g *assignor.Group) {
			g.Topics[0].Owners = []int32{2, 2, -1, -1, -1}
			g.Topics[0].Homes = []int32{-1, -1, 1, 1, -1}
		}, [][]int32{{1, 2}}},
		{"nobody has a part of one above a whole quota", func(g *assignor.Group) { // quotas 1, 1, 3
			g.Members[2].Weight = 3
			g.Topics[0].Owners = []int32{0, 0, 0, 0, 0}
		}, [][]int32{nil}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := assignortest.Uniform(3, 5).Group()
			tt.change(g)
			among := func(plan assignor.Plan) bool {
				above := oracle.Ceilings(g, plan)
				return slices.ContainsFunc(tt.want, func(want []int32) bool { return slices.Equal(want, above) })
			}
			best, value := oracle.Best(g, oracle.Options{})
			if !among(best) {
				t.Errorf("ceilings go to %d, they should to one of %d", oracle.Ceilings(g, best), tt.want)
			}
			every(g, func(plan assignor.Plan) {
				if oracle.Measure(g, plan, oracle.Options{}).CompareLoads(value) != 0 {
					return
				}
				if err := oracle.JudgeCeilings(g, plan, oracle.Options{}); (err == nil) != among(plan) {
					t.Errorf("ceilings for %d of %d: %v", oracle.Ceilings(g, plan), tt.want, err)
				}
			})
		})
	}
}

func TestJudgeCeilingsSays(t *testing.T) {
	g := assignortest.Uniform(3, 5).Group()
	g.Members[2].Weight = 2
	plan := assignor.Plan{{0, 0, 1, 2, 2}}
	says := func(want string) {
		t.Helper()
		if err := oracle.JudgeCeilings(g, plan, oracle.Options{}); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	says("ceilings: members [0] have more than the floor of their quota, members [2] should; their remainders are [1] and [2]")
	g.Topics[0].Owners = []int32{1, 1, 0, 2, 2}
	says("ceilings: members [0] have more than the floor of their quota, members [1] should; as it is, at best, moves: 1 partitions, it could be 0: 1 too many")
}
