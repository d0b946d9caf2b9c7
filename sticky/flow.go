package sticky

import (
	"math"
	"math/bits"
	"slices"
)

// A network carries units from a source to a sink at the least cost: successive
// shortest paths with potentials (Edmonds and Karp 1972), all shortest paths of
// a length at once by blocking flows (Dinic 1970). Costs are whole numbers, none
// negative. What it finds depends on the order in which arcs were added only
// where costs leave a choice.
type network struct {
	head      []int32 // by node: its last arc, or -1
	arcs      []arc   // those at 2i and 2i+1 are each other's reverse
	potential []int64 // by node: of the shortest paths so far

	distance []int64
	level    []int32
	next     []int32 // by node: the arc to try next
	heap     heap    // of nodes by distance
	queue    []int32
}

type arc struct {
	to, next int32
	room     int32 // what it can carry beyond what it carries
	cost     int64
}

const (
	unreached = math.MaxInt64
	maxRoom   = math.MaxInt32 / 2 // more than there are units
)

// digit returns how many bits a digit of a cost needs so that its sum along a path
// never reaches the next one, if a path changes it at most twice at each of so
// many places. No path in a group that a broker can hold changes it more often
// than 16 bits allow.
func digit(places int) int { return min(bits.Len(uint(4*places)), 16) }

// node adds a node.
func (n *network) node() int32 {
	n.head = append(n.head, -1)
	return int32(len(n.head) - 1)
}

// nodes adds several and returns the first.
func (n *network) nodes(count int) int32 {
	first := int32(len(n.head))
	for range count {
		n.head = append(n.head, -1)
	}
	return first
}

// expect makes room for arcs.
func (n *network) expect(arcs int) { n.arcs = slices.Grow(n.arcs, 2*arcs) }

// arc adds an arc and returns its number.
func (n *network) arc(from, to int32, room int, cost int64) int32 {
	a := int32(len(n.arcs))
	n.arcs = append(n.arcs,
		arc{to: to, next: n.head[from], room: int32(room), cost: cost},
		arc{to: from, next: n.head[to], cost: -cost})
	n.head[from], n.head[to] = a, a+1
	return a
}

// nth returns the number of the i-th arc of those added from first on.
func nth(first int32, i int) int32 { return first + int32(2*i) }

// A ladder is arcs between the same two nodes for one unit each, the next one
// always costing 2 more: the sum of squares, taken apart.
type ladder struct{ first, rungs int32 }

func (n *network) ladder(from, to, rungs int32, cost int64) ladder {
	l := ladder{int32(len(n.arcs)), rungs}
	for i := range int64(rungs) {
		n.arc(from, to, 1, cost+2*i)
	}
	return l
}

// climbed returns how many units go up a ladder.
func (n *network) climbed(l ladder) (units int32) {
	for i := range l.rungs {
		units += int32(n.carried(nth(l.first, int(i))))
	}
	return units
}

// carried returns how many units go along an arc.
func (n *network) carried(a int32) int { return int(n.arcs[a^1].room) }

// reduced returns the reduced cost of an arc: where it is positive no flow of the
// least cost uses the arc, where it is negative all of them fill it.
func (n *network) reduced(a int32) int64 {
	x := &n.arcs[a]
	return x.cost + n.potential[n.arcs[a^1].to] - n.potential[x.to]
}

// send carries as much as can be from source to sink and returns how much. It may
// be called again for another sink, which gets what is left: arcs that lead to the
// first and are full by then stay so.
func (n *network) send(source, sink int32) (sent int) {
	if n.potential == nil {
		n.potential = make([]int64, len(n.head))
		n.distance = make([]int64, len(n.head))
		n.level = make([]int32, len(n.head))
		n.next = make([]int32, len(n.head))
	}
	for n.search(source, sink) {
		for n.layer(source, sink) {
			copy(n.next, n.head)
			sent += int(n.push(source, sink, math.MaxInt32))
		}
	}
	return sent
}

// search finds how far all nodes are from the source that are not beyond the
// sink, and takes it into the potentials.
func (n *network) search(source, sink int32) bool {
	for i := range n.distance {
		n.distance[i] = unreached
	}
	n.distance[source] = 0
	n.heap.items = n.heap.items[:0]
	n.heap.push(ranked{who: source})
	for len(n.heap.items) > 0 {
		at := n.heap.items[0]
		n.heap.drop()
		if at.key > n.distance[at.who] {
			continue
		}
		if at.who == sink {
			break
		}
		// Most arcs are as short as can be: their ends need not queue.
		n.queue = append(n.queue[:0], at.who)
		for len(n.queue) > 0 {
			u := n.queue[len(n.queue)-1]
			n.queue = n.queue[:len(n.queue)-1]
			p := n.potential[u]
			for a := n.head[u]; a >= 0; {
				x := &n.arcs[a]
				if x.room > 0 {
					d := at.key + x.cost + p - n.potential[x.to]
					if d < n.distance[x.to] {
						n.distance[x.to] = d
						if d == at.key && x.to != sink {
							n.queue = append(n.queue, x.to)
						} else {
							n.heap.push(ranked{key: d, who: x.to})
						}
					}
				}
				a = x.next
			}
		}
	}
	far := n.distance[sink]
	if far == unreached {
		return false
	}
	for i, d := range n.distance {
		n.potential[i] += min(d, far)
	}
	return true
}

// layer numbers the nodes by how many arcs of the shortest paths lead to them.
func (n *network) layer(source, sink int32) bool {
	for i := range n.level {
		n.level[i] = -1
	}
	n.level[source] = 0
	n.queue = append(n.queue[:0], source)
	for i := 0; i < len(n.queue); i++ {
		u := n.queue[i]
		for a := n.head[u]; a >= 0; a = n.arcs[a].next {
			x := &n.arcs[a]
			if x.room > 0 && n.level[x.to] < 0 && x.cost+n.potential[u] == n.potential[x.to] {
				n.level[x.to] = n.level[u] + 1
				if x.to == sink {
					return true
				}
				n.queue = append(n.queue, x.to)
			}
		}
	}
	return false
}

// push carries up to limit units from u along shortest paths.
func (n *network) push(u, sink int32, limit int32) (pushed int32) {
	if u == sink {
		return limit
	}
	for ; n.next[u] >= 0; n.next[u] = n.arcs[n.next[u]].next {
		a := n.next[u]
		x := &n.arcs[a]
		if x.room == 0 || n.level[x.to] != n.level[u]+1 || x.cost+n.potential[u] != n.potential[x.to] {
			continue
		}
		got := n.push(x.to, sink, min(limit-pushed, x.room))
		n.arcs[a].room -= got
		n.arcs[a^1].room += got
		pushed += got
		if pushed == limit {
			return pushed
		}
	}
	return pushed
}
