package sticky

import (
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

// exchange has givers give and takers take, one partition after the other, each
// time of the topic in which the giver with the most and the taker with the
// fewest differ most.
func (d *dealer) exchange() {
	left := int32(0)
	for i := range d.takers {
		left += d.takers[i].need
	}
	if len(d.givers) == 0 || left == 0 && d.spare == 0 {
		return
	}
	if slices.ContainsFunc(d.takers, func(x taker) bool { return x.may }) {
		left += int32(d.spare)
	}
	d.hashes() // fills hashed
	lines := make([]line, len(d.topics))
	room := make([]ranked, len(d.topics)*(len(d.givers)+len(d.takers)))
	for t := range lines {
		lines[t].givers.items, room = room[:0:len(d.givers)], room[len(d.givers):]
		lines[t].takers.items, room = room[:0:len(d.takers)], room[len(d.takers):]
		lines[t].start(d, t)
	}
	// The gap of a topic never grows: one that comes first by an earlier gap is
	// looked at again.
	topics := heap{make([]ranked, 0, len(lines))}
	for t := range lines {
		if gap, ok := lines[t].gap(d, t); ok {
			topics.items = append(topics.items, ranked{key: -gap, who: int32(t)})
		}
	}
	topics.init()
	for ; left > 0; left-- {
		best := -1
		for best < 0 && len(topics.items) > 0 {
			first := &topics.items[0]
			gap, ok := lines[first.who].gap(d, int(first.who))
			switch {
			case !ok:
				topics.drop()
			case first.key != -gap:
				first.key = -gap
				topics.sink(0)
			default:
				best = int(first.who)
			}
		}
		if best < 0 {
			panic("sticky: nobody needs a partition that somebody gives")
		}
		x := &lines[best]
		giver, taker := x.givers.items[0].who, x.takers.items[0].who
		if y := &d.givers[giver]; y.left > 0 {
			y.left--
		} else {
			y.may = false
			d.spare--
		}
		d.give[best*len(d.givers)+int(giver)]++
		d.left[best*len(d.givers)+int(giver)]--
		d.count[best*d.columns+int(d.givers[giver].column)]--
		d.hand(best, taker)
	}
}

// A line has, for one topic, the giver with the most and the taker with the
// fewest of it at hand.
type line struct{ givers, takers heap }

func (x *line) start(d *dealer, t int) {
	key := d.topicKey(d.topics[t])
	left := d.left[t*len(d.givers) : (t+1)*len(d.givers)]
	for i := range d.givers {
		if left[i] > 0 && d.gives(int32(i)) {
			g := &d.givers[i]
			x.givers.items = append(x.givers.items, ranked{-d.surplus(t, int(g.column)), int32(i), hash.Score(key, d.hashed[g.member])})
		}
	}
	for i := range d.takers {
		if d.takes(int32(i)) {
			x.takers.items = append(x.takers.items, ranked{d.surplus(t, d.first+i), int32(i), ^hash.Score(key, d.hashed[d.takers[i].member])})
		}
	}
	x.givers.init()
	x.takers.init()
}

// gap brings both heaps up to date and returns the difference of their first.
func (x *line) gap(d *dealer, t int) (gap int64, ok bool) {
	for {
		if len(x.givers.items) == 0 {
			return 0, false
		}
		first := &x.givers.items[0]
		n := d.surplus(t, int(d.givers[first.who].column))
		if !d.gives(first.who) || d.left[t*len(d.givers)+int(first.who)] == 0 {
			x.givers.drop()
		} else if first.key != -n {
			first.key = -n
			x.givers.sink(0)
		} else {
			break
		}
	}
	for {
		if len(x.takers.items) == 0 {
			return 0, false
		}
		first := &x.takers.items[0]
		n := d.surplus(t, d.first+int(first.who))
		if !d.takes(first.who) {
			x.takers.drop()
		} else if first.key != n {
			first.key = n
			x.takers.sink(0)
		} else {
			break
		}
	}
	return -x.givers.items[0].key - x.takers.items[0].key, true
}
