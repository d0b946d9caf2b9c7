package cases_test

import (
	"flag"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/cases"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/oracle"
	"github.com/kgo-rendezvous/kgo-rendezvous/ring"
	"github.com/kgo-rendezvous/kgo-rendezvous/sticky"
)

func history(t *rapid.T) { play(t, cases.World{}) }

func play(t *rapid.T, w cases.World) {
	w.Strategy = hrw.Strategy{}
	w.Draw = func(n int, label string) int { return rapid.IntRange(0, n-1).Draw(t, label) }
	h := cases.NewHistory(w)
	if err := h.Play(rapid.IntRange(1, 40).Draw(t, "things that happen")); err != nil {
		t.Fatal(err)
	}
}

// Never do two live members work on one partition unless one of them was removed
// from the group; and everything settles.
func TestHistories(t *testing.T) { rapid.Check(t, history) }

// The same for members that stop everything before they join: nothing is ever
// withheld.
func TestEagerHistories(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		play(t, cases.World{Eager: true, Options: []assignor.Option{assignor.Eager()}})
	})
}

func FuzzHistories(f *testing.F) { f.Fuzz(rapid.MakeFuzz(history)) }

// Rapid keeps its histories short and simple, so that it can show the simplest
// that fails. These are longer and wilder, from fixed seeds.
func TestLongHistories(t *testing.T) {
	for _, s := range []assignor.Strategy{hrw.Strategy{}, ring.Strategy{}, best{}} {
		t.Run(s.Name(), func(t *testing.T) {
			rounds := 0
			for seed := range uint64(*histories) {
				h := cases.NewHistory(cases.World{Strategy: s, Draw: seeded(seed)})
				if err := h.Play(60); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				rounds += h.Rounds
			}
			t.Logf("%d histories, %d rounds", *histories, rounds)
		})
	}
}

// best is sticky with the oracle behind it: in no group that a history comes to
// is there a better plan.
type best struct{ sticky.Strategy }

func (s best) Assign(g *assignor.Group) assignor.Plan {
	plan := s.Strategy.Assign(g)
	if err := oracle.Judge(g, plan, oracle.Options{}); err != nil {
		panic(err) // which Round.Check reports
	}
	return plan
}

var histories = flag.Int("histories", 30, "how many long histories to play of each strategy")

func seeded(seed uint64) func(int, string) int {
	r := rand.New(rand.NewPCG(seed, 0))
	return func(n int, _ string) int { return r.IntN(n) }
}

// broken plays histories until one fails, and returns how many that took.
func broken(w cases.World) (int, error) {
	for seed := range uint64(2000) {
		w.Draw = seeded(seed)
		if err := cases.NewHistory(w).Play(40); err != nil {
			return int(seed) + 1, err
		}
	}
	return 0, nil
}

// owning changes what members say they own of each topic.
func owning(change func([]int32) []int32) func([]byte) []byte {
	return func(src []byte) []byte {
		meta, err := cases.ReadMetadata(src)
		if err != nil {
			return src
		}
		for i := range meta.OwnedPartitions {
			o := &meta.OwnedPartitions[i]
			o.Partitions = change(o.Partitions)
		}
		return meta.AppendTo(nil)
	}
}

// A model that finds nothing proves nothing: it must notice what goes wrong
// without ownership in the metadata, or with a part of it only.
func TestHistoriesNotice(t *testing.T) {
	for name, w := range map[string]cases.World{
		"no ownership in the metadata": {Metadata: owning(func(_ []int32) []int32 { return nil })},
		"one partition forgotten":      {Metadata: owning(func(ps []int32) []int32 { return ps[1:] })},
	} {
		t.Run(name, func(t *testing.T) {
			w.Strategy = hrw.Strategy{}
			n, err := broken(w)
			if err == nil {
				t.Fatal("2,000 histories and nothing noticed")
			}
			t.Logf("noticed in history %d: %.60s", n, err)
		})
	}
}
