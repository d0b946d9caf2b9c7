package assignor

import (
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// A Report tells what one plan did and why. It is handed to OnPlan on the
// leader only. Keep it if you like; what the Group's topics hold is the
// Balancer's own and must not be changed.
type Report struct {
	Strategy   string // protocol name
	GroupName  string // consumer group; "" without a client, as in tests
	Generation int32  // the generation being planned; 0 without a client

	// Group is what the rebalance started from. Before is who owned what
	// then, Target what the strategy wants, After what members are given
	// now: Target without what is withheld.
	Group                 *Group
	Before, Target, After Plan

	// Moves lists partitions that Target takes from a live member, Gains
	// those that nobody owned and somebody now gets. In a cooperative group
	// a move takes two rounds: a Move that is withheld in the first, a Gain
	// in the second.
	Moves, Gains []Move
	// Withheld lists partitions that go to nobody this round, because
	// somebody other than the planned owner may still have them. From is
	// the claimant, None where several claim.
	Withheld []Move
	// Held lists partitions outside the Group that stay where they are
	// (From and To are the same member): those of Missing topics, and
	// numbers beyond a topic's count, which this leader's metadata may just
	// not know yet.
	Held []Move
	// Missing names topics that members read and whose partitions are not
	// known this round. Their unclaimed partitions are owed.
	Missing []string
	// Owed says that a further round is needed to finish this plan. With
	// kgo.WithHooks the leader asks for it where nothing else brings it.
	Owed bool

	// Loads is the number of partitions by member in Target.
	Loads []int
	// MetadataBytes is the size of the join metadata by member, RecordBytes
	// the estimated size of the group's record in __consumer_offsets, where
	// the default limit is 1,048,588 bytes: past it the whole group stops.
	MetadataBytes []int
	RecordBytes   int

	Warnings []Warning
	// Err is set when the strategy panicked or returned no valid plan: every
	// member then keeps what it owns and the rest goes by plain rendezvous.
	Err error
	// Elapsed is the leader's own time from reading the metadata to the
	// encoded assignment.
	Elapsed time.Duration
}

func newReport(b *Balancer, s *snapshot, info kgo.BalanceInfo, o *outcome, elapsed time.Duration) Report {
	r := Report{
		Strategy:      b.protocol,
		GroupName:     info.Group,
		Generation:    info.Generation,
		Group:         s.group.apart(),
		Before:        s.group.Owned(),
		Target:        o.plan.clone(),
		After:         o.after.clone(),
		Withheld:      slices.Clone(o.withheld),
		Held:          s.held,
		Missing:       s.missing,
		Owed:          len(o.withheld) > 0 || len(s.missing) > 0,
		Loads:         o.plan.Loads(s.group),
		MetadataBytes: make([]int, len(s.joiners)),
		RecordBytes:   o.recordBytes,
		Warnings:      s.warnings,
		Err:           o.err,
		Elapsed:       elapsed,
	}
	for i, j := range s.joiners {
		r.MetadataBytes[i] = j.bytes
	}
	for _, m := range Diff(s.group, r.Before, o.plan) {
		if m.From != None {
			r.Moves = append(r.Moves, m)
		}
	}
	for _, m := range Diff(s.group, r.Before, o.after) {
		if m.From == None {
			r.Gains = append(r.Gains, m)
		}
	}
	return r
}

// report hands a Report to every OnPlan.
func (b *Balancer) report(r Report) {
	b.reporting.Lock()
	defer b.reporting.Unlock()
	for _, fn := range b.cfg.onPlan {
		if err := recovered(func() { fn(r) }); err != nil {
			b.warn(Warning{Kind: WarnCallback, Message: "OnPlan panicked", Err: err})
		}
	}
}
