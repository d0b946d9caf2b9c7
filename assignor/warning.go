package assignor

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
)

// A WarningKind says what a Warning is about, in a form fit for a metric label.
type WarningKind string

// The kinds of warnings. A Strategy's Audit may add its own.
const (
	WarnMetadata WarningKind = "metadata" // a member's join metadata, or our data in it, cannot be read
	WarnIdentity WarningKind = "identity" // two live members with one identity
	WarnSettings WarningKind = "settings" // members run the strategy with other settings than the leader's
	WarnShared   WarningKind = "shared"   // one Balancer given to two clients
	WarnStrategy WarningKind = "strategy" // a strategy panicked or broke its contract; Report.Err has it, unless the plan stands
	WarnOwed     WarningKind = "owed"     // a further round is owed and nothing will bring it
	WarnTopic    WarningKind = "topic"    // a topic's partitions are not known this round, or it is gone
	WarnRecord   WarningKind = "record"   // the group's record nears the broker's limit
	WarnPinned   WarningKind = "pinned"   // a pinned member was assigned without the marker
	WarnWarm     WarningKind = "warm"     // this member's warm list is not known, or too long
	WarnBound    WarningKind = "bound"    // a strategy had to exceed a bound
	WarnCallback WarningKind = "callback" // a function given to OnPlan, OnWarning or OnFollow panicked
)

// A Warning is something a user should know and the group survives. Fields that
// do not apply are empty. It is a struct so that it can grow.
type Warning struct {
	Kind     WarningKind
	Strategy string // protocol name
	Group    string // consumer group, "" where it is not known
	Member   string // the member's key and, where they differ, its ID in brackets
	Topic    string
	Message  string // what happened and what to do about it
	Err      error
}

// String returns the warning as one line.
func (w Warning) String() string {
	var sb strings.Builder
	fmt.Fprintf(&sb, "%s: %s", w.Strategy, w.Message)
	for _, f := range [...]struct{ name, value string }{{"group", w.Group}, {"member", w.Member}, {"topic", w.Topic}} {
		if f.value != "" {
			fmt.Fprintf(&sb, " %s=%q", f.name, f.value)
		}
	}
	if w.Err != nil {
		fmt.Fprintf(&sb, ": %v", w.Err)
	}
	return sb.String()
}

// logWarning is where warnings go unless OnWarning says otherwise.
func logWarning(w Warning) {
	attrs := []slog.Attr{slog.String("kind", string(w.Kind)), slog.String("strategy", w.Strategy)}
	for _, f := range [...]struct{ name, value string }{{"group", w.Group}, {"member", w.Member}, {"topic", w.Topic}} {
		if f.value != "" {
			attrs = append(attrs, slog.String(f.name, f.value))
		}
	}
	if w.Err != nil {
		attrs = append(attrs, slog.Any("err", w.Err))
	}
	slog.LogAttrs(context.Background(), slog.LevelWarn, "kgo-rendezvous: "+w.Message, attrs...)
}
