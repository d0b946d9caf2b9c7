package sticky

import "github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"

// dealFree hands the free partitions of a topic to those with the fewest of it;
// of these, to those that need most, so that nobody is full before its turn
// comes; of these, by score.
func (d *dealer) dealFree(t int) {
	if d.weighted {
		d.dealWeighted(t)
		return
	}
	has := d.count[t*d.columns+d.first:][:len(d.takers)]
	var level []int32 // takers with the fewest
	for left := int(d.free[t]); left > 0; {
		level = d.scratch.level[:0]
		for i := range int32(len(d.takers)) {
			switch {
			case !d.takes(i):
			case len(level) == 0 || has[i] < has[level[0]]:
				level = append(level[:0], i)
			case has[i] == has[level[0]]:
				level = append(level, i)
			}
		}
		if len(level) == 0 {
			panic("sticky: nobody needs a partition that nobody has")
		}
		d.scratch.level = level
		for len(level) > 0 && left > 0 {
			neediest := d.neediest(level)
			n := min(left, len(neediest))
			if d.takers[neediest[0]].need == 0 {
				n = min(n, d.spare)
			}
			if n < len(neediest) {
				d.handBest(t, neediest, n)
			} else {
				for _, i := range neediest {
					d.hand(t, i)
				}
			}
			left -= n
			level = level[len(neediest):]
		}
	}
}

// dealWeighted is dealFree where members' shares differ: each partition goes to
// who is furthest below its share of the topic, of these by score.
func (d *dealer) dealWeighted(t int) {
	if d.free[t] == 0 {
		return
	}
	key := d.topicKey(d.topics[t])
	below := heap{d.scratch.ranked[:0]}
	for i := range d.takers {
		if d.takes(int32(i)) {
			below.items = append(below.items, ranked{d.surplus(t, d.first+i), int32(i), ^hash.Score(key, d.hashes()[d.takers[i].member])})
		}
	}
	d.scratch.ranked = below.items
	below.init()
	for left := d.free[t]; left > 0; {
		first := below.items[0].who
		if !d.takes(first) {
			below.drop()
			continue
		}
		d.hand(t, first)
		left--
		below.items[0].key = d.surplus(t, d.first+int(first))
		below.sink(0)
	}
}

// surplus says how much of a topic the member of a column has: how many or, where
// shares differ, how far above its share, in units that are the same for all.
func (d *dealer) surplus(t, column int) int64 {
	n := int64(d.count[t*d.columns+column])
	if !d.weighted {
		return n
	}
	return n*d.partitions - d.load[column]*int64(d.g.Topics[d.topics[t]].Partitions)
}

// neediest moves those takers to the front that need most, and returns them.
func (d *dealer) neediest(level []int32) []int32 {
	most := int32(0)
	for _, i := range level {
		most = max(most, d.takers[i].need)
	}
	n := 0
	for j, i := range level {
		if d.takers[i].need == most {
			level[n], level[j] = i, level[n]
			n++
		}
	}
	return level[:n]
}

func (d *dealer) hand(t int, taker int32) {
	if x := &d.takers[taker]; x.need > 0 {
		x.need--
	} else {
		x.may = false
		d.spare--
	}
	d.take[t*len(d.takers)+int(taker)]++
	d.count[t*d.columns+d.first+int(taker)]++
}

// handBest hands one partition each to the best n by score.
func (d *dealer) handBest(t int, among []int32, n int) {
	hashed := d.scratch.hashed[:0]
	for _, taker := range among {
		hashed = append(hashed, d.hashes()[d.takers[taker].member])
	}
	d.scratch.hashed = hashed
	d.scratch.best = hash.Top(d.scratch.best[:0], d.topicKey(d.topics[t]), hashed, n)
	for _, i := range d.scratch.best {
		d.hand(t, among[i])
	}
}
