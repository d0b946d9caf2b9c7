package hash

// Best returns the index of the member with the highest score for k, the lower
// index where scores are equal, and -1 where there are no members.
func Best(k uint64, members []uint64) int {
	if len(members) == 0 {
		return -1
	}
	c := constants
	h := head(len(members))
	at, score := c.one(k, members[:h])
	if h < len(members) {
		at = c.rest(k, members, h, at, score)
	}
	return at
}

// BestAll sets owners[i] to Best(keys[i], members).
func BestAll(owners []int32, keys, members []uint64) {
	owners = owners[:len(keys)]
	c := constants
	h := head(len(members))
	for len(keys) >= 2 && len(owners) >= 2 && len(members) > 0 {
		k0, k1 := keys[0], keys[1]
		at0, at1, score0, score1 := c.two(k0, k1, members[:h])
		if h < len(members) {
			at0 = c.rest(k0, members, h, at0, score0)
			at1 = c.rest(k1, members, h, at1, score1)
		}
		owners[0], owners[1] = int32(at0), int32(at1)
		keys, owners = keys[2:], owners[2:]
	}
	for i, k := range keys {
		owners[i] = int32(Best(k, members))
	}
}

var headMax, headMin = 48, 32

func head(n int) int {
	if n <= headMax {
		return n
	}
	return headMin + n%8
}

type consts struct{ g, c1, c2 uint64 }

var constants = consts{gamma, mul1, mul2}

func (c consts) early(x uint64) uint64 {
	x += c.g
	x = (x ^ x>>30) * c.c1
	return (x ^ x>>27) * c.c2
}

func (c consts) full(x uint64) uint64 {
	x = c.early(x)
	return x ^ x>>31
}

//go:noinline
func (c consts) one(k uint64, members []uint64) (at int, score uint64) {
	for i, m := range members {
		s := c.full(k ^ m)
		if s > score {
			at = i
		}
		score = max(s, score)
	}
	return at, score
}

//go:noinline
func (c consts) two(k0, k1 uint64, members []uint64) (at0, at1 int, score0, score1 uint64) {
	for i, m := range members {
		s0 := c.full(k0 ^ m)
		if s0 > score0 {
			at0 = i
		}
		score0 = max(s0, score0)
		s1 := c.full(k1 ^ m)
		if s1 > score1 {
			at1 = i
		}
		score1 = max(s1, score1)
	}
	return
}

//go:noinline
func (c consts) rest(k uint64, members []uint64, i, at int, score uint64) int {
	floor := score &^ (1<<33 - 1)
	for ; i < len(members)-7; i += 8 {
		ms := members[i : i+8 : i+8]
		y0 := c.early(k ^ ms[0])
		y1 := c.early(k ^ ms[1])
		y2 := c.early(k ^ ms[2])
		y3 := c.early(k ^ ms[3])
		y4 := c.early(k ^ ms[4])
		y5 := c.early(k ^ ms[5])
		y6 := c.early(k ^ ms[6])
		y7 := c.early(k ^ ms[7])
		if y0 >= floor || y1 >= floor || y2 >= floor || y3 >= floor || y4 >= floor || y5 >= floor || y6 >= floor || y7 >= floor {
			for j, m := range ms {
				s := Score(k, m)
				if s > score {
					at = i + j
				}
				score = max(s, score)
			}
			floor = score &^ (1<<33 - 1)
		}
	}
	return at
}
