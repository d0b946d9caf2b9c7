package sticky

import "slices"

// A leveler finds the least loads where subscriptions are unlike: the sum of
// load²/weight is least, which for equal weights is the least sorted vector of
// loads. Members are at the ends of a flow from sets of topics; as long as some
// path leads from a member to another that a unit more would burden less, a unit
// goes along it.
//
// It starts from the present owners and works up from the members with the least
// burden: once nothing can reach those, whatever can reach them is done.
type leveler struct {
	*planner
	sets  []set
	flow  [][]int32 // by set and reader
	load  []int32   // by member
	reads places
	slots []band // with PerTopic

	memberLevel []burden // by member: the burden that its paths end at
	setLevel    []burden // by set
	done        []bool   // by member: memberLevel is known
	setDone     []bool

	distance    []int32 // by member: units' way to a target, -1: none
	setDistance []int32
	queue       []int32 // members, then sets with their bits inverted
	tried       []int32 // by member and by set: what push tries next
	setTried    []int32
	targets     []bool
	limit       burden
}

// more returns what one more costs a member, less what one less saves.
func (l *leveler) more(m int32) burden { return burden{2*int64(l.load[m]) + 1, int64(weight(l.g, m))} }
func (l *leveler) less(m int32) burden { return burden{2*int64(l.load[m]) - 1, int64(weight(l.g, m))} }

// level finds the least loads and returns by member what it has in all plans
// that have them, and leaves in the sets the readers that may have something in
// such plans. It tells whether the present owners need not change.
func (p *planner) level(sets []set) (l *leveler, bands []band, settled bool) {
	l = &leveler{planner: p, sets: sets, load: make([]int32, len(p.g.Members)), reads: placesOf(len(p.g.Members), sets)}
	settled = l.start()
	if l.improve() {
		settled = false
	}
	bands = l.bands()
	l.restrict()
	return l, bands, settled
}

// improve moves units until no path helps, and tells whether any did.
func (l *leveler) improve() (improved bool) {
	members, sets := len(l.g.Members), len(l.sets)
	l.memberLevel, l.setLevel = make([]burden, members), slices.Repeat([]burden{boundless}, sets)
	l.done, l.setDone = make([]bool, members), make([]bool, sets)
	l.distance, l.setDistance = make([]int32, members), make([]int32, sets)
	l.tried, l.setTried = make([]int32, members), make([]int32, sets)
	l.targets = make([]bool, members)
	l.queue = make([]int32, 0, members+sets)
	for m := range l.done {
		l.done[m] = len(l.reads.of(int32(m))) == 0
	}
	improved = l.approach()
	for {
		lowest, ok := l.lowest()
		if !ok {
			return improved
		}
		l.reach(lowest)
		if l.sendAll(lowest) {
			improved = true
			continue
		}
		for _, v := range l.queue {
			if v >= 0 {
				l.memberLevel[v], l.done[v] = lowest, true
			} else {
				l.setLevel[^v], l.setDone[^v] = lowest, true
			}
		}
	}
}

// approach moves many units at a time from members above some burden to members
// below it, for some burdens, so that little is left to do one by one: where
// weights differ no two members may be equally burdened.
func (l *leveler) approach() (improved bool) {
	all := make([]burden, 0, len(l.done))
	average := burden{0, 0}
	for m, done := range l.done {
		if !done {
			all = append(all, l.more(int32(m)))
			average.over += 2 * int64(l.load[m])
			average.weight += int64(weight(l.g, int32(m)))
		}
	}
	if len(all) == 0 {
		return false
	}
	slices.SortFunc(all, burden.compare)
	// A unit less than the average load's burden comes first: it is where one
	// member that has nothing yet gets all it needs.
	limits := []burden{{max(0, average.over-average.weight), average.weight}, average}
	for _, eighth := range []int{4, 2, 6, 1, 3, 5, 7} {
		limits = append(limits, all[len(all)*eighth/8])
	}
	most, least := l.extremes()
	for i, limit := range limits {
		if slices.Contains(limits[:i], limit) {
			continue
		}
		for most.compare(limit) > 0 && least.compare(limit) <= 0 {
			l.reach(limit)
			if !l.sendAll(limit) {
				break
			}
			improved = true
			most, least = l.extremes()
		}
	}
	return improved
}

// extremes returns the most that a unit less would save anybody, and the least that
// a unit more would cost.
func (l *leveler) extremes() (most, least burden) {
	any := false
	for m, done := range l.done {
		if done {
			continue
		}
		less, more := l.less(int32(m)), l.more(int32(m))
		if !any || less.compare(most) > 0 {
			most = less
		}
		if !any || more.compare(least) < 0 {
			least = more
		}
		any = true
	}
	return most, least
}

// lowest returns the least burden of those that are not done.
func (l *leveler) lowest() (lowest burden, any bool) {
	for m, done := range l.done {
		if !done {
			if b := l.more(int32(m)); !any || b.compare(lowest) < 0 {
				lowest, any = b, true
			}
		}
	}
	return lowest, any
}

// reach finds from where a unit could get to a target, a member with a burden of
// the limit at most, and on how short a way.
func (l *leveler) reach(limit burden) {
	l.limit = limit
	l.queue = l.queue[:0]
	for m := range l.distance {
		l.distance[m] = -1
		l.targets[m] = !l.done[m] && l.more(int32(m)).compare(limit) <= 0
		if l.targets[m] {
			l.distance[m] = 0
			l.queue = append(l.queue, int32(m))
		}
	}
	for s := range l.setDistance {
		l.setDistance[s] = -1
	}
	for i := 0; i < len(l.queue); i++ {
		v := l.queue[i]
		if v >= 0 { // from which sets could the member have more
			for _, at := range l.reads.of(v) {
				if !l.setDone[at.set] && l.setDistance[at.set] < 0 && l.room(at) {
					l.setDistance[at.set] = l.distance[v] + 1
					l.queue = append(l.queue, ^at.set)
				}
			}
			continue
		}
		for j, m := range l.sets[^v].readers { // and who has some of the set
			if !l.done[m] && l.distance[m] < 0 && l.spare(place{^v, int32(j)}) {
				l.distance[m] = l.setDistance[^v] + 1
				l.queue = append(l.queue, m)
			}
		}
	}
}

// sendAll sends units along the shortest paths from those above the limit to
// targets, until they are no longer.
func (l *leveler) sendAll(limit burden) (sent bool) {
	clear(l.tried)
	clear(l.setTried)
	for m, d := range l.distance {
		for d > 0 && l.less(int32(m)).compare(limit) > 0 && l.send(int32(m)) {
			sent = true
			l.load[m]--
		}
	}
	return sent
}

// send passes on a unit from a member, on the way to a target.
func (l *leveler) send(m int32) bool {
	if l.targets[m] {
		l.load[m]++
		l.targets[m] = l.more(m).compare(l.limit) <= 0
		return true
	}
	reads := l.reads.of(m)
	for ; int(l.tried[m]) < len(reads); l.tried[m]++ {
		at := reads[l.tried[m]]
		if l.setDistance[at.set] < 0 || l.setDistance[at.set] != l.distance[m]-1 || !l.spare(at) {
			continue
		}
		readers := l.sets[at.set].readers
		for ; int(l.setTried[at.set]) < len(readers); l.setTried[at.set]++ {
			to := place{at.set, l.setTried[at.set]}
			next := readers[to.reader]
			if l.distance[next] != l.setDistance[at.set]-1 || !l.room(to) || l.distance[next] == 0 && !l.targets[next] {
				continue
			}
			if l.send(next) {
				l.flow[at.set][at.reader]--
				l.flow[to.set][to.reader]++
				return true
			}
		}
	}
	return false
}

// bands returns what members have in all plans with the least loads.
func (l *leveler) bands() []band {
	bands := make([]band, len(l.g.Members))
	for m := range bands {
		b := &bands[m]
		b.low, b.high = l.load[m], l.load[m]
		switch {
		case len(l.reads.of(int32(m))) == 0:
		case l.more(int32(m)).compare(l.memberLevel[m]) == 0:
			b.high++
		case l.load[m] > 0 && l.less(int32(m)).compare(l.memberLevel[m]) == 0:
			b.low--
		}
	}
	return bands
}

// restrict leaves to sets the readers on their own level only. Others have
// nothing of it in any plan with the least loads; with PerTopic, just what they
// have now.
func (l *leveler) restrict() {
	slab := make([]int32, 0, l.readers()) // those in the sets belong to the Group
	for s := range l.sets {
		x := &l.sets[s]
		kept := slab[len(slab):]
		for i, m := range x.readers {
			at := place{int32(s), int32(i)}
			same := l.memberLevel[m].compare(l.setLevel[s]) == 0
			keep := same
			if l.slots != nil {
				b := l.slotOf(at)
				if !same {
					b.low, b.high = l.flow[s][i], l.flow[s][i]
					keep = l.flow[s][i] > 0
				}
				l.slots[int(x.slots)+len(kept)] = *b
			}
			if keep {
				l.flow[s][len(kept)] = l.flow[s][i]
				kept = append(kept, m)
			}
		}
		l.flow[s] = l.flow[s][:len(kept)]
		slab = slab[:len(slab)+len(kept)]
		x.readers = kept[:len(kept):len(kept)]
	}
}
