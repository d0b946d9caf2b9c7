package roll

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

// A Group is a consumer group whose members all read the same topics.
// Partitions are numbered through, topic by topic.
type Group struct {
	subject Subject
	ids     *rand.Rand
	// shuffle, if set, changes the order of members and of each member's
	// topics in every round.
	shuffle *rand.Rand

	topics []string         // ascending
	counts map[string]int32 // partitions by topic
	first  map[string]int   // by topic: number of its partition 0

	generation int32
	standing   []*member // in the order in which they joined; the first leads
	listed     []*member // in kgo's order
	byID       map[string]*member
	owner      []*member // by partition, nil for nobody
	failed     error     // what a balancer reported

	moves
	changes
}

// A member is one process of a consumer, from its start to its end.
type member struct {
	name       string
	id         string
	balancer   kgo.GroupBalancer
	generation int32 // the one it was last in; -1 before the first
	gone       bool

	assignment []byte // the latest, as it was sent
	owned      lead.Owned
	has        []int // owned, as numbers
}

// NewGroup returns a group without members that is to read the given topics.
// The seed draws what a broker would: member IDs.
func NewGroup(s Subject, counts map[string]int32, seed uint64) *Group {
	g := &Group{
		subject: s,
		ids:     rand.New(rand.NewPCG(seed, 1)),
		topics:  slices.Sorted(maps.Keys(counts)),
		counts:  maps.Clone(counts),
		first:   make(map[string]int, len(counts)),
		byID:    make(map[string]*member),
	}
	n := 0
	for _, t := range g.topics {
		g.first[t] = n
		n += int(counts[t])
	}
	g.owner = make([]*member, n)
	g.moves = newMoves(n)
	g.changes = changes{assigned: make([]int32, n)}
	return g
}

// Join has members join in one rebalance and plays it to its end.
//
// It fails if ever a partition is assigned to a member while another claims it,
// if a partition moves twice or is taken from a member that gets it back, if
// more than two rounds change anything, if in the end a partition has no owner,
// or if the Subject breaks a promise. A Group that failed is of no further use.
func (g *Group) Join(names ...string) (Event, error) {
	return g.play("join", names, g.admit)
}

// Leave has members leave in one rebalance, and is like Join otherwise. Where
// nobody is left there is no rebalance.
func (g *Group) Leave(names ...string) (Event, error) {
	return g.play("leave", names, g.dismiss)
}

// Rebalance plays a rebalance that no member brought, as a client's look at the
// topics' metadata can.
func (g *Group) Rebalance() (Event, error) {
	return g.play("rebalance", nil, nil)
}

// Owned returns who owns what, by the members' names: read it only.
func (g *Group) Owned() map[string]lead.Owned {
	owned := make(map[string]lead.Owned, len(g.standing))
	for _, m := range g.standing {
		owned[m.name] = m.owned
	}
	return owned
}

// Names returns the members in the order in which they joined; the first leads.
func (g *Group) Names() []string {
	names := make([]string, len(g.standing))
	for i, m := range g.standing {
		names[i] = m.name
	}
	return names
}

func (g *Group) member(name string) *member {
	i := slices.IndexFunc(g.standing, func(m *member) bool { return m.name == name })
	if i < 0 {
		return nil
	}
	return g.standing[i]
}

func (g *Group) admit(name string) error {
	if g.member(name) != nil {
		return fmt.Errorf("%s is in the group already", name)
	}
	b, err := g.subject.New(name, func(err error) { g.failed = cmp.Or(g.failed, err) })
	if err != nil {
		return err
	}
	m := &member{name: name, id: g.newID(), balancer: b, generation: -1}
	g.standing = append(g.standing, m)
	// Kept in order so that lead.Join finds nothing to sort.
	at, _ := slices.BinarySearchFunc(g.listed, m.id, func(m *member, id string) int { return cmp.Compare(m.id, id) })
	g.listed = slices.Insert(g.listed, at, m)
	g.byID[m.id] = m
	return nil
}

func (g *Group) dismiss(name string) error {
	m := g.member(name)
	if m == nil {
		return fmt.Errorf("%s is not in the group", name)
	}
	m.gone = true
	for _, p := range m.has {
		g.owner[p] = nil
	}
	is := func(other *member) bool { return other == m }
	g.standing = slices.DeleteFunc(g.standing, is)
	g.listed = slices.DeleteFunc(g.listed, is)
	delete(g.byID, m.id)
	return nil
}

// newID returns a member ID as a broker makes it of kgo's default client ID.
func (g *Group) newID() string {
	a, b := g.ids.Uint64(), g.ids.Uint64()
	return fmt.Sprintf("kgo-%08x-%04x-%04x-%04x-%012x", uint32(a), uint16(a>>32), uint16(a>>48), uint16(b), b>>16)
}

// partition returns the name of a partition's number, for messages.
func (g *Group) partition(n int) string {
	i, ok := slices.BinarySearchFunc(g.topics, n, func(t string, n int) int { return cmp.Compare(g.first[t], n) })
	if !ok {
		i--
	}
	return fmt.Sprintf("%s[%d]", g.topics[i], n-g.first[g.topics[i]])
}
