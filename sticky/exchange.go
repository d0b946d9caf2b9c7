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
	// The gap of a topic never grows: one that comes first by an earlier gap is
	// looked at again.
	topics := heap{make([]ranked, 0, len(lines))}
	for t := range lines {
		lines[t] = line{giver: short{giving: true, topic: t}, taker: short{topic: t}}
		if gap, ok := d.gap(&lines[t]); ok {
			topics.items = append(topics.items, ranked{key: -gap, who: int32(t)})
		}
	}
	topics.init()
	for ; left > 0; left-- {
		best := -1
		for best < 0 && len(topics.items) > 0 {
			first := &topics.items[0]
			gap, ok := d.gap(&lines[first.who])
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
		giver, taker := x.giver.items[0].who, x.taker.items[0].who
		if y := &d.givers[giver]; y.left > 0 {
			y.left--
		} else {
			y.may = false
			d.spare--
		}
		d.give[best*len(d.givers)+int(giver)]++
		if d.left != nil {
			d.left[best*len(d.givers)+int(giver)]--
		}
		d.count[best*d.columns+int(d.givers[giver].column)]--
		d.hand(best, taker)
	}
}

// A line has, for one topic, the giver with the most and the taker with the
// fewest of it at hand.
type line struct{ giver, taker short }

// gap brings both up to date and returns their difference.
func (d *dealer) gap(x *line) (gap int64, ok bool) {
	if !d.head(&x.giver) || !d.head(&x.taker) {
		return 0, false
	}
	return -x.giver.items[0].key - x.taker.items[0].key, true
}

// A short list has those givers or takers of a topic that come first, in order.
// What changes makes them come later, never earlier: whoever is not in the list
// comes after the last one that was when it was made.
type short struct {
	giving bool
	topic  int
	items  []ranked
	room   [6]ranked
	last   ranked
	made   bool
	all    bool // nobody was left out
}

// head brings the first of a list up to date, and tells whether there is one.
func (d *dealer) head(s *short) bool {
	for {
		for len(s.items) > 0 {
			x := s.items[0]
			key, ok := d.rank(s, x.who)
			if ok && key == x.key {
				return true
			}
			s.items = s.items[1:]
			if x.key = key; ok && (s.all || !s.last.before(&x)) {
				s.insert(x)
			}
		}
		if s.made && s.all {
			return false
		}
		d.fill(s)
	}
}

// rank returns the place of a giver or taker in the order of a list, but for its
// score, and tells whether it can give or take at all.
func (d *dealer) rank(s *short, i int32) (key int64, ok bool) {
	if s.giving {
		ok = d.leftOf(s.topic, i) > 0 && d.gives(i)
		return -d.surplus(s.topic, int(d.givers[i].column)), ok
	}
	return d.surplus(s.topic, d.first+int(i)), d.takes(i)
}

// fill makes a list anew.
func (d *dealer) fill(s *short) {
	key := d.topicKey(d.topics[s.topic])
	s.items, s.made, s.all = s.room[:0], true, true
	n := len(d.takers)
	if s.giving {
		n = len(d.givers)
	}
	for i := range int32(n) {
		x := ranked{who: i}
		var ok bool
		if x.key, ok = d.rank(s, i); !ok {
			continue
		}
		full := len(s.items) == len(s.room)
		if full {
			s.all = false
			if x.key > s.items[len(s.items)-1].key {
				continue
			}
		}
		if s.giving {
			x.score = hash.Score(key, d.hashed[d.givers[i].member])
		} else {
			x.score = ^hash.Score(key, d.hashed[d.takers[i].member])
		}
		if full {
			if !x.before(&s.items[len(s.items)-1]) {
				continue
			}
			s.items = s.items[:len(s.items)-1]
		}
		s.insert(x)
	}
	if len(s.items) > 0 {
		s.last = s.items[len(s.items)-1]
	}
}

// insert puts an item where it belongs. There is room for it.
func (s *short) insert(x ranked) {
	if cap(s.items) == len(s.items) { // the front was taken off
		s.items = append(s.room[:0], s.items...)
	}
	s.items = append(s.items, x)
	for i := len(s.items) - 1; i > 0 && s.items[i].before(&s.items[i-1]); i-- {
		s.items[i], s.items[i-1] = s.items[i-1], s.items[i]
	}
}
