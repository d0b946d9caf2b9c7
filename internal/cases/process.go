package cases

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

// A partition is one partition of a topic.
type partition struct {
	topic string
	p     int32
}

func (p partition) String() string { return fmt.Sprintf("%s/%d", p.topic, p.p) }

// doubt says why nobody else in the group can know that a process still works
// on a partition; "" if it claims it in every round. Two live processes may
// work on one partition only if one of them is in doubt: docs/rebalance.md has the cases of it,
// which no assignor can prevent.
type doubt string

const (
	removed    doubt = "the broker removed it"
	unreadable doubt = "its metadata could not be read, by a leader that did not give it the partition"
	lying      doubt = "it claims what it likes"
	late       doubt = "a static member that did not rejoin, with metadata older than the partition"
)

// A process is one life of a consumer, from its start to its crash or stop.
type process struct {
	name     string // of all lives of this consumer
	instance string // "" for a dynamic member
	identity string // "" if it has none
	lies     bool   // what it claims is made up
	leader   *Leader
	reads    []string

	alive, asleep bool
	id            string // its member ID, "" if it has none
	generation    int32  // of its latest join
	works         map[partition]doubt
	rejoin        bool // it has let go of something and wants a round
}

func (p *process) String() string {
	return fmt.Sprintf("%s(%s)", p.name, cmp.Or(p.id, "no ID"))
}

// owned returns what it works on as it claims it.
func (p *process) owned() lead.Owned {
	owned := make(lead.Owned)
	for _, tp := range p.sorted() {
		owned[tp.topic] = append(owned[tp.topic], tp.p)
	}
	return owned
}

func (p *process) sorted() []partition {
	var all []partition
	for tp := range p.works {
		all = append(all, tp)
	}
	slices.SortFunc(all, func(a, b partition) int { return cmp.Or(cmp.Compare(a.topic, b.topic), cmp.Compare(a.p, b.p)) })
	return all
}

func (p *process) doubt(why doubt) {
	for tp := range p.works {
		p.works[tp] = why
	}
}

// member returns the process as it joins.
func (p *process) member() lead.Member {
	return lead.Member{ID: p.id, Instance: p.instance, Balancer: p.leader, Topics: p.reads, Owned: p.owned(), Generation: p.generation}
}

// describe returns the process with what it works on and what is in doubt.
func (p *process) describe() string {
	var sb strings.Builder
	fmt.Fprintf(&sb, "%v@%d reads %v works on", p, p.generation, p.reads)
	for _, tp := range p.sorted() {
		fmt.Fprintf(&sb, " %v", tp)
		if why := p.works[tp]; why != "" {
			fmt.Fprintf(&sb, " (%s)", why)
		}
	}
	return sb.String()
}
