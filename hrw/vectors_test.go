package hrw_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/assignor/assignortest"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

type rankVector struct {
	Topic     string
	Partition int32
	Members   []string
	Weights   map[string]uint32
	Rank      []string
}

// The vectors were written by docs/placement.py, which shares no code with us.
// They freeze placement: one that differs needs a new protocol name.
func TestGoldenVectors(t *testing.T) {
	src, err := os.ReadFile("../docs/placement.json")
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		Partitions []struct {
			Topic     string
			Partition int32
			Hash      string
		}
		Members []struct{ Key, Hash string }
		Scores  []struct {
			Topic     string
			Partition int32
			Key       string
			Score     string
		}
		Logs []struct {
			Score   string
			NegLog2 uint64 `json:"neg_log2"`
		}
		Ranks, Weighted, Slots []rankVector
		Bounded                []struct {
			Topics  map[string]int32
			Weights map[string]uint32
			Bound   float64
			Caps    map[string]int32
			Owners  map[string][]string
		}
	}
	if err := json.Unmarshal(src, &v); err != nil {
		t.Fatal(err)
	}
	hex := func(h uint64) string { return fmt.Sprintf("%016x", h) }
	for _, p := range v.Partitions {
		if got := hex(hash.Key(p.Topic, p.Partition)); got != p.Hash {
			t.Errorf("partition hash %q %d: %s, want %s", p.Topic, p.Partition, got, p.Hash)
		}
	}
	for _, m := range v.Members {
		if got := hex(hash.Member(m.Key)); got != m.Hash {
			t.Errorf("member hash %q: %s, want %s", m.Key, got, m.Hash)
		}
	}
	for _, s := range v.Scores {
		if got := hex(hash.Score(hash.Key(s.Topic, s.Partition), hash.Member(s.Key))); got != s.Score {
			t.Errorf("score %q %d %q: %s, want %s", s.Topic, s.Partition, s.Key, got, s.Score)
		}
	}
	for _, l := range v.Logs {
		var score uint64
		fmt.Sscanf(l.Score, "%x", &score)
		if got := hash.NegLog2(score); got != l.NegLog2 {
			t.Errorf("-log2 of %s: %d, want %d", l.Score, got, l.NegLog2)
		}
	}
	checkRanks(t, "plain", hrw.Strategy{}, v.Ranks)
	checkRanks(t, "weighted", hrw.Strategy{}, v.Weighted)
	checkRanks(t, "slots", hrw.Strategy{Slots: true}, v.Slots)
	for _, b := range v.Bounded {
		g := group(b.Weights, b.Topics)
		plan := hrw.Strategy{LoadBound: b.Bound}.Assign(g)
		for m, n := range assignor.Caps(g, b.Bound) {
			if want := b.Caps[g.Members[m].Key]; n != want {
				t.Errorf("bound %v: cap of %q is %d, want %d", b.Bound, g.Members[m].Key, n, want)
			}
		}
		for i, topic := range g.Topics {
			var got []string
			for _, m := range plan[i] {
				got = append(got, g.Members[m].Key)
			}
			if want := b.Owners[topic.Name]; !slices.Equal(got, want) {
				t.Errorf("bound %v: owners of %q are %q, want %q", b.Bound, topic.Name, got, want)
			}
		}
	}
}

func checkRanks(t *testing.T, kind string, s hrw.Strategy, vectors []rankVector) {
	t.Helper()
	if len(vectors) < 30 {
		t.Errorf("%s: only %d vectors", kind, len(vectors))
	}
	for _, r := range vectors {
		weights := r.Weights
		if weights == nil {
			weights = map[string]uint32{}
			for _, m := range r.Members {
				weights[m] = 1
			}
		}
		g := group(weights, map[string]int32{r.Topic: r.Partition + 1})
		var got []string
		for _, m := range s.Rank(g, 0, r.Partition, len(r.Rank)) {
			got = append(got, g.Members[m].Key)
		}
		if !slices.Equal(got, r.Rank) {
			t.Errorf("%s: rank of %q %d of %v: %q, want %q", kind, r.Topic, r.Partition, weights, got, r.Rank)
		}
	}
}

// group returns a group in which everybody reads everything and nobody owns
// anything.
func group(weights map[string]uint32, topics map[string]int32) *assignor.Group {
	names := slices.Sorted(maps.Keys(topics))
	spec := &assignortest.Spec{}
	for _, k := range slices.Sorted(maps.Keys(weights)) {
		spec.Members = append(spec.Members, assignortest.Member{ID: k, Key: k, Weight: weights[k], Reads: names})
	}
	for _, n := range names {
		spec.Topics = append(spec.Topics, assignortest.Topic{Name: n, Partitions: topics[n]})
	}
	return spec.Group()
}
