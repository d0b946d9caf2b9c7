package oracle_test

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/assignor/assignortest"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/oracle"
	"pgregory.net/rapid"
)

// large calls fn with groups too large to try all plans, the same in every run.
func large(t *testing.T, groups int, fn func(t *testing.T, g *assignor.Group, k kind)) {
	for _, k := range kinds() {
		t.Run(k.String(), func(t *testing.T) {
			draw := rapid.Custom(func(t *rapid.T) *assignor.Group {
				return drawGroup(t, k, size{members: 8, topics: 4, partitions: 40})
			})
			for i := range groups {
				g := draw.Example(i)
				fn(t, g, k)
				if t.Failed() {
					t.Fatalf("group %d\n%s", i, assignortest.Format(g))
				}
			}
		})
	}
}

// Counts are within floor and ceiling wherever quotas say so: totals and, with
// PerTopic, topics, both at once.
func TestQuotas(t *testing.T) {
	large(t, 12, func(t *testing.T, g *assignor.Group, k kind) {
		plan, v := oracle.Best(g, k.Options)
		if v.Topics != 0 {
			t.Errorf("counts within topics are %d outside", v.Topics)
		}
		if !oracle.Equal(g) {
			return
		}
		for m, n := range plan.Loads(g) {
			if quota := oracle.Totals(g)[m]; n < quota.Floor || n > quota.Ceiling {
				t.Errorf("member %d has %d partitions, its quota is %+v", m, n, quota)
			}
		}
	})
}

// With unlike subscriptions and no weights, no loads are less than those that
// subscriptions force: some members alone read so many partitions that, of n for
// each, so many are too many. That the worst such set says for every n by how
// much loads exceed n in the best plan is a theorem (Frank and Murota,
// Decreasing minimization on M-convex sets, 2022); that no plan is better is
// evident.
func TestLoadsAreForced(t *testing.T) {
	large(t, 30, func(t *testing.T, g *assignor.Group, k kind) {
		if oracle.Weighted(g) || k.PerTopic {
			return
		}
		_, v := oracle.Best(g, k.Options)
		for n := range g.Partitions() + 1 {
			over := 0
			for _, load := range v.Loads {
				over += max(0, load-n)
			}
			if want := forced(g, n); over != want {
				t.Errorf("loads %d exceed %d by %d, forced are %d", v.Loads, n, over, want)
			}
		}
	})
}

// forced returns the most by which the partitions that no others than some set
// of members read exceed n for each of the set.
func forced(g *assignor.Group, n int) (most int) {
	for set := range uint(1) << len(g.Members) {
		partitions := 0
		for t := range g.Topics {
			if !slices.ContainsFunc(g.Topics[t].Subscribers, func(m int32) bool { return set>>m&1 == 0 }) {
				partitions += int(g.Topics[t].Partitions)
			}
		}
		most = max(most, partitions-n*bits.OnesCount(set))
	}
	return most
}

// With equal subscriptions the fewest moves are what owners have beyond their
// floors, less the ceilings that can go to such owners; so ceilings go first to
// holders above the floor.
func TestMovesAreForced(t *testing.T) {
	large(t, 40, func(t *testing.T, g *assignor.Group, k kind) {
		if !oracle.Equal(g) || k.PerTopic || k.Racks {
			return
		}
		want, holders, spare := 0, 0, g.Partitions()
		for m, quota := range oracle.Totals(g) {
			owned := g.Owned().Loads(g)[m]
			want += max(0, owned-quota.Floor)
			holders += count(owned > quota.Floor && quota.Ceiling > quota.Floor)
			spare -= quota.Floor
		}
		want -= min(holders, spare)
		if _, v := oracle.Best(g, k.Options); v.Moves != want {
			t.Errorf("%d moves, want %d", v.Moves, want)
		}
	})
}

// No partition given to another, no two exchanged and no chain of two makes the
// best plan better.
func TestNothingBetterNearby(t *testing.T) {
	large(t, 1, func(t *testing.T, g *assignor.Group, k kind) {
		plan, best := oracle.Best(g, k.Options)
		nearby(g, plan, 2, func(how string) {
			if v := oracle.Measure(g, plan, k.Options); v.Compare(best) < 0 {
				t.Errorf("best is %v, but %v after %s", best, v, how)
			}
		})
	})
}

// Planned again from the best plan, it is the best plan.
func TestFixedPoint(t *testing.T) {
	large(t, 6, func(t *testing.T, g *assignor.Group, k kind) {
		plan, _ := oracle.Best(g, k.Options)
		settled := *g
		settled.Topics = slices.Clone(g.Topics)
		for i := range plan {
			settled.Topics[i].Owners = plan[i]
		}
		if again, v := oracle.Best(&settled, k.Options); len(assignor.Diff(g, plan, again)) > 0 {
			t.Errorf("planned again from the best plan: %v", v)
		}
	})
}

// nearby changes plan in every way that one partition, or two of which the second
// leaves the member that the first goes to, can be given to others, calls check
// and changes it back.
func nearby(g *assignor.Group, plan assignor.Plan, depth int, check func(how string)) {
	var chain func(from int32, depth int, how string)
	chain = func(from int32, depth int, how string) {
		for t := range plan {
			for p, has := range plan[t] {
				if from != assignor.None && has != from {
					continue
				}
				for _, m := range g.Topics[t].Subscribers {
					if m == has {
						continue
					}
					plan[t][p] = m
					how := fmt.Sprintf("%s %d/%d to %d", how, t, p, m)
					check(how)
					if depth > 1 {
						chain(m, depth-1, how)
					}
					plan[t][p] = has
				}
			}
		}
	}
	chain(assignor.None, depth, "")
}

func BenchmarkBest(b *testing.B) {
	for _, sz := range []size{{8, 4, 40}, {20, 6, 120}, {60, 6, 240}} {
		for _, k := range []kind{{}, {unlike: true, weighted: true}, {unlike: true, Options: oracle.Options{PerTopic: true}}} {
			b.Run(fmt.Sprintf("%dx%d/%s", sz.members, sz.partitions, k), func(b *testing.B) {
				draw := rapid.Custom(func(t *rapid.T) *assignor.Group { return drawGroup(t, k, sz) })
				seed := 0
				g := draw.Example(seed)
				for len(g.Members) < sz.members || g.Partitions() < sz.partitions || g.Topics[0].Owners == nil {
					seed++
					g = draw.Example(seed)
				}
				for b.Loop() {
					oracle.Best(g, k.Options)
				}
			})
		}
	}
}
