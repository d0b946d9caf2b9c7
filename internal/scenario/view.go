package scenario

import (
	"fmt"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// A view is the state that Settle judges.
type view struct {
	foreign  bool
	floor    int32
	live     []*Member
	expected map[string]int32
	plans    []Plan
	owners   map[Partition][]Owner
	assigned map[Owner]Event  // the latest assignment
	byID     map[string]Owner // who had a member ID last
	reached  map[reached]bool
	left     int // Seq when a member last went
}

// reached says that an owner was assigned in a generation.
type reached struct {
	owner      Owner
	generation int32
}

func (g *Group) look() *view {
	v := &view{
		foreign:  g.Foreign,
		floor:    g.floor,
		live:     g.Live(),
		owners:   g.rec.Owners(),
		plans:    g.rec.Plans(),
		assigned: make(map[Owner]Event),
		byID:     make(map[string]Owner),
		reached:  make(map[reached]bool),
	}
	v.expected = g.expected(v.live)
	for _, e := range g.rec.Events() {
		if e.Kind == Assigned {
			v.assigned[e.Owner] = e
			v.byID[e.MemberID] = e.Owner
			v.reached[reached{e.Owner, e.Generation}] = true
		}
		if e.Kind == Stopped || e.Kind == Crashed {
			v.left = e.Seq
		}
	}
	return v
}

func (v *view) ownership() Ownership {
	o := make(Ownership, len(v.owners))
	for p, owners := range v.owners {
		o[p] = owners[0].Member
	}
	return o
}

// unsettled returns what is missing for the group to have settled, or "".
func (v *view) unsettled() string {
	if len(v.live) == 0 {
		if len(v.owners) > 0 {
			return fmt.Sprintf("nobody lives, but %d partitions are owned", len(v.owners))
		}
		return ""
	}
	if len(v.plans) == 0 {
		return "nobody has planned yet"
	}
	generation := v.plans[len(v.plans)-1].Generation
	if generation <= v.floor {
		return fmt.Sprintf("no plan after generation %d", v.floor)
	}
	for _, m := range v.live {
		if e, ok := v.assigned[m.Owner()]; !ok {
			return fmt.Sprintf("%v has not been assigned yet", m.Owner())
		} else if e.Generation != generation {
			return fmt.Sprintf("%v was last assigned in generation %d, generation %d is planned", m.Owner(), e.Generation, generation)
		}
	}
	// Several may have planned this generation, see Plan; one plan counted.
	var why string
	for i := len(v.plans) - 1; i >= 0 && v.plans[i].Generation == generation; i-- {
		if why = v.differs(&v.plans[i]); why == "" {
			return ""
		}
	}
	return why
}

// differs returns what keeps p from being the settled plan, or "".
func (v *view) differs(p *Plan) string {
	if p.Owed {
		return fmt.Sprintf("generation %d owes a round: withheld %v, missing %v", p.Generation, p.Withheld, p.Missing)
	}
	members := make([]*Member, len(p.Group.Members))
	for i := range members {
		members[i] = v.member(&p.Group.Members[i])
		if members[i] == nil && !v.foreign {
			return fmt.Sprintf("member %s (%v) of generation %d does not live", p.Group.Members[i].ID, v.byID[p.Group.Members[i].ID], p.Generation)
		}
	}
	for _, m := range v.live {
		if !slices.Contains(members, m) {
			return fmt.Sprintf("%v is not in generation %d", m.Owner(), p.Generation)
		}
	}
	counts := make(map[string]int32)
	planned := make(map[Partition]bool)
	for t := range p.Group.Topics {
		topic := &p.Group.Topics[t]
		counts[topic.Name] = topic.Partitions
		for n, m := range p.After[t] {
			if why := v.owns(planned, members, Partition{topic.Name, int32(n)}, m); why != "" {
				return why
			}
		}
	}
	for _, h := range p.Held {
		if why := v.owns(planned, members, Partition{h.Topic, h.Partition}, h.To); why != "" {
			return why
		}
	}
	for part, owners := range v.owners {
		if !planned[part] {
			return fmt.Sprintf("%v is owned by %v but not planned for it", part, owners)
		}
	}
	for topic, n := range v.expected {
		if counts[topic] != n {
			return fmt.Sprintf("the leader knows %d partitions of %s, there are %d", counts[topic], topic, n)
		}
	}
	return ""
}

// owns checks that a partition is owned by the member it is planned for.
func (v *view) owns(planned map[Partition]bool, members []*Member, part Partition, m int32) string {
	planned[part] = true
	if m == assignor.None {
		return fmt.Sprintf("%v is planned for nobody", part)
	}
	owners := v.owners[part]
	if members[m] == nil {
		if len(owners) > 0 {
			return fmt.Sprintf("%v is owned by %v, but planned for a foreign member", part, owners)
		}
		return ""
	}
	if len(owners) != 1 || owners[0] != members[m].Owner() {
		return fmt.Sprintf("%v is owned by %v, planned for %v", part, owners, members[m].Owner())
	}
	return ""
}

// member returns the live member that a plan means, or nil. A static member
// may have come back with another ID without a new plan.
func (v *view) member(pm *assignor.Member) *Member {
	for _, m := range v.live {
		static := m.Spec.Instance != "" && pm.Key == m.key()
		if static || v.byID[pm.ID] == m.Owner() {
			return m
		}
	}
	return nil
}

// plansSince counts the generations planned since the last live member's first
// plan, that one included, or since a member last went, or since seq if that is
// later. A plan that did not
// reach every live member does not count: a member that is slow to sync, while
// another has let go and joined again already, is refused and joins with its
// old claims, and no leader can do anything about that.
func (v *view) plansSince(seq int) int {
	seq = max(seq, v.left)
	for _, m := range v.live {
		id := v.assigned[m.Owner()].MemberID
		for i := range v.plans {
			if slices.ContainsFunc(v.plans[i].Group.Members, func(pm assignor.Member) bool { return pm.ID == id }) {
				seq = max(seq, v.plans[i].Seq)
				break
			}
		}
	}
	generations := make(map[int32]bool)
	for i := range v.plans {
		if g := v.plans[i].Generation; v.plans[i].Seq >= seq && v.reachedAll(g) {
			generations[g] = true
		}
	}
	return len(generations)
}

func (v *view) reachedAll(generation int32) bool {
	for _, m := range v.live {
		if !v.reached[reached{m.Owner(), generation}] {
			return false
		}
	}
	return true
}
