package warm

import (
	"maps"
	"slices"
)

// A set is partitions by topic: ascending and distinct, none negative, no topic
// without any. It is never changed once it is made, so that it can be read
// without a lock and sets can share slices.
type set map[string][]int32

func newSet(m map[string][]int32) set { return set(nil).plus(m) }

// plus returns s and m together.
func (s set) plus(m map[string][]int32) set {
	out := make(set, len(s)+len(m))
	maps.Copy(out, s)
	for topic, ps := range m {
		if ps = sorted(ps, s[topic]); len(ps) > 0 {
			out[topic] = ps
		}
	}
	return out
}

// minus returns s without m.
func (s set) minus(m map[string][]int32) set {
	out := maps.Clone(s)
	for topic, ps := range m {
		if len(s[topic]) == 0 {
			continue
		}
		gone := sorted(ps, nil)
		left := slices.DeleteFunc(slices.Clone(s[topic]), func(p int32) bool {
			_, found := slices.BinarySearch(gone, p)
			return found
		})
		if out[topic] = left; len(left) == 0 {
			delete(out, topic)
		}
	}
	return out
}

func (s set) equal(o set) bool { return maps.EqualFunc(s, o, slices.Equal[[]int32]) }

// len returns the number of partitions.
func (s set) len() int {
	n := 0
	for _, ps := range s {
		n += len(ps)
	}
	return n
}

func (s set) clone() map[string][]int32 {
	out := make(map[string][]int32, len(s))
	for topic, ps := range s {
		out[topic] = slices.Clone(ps)
	}
	return out
}

// sorted returns the partitions of both as a slice of its own.
func sorted(a, b []int32) []int32 {
	out := slices.Concat(a, b)
	slices.Sort(out)
	out = slices.Compact(out)
	negative, _ := slices.BinarySearch(out, 0)
	return out[negative:]
}
