package sticky

import (
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
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
	spare  int  // how many of the givers or takers that may give or take one more do
	hints  bool // givers give by what partitions are worth to them

	columns int     // columns of count
	column  []int32 // by member: its column in count, or -1; takers' are the last
	first   int     // of takers' columns
	count   []int32 // by topic (an index into topics) and column: what the member has
	entry   []int32 // by column and worth: the giver, or -1
	left    []int32 // by topic and giver: what it can give; nil: all that its column has
	give    []int32 // by topic and giver: what it gives
	free    []int32 // by topic: partitions that nobody has
	take    []int32 // by topic and taker: what it gets

	// Where weights differ: what each column is to have in the end of all
	// topics, and what there is of all topics.
	load       []int64
	partitions int64

	scratch scratch
}

// scratch is room that is used again for every topic.
type scratch struct {
	slab, level, best, who, places []int32
	hashed, keys                   []uint64
	ranked                         []ranked
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
	d.begin(x, hints)
	defer d.forget()
	if len(d.topics) == 1 && d.spare == 0 {
		d.dealOne()
	} else {
		d.dealAll()
	}
	d.pick()
}

// dealOne deals a single topic, where numbers leave no choice.
func (d *dealer) dealOne() {
	for i, x := range d.givers {
		d.give[i] = x.left
	}
	for i, x := range d.takers {
		d.take[i] = x.need
	}
}

// dealAll deals topics one after the other.
func (d *dealer) dealAll() {
	spreads := d.spreads()
	for t := range d.topics {
		d.dealFree(t)
	}
	d.exchange()
	if spreads && d.uneven() {
		d.begin(d.pool, d.hints)
		d.spread()
	}
}

// begin makes ready for a pool.
func (d *dealer) begin(x *pool, hints bool) {
	d.pool, d.spare, d.hints = x, x.spare, hints
	d.givers = append(d.givers[:0], x.givers...)
	d.takers = append(d.takers[:0], x.needy...)
	for i := range d.givers {
		d.column[d.givers[i].member] = -1
	}
	d.tally()
}

// gives and takes tell whether a giver or taker has not had its share yet.
func (d *dealer) gives(i int32) bool {
	return d.givers[i].left > 0 || d.givers[i].may && d.spare > 0
}

func (d *dealer) takes(i int32) bool {
	return d.takers[i].need > 0 || d.takers[i].may && d.spare > 0
}

// tally counts what givers and takers have of each topic.
func (d *dealer) tally() {
	g, n, topics := len(d.givers), len(d.takers), len(d.topics)
	size := g*worths + topics*(2*g+2*n+1)
	if d.hints {
		size += topics * g
	}
	slab := slices.Grow(d.scratch.slab[:0], size)[:size]
	d.scratch.slab = slab
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
	d.left = nil
	if d.hints {
		d.left = cut(topics * g)
	}
	for t, topic := range d.topics {
		row := d.count[t*d.columns : (t+1)*d.columns]
		for p, m := range d.plan[topic] {
			if !d.has(&d.g.Topics[topic], p) {
				continue
			}
			if m == assignor.None {
				d.free[t]++
			} else if c := d.column[m]; c >= 0 {
				row[c]++
				if d.hints && int(c) < d.first {
					if e := d.giverOf(t, p, m, c); e >= 0 {
						d.left[t*g+int(e)]++
					}
				}
			}
		}
	}
	if d.weighted {
		d.weigh()
	}
}

// weigh sets load and partitions.
func (d *dealer) weigh() {
	d.load, d.partitions = make([]int64, d.columns), 0
	for t, topic := range d.topics {
		d.partitions += int64(d.g.Topics[topic].Partitions)
		for c := range d.load {
			d.load[c] += int64(d.count[t*d.columns+c])
		}
	}
	for _, x := range d.givers {
		d.load[x.column] -= int64(x.left)
	}
	for i, x := range d.takers {
		d.load[d.first+i] += int64(x.need)
	}
}

// leftOf returns what a giver can give of a topic. Without hints a column has one
// giver, which may give any.
func (d *dealer) leftOf(t int, i int32) int32 {
	if d.left == nil {
		return d.count[t*d.columns+int(d.givers[i].column)]
	}
	return d.left[t*len(d.givers)+int(i)]
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
func (d *dealer) giverOf(t, p int, m, column int32) int32 {
	if !d.hints {
		return d.entry[column*worths]
	}
	topic := d.topics[t]
	if d.pinned[[2]int32{int32(topic), int32(p)}] {
		return -1
	}
	return d.entry[column*worths+int32(worthOf(&d.g.Topics[topic], p, m))]
}
