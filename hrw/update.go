package hrw

import (
	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

// Update returns Assign(g) from an earlier result: only partitions whose owner
// left are scored for everybody, and all others against the subscribers that
// came. Nothing changed costs nothing. With a LoadBound or Slots anything else
// is a new Assign: under a bound one partition's place depends on all others',
// and with Slots it is cheap.
func (st Strategy) Update(last *assignor.Group, plan assignor.Plan, g *assignor.Group) assignor.Plan {
	if st.LoadBound != 0 || st.Slots {
		if assignor.Unchanged(last, g) {
			return plan
		}
		return st.Assign(g)
	}
	u := updater{scorer: scorer{g: g}, last: last, now: match(last.Members, g.Members)}
	p := make(assignor.Plan, len(g.Topics))
	before := 0
	for t := range g.Topics {
		for before < len(last.Topics) && last.Topics[before].Name < g.Topics[t].Name {
			before++
		}
		if before < len(last.Topics) && last.Topics[before].Name == g.Topics[t].Name {
			p[t] = u.update(before, plan[before], t)
		} else {
			p[t] = u.assign(t)
		}
	}
	return p
}

// match returns, for each member of last, the index of the member of now with
// the same key and weight, or None. Both are sorted by key, and so the result
// ascends. One whose weight changed is placed as one that left and one that
// came.
func match(last, now []assignor.Member) []int32 {
	to := make([]int32, len(last))
	n := 0
	for i := range last {
		for n < len(now) && now[n].Key < last[i].Key {
			n++
		}
		to[i] = assignor.None
		if n < len(now) && now[n].Key == last[i].Key {
			if now[n].Weight == last[i].Weight {
				to[i] = int32(n)
			}
			n++
		}
	}
	return to
}

type updater struct {
	scorer
	last *assignor.Group
	now  []int32 // by member of last: its index now, or None

	// What follows holds for topics whose subscribers changed from the first
	// slice to the second.
	from, to []int32
	stays    []int32  // by member of last: its index now if it still subscribes, or None
	joined   readers  // subscribers that are new
	staying  []uint64 // by member of last that stays: its hash; made when needed
	same     bool     // nobody came, nobody left, all indexes are as they were
}

// change works out how a topic's subscribers changed.
func (u *updater) change(from, to []int32) {
	if u.stays != nil && sameSlice(u.from, from) && sameSlice(u.to, to) {
		return
	}
	u.from, u.to, u.staying = from, to, nil
	u.stays, u.same = nobody(len(u.last.Members)), len(from) == len(to)
	var joined []int32
	n := 0
	for _, m := range from {
		now := u.now[m]
		if now == assignor.None {
			continue
		}
		for ; n < len(to) && to[n] < now; n++ {
			joined = append(joined, to[n])
		}
		if n < len(to) && to[n] == now {
			u.stays[m] = now
			u.same = u.same && now == m
			n++
		}
	}
	joined = append(joined, to[n:]...)
	u.same = u.same && len(joined) == 0
	u.joined = newReaders(u.g, joined)
}

// stayingHashes returns the hashes of the members of last that stay.
func (u *updater) stayingHashes() []uint64 {
	if u.staying == nil {
		u.staying = make([]uint64, len(u.stays))
		for m, now := range u.stays {
			if now != assignor.None {
				u.staying[m] = hash.Member(u.g.Members[now].Key)
			}
		}
	}
	return u.staying
}

// update returns the owners of topic t, whose owners were those given when it
// was topic before of the last group.
func (u *updater) update(before int, owners []int32, t int) []int32 {
	topic := &u.g.Topics[t]
	u.change(u.last.Topics[before].Subscribers, topic.Subscribers)
	if u.same && len(owners) == int(topic.Partitions) {
		return owners
	}
	now := make([]int32, topic.Partitions)
	known := min(len(owners), len(now))
	if len(u.joined.members) > 0 {
		u.join(topic, owners[:known], now)
	} else {
		for p, m := range owners[:known] {
			now[p] = u.stays[m]
		}
	}
	for p := range now {
		if p >= known || now[p] == assignor.None {
			now[p] = u.readers(topic.Subscribers).best(hash.Key(topic.Name, int32(p)))
		}
	}
	return now
}

// join fills in, for partitions whose owner stays, the better of it and the
// best of those that joined, and None for the others.
func (u *updater) join(topic *assignor.Topic, owners, now []int32) {
	keys := u.keysOf(topic)
	staying := u.stayingHashes()
	for p, m := range owners {
		stays := u.stays[m]
		now[p] = stays
		if stays == assignor.None {
			continue
		}
		i := u.joined.bestIndex(keys[p])
		joined := u.joined.members[i]
		mine := hash.Weighted{Score: hash.Score(keys[p], staying[m]), Weight: weightOf(u.g, stays)}
		theirs := hash.Weighted{Score: hash.Score(keys[p], u.joined.hashes[i]), Weight: weightOf(u.g, joined)}
		if theirs.Better(mine) || joined < stays && !mine.Better(theirs) {
			now[p] = joined
		}
	}
}

func nobody(n int) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = assignor.None
	}
	return s
}
