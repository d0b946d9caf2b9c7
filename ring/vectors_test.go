package ring_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor/assignortest"
	"github.com/kgo-rendezvous/kgo-rendezvous/ring"
)

// Written by docs/placement.py, which shares no code with us: one that differs
// needs a new protocol name.
func TestGoldenVectors(t *testing.T) {
	src, err := os.ReadFile("../docs/placement.json")
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		Ring []struct {
			Topic        string
			Partition    int32
			Weights      map[string]uint32
			VirtualNodes int `json:"virtual_nodes"`
			Rank         []string
		}
	}
	if err := json.Unmarshal(src, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Ring) < 40 {
		t.Errorf("only %d vectors", len(v.Ring))
	}
	for _, r := range v.Ring {
		spec := &assignortest.Spec{Topics: []assignortest.Topic{{Name: r.Topic, Partitions: r.Partition + 1}}}
		for _, k := range slices.Sorted(maps.Keys(r.Weights)) {
			spec.Members = append(spec.Members, assignortest.Member{Key: k, Weight: r.Weights[k], Reads: []string{r.Topic}})
		}
		g := spec.Group()
		s := ring.Strategy{VirtualNodes: r.VirtualNodes}
		var got []string
		for _, m := range s.Rank(g, 0, r.Partition, len(r.Rank)) {
			got = append(got, g.Members[m].Key)
		}
		if !slices.Equal(got, r.Rank) {
			t.Errorf("rank of %q %d of %v with %d virtual nodes: %q, want %q", r.Topic, r.Partition, r.Weights, r.VirtualNodes, got, r.Rank)
		}
		if owner := g.Members[s.Assign(g)[0][r.Partition]].Key; owner != r.Rank[0] {
			t.Errorf("%q %d belongs to %q, want %q", r.Topic, r.Partition, owner, r.Rank[0])
		}
	}
}
