package main

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// A spanned is one figure of one algorithm over all sizes.
type spanned struct {
	name      string
	kind      kind
	peers     []string // all of that kind
	low, high float64
}

type spans []spanned

// values returns a column's figures over all sizes, without algorithms that
// have none.
func values(all []*comparison, csv string) spans {
	of := valueOf(csv)
	kinds := make(map[kind][]string)
	for _, r := range all[0].results {
		kinds[r.algorithm.kind] = append(kinds[r.algorithm.kind], r.algorithm.name)
	}
	var out spans
	for i, r := range all[0].results {
		s := spanned{r.algorithm.name, r.algorithm.kind, kinds[r.algorithm.kind], math.Inf(1), math.Inf(-1)}
		for _, c := range all {
			if v := of(c.results[i]); !math.IsNaN(v) {
				s.low, s.high = min(s.low, v), max(s.high, v)
			}
		}
		if s.low <= s.high {
			out = append(out, s)
		}
	}
	return out
}

func (s spans) split(is func(spanned) bool) (yes, no spans) {
	for _, v := range s {
		if is(v) {
			yes = append(yes, v)
		} else {
			no = append(no, v)
		}
	}
	return yes, no
}

func (s spans) most() spanned {
	return slices.MaxFunc(s, func(a, b spanned) int { return cmp.Compare(a.high, b.high) })
}

func (s spans) least() spanned {
	return slices.MinFunc(s, func(a, b spanned) int { return cmp.Compare(a.high, b.high) })
}

// names lists algorithms, those of a kind together where that is shorter.
func (s spans) names() string {
	var texts []string
	for _, k := range []struct {
		kind kind
		all  string
	}{{ours, "this module's"}, {classics, "the classics"}, {kgos, "kgo's"}} {
		var names, others []string
		for _, v := range s {
			if v.kind == k.kind {
				names, others = append(names, v.name), v.peers
			}
		}
		others = slices.DeleteFunc(slices.Clone(others), func(name string) bool { return slices.Contains(names, name) })
		switch {
		case len(names) > 2 && len(others) == 0:
			texts = append(texts, "all of "+k.all)
		case len(names) > 2 && len(names) > len(others)+1:
			texts = append(texts, k.all+" (but "+and(others)+")")
		default:
			texts = append(texts, names...)
		}
	}
	return and(texts)
}

// between returns the least and the largest of all values.
func (s spans) between(format func(float64) string, unit string) string {
	all := spanned{low: math.Inf(1), high: math.Inf(-1)}
	for _, v := range s {
		all.low, all.high = min(all.low, v.low), max(all.high, v.high)
	}
	return all.between(format, unit)
}

func (s spanned) between(format func(float64) string, unit string) string {
	low, high := format(s.low), format(s.high)
	if low == high {
		return low + unit
	}
	return low + " to " + high + unit
}

func and(texts []string) string {
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	return strings.Join(texts[:len(texts)-1], ", ") + " and " + texts[len(texts)-1]
}
