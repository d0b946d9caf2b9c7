package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kgo-rendezvous/kgo-rendezvous/ring"
)

// A takeaway is a sentence that says what figures say. Whom it names and what
// it says of them comes from the figures alone.
type takeaway struct{ About, Says string }

func takeaways(all []*comparison, rings *chart) []takeaway {
	var out []takeaway
	add := func(about, says string) {
		if says != "" {
			out = append(out, takeaway{about, says})
		}
	}
	add("After a rolling restart", sayOwnBack(all))
	add("On the way there", sayDetours(all))
	add(fmt.Sprintf("When a member joins %d others", largest(all).members), sayJoin(all))
	add("Load", sayLoad(all))
	add("Cost", sayCost(all))
	if rings != nil {
		add("Virtual nodes", sayVirtualNodes(rings))
	}
	return out
}

// nearly all is what may be said in one breath with all.
const nearly = 0.9

// sayOwnBack tells who gives a returning member its own.
func sayOwnBack(all []*comparison) string {
	whole, others := values(all, "roll_own_back").split(func(v spanned) bool { return v.low == 1 })
	most, part := others.split(func(v spanned) bool { return v.low >= nearly })
	var s []string
	if len(whole) > 0 {
		s = append(s, fmt.Sprintf("all that a returning member receives is its own under %s", whole.names()))
	}
	for _, some := range []spans{most, part} {
		switch {
		case len(some) == 0:
		case len(s) == 0:
			s = append(s, fmt.Sprintf("of what a returning member receives, %s is its own under %s", some.between(percentage, " %"), some.names()))
		default:
			s = append(s, fmt.Sprintf("%s under %s", some.between(percentage, " %"), some.names()))
		}
	}
	return strings.Join(s, "; ")
}

// sayDetours tells who moves what could have stayed while members restart.
func sayDetours(all []*comparison) string {
	direct, detours := values(all, "roll_moves").split(func(v spanned) bool { return v.high < 3 })
	switch {
	case len(direct) == 0 && len(detours) == 0:
		return ""
	case len(detours) == 0:
		return fmt.Sprintf("a partition changes hands %s times, where 2 is once away and once back", direct.between(fixed(2), ""))
	case len(direct) == 0:
		return fmt.Sprintf("a partition changes hands up to %.0f times, where 2 is once away and once back", detours.most().high)
	}
	return fmt.Sprintf("a partition changes hands %s times under %s, where 2 is once away and once back, and up to %.0f times under %s",
		direct.between(fixed(2), ""), direct.names(), detours.most().high, detours.names())
}

// sayJoin tells who moves only what it must, in the largest group.
func sayJoin(all []*comparison) string {
	none, some := values([]*comparison{largest(all)}, "join_needless").split(func(v spanned) bool { return v.high == 0 })
	var s []string
	if len(none) > 0 {
		s = append(s, fmt.Sprintf("nothing moves but to the joiner under %s", none.names()))
	}
	if len(some) > 0 {
		what := fmt.Sprintf("%s %% of all partitions move between members that stay under %s", percentage(some.most().high), some.most().name)
		if len(some) > 1 {
			what += fmt.Sprintf(", %s %% under %s", percentage(some.least().high), some.least().name)
		}
		s = append(s, what)
	}
	return strings.Join(s, "; ")
}

// sayLoad tells who is even and how uneven the others are.
func sayLoad(all []*comparison) string {
	vs := values(all, "max_avg")
	even, others := vs.split(func(v spanned) bool { return v.high == vs.least().high })
	s := fmt.Sprintf("the fullest member has %s times its fair share under %s", even.between(fixed(2), ""), even.names())
	if len(others) == 0 {
		return s
	}
	s += fmt.Sprintf(" and %s under %s", others.most().between(fixed(2), ""), others.most().name)
	for _, name := range []string{"hrw", "hrw-1.25"} {
		if i := slices.IndexFunc(others, func(v spanned) bool { return v.name == name }); i >= 0 && name != others.most().name {
			v := others[i]
			s += fmt.Sprintf(", %s under %s", v.between(fixed(2), ""), name)
		}
	}
	return s
}

// sayCost compares with what kgo does by default, in the largest group.
func sayCost(all []*comparison) string {
	c := largest(all)
	theirs := c.of("kgo-cooperative-sticky")
	if theirs == nil {
		return ""
	}
	var parts []string
	bytes := 0.0
	for _, r := range c.results {
		if r.algorithm.kind == ours {
			parts = append(parts, fmt.Sprintf("%.2g under %s", float64(r.plan)/float64(theirs.plan), r.algorithm.name))
			bytes = max(bytes, r.bytes)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("at %s a leader's time for one round is, in units of kgo-cooperative-sticky's, %s; a member's join metadata takes at most %.0f bytes against %.0f", c.size, and(parts), bytes, theirs.bytes)
}

// sayVirtualNodes tells what they do, and what is left without a ring.
func sayVirtualNodes(c *chart) string {
	const usual = ring.DefaultVirtualNodes
	var one, many, chance spans
	for _, l := range c.lines {
		at := slices.Index(l.xs, usual)
		if at < 0 {
			return ""
		}
		point := func(i int) spanned { return spanned{low: l.ys[i], high: l.ys[i]} }
		if l.dash == dashed {
			chance = append(chance, point(0))
			continue
		}
		one, many = append(one, point(0)), append(many, point(at))
	}
	return fmt.Sprintf("the fullest member on a ring has %s times its fair share with %.0f for each and %s with %d, the default; without a ring, under hrw, it has %s",
		one.between(fixed(2), ""), c.lines[0].xs[0], many.between(fixed(2), ""), usual, chance.between(fixed(2), ""))
}

// largest returns the comparison with the most members.
func largest(all []*comparison) *comparison {
	return slices.MaxFunc(all, func(a, b *comparison) int {
		return cmp.Or(cmp.Compare(a.members, b.members), cmp.Compare(a.partitions, b.partitions))
	})
}
