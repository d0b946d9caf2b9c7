package main

import "github.com/kgo-rendezvous/kgo-rendezvous/assignor"

// A placement says who owns each partition: a member by its index, or nobody.
type placement []int32

const nobody int32 = -1

// A placer is an algorithm that plays: it goes through one history.
type placer interface {
	// settle lets the group settle once those are present, and nobody else,
	// and returns who owns what then. A member who is present now and was
	// not the last time is a new process: it has nothing.
	settle(present []bool) (placement, error)
}

// hashing plays a Strategy that looks at nothing but who is there. How a group
// comes from one plan to the next cannot matter to it, so the rounds between
// are left out; a fleet would end in the same placements, only later.
type hashing struct {
	w        *world
	strategy assignor.Strategy
	last     *assignor.Group
	plan     assignor.Plan
}

func (h *hashing) settle(present []bool) (placement, error) {
	g, who := h.w.group(present)
	if u, ok := h.strategy.(assignor.Updater); ok && h.last != nil {
		h.plan = u.Update(h.last, h.plan, g)
	} else {
		h.plan = h.strategy.Assign(g)
	}
	h.last = g
	p := make(placement, 0, h.w.total)
	for _, row := range h.plan {
		for _, m := range row {
			p = append(p, who[m])
		}
	}
	return p, nil
}

// group returns the group of those present, as a Balancer would put it
// together, and which member each of its members is.
func (w *world) group(present []bool) (g *assignor.Group, who []int32) {
	g = new(assignor.Group)
	var readers []int32
	for m, name := range w.names {
		if !present[m] {
			continue
		}
		readers = append(readers, int32(len(who)))
		who = append(who, int32(m))
		g.Members = append(g.Members, assignor.Member{ID: name, Key: name, Weight: w.weights[m]})
	}
	for _, t := range w.topics {
		g.Topics = append(g.Topics, assignor.Topic{Name: t.name, Partitions: int32(t.partitions), Subscribers: readers})
	}
	return g, who
}
