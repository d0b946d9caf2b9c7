package main

import (
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
)

// A strategy is one way to place partitions, as a client is set up with it.
type strategy struct {
	name string
	code string // the line a program changes
	// balancer returns a new one, since a Balancer belongs to one client.
	balancer func(identity string, warn func(assignor.Warning)) kgo.GroupBalancer
}

// What -strategy chooses from; the first is the default.
var ours = []strategy{
	{"hrw", "kgo.Balancers(hrw.New(assignor.Identity(name)))",
		func(identity string, warn func(assignor.Warning)) kgo.GroupBalancer {
			return hrw.New(assignor.Identity(identity), assignor.OnWarning(warn))
		}},
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
