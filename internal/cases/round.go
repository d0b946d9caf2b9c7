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
	had      map[string]lead.Owned // by member ID: what it may work on after the leader's latest round
	static   map[string]string     // by instance ID: the member ID then
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
	Sync       []kmsg.SyncGroupRequestGroupAssignment
	Sent       map[string]lead.Owned // Sync decoded, by member ID
	Report     assignor.Report
	strategy   assignor.Strategy
	Warnings   []assignor.Warning

	// Had is what members claimed in the round this leader led before, at
	// generation Led, and what it gave them then: all that is known of a member
	// that cannot be read, or is listed as of an earlier join.
	Had map[string]lead.Owned
	// Static has the member IDs then, by instance ID.
	Static map[string]string
	Led    int32
}

// Play has the leader decide a round.
func (l *Leader) Play(group string, generation int32, leader string, members []kmsg.JoinGroupResponseMember, v View) (*Round, error) {
	l.report, l.warnings = assignor.Report{}, nil
	r := &Round{Generation: generation, Members: members, View: v, Had: l.had, Static: l.static, Led: l.led, strategy: l.strategy}
	info := kgo.BalanceInfo{Group: group, Generation: generation, LeaderID: leader, Topics: v.topics}
	var err error
	if r.Sync, err = lead.Balance(l, info, members, v.Counts); err != nil {
		return nil, err
	}
	if r.Sent, err = lead.Decode(l, r.Sync); err != nil {
		return nil, err
	}
	r.Report, r.Warnings = l.report, l.warnings
	l.had, l.static, l.led = mayWorkOn(r), make(map[string]string), generation
	for _, m := range members {
		if m.InstanceID != nil {
			l.static[*m.InstanceID] = m.MemberID
		}
	}
	return r, nil
}

// mayWorkOn returns what each member may work on after a round: what it was
// sent, and what it claimed, since a sync may be refused.
func mayWorkOn(r *Round) map[string]lead.Owned {
	had := make(map[string]lead.Owned)
	for _, m := range r.Members {
		if had[m.MemberID] != nil {
			continue // of repeated members the first counts
		}
		owned := make(lead.Owned)
		had[m.MemberID] = owned
		if meta, err := ReadMetadata(m.ProtocolMetadata); err == nil {
			for _, o := range meta.OwnedPartitions {
				owned[o.Topic] = append(owned[o.Topic], o.Partitions...)
			}
		}
		for topic, partitions := range r.Sent[m.MemberID] {
			owned[topic] = append(owned[topic], partitions...)
		}
	}
	return had
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
