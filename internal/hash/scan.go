package hash

import "sort"

// Best returns the index of the member with the highest score for k, the lower
// index where scores are equal, and -1 where there are no members.
func Best(k uint64, members []uint64) int {
	best, at := uint64(0), -1
	for i, m := range members {
		if s := Score(k, m); at < 0 || s > best {
			best, at = s, i
		}
	}
	return at
}

// BestAll sets owners[i] to Best(keys[i], members).
func BestAll(owners []int32, keys, members []uint64) {
	owners = owners[:len(keys)]
	for i, k := range keys {
		owners[i] = int32(Best(k, members))
	}
}

// Top appends to dst the indexes of the n members that score highest for k.
func Top(dst []int32, k uint64, members []uint64, n int) []int32 {
	type ranked struct {
		score uint64
		at    int32
	}
	var all []ranked
	for i, m := range members {
		all = append(all, ranked{Score(k, m), int32(i)})
	}
	sort.SliceStable(all, func(a, b int) bool { return all[a].score > all[b].score })
	for _, r := range all[:max(0, min(n, len(all)))] {
		dst = append(dst, r.at)
	}
	return dst
}
