// Package lead drives kgo.GroupBalancers through rebalances without a client or
// a broker, the way kgo's group consumer does on the leader. Tests, benchmarks
// and comparisons use it for our balancers and for kgo's own alike.
package lead

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Owned is what one member owns: partitions by topic.
type Owned = map[string][]int32

// A Member is one consumer as it joins.
type Member struct {
	ID       string
	Instance string // "" for none
	Balancer kgo.GroupBalancer
	Topics   []string
	Owned    Owned
	// Generation is the one it was last in; 0 stands for none.
	Generation int32
	// Metadata, if set, is sent instead of what Balancer would.
	Metadata []byte
}

// Join returns members as the broker lists them to the leader.
func Join(members []Member) []kmsg.JoinGroupResponseMember {
	out := make([]kmsg.JoinGroupResponseMember, len(members))
	for i, m := range members {
		out[i] = kmsg.NewJoinGroupResponseMember()
		out[i].MemberID = m.ID
		if m.Instance != "" {
			out[i].InstanceID = kmsg.StringPtr(m.Instance)
		}
		out[i].ProtocolMetadata = m.Metadata
		if m.Metadata == nil {
			generation := m.Generation
			if generation == 0 {
				generation = -1
			}
			topics := slices.Sorted(slices.Values(m.Topics))
			owned := maps.Clone(m.Owned)
			for t := range owned {
				owned[t] = slices.Sorted(slices.Values(owned[t]))
			}
			out[i].ProtocolMetadata = m.Balancer.JoinGroupMetadata(topics, owned, generation)
		}
	}
	slices.SortFunc(out, compare)
	return out
}

// compare is kgo's order of members: instance ID, if any, then member ID.
func compare(a, b kmsg.JoinGroupResponseMember) int {
	switch {
	case a.InstanceID != nil && b.InstanceID == nil:
		return -1
	case a.InstanceID == nil && b.InstanceID != nil:
		return 1
	case a.InstanceID != nil && *a.InstanceID != *b.InstanceID:
		return strings.Compare(*a.InstanceID, *b.InstanceID)
	}
	return strings.Compare(a.MemberID, b.MemberID)
}

// Balance has leader decide a round of the given members and partition counts.
func Balance(leader kgo.GroupBalancer, info kgo.BalanceInfo, members []kmsg.JoinGroupResponseMember, counts map[string]int32) ([]kmsg.SyncGroupRequestGroupAssignment, error) {
	mb, topics, err := leader.MemberBalancer(members)
	if err != nil {
		return nil, err
	}
	known := counts
	if !sameKeys(counts, topics) {
		known = make(map[string]int32, len(topics))
		for t := range topics {
			if n, ok := counts[t]; ok {
				known[t] = n
			}
		}
	}
	if ib, ok := mb.(kgo.GroupMemberBalancerInfo); ok {
		if info.Topics == nil {
			info.Topics = func() map[string]kgo.TopicMetadata { return nil }
		}
		if info.Brokers == nil {
			info.Brokers = func() map[int32]kgo.BrokerMetadata { return nil }
		}
		ib.SetBalanceInfo(info)
	}
	var into kgo.IntoSyncAssignment
	if e, ok := mb.(kgo.GroupMemberBalancerOrError); ok {
		if into, err = e.BalanceOrError(known); err != nil {
			return nil, err
		}
	} else {
		into = mb.Balance(known)
	}
	if into == nil {
		return nil, fmt.Errorf("%s returned no plan and no error", leader.ProtocolName())
	}
	return into.IntoSyncAssignment(), nil
}

func sameKeys(counts map[string]int32, topics map[string]struct{}) bool {
	for t := range counts {
		if _, ok := topics[t]; !ok {
			return false
		}
	}
	return true
}

// Decode returns what each member was assigned, by member ID.
func Decode(b kgo.GroupBalancer, sync []kmsg.SyncGroupRequestGroupAssignment) (map[string]Owned, error) {
	out := make(map[string]Owned, len(sync))
	for _, s := range sync {
		owned, err := b.ParseSyncAssignment(s.MemberAssignment)
		if err != nil {
			return nil, fmt.Errorf("member %s: %w", s.MemberID, err)
		}
		out[s.MemberID] = owned
	}
	return out, nil
}
