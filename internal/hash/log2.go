package hash

import "math/bits"

// LogBits is the number of fractional bits of NegLog2.
const LogBits = 52

// NegLog2 returns -log2(u) for u = (score + 1/2) / 2^64, in units of 2^-52 and
// rounded up, but at least 1. It is what the logarithmic method of weighted
// rendezvous hashing divides by a weight (Schindelhauer and Schomaker, 2005):
// smallest wins. In integers, since with floats a compiler that fuses multiply
// and add would let two leaders disagree on a near-tie.
//
// It never rises with score. So among members of equal weight the order by it,
// then by score, is the order by score.
//
// The digits come one by one from squaring, which keeps that order whatever is
// cut off; about 50 multiplications.
func NegLog2(score uint64) uint64 {
	// 2u·2^64 = 2·score + 1, of 65 bits. With its leading one at bit 63:
	n := bits.LeadingZeros64(score)
	var x uint64
	if n == 0 {
		x = score // the half is cut off
	} else {
		x = (score<<1 | 1) << (n - 1)
	}
	// u = x/2^63 · 2^-(n+1), where 1 <= x/2^63 < 2.
	var log uint64 // of x/2^63
	for range LogBits {
		hi, lo := bits.Mul64(x, x) // below 4·2^126
		log <<= 1
		if hi>>63 != 0 {
			log |= 1
			x = hi
		} else {
			x = hi<<1 | lo>>63
		}
	}
	return max(uint64(n+1)<<LogBits-log, 1)
}

// A Weighted is the worth of a member for a partition: who is better owns it.
type Weighted struct {
	Score  uint64
	Weight uint32
}

// Better tells whether a is better than b: whose -log2(u)/weight is smaller,
// compared exactly, or the higher score where that is equal.
func (a Weighted) Better(b Weighted) bool {
	if a.Weight == b.Weight {
		return a.Score > b.Score
	}
	return better(a.Score, NegLog2(a.Score), a.Weight, b.Score, NegLog2(b.Score), b.Weight)
}

func better(score, log uint64, weight uint32, score2, log2 uint64, weight2 uint32) bool {
	hi, lo := bits.Mul64(log, uint64(weight2))
	hi2, lo2 := bits.Mul64(log2, uint64(weight))
	if hi != hi2 {
		return hi < hi2
	}
	if lo != lo2 {
		return lo < lo2
	}
	return score > score2
}

// BestWeighted returns the index of the best member for k, the lowest where
// several are equal, -1 for none. weights are those of members, each at least
// 1. Few logarithms are taken: a member whose chance is too small already by
// the line under the logarithm's curve is passed over.
//
// If accept is not nil, only members that it accepts count; it is asked for few.
func BestWeighted(k uint64, members []uint64, weights []uint32, accept func(i int, score uint64) bool) int {
	at := -1
	var score, log uint64
	var weight uint32
	for i, m := range members {
		s, w := Score(k, m), weights[i]
		if at >= 0 {
			// -log2(u) > (1-u)·log2(e) >= (1-u)·5909/4096, in units of 2^-52.
			least := (^s >> (65 - LogBits)) * 5909 >> 11
			hi, lo := bits.Mul64(least, uint64(weight))
			hi2, lo2 := bits.Mul64(log, uint64(w))
			if hi > hi2 || hi == hi2 && lo > lo2 {
				continue
			}
		}
		l := NegLog2(s)
		if (at < 0 || better(s, l, w, score, log, weight)) && (accept == nil || accept(i, s)) {
			at, score, log, weight = i, s, l, w
		}
	}
	return at
}

// BestAccepted is Best among the members that accept accepts; it is asked for
// few of them.
func BestAccepted(k uint64, members []uint64, accept func(i int, score uint64) bool) int {
	at := -1
	var score uint64
	for i, m := range members {
		if s := Score(k, m); (s > score || at < 0) && accept(i, s) {
			at, score = i, s
		}
	}
	return at
}
