package hrw_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/assignor/assignortest"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

var trials = flag.Int("trials", 60, "trials of each size in statistical tests; 3000 for the figures in the docs")

// TestBoundIsStable: nobody would rather have a partition that would rather be
// there. With equal subscriptions there is one such plan only.
func TestBoundIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := assignortest.Groups(assignortest.Shape{}).Draw(t, "group")
		bound := rapid.SampledFrom([]float64{1, 1.1, 1.25, 2}).Draw(t, "bound")
		plan := hrw.Strategy{LoadBound: bound}.Assign(g)
		caps, loads := assignor.Caps(g, bound), plan.Loads(g)
		equal := true
		for i := range g.Topics {
			equal = equal && slices.Equal(g.Topics[i].Subscribers, g.Topics[0].Subscribers)
		}
		if equal {
			for m, n := range loads {
				if n > int(caps[m]) {
					t.Fatalf("member %d has %d over %d", m, n, caps[m])
				}
			}
		}
		worth := func(topic int, p, m int32) hash.Weighted {
			return hash.Weighted{
				Score:  hash.Score(hash.Key(g.Topics[topic].Name, p), hash.Member(g.Members[m].Key)),
				Weight: max(g.Members[m].Weight, 1),
			}
		}
		// likes tells whether m prefers the first partition to the second.
		likes := func(m int32, t1 int, p1 int32, t2 int, p2 int32) bool {
			if a, b := len(g.Topics[t1].Subscribers), len(g.Topics[t2].Subscribers); a != b {
				return a < b
			}
			return worth(t1, p1, m).Better(worth(t2, p2, m))
		}
		for topic := range plan {
			for p, owner := range plan[topic] {
				for _, m := range g.Topics[topic].Subscribers {
					if m == owner || !worth(topic, int32(p), m).Better(worth(topic, int32(p), owner)) {
						continue
					}
					if loads[m] < int(caps[m]) {
						t.Fatalf("%s %d would rather be at %d, which has room", g.Topics[topic].Name, p, m)
					}
					for t2 := range plan {
						for p2, o2 := range plan[t2] {
							if o2 == m && loads[m] == int(caps[m]) && likes(m, topic, int32(p), t2, int32(p2)) {
								t.Fatalf("%s %d would rather be at %d, which would rather have it than %s %d", g.Topics[topic].Name, p, m, g.Topics[t2].Name, p2)
							}
						}
					}
				}
			}
		}
	})
}

// TestBoundMovesLittle goes from n to n+1 members and back: on average at most
// 1.4 times as many partitions move as must, which is what the joiner has.
func TestBoundMovesLittle(t *testing.T) {
	s := hrw.Strategy{LoadBound: 1.25}
	for i, size := range []struct{ members, partitions int32 }{
		{3, 12}, {3, 50}, {3, 200}, {10, 12}, {10, 50}, {10, 200}, {10, 1000}, {30, 200}, {30, 1000}, {100, 200}, {100, 1000},
	} {
		random := rand.New(rand.NewPCG(1, uint64(i)))
		var must, moved int
		for range *trials {
			spec := &assignortest.Spec{Topics: []assignortest.Topic{{Name: fmt.Sprint(random.Uint64()), Partitions: size.partitions}}}
			for range size.members + 1 {
				spec.Members = append(spec.Members, assignortest.Member{Key: fmt.Sprint(random.Uint64()), Reads: []string{spec.Topics[0].Name}})
			}
			large := spec.Group()
			joiner := int32(slices.IndexFunc(large.Members, func(m assignor.Member) bool { return m.Key == spec.Members[size.members].Key }))
			spec.Members = spec.Members[:size.members]
			small := spec.Group()
			before, after := s.Assign(small)[0], s.Assign(large)[0]
			for p, m := range after {
				from := before[p]
				if from >= joiner { // indexes of the larger group
					from++
				}
				if m == joiner {
					must++
				}
				if m != from {
					moved++
				}
			}
			for m, n := range (assignor.Plan{after}).Loads(large) {
				if limit := int(assignor.Caps(large, 1.25)[m]); n > limit {
					t.Fatalf("%d×%d: a load of %d over %d", size.members, size.partitions, n, limit)
				}
			}
		}
		ratio := float64(moved) / float64(must)
		t.Logf("%d × %d: %.2f times the least, in %d trials", size.members, size.partitions, ratio, *trials)
		if ratio > 1.4 {
			t.Errorf("%d × %d: %.2f times the least, at most 1.4 allowed", size.members, size.partitions, ratio)
		}
	}
}

func TestBoundOfUnlikeReadersIsWarnedOf(t *testing.T) {
	spec := assignortest.Uniform(4, 100, 4)
	for i := range 3 {
		spec.Members[i].Reads = spec.Members[i].Reads[1:] // only pod-3 reads the large topic
	}
	g := spec.Group()
	s := hrw.Strategy{LoadBound: 1.25}
	if ws := s.Audit(g, s.Assign(g)); len(ws) != 0 {
		t.Errorf("the large topic's only reader has its fair share, but %v", ws)
	}
	// Two topics share a reader whose caps add up, but one cannot use it.
	spec = assignortest.Uniform(2, 10, 30)
	spec.Members[1].Reads = spec.Members[1].Reads[1:]
	g = spec.Group()
	s = hrw.Strategy{LoadBound: 1}
	plan := s.Assign(g)
	t.Log(plan.Loads(g), assignor.Caps(g, 1))
	if n := plan.Loads(g); n[0] != 25 || n[1] != 15 {
		t.Errorf("loads %v", n)
	}
}

func TestRankWithBound(t *testing.T) {
	g := assignortest.Uniform(5, 40).Group()
	bounded, plain := hrw.Strategy{LoadBound: 1}, hrw.Strategy{}
	plan := bounded.Assign(g)
	moved := 0
	for p := range int32(40) {
		got, byScore := bounded.Rank(g, 0, p, 5), plain.Rank(g, 0, p, 5)
		if got[0] != plan[0][p] {
			t.Fatalf("partition %d: rank %v, owner %d", p, got, plan[0][p])
		}
		if got[0] != byScore[0] {
			moved++
		}
		want := slices.DeleteFunc(byScore, func(m int32) bool { return m == got[0] })
		if !slices.Equal(got[1:], want) {
			t.Fatalf("partition %d: rank %v, by score %v", p, got, want)
		}
	}
	if moved == 0 {
		t.Error("the bound changed nothing: the test shows nothing")
	}
}

func TestValidate(t *testing.T) {
	for _, s := range []hrw.Strategy{{}, {Slots: true}, {LoadBound: 1}, {LoadBound: 1.25}} {
		if err := s.Validate(); err != nil {
			t.Errorf("%+v: %v", s, err)
		}
	}
	for _, s := range []hrw.Strategy{{LoadBound: 0.9}, {LoadBound: -1}, {LoadBound: 1.25, Slots: true}} {
		if _, err := assignor.New(s); err == nil {
			t.Errorf("%+v is taken", s)
		}
	}
}
