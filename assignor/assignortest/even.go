package assignortest

import (
	"slices"
	"strings"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/oracle"
)

// small is the shape of groups that an exact solver is asked about: it is slow, and
// whatever can be wrong is wrong in a small group, too.
var small = Shape{Members: 8, Topics: 4, Partitions: 12, AtOdds: true}

// An exam is a plan with what it is worth by the laws of even placement.
type exam struct {
	*trial
	g     *assignor.Group
	o     oracle.Options
	plan  assignor.Plan
	value oracle.Value
}

// examine draws a group as a Balancer would show it to the strategy, and has it
// planned.
func (c *trial) examine() *exam {
	claimed := func(law Law) bool { return c.law == law || slices.Contains(c.beside, law) }
	e := &exam{trial: c, g: c.drawHandover(), o: oracle.Options{PerTopic: claimed(PerTopic), Racks: claimed(Racks)}}
	if _, ok := c.s.(assignor.Homing); !ok {
		for t := range e.g.Topics {
			e.g.Topics[t].Homes, e.g.Topics[t].Warm = nil, nil
		}
	}
	e.plan = c.assign(e.g)
	e.value = oracle.Measure(e.g, e.plan, e.o)
	return e
}

// worse ends the trial: there is a better plan.
func (e *exam) worse(better assignor.Plan, format string, args ...any) {
	e.Helper()
	args = append(args, e.plan.Format(e.g), strings.TrimSuffix(better.Format(e.g), "\n"))
	e.broken(e.g, format+"\nthe plan:\n%sa better one:\n%s", args...)
}

// rival returns the best plan of those with loads as good, nil where the plan
// breaks PerTopic and loads count for nothing. If subscriptions are equal these
// are plans with the very same loads: who has a ceiling is for Even to say. So
// they are if loads break Even: there is nothing else to compare with.
func (e *exam) rival() (assignor.Plan, oracle.Value) {
	if e.value.Topics > 0 {
		return nil, oracle.Value{}
	}
	if !equal(e.g) {
		if best, v := oracle.Best(e.g, e.o); e.value.CompareLoads(v) == 0 {
			return best, v
		}
	}
	return oracle.BestAt(e.g, e.plan.Loads(e.g), e.o)
}

// equal tells whether all members that read anything read the same.
func equal(g *assignor.Group) bool { return len(g.ReaderSets()) < 2 }

func checkPerTopic(c *trial) {
	e := c.examine()
	if n := e.value.Topics; n > 0 {
		best, _ := oracle.Best(e.g, e.o)
		e.worse(best, "counts within topics miss floor and ceiling by %d in sum", n)
	}
}

func checkEven(c *trial) {
	e := c.examine()
	if e.value.Topics > 0 {
		return
	}
	best, v := oracle.Best(e.g, e.o)
	if e.value.CompareLoads(v) != 0 {
		e.worse(best, "loads by member are %d, better are %d", e.plan.Loads(e.g), best.Loads(e.g))
	}
	if err := oracle.JudgeCeilings(e.g, e.plan, e.o); err != nil {
		e.worse(best, "%v", err)
	}
}

func checkRacks(c *trial) {
	e := c.examine()
	if rival, v := e.rival(); rival != nil && e.value.OffRack > v.OffRack {
		e.worse(rival, "%d partitions are off their leader's rack, with loads as good it could be %d", e.value.OffRack, v.OffRack)
	}
}

func checkLeastMoves(c *trial) {
	e := c.examine()
	rival, v := e.rival()
	if rival == nil || e.value.OffRack > v.OffRack {
		return
	}
	if e.value.Moves > v.Moves {
		e.worse(rival, "%d partitions move, with loads as good it could be %d", e.value.Moves, v.Moves)
	}
}

func checkHome(c *trial) {
	if _, ok := c.s.(assignor.Homing); !ok {
		c.broken(nil, "%T has no method Homing: a Balancer shows it no homes and no warm lists", c.s)
	}
	e := c.examine()
	rival, v := e.rival()
	if rival == nil || e.value.OffRack > v.OffRack || e.value.Moves > v.Moves {
		return
	}
	switch {
	case e.value.Warm < v.Warm:
		e.worse(rival, "%d partitions are where they are warm, with no more moves it could be %d", e.value.Warm, v.Warm)
	case e.value.Home < v.Home:
		e.worse(rival, "%d partitions are at home, with no more moves and as many warm it could be %d", e.value.Home, v.Home)
	}
}
