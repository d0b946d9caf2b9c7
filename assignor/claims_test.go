package assignor

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestClaims compares claims with the rule said slowly: collect all claims on a
// partition, take those at the highest generation.
func TestClaims(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := []int32{3, 0, 2}
		c := newClaims(counts)
		type one struct{ member, generation int32 }
		all := map[partitionKey][]one{}
		for m := range int32(rapid.IntRange(0, 6).Draw(t, "members")) {
			generation := int32(rapid.IntRange(-1, 2).Draw(t, "generation"))
			for topic := range int32(len(counts)) {
				ps := rapid.SliceOfN(rapid.SampledFrom([]int32{0, 1, 2, 3, 9, -1, maxUnseenPartition, maxUnseenPartition + 1, 1<<31 - 1, -1 << 31}), 0, 6).Draw(t, "claims")
				var raw []byte
				for _, p := range ps {
					raw = binary.BigEndian.AppendUint32(raw, uint32(p))
					if p >= 0 && p <= maxUnseenPartition {
						k := partitionKey{topic, p}
						if !slices.Contains(all[k], one{m, generation}) {
							all[k] = append(all[k], one{m, generation})
						}
					}
				}
				c.addAll(topic, raw, m, generation)
			}
		}
		for topic := range int32(len(counts)) {
			for _, p := range []int32{0, 1, 2, 3, 9, maxUnseenPartition} {
				k := partitionKey{topic, p}
				var top []int32
				highest := int32(-2)
				for _, o := range all[k] {
					if o.generation > highest {
						top, highest = nil, o.generation
					}
					if o.generation == highest {
						top = append(top, o.member)
					}
				}
				got := "nobody"
				if cl := c.at(k); cl != nil && cl.member != None {
					ms := []int32{cl.member}
					if cl.member == tied {
						ms = c.ties[k]
					}
					got = fmt.Sprint(ms)
				}
				want := "nobody"
				if len(top) > 0 {
					want = fmt.Sprint(top)
				}
				if got != want {
					t.Fatalf("%v: %s, want %s of %v", k, got, want, all[k])
				}
			}
		}
		if n := len(c.unseen); n > 100 {
			t.Fatalf("%d unseen partitions remembered", n)
		}
	})
}
