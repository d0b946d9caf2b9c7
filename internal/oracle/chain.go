package oracle

import (
	"cmp"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// A link is the cheapest known way for one partition more to arrive at a slot (a
// member within a topic) or at a member.
type link struct {
	round  int // in which it was found; 0: not known
	topics int // cost of counts within topics
	owners int // cost of owners

	from      int // the slot or member before, or start
	topic     int // the partition that is handed on from there, if any
	partition int // or none
}

const (
	start = -1
	none  = -1
)

// place gives partition p of topic t to a member along the cheapest chain.
func (s *solver) place(t, p int) {
	links := s.links(t, p)
	end := s.end(links)
	for at := end; at != start; at = links[at].from {
		if l := links[at]; l.partition != none {
			s.plan[l.topic][l.partition] = int32(at % len(s.g.Members))
		}
	}
}

// slot and member number what a chain leads through.
func (s *solver) slot(t int, m int32) int { return t*len(s.g.Members) + int(m) }
func (s *solver) member(m int32) int      { return len(s.g.Topics)*len(s.g.Members) + int(m) }

// links finds the cheapest ways for partition p of topic t to all members, by
// the method of Bellman and Ford: try to go on from every link found in this
// round or the one before, until none is cheaper.
func (s *solver) links(t, p int) []link {
	links := make([]link, (len(s.g.Topics)+1)*len(s.g.Members))
	for _, m := range s.g.Topics[t].Subscribers {
		links[s.slot(t, m)] = link{1, 0, s.owner[t][p][m], start, t, p}
	}
	for round := 2; s.try(links, round); round++ {
		if round > len(links)+2 {
			panic("oracle: a chain that gets cheaper each time round: the plan so far was not the best")
		}
	}
	return links
}

// try tells whether any link was cheaper.
func (s *solver) try(links []link, round int) (cheaper bool) {
	relax := func(to, from, topics, owners, topic, partition int) {
		topics, owners = topics+links[from].topics, owners+links[from].owners
		old := &links[to]
		if old.round == 0 || topics < old.topics || topics == old.topics && owners < old.owners {
			*old, cheaper = link{round, topics, owners, from, topic, partition}, true
		}
	}
	fresh := func(at int) bool { return links[at].round >= round-1 }
	for t := range s.g.Topics {
		readers := s.g.Topics[t].Subscribers
		// A slot hands a partition on to another slot of the topic.
		for p, has := range s.plan[t] {
			if has == assignor.None || !fresh(s.slot(t, has)) {
				continue
			}
			costs := s.owner[t][p]
			for _, m := range readers {
				if m != has {
					relax(s.slot(t, m), s.slot(t, has), 0, costs[m]-costs[has], t, p)
				}
			}
		}
		for _, m := range readers {
			n := s.counts[t][m]
			// The slot has one more.
			if cost, ok := s.slotStep(t, m, n); ok && fresh(s.slot(t, m)) {
				relax(s.member(m), s.slot(t, m), cost, 0, none, none)
			}
			// The member has one more of another topic and one less of this.
			if n > 0 && fresh(s.member(m)) {
				cost, _ := s.slotStep(t, m, n-1)
				relax(s.slot(t, m), s.member(m), -cost, 0, none, none)
			}
		}
	}
	return cheaper
}

// end returns the member at which a chain is cheapest in all.
func (s *solver) end(links []link) int {
	best, bestStep := none, step{}
	for m := range s.g.Members {
		at := s.member(int32(m))
		step, ok := s.loadStep(int32(m), s.loads[m])
		if !ok || links[at].round == 0 {
			continue
		}
		if best == none || cmp.Or(
			cmp.Compare(links[at].topics, links[best].topics),
			step.compare(bestStep),
			cmp.Compare(links[at].owners, links[best].owners),
			cmp.Compare(step.rank, bestStep.rank),
		) < 0 {
			best, bestStep = at, step
		}
	}
	if best == none {
		panic("oracle: a partition that nobody has room for")
	}
	return best
}
