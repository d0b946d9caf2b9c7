package scenario

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// A Group is one consumer group under observation, on whatever cluster listens
// at its addresses. Its methods are for the test's goroutine, but for Balancer
// and Recorder.
type Group struct {
	Name string
	// Client holds options of all members, after the harness's own: a real
	// broker wants other timeouts.
	Client []kgo.Opt
	// Deadline is how long Settle and Wait wait before they fail.
	Deadline time.Duration
	// MaxPlans is how many plans may reach all members from when one last
	// came or went, or the last Settle where that is later, until the group
	// has settled. 0: no limit.
	MaxPlans int
	// Foreign says that there are members that the harness did not start.
	Foreign bool
	// Ours is the strategy of members whose Spec has none; nil: hrw.Strategy{}.
	Ours assignor.Strategy
	// Even says that members read the same and share evenly, and that as few
	// partitions move as can: whenever the group has settled that is checked.
	Even bool
	// Faulty says that the strategy may fail. Otherwise a plan that had to do
	// without it (Report.Err) fails the test.
	Faulty bool

	tb    testing.TB
	seeds []string
	rec   *Recorder
	admin *kadm.Client

	floor   int32 // Settle wants a later generation
	settled int   // Seq when it last settled
	last    Ownership

	mu      sync.Mutex // guards what follows, and Member.life
	members []*Member
	topics  map[string]int32 // expected partitions, as created
}

// NewGroup returns a Group without members. When the test ends it ends those
// that run and fails the test if a partition ever had two owners, or if the
// strategy failed.
func NewGroup(tb testing.TB, name string, seeds []string) *Group {
	tb.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.DisableClientMetrics())
	if err != nil {
		tb.Fatalf("admin client: %v", err)
	}
	g := &Group{
		Name:     name,
		Deadline: 30 * time.Second,
		MaxPlans: 2,
		tb:       tb,
		seeds:    seeds,
		rec:      NewRecorder(),
		admin:    kadm.NewClient(client),
		topics:   make(map[string]int32),
	}
	tb.Cleanup(g.close)
	return g
}

func (g *Group) close() {
	var wg sync.WaitGroup
	for _, m := range g.Live() {
		l := m.end()
		wg.Go(func() { l.crash(g.rec) })
	}
	wg.Wait()
	g.admin.Close()
	overlaps := g.rec.Overlaps()
	for _, o := range overlaps {
		g.tb.Errorf("%v", o)
	}
	if plans := g.rec.Plans(); !g.Faulty {
		for _, p := range plans {
			if p.Err != nil {
				g.tb.Errorf("generation %d, planned by %v: %v", p.Generation, p.By, p.Err)
			}
		}
	}
	if len(overlaps) > 0 || g.tb.Failed() {
		g.tb.Logf("timeline of group %s:\n%s", g.Name, g.rec.Timeline())
	}
}

// Recorder returns what has been recorded of the group.
func (g *Group) Recorder() *Recorder { return g.rec }

// Admin returns a client for whatever the Group has no method for.
func (g *Group) Admin() *kadm.Client { return g.admin }

// Member adds a member without starting it.
func (g *Group) Member(name string, spec Spec) *Member {
	m := &Member{Name: name, Spec: spec, g: g}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.members = append(g.members, m)
	return m
}

// Start adds a member and starts it.
func (g *Group) Start(name string, spec Spec) *Member {
	g.tb.Helper()
	m := g.Member(name, spec)
	m.Start()
	return m
}

// Live returns the members that run.
func (g *Group) Live() []*Member {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(g.members), func(m *Member) bool { return m.life == nil })
}

// CreateTopic creates a topic; Settle then wants all its partitions owned, if a
// live member reads it.
func (g *Group) CreateTopic(name string, partitions int32) {
	g.tb.Helper()
	if _, err := g.admin.CreateTopic(g.tb.Context(), partitions, 1, nil, name); err != nil {
		g.tb.Fatalf("creating topic %s: %v", name, err)
	}
	g.Expect(name, partitions)
}

// GrowTopic sets a topic's number of partitions to a larger one.
func (g *Group) GrowTopic(name string, partitions int32) {
	g.tb.Helper()
	rs, err := g.admin.UpdatePartitions(g.tb.Context(), int(partitions), name)
	if err == nil {
		err = rs.Error()
	}
	if err != nil {
		g.tb.Fatalf("growing topic %s: %v", name, err)
	}
	g.Expect(name, partitions)
}

// DeleteTopic deletes a topic; Settle then wants nothing of it.
func (g *Group) DeleteTopic(name string) {
	g.tb.Helper()
	rs, err := g.admin.DeleteTopics(g.tb.Context(), name)
	if err == nil {
		err = rs.Error()
	}
	if err != nil {
		g.tb.Fatalf("deleting topic %s: %v", name, err)
	}
	g.Expect(name, 0)
}

// Expect sets how many partitions of a topic Settle wants owned, for a topic
// that was made otherwise; 0: as many as the leader knows.
func (g *Group) Expect(topic string, partitions int32) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.topics[topic] = partitions
}

// expected returns the partitions that somebody live reads, by topic.
func (g *Group) expected(live []*Member) map[string]int32 {
	g.mu.Lock()
	defer g.mu.Unlock()
	want := make(map[string]int32)
	for _, m := range live {
		for _, t := range m.Spec.Topics {
			if n := g.topics[t]; n > 0 {
				want[t] = n
			}
		}
	}
	return want
}

// Wait waits until cond holds, which is looked at after each event, report and
// warning, and fails the test at the deadline. what completes "waiting until".
func (g *Group) Wait(what string, cond func() bool) {
	g.tb.Helper()
	g.waitFor(what, func() string {
		if cond() {
			return ""
		}
		return "it does not hold"
	})
}

// waitFor waits until missing returns "".
func (g *Group) waitFor(what string, missing func() string) {
	g.tb.Helper()
	ctx, cancel := context.WithTimeout(g.tb.Context(), g.Deadline)
	defer cancel()
	var last string
	if err := g.rec.Wait(ctx, func() bool {
		last = missing()
		return last == ""
	}); err != nil {
		g.tb.Fatalf("waited %v until %s: %s", g.Deadline, what, last)
	}
}
