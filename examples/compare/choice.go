package main

import "math"

// choose names, for what one may want, those that have it. It goes by the
// figures, but for who remembers and who stops everything at every rebalance.
func (s *summary) choose() []takeaway {
	figure := func(csv string) func(*result) float64 {
		for i := range s.columns {
			if s.columns[i].csv == csv {
				return s.columns[i].of
			}
		}
		panic("compare: no column " + csv)
	}
	load, spread, needless, own := figure("max_avg"), figure("scale_spread"), figure("join_needless"), figure("roll_own_back")
	const (
		rounding = 1e-9 // of means
		capped   = 0.85 // of the fullest load without memory
	)
	low, high := math.Inf(1), 0.0
	for _, r := range s.rows {
		low = min(low, load(r))
		if !r.algorithm.remembers {
			high = max(high, load(r))
		}
	}
	even := func(r *result) bool { return load(r) < low+rounding }
	home := func(r *result) bool { return own(r) >= nearly }
	var out []takeaway
	for _, want := range []struct {
		what string
		has  func(r *result) bool
	}{
		{"Even loads, no needless moves, and what comes back goes home", func(r *result) bool {
			return even(r) && needless(r) == 0 && home(r)
		}},
		{"Each topic even by itself too, and what comes back goes home", func(r *result) bool {
			return even(r) && home(r) && spread(r) < 1+rounding
		}},
		{"No memory: owners follow from who is there, and nothing moves needlessly", func(r *result) bool {
			return !r.algorithm.remembers && needless(r) == 0 && home(r)
		}},
		{"No memory, and a cap on loads for some needless moves", func(r *result) bool {
			return !r.algorithm.remembers && needless(r) > 0 && home(r) && load(r) < capped*high
		}},
		{"Even loads where nothing is kept warm", func(r *result) bool {
			return even(r) && needless(r) == 0 && own(r) < nearly
		}},
	} {
		var names []string
		for _, r := range s.rows {
			if !r.algorithm.eager() && want.has(r) {
				names = append(names, r.algorithm.name)
			}
		}
		if len(names) > 0 {
			out = append(out, takeaway{want.what, and(names)})
		}
	}
	return out
}
