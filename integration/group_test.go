//go:build integration

package integration

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/scenario"
	"github.com/kgo-rendezvous/kgo-rendezvous/ring"
	"github.com/kgo-rendezvous/kgo-rendezvous/sticky"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
)

// A candidate is a strategy that the scenarios are run for.
type candidate struct {
	name string
	assignor.Strategy
	// local: a join takes partitions only for the joiner, a leave moves only
	// what the leaver had (law 7 of assignortest).
	local bool
	// even: counts are within one of each other, and as few partitions move as
	// can. What moved without its owner leaving has no other home, though.
	even bool
	// weights: members have weights 1 to 3.
	weights bool
}

// What the scenarios are run for, by the worker's names for it. The first is
// the default.
var strategies = []candidate{
	{name: "hrw", Strategy: hrw.Strategy{}, local: true},
	{name: "hrw-weights", Strategy: hrw.Strategy{}, local: true, weights: true},
	{name: "hrw-bounded", Strategy: hrw.Strategy{LoadBound: 1.25}},
	{name: "hrw-slots", Strategy: hrw.Strategy{Slots: true}, local: true},
	{name: "ring", Strategy: ring.Strategy{}, local: true},
	{name: "ring-bounded", Strategy: ring.Strategy{LoadBound: 1.25}},
	evenly,
}

var evenly = candidate{name: "sticky", Strategy: sticky.Strategy{}, even: true}

// A group is a consumer group with a strategy on the shared broker.
type group struct {
	*scenario.Group
	t *testing.T
	candidate
}

// eachStrategy runs a scenario for every strategy, in a group of its own with
// topics of its own.
func eachStrategy(t *testing.T, topics map[string]int32, run func(t *testing.T, g *group)) {
	for _, s := range strategies {
		withStrategy(t, s, topics, run)
	}
}

// withDefault runs a scenario for the default strategy only: one that shows the
// plumbing rather than placement.
func withDefault(t *testing.T, topics map[string]int32, run func(t *testing.T, g *group)) {
	withStrategy(t, strategies[0], topics, run)
}

func withStrategy(t *testing.T, s candidate, topics map[string]int32, run func(t *testing.T, g *group)) {
	t.Run(s.name, func(t *testing.T) {
		g := &group{scenario.NewGroup(t, unique(t.Name()), []string{broker(t)}), t, s}
		g.Ours, g.Even = s.Strategy, s.even
		for name, partitions := range topics {
			g.create(name, partitions)
		}
		run(t, g)
	})
}

var (
	illegal = regexp.MustCompile(`[^a-zA-Z0-9._-]`)
	runs    sync.Map // by test name; so that -count works on one broker
)

// unique returns a name that is legal for topics, the same in every process, so
// that the same partitions go to the same members, and not used before in this
// one.
func unique(test string) string {
	n, _ := runs.LoadOrStore(test, new(int))
	run := n.(*int)
	*run++
	name := illegal.ReplaceAllString(test, ".")
	if *run == 1 {
		return name
	}
	return fmt.Sprintf("%s.%d", name, *run)
}

// create creates a topic and waits until the broker's metadata has it: a client
// joins with the topics that it knows of, so one started before that would read
// the others first.
func (g *group) create(name string, partitions int32) {
	g.t.Helper()
	name = g.topic(name)
	g.CreateTopic(name, partitions)
	waitForTopic(g.t, admin(g.t), name, partitions)
}

// drop deletes a topic and waits until the broker's metadata has it no more.
func (g *group) drop(name string) {
	g.t.Helper()
	name = g.topic(name)
	g.DeleteTopic(name)
	waitForTopic(g.t, admin(g.t), name, 0)
}

// waitForTopic waits until the broker lists a topic with that many partitions,
// or for 0 does not know it. It needs a client of admin: others answer from a
// cache.
func waitForTopic(t *testing.T, asks *kadm.Client, topic string, partitions int32) {
	t.Helper()
	poll(t, 20*time.Second, fmt.Sprintf("the broker lists %d partitions of %s", partitions, topic), func(ctx context.Context) (bool, error) {
		topics, err := asks.ListTopics(ctx, topic)
		if err != nil {
			return false, err
		}
		err = topics[topic].Err
		if partitions == 0 {
			return errors.Is(err, kerr.UnknownTopicOrPartition), err
		}
		return err == nil && len(topics[topic].Partitions) == int(partitions) && topics.Error() == nil, err
	})
}

// poll asks until cond holds, for what no event tells. It fails the test at the
// deadline.
func poll(t *testing.T, deadline time.Duration, what string, cond func(context.Context) (bool, error)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	for {
		ok, err := cond(ctx)
		if ok {
			return
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			t.Fatalf("waited %v until %s; the last error: %v", deadline, what, err)
		}
	}
}

// topic returns the full name of one of the group's topics.
func (g *group) topic(name string) string { return g.Name + "." + name }

// reads is the usual member: with an identity, reading the given topics.
func (g *group) reads(identity string, topics ...string) scenario.Spec {
	spec := scenario.Spec{Identity: identity, Strategy: g.Strategy}
	if g.weights {
		spec.Options = append(spec.Options, assignor.Weight(1+uint32(len(identity)+int(identity[len(identity)-1]))%3))
	}
	for _, name := range topics {
		spec.Topics = append(spec.Topics, g.topic(name))
	}
	return spec
}

// start starts usual members and waits for the group to settle.
func (g *group) start(topic string, names ...string) (scenario.Ownership, []*scenario.Member) {
	g.t.Helper()
	var members []*scenario.Member
	for _, name := range names {
		members = append(members, g.Start(name, g.reads(name, topic)))
	}
	return g.Settle(), members
}

// timed does something to the settled group, waits until it has settled again
// and logs how long that took and what moved.
func (g *group) timed(what string, do func()) scenario.Ownership {
	g.t.Helper()
	before, stay := g.Owned(), lives(g.Live())
	start := time.Now()
	do()
	after := g.Settle()
	took := time.Since(start)
	now := lives(g.Live())
	stay = slices.DeleteFunc(stay, func(o scenario.Owner) bool { return !slices.Contains(now, o) })
	moved, needless := 0, 0
	for _, h := range scenario.Moved(before, after) {
		moved++
		if stays(stay, h.From) && stays(stay, h.To) {
			needless++
		}
	}
	g.t.Logf("%s: settled in %d ms, %d of %d partitions have another owner, %d moved between members that stayed",
		what, took.Milliseconds(), moved, len(after), needless)
	return after
}

func lives(members []*scenario.Member) []scenario.Owner {
	owners := make([]scenario.Owner, len(members))
	for i, m := range members {
		owners[i] = m.Owner()
	}
	return owners
}

func stays(stay []scenario.Owner, member string) bool {
	return slices.ContainsFunc(stay, func(o scenario.Owner) bool { return o.Member == member })
}

// mustOnlyGain is Ownership.MustOnlyGain where the strategy promises it.
func (g *group) mustOnlyGain(before, after scenario.Ownership, members ...string) {
	g.t.Helper()
	if g.local {
		after.MustOnlyGain(g.t, before, members...)
	}
}

// mustOnlyLose is Ownership.MustOnlyLose where the strategy promises it.
func (g *group) mustOnlyLose(before, after scenario.Ownership, members ...string) {
	g.t.Helper()
	if g.local {
		after.MustOnlyLose(g.t, before, members...)
	}
}

// leader returns the live member that planned last.
func (g *group) leader() *scenario.Member {
	g.t.Helper()
	plans := g.Recorder().Plans()
	if len(plans) > 0 {
		for _, m := range g.Live() {
			if m.Owner() == plans[len(plans)-1].By {
				return m
			}
		}
	}
	g.t.Fatal("no live member has planned")
	return nil
}
