// Command bench measures the leader's work in one rebalance, from the members'
// encoded metadata to the encoded assignment, of this project's balancers
// beside kgo's cooperative-sticky: interleaved in one process, the minimum of
// many runs, so that a noisy machine disturbs both alike. Read the ratios.
//
//	go run ./internal/bench [-runs 40] [-sizes 10x100,1000x10000] [-strategies hrw]
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
	"github.com/kgo-rendezvous/kgo-rendezvous/ring"
)

const topics = 10

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
}

func main() {
	runs := flag.Int("runs", 40, "runs of each measurement; the minimum counts")
	budget := flag.Duration("time", 3*time.Second, "stop repeating a measurement after this long, but not before 5 runs")
	sizes := flag.String("sizes", "10x100,100x1000,100x10000,1000x10000,1000x100000,2000x100000", "members x partitions, over ten topics")
	names := flag.String("strategies", "hrw", "strategies to measure, of "+strings.Join(slices.Sorted(maps.Keys(candidates)), ", "))
	flag.Parse()
	if err := run(*runs, *budget, *sizes, *names); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(runs int, budget time.Duration, sizes, names string) error {
	fmt.Printf("leader's work in ms, minimum of up to %d interleaved runs, %s, GOMAXPROCS %d\n", runs, runtime.Version(), runtime.GOMAXPROCS(0))
	fmt.Printf("%-14s %-6s %-10s %9s %9s %6s %8s %8s %7s %7s %6s\n", "members x part", "event", "strategy",
		"ms", "kgo ms", "ratio", "allocs", "kgo", "bytes", "kgo", "ratio")
	for _, size := range strings.Split(sizes, ",") {
		members, partitions, err := parseSize(size)
		if err != nil {
			return err
		}
		for _, name := range strings.Split(names, ",") {
			strategy := candidates[name]
			if strategy == nil {
				return fmt.Errorf("no strategy %q: there are %s", name, strings.Join(slices.Sorted(maps.Keys(candidates)), ", "))
			}
			for _, event := range events {
				ours, err := newCase(func() kgo.GroupBalancer {
					return mustNew(strategy, assignor.OnWarning(func(assignor.Warning) {}))
				}, event, members, partitions, strings.HasSuffix(name, "-weights"))
				if err != nil {
					return err
				}
				theirs, err := newCase(kgo.CooperativeStickyBalancer, event, members, partitions, false)
				if err != nil {
					return err
				}
				a, b := interleave(ours, theirs, runs, budget)
				fmt.Printf("%-14s %-6s %-10s %9.3f %9.3f %6.2f %8d %8d %7d %7d %6.2f\n", fmt.Sprintf("%d x %d", members, partitions), event, name,
					a.best.Seconds()*1e3, b.best.Seconds()*1e3, a.best.Seconds()/b.best.Seconds(), a.allocs, b.allocs,
					ours.bytes, theirs.bytes, float64(ours.bytes)/float64(theirs.bytes))
			}
		}
	}
	return nil
}

func parseSize(s string) (members, partitions int, err error) {
	m, p, ok := strings.Cut(s, "x")
	if ok {
		if members, err = strconv.Atoi(m); err == nil {
			partitions, err = strconv.Atoi(p)
		}
	}
	if !ok || err != nil || members < 2 || partitions < topics {
		return 0, 0, fmt.Errorf("size %q: want MEMBERSxPARTITIONS, such as 100x1000, at least 2x%d", s, topics)
	}
	return members, partitions, nil
}

var events = []string{"fresh", "join", "leave", "same"}

// A rebalance is one round with everything ready but the leader's work.
type rebalance struct {
	info    kgo.BalanceInfo
	members []lead.Member
}

// A benchCase is a balancer and an event, with the group as it was before.
type benchCase struct {
	balancer func() kgo.GroupBalancer
	before   *rebalance // nil for fresh
	event    rebalance
	counts   map[string]int32
	bytes    int // of join metadata a member, mean, in the event
}

func newCase(balancer func() kgo.GroupBalancer, event string, n, partitions int, weights bool) (*benchCase, error) {
	c := &benchCase{balancer: balancer, counts: make(map[string]int32)}
	var names []string
	for t := range topics {
		name := fmt.Sprintf("topic-%010d", t)
		names = append(names, name)
		c.counts[name] = int32(partitions / topics)
	}
	b := balancer()
	member := func(i int) lead.Member {
		// An identity of 12 bytes, where the balancer has one, is in its
		// metadata as in production.
		return lead.Member{ID: fmt.Sprintf("client-%06d-8a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9", i), Balancer: member(b, i, weights), Topics: names}
	}
	var members []lead.Member
	for i := range n {
		members = append(members, member(i))
	}
	info := func(generation int32) kgo.BalanceInfo {
		return kgo.BalanceInfo{Group: "group", Generation: generation, LeaderID: members[0].ID}
	}
	if event == "fresh" {
		c.event = rebalance{info(1), members}
		return c, c.encode()
	}
	settled, err := settle(b, info, members, c.counts)
	if err != nil {
		return nil, err
	}
	before := rebalance{info(10), at(settled, 9)}
	c.before = &before
	switch after := at(settled, 10); event {
	case "join":
		c.event = rebalance{info(11), append(after, member(n))}
	case "leave":
		c.event = rebalance{info(11), slices.Delete(after, n/2, n/2+1)}
	case "same":
		c.event = rebalance{info(11), after}
	}
	return c, c.encode()
}

func member(b kgo.GroupBalancer, i int, weights bool) kgo.GroupBalancer {
	ours, ok := b.(*assignor.Balancer)
	if !ok {
		return b
	}
	weight := uint32(1)
	if weights {
		weight += uint32(i % 3)
	}
	return mustNew(named{ours.ProtocolName()}, assignor.Identity(fmt.Sprintf("worker-%05d", i)), assignor.Weight(weight))
}

func mustNew(s assignor.Strategy, opts ...assignor.Option) *assignor.Balancer {
	b, err := assignor.New(s, opts...)
	if err != nil {
		panic(err)
	}
	return b
}

// named lends a protocol name to balancers that only write metadata.
type named struct{ name string }

func (n named) Name() string                         { return n.name }
func (n named) Assign(*assignor.Group) assignor.Plan { panic("only the leader plans") }

// settle returns members owning what a fresh group gives them.
func settle(b kgo.GroupBalancer, info func(int32) kgo.BalanceInfo, members []lead.Member, counts map[string]int32) ([]lead.Member, error) {
	sync, err := lead.Balance(b, info(1), lead.Join(members), counts)
	if err != nil {
		return nil, err
	}
	owned, err := lead.Decode(b, sync)
	if err != nil {
		return nil, err
	}
	out := slices.Clone(members)
	for i := range out {
		out[i].Owned = owned[out[i].ID]
	}
	return out, nil
}

func at(members []lead.Member, generation int32) []lead.Member {
	out := slices.Clone(members)
	for i := range out {
		out[i].Generation = generation
	}
	return out
}

// encode writes every member's metadata once and for all.
func (c *benchCase) encode() error {
	total := 0
	for _, r := range []*rebalance{c.before, &c.event} {
		if r == nil {
			continue
		}
		total = 0
		for i, m := range r.members {
			r.members[i].Metadata = lead.Join([]lead.Member{m})[0].ProtocolMetadata
			total += len(r.members[i].Metadata)
		}
	}
	c.bytes = total / len(c.event.members)
	return nil
}

type result struct {
	best   time.Duration
	allocs uint64
}

func interleave(a, b *benchCase, runs int, budget time.Duration) (ra, rb result) {
	start := time.Now()
	for i := 0; i < runs && (i < 5 || time.Since(start) < budget); i++ {
		for _, x := range []struct {
			c *benchCase
			r *result
		}{{a, &ra}, {b, &rb}} {
			d, allocs := x.c.measure()
			if i == 0 || d < x.r.best {
				x.r.best = d
			}
			x.r.allocs = allocs
		}
	}
	return ra, rb
}

// measure runs the event on balancers that led the group before it, a few in a
// row where one is too short for the caches to settle, and returns the shortest
// time and the allocations of the last run.
func (c *benchCase) measure() (best time.Duration, allocs uint64) {
	batch := max(1, 2000/len(c.event.members)/topics)
	balancers := make([]kgo.GroupBalancer, batch)
	for i := range balancers {
		balancers[i] = c.balancer()
		if c.before != nil {
			if _, err := lead.Balance(balancers[i], c.before.info, lead.Join(c.before.members), c.counts); err != nil {
				panic(err)
			}
		}
	}
	members := lead.Join(c.event.members)
	// Garbage of other runs must not be collected on this run's time.
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before, after runtime.MemStats
	for i, b := range balancers {
		if i == batch-1 {
			runtime.ReadMemStats(&before)
		}
		start := time.Now()
		_, err := lead.Balance(b, c.event.info, members, c.counts)
		d := time.Since(start)
		if err != nil {
			panic(err)
		}
		if i == 0 || d < best {
			best = d
		}
	}
	runtime.ReadMemStats(&after)
	return best, after.Mallocs - before.Mallocs
}
