package oracle_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/assignor/assignortest"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/oracle"
	"pgregory.net/rapid"
)

// every calls fn with every valid plan of g, in the same memory.
func every(g *assignor.Group, fn func(assignor.Plan)) {
	plan := make(assignor.Plan, len(g.Topics))
	for t := range plan {
		plan[t] = make([]int32, g.Topics[t].Partitions)
	}
	var from func(t, p int)
	from = func(t, p int) {
		switch {
		case t == len(plan):
			fn(plan)
		case p == len(plan[t]):
			from(t+1, 0)
		default:
			for _, m := range g.Topics[t].Subscribers {
				plan[t][p] = m
				from(t, p+1)
			}
		}
	}
	from(0, 0)
}

// small calls fn with small groups of every kind.
func small(t *testing.T, sizes []size, fn func(t *rapid.T, g *assignor.Group, o oracle.Options)) {
	for _, sz := range sizes {
		for _, k := range kinds() {
			t.Run(fmt.Sprintf("%d members %s", sz.members, k), func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) { fn(t, drawGroup(t, k, sz), k.Options) })
			})
		}
	}
}

// Best is the best of all plans by Measure, and its ceilings go to the largest
// remainders among the best plans. Everything else that this package says follows
// from Measure.
func TestBestOfAllPlans(t *testing.T) {
	sizes := []size{{members: 3, topics: 3, partitions: 6}, {members: 4, topics: 2, partitions: 5}}
	small(t, sizes, func(t *rapid.T, g *assignor.Group, o oracle.Options) {
		plan, got := oracle.Best(g, o)
		if err := oracle.Valid(g, plan); err != nil {
			t.Fatalf("%v\n%s", err, assignortest.Format(g))
		}
		var want oracle.Value
		var first []int
		plans := 0
		every(g, func(plan assignor.Plan) {
			v := oracle.Measure(g, plan, o)
			if plans++; plans > 1 && v.Compare(want) > 0 {
				return
			}
			if above := remainders(g, plan); plans == 1 || v.Compare(want) < 0 || slices.Compare(above, first) > 0 {
				want, first = v, above
			}
		})
		if got.Compare(want) != 0 {
			t.Fatalf("got  %v, planning\n%swant %v, best of %d plans\n%s", got, plan.Format(g), want, plans, assignortest.Format(g))
		}
		if got := remainders(g, plan); !slices.Equal(got, first) {
			t.Fatalf("ceilings go to remainders %d, want %d\n%s", got, first, assignortest.Format(g))
		}
	})
}

// remainders returns the remainders of the members with ceilings, the largest
// first.
func remainders(g *assignor.Group, plan assignor.Plan) []int {
	if !oracle.Equal(g) {
		return nil
	}
	quotas := oracle.Totals(g)
	var remainders []int
	for _, m := range oracle.Ceilings(g, plan) {
		remainders = append(remainders, quotas[m].Remainder)
	}
	slices.Sort(remainders)
	slices.Reverse(remainders)
	return remainders
}

// BestAt is the best of all plans with the same loads. JudgeCeilings passes loads
// that a best plan can have, and none but these of those that are floors and
// ceilings.
func TestBestAtOfAllPlans(t *testing.T) {
	sizes := []size{{members: 3, topics: 2, partitions: 5}}
	small(t, sizes, func(t *rapid.T, g *assignor.Group, o oracle.Options) {
		type class struct {
			loads []int
			plan  assignor.Plan
			best  oracle.Value
		}
		classes := make(map[string]*class)
		every(g, func(plan assignor.Plan) {
			v := oracle.Measure(g, plan, o)
			loads := plan.Loads(g)
			key := fmt.Sprint(loads)
			if c := classes[key]; c == nil || v.Compare(c.best) < 0 {
				row := make(assignor.Plan, len(plan))
				for t := range plan {
					row[t] = slices.Clone(plan[t])
				}
				classes[key] = &class{loads, row, v}
			}
		})
		best, value := oracle.Best(g, o)
		for key, c := range classes {
			plan, got := oracle.BestAt(g, c.loads, o)
			switch {
			case c.best.Topics > 0:
				if plan != nil {
					t.Fatalf("loads %s: got %v, but no plan has them within floors and ceilings of topics\n%s", key, got, assignortest.Format(g))
				}
				continue
			case plan == nil || got.Compare(c.best) != 0 || !slices.Equal(plan.Loads(g), c.loads) || oracle.Valid(g, plan) != nil:
				t.Fatalf("loads %s: got  %v, planning\n%swant %v\n%s", key, got, plan.Format(g), c.best, assignortest.Format(g))
			}
			if !oracle.Equal(g) || c.best.CompareLoads(value) != 0 {
				continue
			}
			right := c.best.Compare(value) == 0 && slices.Equal(remainders(g, c.plan), remainders(g, best))
			if err := oracle.JudgeCeilings(g, c.plan, o); (err == nil) != right {
				t.Fatalf("loads %s, at best %v, best of all %v, judged: %v\n%s", key, c.best, value, err, assignortest.Format(g))
			}
		}
		if len(g.Topics) > 0 {
			loads := best.Loads(g)
			loads[g.Topics[0].Subscribers[0]]++
			if plan, _ := oracle.BestAt(g, loads, o); plan != nil {
				t.Fatalf("loads %d: a plan for one partition more than there are\n%s", loads, assignortest.Format(g))
			}
		}
	})
}
