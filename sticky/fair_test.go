package sticky_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/assignor/assignortest"
	"github.com/kgo-rendezvous/kgo-rendezvous/sticky"
)

// TestFair counts, over many groups with keys of their own, who has one partition
// more than others where partitions do not divide: by the order of keys, which is
// the one thing that a careless rule would go by. A member that always comes out
// first, in every group of a cluster, has more work than others.
func TestFair(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		members    int
		partitions []int32
		sticky.Strategy
	}{
		{3, []int32{1}, sticky.Strategy{}},
		{3, []int32{11}, sticky.Strategy{}},
		{5, []int32{7, 7}, sticky.Strategy{}},
		{7, []int32{3, 10, 25}, sticky.Strategy{}},
		{7, []int32{3, 10, 25}, sticky.Strategy{PerTopic: true}},
		{10, []int32{99}, sticky.Strategy{}},
		{10, []int32{4, 4, 4, 4}, sticky.Strategy{PerTopic: true}},
	} {
		for _, kind := range []string{"pods", "IDs"} {
			t.Run(fmt.Sprintf("%d members %v %v %s", tt.members, tt.partitions, tt.Strategy, kind), func(t *testing.T) {
				r := rand.New(rand.NewPCG(uint64(tt.members), uint64(len(kind))))
				fresh, warm, left := extras{s: tt.Strategy}, extras{s: tt.Strategy}, extras{s: tt.Strategy}
				groups := 1000
				if slow {
					groups = 200
				}
				for i := range groups {
					s := freshGroup(r, kind, i, tt.members, tt.partitions)
					fresh.add(t, s.Group())
					one := &s.Members[r.IntN(tt.members)]
					one.Warm = map[string][]int32{"topic-0": {0}}
					warm.add(t, s.Group())
					one.Warm = nil
					s.Settle(tt.Assign(s.Group()))
					s.Leave(one.Key)
					left.add(t, s.Group())
				}
				fresh.check(t, "in new groups")
				warm.check(t, "where one of them has something at hand")
				left.check(t, "when one of them has left")
			})
		}
	}
}

// freshGroup returns a group whose members' keys are numbered or drawn.
func freshGroup(r *rand.Rand, kind string, number, members int, partitions []int32) *assignortest.Spec {
	s := assignortest.Uniform(members, partitions...)
	for i := range s.Members {
		s.Members[i].Key = fmt.Sprintf("app-%d-%d", number, i)
		if kind == "IDs" {
			s.Members[i].Key = fmt.Sprintf("kgo-%016x", r.Uint64())
		}
	}
	return s
}

// extras count who has one partition more than others, by place in the order of
// keys.
type extras struct {
	s        sticky.Strategy
	counts   []int
	expected float64 // of each
	variance float64 // of each
}

func (e *extras) add(t *testing.T, g *assignor.Group) {
	loads := e.s.Assign(g).Loads(g)
	n := len(loads)
	if e.counts == nil {
		e.counts = make([]int, n)
	}
	least, most := slices.Min(loads), 0
	for m, load := range loads {
		if load > least {
			e.counts[m]++
			most++
		}
		if load > least+1 {
			t.Fatalf("loads are %d", loads)
		}
	}
	if want := g.Partitions() % n; most != want {
		t.Fatalf("loads are %d: %d have one more, want %d", loads, most, want)
	}
	p := float64(most) / float64(n)
	e.expected += p
	e.variance += p * (1 - p)
}

// unlikely has, by degrees of freedom, what chi-squared exceeds once in a million
// times. Seeds are fixed, so the test passes always or never.
var unlikely = map[int]float64{1: 23.93, 2: 27.63, 3: 30.66, 4: 33.38, 5: 35.89, 6: 38.26, 8: 42.70, 9: 44.81}

// check compares the counts with chance. In a group of n members each has one more
// with probability p, and a certain number of them have: the covariance of two is
// -p(1-p)/(n-1), so that the squares, over p(1-p) × n/(n-1), add up to chi-squared
// with n-1 degrees of freedom.
func (e *extras) check(t *testing.T, when string) {
	n := float64(len(e.counts))
	if e.variance == 0 { // they divide
		return
	}
	chi := 0.0
	for _, count := range e.counts {
		d := float64(count) - e.expected
		chi += d * d / e.variance * (n - 1) / n
	}
	limit, ok := unlikely[len(e.counts)-1]
	t.Logf("%s: chi-squared %.1f, limit %.1f, counts %d", when, chi, limit, e.counts)
	if !ok || chi > limit {
		t.Errorf("%s who has one more is uneven: %d by place in the order of keys, chi-squared %.1f, limit %.1f", when, e.counts, chi, limit)
	}
}
