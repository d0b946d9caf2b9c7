package oracle

import "cmp"

// A link is the cheapest known way for one partition more to arrive at a slot (a
// member within a topic) or at a member.
type link struct {
	known  bool
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

// place gives partition p of topic t to a member along the cheapest chain, and
// says whether there is any.
func (s *solver) place(t, p int) bool {
	links := s.links(t, p)
	end := s.end(links)
	if end == none {
		return false
	}
	for at := end; at != start; at = links[at].from {
		if l := links[at]; l.partition != none {
			s.plan[l.topic][l.partition] = int32(at % len(s.g.Members))
		}
	}
	return true
}

// slot and member number what a chain leads through.
func (s *solver) slot(t int, m int32) int { return t*len(s.g.Members) + int(m) }
func (s *solver) member(m int32) int      { return len(s.g.Topics)*len(s.g.Members) + int(m) }

// links finds the cheapest ways for partition p of topic t to all members, by
// the method of Bellman and Ford: wherever a cheaper way was found, go on from
// there, until none is.
func (s *solver) links(t, p int) []link {
	var (
		links  = make([]link, (len(s.g.Topics)+1)*len(s.g.Members))
		queued = make([]bool, len(links))
		queue  []int
	)
	relax := func(to int, l link) {
		old := &links[to]
		if old.known && (l.topics > old.topics || l.topics == old.topics && l.owners >= old.owners) {
			return
		}
		*old = l
		if !queued[to] {
			queue, queued[to] = append(queue, to), true
		}
	}
	for _, m := range s.g.Topics[t].Subscribers {
		relax(s.slot(t, m), link{true, 0, s.owner[t][p][m], start, t, p})
	}
	for tries := 0; len(queue) > 0; tries++ {
		if tries > len(links)*len(links) {
			panic("oracle: a chain that gets cheaper each time round: the plan so far was not the best")
		}
		at := queue[0]
		queue, queued[at] = queue[1:], false
		s.extend(at, links[at], relax)
	}
	return links
}

// extend calls relax with every way to go on from a slot or member by one link.
func (s *solver) extend(at int, way link, relax func(to int, l link)) {
	t, m := at/len(s.g.Members), int32(at%len(s.g.Members))
	if t == len(s.g.Topics) {
		// The member has one more of one topic and one less of another.
		for t := range s.g.Topics {
			if n := s.counts[t][m]; n > 0 {
				cost, _ := s.slotStep(t, m, n-1)
				relax(s.slot(t, m), link{true, way.topics - cost, way.owners, at, none, none})
			}
		}
		return
	}
	// The slot has one more, and so has the member.
	if cost, ok := s.slotStep(t, m, s.counts[t][m]); ok {
		relax(s.member(m), link{true, way.topics + cost, way.owners, at, none, none})
	}
	// The slot hands one of its own partitions on to another slot of the topic.
	for p, has := range s.plan[t] {
		if has != m {
			continue
		}
		costs := s.owner[t][p]
		rest := way.owners - costs[m]
		for _, to := range s.g.Topics[t].Subscribers {
			relax(s.slot(t, to), link{true, way.topics, rest + costs[to], at, t, p})
		}
	}
}

// end returns the member at which a chain is cheapest in all, or none where no
// chain leads to anybody with room.
func (s *solver) end(links []link) int {
	best, bestStep := none, step{}
	for m := range s.g.Members {
		at := s.member(int32(m))
		step, ok := s.loadStep(int32(m), s.loads[m])
		if !ok || !links[at].known {
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
	return best
}
