package hash

// Point returns the i-th of a hash's own sequence of pseudo-random numbers: the
// output of splitmix64 at state h + i·gamma. A member's points on a ring and
// the slots of a table are drawn from it, one xxh64 for all of them.
func Point(h, i uint64) uint64 { return Score(h+i*gamma, 0) }
