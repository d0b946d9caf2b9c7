package sticky

import (
	"cmp"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

// bundle is partitions that are worth something to the same members that may take
// them, and as much: one, where there are several such members.
type bundle struct {
	pool    int32
	owner   int32 // or None
	members []int32
	parts   []part
	keep    int32 // arc to the owner
	first   int32 // arc to the first of the members
}

// part is a partition, by its topic's index.
type part struct{ topic, partition int32 }

// alike is what the partitions of a bundle for one member have in common.
type alike struct {
	pool, owner, member int32
	kept, taken         worth
}

// bundle adds a partition to its bundle.
func (h *homing) bundle(pool int32, p part, owner int32, kept worth, wanted []int32) {
	if len(wanted) > 1 {
		h.bundles = append(h.bundles, bundle{pool: pool, owner: owner, members: slices.Clone(wanted), parts: []part{p}})
		return
	}
	key := alike{pool, owner, wanted[0], kept, worthOf(&h.g.Topics[p.topic], int(p.partition), wanted[0])}
	i, ok := h.alike[key]
	if !ok {
		if h.alike == nil {
			h.alike = make(map[alike]int32)
		}
		i = int32(len(h.bundles))
		h.alike[key] = i
		h.bundles = append(h.bundles, bundle{pool: pool, owner: owner, members: []int32{wanted[0]}})
	}
	h.bundles[i].parts = append(h.bundles[i].parts, p)
}

// unpack hands out the partitions of a bundle: first what goes to the members that
// it is for, by score, then what the owner keeps.
func (h *homing) unpack(b *bundle) {
	parts := b.parts
	for j, m := range b.members {
		n := h.net.carried(nth(b.first, j))
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
		h.pools[b.pool].pin(p.topic, p.partition)
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
