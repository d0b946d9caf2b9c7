package main

import (
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
	"github.com/kgo-rendezvous/kgo-rendezvous/ring"
	"github.com/kgo-rendezvous/kgo-rendezvous/sticky"
)

// A strategy is one way to place partitions, as a client is set up with it.
type strategy struct {
	name string
	code string // the line a program changes
	// balancer returns a new one, since a Balancer belongs to one client.
	balancer func(identity string, warn func(assignor.Warning)) kgo.GroupBalancer
}

// What -strategy chooses from.
var ours = []strategy{
	ourStrategy("hrw", "kgo.Balancers(hrw.New(assignor.Identity(name)))", hrw.Strategy{}),
	ourStrategy("sticky", "kgo.Balancers(sticky.New(assignor.Identity(name)))", sticky.Strategy{}),
	ourStrategy("sticky-per-topic", "assignor.New(sticky.Strategy{PerTopic: true}, ...)", sticky.Strategy{PerTopic: true}),
	weighted("hrw-weights", "hrw.New(assignor.Identity(name), assignor.Weight(n)), n 1 to 3", hrw.Strategy{}),
	ourStrategy("hrw-bounded", "assignor.New(hrw.Strategy{LoadBound: 1.25}, ...)", hrw.Strategy{LoadBound: 1.25}),
	ourStrategy("hrw-slots", "assignor.New(hrw.Strategy{Slots: true}, ...)", hrw.Strategy{Slots: true}),
	ourStrategy("ring", "kgo.Balancers(ring.New(assignor.Identity(name)))", ring.Strategy{}),
	ourStrategy("ring-bounded", "assignor.New(ring.Strategy{LoadBound: 1.25}, ...)", ring.Strategy{LoadBound: 1.25}),
}

func ourStrategy(name, code string, s assignor.Strategy) strategy {
	return strategy{name, code, func(identity string, warn func(assignor.Warning)) kgo.GroupBalancer {
		return mustNew(s, assignor.Identity(identity), assignor.OnWarning(warn))
	}}
}

// weighted gives workers 1, 2, 3, ... the weights 1, 2, 3, 1, ...
func weighted(name, code string, s assignor.Strategy) strategy {
	return strategy{name, code, func(identity string, warn func(assignor.Warning)) kgo.GroupBalancer {
		last := uint32(identity[len(identity)-1] - '1')
		return mustNew(s, assignor.Identity(identity), assignor.Weight(1+last%3), assignor.OnWarning(warn))
	}}
}

func mustNew(s assignor.Strategy, opts ...assignor.Option) *assignor.Balancer {
	b, err := assignor.New(s, opts...)
	if err != nil {
		panic(err) // the settings above make sense
	}
	return b
}

// What the chosen one is shown beside.
var baseline = strategy{"cooperative-sticky", "kgo.Balancers(kgo.CooperativeStickyBalancer())",
	func(string, func(assignor.Warning)) kgo.GroupBalancer { return kgo.CooperativeStickyBalancer() }}

func names(ss []strategy) []string {
	out := make([]string, len(ss))
	for i := range ss {
		out[i] = ss[i].name
	}
	return out
}
