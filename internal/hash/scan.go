package hash

// The scans work in two parts. Over the head of the members they compare whole
// scores without a branch, two keys at a time: who is best so far changes often
// there, and a branch would be mispredicted as often. After the head a new best
// is rare, about ln(n/h) times for n members and a head of h, and a branch costs
// less than finding out without one; and since it is rare, it is taken by early
// mixes, one step short of a score, and only what may be a new best is
// finished. The result is exact in both: the same as comparing all scores.
//
// Measured and given up, all per mix on amd64: early mixes in the head with a
// test for near-ties (the test costs what the last step costs); two members or
// three or four keys a step in the head (too few registers); the keys in the
// inner loop (best and owner go through memory); the maximum of four before the
// branch after the head (four branches that are not taken are cheaper).

// Best returns the index of the member that scores highest for k, the lowest
// index where scores are equal, or -1 where there are no members. Time is
// linear in members; nothing is allocated.
func Best(k uint64, members []uint64) int {
	if len(members) == 0 {
		return -1
	}
	c := mixer{gamma, mul1, mul2}
	h := head(len(members))
	at, score := c.headOfOne(k, members[:h])
	return c.tail(k, members, h, at, score)
}

// BestAll sets owners[i] to Best(keys[i], members) for all keys, faster than
// Best one by one. owners must be as long as keys; what is beyond stays as it
// is. Time is keys × members; nothing is allocated.
func BestAll(owners []int32, keys, members []uint64) {
	owners = owners[:len(keys)]
	c := mixer{gamma, mul1, mul2}
	h := head(len(members))
	i := 0
	for ; i < len(keys)-1 && h > 0; i += 2 {
		at0, at1, score0, score1 := c.headOfTwo((*[2]uint64)(keys[i:i+2]), members[:h])
		if h < len(members) {
			at0 = c.tail(keys[i], members, h, at0, score0)
			at1 = c.tail(keys[i+1], members, h, at1, score1)
		}
		owners[i], owners[i+1] = int32(at0), int32(at1)
	}
	for ; i < len(keys); i++ {
		owners[i] = int32(Best(keys[i], members))
	}
}

// head returns how many of n members to go over without branches: all of a
// small group, and as many as leave the tail a multiple of four.
func head(n int) int {
	if n <= 64 {
		return n
	}
	return 40 + n%4
}

// headOfOne returns the best of members for k and its score.
//
//go:noinline
func (c mixer) headOfOne(k uint64, members []uint64) (at int, score uint64) {
	for i := len(members) - 1; i >= 0; i-- {
		s := c.score(k ^ members[i])
		if s >= score {
			at, score = i, s
		}
	}
	return at, score
}

// headOfTwo is headOfOne for two keys. They share the loads and the loop; that
// it goes down, and has the keys by pointer, saves the two registers that make
// the rest fit.
//
//go:noinline
func (c mixer) headOfTwo(keys *[2]uint64, members []uint64) (at0, at1 int, score0, score1 uint64) {
	for i := len(members) - 1; i >= 0; i-- {
		m := members[i]
		s0 := c.score(keys[0] ^ m)
		if s0 >= score0 {
			at0, score0 = i, s0
		}
		s1 := c.score(keys[1] ^ m)
		if s1 >= score1 {
			at1, score1 = i, s1
		}
	}
	return at0, at1, score0, score1
}

// tail returns the best of all members for k when at, with score, is the best
// of members[:i]. What is left must be a multiple of four.
//
//go:noinline
func (c mixer) tail(k uint64, members []uint64, i, at int, score uint64) int {
	low := floor(score)
	for ; i < len(members)-3; i += 4 {
		m := members[i : i+4 : i+4]
		y0 := c.early(k ^ m[0])
		y1 := c.early(k ^ m[1])
		y2 := c.early(k ^ m[2])
		y3 := c.early(k ^ m[3])
		if y0 >= low || y1 >= low || y2 >= low || y3 >= low {
			if s := y0 ^ y0>>31; s > score {
				at, score = i, s
			}
			if s := y1 ^ y1>>31; s > score {
				at, score = i+1, s
			}
			if s := y2 ^ y2>>31; s > score {
				at, score = i+2, s
			}
			if s := y3 ^ y3>>31; s > score {
				at, score = i+3, s
			}
			low = floor(score)
		}
	}
	return at
}
