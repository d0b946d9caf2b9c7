package sticky

import (
	"math/bits"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

// A dealer takes partitions of a pool from givers and hands them, with those that
// nobody has, to takers. How many each gives and takes is decided; what is left
// open is which, and it spreads each topic over the members, then goes by score.
//
// It first decides on numbers by topic and member, then on partitions.
type dealer struct {
	*planner
	*pool
	givers []giver
	takers []taker
	spare  int // how many of the givers or takers that may give or take one more do

	columns int     // columns of count
	column  []int32 // by member: its column in count, or -1; takers' are the last
	first   int     // of takers' columns
	count   []int32 // by topic (an index into topics) and column: what the member has
	entry   []int32 // by column and worth: the giver, or -1
	left    []int32 // by topic and giver: what it can give
	give    []int32 // by topic and giver: what it gives
	free    []int32 // by topic: partitions that nobody has
	take    []int32 // by topic and taker: what it gets

	scratch scratch
}

// scratch is room that is used again for every topic.
type scratch struct {
	slab, level, best, who, places []int32
	hashed                         []uint64
	lowest                         []ranked
}

// giver is a member that gives partitions. Where homes or warm lists decided
// that, it gives those of one worth only, and there may be several for a member.
type giver struct {
	member int32
	worth  worth
	left   int32 // what it is still to give
	may    bool  // it may give one more
	column int32
}

type taker struct {
	member int32
	need   int32 // what it is still to get
	may    bool  // it may get one more
}

// deal deals what is decided on in a pool. With hints it goes by what partitions
// are worth to givers.
func (p *planner) deal(x *pool, hints bool) {
	if len(x.needy) == 0 {
		return
	}
	if p.dealer == nil {
		p.dealer = &dealer{planner: p, column: slices.Repeat([]int32{-1}, len(p.g.Members))}
	}
	d := p.dealer
	d.pool, d.givers, d.takers, d.spare = x, x.givers, x.needy, x.spare
	d.tally(hints)
	defer d.forget()
	before := d.remember()
	for t := range d.topics {
		d.dealFree(t)
	}
	d.exchange()
	if before != nil && d.uneven() {
		d.spread(before)
	}
	d.pick(hints)
}

// gives and takes tell whether a giver or taker has not had its share yet.
func (d *dealer) gives(i int32) bool {
	return d.givers[i].left > 0 || d.givers[i].may && d.spare > 0
}

func (d *dealer) takes(i int32) bool {
	return d.takers[i].need > 0 || d.takers[i].may && d.spare > 0
}

// tally counts what givers and takers have of each topic.
func (d *dealer) tally(hints bool) {
	g, n, topics := len(d.givers), len(d.takers), len(d.topics)
	d.scratch.slab = slices.Grow(d.scratch.slab[:0], g*worths+topics*(3*g+2*n+1))
	slab := d.scratch.slab[:cap(d.scratch.slab)]
	clear(slab)
	cut := func(size int) []int32 {
		part := slab[:size:size]
		slab = slab[size:]
		return part
	}
	d.entry = cut(g * worths)
	for i := range d.entry {
		d.entry[i] = -1
	}
	d.first = 0
	for i := range d.givers {
		giver := &d.givers[i]
		c := &d.column[giver.member]
		if *c < 0 {
			*c = int32(d.first)
			d.first++
		}
		giver.column = *c
		d.entry[int(*c)*worths+int(giver.worth)] = int32(i)
	}
	d.columns = d.first + n
	for i := range d.takers {
		d.column[d.takers[i].member] = int32(d.first + i)
	}
	d.count, d.free = cut(topics*d.columns), cut(topics)
	d.give, d.take = cut(topics*g), cut(topics*n)
	d.left = cut(topics * g)
	for t, topic := range d.topics {
		row := d.count[t*d.columns : (t+1)*d.columns]
		for p, m := range d.plan[topic] {
			if d.racked && !d.has(&d.g.Topics[topic], p) {
				continue
			}
			if m == assignor.None {
				d.free[t]++
			} else if c := d.column[m]; c >= 0 {
				row[c]++
				if hints && int(c) < d.first {
					if e := d.giverOf(t, p, m, c, hints); e >= 0 {
						d.left[t*g+int(e)]++
					}
				}
			}
		}
	}
	if !hints {
		// A column has one giver, which may give any.
		for t := range d.topics {
			copy(d.left[t*g:], d.count[t*d.columns:][:g])
		}
	}
}

// forget makes the columns ready for another pool.
func (d *dealer) forget() {
	for i := range d.givers {
		d.column[d.givers[i].member] = -1
	}
	for i := range d.takers {
		d.column[d.takers[i].member] = -1
	}
}

// giverOf returns the giver that may give partition p of the t-th topic, which is
// its member's, or -1.
func (d *dealer) giverOf(t, p int, m, column int32, hints bool) int32 {
	if !hints {
		return d.entry[column*worths]
	}
	topic := d.topics[t]
	if d.pinned[[2]int32{int32(topic), int32(p)}] {
		return -1
	}
	return d.entry[column*worths+int32(worthOf(&d.g.Topics[topic], p, m))]
}

// dealFree hands the free partitions of a topic to those with the fewest of it;
// of these, to those that need most, so that nobody is full before its turn
// comes; of these, by score.
func (d *dealer) dealFree(t int) {
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
	lines := make([]line, len(d.topics))
	room := make([]ranked, len(d.topics)*(len(d.givers)+len(d.takers)))
	for t := range lines {
		lines[t].givers.items, room = room[:0:len(d.givers)], room[len(d.givers):]
		lines[t].takers.items, room = room[:0:len(d.takers)], room[len(d.takers):]
		lines[t].start(d, t)
	}
	for ; left > 0; left-- {
		best, most := -1, int32(0)
		for t := range lines {
			if gap, ok := lines[t].gap(d, t); ok && (best < 0 || gap > most) {
				best, most = t, gap
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
	row := d.count[t*d.columns : (t+1)*d.columns]
	for i := range d.givers {
		if d.left[t*len(d.givers)+i] > 0 && d.gives(int32(i)) {
			x.givers.items = append(x.givers.items, ranked{-row[d.givers[i].column], int32(i), hash.Score(key, d.hashes()[d.givers[i].member])})
		}
	}
	for i := range d.takers {
		if d.takes(int32(i)) {
			x.takers.items = append(x.takers.items, ranked{row[d.first+i], int32(i), ^hash.Score(key, d.hashes()[d.takers[i].member])})
		}
	}
	x.givers.init()
	x.takers.init()
}

// gap brings both heaps up to date and returns the difference of their first.
func (x *line) gap(d *dealer, t int) (gap int32, ok bool) {
	row := d.count[t*d.columns : (t+1)*d.columns]
	for {
		if len(x.givers.items) == 0 {
			return 0, false
		}
		first := &x.givers.items[0]
		n := row[d.givers[first.who].column]
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
		n := row[d.first+int(first.who)]
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

// A heap has the lowest key first, then the lowest score.
type heap struct{ items []ranked }

type ranked struct {
	key, who int32
	score    uint64
}

func (a *ranked) before(b *ranked) bool {
	if a.key != b.key {
		return a.key < b.key
	}
	if a.score != b.score {
		return a.score < b.score
	}
	return a.who < b.who
}

func (h *heap) init() {
	for i := len(h.items)/2 - 1; i >= 0; i-- {
		h.sink(i)
	}
}

func (h *heap) drop() {
	last := len(h.items) - 1
	h.items[0] = h.items[last]
	h.items = h.items[:last]
	h.sink(0)
}

func (h *heap) sink(i int) {
	for {
		low := i
		for c := 2*i + 1; c <= 2*i+2 && c < len(h.items); c++ {
			if h.items[c].before(&h.items[low]) {
				low = c
			}
		}
		if low == i {
			return
		}
		h.items[i], h.items[low] = h.items[low], h.items[i]
		i = low
	}
}

// pick turns numbers into partitions: a giver gives those that score lowest with
// it, and each goes to the taker that it scores highest with; where there are
// many, the partition's hash picks.
func (d *dealer) pick(hints bool) {
	for t := range d.topics {
		d.pickGiven(t, hints)
		d.pickTaken(t)
	}
}

// pickGiven takes from the plan what givers give of a topic.
func (d *dealer) pickGiven(t int, hints bool) {
	give := d.give[t*len(d.givers) : (t+1)*len(d.givers)]
	if !slices.ContainsFunc(give, func(n int32) bool { return n > 0 }) {
		return
	}
	topic := &d.g.Topics[d.topics[t]]
	row := d.plan[d.topics[t]]
	lowest := heap{d.scratch.lowest[:0]} // by giver and score
	for p, m := range row {
		if m == assignor.None || !d.has(topic, p) {
			continue
		}
		c := d.column[m]
		if c < 0 || int(c) >= d.first {
			continue
		}
		if e := d.giverOf(t, p, m, c, hints); e >= 0 && give[e] > 0 {
			lowest.items = append(lowest.items, ranked{e, int32(p), hash.Score(hash.Key(topic.Name, int32(p)), d.hashes()[m])})
		}
	}
	d.scratch.lowest = lowest.items
	lowest.init()
	for len(lowest.items) > 0 {
		if x := lowest.items[0]; give[x.key] > 0 {
			give[x.key]--
			row[x.who] = assignor.None
		}
		lowest.drop()
	}
}

// few is up to how many pairs of partition and taker are scored for a topic.
const few = 4096

// pickTaken hands the partitions of a topic that nobody has to takers.
func (d *dealer) pickTaken(t int) {
	take := d.take[t*len(d.takers) : (t+1)*len(d.takers)]
	who := d.scratch.who[:0]
	total := 0
	for i, n := range take {
		if n > 0 {
			who = append(who, int32(i))
			total += int(n)
		}
	}
	d.scratch.who = who
	if total == 0 {
		return
	}
	topic, row := &d.g.Topics[d.topics[t]], d.plan[d.topics[t]]
	if len(who)*total > few {
		d.pickMany(topic, row, take, who, total)
		return
	}
	for p := range row {
		if row[p] != assignor.None || !d.has(topic, p) {
			continue
		}
		key := hash.Key(topic.Name, int32(p))
		best, high := 0, uint64(0)
		for i, w := range who {
			if s := hash.Score(key, d.hashes()[d.takers[w].member]); i == 0 || s > high {
				best, high = i, s
			}
		}
		w := who[best]
		row[p] = d.takers[w].member
		if take[w]--; take[w] == 0 {
			who = append(who[:best], who[best+1:]...)
		}
	}
}

// pickMany has each partition's hash pick one of the places that are left.
func (d *dealer) pickMany(topic *assignor.Topic, row, take, who []int32, total int) {
	places := slices.Grow(d.scratch.places[:0], total)
	d.scratch.places = places
	for _, w := range who {
		for range take[w] {
			places = append(places, d.takers[w].member)
		}
	}
	var keys [64]uint64
	for first := 0; first < len(row); first += len(keys) {
		part := row[first:min(first+len(keys), len(row))]
		hash.Keys(keys[:len(part)], topic.Name, int32(first))
		for i := range part {
			if part[i] != assignor.None || !d.has(topic, first+i) {
				continue
			}
			at, _ := bits.Mul64(keys[i], uint64(len(places)))
			last := len(places) - 1
			part[i] = places[at]
			places[at] = places[last]
			places = places[:last]
		}
	}
}
