package hrw

import (
	"cmp"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

// Slots: rendezvous hashing whose score is minus the index of the first hit.
//
// Every member claims some of a fixed number of slots, by its key alone. Every
// partition has a sequence of slots, by its key alone, and goes to the member
// that claims the first claimed slot in it; members that share a slot are
// settled by pair score. Who owns what hence depends on each pair of partition
// and member alone, (index of the first hit, pair score), as it does with
// scores: a join takes only for the joiner, a leave moves only the leaver's.
//
// A member's claims are in proportion to its own weight and nobody else's, so
// that a change of one weight moves nothing among the others. Hence a group of
// members that all have weight 2 is not placed as if all had 1.
//
// A sequence is followed for a constant number of steps, and then all members
// are scored as without slots. That too depends on the pair alone: no hit is
// worse than any.
const (
	slotBits  = 18
	slotCount = 1 << slotBits

	// claims is the number of slots of a member of weight 1. With n members
	// the walk takes slotCount/(claims·n) steps: 5 at 1000 members.
	claims = 48
	// maxClaims bounds those of a heavy member: it counts as one of weight 85.
	maxClaims = 4096
	// maxSteps is where a walk gives up: of 500 members one partition in 500
	// does.
	maxSteps = 64
)

// tablePays is how many pairs of partition and member, looked at one by one, cost
// what a table does.
const tablePays = 200

// slotOwners sets owners[i] to the owner of keys[i], by a table as soon as there
// is enough to do with these readers.
func (s *scorer) slotOwners(r *readers, owners []int32, keys []uint64) {
	if s.pairs += len(keys) * len(r.members); s.table == nil && s.pairs > tablePays {
		s.table = newTable(s.g, r)
	}
	for p, k := range keys {
		switch {
		case s.table == nil:
			owners[p] = r.members[r.rankBySlots(s.g, k, 1)[0]]
		default:
			if i := s.table.first(k); i >= 0 {
				owners[p] = r.members[i]
			} else {
				owners[p] = r.best(k)
			}
		}
	}
}

// A table is who claims which slot.
type table struct {
	hashes []uint64 // of the readers
	// slots holds, for a claimed slot, the index of the reader that claims
	// it plus 1, or below 0 the place in shared where several are listed.
	slots  []int32
	shared [][]int32
}

func newTable(g *assignor.Group, r *readers) *table {
	t := &table{hashes: r.hashes, slots: make([]int32, slotCount)}
	for i, h := range r.hashes {
		w := walk{from: h}
		for range claimsOf(weightOf(g, r.members[i])) {
			t.claim(w.next(), int32(i))
		}
	}
	return t
}

// claim adds a reader to a slot, unless it is there.
func (t *table) claim(slot uint32, i int32) {
	s := &t.slots[slot]
	switch {
	case *s == 0:
		*s = i + 1
	case *s > 0 && *s != i+1:
		t.shared = append(t.shared, []int32{*s - 1, i})
		*s = -int32(len(t.shared))
	case *s < 0:
		// A reader's claims come in one go, so a repeat is the latest.
		if all := &t.shared[-*s-1]; (*all)[len(*all)-1] != i {
			*all = append(*all, i)
		}
	}
}

// first returns the reader that a key goes to, -1 if its walk hits none.
func (t *table) first(k uint64) int32 {
	w := walk{from: k}
	for range maxSteps {
		switch s := t.slots[w.next()]; {
		case s > 0:
			return s - 1
		case s < 0:
			all := t.shared[-s-1]
			best := all[0]
			for _, i := range all[1:] {
				if hash.Score(k, t.hashes[i]) > hash.Score(k, t.hashes[best]) {
					best = i
				}
			}
			return best
		}
	}
	return -1
}

// rankBySlots returns the n best readers for a key, best first, without a table.
func (r *readers) rankBySlots(g *assignor.Group, k uint64, n int) []int32 {
	hits := r.firstHits(g, k)
	// Members that share a slot are settled by score alone.
	var rank []int32
	for i, hit := range hits {
		if hit < maxSteps {
			rank = append(rank, int32(i))
		}
	}
	slices.SortFunc(rank, func(a, b int32) int {
		return cmp.Or(cmp.Compare(hits[a], hits[b]), cmp.Compare(hash.Score(k, r.hashes[b]), hash.Score(k, r.hashes[a])), cmp.Compare(a, b))
	})
	switch {
	case len(rank) >= n:
		return rank[:n]
	case len(rank) == 0 && n == 1:
		return []int32{int32(r.bestIndex(k))}
	}
	// Who hits nothing comes last, as without slots.
	for _, i := range r.byScore(k) {
		if hits[i] == maxSteps {
			rank = append(rank, i)
		}
	}
	return rank[:n]
}

// firstHits returns, for each reader, the index of the first slot in a key's walk
// that it claims, maxSteps if none.
func (r *readers) firstHits(g *assignor.Group, k uint64) []int {
	var steps stepTable
	w := walk{from: k}
	for i := range maxSteps {
		slot := w.next()
		if at := steps.find(slot); steps.slot[at] == 0 {
			steps.slot[at], steps.step[at] = slot+1, i
		}
	}
	hits := make([]int, len(r.members))
	for i, h := range r.hashes {
		hits[i] = maxSteps
		w := walk{from: h}
		for range claimsOf(weightOf(g, r.members[i])) {
			if at := steps.find(w.next()); steps.slot[at] != 0 {
				hits[i] = min(hits[i], steps.step[at])
			}
		}
	}
	return hits
}

// A stepTable has the first step of a walk at each of its slots: open addressing
// by the lower bits.
type stepTable struct {
	slot [4 * maxSteps]uint32 // plus 1; 0: free
	step [4 * maxSteps]int
}

// find returns where a slot is, or the free place where it would be.
func (t *stepTable) find(slot uint32) uint32 {
	at := slot % uint32(len(t.slot))
	for t.slot[at] != 0 && t.slot[at] != slot+1 {
		at = (at + 1) % uint32(len(t.slot))
	}
	return at
}

// claimsOf returns the number of slots that a member claims, from the start of
// its walk on; a slot that comes twice in it counts once and is rare.
func claimsOf(weight uint32) int { return min(claims*int(weight), maxClaims) }

// A walk is a pseudo-random sequence of slots: the points of a hash, three slots
// of each, from the top bits down.
type walk struct {
	from  uint64
	point uint64
	i     uint64
	left  int
}

func (w *walk) next() uint32 {
	if w.left == 0 {
		w.point = hash.Point(w.from, w.i)
		w.i++
		w.left = 3
	}
	w.left--
	slot := uint32(w.point >> (64 - slotBits))
	w.point <<= slotBits
	return slot
}
