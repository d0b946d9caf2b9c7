package cases

import "slices"

// calm lets rounds come by themselves, without mishaps, until none is due. Then
// everything must have an owner.
func (h *History) calm() {
	if len(h.everybody()) == 0 {
		return
	}
	h.logf("calm")
	for n := 0; n == 0 || h.due(); n++ {
		if n > 3 && !h.hampered() {
			h.broken("rounds do not end")
		} else if n > 3 {
			return
		}
		h.play(&mishaps{view: View{Counts: h.counts}})
	}
	h.complete()
}

// due tells whether a round is coming: somebody joins again, or the leader knows
// that one is owed.
func (h *History) due() bool {
	return h.latest.Report.Owed || slices.ContainsFunc(h.everybody(), func(p *process) bool { return p.rejoin })
}

// hampered tells whether somebody can keep partitions withheld for ever: a static
// member that does not answer, a liar, or twins whose keys change with the
// leader.
func (h *History) hampered() bool {
	identities := make(map[string]bool)
	for _, s := range h.seats {
		p := s.holder
		if !awake(p) || !s.mine() || p.lies || identities[p.identity] {
			return true
		}
		identities[p.identity] = p.identity != ""
	}
	return false
}

// complete checks that every partition that somebody reads is assigned.
func (h *History) complete() {
	for _, t := range h.latest.Report.Group.Topics {
		for n := range t.Partitions {
			var owners []string
			for _, s := range h.seats {
				if slices.Contains(s.assigned[t.Name], n) {
					owners = append(owners, s.id)
				}
			}
			if len(owners) != 1 {
				h.broken("no round is due and %s/%d is assigned to %v", t.Name, n, owners)
			}
		}
	}
}

// settle wakes everybody, ends all dead sessions, and expects everything to be
// in place after two rounds.
func (h *History) settle() {
	h.logf("all is well from now on")
	h.steady = true
	for _, p := range h.everybody() {
		if p.lies {
			h.kill(p)
		}
	}
	for _, p := range h.processes {
		if p.alive && p.asleep && p.lies {
			h.kill(p)
		} else if p.alive && p.asleep {
			h.wakeUp(p)
		}
	}
	for _, s := range slices.Clone(h.seats) {
		if !s.holder.alive || !s.mine() {
			h.remove(s)
		}
	}
	if len(h.everybody()) == 0 {
		return
	}
	for n := 0; n == 0 || h.due(); n++ {
		if n == 2 {
			h.broken("not settled after two rounds: owed %v", h.latest.Withheld())
		}
		h.play(&mishaps{view: View{Counts: h.counts}})
	}
	h.complete()
	for _, p := range h.everybody() {
		for topic, ps := range h.latest.Sent[p.id] {
			for _, n := range ps {
				if _, works := p.works[partition{topic, n}]; !works {
					h.broken("%v does not work on %s/%d", p, topic, n)
				}
			}
		}
	}
}
