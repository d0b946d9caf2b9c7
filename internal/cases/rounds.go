package cases

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

// mishaps is what goes wrong in one round.
type mishaps struct {
	unreadable []*process // what they send is damaged
	deaf       []*process // never see the join response, and so not the sync
	refused    []*process // their sync is refused: another round has begun
	lost       bool       // the leader's sync is refused, and so everybody's
	view       View
}

func (h *History) newID(p *process) string {
	h.ids++
	return fmt.Sprintf("%s-%d", p.name, h.ids)
}

func (h *History) metadata(p *process) []byte {
	m := p.member()
	switch {
	case p.lies:
		m.Owned, m.Generation = h.lie()
	case h.Eager:
		m.Owned = nil
	}
	src := lead.Join([]lead.Member{m})[0].ProtocolMetadata
	if h.Metadata != nil {
		src = h.Metadata(src)
	}
	return src
}

// lie makes up claims.
func (h *History) lie() (lead.Owned, int32) {
	owned := make(lead.Owned)
	for _, t := range historyTopics {
		for p := range int32(10) {
			if h.chance(3, "lie") {
				owned[t] = append(owned[t], p-1)
			}
		}
	}
	return owned, h.generation + int32(h.Draw(5, "lie")) - 2
}

// everybody returns the processes that take part in a round.
func (h *History) everybody() (all []*process) {
	for _, p := range h.processes {
		if awake(p) {
			all = append(all, p)
		}
	}
	return all
}

// round plays a round in which anything may go wrong.
func (h *History) round() {
	all := h.everybody()
	m := mishaps{view: View{Counts: maps.Clone(h.counts)}}
	if h.chance(2, "a bad round") {
		m.unreadable = subset(h, all, 6, "unreadable")
		m.deaf = subset(h, all, 8, "deaf")
		m.refused = subset(h, all, 3, "refused")
		m.lost = h.chance(6, "the leader is refused")
	}
	if h.chance(4, "bad metadata") {
		for _, t := range historyTopics {
			switch h.Draw(4, "topic metadata") {
			case 0:
				delete(m.view.Counts, t)
			case 1:
				delete(m.view.Counts, t)
				m.view.Unknown = append(m.view.Unknown, t)
			case 2:
				if n := h.older[t]; n > 0 {
					m.view.Counts[t] = n
				}
			}
		}
	}
	h.play(&m)
}

// play plays one round: all join, the leader decides, the syncs come back.
func (h *History) play(m *mishaps) {
	all := h.everybody()
	if len(all) == 0 {
		return
	}
	joined := make(map[*process]bool)
	for _, p := range all {
		joined[p], p.rejoin = true, false
		if h.Eager {
			clear(p.works)
		}
		h.join(p, h.newID, h.metadata)
	}
	all = slices.DeleteFunc(all, func(p *process) bool {
		fenced := h.seatOf(p) == nil
		if fenced {
			h.kill(p) // another has its instance: FENCED_INSTANCE_ID is fatal
		}
		return fenced
	})
	for _, p := range m.unreadable {
		s := h.seatOf(p)
		if s == nil {
			continue
		}
		s.metadata = s.metadata[:h.Draw(min(len(s.metadata), 12), "cut")]
	}
	h.close(joined)
	leader := h.elect(all)
	r := h.decide(leader, m)
	for _, p := range all {
		if p == leader || !slices.Contains(m.deaf, p) {
			p.generation = h.generation
		}
	}
	if m.lost || slices.Contains(m.refused, leader) {
		h.logf("    the leader's sync is refused")
		return
	}
	for _, s := range h.seats {
		s.assigned = r.Sent[s.id]
	}
	h.stable = true
	for _, i := range h.shuffled(len(all)) {
		p := all[i]
		if p.generation != h.generation || slices.Contains(m.refused, p) {
			h.logf("    %v is not synced", p)
			h.stable = false
			continue
		}
		h.give(p, r.Sent[p.id])
	}
}

func (h *History) shuffled(n int) []int {
	order := make([]int, n)
	for i := range order {
		j := h.Draw(i+1, "order of syncs")
		order[i], order[j] = order[j], i
	}
	return order
}

// elect keeps the leader if it is still there, mostly.
func (h *History) elect(all []*process) *process {
	at := slices.IndexFunc(all, func(p *process) bool { return p.id == h.leader })
	if at < 0 || !h.steady && h.chance(6, "new leader") {
		at = h.Draw(len(all), "leader")
	}
	h.leader = all[at].id
	return all[at]
}

// decide has the leader decide and checks the round.
func (h *History) decide(leader *process, m *mishaps) *Round {
	h.logf("round %d, led by %v, which led %d before; knows %v; unreadable %v", h.generation, leader, leader.leader.led, m.view, m.unreadable)
	for _, s := range h.seats {
		h.logf("    %s", s.holder.describe())
	}
	h.suspect(leader)
	r, err := leader.leader.Play("group", h.generation, leader.id, h.members(), m.view)
	if err != nil {
		h.broken("%v", err)
	}
	h.Rounds++
	h.latest = r
	if err := r.Check(); err != nil {
		h.broken("%v\nsent\n%s", err, formatOwned(r.Sent))
	}
	h.credited(r)
	return r
}

// suspect puts those in doubt whose metadata cannot be read, as far as this
// leader does not know better.
func (h *History) suspect(leader *process) {
	for _, s := range h.seats {
		if _, err := ReadMetadata(s.metadata); err == nil {
			continue
		}
		had := leader.leader.had[s.id]
		for tp := range s.holder.works {
			if !slices.Contains(had[tp.topic], tp.p) {
				s.holder.works[tp] = unreadable
			}
		}
	}
}

// credited checks that who works on a partition and says so counts as its owner,
// and keeps it where the leader does not know the partition.
func (h *History) credited(r *Round) {
	s := hear(r)
	g := r.Report.Group
	for i, m := range r.Members {
		at := slices.IndexFunc(h.seats, func(s *seat) bool { return s.id == m.MemberID })
		p := h.seats[at].holder
		if !p.alive || !s.readable[i] {
			continue
		}
		for tp, why := range p.works {
			if why != "" || s.owner(tp.topic, tp.p) != int32(i) {
				continue
			}
			if slices.Contains(r.Report.Missing, tp.topic) && !slices.Contains(r.Sent[p.id][tp.topic], tp.p) {
				h.broken("%v works on %v of a missing topic and does not keep it", p, tp)
			}
			t := slices.IndexFunc(g.Topics, func(t assignor.Topic) bool { return t.Name == tp.topic })
			if t < 0 || tp.p >= g.Topics[t].Partitions {
				continue
			}
			if before := r.Report.Before[t][tp.p]; before == assignor.None || g.Members[before].ID != p.id {
				h.broken("%v works on %v and claims it alone, Report.Before says member %d", p, tp, before)
			}
		}
	}
}
