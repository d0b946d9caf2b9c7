package sticky

import (
	"math/bits"
	"slices"
)

// ends are where a flow of partitions ends: members with their bands, and before
// them with PerTopic slots, a member within a topic. What members must have goes
// to one sink and what they may have to another, so that the first can be filled
// before the second.
type ends struct {
	net               network
	source, must, may int32
	members           int    // of the group
	bands             []band // by member
	slots             []band // with PerTopic
	ranked            bool   // rank costs

	// What is there in any case, or outside the network, and does not flow; nil:
	// nothing.
	fixed     []int32 // by member
	slotFixed []int32

	// The digits of costs, from the lowest: rank for one more than others have,
	// two of what partitions cost, and the second of two numbers that a slot may
	// have, so that every slot gets the first.
	low, middle, second int64

	nodes     []int32 // by member, -1: none yet
	musts     []int32 // by member: the arc to must
	mays      []int32 // by member: the arc to may, or -1
	slotNodes []int32 // by slot, -1: none yet; nil: none at all
	seconds   []int32 // by slot: the arc of the second number, or -1
}

// digit returns how many bits a digit of a cost needs so that its sum along a path
// never reaches the next one, if a path changes it at most twice at each of so
// many places. No path in a group that a broker can hold changes it more often
// than 16 bits allow.
func digit(places int) int { return min(bits.Len(uint(4*places)), 16) }

// start makes source and sinks.
func (e *ends) start() {
	ranks := int32(0)
	for _, b := range e.bands {
		ranks = max(ranks, b.rank)
	}
	// A path changes what a partition costs for at most one of each member or
	// slot.
	base := digit(e.members + len(e.slots) + 2)
	e.low = int64(1) << bits.Len(uint(2*(ranks+1)))
	e.middle = e.low << base
	e.second = e.middle << base

	e.source, e.must, e.may = e.net.node(), e.net.node(), e.net.node()
	e.nodes = slices.Repeat([]int32{-1}, e.members)
	e.musts = make([]int32, e.members)
	e.mays = slices.Repeat([]int32{-1}, e.members)
}

// end returns the node of a member.
func (e *ends) end(m int32) int32 {
	if e.nodes[m] < 0 {
		rank := int64(0)
		if e.ranked {
			rank = int64(e.bands[m].rank)
		}
		e.nodes[m] = e.net.node()
		e.musts[m], e.mays[m] = e.lead(e.nodes[m], e.must, e.may, e.bands[m], e.fixed, int(m), rank)
	}
	return e.nodes[m]
}

// slotEnd returns the node of a member's slot or, without PerTopic, the member's.
func (e *ends) slotEnd(slot, m int32) int32 {
	if e.slots == nil {
		return e.end(m)
	}
	if e.slotNodes == nil {
		e.slotNodes = slices.Repeat([]int32{-1}, len(e.slots))
		e.seconds = slices.Repeat([]int32{-1}, len(e.slots))
	}
	if e.slotNodes[slot] < 0 {
		end := e.end(m)
		e.slotNodes[slot] = e.net.node()
		_, e.seconds[slot] = e.lead(e.slotNodes[slot], end, end, e.slots[slot], e.slotFixed, int(slot), e.second)
	}
	return e.slotNodes[slot]
}

// lead adds an arc for what a node must have, beyond what is fixed, and one for what
// it may have; -1: it may not have more.
func (e *ends) lead(node, must, may int32, b band, fixed []int32, at int, cost int64) (first, second int32) {
	low, high := b.low, b.high
	if fixed != nil {
		low, high = max(0, low-fixed[at]), high-fixed[at]
	}
	first, second = e.net.arc(node, must, int(low), 0), -1
	if high > low {
		second = e.net.arc(node, may, int(high-low), cost)
	}
	return first, second
}

// send sends what must arrive, then what may, and tells whether everything has.
func (e *ends) send() bool {
	missing, spare, left := 0, 0, 0 // what must arrive, what may and is there, what has to go
	for i := range e.net.added {
		switch a := &e.net.added[i]; {
		case a.to == e.must:
			missing += int(a.room - a.carries)
		case a.to == e.may:
			spare += int(a.carries)
		case a.from == e.source:
			left += int(a.room - a.carries)
		}
	}
	if spare == 0 && e.net.rim == nil {
		sent := e.net.send(e.source, e.must)
		return sent == missing && sent+e.net.send(e.source, e.may) == left
	}
	// What some have and only may have can go to those that must have it: from the
	// source to may, and back from there. Paths are looked for from where something
	// is missing, then from where something is left: little moves, so that is the
	// shortest way. With a rim it has to be: may leads to members everywhere, so no
	// search must pass it. Against the flow the source is as near as may, behind
	// which it is, and along the flow may is the end.
	back := e.net.arc(e.source, e.may, spare, 0)
	if e.net.sendLooking(false, e.source, e.must) != missing {
		return false
	}
	left += e.net.carried(back) - missing
	e.net.close(back)
	return e.net.sendLooking(true, e.source, e.may) == left
}
