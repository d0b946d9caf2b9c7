package assignor

import (
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

// homes is what a leader remembers of where partitions should go back to: hints
// for a strategy, which never cost balance or a move. The rules are those of
// docs/rebalance.md, step 3. It holds one number a partition of the group.
type homes struct {
	keys []string // of members, present or not
	met  []bool   // by key: it was there since this leader leads without a break
	came []bool   // by key: it came since
	had  []bool   // by key: it claimed something since
	ids  map[string]int32
	rows map[string][]int32 // by topic and partition: index into keys, None, or unknownHome

	of      *Group  // the group of the latest round,
	members []int32 // and its members' ids
}

// unknownHome marks a partition that had an owner which this leader never knew:
// it came to lead after that owner had left.
const unknownHome int32 = -2

func (h *homes) id(key string) int32 {
	id, ok := h.ids[key]
	if !ok {
		id = int32(len(h.keys))
		h.keys = append(h.keys, key)
		h.met, h.came, h.had = append(h.met, false), append(h.came, false), append(h.had, false)
		h.ids[key] = id
	}
	return id
}

// row returns a topic's homes for n partitions, nil where there are none and may
// be none.
func (h *homes) row(topic string, n int32, need bool) []int32 {
	row := h.rows[topic]
	if row == nil && !need {
		return nil
	}
	if int32(len(row)) != n {
		if h.rows == nil {
			h.rows = make(map[string][]int32)
		}
		resized := nobody(n)
		copy(resized, row)
		row = resized
		h.rows[topic] = row
	}
	return row
}

// findHomes brings the homes up to date with a round and fills Homes.
func (s *snapshot) findHomes(mem *memory, generation int32) {
	h := &mem.homes
	h.forget(s.group, s.missing)
	f := homeFinder{snapshot: s, mem: mem, known: mem.ledBefore(generation) || generation == 0 && mem.generation != 0}
	if !f.known && len(h.rows) == 0 && !slices.ContainsFunc(s.joiners, (*joiner).claims) {
		return // a fresh group
	}
	f.prepare()
	f.findUnseen()
	before := 0
	for t := range s.group.Topics {
		topic := &s.group.Topics[t]
		for before < len(mem.group.Topics) && mem.group.Topics[before].Name < topic.Name {
			before++
		}
		var last []int32 // what was given out in the round before
		if f.known && before < len(mem.group.Topics) && mem.group.Topics[before].Name == topic.Name {
			last = mem.after[before]
		}
		need := slices.ContainsFunc(last, f.lost) || !f.known && f.anyone && slices.Contains(topic.Owners, None)
		f.update(topic, h.row(topic.Name, topic.Partitions, need), last)
	}
	f.awaited()
}

// forget drops homes of topics that are gone, and names that nothing refers to
// any more.
func (h *homes) forget(g *Group, missing []string) {
	if len(h.rows) > len(g.Topics)+len(missing) {
		rows := make(map[string][]int32, len(g.Topics)+len(missing))
		keep := func(topic string) {
			if row, ok := h.rows[topic]; ok {
				rows[topic] = row
			}
		}
		for t := range g.Topics {
			keep(g.Topics[t].Name)
		}
		for _, topic := range missing {
			keep(topic)
		}
		h.rows = rows
	}
	if len(h.keys) <= 2*(g.Partitions()+len(g.Members))+16 {
		return
	}
	old := *h
	h.keys, h.met, h.came, h.had, h.ids, h.of = nil, nil, nil, nil, make(map[string]int32), nil
	keep := func(id int32) int32 {
		now := h.id(old.keys[id])
		h.met[now], h.came[now], h.had[now] = old.met[id], old.came[id], old.had[id]
		return now
	}
	for _, row := range h.rows {
		for p, id := range row {
			if id >= 0 {
				row[p] = keep(id)
			}
		}
	}
	for m := range g.Members {
		if id, ok := old.ids[g.Members[m].Key]; ok {
			keep(id)
		}
	}
}

// A homeFinder holds what the topics of one round have in common.
type homeFinder struct {
	*snapshot
	mem   *memory
	known bool // this leader led the round before

	id       []int32 // by member: its id in homes
	member   []int32 // by id: the member, or None
	claims   []bool  // by member: it claims something
	left     []int32 // by member of the round before: the id of its key if it left or came back with nothing, or None
	back     []bool  // by member of the round before: it is there and claims nothing
	some     bool    // some left
	anyone   bool    // somebody claims something: the group is not fresh
	arrived  []int32 // members that were not there before
	arrivals []uint64
}

// lost tells whether a member of the round before has lost what it was given.
func (f *homeFinder) lost(m int32) bool { return m != None && f.left[m] != None }

func (f *homeFinder) prepare() {
	h := &f.mem.homes
	var last []int32 // by member of the round before: its id
	if h.of == f.mem.group {
		last = h.members
	}
	if h.ids == nil {
		room := len(f.group.Members)*5/4 + 8 // some will join
		h.ids = make(map[string]int32, room)
		h.keys = make([]string, 0, room)
	}
	f.id = make([]int32, len(f.group.Members))
	f.claims = make([]bool, len(f.group.Members))
	if !f.known {
		clear(h.met) // others led, and who was there may have left under them
		clear(h.came)
		clear(h.had)
	}
	met := make([]bool, len(f.group.Members))
	for m := range f.group.Members {
		if was := f.before[m]; was != None && last != nil {
			f.id[m] = last[was]
		} else {
			f.id[m] = h.id(f.group.Members[m].Key)
		}
		met[m], h.met[f.id[m]] = h.met[f.id[m]], true
		f.claims[m] = f.joiners[m].claims()
		f.anyone = f.anyone || f.claims[m]
		h.had[f.id[m]] = h.had[f.id[m]] || f.claims[m]
	}
	h.of, h.members = f.group, f.id
	if f.known {
		f.left = nobody(int32(len(f.mem.group.Members)))
		f.back = make([]bool, len(f.mem.group.Members))
	}
	f.member = nobody(int32(len(h.keys)))
	for m, id := range f.id {
		f.member[id] = int32(m)
		// Whom this leader has met is not the one that left before it led, but
		// for who came since and has had nothing yet. Without a round before,
		// who claims nothing is taken to arrive now.
		if f.known && !met[m] || !f.claims[m] && (!f.known || h.came[id] && !h.had[id]) {
			f.arrived = append(f.arrived, int32(m))
			h.came[id] = true
			f.arrivals = append(f.arrivals, hash.Member(f.group.Members[m].Key))
		}
	}
	for m := range f.left {
		id := None
		if last != nil {
			id = last[m]
		} else {
			id = h.id(f.mem.group.Members[m].Key)
		}
		now := None
		if int(id) < len(f.member) {
			now = f.member[id]
		}
		if now == None || !f.claims[now] {
			f.left[m], f.back[m] = id, now != None
			f.some = true
		}
	}
	if f.some {
		f.forgetOlder()
	}
}

// forgetOlder finds who left the group with something it had and nothing on its
// way to it. That is its home when it comes back; what it had a longer time ago
// and did not get back since would only stand against it. Who leaves before it
// could take what it was to have, as in a crash loop, keeps its homes.
func (f *homeFinder) forgetOlder() {
	had := make([]bool, len(f.left))
	for _, row := range f.mem.after {
		for _, m := range row {
			if m != None {
				had[m] = true
			}
		}
	}
	for _, w := range f.mem.held {
		had[w.To] = true
	}
	for _, w := range f.mem.awaited {
		if !f.mem.given(w) {
			had[w.To] = false
		}
	}
	anew := make([]bool, len(f.mem.homes.keys)) // by id: what it left is its home from now on, and nothing else
	for m, id := range f.left {
		if id != None && had[m] {
			anew[id] = true
		}
	}
	for _, row := range f.mem.homes.rows {
		for p, id := range row {
			if id >= 0 && anew[id] {
				row[p] = None
			}
		}
	}
}

// findUnseen finds the homes of what members left behind in topics whose partitions
// were not known in the round before, or are not in this.
func (f *homeFinder) findUnseen() {
	if !f.some {
		return
	}
	leave := func(topic string, p, m int32) {
		id, ok := f.sets.ids[topic]
		if !ok || !f.lost(m) {
			return
		}
		n := f.largest(topic)
		if p >= n {
			return
		}
		if cl := f.snapshot.claims.at(partitionKey{id, p}); cl == nil || cl.member == None {
			f.mem.homes.row(topic, n, true)[p] = f.left[m]
		}
	}
	for t := range f.mem.group.Topics {
		if name := f.mem.group.Topics[t].Name; slices.Contains(f.missing, name) {
			for p, m := range f.mem.after[t] {
				leave(name, int32(p), m)
			}
		}
	}
	for _, h := range f.mem.held {
		leave(h.Topic, h.Partition, h.To)
	}
}

// update applies the rules to one topic and fills its Homes.
func (f *homeFinder) update(topic *Topic, row, last []int32) {
	for p := range row {
		owner := topic.Owners[p]
		switch {
		case owner != None && row[p] == f.id[owner]:
			row[p] = None // it is home
		case p < len(last) && f.lost(last[p]) && (owner == None || !f.back[last[p]]):
			row[p] = f.left[last[p]]
		case row[p] == unknownHome && owner != None && (!f.known || f.mem.homes.came[f.id[owner]]):
			row[p] = None // of somebody who left before others led, or home with who came
		case !f.known && f.anyone && owner == None && row[p] == None:
			row[p] = unknownHome
		}
		id := row[p]
		if id == unknownHome {
			id = f.deal(topic, int32(p))
		}
		if id >= 0 && int(id) < len(f.member) && f.member[id] != None {
			f.setHome(topic, int32(p), f.member[id])
		}
	}
}

// deal returns the id of the one of the members that just arrived that scores highest
// for a partition of an owner that this leader never knew, None if there is none:
// most likely it is one of them that came back. What it does not take is dealt
// again to those who arrive next.
func (f *homeFinder) deal(topic *Topic, p int32) int32 {
	best := None
	var score uint64
	k := hash.Key(topic.Name, p)
	for i, m := range f.arrived {
		if s := hash.Score(k, f.arrivals[i]); (best == None || s > score) && contains(topic.Subscribers, m) {
			best, score = m, s
		}
	}
	if best == None {
		return None
	}
	return f.id[best]
}

func (f *homeFinder) setHome(topic *Topic, p, m int32) {
	if !contains(topic.Subscribers, m) || topic.Owners[p] == m {
		return
	}
	if topic.Homes == nil {
		topic.Homes = nobody(topic.Partitions)
	}
	topic.Homes[p] = m
}

// awaited makes those home that a partition is on its way to.
func (f *homeFinder) awaited() {
	if !f.known {
		return
	}
	t := 0
	for _, w := range f.mem.awaited {
		for t < len(f.group.Topics) && f.group.Topics[t].Name < w.Topic {
			t++
		}
		if t == len(f.group.Topics) || f.group.Topics[t].Name != w.Topic || w.Partition >= f.group.Topics[t].Partitions {
			continue
		}
		if id, ok := f.mem.homes.ids[f.mem.group.Members[w.To].Key]; ok && int(id) < len(f.member) && f.member[id] != None {
			f.setHome(&f.group.Topics[t], w.Partition, f.member[id])
		}
	}
}
