package baseline

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestContract(t *testing.T) {
	ks := keys(200)
	names := map[string]bool{}
	for _, a := range All() {
		if names[a.Name()] {
			t.Errorf("two are named %q", a.Name())
		}
		names[a.Name()] = true
		for _, n := range []int{0, 1, 2, 3, 4, 5, 12, 13, 36, 37, 108, 109} {
			ns := equal(n)
			given := slices.Clone(ns)
			p, again := a.Build(ns), a.Build(ns)
			if !slices.Equal(ns, given) {
				t.Fatalf("%s changed the nodes", a.Name())
			}
			clear(ns) // a Placement may not keep them
			for _, k := range append(ks, "") {
				got := p.Owner(k)
				if got >= n || got < 0 && (n > 0 || got != -1) {
					t.Fatalf("%s: Owner(%q) = %d of %d nodes", a.Name(), k, got, n)
				}
				if got != again.Owner(k) {
					t.Fatalf("%s: Owner(%q) differs when built again", a.Name(), k)
				}
			}
		}
	}
}

func TestNoWeightIsOne(t *testing.T) {
	ks := keys(500)
	for _, a := range All() {
		p, q := a.Build(nodes(0, 1, 2)), a.Build(nodes(1, 0, 2))
		for _, k := range ks {
			if p.Owner(k) != q.Owner(k) {
				t.Fatalf("%s: weights 0 and 1 differ", a.Name())
			}
		}
	}
}

// The monotone algorithms, in the articles' sense, as far as they are: a node
// that joins takes keys only for itself, and so one that leaves gives up only
// its own.
func monotone() []Algorithm {
	return []Algorithm{Ring{}, Ring{VirtualNodes: 3}, Ring{VirtualNodes: 5, Hash: MD5}, Ring{VirtualNodes: 2, Slots: 100}, Straw2{}, Multiplicity{}, Logarithmic{}}
}

func TestMonotone(t *testing.T) {
	ks := keys(100)
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) Node {
			return Node{fmt.Sprint("n", rapid.IntRange(0, 999).Draw(t, "name")), rapid.Uint32Range(1, 5).Draw(t, "weight")}
		}), 2, 12, func(n Node) string { return n.Name }).Draw(t, "nodes")
		byName := func(a, b Node) int { return strings.Compare(a.Name, b.Name) }
		slices.SortFunc(before, byName)
		leaver := rapid.IntRange(0, len(before)-1).Draw(t, "leaver")
		changed := slices.Clone(before)
		changed[leaver].Weight++
		for _, a := range monotone() {
			if m := moved(a, before, without(before, leaver), ks); m.needless > 0 {
				t.Fatalf("%s, %+v: a leave moves %s", a.Name(), a, m)
			}
			if m := moved(a, before, changed, ks); m.needless > 0 {
				t.Fatalf("%s, %+v: a change of weight moves %s", a.Name(), a, m)
			}
		}
		for i := range before {
			before[i].Weight = 1
		}
		if m := moved(CARP{}, before, without(before, leaver), ks); m.needless > 0 {
			t.Fatalf("carp, equal weights: a leave moves %s", m)
		}
		if m := moved(Jump{}, before, before[:len(before)-1], ks); m.needless > 0 {
			t.Fatalf("jump: the last one's leave moves %s", m)
		}
	})
}

// The others are not, each in its own way.
func TestNotMonotone(t *testing.T) {
	ks := keys(20_000)
	ten := equal(10)
	for _, test := range []struct {
		a             Algorithm
		before, after []Node
		least, most   float64 // percent of needless moves
	}{
		// All but one key in 11 move, and one in 11 of all must.
		{ModN{}, ten, equal(11), 80, 84},
		{ModN{}, ten, without(ten, 9), 78, 82},
		// Renumbered: those behind the leaver take each other's keys.
		{Jump{}, ten, without(ten, 0), 75, 95},
		{Jump{}, ten, without(ten, 8), 8, 12},
		{Jump{}, ten, without(ten, 9), 0, 0},
		{Skeleton{}, ten, without(ten, 0), 30, 60},
	} {
		m := moved(test.a, test.before, test.after, ks)
		t.Logf("%-8s %d nodes to %d: %s", test.a.Name(), len(test.before), len(test.after), m)
		if got := m.percent(m.needless); got < test.least || got > test.most {
			t.Errorf("%s: %.1f %% needless, want %v to %v", test.a.Name(), got, test.least, test.most)
		}
	}
}

// Balance: every node has about its share of the keys.
func TestBalance(t *testing.T) {
	ks := keys(20_000)
	ten, steps := equal(10), nodes(slices.Repeat([]uint32{1}, 20)...)
	for i := range steps {
		steps[i].Weight = uint32(1 + i*49/19) // 1 to 50
	}
	for _, a := range []Algorithm{ModN{}, ModN{Hash: MD5}, Jump{}, CARP{}, Straw2{}, Multiplicity{}, Logarithmic{}, Skeleton{Cluster: 5, Fanout: 2}} {
		checkShares(t, a.Name(), ten, loads(a.Build(ten), ten, ks))
	}
	for _, a := range []Algorithm{CARP{}, Straw2{}, Multiplicity{}, Logarithmic{}} {
		for _, ns := range [][]Node{nodes(1, 2, 3), steps, nodes(1, 500)} {
			checkShares(t, a.Name(), ns, loads(a.Build(ns), ns, ks))
		}
	}
}

func BenchmarkOwner(b *testing.B) {
	ks := keys(1024)
	for _, n := range []int{10, 100, 1000} {
		for _, a := range All() {
			b.Run(fmt.Sprintf("%s/%d", a.Name(), n), func(b *testing.B) {
				p := a.Build(equal(n))
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					p.Owner(ks[i%len(ks)])
					i++
				}
			})
		}
	}
}
