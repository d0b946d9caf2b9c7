package cases

import (
	"fmt"
	"maps"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

// group is the group of one case while it is played.
type group struct {
	strategy assignor.Strategy
	leader   *Leader
	forgets  bool // a new leader in every round

	generation int32 // the latest one
	counts     counts
	unknown    []string // topics once there and deleted since
	members    []*player
	firsts     map[string]lead.Owned // by member ID: its very first assignment
}

// player is one member of a group.
type player struct {
	lead.Member
	rack string
	hex  []byte
}

// newGroup sets up a case's group before its first round.
func newGroup(s assignor.Strategy, forgets bool, c *Case) *group {
	g := &group{
		strategy: s,
		leader:   NewLeader(s),
		forgets:  forgets,
		counts:   maps.Clone(c.Topics),
		firsts:   make(map[string]lead.Owned),
	}
	if g.counts == nil {
		g.counts = make(counts)
	}
	for i := range c.Members {
		g.join(&c.Members[i])
	}
	// The round must be later than what anybody claims to have seen.
	for _, p := range g.members {
		g.generation = max(g.generation, p.Generation)
	}
	return g
}

func (g *group) join(m *member) {
	var opts []assignor.Option
	if m.Weight != 0 {
		opts = append(opts, assignor.Weight(m.Weight))
	}
	p := &player{rack: m.Rack, hex: m.Metadata}
	p.Member = lead.Member{ID: m.ID, Instance: m.Instance, Balancer: NewLeader(g.strategy, opts...), Topics: m.Topics, Owned: m.Owned.partitions, Generation: -1}
	if m.Generation != nil {
		p.Generation = *m.Generation
	}
	if m.Owned.remembered {
		p.Owned = g.firsts[m.ID]
	}
	g.members = append(g.members, p)
}

func (g *group) member(id string) *player {
	for _, p := range g.members {
		if p.ID == id {
			return p
		}
	}
	panic("no member " + id)
}

// apply has an event happen.
func (g *group) apply(e *event) {
	switch e.Event {
	case "join":
		g.join(e.Member)
	case "leave":
		g.members = slices.DeleteFunc(g.members, func(p *player) bool { return p.ID == e.ID })
	case "topics":
		for t := range g.counts {
			if _, ok := e.Topics.counts[t]; !ok {
				g.unknown = append(g.unknown, t)
			}
		}
		g.counts = maps.Clone(e.Topics.counts)
	case "subscribe":
		g.member(e.ID).Topics = e.Topics.names
	case "rename": // a restart
		p := g.member(e.ID)
		p.ID = e.To
		if e.DropOwned {
			p.Owned, p.Generation = nil, -1
		}
	default:
		panic("no such event: " + e.Event)
	}
}

// joined returns what all members send.
func (g *group) joined() []kmsg.JoinGroupResponseMember {
	all := make([]lead.Member, len(g.members))
	for i, p := range g.members {
		all[i] = p.Member
		all[i].Metadata = p.metadata()
	}
	return lead.Join(all)
}

// metadata returns what the member sends: its Balancer's metadata with the rack
// that kgo writes into it.
func (p *player) metadata() []byte {
	if p.hex != nil {
		return p.hex
	}
	src := lead.Join([]lead.Member{p.Member})[0].ProtocolMetadata
	if p.rack == "" {
		return src
	}
	meta, err := ReadMetadata(src)
	if err != nil {
		panic(err)
	}
	meta.Rack = &p.rack
	return meta.AppendTo(nil)
}

// play plays a round and checks it.
func (g *group) play() (*Round, error) {
	if g.forgets {
		g.leader = NewLeader(g.strategy)
	}
	g.generation++
	r, err := g.leader.Play("group", g.generation, "leader", g.joined(), View{g.counts, g.unknown})
	if err != nil {
		return nil, err
	}
	for id, owned := range r.Sent {
		if _, ok := g.firsts[id]; !ok {
			g.firsts[id] = owned
		}
	}
	return r, r.Check()
}

// sync gives every member what it was sent.
func (g *group) sync(r *Round) {
	for _, p := range g.members {
		p.Owned, p.Generation = r.Sent[p.ID], r.Generation
	}
}

// settle plays rounds until nothing is withheld and returns the last of them
// and how many it took, that of the argument included.
func (g *group) settle(r *Round) (last *Round, rounds int, err error) {
	for rounds = 1; len(r.Report.Withheld) > 0; rounds++ {
		if rounds > 2 {
			return r, rounds, fmt.Errorf("not settled after %d rounds: %v still withheld", rounds, r.Withheld())
		}
		g.sync(r)
		if r, err = g.play(); err != nil {
			return r, rounds, err
		}
	}
	return r, rounds, nil
}
