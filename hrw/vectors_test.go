package hrw_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

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
		Ranks []struct {
			Topic     string
			Partition int32
			Members   []string
			Rank      []string
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
	for _, r := range v.Ranks {
		keys := slices.Sorted(slices.Values(r.Members))
		g := &assignor.Group{Topics: []assignor.Topic{{Name: r.Topic, Partitions: r.Partition + 1}}}
		for i, k := range keys {
			g.Members = append(g.Members, assignor.Member{ID: k, Key: k, Weight: 1})
			g.Topics[0].Subscribers = append(g.Topics[0].Subscribers, int32(i))
		}
		var got []string
		for _, m := range (hrw.Strategy{}).Rank(g, 0, r.Partition, len(r.Rank)) {
			got = append(got, keys[m])
		}
		if !slices.Equal(got, r.Rank) {
			t.Errorf("rank %q %d of %d: %q, want %q", r.Topic, r.Partition, len(keys), got, r.Rank)
		}
	}
	if n := len(v.Partitions) + len(v.Members) + len(v.Scores) + len(v.Ranks); n < 200 {
		t.Errorf("only %d vectors", n)
	}
}
