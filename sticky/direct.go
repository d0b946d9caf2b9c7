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
			x.takers = x.takers[:0]
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
	givers            []int32 // those who have too many
	owned             []int32 // by pool and giver
	keep, take        []int32 // arcs, by pool and giver, and by taker of one pool after the other
}

func (b *block) newFlow(pools []*pool) *directFlow {
	f := &directFlow{block: b, pools: pools}
	f.source, f.must, f.may = f.net.node(), f.net.node(), f.net.node()
	node := make([]int32, len(b.g.Members)) // 0: stays as it is
	giver := make([]int32, len(b.g.Members))
	for _, m := range b.members {
		w := b.bands[m]
		switch {
		case b.own[m] > w.low:
			f.givers = append(f.givers, m)
			giver[m] = int32(len(f.givers))
		case b.own[m] < w.high:
			w.low -= b.own[m]
			w.high -= b.own[m]
		default:
			continue
		}
		node[m] = f.net.node()
		f.low += int(w.low)
		f.net.arc(node[m], f.must, int(w.low), 0)
		if w.high > w.low {
			f.net.arc(node[m], f.may, int(w.high-w.low), 0)
		}
	}
	f.owned = make([]int32, len(pools)*len(f.givers))
	f.keep = make([]int32, len(f.owned))
	for i, x := range pools {
		owned := f.owned[i*len(f.givers):][:len(f.givers)]
		supply := f.count(x, giver, owned)
		at := f.net.node()
		f.net.arc(f.source, at, supply, 0)
		f.supply += supply
		for j, m := range f.givers {
			if owned[j] > 0 {
				f.keep[i*len(f.givers)+j] = f.net.arc(at, node[m], int(owned[j]), 0)
			}
		}
		for _, m := range b.sets[i].readers {
			if b.own[m] < b.bands[m].high {
				x.takers = append(x.takers, m)
			}
		}
		b.order(x.takers, x.topics[0])
		first := len(f.take)
		f.take = append(f.take, x.takers...)
		for j := len(x.takers) - 1; j >= 0; j-- { // the arcs added last are tried first
			f.take[first+j] = f.net.arc(at, node[x.takers[j]], maxRoom, 0)
		}
	}
	return f
}

// count counts what givers have in a pool, and returns that with what nobody has.
func (f *directFlow) count(x *pool, giver, owned []int32) (supply int) {
	for _, t := range x.topics {
		topic := &f.g.Topics[t]
		if topic.Owners == nil {
			supply += int(topic.Partitions)
		}
		for _, m := range topic.Owners {
			switch {
			case m == assignor.None || !f.inside[m]:
				supply++
			case giver[m] > 0:
				owned[giver[m]-1]++
				supply++
			}
		}
	}
	return supply
}

// send tells whether everything finds its place.
func (f *directFlow) send() bool {
	return f.net.send(f.source, f.must) == f.low && f.low+f.net.send(f.source, f.may) == f.supply
}

// apply says who gives how many of which pool, and who takes how many.
func (f *directFlow) apply() {
	take := f.take
	for i, x := range f.pools {
		for j, m := range f.givers {
			at := i*len(f.givers) + j
			if f.owned[at] == 0 {
				continue
			}
			if gone := f.owned[at] - int32(f.net.carried(f.keep[at])); gone > 0 {
				x.givers = append(x.givers, giver{member: m, left: gone})
			}
		}
		for j, m := range x.takers {
			if need := f.net.carried(take[j]); need > 0 {
				x.needy = append(x.needy, taker{member: m, need: int32(need)})
			}
		}
		take = take[len(x.takers):]
	}
}
