package assignor

import (
	"cmp"
	"slices"
)

// None stands for nobody in Owners, Homes and the fields of a Move.
const None int32 = -1

// A Group is what a rebalance starts from. Strategies read it and must not
// change it: the same Group may be read by several goroutines at once.
type Group struct {
	Members []Member // sorted by Key, then ID
	Topics  []Topic  // sorted by Name; each has a subscriber and a partition count known this round
}

// A Member is one consumer of the group. Everywhere else it is named by its
// index in Group.Members.
type Member struct {
	// ID is the broker's name for it, new after every restart unless the
	// member is static.
	ID string
	// Key survives a restart: the Identity option, else the instance ID,
	// else the ID. Strategies place by Key only.
	Key string
	// Rack is client.rack (kgo.Rack), "" where none was given.
	Rack string
	// Weight is its share relative to the others', 1 unless it set one.
	Weight uint32
	// Endpoint is where it can be reached, "" unless it set one.
	Endpoint string
}

// A Topic is one topic of the group with what is known of each partition.
type Topic struct {
	Name       string
	Partitions int32
	// Subscribers are the members that read the topic, as ascending indexes
	// into Group.Members. Topics read by the same members share one slice,
	// so that work done for it can be kept by identity.
	Subscribers []int32
	// Owners holds, by partition, the subscriber that owned it, or None.
	// Nil stands for nobody anywhere.
	Owners []int32
	// Homes holds, by partition, the subscriber it should go back to, or None.
	// Nil: no homes are known, or the strategy is not Homing.
	Homes []int32
	// Warm holds, by partition, the subscribers that have it at hand,
	// ascending. Nil: nobody said so, or the strategy is not Homing.
	Warm [][]int32
	// Racks holds, by partition, the rack of its leader. Nil when no member
	// reported a rack.
	Racks []string
}

// Owner returns who owned partition p, or None.
func (t *Topic) Owner(p int32) int32 {
	if t.Owners == nil {
		return None
	}
	return t.Owners[p]
}

// Owned returns the present owners as a Plan, None where nobody owns a
// partition. Its rows are the Group's own Owners where there are any: read them
// only.
func (g *Group) Owned() Plan {
	p := make(Plan, len(g.Topics))
	for t := range g.Topics {
		topic := &g.Topics[t]
		if topic.Owners != nil {
			p[t] = topic.Owners
			continue
		}
		p[t] = nobody(topic.Partitions)
	}
	return p
}

// Partitions returns the number of partitions of all topics.
func (g *Group) Partitions() int {
	var n int
	for t := range g.Topics {
		n += int(g.Topics[t].Partitions)
	}
	return n
}

// A ReaderSet is topics that share their readers.
type ReaderSet struct {
	Readers []int32 // indexes into Group.Members, ascending
	Topics  []int   // indexes into Group.Topics, ascending
}

// ReaderSets groups the topics by the Subscribers slice that they share, those
// with the fewest readers first: a strategy can do once for each set what
// depends on the readers only, and place first what has fewer places to go.
func (g *Group) ReaderSets() []ReaderSet {
	var sets []ReaderSet
	var sizes []int
	var byFirst map[*int32]int       // nil: one set so far
	of := make([]int, len(g.Topics)) // by topic: its set
	for t := range g.Topics {
		readers := g.Topics[t].Subscribers
		if len(readers) == 0 {
			of[t] = -1 // not in a Balancer's Group
			continue
		}
		if t > 0 && sameSlice(readers, g.Topics[t-1].Subscribers) {
			of[t] = of[t-1]
			sizes[of[t]]++
			continue
		}
		if byFirst == nil && len(sets) == 1 {
			room := min(len(g.Topics), 128) // more are rare
			sets, sizes = slices.Grow(sets, room), slices.Grow(sizes, room)
			byFirst = make(map[*int32]int, room)
			byFirst[&sets[0].Readers[0]] = 0
		}
		i, ok := byFirst[&readers[0]]
		if !ok || len(sets[i].Readers) != len(readers) {
			i = len(sets)
			if byFirst != nil {
				byFirst[&readers[0]] = i
			}
			sets = append(sets, ReaderSet{Readers: readers})
			sizes = append(sizes, 0)
		}
		of[t] = i
		sizes[i]++
	}
	slab := make([]int, len(g.Topics))
	for i := range sets {
		sets[i].Topics, slab = slab[:0:sizes[i]], slab[sizes[i]:]
	}
	for t, i := range of {
		if i >= 0 {
			sets[i].Topics = append(sets[i].Topics, t)
		}
	}
	slices.SortStableFunc(sets, func(a, b ReaderSet) int { return cmp.Compare(len(a.Readers), len(b.Readers)) })
	return sets
}

// member returns the index of the first member with a key.
func (g *Group) member(key string) (index int, found bool) {
	return slices.BinarySearchFunc(g.Members, key, func(m Member, key string) int { return cmp.Compare(m.Key, key) })
}

// find returns, by member of another round, the index of the member with its key,
// or None. Both are sorted.
func (g *Group) find(members []Member) []int32 {
	found := make([]int32, len(members))
	at := 0
	for i := range members {
		for at < len(g.Members) && g.Members[at].Key < members[i].Key {
			at++
		}
		found[i] = None
		if at < len(g.Members) && g.Members[at].Key == members[i].Key {
			found[i] = int32(at)
		}
	}
	return found
}

// apart returns a Group whose Members and Topics can be reordered without
// reordering g's: for those who must not change g, and may.
func (g *Group) apart() *Group {
	return &Group{Members: slices.Clone(g.Members), Topics: slices.Clone(g.Topics)}
}

// Unchanged tells whether two groups have the same members, by key and weight,
// that read the same topics of the same sizes. A strategy that looks at nothing
// else, as hashing does, then has the same plan for both; its Update can begin
// with it.
func Unchanged(last, g *Group) bool {
	if len(last.Members) != len(g.Members) || len(last.Topics) != len(g.Topics) {
		return false
	}
	for i := range g.Members {
		if a, b := &last.Members[i], &g.Members[i]; a.Key != b.Key || a.Weight != b.Weight {
			return false
		}
	}
	var from, to []int32 // the latest that were found equal
	for t := range g.Topics {
		a, b := &last.Topics[t], &g.Topics[t]
		if a.Name != b.Name || a.Partitions != b.Partitions {
			return false
		}
		if t > 0 && sameSlice(a.Subscribers, from) && sameSlice(b.Subscribers, to) {
			continue
		}
		if from, to = a.Subscribers, b.Subscribers; !slices.Equal(from, to) {
			return false
		}
	}
	return true
}

func nobody(n int32) []int32 {
	row := make([]int32, n)
	for i := range row {
		row[i] = None
	}
	return row
}
