package main

import (
	"strings"
	"testing"
)

// made returns a comparison of results made by hand.
func made(results ...*result) []*comparison {
	return []*comparison{{setup: setup{size: size{10, 100}, topics: 1}, results: results}}
}

func made1(name string, k kind, own, moves, needless int, maxAvg float64) *result {
	return &result{algorithm: &algorithm{name: name, kind: k}, figures: &figures{
		maxAvg: maxAvg, rolled: true, received: share{own, 100}, roll: change{moves, 0, 100}, join: change{needless + 10, needless, 100},
	}}
}

// What takeaways say follows the figures, whoever has them.
func TestTakeaways(t *testing.T) {
	says := func(all []*comparison) string {
		var b strings.Builder
		for _, s := range takeaways(all, nil) {
			b.WriteString(s.About + ": " + s.Says + "\n")
		}
		return b.String()
	}
	for _, names := range [][2]string{{"one", "other"}, {"other", "one"}} {
		got := says(made(made1(names[0], ours, 100, 200, 0, 2.5), made1(names[1], kgos, 25, 1200, 30, 1)))
		for _, want := range []string{
			"all that a returning member receives is its own under " + names[0] + "; 25.0 % under " + names[1],
			"2.00 times under " + names[0] + ", where 2 is once away and once back, and up to 12 times under " + names[1],
			"nothing moves but to the joiner under " + names[0] + "; 30.0 % of all partitions move between members that stay under " + names[1],
			"1.00 times its fair share under " + names[1] + " and 2.50 under " + names[0],
		} {
			if !strings.Contains(got, want) {
				t.Errorf("got\n%swithout %q", got, want)
			}
		}
	}
	got := says(made(made1("a", ours, 20, 200, 1, 1), made1("b", ours, 30, 250, 1, 1)))
	for _, want := range []string{"of what a returning member receives, 20.0 to 30.0 % is its own under a and b", "1.0 % of all partitions", "hands 2.00 to 2.50 times, where 2"} {
		if !strings.Contains(got, want) {
			t.Errorf("got\n%swithout %q", got, want)
		}
	}
	got = says(made(made1("a", ours, 100, 200, 0, 1), made1("b", ours, 95, 200, 0, 1), made1("c", ours, 20, 200, 0, 1)))
	if want := "its own under a; 95.0 % under b; 20.0 % under c"; !strings.Contains(got, want) {
		t.Errorf("got\n%swithout %q: nearly all is not one span with little", got, want)
	}
	got = says(made(made1("a", ours, 20, 200, 1, 1)))
	if strings.Contains(got, "nothing moves") {
		t.Errorf("got\n%sthough something does", got)
	}
}

func TestNames(t *testing.T) {
	var rs []*result
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		rs = append(rs, made1(name, classics, 100, 200, 0, 1))
	}
	vs := values(made(append(rs, made1("k", kgos, 1, 1, 1, 1))...), "max_avg")
	for want, some := range map[string]spans{
		"all of the classics":        vs[:5],
		"the classics (but e)":       vs[:4],
		"a, b and c":                 vs[:3],
		"a":                          vs[:1],
		"all of the classics and k":  vs,
		"":                           nil,
		"the classics (but a) and k": vs[1:],
		"c, d, e and k":              vs[2:],
		"e and k":                    vs[4:],
	} {
		if got := some.names(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
