package assignor

import (
	"fmt"
	"slices"
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
	stripped []kmsg.JoinGroupResponseMember // as joiners, for kgo
	decoding time.Duration
}

func beginRound(b *Balancer, members []kmsg.JoinGroupResponseMember) *round {
	start := time.Now()
	r := &round{b: b, sets: newTopicSets()}
	all := make([]joiner, len(members))
	r.joiners = make([]*joiner, len(members))
	r.stripped = make([]kmsg.JoinGroupResponseMember, len(members))
	for i := range members {
		m, j := &members[i], &all[i]
		j.id, j.bytes = m.MemberID, len(m.ProtocolMetadata)
		if m.InstanceID != nil {
			j.instance = *m.InstanceID
		}
		copied := *m
		if j.meta, j.err = r.sets.decode(m.ProtocolMetadata); j.err == nil {
			copied.ProtocolMetadata = r.sets.strip(&j.meta)
		} else {
			copied.ProtocolMetadata = noMetadata
		}
		r.joiners[i], r.stripped[i] = j, copied
	}
	r.decoding = time.Since(start)
	return r
}

// distinct drops joiners that a buggy broker listed a second time: kgo keeps the
// first, and two Members of one ID could not be told apart.
func (r *round) distinct(n int) {
	if n == len(r.joiners) {
		return
	}
	seen := make(map[string]bool, n)
	r.joiners = slices.DeleteFunc(r.joiners, func(j *joiner) bool {
		repeated := seen[j.id]
		seen[j.id] = true
		return repeated
	})
}

// Balance decides the round. It implements kgo.ConsumerBalancerBalance.
func (r *round) Balance(cb *kgo.ConsumerBalancer, counts map[string]int32) kgo.IntoSyncAssignment {
	start := time.Now()
	b, info := r.b, cb.Info()
	b.planning.Lock()
	mem := b.memoryOf(info.Group)
	s := takeSnapshot(r.sets, r.joiners, counts, cb, mem)
	r.checkSettings(s)
	plan, failure := place(b.strategy, mem, s.group)
	own := plan // the strategy's own, to be updated next time
	if failure != nil {
		own = nil
		s.warn(WarnStrategy, "", "", "the strategy failed: every member keeps what it owns, the rest goes by plain rendezvous hashing; report this to whoever wrote it", failure)
	} else if ws, err := audit(b.strategy, s.group, plan); err != nil {
		s.warn(WarnStrategy, "", "", "the plan stands", err)
	} else {
		s.warnings = append(s.warnings, ws...)
	}
	after, withheld := plan, []Move(nil)
	if b.IsCooperative() { // an eager member gives up everything before it joins
		after, withheld = s.handOver(plan)
	}
	out := encodeAssignment(s.group, after, s.held, r.marker())
	mem.remember(s, info.Generation, own, after, withheld)
	b.planning.Unlock()

	bytes := recordBytes(s, out)
	if bytes >= recordLimit*8/10 {
		s.warn(WarnRecord, "", "", fmt.Sprintf("the group's record has about %d bytes of the broker's default limit of %d, past which the whole group stops: raise max.message.bytes of __consumer_offsets or set offsets.topic.compression.codec, use fewer members, fewer topics or shorter names", bytes, recordLimit), nil)
	}
	b.debt.owe(len(withheld) > 0, len(s.missing) > 0)
	elapsed := r.decoding + time.Since(start)
	if b.leads(s.group, info) {
		b.warnShared()
	}
	for i := range s.warnings {
		b.warn(s.warnings[i])
	}
	r.report(s, info, plan, after, withheld, bytes, failure, elapsed)
	return out
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

// report hands the Report to every OnPlan.
func (r *round) report(s *snapshot, info kgo.BalanceInfo, plan, after Plan, withheld []Move, bytes int, failure error, elapsed time.Duration) {
	b := r.b
	if len(b.cfg.onPlan) == 0 {
		return
	}
	rep := Report{
		Strategy:      b.protocol,
		GroupName:     info.Group,
		Generation:    info.Generation,
		Group:         s.group,
		Before:        s.group.Owned(),
		Target:        plan,
		After:         after,
		Withheld:      withheld,
		Held:          s.held,
		Missing:       s.missing,
		Owed:          len(withheld) > 0 || len(s.missing) > 0,
		Loads:         plan.Loads(s.group),
		MetadataBytes: make([]int, len(s.joiners)),
		RecordBytes:   bytes,
		Warnings:      s.warnings,
		Err:           failure,
		Elapsed:       elapsed,
	}
	for i, j := range s.joiners {
		rep.MetadataBytes[i] = j.bytes
	}
	for _, m := range Diff(s.group, rep.Before, plan) {
		if m.From != None {
			rep.Moves = append(rep.Moves, m)
		}
	}
	for _, m := range Diff(s.group, rep.Before, after) {
		if m.From == None {
			rep.Gains = append(rep.Gains, m)
		}
	}
	for _, fn := range b.cfg.onPlan {
		if err := recovered(func() { fn(rep) }); err != nil {
			b.warn(Warning{Kind: WarnCallback, Message: "OnPlan panicked", Err: err})
		}
	}
}
