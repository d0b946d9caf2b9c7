package sticky_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/assignor/assignortest"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/roll"
	"github.com/kgo-rendezvous/kgo-rendezvous/sticky"
)

// TestScale plays random joins and leaves of groups of up to 40 members and 1000
// partitions, larger than the oracle can judge. Where weights and subscriptions
// are equal the best loads and moves are known without it.
func TestScale(t *testing.T) {
	t.Parallel()
	for _, s := range []sticky.Strategy{{}, {PerTopic: true}} {
		for topics := 1; topics <= 5; topics++ {
			t.Run(fmt.Sprintf("%d topics, per topic %v", topics, s.PerTopic), func(t *testing.T) {
				r := rand.New(rand.NewPCG(uint64(topics), 1))
				c := &crowd{Spec: assignortest.Uniform(2+r.IntN(39), counts(r, topics)...), Strategy: s, r: r}
				steps := 200
				if slow {
					steps = 20
				}
				for step := range steps {
					if err := c.step(); err != nil {
						t.Fatalf("step %d: %v", step, err)
					}
				}
			})
		}
	}
}

// counts draws partition counts that add up to 100 to 1000.
func counts(r *rand.Rand, topics int) []int32 {
	all := make([]int32, topics)
	for left := 100 + r.IntN(901); left > 0; left-- {
		all[r.IntN(topics)]++
	}
	return all
}

// A crowd is a group in which members come and go.
type crowd struct {
	*assignortest.Spec
	sticky.Strategy
	r     *rand.Rand
	names int
	away  []string // who may come back
}

// step has one to three join or leave, and plays the two rounds of that.
func (c *crowd) step() error {
	for range 1 + c.r.IntN(3) {
		if n := len(c.Members); n == 2 || n < 40 && c.r.IntN(2) == 0 {
			c.join()
		} else {
			key := c.Members[c.r.IntN(n)].Key
			c.Leave(key)
			c.away = append(c.away, key)
		}
	}
	g := c.Group()
	plan := c.Assign(g)
	if err := c.judge(g, plan); err != nil {
		return err
	}
	shuffled := c.shuffled().Group()
	if other := c.Assign(shuffled); other.Format(shuffled) != plan.Format(g) {
		return fmt.Errorf("members and topics in another order have another plan:\n%swant\n%s", other.Format(shuffled), plan.Format(g))
	}
	c.Settle(plan)
	g = c.Group()
	second := c.Assign(g)
	if diff := assignor.Diff(g, plan, second); len(diff) > 0 {
		return fmt.Errorf("the second round has other plans for %d partitions", len(diff))
	}
	c.Settle(second)
	return nil
}

// join has somebody new join, or somebody who was there before.
func (c *crowd) join() {
	m := assignortest.Member{Key: fmt.Sprintf("worker-%d-%016x", c.names, c.r.Uint64())}
	c.names++
	if n := len(c.away); n > 0 && c.r.IntN(2) == 0 {
		i := c.r.IntN(n)
		m.Key = c.away[i]
		c.away = slices.Delete(c.away, i, i+1)
	}
	for _, topic := range c.Topics {
		m.Reads = append(m.Reads, topic.Name)
	}
	c.Join(m)
}

// judge looks at loads, within each topic too with PerTopic, and at moves.
func (c *crowd) judge(g *assignor.Group, plan assignor.Plan) error {
	loads := plan.Loads(g)
	if slices.Max(loads)-slices.Min(loads) > 1 {
		return fmt.Errorf("loads are %d", loads)
	}
	if c.PerTopic {
		for t := range plan {
			if loads := (assignor.Plan{plan[t]}).Loads(g); slices.Max(loads)-slices.Min(loads) > 1 {
				return fmt.Errorf("loads of %s are %d", g.Topics[t].Name, loads)
			}
		}
		return nil // which may take more moves
	}
	moves := 0
	for _, m := range assignor.Diff(g, g.Owned(), plan) {
		if m.From != assignor.None {
			moves++
		}
	}
	if want := roll.LeastMoves(g.Owned().Loads(g), g.Partitions()); moves != want {
		return fmt.Errorf("%d moves, want %d", moves, want)
	}
	return nil
}

// shuffled returns the group as other lists of members, of what they read and own,
// and of topics would tell of it.
func (c *crowd) shuffled() *assignortest.Spec {
	s := c.Clone()
	shuffle(c.r, s.Topics)
	shuffle(c.r, s.Members)
	for _, m := range s.Members {
		shuffle(c.r, m.Reads)
		for _, partitions := range m.Owns {
			shuffle(c.r, partitions)
		}
	}
	return s
}

func shuffle[T any](r *rand.Rand, all []T) {
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
}

// TestOrder leads one group 50 times, with the broker's list of members and
// members' lists of topics in another order in every round: one plan. kgo's own
// balancer is shown beside it.
func TestOrder(t *testing.T) {
	t.Parallel()
	runs := 50
	for _, events := range []int{0, 6} {
		ways, err := roll.Orders(roll.Of(sticky.Strategy{}), roll.Shape{Members: 10, Topics: 4, Partitions: 30}, events, 1, runs)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := roll.Orders(roll.CooperativeSticky, roll.Shape{Members: 10, Topics: 4, Partitions: 30}, events, 1, runs)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d joins and leaves, %d runs: hrw-sticky %d, cooperative-sticky %d different histories", events, runs, ways, theirs)
		if ways != 1 {
			t.Errorf("%d joins and leaves go %d different ways in %d runs", events, ways, runs)
		}
	}
}
