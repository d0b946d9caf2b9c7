package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
)

// A size is that of a group.
type size struct{ members, partitions int }

func (s size) String() string { return fmt.Sprintf("%dx%d", s.members, s.partitions) }

// A world is what all algorithms are given alike: who is ever in the group,
// what it reads, and what happens. Members are known by their index in names,
// partitions are numbered through, topic by topic.
type world struct {
	names   []string // ascending, as a Group's keys are
	weights []uint32 // by member
	topics  []topic  // ascending by name
	joiner  int      // the one who is not there at first
	leaver  int
	roll    []int // who restarts, in this order: all but the leaver
	scale   []int // who then leaves or, if away, joins, in this order
	total   int   // partitions
	seed    uint64
}

type topic struct {
	name       string
	partitions int
	first      int // number of its partition 0
}

// setup is what a world is made of, beside its seed.
type setup struct {
	size
	topics  int
	weights []uint32 // of members in the order in which they come, repeated
}

// newWorld draws the world of a seed. Names end as a Deployment's pods do, so
// that a member who joins falls anywhere into their order.
func newWorld(s setup, seed uint64) *world {
	rng := rand.New(rand.NewPCG(seed, uint64(s.members)<<32|uint64(s.partitions)))
	w := &world{total: s.partitions, seed: seed}
	drawn := distinct(s.members+1, func() string { return "worker-" + letters(rng, 5) })
	w.names = slices.Sorted(slices.Values(drawn))
	w.weights = make([]uint32, len(drawn))
	for i, name := range drawn {
		w.weights[w.member(name)] = 1
		if len(s.weights) > 0 {
			w.weights[w.member(name)] = s.weights[i%len(s.weights)]
		}
	}
	names := distinct(s.topics, func() string { return "topic-" + letters(rng, 10) })
	slices.Sort(names)
	for i, name := range names {
		t := topic{name: name, partitions: s.partitions / s.topics}
		if i < s.partitions%s.topics {
			t.partitions++
		}
		if i > 0 {
			t.first = w.topics[i-1].first + w.topics[i-1].partitions
		}
		w.topics = append(w.topics, t)
	}
	w.joiner = w.member(drawn[s.members])
	w.leaver = w.member(drawn[rng.IntN(s.members)])
	for _, m := range rng.Perm(len(w.names)) {
		if m != w.leaver {
			w.roll = append(w.roll, m)
		}
	}
	w.scale = w.walk(rng)
	return w
}

// scalings is how often a group is scaled, by one member each time.
const scalings = 15

// walk draws who leaves and who joins once all have restarted. At least half of
// the members stay, and two.
func (w *world) walk(rng *rand.Rand) []int {
	away := make([]bool, len(w.names))
	away[w.leaver] = true
	there := len(w.names) - 1
	var walk []int
	for len(walk) < scalings {
		m := rng.IntN(len(w.names))
		switch {
		case away[m]:
			there++
		case there > max(2, len(w.names)/2):
			there--
		default:
			continue
		}
		away[m] = !away[m]
		walk = append(walk, m)
	}
	return walk
}

func (w *world) member(name string) int {
	m, _ := slices.BinarySearch(w.names, name)
	return m
}

// topicOf returns the topic of that name, nil if there is none.
func (w *world) topicOf(name string) *topic {
	i, ok := slices.BinarySearchFunc(w.topics, name, func(t topic, name string) int { return cmp.Compare(t.name, name) })
	if !ok {
		return nil
	}
	return &w.topics[i]
}

// start returns who is there at first.
func (w *world) start() []bool {
	present := make([]bool, len(w.names))
	for m := range present {
		present[m] = m != w.joiner
	}
	return present
}

// distinct calls draw until it has n different strings.
func distinct(n int, draw func() string) []string {
	seen := make(map[string]bool, n)
	out := make([]string, 0, n)
	for len(out) < n {
		if s := draw(); !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

func letters(rng *rand.Rand, n int) string {
	const alphabet = "bcdfghjklmnpqrstvwxz2456789" // Kubernetes' own
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[rng.IntN(len(alphabet))]
	}
	return string(b)
}
