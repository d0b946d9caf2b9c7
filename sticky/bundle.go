package sticky

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

// bundle is partitions that are worth as much to their owner and to the same
// others that may take them.
type bundle struct {
	pool   int32
	owner  int32 // its place among the pool's readers, or None
	kept   worth
	wanted []want
	parts  []part
	keep   int32 // arc to the owner
	first  int32 // arc to the first of the others
}

// part is a partition, by its topic's index.
type part struct{ topic, partition int32 }

// bundle adds a partition to its bundle.
func (h *homing) bundle(pool int32, p part, owner int32, kept worth, wanted []want) {
	key := binary.LittleEndian.AppendUint32(h.key[:0], uint32(pool))
	key = append(binary.LittleEndian.AppendUint32(key, uint32(owner)), byte(kept))
	for _, w := range wanted {
		key = append(binary.LittleEndian.AppendUint32(key, uint32(w.reader)), byte(w.worth))
	}
	h.key = key
	i, ok := h.alike[string(key)]
	if !ok {
		if h.alike == nil {
			h.alike = make(map[string]int32)
		}
		i = int32(len(h.bundles))
		h.alike[string(key)] = i
		h.bundles = append(h.bundles, bundle{pool: pool, owner: owner, kept: kept, wanted: slices.Clone(wanted)})
	}
	h.bundles[i].parts = append(h.bundles[i].parts, p)
}

// unpack hands out the partitions of a bundle: first what goes to the members that
// it is for, by score, then what the owner keeps.
func (h *homing) unpack(b *bundle) {
	parts, pool := b.parts, h.pools[b.pool]
	for j, w := range b.wanted {
		m := pool.readers[w.reader].member
		n := h.net.carried(b.first + int32(j))
		if n > 0 && n < len(parts) {
			h.prefer(parts, m)
		}
		for _, p := range parts[:n] {
			h.plan[p.topic][p.partition] = m
		}
		parts = parts[n:]
	}
	kept := 0
	if b.owner != assignor.None {
		kept = h.net.carried(b.keep)
	}
	for _, p := range parts[:kept] {
		pool.pin(p.topic, p.partition)
	}
	for _, p := range parts[kept:] {
		h.plan[p.topic][p.partition] = assignor.None
	}
}

// prefer sorts partitions by where a member's should come from: the best of each
// topic by score, then the second best of each and so on.
func (h *homing) prefer(parts []part, m int32) {
	type choice struct {
		part
		turn  int // among those of its topic
		score uint64
	}
	choices := make([]choice, len(parts))
	for i, p := range parts {
		choices[i] = choice{part: p, score: hash.Score(hash.Key(h.g.Topics[p.topic].Name, p.partition), h.hashes()[m])}
	}
	slices.SortFunc(choices, func(x, y choice) int {
		return cmp.Or(cmp.Compare(x.topic, y.topic), cmp.Compare(y.score, x.score), cmp.Compare(x.partition, y.partition))
	})
	for i := 1; i < len(choices); i++ {
		if choices[i].topic == choices[i-1].topic {
			choices[i].turn = choices[i-1].turn + 1
		}
	}
	slices.SortStableFunc(choices, func(x, y choice) int {
		return cmp.Or(cmp.Compare(x.turn, y.turn), cmp.Compare(y.score, x.score))
	})
	for i := range choices {
		parts[i] = choices[i].part
	}
}
