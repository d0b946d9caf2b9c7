package assignortest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// unlikely is the probability below which a spread is not put down to chance.
// The seeds are fixed, so a strategy passes always or never.
const unlikely = 1e-6

// names are families of names for members and topics, sequential as in real
// groups, where weak mixers die: FNV and CRC leave what differs in the last byte
// in the same few bits of every score.
var names = []struct {
	family string
	member func(r *rand.Rand, group, i int) string
	topic  func(group, i int) string
}{
	{"pods",
		func(_ *rand.Rand, group, i int) string { return fmt.Sprintf("app-%d-%d", group, i) },
		func(group, i int) string { return fmt.Sprintf("orders-%d", group+i) }},
	{"long prefixes",
		func(_ *rand.Rand, group, i int) string {
			return fmt.Sprintf("%d.consumer.europe-west1.prod.example.com/%c", group, 'a'+i)
		},
		func(group, i int) string { return fmt.Sprintf("%08d.events", group+i) }},
	{"random IDs",
		func(r *rand.Rand, _, i int) string { return fmt.Sprintf("kgo-%016x%016x", r.Uint64(), r.Uint64()) },
		func(group, i int) string { return fmt.Sprintf("t%d", group+i) }},
}

// checkSpread counts by partition, over groups, and adds up: within one group
// the partitions of a ring fall together and those of a balancing strategy apart.
// Their number divides among the members and among those left when one has gone,
// so that a strategy that evens out counts has no remainder to place by a rule.
func checkSpread(c *trial) {
	for f, family := range names {
		for _, n := range []int{3, 5} {
			groups := 100 * n
			partitions := n * (n - 1)
			r := rand.New(rand.NewPCG(uint64(f), uint64(n)))
			tables := make([]*tally, partitions)
			for p := range tables {
				tables[p] = newTally(n)
			}
			for i := range groups {
				spec := Uniform(n, int32(partitions))
				spec.rename(f, r, i)
				c.count(spec, func(_ int, p int32, owner, next int) { tables[p].add(owner, next) })
			}
			c.even(fmt.Sprintf("%d groups of %d members (%s), a topic of %d partitions each", groups, n, family.family, partitions), tables)
		}
	}
}

// checkSpreadWithin counts within a group: many partitions of one topic, and few
// of each of many.
func checkSpreadWithin(c *trial) {
	for f, family := range names {
		for _, n := range []int{3, 10} {
			for _, topics := range []int{1, 500} {
				const total = 6000
				r := rand.New(rand.NewPCG(uint64(f), uint64(n)))
				spec := Uniform(n, slices.Repeat([]int32{int32(total / topics)}, topics)...)
				spec.rename(f, r, 0)
				table := newTally(n)
				c.count(spec, func(_ int, _ int32, owner, next int) { table.add(owner, next) })
				c.even(fmt.Sprintf("one group of %d members (%s), %d topics, %d partitions", n, family.family, topics, total), []*tally{table})
			}
		}
	}
}

// rename gives members and topics the names of a family, members in the order
// of their keys.
func (s *Spec) rename(family int, r *rand.Rand, group int) {
	var reads []string
	for i := range s.Topics {
		s.Topics[i].Name = names[family].topic(group, i)
		reads = append(reads, s.Topics[i].Name)
	}
	for i := range s.Members {
		s.Members[i].Key, s.Members[i].Reads = names[family].member(r, group, i), reads
	}
	slices.SortFunc(s.Members, func(a, b Member) int { return cmp.Compare(a.Key, b.Key) })
}

// count calls add with the owner of each partition and the next: who owns it
// when the owner has left the settled group.
func (c *trial) count(spec *Spec, add func(topic int, p int32, owner, next int)) {
	c.Helper()
	g := spec.Group()
	plan := c.assign(g)
	for gone := range g.Members {
		left := owned(g, plan)
		left.Members = slices.Delete(slices.Clone(g.Members), gone, gone+1)
		everybody := make([]int32, len(left.Members))
		for m := range everybody {
			everybody[m] = int32(m)
		}
		for t := range left.Topics {
			left.Topics[t].Subscribers = everybody
			for p, m := range left.Topics[t].Owners {
				switch {
				case m == int32(gone):
					left.Topics[t].Owners[p] = assignor.None
				case m > int32(gone):
					left.Topics[t].Owners[p]--
				}
			}
		}
		after := c.assign(left)
		for t := range plan {
			for p, m := range plan[t] {
				if m == int32(gone) {
					next := int(after[t][p])
					if next >= gone {
						next++
					}
					add(t, int32(p), gone, next)
				}
			}
		}
	}
}

// A tally counts owners and, given the owner, the next.
type tally struct {
	owners []int
	next   [][]int
}

func newTally(members int) *tally {
	t := &tally{owners: make([]int, members), next: make([][]int, members)}
	for m := range t.next {
		t.next[m] = make([]int, members)
	}
	return t
}

func (t *tally) add(owner, next int) {
	t.owners[owner]++
	t.next[owner][next]++
}

// even ends the trial if owners, or the next given the owner, are not as even
// as chance would have them.
func (c *trial) even(what string, tables []*tally) {
	c.Helper()
	var owners, next chi
	for _, t := range tables {
		owners.add(t.owners)
		for m := range t.next {
			if t.owners[m] > 0 {
				next.add(slices.Delete(slices.Clone(t.next[m]), m, m+1))
			}
		}
	}
	if p := owners.p(); p < unlikely {
		c.broken(nil, "%s: owners are uneven, %s. Counts by member:\n%s", what, owners, counts(tables, func(t *tally) any { return t.owners }))
	}
	if p := next.p(); p < unlikely {
		c.broken(nil, "%s: owners are even, but not who owns a partition when its owner has left, %s. Counts by owner, then next:\n%s", what, next, counts(tables, func(t *tally) any { return t.next }))
	}
}

func counts(tables []*tally, of func(*tally) any) string {
	var lines []string
	for p, t := range tables {
		if p == 4 {
			lines = append(lines, "...")
			break
		}
		lines = append(lines, fmt.Sprint(of(t)))
	}
	return strings.Join(lines, "\n")
}

// chi adds up Pearson's chi-squared over tables of counts that should be equal.
type chi struct {
	sum float64
	df  int
}

func (c *chi) add(counts []int) {
	total := 0
	for _, n := range counts {
		total += n
	}
	want := float64(total) / float64(len(counts))
	for _, n := range counts {
		c.sum += (float64(n) - want) * (float64(n) - want) / want
	}
	c.df += len(counts) - 1
}

func (c chi) p() float64 { return chiSquared(c.sum, c.df) }

func (c chi) String() string {
	return fmt.Sprintf("chi-squared %.1f with %d degrees of freedom, p = %.2g", c.sum, c.df, c.p())
}
