package hash

// Top appends to dst the indexes of the n members with the highest scores for
// k, best first, lower index first where scores are equal, and fewer where there
// are fewer members. It takes one score a member and, for small n, little more.
func Top(dst []int32, k uint64, members []uint64, n int) []int32 {
	n = min(n, len(members))
	if n <= 0 {
		return dst
	}
	at := len(dst)
	scores := make([]uint64, 0, n)
	for i, m := range members {
		s := Score(k, m)
		full := len(scores) == n
		if full && s <= scores[n-1] {
			continue
		}
		if !full {
			scores, dst = append(scores, s), append(dst, int32(i))
		}
		// Insert it before the lower scores; an equal one has a lower index.
		j := len(scores) - 1
		for ; j > 0 && scores[j-1] < s; j-- {
			scores[j], dst[at+j] = scores[j-1], dst[at+j-1]
		}
		scores[j], dst[at+j] = s, int32(i)
	}
	return dst
}
