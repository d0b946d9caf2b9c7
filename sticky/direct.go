package sticky

import "github.com/kgo-rendezvous/kgo-rendezvous/assignor"

// solveSets plans a block of several sets: a flow tells how much of which set is
// given and taken. It leaves everything as it was where moves straight from
// those with too many to those with too few do not do.
func (b *block) solveSets(holders, extra int, hints bool) (ok bool) {
	before := make([]band, len(b.members))
	for i, m := range b.members {
		before[i] = b.bands[m]
	}
	b.narrow(holders, extra)
	pools := make([]pool, len(b.sets))
	all := make([]*pool, len(b.sets))
	for i, s := range b.sets {
		pools[i].topics = s.topics
		all[i] = &pools[i]
	}
	f := b.newFlow(all)
	if !f.send() {
		for i, m := range b.members {
			b.bands[m] = before[i]
		}
		return false
	}
	b.copyOwners()
	if hints {
		for i, x := range all {
			b.open(x, b.sets[i].readers)
		}
		b.sendHome(all, b.bands, nil)
	} else {
		f.apply()
	}
	for _, x := range all {
		b.deal(x, hints)
	}
	return true
}

// A directFlow goes from sets to those who have too many of all, who keep some of
// it, and to those who have too few.
type directFlow struct {
	*block
	pools             []*pool
	net               network
	source, must, may int32
	supply            int
	low               int     // what must arrive at must
	nodes             []int32 // by member; 0: it stays as it is
	owned             []int32 // by member: what it owns of a pool
	keeps             []keep
	takes             [][]take // by pool
}

// keep is what a giver owns of a pool, with the arc of what it keeps.
type keep struct{ pool, member, owned, arc int32 }

// take is a member that may take of a pool, with the arc of what it takes.
type take struct{ member, arc int32 }

func (b *block) newFlow(pools []*pool) *directFlow {
	f := &directFlow{block: b, pools: pools, nodes: make([]int32, len(b.g.Members)), owned: make([]int32, len(b.g.Members)), takes: make([][]take, len(pools))}
	f.source, f.must, f.may = f.net.node(), f.net.node(), f.net.node()
	f.net.expect(2*len(b.members) + 2*len(pools))
	for _, m := range b.members {
		w := b.bands[m]
		if b.own[m] < w.high {
			w.low -= b.own[m]
			w.high -= b.own[m]
		} else if b.own[m] <= w.low {
			continue
		}
		f.nodes[m] = f.net.node()
		f.low += int(w.low)
		f.net.arc(f.nodes[m], f.must, int(w.low), 0)
		if w.high > w.low {
			f.net.arc(f.nodes[m], f.may, int(w.high-w.low), 0)
		}
	}
	for i := range pools {
		f.add(i)
	}
	return f
}

// add adds a pool of which something is to be had.
func (f *directFlow) add(i int) {
	x, readers := f.pools[i], f.sets[i].readers
	supply := f.count(x)
	for _, m := range readers {
		supply += int(f.owned[m])
	}
	if supply == 0 {
		return
	}
	f.supply += supply
	at := f.net.node()
	f.net.arc(f.source, at, supply, 0)
	takers := 0
	for _, m := range readers {
		if n := f.owned[m]; n > 0 {
			f.owned[m] = 0
			f.keeps = append(f.keeps, keep{int32(i), m, n, f.net.arc(at, f.nodes[m], int(n), 0)})
		}
		if f.own[m] < f.bands[m].high {
			takers++
		}
	}
	members := make([]int32, 0, takers)
	for _, m := range readers {
		if f.own[m] < f.bands[m].high {
			members = append(members, m)
		}
	}
	f.order(members, x.topics[0])
	f.net.expect(takers)
	f.takes[i] = make([]take, takers)
	for j, m := range members {
		f.takes[i][j] = take{m, f.net.arc(at, f.nodes[m], maxRoom, 0)}
	}
}

// count returns how much nobody has of a pool, and sets owned for those who have
// too many of all.
func (f *directFlow) count(x *pool) (free int) {
	for _, t := range x.topics {
		topic := &f.g.Topics[t]
		if topic.Owners == nil {
			free += int(topic.Partitions)
		}
		for _, m := range topic.Owners {
			switch {
			case m == assignor.None || !f.has(m):
				free++
			case f.own[m] > f.bands[m].low:
				f.owned[m]++
			}
		}
	}
	return free
}

// send tells whether everything finds its place.
func (f *directFlow) send() bool {
	return f.net.send(f.source, f.must) == f.low && f.low+f.net.send(f.source, f.may) == f.supply
}

// apply says who gives how many of which pool, and who takes how many.
func (f *directFlow) apply() {
	for _, k := range f.keeps {
		if gone := k.owned - int32(f.net.carried(k.arc)); gone > 0 {
			x := f.pools[k.pool]
			x.givers = append(x.givers, giver{member: k.member, left: gone})
		}
	}
	for i, x := range f.pools {
		for _, t := range f.takes[i] {
			if need := f.net.carried(t.arc); need > 0 {
				x.needy = append(x.needy, taker{member: t.member, need: int32(need)})
			}
		}
	}
}
