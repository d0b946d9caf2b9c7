package assignor

import (
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// A round is one rebalance on the leader, from members' metadata to what is
// sent to each. kgo holds it between MemberBalancer and Balance, while it looks
// up partition counts.
type round struct {
	b        *Balancer
	sets     *topicSets
	joiners  []*joiner
	decoding time.Duration

	// shown is all that kgo gets to see of the members: one that has a rack, if
	// any has, so that it looks up the racks of partitions. It decodes and
	// formats the metadata of all for its log, in every round, with the log off
	// too.
	shown []kmsg.JoinGroupResponseMember
}

func beginRound(b *Balancer, members []kmsg.JoinGroupResponseMember) *round {
	start := time.Now()
	r := &round{b: b, sets: newTopicSets(len(members))}
	all := make([]joiner, len(members))
	r.joiners = make([]*joiner, 0, len(members))
	var seen map[string]bool
	if twice(members) {
		seen = make(map[string]bool, len(members))
	}
	for i := range members {
		m, j := &members[i], &all[i]
		// A buggy broker can list a member twice; kgo keeps the first, and two
		// Members of one ID could not be told apart.
		if seen != nil {
			if seen[m.MemberID] {
				continue
			}
			seen[m.MemberID] = true
		}
		j.id, j.bytes = m.MemberID, len(m.ProtocolMetadata)
		if m.InstanceID != nil {
			j.instance = *m.InstanceID
		}
		j.err = r.sets.decode(m.ProtocolMetadata, &j.meta)
		r.joiners = append(r.joiners, j)
		if len(r.shown) == 0 && j.err == nil && j.meta.rack != nil {
			r.shown = append(r.shown, *m)
			r.shown[0].ProtocolMetadata = j.meta.justRack()
		}
	}
	r.decoding = time.Since(start)
	return r
}

// twice tells whether a member may be listed twice. Without instances kgo has
// sorted members by ID.
func twice(members []kmsg.JoinGroupResponseMember) bool {
	for i := 1; i < len(members); i++ {
		if members[i-1].MemberID >= members[i].MemberID {
			return true
		}
	}
	return false
}

// topics returns what the members read: kgo looks up partition counts for it.
func (r *round) topics() map[string]struct{} {
	topics := make(map[string]struct{}, len(r.sets.names))
	seen := make([]bool, len(r.sets.sets))
	for _, j := range r.joiners {
		if j.err == nil && !seen[j.meta.set] {
			seen[j.meta.set] = true
			for _, id := range r.sets.sets[j.meta.set].ids {
				topics[r.sets.names[id]] = struct{}{}
			}
		}
	}
	return topics
}

// An outcome is what a round decided.
type outcome struct {
	plan, after Plan // the strategy's, and what is given out now
	withheld    []Move
	err         error // the strategy failed
	sync        syncAssignment
	recordBytes int
}

// Balance decides the round. It implements kgo.ConsumerBalancerBalance.
func (r *round) Balance(cb *kgo.ConsumerBalancer, counts map[string]int32) kgo.IntoSyncAssignment {
	start := time.Now()
	b, info := r.b, cb.Info()
	b.planning.Lock()
	mem := b.memoryOf(info.Group)
	_, homing := b.strategy.(Homing)
	s := takeSnapshot(r.sets, r.joiners, counts, cb, mem, homing)
	o := r.decide(s, mem)
	mem.remember(s, info.Generation, o)
	b.planning.Unlock()

	b.debt.owe(len(o.withheld) > 0, s.missing)
	elapsed := r.decoding + time.Since(start)
	if b.leads(s.group, info) {
		b.warnShared()
	}
	for i := range s.warnings {
		b.warn(s.warnings[i])
	}
	if len(b.cfg.onPlan) > 0 {
		b.report(newReport(b, s, info, o, elapsed))
	}
	return o.sync
}

// decide runs steps 4 to 7 of docs/rebalance.md.
func (r *round) decide(s *snapshot, mem *memory) *outcome {
	b, o := r.b, new(outcome)
	r.checkSettings(s)
	// A strategy that sorts the Group in place must not renumber the members
	// that claims are known by.
	shown := s.group.apart()
	o.plan, o.err = place(b.strategy, mem, s.group, shown)
	if o.err != nil {
		s.warn(WarnStrategy, "", "", "the strategy failed: every member keeps what it owns, the rest goes by plain rendezvous hashing; report this to whoever wrote it", o.err)
	} else if ws, err := audit(b.strategy, shown, o.plan); err != nil {
		s.warn(WarnStrategy, "", "", "the plan stands", err)
	} else {
		s.warnings = append(s.warnings, ws...)
	}
	// An eager member gives up everything before it joins and claims nothing; but
	// one that did not join may still have what it had.
	o.after, o.withheld = s.handOver(o.plan)
	o.sync = encodeAssignment(s.group, o.after, s.held, r.marker())
	o.recordBytes = recordBytes(s, o.sync)
	if o.recordBytes >= recordLimit*8/10 {
		s.warn(WarnRecord, "", "", fmt.Sprintf("the group's record has about %d bytes of the broker's default limit of %d, past which the whole group stops: raise max.message.bytes of __consumer_offsets or set offsets.topic.compression.codec, use fewer members, fewer topics or shorter names", o.recordBytes, recordLimit), nil)
	}
	return o
}

// memoryOf returns what is remembered of a group. The caller holds planning.
func (b *Balancer) memoryOf(group string) *memory {
	mem := b.groups[group]
	if mem == nil {
		mem = newMemory()
		b.groups[group] = mem
	}
	return mem
}

// leads notes that this member leads, and tells whether two clients have this
// Balancer: it led another group before, or this one under another member ID
// that is still in it.
func (b *Balancer) leads(g *Group, info kgo.BalanceInfo) (shared bool) {
	b.mu.Lock()
	before := b.leader
	b.leader, b.led = info.LeaderID, true
	if info.Group != "" {
		shared = b.group != "" && b.group != info.Group
		b.group = info.Group
	}
	b.mu.Unlock()
	if before == "" || before == info.LeaderID {
		return shared
	}
	for i := range g.Members {
		if g.Members[i].ID == before {
			return true
		}
	}
	return shared
}

func (r *round) marker() []byte {
	for _, j := range r.joiners {
		if j.err == nil && j.meta.user.flags&flagPinned != 0 {
			return pinMarker
		}
	}
	return nil
}

// checkSettings warns where members run the strategy with other settings.
func (r *round) checkSettings(s *snapshot) {
	var other int
	var first *joiner
	for _, j := range s.joiners {
		if j.err == nil && j.meta.user.ours && j.meta.user.settings != r.b.user.settings {
			other++
			if first == nil {
				first = j
			}
		}
	}
	if other > 0 {
		s.warn(WarnSettings, first.name(), "", fmt.Sprintf("%d of %d members run the strategy with other settings than this leader's, which count: give all members the same", other, len(s.joiners)), nil)
	}
}
