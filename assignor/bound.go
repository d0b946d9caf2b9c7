package assignor

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
)

// MaxLoadBound is the largest load bound that CheckLoadBound takes.
const MaxLoadBound = 1000

// CheckLoadBound reports a load bound that makes no sense; a strategy with one
// calls it in Validate. 0 stands for no bound.
func CheckLoadBound(bound float64) error {
	if bound == 0 || bound >= 1 && bound <= MaxLoadBound {
		return nil
	}
	return fmt.Errorf("LoadBound is %v: give how many times its fair share a member may have at most, 1 to %d, such as 1.25, or 0 for no bound", bound, MaxLoadBound)
}

// Caps returns the most partitions that each member may have under a load
// bound: ceil(bound × fair share), where the fair share is the sum, over the
// topics that the member reads, of partitions × its weight / the weights of the
// topic's readers.
//
// bound is taken to three decimals and the rest is integers, so that 1.1 times
// 10 is 11 and not 12. With equal subscriptions the result is exact; with unlike
// ones the share of each set of topics that have the same readers is rounded
// down to 2^-40 partitions. The caps together have room for all partitions,
// though not for each topic's among its readers.
func Caps(g *Group, bound float64) []int32 {
	milli := uint64(math.Round(bound * 1000))
	whole := make([]uint64, len(g.Members))
	fraction := make([]uint64, len(g.Members)) // in 2^-40
	for _, set := range g.ReaderSets() {
		var weights, partitions uint64
		for _, m := range set.Readers {
			weights += uint64(max(g.Members[m].Weight, 1))
		}
		for _, t := range set.Topics {
			partitions += uint64(g.Topics[t].Partitions)
		}
		for _, m := range set.Readers {
			// numerator / denominator = bound × partitions × weight / weights
			hi, lo := bits.Mul64(milli*uint64(max(g.Members[m].Weight, 1)), partitions)
			q, r := bits.Div64(hi, lo, 1000*weights)
			whole[m] += q
			hi, lo = bits.Mul64(r, 1<<40)
			q, _ = bits.Div64(hi, lo, 1000*weights)
			fraction[m] += q
		}
	}
	caps := make([]int32, len(g.Members))
	for m := range caps {
		n := whole[m] + fraction[m]>>40
		if fraction[m]&(1<<40-1) != 0 {
			n++
		}
		caps[m] = int32(min(n, math.MaxInt32))
	}
	return caps
}

// AuditLoadBound warns of members that have more than their cap, for a
// strategy's Audit: with unlike subscriptions a bound cannot always be kept.
func AuditLoadBound(g *Group, p Plan, bound float64) []Warning {
	if bound == 0 {
		return nil
	}
	var over int
	worst := -1
	caps, loads := Caps(g, bound), p.Loads(g)
	for m, n := range loads {
		if n > int(caps[m]) {
			over++
			if worst < 0 || n-int(caps[m]) > loads[worst]-int(caps[worst]) {
				worst = m
			}
		}
	}
	if over == 0 {
		return nil
	}
	return []Warning{{
		Kind:    WarnBound,
		Member:  printable(strings.ReplaceAll(g.Members[worst].Key, "\x00", "/")),
		Message: fmt.Sprintf("%d of %d members exceed the load bound, this one most with %d partitions over %d: with unlike subscriptions it cannot always be kept; let more members read its topics, or raise LoadBound", over, len(g.Members), loads[worst], caps[worst]),
	}}
}
