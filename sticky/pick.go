package sticky

import (
	"math/bits"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

// pick turns numbers into partitions: a giver gives those that score lowest with
// it, and each goes to the taker that it scores highest with; where there are
// many, the partition's hash picks.
func (d *dealer) pick() {
	for t := range d.topics {
		d.pickGiven(t)
		d.pickTaken(t)
	}
}

// pickGiven takes from the plan what givers give of a topic.
func (d *dealer) pickGiven(t int) {
	give := d.give[t*len(d.givers) : (t+1)*len(d.givers)]
	if !slices.ContainsFunc(give, func(n int32) bool { return n > 0 }) {
		return
	}
	topic := &d.g.Topics[d.topics[t]]
	row := d.plan[d.topics[t]]
	lowest := heap{d.scratch.ranked[:0]} // by giver and score
	for p, m := range row {
		if m == assignor.None || !d.has(topic, p) {
			continue
		}
		c := d.column[m]
		if c < 0 || int(c) >= d.first {
			continue
		}
		if e := d.giverOf(t, p, m, c); e >= 0 && give[e] > 0 {
			lowest.items = append(lowest.items, ranked{int64(e), int32(p), hash.Score(hash.Key(topic.Name, int32(p)), d.hashes()[m])})
		}
	}
	d.scratch.ranked = lowest.items
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
	hashed := d.scratch.hashed[:0]
	for _, w := range who {
		hashed = append(hashed, d.hashes()[d.takers[w].member])
	}
	d.scratch.hashed = hashed
	var keys []uint64
	if len(who) > 1 && total > len(row)/2 { // cheaper than one by one
		keys = slices.Grow(d.scratch.keys[:0], len(row))[:len(row)]
		d.scratch.keys = keys
		hash.Keys(keys, topic.Name, 0)
	}
	for p := range row {
		if row[p] != assignor.None || !d.has(topic, p) {
			continue
		}
		best := 0
		switch {
		case len(who) == 1: // whatever the hash
		case keys != nil:
			best = hash.Best(keys[p], hashed)
		default:
			best = hash.Best(hash.Key(topic.Name, int32(p)), hashed)
		}
		w := who[best]
		row[p] = d.takers[w].member
		if take[w]--; take[w] == 0 {
			who, hashed = slices.Delete(who, best, best+1), slices.Delete(hashed, best, best+1)
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
