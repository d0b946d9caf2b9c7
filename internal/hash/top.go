package hash

import "slices"

// Top appends to dst the indexes of the n members that score highest for k, the
// highest first and the lower index first where scores are equal; all of them
// where there are fewer. So Top(nil, k, members, 1) is Best, and the second is
// who would be the best without the first.
//
// It allocates only what dst lacks. For m members it takes m mixes and,
// the scores being random, about n·ln(m/n) replacements in a heap of n.
func Top(dst []int32, k uint64, members []uint64, n int) []int32 {
	n = min(n, len(members))
	if n <= 0 {
		return dst
	}
	if n == 1 {
		return append(dst, int32(Best(k, members)))
	}
	dst = slices.Grow(dst, n)[:len(dst)+n]
	r := ranking{k, members, dst[len(dst)-n:]}
	r.init()
	r.offer(mixer{gamma, mul1, mul2})
	r.sort()
	return dst
}

// A ranking is a heap of indexes into members, the one that ranks last on top.
// It keeps no scores: to mix again is as cheap as to look up.
type ranking struct {
	k       uint64
	members []uint64
	heap    []int32
}

// init fills the heap with the first members.
func (r ranking) init() {
	for i := range r.heap {
		r.heap[i] = int32(i)
	}
	for i := len(r.heap)/2 - 1; i >= 0; i-- {
		r.sink(i, len(r.heap))
	}
}

// offer puts each of the other members in place of the last where it scores
// higher. Where it scores the same it ranks behind, its index being higher.
//
//go:noinline
func (r ranking) offer(c mixer) {
	last := Score(r.k, r.members[r.heap[0]])
	low := floor(last)
	for i := len(r.heap); i < len(r.members); i++ {
		y := c.early(r.k ^ r.members[i])
		if y >= low && y^y>>31 > last {
			r.heap[0] = int32(i)
			r.sink(0, len(r.heap))
			last = Score(r.k, r.members[r.heap[0]])
			low = floor(last)
		}
	}
}

// sort turns the heap into a list, best first.
func (r ranking) sort() {
	for n := len(r.heap) - 1; n > 0; n-- {
		r.heap[0], r.heap[n] = r.heap[n], r.heap[0]
		r.sink(0, n)
	}
}

// sink moves the entry at i down to its place in the heap of the first n.
func (r ranking) sink(i, n int) {
	for {
		child := 2*i + 1
		if child >= n {
			return
		}
		if child+1 < n && r.behind(r.heap[child+1], r.heap[child]) {
			child++
		}
		if r.behind(r.heap[i], r.heap[child]) {
			return
		}
		r.heap[i], r.heap[child] = r.heap[child], r.heap[i]
		i = child
	}
}

// behind reports whether member a ranks behind member b.
func (r ranking) behind(a, b int32) bool {
	x, y := Score(r.k, r.members[a]), Score(r.k, r.members[b])
	return x < y || x == y && a > b
}
