package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Partition is one partition of a topic.
type Partition struct {
	Topic  string
	Number int32
}

func (p Partition) String() string { return fmt.Sprintf("%s/%d", p.Topic, p.Number) }

func comparePartitions(a, b Partition) int {
	return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Number, b.Number))
}

// Flatten returns the partitions of kgo's maps, sorted.
func Flatten(byTopic map[string][]int32) []Partition {
	var ps []Partition
	for topic, numbers := range byTopic {
		for _, n := range numbers {
			ps = append(ps, Partition{topic, n})
		}
	}
	slices.SortFunc(ps, comparePartitions)
	return ps
}

// formatPartitions returns sorted partitions as "orders[0 3] other[1]".
func formatPartitions(ps []Partition) string {
	if len(ps) == 0 {
		return "-"
	}
	var sb strings.Builder
	for i, p := range ps {
		switch {
		case i == 0:
			fmt.Fprintf(&sb, "%s[%d", p.Topic, p.Number)
		case ps[i-1].Topic != p.Topic:
			fmt.Fprintf(&sb, "] %s[%d", p.Topic, p.Number)
		default:
			fmt.Fprintf(&sb, " %d", p.Number)
		}
	}
	return sb.String() + "]"
}

// An Owner is one life of a member, from its start to its end: a member that
// restarts is another owner.
type Owner struct {
	Member string
	Life   int // from 1
}

func (o Owner) String() string { return fmt.Sprintf("%s#%d", o.Member, o.Life) }

// A Kind says what happened in an Event.
type Kind string

// What can happen to an owner. Stopped and Crashed end its life: whatever its
// callbacks say later is not recorded.
const (
	Started  Kind = "started"
	Assigned Kind = "assigned"
	Revoked  Kind = "revoked"
	Lost     Kind = "lost"
	Stopped  Kind = "stopped"
	Crashed  Kind = "crashed"
)

// An Event is one thing that happened to one owner.
type Event struct {
	Seq        int       // order of events, from 1
	At         time.Time // with a monotonic reading, unless it comes from another process
	Owner      Owner
	Kind       Kind
	Partitions []Partition // for Assigned, Revoked and Lost; sorted
	// MemberID and Generation are what the client knew when it was assigned.
	MemberID   string
	Generation int32
}

// An Interval is the time during which an owner held a partition.
type Interval struct {
	Partition
	Owner    Owner
	From, To Event // To.Seq is 0 while it is open
}

// An Overlap is a partition that was assigned to Second while First held it.
type Overlap struct {
	Partition
	First, Second         Owner
	FirstSince, SecondGot Event
}

func (o Overlap) String() string {
	return fmt.Sprintf("%v has two owners: assigned to %v (event %d) while %v has it since event %d, %v before",
		o.Partition, o.Second, o.SecondGot.Seq, o.First, o.FirstSince.Seq, o.SecondGot.At.Sub(o.FirstSince.At).Round(time.Microsecond))
}
