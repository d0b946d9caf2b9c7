// Command bench measures the leader's work in one rebalance, from the members'
// encoded metadata to the encoded assignment, of this project's balancers
// beside kgo's cooperative-sticky: interleaved in one process, the minimum of
// many runs, so that a noisy machine disturbs both alike. Read the ratios.
//
//	go run ./internal/bench [-runs 150] [-strategies hrw] [-shapes equal] [-sizes 10x100,1000x10000] [-plan]
//
// A shape is who reads what. Where kgo takes seconds, in the shape split, it is
// left out unless -slow is given.
//
// With -plan the strategy's Assign is measured alone too, on the Group of the
// same round, as a ratio to kgo's whole round.
//
// With -limits the command fails, after the table, if one of the limits in
// limits.go does not hold. It then measures all that they are about, unless
// -shapes says otherwise.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
	"github.com/kgo-rendezvous/kgo-rendezvous/ring"
	"github.com/kgo-rendezvous/kgo-rendezvous/sticky"
)

// candidates are what can be measured against kgo's cooperative-sticky. In those
// named weights, members have weights 1 to 3.
var candidates = map[string]assignor.Strategy{
	"hrw":          hrw.Strategy{},
	"hrw-weights":  hrw.Strategy{},
	"hrw-1.25":     hrw.Strategy{LoadBound: 1.25},
	"hrw-slots":    hrw.Strategy{Slots: true},
	"ring":         ring.Strategy{},
	"ring-weights": ring.Strategy{},
	"ring-1.25":    ring.Strategy{LoadBound: 1.25},
	"sticky":       sticky.Strategy{},
}

type options struct {
	runs                     int
	budget                   time.Duration
	shapes, sizes            string
	strategies               string
	planning, slow, limiting bool
}

func main() {
	var o options
	flag.IntVar(&o.runs, "runs", 150, "runs of each measurement; the minimum counts")
	flag.DurationVar(&o.budget, "time", 5*time.Second, "stop repeating a measurement after this long; what had few runs by then, beside a slow one, goes on to 5 of them for as long again")
	flag.StringVar(&o.shapes, "shapes", "equal", "who reads what: all, or some of\n"+describeShapes())
	flag.StringVar(&o.sizes, "sizes", "", "members x partitions, such as 10x100,100x1000, instead of the shapes' own where they can be chosen")
	flag.StringVar(&o.strategies, "strategies", "hrw", "strategies to measure, of "+candidateNames())
	flag.BoolVar(&o.planning, "plan", false, "measure Assign alone too")
	flag.BoolVar(&o.slow, "slow", false, "measure kgo where it takes seconds too, once")
	flag.BoolVar(&o.limiting, "limits", false, "fail if a limit of "+limited+" does not hold; implies -plan and, unless they are given, -shapes all -strategies "+limited)
	flag.Parse()
	if o.limiting {
		o.imply()
	}
	if err := run(&o); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// imply widens the defaults to what the limits are about.
func (o *options) imply() {
	o.planning = true
	given := make(map[string]bool)
	flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if !given["shapes"] {
		o.shapes = "all"
	}
	if !given["strategies"] {
		o.strategies = limited
	}
}

func run(o *options) error {
	var groups []*group // all of them first: a typing error should not cost the rows before it
	shapes, err := parseShapes(o.shapes)
	if err != nil {
		return err
	}
	for _, sh := range shapes {
		sizes, err := sh.parseSizes(o.sizes)
		if err != nil {
			return err
		}
		for _, size := range sizes {
			groups = append(groups, newGroup(sh, size))
		}
	}
	// What large groups leave of the heap costs small ones more than the other way
	// round.
	slices.SortStableFunc(groups, func(a, b *group) int { return cmp.Compare(a.size.partitions, b.size.partitions) })
	names := strings.Split(o.strategies, ",")
	for _, name := range names {
		if candidates[name] == nil {
			return fmt.Errorf("no strategy %q: there are %s", name, candidateNames())
		}
	}

	fmt.Printf("leader's work in ms, minimum of up to %d interleaved runs, %s, GOMAXPROCS %d\n", o.runs, runtime.Version(), runtime.GOMAXPROCS(0))
	table := newTable(os.Stdout, o.planning)
	table.head()
	var rows []*row
	for _, g := range groups {
		kgos := newSide(g, nil, false)
		for _, name := range names {
			ours := newSide(g, candidates[name], strings.HasSuffix(name, "-weights"))
			for _, event := range events {
				r, err := newRow(o, name, event, ours, kgos)
				if err != nil {
					return fmt.Errorf("%s, %s %s, %s: %w", name, g.shape.name, g.size, event, err)
				}
				table.print(r)
				rows = append(rows, r)
			}
		}
	}
	if o.limiting {
		return report(rows)
	}
	return nil
}

// A row is one event in one group, as it was measured. What was not is nil.
type row struct {
	strategy, event string
	group           *group
	round, planning *measurement
	kgo             *measurement
	bytes, kgoBytes int // of join metadata a member
}

func newRow(o *options, name, event string, ours, kgos *side) (*row, error) {
	r := &row{strategy: name, event: event, group: ours.group}
	c, err := ours.play(event)
	if err != nil {
		return nil, err
	}
	r.round, r.bytes = &measurement{run: c.measure}, c.bytes
	all := []*measurement{r.round}
	if o.planning {
		g, err := ours.capture(c)
		if err != nil {
			return nil, err
		}
		r.planning = &measurement{run: func() (time.Duration, uint64) { return measureAssign(ours.strategy, g) }}
		all = append(all, r.planning)
	}
	if slow := ours.group.shape.slow; !slow || o.slow {
		c, err := kgos.play(event)
		if err != nil {
			return nil, err
		}
		r.kgo, r.kgoBytes = &measurement{run: c.measure, once: slow}, c.bytes
		all = append(all, r.kgo)
	}
	interleave(all, o.runs, o.budget)
	return r, ours.failed
}

func candidateNames() string {
	return strings.Join(slices.Sorted(maps.Keys(candidates)), ", ")
}
