package assignortest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"pgregory.net/rapid"
)

func checkValid(c *trial) {
	c.assign(drawSpec(c, "group").Group())
}

func drawSpec(c *trial, label string) *Spec { return Specs(c.shape).Draw(c.T, label) }

// An ask is one of the methods of a strategy with its arguments, for laws that
// hold for each of them.
type ask struct {
	what   string
	call   func() assignor.Plan // Rank's answer is a plan of one row
	inputs []input
}

type input struct {
	what        string
	value, kept any
}

func checkPure(c *trial) {
	spec := drawSpec(c, "group")
	g, other := spec.Group(), drawSpec(c, "another group").Group()
	for _, a := range c.asks(g, other) {
		first := a.call()
		kept := clonePlan(first)
		a.unchanged(c, g)
		c.assign(other)
		if !reflect.DeepEqual(first, kept) {
			c.broken(g, "planning another group changed the result of %s:\n%s", a.what, differentRows(kept, first))
		}
		for range 3 {
			if again := a.call(); !reflect.DeepEqual(again, first) {
				c.broken(g, "%s asked again:\n%s", a.what, differentRows(first, again))
			}
		}
		c.atOnce(g, a, first)
		a.unchanged(c, g)
	}

	// The same memory with another group in it, then with members of other
	// keys in the same places: nothing may be kept by address.
	want := c.assign(g)
	reused := *clone(other)
	c.assign(&reused)
	reused = *clone(g)
	for m := range reused.Members {
		reused.Members[m].Key = "-" + reused.Members[m].Key
	}
	c.assign(&reused)
	reused = *clone(g)
	c.same(g, want, c.assign(&reused), "a Group that was used for another before")
}

// asks lists all that the strategy can be asked about g.
func (c *trial) asks(g, other *assignor.Group) []ask {
	asks := []ask{{"Assign", func() assignor.Plan { return c.assign(g) }, []input{{"the group", g, clone(g)}}}}
	if r, ok := c.s.(assignor.Ranker); ok && len(g.Topics) > 0 {
		topic, partition := drawPartition(c.T, g)
		k := rapid.IntRange(0, len(g.Members)+1).Draw(c.T, "k")
		asks = append(asks, ask{"Rank",
			func() assignor.Plan { return assignor.Plan{c.rank(r, g, topic, partition, k)} },
			[]input{{"the group", g, clone(g)}}})
	}
	if u, ok := c.s.(assignor.Updater); ok {
		last := c.assign(other)
		asks = append(asks, ask{"Update",
			func() assignor.Plan { return c.update(u, other, last, g) },
			[]input{{"the group", g, clone(g)}, {"the last group", other, clone(other)}, {"the last plan", last, clonePlan(last)}}})
	}
	return asks
}

func (a *ask) unchanged(c *trial, g *assignor.Group) {
	c.Helper()
	for _, in := range a.inputs {
		if reflect.DeepEqual(in.value, in.kept) {
			continue
		}
		was, is := fmt.Sprint(in.kept), fmt.Sprint(in.value)
		if old, ok := in.kept.(*assignor.Group); ok {
			was, is, g = Format(old), Format(in.value.(*assignor.Group)), nil
		}
		c.broken(g, "%s changed %s.\nIt was: %s\nIt is: %s", a.what, in.what, was, is)
	}
}

// atOnce asks from several goroutines, for the race detector more than for the
// answers.
func (c *trial) atOnce(g *assignor.Group, a ask, want assignor.Plan) {
	c.Helper()
	answers := make([]any, 4)
	var wg sync.WaitGroup
	for i := range answers {
		wg.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					answers[i] = fmt.Errorf("a panic: %v", r)
				}
			}()
			answers[i] = a.call()
		})
	}
	wg.Wait()
	for _, answer := range answers {
		got, ok := answer.(assignor.Plan)
		if !ok {
			c.broken(g, "%s asked by several goroutines at once: %v", a.what, answer)
		}
		if !reflect.DeepEqual(got, want) {
			c.broken(g, "%s asked by several goroutines at once:\n%s", a.what, differentRows(want, got))
		}
	}
}

// differentRows compares plans of which a row is no topic's, too.
func differentRows(want, got assignor.Plan) string {
	var lines []string
	for i := range max(len(want), len(got)) {
		var w, h []int32
		if i < len(want) {
			w = want[i]
		}
		if i < len(got) {
			h = got[i]
		}
		if !slices.Equal(w, h) {
			lines = append(lines, fmt.Sprintf("row %d: expected%s, got%s", i, indexes(w), indexes(h)))
		}
	}
	return strings.Join(lines, "\n")
}

func drawPartition(t *rapid.T, g *assignor.Group) (topic int, partition int32) {
	topic = rapid.IntRange(0, len(g.Topics)-1).Draw(t, "topic")
	return topic, rapid.Int32Range(0, g.Topics[topic].Partitions-1).Draw(t, "partition")
}

// clone copies all of g; topics read by the same members share a slice again.
func clone(g *assignor.Group) *assignor.Group {
	c := &assignor.Group{Members: slices.Clone(g.Members), Topics: slices.Clone(g.Topics)}
	shared := make(map[*int32][]int32)
	for t := range c.Topics {
		topic := &c.Topics[t]
		first := &topic.Subscribers[0]
		if shared[first] == nil {
			shared[first] = slices.Clone(topic.Subscribers)
		}
		topic.Subscribers = shared[first]
		topic.Owners, topic.Homes = slices.Clone(topic.Owners), slices.Clone(topic.Homes)
		topic.Racks, topic.Warm = slices.Clone(topic.Racks), slices.Clone(topic.Warm)
		for p := range topic.Warm {
			topic.Warm[p] = slices.Clone(topic.Warm[p])
		}
	}
	return c
}

func clonePlan(plan assignor.Plan) assignor.Plan {
	c := slices.Clone(plan)
	for t := range c {
		c[t] = slices.Clone(c[t])
	}
	return c
}
