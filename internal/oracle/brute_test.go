package oracle

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/assignor/assignortest"
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

// Best is the best of all plans by Measure, and its ceilings are those that come
// first among the best plans. Everything else that this package says follows from Measure.
func TestBestOfAllPlans(t *testing.T) {
	for _, sz := range []size{{members: 3, topics: 3, partitions: 6}, {members: 4, topics: 2, partitions: 5}} {
		for _, k := range kinds() {
			t.Run(fmt.Sprintf("%d members %s", sz.members, k), func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) { compareAll(t, drawGroup(t, k, sz), k.Options) })
			})
		}
	}
}

func compareAll(t *rapid.T, g *assignor.Group, o Options) {
	plan, got := Best(g, o)
	if err := valid(g, plan); err != nil {
		t.Fatalf("%v\n%s", err, assignortest.Format(g))
	}
	var want Value
	var first []int32
	plans := 0
	var quotas []share
	if equal(g) {
		quotas = totals(g)
	}
	every(g, func(plan assignor.Plan) {
		v := Measure(g, plan, o)
		if plans++; plans > 1 && v.Compare(want) > 0 {
			return
		}
		if above := ceilings(g, plan); plans == 1 || v.Compare(want) < 0 || before(g, quotas, above, first) {
			want, first = v, above
		}
	})
	if got.Compare(want) != 0 {
		t.Fatalf("got  %v, planning\n%swant %v, best of %d plans\n%s", got, plan.Format(g), want, plans, assignortest.Format(g))
	}
	slices.Sort(first)
	if got := Ceilings(g, o); !slices.Equal(got, first) {
		t.Fatalf("ceilings %d, want %d\n%s", got, first, assignortest.Format(g))
	}
}

// before tells whether ceilings for some members are better than for as many
// others: the best remainder first, equal ones by key, then the next best.
func before(g *assignor.Group, quotas []share, a, b []int32) bool {
	order := func(x, y int32) int {
		return cmp.Or(cmp.Compare(quotas[y].remainder, quotas[x].remainder), cmp.Compare(g.Members[x].Key, g.Members[y].Key))
	}
	slices.SortFunc(a, order)
	slices.SortFunc(b, order)
	return slices.CompareFunc(a, b, order) < 0
}
