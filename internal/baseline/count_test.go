package baseline

import (
	"fmt"
	"math"
	"strconv"
	"testing"
)

// keys returns the keys of the articles' examples: "key: 0", "key: 1" and so on.
func keys(n int) []string {
	ks := make([]string, n)
	for i := range ks {
		ks[i] = "key: " + strconv.Itoa(i)
	}
	return ks
}

// nodes returns nodes node1, node2 and so on of these weights.
func nodes(weights ...uint32) []Node {
	ns := make([]Node, len(weights))
	for i, w := range weights {
		ns[i] = Node{fmt.Sprintf("node%d", i+1), w}
	}
	return ns
}

// equal returns n nodes of weight 1 whose names sort as they are numbered.
func equal(n int) []Node {
	ns := make([]Node, n)
	for i := range ns {
		ns[i] = Node{fmt.Sprintf("node%04d", i), 1}
	}
	return ns
}

// without returns the nodes but the one at i.
func without(ns []Node, i int) []Node {
	return append(append([]Node(nil), ns[:i]...), ns[i+1:]...)
}

// with returns the nodes and n before the one at i.
func with(ns []Node, i int, n Node) []Node {
	return append(append(append([]Node(nil), ns[:i]...), n), ns[i:]...)
}

func loads(p Placement, ns []Node, ks []string) []int {
	loads := make([]int, len(ns))
	for _, k := range ks {
		loads[p.Owner(k)]++
	}
	return loads
}

// moves counts keys between two lists of nodes. A needed move is one from a node
// that is not in the second list or to one that is not in the first, or, where
// its weight differs, from or to it.
type moves struct{ needed, needless, keys int }

func (m moves) String() string {
	return fmt.Sprintf("%.1f %% needed, %.1f %% needless", m.percent(m.needed), m.percent(m.needless))
}

func (m moves) percent(n int) float64 { return 100 * float64(n) / float64(m.keys) }

func moved(a Algorithm, before, after []Node, ks []string) moves {
	same := map[Node]int{} // in how many of the lists
	for _, n := range before {
		same[n]++
	}
	for _, n := range after {
		same[n]++
	}
	p, q := a.Build(before), a.Build(after)
	m := moves{keys: len(ks)}
	for _, k := range ks {
		from, to := before[p.Owner(k)], after[q.Owner(k)]
		switch {
		case from.Name == to.Name:
		case same[from] == 2 && same[to] == 2:
			m.needless++
		default:
			m.needed++
		}
	}
	return m
}

// checkShares fails if a load is further from its share than chance allows: 4.5
// standard deviations, and one key more.
func checkShares(t *testing.T, name string, ns []Node, loads []int) {
	t.Helper()
	var sum, all float64
	for i, n := range ns {
		sum += float64(n.weight())
		all += float64(loads[i])
	}
	for i, n := range ns {
		share := float64(n.weight()) / sum
		want := share * all
		if off := math.Abs(float64(loads[i]) - want); off > 1+4.5*math.Sqrt(want*(1-share)) {
			t.Errorf("%s: %s of weight %d has %d keys, want about %.0f", name, n.Name, n.weight(), loads[i], want)
		}
	}
}
