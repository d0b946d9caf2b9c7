package sticky_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/sticky"
)

// spreads plays random joins and leaves of 4 to 12 members that read four topics
// of 12 partitions, and returns how often each per-topic spread occurred: the
// largest difference, within a topic, between two members.
func spreads(s sticky.Strategy, steps int, seed uint64) (histogram map[int]int) {
	random := rand.New(rand.NewPCG(seed, 0))
	histogram = make(map[int]int)
	var keys []string
	owners := make([][]string, 4)
	for t := range owners {
		owners[t] = make([]string, 12)
	}
	for len(keys) < 8 {
		keys = append(keys, fmt.Sprint(random.Uint64()))
	}
	for range steps {
		if n := len(keys); n == 4 || n < 12 && random.IntN(2) == 0 {
			keys = append(keys, fmt.Sprint(random.Uint64()))
		} else {
			i := random.IntN(n)
			keys = slices.Delete(keys, i, i+1)
		}
		slices.Sort(keys)
		g := new(assignor.Group)
		var all []int32
		for i, k := range keys {
			g.Members = append(g.Members, assignor.Member{ID: k, Key: k, Weight: 1})
			all = append(all, int32(i))
		}
		for t := range owners {
			topic := assignor.Topic{Name: fmt.Sprint("topic-", t), Partitions: 12, Subscribers: all}
			for _, o := range owners[t] {
				topic.Owners = append(topic.Owners, int32(slices.Index(keys, o)))
			}
			g.Topics = append(g.Topics, topic)
		}
		plan := s.Assign(g)
		worst := 0
		for t := range plan {
			counts := (assignor.Plan{plan[t]}).Loads(g)
			worst = max(worst, slices.Max(counts)-slices.Min(counts))
			for p, m := range plan[t] {
				owners[t][p] = keys[m]
			}
		}
		histogram[worst]++
	}
	return histogram
}

// Topics are spread as far as even loads and the fewest moves leave a choice:
// nearly always evenly. With PerTopic they always are.
func TestSpread(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		sticky.Strategy
		most  int     // no spread is larger
		share float64 // of steps after which the spread is 1 at most
	}{
		{"plain", sticky.Strategy{}, 2, 0.95},
		{"per topic", sticky.Strategy{PerTopic: true}, 1, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			all, steps := make(map[int]int), 0
			for seed := range uint64(50) {
				if slow && seed == 10 {
					break
				}
				for spread, n := range spreads(tt.Strategy, 200, seed) {
					all[spread] += n
					steps += n
					if spread > tt.most {
						t.Errorf("seed %d: a topic is spread by %d after %d steps, want %d at most", seed, spread, n, tt.most)
					}
				}
			}
			t.Logf("steps by spread: %v", all)
			if share := float64(all[0]+all[1]) / float64(steps); share < tt.share {
				t.Errorf("the spread is 1 at most after %.2f %% of the steps, want %.0f %%", 100*share, 100*tt.share)
			}
		})
	}
}
