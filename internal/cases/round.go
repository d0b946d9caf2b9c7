package cases

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

// A Leader is a Balancer that leads, with what it last told.
type Leader struct {
	*assignor.Balancer
	strategy assignor.Strategy
	report   assignor.Report
	warnings []assignor.Warning
	given    map[string]lead.Owned // by member ID: what it gave out in its latest round
	led      int32                 // that round's generation
}

// NewLeader returns a Balancer for s, listened to.
func NewLeader(s assignor.Strategy, opts ...assignor.Option) *Leader {
	l := &Leader{strategy: s}
	b, err := assignor.New(s, append(opts,
		assignor.OnPlan(func(r assignor.Report) { l.report = r }),
		assignor.OnWarning(func(w assignor.Warning) { l.warnings = append(l.warnings, w) }))...)
	if err != nil {
		panic(err)
	}
	l.Balancer = b
	return l
}

// A View is what the leader's client knows of topics.
type View struct {
	Counts  map[string]int32
	Unknown []string // topics that its metadata names unknown
}

func (v View) topics() map[string]kgo.TopicMetadata {
	all := make(map[string]kgo.TopicMetadata)
	for _, t := range v.Unknown {
		all[t] = kgo.TopicMetadata{Topic: t, Err: kerr.UnknownTopicOrPartition}
	}
	return all
}

// A Round is one rebalance as it was played.
type Round struct {
	Generation int32 // the one being planned; 0: unknown
	Members    []kmsg.JoinGroupResponseMember
	View       View
	Eager      bool // members stopped everything before they joined
	Sync       []kmsg.SyncGroupRequestGroupAssignment
	Sent       map[string]lead.Owned // Sync decoded, by member ID
	Report     assignor.Report
	strategy   assignor.Strategy
	Warnings   []assignor.Warning

	// Given is what this leader gave to members in the round it led before, at
	// generation Led: all that is known of an unreadable member's partitions.
	Given map[string]lead.Owned
	Led   int32
}

// Play has the leader decide a round.
func (l *Leader) Play(group string, generation int32, leader string, members []kmsg.JoinGroupResponseMember, v View) (*Round, error) {
	l.report, l.warnings = assignor.Report{}, nil
	r := &Round{Generation: generation, Members: members, View: v, Given: l.given, Led: l.led, strategy: l.strategy}
	info := kgo.BalanceInfo{Group: group, Generation: generation, LeaderID: leader, Topics: v.topics}
	var err error
	if r.Sync, err = lead.Balance(l, info, members, v.Counts); err != nil {
		return nil, err
	}
	if r.Sent, err = lead.Decode(l, r.Sync); err != nil {
		return nil, err
	}
	r.Report, r.Warnings = l.report, l.warnings
	l.given, l.led = r.Sent, generation
	return r, nil
}

// Warned returns the warnings of one kind.
func (r *Round) Warned(kind assignor.WarningKind) (ws []assignor.Warning) {
	for _, w := range r.Warnings {
		if w.Kind == kind {
			ws = append(ws, w)
		}
	}
	return ws
}

// Withheld returns what goes to nobody, sorted, as "topic/partition".
func (r *Round) Withheld() []string {
	var all []string
	for _, m := range r.Report.Withheld {
		all = append(all, fmt.Sprintf("%s/%d", m.Topic, m.Partition))
	}
	slices.Sort(all)
	return all
}

// sameSync tells whether two rounds send the same bytes to the same members.
func sameSync(a, b *Round) bool {
	return slices.EqualFunc(a.Sync, b.Sync, func(x, y kmsg.SyncGroupRequestGroupAssignment) bool {
		return x.MemberID == y.MemberID && bytes.Equal(x.MemberAssignment, y.MemberAssignment)
	})
}

// formatOwned returns what members own, a line each.
func formatOwned(owned map[string]lead.Owned) string {
	var sb bytes.Buffer
	for _, id := range slices.Sorted(maps.Keys(owned)) {
		fmt.Fprintf(&sb, "%s: %v\n", id, owned[id])
	}
	return sb.String()
}
