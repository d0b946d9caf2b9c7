package scenario

import (
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/assignor/warm"
)

// remember opens the member's file and has it tell what is in it.
func (l *life) remember(spec *Spec) {
	l.tb.Helper()
	have, err := warm.Open(spec.Memory)
	if err != nil {
		l.tb.Fatalf("starting %v: %v", l.owner, err)
	}
	l.have = have
	spec.Options = append(slices.Clone(spec.Options), assignor.Warm(have.Partitions))
}

// built has the live members remember what they own: what they need for it is
// there by now. What they had for a moment only, in between, is not.
func (g *Group) built(owned Ownership) {
	for _, m := range g.Live() {
		if m.life.have == nil {
			continue
		}
		byTopic := make(map[string][]int32)
		for _, p := range owned.Of(m.Name) {
			byTopic[p.Topic] = append(byTopic[p.Topic], p.Number)
		}
		m.life.remembered(m.life.have.Add(byTopic))
	}
}

func (l *life) dropped(ps map[string][]int32) {
	if l.have != nil {
		l.remembered(l.have.Remove(ps))
	}
}

// freeze is called before the life ends: a client that closes revokes everything.
func (l *life) freeze() {
	if l.have != nil {
		l.remembered(l.have.Freeze())
	}
}

func (l *life) remembered(err error) {
	if err != nil {
		l.tb.Errorf("%v: %v", l.owner, err)
	}
}

// RestartAll ends all members of a settled group, which have a Memory, and
// starts them again. It fails the test unless each declares what it had and gets
// what it declares.
func (g *Group) RestartAll(end func([]*Member)) {
	g.tb.Helper()
	members, before := g.Live(), g.Owned()
	end(members)
	for _, m := range members {
		have, err := warm.Open(m.Spec.Memory)
		if err != nil {
			g.tb.Fatal(err)
		}
		if declares, had := Flatten(have.Partitions()), before.Of(m.Name); !slices.Equal(declares, had) {
			g.tb.Errorf("%s declares %s, it had %s", m.Name, formatPartitions(declares), formatPartitions(had))
		}
	}
	for _, m := range members {
		m.Start()
	}
	g.Settle().MustEqual(g.tb, before)
}
