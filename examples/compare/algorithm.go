package main

import (
	"errors"
	"strings"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/baseline"
	"github.com/kgo-rendezvous/kgo-rendezvous/ring"
	"github.com/kgo-rendezvous/kgo-rendezvous/sticky"
)

// A kind is where an algorithm comes from.
type kind string

const (
	ours     kind = "ours"
	classics kind = "classics"
	kgos     kind = "kgo"
)

// An algorithm is a row of the table.
type algorithm struct {
	name  string
	kind  kind
	about string

	// strategy is the algorithm, or kgos its balancer; one of them is set.
	strategy assignor.Strategy
	balancer func() kgo.GroupBalancer
	// remembers says that plans depend on who had what before.
	remembers bool
	// bounded says that nobody's partition can be known without all others'.
	bounded bool

	// cost decides how often a large group can be played, see effort.
	cost rough
}

// rough says what one plan costs, in nanoseconds, as orders of magnitude: in
// any case, for each member, for each partition and for each pair of them.
type rough struct{ fixed, member, partition, pair float64 }

// fleets is what a round costs where every member's metadata is written and read.
var fleets = rough{member: 4500, partition: 600}

// algorithms are all there are, in the order in which they are shown.
func algorithms() []algorithm {
	all := []algorithm{
		{name: "hrw", strategy: hrw.Strategy{}, cost: rough{member: 200, partition: 100},
			about: "rendezvous hashing: the member that scores highest for a partition owns it"},
		{name: "hrw-1.25", strategy: hrw.Strategy{LoadBound: 1.25}, bounded: true, cost: rough{member: 200, partition: 200, pair: 3},
			about: "hrw with LoadBound 1.25: nobody has more than 1.25 times its fair share, rounded up"},
		{name: "hrw-slots", strategy: hrw.Strategy{Slots: true}, cost: rough{fixed: 500_000, member: 2000, partition: 200},
			about: "hrw with Slots: owners from a fixed table, for groups from about 500 members on"},
		{name: "ring", strategy: ring.Strategy{}, cost: rough{member: 1500, partition: 100},
			about: "consistent-hash ring with 128 virtual nodes a member"},
		{name: "ring-1.25", strategy: ring.Strategy{LoadBound: 1.25}, bounded: true, cost: rough{member: 30_000, partition: 200},
			about: "ring with LoadBound 1.25: a partition whose member is full goes on to the next that has room"},
		{name: "sticky", strategy: sticky.Strategy{}, remembers: true, cost: fleets,
			about: "even, with the fewest moves, and what comes back goes home, as far as its leader remembers"},
		{name: "sticky-per-topic", strategy: sticky.Strategy{PerTopic: true}, remembers: true, cost: fleets,
			about: "sticky with PerTopic: each topic by itself is even too"},
	}
	for i := range all {
		all[i].kind = ours
	}
	for _, a := range baseline.All() {
		c := classic[a.Name()]
		all = append(all, algorithm{name: a.Name(), kind: classics, about: c.about, strategy: baseline.Strategy{Algorithm: a}, cost: c.cost})
	}
	for _, make := range []func() kgo.GroupBalancer{kgo.RangeBalancer, kgo.RoundRobinBalancer, kgo.StickyBalancer, kgo.CooperativeStickyBalancer} {
		name := make().ProtocolName()
		all = append(all, algorithm{name: "kgo-" + name, kind: kgos, about: stock[name], balancer: make,
			remembers: strings.Contains(name, "sticky"), cost: fleets})
	}
	return all
}

var classic = map[string]struct {
	about string
	cost  rough
}{
	"mod-n":        {"hash of the partition modulo the number of members", rough{partition: 100}},
	"jump":         {"jump consistent hash: members are numbered, only the last can go without renumbering", rough{partition: 150}},
	"karger":       {"the articles' ring: 100 MD5 virtual nodes a member, sorted, searched by halving", rough{member: 50_000, partition: 300}},
	"carp":         {"rendezvous hashing with the multiplicative weights of the Cache Array Routing Protocol", rough{partition: 100, pair: 8}},
	"straw2":       {"CRUSH's bucket: the longest straw, the logarithm of 16 random bits, owns the partition", rough{partition: 100, pair: 8}},
	"multiplicity": {"rendezvous hashing where a member of weight w takes part w times", rough{partition: 100, pair: 2}},
	"logarithmic":  {"weighted rendezvous hashing as Wikipedia has it: MurmurHash3 and -weight/ln(u)", rough{pair: 90}},
	"skeleton":     {"rendezvous hashing down a tree of virtual nodes, in O(log n)", rough{member: 200, partition: 150}},
}

var stock = map[string]string{
	"range":              "kgo's range: each topic cut into ranges; stops everything at every rebalance",
	"roundrobin":         "kgo's round robin: dealt in order of member IDs; stops everything at every rebalance",
	"sticky":             "kgo's sticky: even, and who has a partition keeps it; stops everything at every rebalance",
	"cooperative-sticky": "kgo's default: sticky, and only what moves is stopped",
}

// inRounds tells whether it is not enough to plan for who is there.
func (a *algorithm) inRounds() bool { return a.balancer != nil || a.remembers }

// eager tells whether every rebalance stops everything.
func (a *algorithm) eager() bool { return a.balancer != nil && !a.balancer().IsCooperative() }

// newPlacer returns the algorithm ready to play.
func (a *algorithm) newPlacer(w *world) placer {
	if a.inRounds() {
		return newFleet(w, a)
	}
	return &hashing{w: w, strategy: a.strategy}
}

// newBalancer returns the algorithm as member m's kgo.GroupBalancer. Those of
// the articles travel in this module's metadata. A Balancer makes up for a
// strategy that fails, and what comes of that is not the strategy's: fail is
// called.
func (a *algorithm) newBalancer(w *world, m int, fail func(error)) (kgo.GroupBalancer, error) {
	if a.balancer != nil {
		return a.balancer(), nil
	}
	return assignor.New(a.strategy,
		assignor.Identity(w.names[m]),
		assignor.Weight(w.weights[m]),
		assignor.OnWarning(func(w assignor.Warning) {
			if w.Err != nil {
				fail(errors.New(w.String()))
			}
		}))
}

// lookup returns a function that finds the owner of the i-th partition, modulo
// their number, nil where there is none short of planning for all. Those of the
// articles build what they need once; this module's Rank takes any group and
// starts from it.
func (a *algorithm) lookup(w *world) func(i int) int {
	if a.remembers || a.bounded {
		return nil
	}
	g, _ := w.group(w.start())
	if s, ok := a.strategy.(baseline.Strategy); ok {
		nodes := make([]baseline.Node, len(g.Members))
		for i, m := range g.Members {
			nodes[i] = baseline.Node{Name: m.Key, Weight: m.Weight}
		}
		placed := s.Build(nodes)
		keys := make([]string, 0, w.total)
		for _, t := range w.topics {
			for p := range t.partitions {
				keys = append(keys, baseline.KeyOf(t.name, int32(p)))
			}
		}
		return func(i int) int { return placed.Owner(keys[i%len(keys)]) }
	}
	if r, ok := a.strategy.(assignor.Ranker); ok {
		return func(i int) int {
			t := i % len(g.Topics)
			return int(r.Rank(g, t, int32(i%int(g.Topics[t].Partitions)), 1)[0])
		}
	}
	return nil
}
