package sticky

import (
	"math"
	"slices"
)

// A network carries units from a source to a sink at the least cost: successive
// shortest paths with potentials (Edmonds and Karp 1972), all shortest paths of
// a length at once by blocking flows (Dinic 1970). Costs are whole numbers, none
// negative. What it finds depends on the order in which arcs were added only
// where costs leave a choice: those added first are tried first.
//
// Paths are looked for from the sink backwards: where little is missing, few
// nodes are near the sink, while nearly everything is near the source.
type network struct {
	nodes int32
	added []added // in the order in which they were added

	// Made of that by the first send.
	arcs      []arc   // by the node that they leave
	first     []int32 // by node: its first arc; one more for the end
	place     []int32 // by arc in the order of adding: where it is in arcs
	potential []int64 // by node: of the shortest paths so far

	distance []int64 // by node, in search
	level    []int32 // by node, in layer; -1: not near
	next     []int32 // by node that is near: the arc to try next
	reached  []int32 // nodes that have a distance
	near     []int32 // nodes that have a level
	queue    []int32
	heap     heap // of nodes by distance
}

type added struct {
	from, to, room int32
	cost           int64
}

type arc struct {
	to      int32
	reverse int32 // its place in arcs
	room    int32 // what it can carry beyond what it carries
	cost    int64
}

const (
	unreached = math.MaxInt64
	maxRoom   = math.MaxInt32 / 2 // more than there are units
)

// node adds a node.
func (n *network) node() int32 { return n.row(1) }

// row adds several nodes and returns the first.
func (n *network) row(count int) int32 {
	n.nodes += int32(count)
	return n.nodes - int32(count)
}

// expect makes room for arcs.
func (n *network) expect(arcs int) { n.added = slices.Grow(n.added, arcs) }

// arc adds an arc and returns its number, one more than that of the one before.
func (n *network) arc(from, to int32, room int, cost int64) int32 {
	n.added = append(n.added, added{from, to, int32(room), cost})
	return int32(len(n.added) - 1)
}

// A ladder is arcs between the same two nodes for one unit each, the next one
// always costing 2 more: the sum of squares, taken apart.
type ladder struct{ first, rungs int32 }

func (n *network) ladder(from, to, rungs int32, cost int64) ladder {
	l := ladder{int32(len(n.added)), rungs}
	for i := range int64(rungs) {
		n.arc(from, to, 1, cost+2*i)
	}
	return l
}

// climbed returns how many units go up a ladder.
func (n *network) climbed(l ladder) (units int32) {
	for i := range l.rungs {
		units += int32(n.carried(l.first + i))
	}
	return units
}

// carried returns how many units go along an arc.
func (n *network) carried(a int32) int {
	return int(n.arcs[n.arcs[n.place[a]].reverse].room)
}

// reduced returns the reduced cost of an arc: where it is positive no flow of the
// least cost uses the arc, where it is negative all of them fill it.
func (n *network) reduced(a int32) int64 {
	x := &n.added[a]
	return x.cost + n.potential[x.from] - n.potential[x.to]
}

// send carries as much as can be from source to sink and returns how much. It may
// be called again for another sink, which gets what is left: arcs that lead to the
// first and are full by then stay so.
func (n *network) send(source, sink int32) (sent int) {
	if n.arcs == nil {
		n.pack()
	}
	for n.search(source, sink) {
		for n.layer(source, sink) {
			sent += int(n.pull(source, sink, math.MaxInt32))
		}
	}
	return sent
}

// pack puts the arcs that leave a node, and the reverse of those that enter it,
// side by side.
func (n *network) pack() {
	nodes, arcs := int(n.nodes), len(n.added)
	numbers := make([]int32, 3*nodes+1+arcs)
	n.first, n.level, n.next, n.place = numbers[:nodes+1], numbers[nodes+1:2*nodes+1], numbers[2*nodes+1:3*nodes+1], numbers[3*nodes+1:]
	lengths := make([]int64, 2*nodes)
	n.potential, n.distance = lengths[:nodes], lengths[nodes:]
	for v := range nodes {
		n.level[v], n.distance[v] = -1, unreached
	}
	n.arcs = make([]arc, 2*arcs)
	for i := range n.added {
		n.first[n.added[i].from+1]++
		n.first[n.added[i].to+1]++
	}
	for v := range nodes {
		n.first[v+1] += n.first[v]
	}
	free := n.next
	copy(free, n.first)
	for i := range n.added {
		x := &n.added[i]
		there, back := free[x.from], free[x.to]
		free[x.from]++
		free[x.to]++
		n.place[i] = there
		n.arcs[there] = arc{to: x.to, reverse: back, room: x.room, cost: x.cost}
		n.arcs[back] = arc{to: x.from, reverse: there, cost: -x.cost}
	}
}

// out returns the arcs that leave a node.
func (n *network) out(v int32) []arc { return n.arcs[n.first[v]:n.first[v+1]] }

// search finds how far from the sink all nodes are that are nearer than the
// source, and takes it into the potentials.
func (n *network) search(source, sink int32) bool {
	n.distance[sink] = 0
	n.reached = append(n.reached[:0], sink)
	n.heap.items = n.heap.items[:0]
	n.heap.push(ranked{who: sink})
	far := int64(unreached)
	for far == unreached && len(n.heap.items) > 0 {
		at := n.heap.items[0]
		n.heap.drop()
		if at.key > n.distance[at.who] {
			continue
		}
		if at.who == source {
			far = at.key
			break
		}
		// Most arcs are as short as can be: where they come from need not wait.
		n.queue = append(n.queue[:0], at.who)
		for len(n.queue) > 0 && far == unreached {
			v := n.queue[len(n.queue)-1]
			n.queue = n.queue[:len(n.queue)-1]
			p, out := n.potential[v], n.out(v)
			for i := range out {
				x := &out[i]
				d := at.key - x.cost + n.potential[x.to] - p
				if d >= n.distance[x.to] || n.arcs[x.reverse].room == 0 {
					continue
				}
				if n.distance[x.to] == unreached {
					n.reached = append(n.reached, x.to)
				}
				n.distance[x.to] = d
				switch {
				case d > at.key:
					n.heap.push(ranked{key: d, who: x.to})
				case x.to == source:
					far = d
				default:
					n.queue = append(n.queue, x.to)
				}
			}
		}
	}
	for _, v := range n.reached {
		if d := n.distance[v]; d < far && far != unreached {
			n.potential[v] += far - d
		}
		n.distance[v] = unreached
	}
	return far != unreached
}

// layer numbers nodes by how many arcs of the shortest paths lead from them to
// the sink, up to the source.
func (n *network) layer(source, sink int32) bool {
	for _, v := range n.near {
		n.level[v] = -1
	}
	n.near = n.near[:0]
	enter := func(v, level int32) {
		n.level[v], n.next[v] = level, n.first[v]
		n.near = append(n.near, v)
	}
	enter(sink, 0)
	for i := 0; i < len(n.near); i++ {
		v := n.near[i]
		p, out := n.potential[v], n.out(v)
		for i := range out {
			x := &out[i]
			if n.level[x.to] < 0 && n.potential[x.to]-x.cost == p && n.arcs[x.reverse].room > 0 {
				enter(x.to, n.level[v]+1)
				if x.to == source {
					return true
				}
			}
		}
	}
	return false
}

// pull carries up to limit units to v along shortest paths.
func (n *network) pull(source, v, limit int32) (pulled int32) {
	if v == source {
		return limit
	}
	p, end := n.potential[v], n.first[v+1]
	for ; n.next[v] < end; n.next[v]++ {
		x := &n.arcs[n.next[v]]
		back := &n.arcs[x.reverse]
		if back.room == 0 || n.level[x.to] != n.level[v]+1 || n.potential[x.to]-x.cost != p {
			continue
		}
		got := n.pull(source, x.to, min(limit-pulled, back.room))
		back.room -= got
		x.room += got
		pulled += got
		if pulled == limit {
			return pulled
		}
	}
	return pulled
}
