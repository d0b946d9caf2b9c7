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
	pool         int32
	owner        int32 // or None
	members      []int32
	parts        []part
	keep, others int32 // arcs: to the owner, and to anybody
	first        int32 // arc to the first of the members
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
		n := h.net.carried(b.first + int32(2*j))
		if n > 0 && n < len(parts) {
			score := func(p part) uint64 {
				return hash.Score(hash.Key(h.g.Topics[p.topic].Name, p.partition), h.hashes()[m])
			}
			slices.SortFunc(parts, func(x, y part) int {
				return cmp.Or(cmp.Compare(score(y), score(x)), cmp.Compare(x.topic, y.topic), cmp.Compare(x.partition, y.partition))
			})
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
