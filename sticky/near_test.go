package sticky

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// TestNear compares plans of what is near with those of the whole network: they
// must have loads that are right and as few moves, unless a search comes to the rim
// and nothing is planned.
func TestNear(t *testing.T) {
	tried, done := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		g := drawSparse(t)
		for _, b := range unsettledBlocks(g) {
			x := b.newMover(b.sets, b.bands, nil)
			if x.near = x.around(b); x.near == nil {
				continue
			}
			if tried++; !x.solve() {
				continue
			}
			done++
			x.finish()
			moves := b.moves(t)
			x = b.newMover(b.sets, b.bands, nil)
			if !x.solve() {
				t.Fatalf("the whole network does not carry everything: %+v", *g)
			}
			x.finish()
			if best := b.moves(t); moves != best {
				t.Fatalf("%d moves, want %d: %+v", moves, best, *g)
			}
		}
	})
	t.Logf("%d of %d times it was enough to look near", done, tried)
	if done == 0 {
		t.Error("it was never enough to look near: the test sees nothing")
	}
}

// unsettledBlocks returns the blocks that a group falls into and in which something
// has to change.
func unsettledBlocks(g *assignor.Group) (blocks []*block) {
	p := &planner{g: g, plan: make(assignor.Plan, len(g.Topics))}
	sets := readerSets(g, false)
	_, bands, _ := p.level(sets)
	for _, c := range components(g, sets) {
		b := p.newBlock(c.sets, c.members, bands)
		b.count()
		fits := func(m int32) bool { return b.own[m] >= bands[m].low && b.own[m] <= bands[m].high }
		if b.free > 0 || slices.ContainsFunc(b.members, func(m int32) bool { return !fits(m) }) {
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// moves checks the loads that are planned and counts the moves.
func (b *block) moves(t *rapid.T) (n int) {
	loads := make([]int32, len(b.g.Members))
	for _, s := range b.sets {
		for _, topic := range s.topics {
			for p, m := range b.plan[topic] {
				if loads[m]++; b.g.Topics[topic].Owner(int32(p)) != m {
					n++
				}
			}
		}
	}
	for _, m := range b.members {
		if band := b.bands[m]; loads[m] < band.low || loads[m] > band.high {
			t.Fatalf("%d has %d partitions, want %d to %d: %+v", m, loads[m], band.low, band.high, *b.g)
		}
	}
	return n
}

// drawSparse draws a group in which each topic has few readers, and nearly
// everything is where it was best some members ago.
func drawSparse(t *rapid.T) *assignor.Group {
	number := func(from, to int, label string) int { return rapid.IntRange(from, to).Draw(t, label) }
	g := new(assignor.Group)
	size := number(12, 60, "members")
	weights := uint32(number(1, 3, "weights"))
	for m := range size {
		g.Members = append(g.Members, assignor.Member{ID: fmt.Sprint("id", m), Key: fmt.Sprint("key", m), Weight: 1 + uint32(m*m)%weights})
	}
	far, twice := number(1, 3, "far"), rapid.Bool().Draw(t, "twice")
	for i := range size {
		x := assignor.Topic{Name: fmt.Sprint("topic", i), Partitions: int32(number(1, 8, "partitions"))}
		readers := []int{i, (i + 1) % size}
		if twice {
			readers = append(readers, (i+far)%size)
		}
		for _, m := range readers {
			if !slices.Contains(x.Subscribers, int32(m)) {
				x.Subscribers = append(x.Subscribers, int32(m))
			}
		}
		slices.Sort(x.Subscribers)
		g.Topics = append(g.Topics, x)
	}
	slices.SortFunc(g.Topics, func(a, b assignor.Topic) int { return cmp.Compare(a.Name, b.Name) })
	before := g
	if absent := number(-1, 3, "absent"); absent >= 0 { // some were not there before
		before = &assignor.Group{Members: g.Members, Topics: slices.Clone(g.Topics)}
		for i := range before.Topics {
			x := &before.Topics[i]
			if left := slices.DeleteFunc(slices.Clone(x.Subscribers), func(m int32) bool { return int(m)%20 == 7 && int(m) <= 20*absent+7 }); len(left) > 0 {
				x.Subscribers = left
			}
		}
	}
	plan := Strategy{}.Assign(before)
	for i := range g.Topics {
		g.Topics[i].Owners = slices.Clone(plan[i])
	}
	for range number(0, 3, "gone") { // and some are there no longer
		gone := int32(number(0, size-1, "who"))
		for i := range g.Topics {
			x := &g.Topics[i]
			if left := slices.DeleteFunc(slices.Clone(x.Subscribers), func(m int32) bool { return m == gone }); len(left) > 0 {
				x.Subscribers = left
				for p, m := range x.Owners {
					if m == gone {
						x.Owners[p] = assignor.None
					}
				}
			}
		}
	}
	for range number(0, 2, "odd") { // and some partitions are at odds
		x := &g.Topics[number(0, len(g.Topics)-1, "topic")]
		p := number(0, int(x.Partitions)-1, "partition")
		x.Owners[p] = x.Subscribers[number(0, len(x.Subscribers)-1, "owner")]
	}
	return g
}
