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
// Paths are looked for from the end that fewer arcs lead on from. Where little is
// missing, few nodes are near the sink, while nearly everything is near the source;
// where little is left, it is the other way round.
type network struct {
	nodes int32
	added []added // in the order in which they were added

	// Made of that by the first send.
	arcs      []arc   // by the node that they leave
	first     []int32 // by node: its first arc; one more for the end
	place     []int32 // by arc in the order of adding: where it is in arcs
	potential []int64 // by node: of the shortest paths so far

	// rim, if not nil, tells by node whether more arcs lead from or to it than
	// are here: a search that settles such a node finds nothing, for what it
	// would find might not be the shortest, and the network is of no use after
	// that.
	rim []bool

	from, to int32   // the ends, in the direction in which paths are looked for
	along    bool    // that is the direction of the flow
	distance []int64 // from from, by node, in search
	level    []int32 // by node, in layer; -1: none
	next     []int32 // by node that has a level: the arc to try next
	reached  []int32 // nodes that have a distance
	layered  []int32 // nodes that have a level
	queue    []int32
	heap     heap // of nodes by distance
}

type added struct {
	from, to int32
	room     int32
	carries  int32 // from the start
	cost     int64
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
	n.added = append(n.added, added{from: from, to: to, room: int32(room), cost: cost})
	return int32(len(n.added) - 1)
}

// carry has an arc carry some units from the start. Such arcs must lead from the
// source to the sink of a send, at no cost.
func (n *network) carry(a, units int32) { n.added[a].carries += units }

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
func (n *network) send(source, sink int32) int {
	n.pack()
	n.aim(source, sink, false)
	back := n.width()
	n.aim(source, sink, true)
	return n.sendLooking(n.width() < back, source, sink)
}

// sendLooking is send, with paths looked for along arcs, from the source, or against
// them, from the sink.
func (n *network) sendLooking(along bool, source, sink int32) (sent int) {
	n.pack()
	n.aim(source, sink, along)
	for n.search() {
		for n.layer() {
			sent += int(n.push(n.from, math.MaxInt32))
		}
	}
	return sent
}

// aim says in which direction paths are looked for.
func (n *network) aim(source, sink int32, along bool) {
	if n.from, n.to, n.along = source, sink, along; !along {
		n.from, n.to = sink, source
	}
}

// close has an arc carry neither more nor less from now on.
func (n *network) close(a int32) {
	x := &n.arcs[n.place[a]]
	x.room, n.arcs[x.reverse].room = 0, 0
}

// width returns how many of the shortest arcs can be gone from the end at which
// paths begin.
func (n *network) width() (arcs int) {
	least := int64(unreached)
	out := n.out(n.from)
	for i := range out {
		if x := &out[i]; n.room(x) > 0 {
			switch length := n.length(n.from, x); {
			case length < least:
				least, arcs = length, 1
			case length == least:
				arcs++
			}
		}
	}
	return arcs
}

// pack puts the arcs that leave a node, and the reverse of those that enter it,
// side by side, once and for all.
func (n *network) pack() {
	if n.arcs != nil {
		return
	}
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
		n.arcs[there] = arc{to: x.to, reverse: back, room: x.room - x.carries, cost: x.cost}
		n.arcs[back] = arc{to: x.from, reverse: there, room: x.carries, cost: -x.cost}
	}
}

// out returns the arcs that leave a node.
func (n *network) out(v int32) []arc { return n.arcs[n.first[v]:n.first[v+1]] }

// room returns how much more can go where paths are looked for along an arc.
func (n *network) room(x *arc) int32 {
	if n.along {
		return x.room
	}
	return n.arcs[x.reverse].room
}

// length returns the reduced cost of an arc that leaves v, as paths go.
func (n *network) length(v int32, x *arc) int64 {
	c := x.cost + n.potential[v] - n.potential[x.to]
	if n.along {
		return c
	}
	return -c
}

// search finds how far all nodes are that are nearer than the other end, and takes
// it into the potentials.
func (n *network) search() bool {
	n.distance[n.from] = 0
	n.reached = append(n.reached[:0], n.from)
	n.heap.items = n.heap.items[:0]
	n.heap.push(ranked{who: n.from})
	far := int64(unreached)
	for far == unreached && len(n.heap.items) > 0 {
		at := n.heap.items[0]
		n.heap.drop()
		if at.key > n.distance[at.who] {
			continue
		}
		if at.who == n.to {
			far = at.key
			break
		}
		// Most arcs are as short as can be: where they lead need not wait.
		n.queue = append(n.queue[:0], at.who)
		for len(n.queue) > 0 && far == unreached {
			v := n.queue[len(n.queue)-1]
			n.queue = n.queue[:len(n.queue)-1]
			out := n.out(v)
			for i := range out {
				x := &out[i]
				d := at.key + n.length(v, x)
				if d >= n.distance[x.to] || n.room(x) == 0 {
					continue
				}
				if n.distance[x.to] == unreached {
					n.reached = append(n.reached, x.to)
				}
				n.distance[x.to] = d
				switch {
				case d > at.key:
					n.heap.push(ranked{key: d, who: x.to})
				case x.to == n.to:
					far = d
				default:
					n.queue = append(n.queue, x.to)
				}
			}
		}
	}
	found := far != unreached
	for _, v := range n.reached {
		if d := n.distance[v]; d < far && far != unreached {
			if n.rim != nil && n.rim[v] {
				found = false
			}
			if n.along {
				n.potential[v] -= far - d
			} else {
				n.potential[v] += far - d
			}
		}
		n.distance[v] = unreached
	}
	return found
}

// layer numbers nodes by how many arcs of the shortest paths lead to them, up to
// the other end.
func (n *network) layer() bool {
	for _, v := range n.layered {
		n.level[v] = -1
	}
	n.layered = n.layered[:0]
	enter := func(v, level int32) {
		n.level[v], n.next[v] = level, n.first[v]
		n.layered = append(n.layered, v)
	}
	enter(n.from, 0)
	for i := 0; i < len(n.layered); i++ {
		v := n.layered[i]
		out := n.out(v)
		for i := range out {
			x := &out[i]
			if n.level[x.to] < 0 && n.length(v, x) == 0 && n.room(x) > 0 {
				enter(x.to, n.level[v]+1)
				if x.to == n.to {
					return true
				}
			}
		}
	}
	return false
}

// push carries up to limit units between v and the other end along shortest paths.
func (n *network) push(v, limit int32) (pushed int32) {
	if v == n.to {
		return limit
	}
	for end := n.first[v+1]; n.next[v] < end; n.next[v]++ {
		x := &n.arcs[n.next[v]]
		room := n.room(x)
		if room == 0 || n.level[x.to] != n.level[v]+1 || n.length(v, x) != 0 {
			continue
		}
		got := n.push(x.to, min(limit-pushed, room))
		if back := &n.arcs[x.reverse]; n.along {
			x.room -= got
			back.room += got
		} else {
			x.room += got
			back.room -= got
		}
		pushed += got
		if pushed == limit {
			return pushed
		}
	}
	return pushed
}
