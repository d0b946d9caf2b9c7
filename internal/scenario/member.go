package scenario

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/assignor/warm"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
	"github.com/twmb/franz-go/pkg/kgo"
)

// A Member is one consumer, which may be started, ended and started again; each
// start is a new client with a new Balancer. Its methods are for one goroutine.
type Member struct {
	Name string
	Spec Spec

	g     *Group
	lives int
	life  *life // nil: not running
}

// A life is a member from one start to its end.
type life struct {
	tb     testing.TB
	owner  Owner
	offers []string // protocols, the preferred first
	line   *line
	have   *warm.File // nil: it remembers nothing
	client *kgo.Client
	cancel context.CancelFunc // of everything the client does
	ran    sync.WaitGroup
	kill   sync.Once
}

// Client returns the client of a running member.
func (m *Member) Client() *kgo.Client { return m.life.client }

// Owner returns the present or latest life of the member.
func (m *Member) Owner() Owner { return Owner{m.Name, m.lives} }

// key is the member's key in a Group, "" where it is the member ID.
func (m *Member) key() string {
	if m.Spec.Identity != "" {
		return m.Spec.Identity
	}
	return m.Spec.Instance
}

// Start starts the member, or starts it again: a new client with a new member
// ID, unless it is static.
func (m *Member) Start() {
	m.g.tb.Helper()
	m.lives++
	l := &life{tb: m.g.tb, owner: m.Owner(), line: newLine()}
	ctx, cancel := context.WithCancel(context.Background())
	l.cancel = cancel
	client, err := kgo.NewClient(m.options(ctx, l)...)
	if err != nil {
		cancel()
		m.g.tb.Fatalf("starting %v: %v", l.owner, err)
	}
	l.client = client
	m.g.rec.Record(Event{Owner: l.owner, Kind: Started})
	m.g.mu.Lock()
	m.life = l
	m.g.mu.Unlock()
	if run := m.Spec.Run; run != nil {
		l.ran.Go(func() { run(ctx, client) })
	}
}

func (m *Member) options(ctx context.Context, l *life) []kgo.Opt {
	spec := m.Spec
	if spec.Memory != "" {
		l.remember(&spec)
	}
	balancers := spec.Balancers
	if balancers == nil {
		balancers = []kgo.GroupBalancer{m.g.Balancer(l.owner, spec)}
		if spec.Offers != nil {
			balancers = spec.Offers(balancers[0])
		}
	}
	for _, b := range balancers {
		l.offers = append(l.offers, b.ProtocolName())
	}
	opts := []kgo.Opt{
		kgo.SeedBrokers(m.g.seeds...),
		kgo.ClientID(m.Name),
		kgo.WithContext(ctx),
		kgo.Dialer(l.line.dial),
		kgo.ConsumerGroup(m.g.Name),
		kgo.ConsumeTopics(spec.Topics...),
		kgo.Balancers(balancers...),
		kgo.OnPartitionsAssigned(m.assigned(l)),
		kgo.OnPartitionsRevoked(m.taken(l, Revoked)),
		kgo.OnPartitionsLost(m.taken(l, Lost)),
	}
	if spec.Instance != "" {
		opts = append(opts, kgo.InstanceID(spec.Instance))
	}
	for _, b := range balancers {
		if b, ok := b.(*assignor.Balancer); ok && !spec.NoHook {
			opts = append(opts, kgo.WithHooks(b))
		}
	}
	opts = append(opts, fast()...)
	opts = append(opts, m.g.Client...)
	return append(opts, spec.Client...)
}

// fast are settings that let a group react in milliseconds. The timeouts are
// long, so that no starved machine reaches them; a scenario that is about one
// shortens it.
func fast() []kgo.Opt {
	return []kgo.Opt{
		kgo.HeartbeatInterval(50 * time.Millisecond),
		kgo.SessionTimeout(30 * time.Second),
		kgo.RebalanceTimeout(30 * time.Second),
		kgo.MetadataMinAge(20 * time.Millisecond),
		kgo.MetadataMaxAge(250 * time.Millisecond),
		kgo.RetryBackoffFn(func(int) time.Duration { return 20 * time.Millisecond }),
		kgo.DisableClientMetrics(),
		kgo.DisableFetchSessions(), // closing one costs up to a second
	}
}

type callback = func(context.Context, *kgo.Client, map[string][]int32)

func (m *Member) assigned(l *life) callback {
	return func(_ context.Context, cl *kgo.Client, ps map[string][]int32) {
		id, generation := cl.GroupMetadata()
		m.g.rec.Record(Event{Owner: l.owner, Kind: Assigned, Partitions: Flatten(ps), MemberID: id, Generation: generation})
	}
}

func (m *Member) taken(l *life, kind Kind) callback {
	revoking := m.Spec.Revoking
	return func(ctx context.Context, cl *kgo.Client, ps map[string][]int32) {
		if len(ps) == 0 {
			return // kgo calls at the end of each session
		}
		if revoking != nil {
			revoking(ctx, cl, ps)
		}
		if kind == Revoked {
			l.dropped(ps)
		}
		m.g.rec.Record(Event{Owner: l.owner, Kind: kind, Partitions: Flatten(ps)})
	}
}

// Stop ends the member gracefully: it revokes everything and leaves the group,
// unless it is static, and returns when it has.
func (m *Member) Stop() {
	l := m.end()
	l.freeze()
	l.client.Close()
	l.cancel()
	l.ran.Wait()
	m.g.rec.Record(Event{Owner: l.owner, Kind: Stopped})
}

// Crash ends the member as SIGKILL would: its connections are cut, and nothing
// more reaches the brokers.
func (m *Member) Crash() {
	l := m.end()
	l.crash(m.g.rec)
}

func (l *life) crash(rec *Recorder) {
	l.kill.Do(func() {
		l.freeze()
		l.line.cut()
		rec.Record(Event{Owner: l.owner, Kind: Crashed})
		l.cancel() // lets Close return at once
		l.client.Close()
		l.ran.Wait()
	})
}

// Restart stops the member and starts it again.
func (m *Member) Restart() {
	m.g.tb.Helper()
	m.Stop()
	m.Start()
}

func (m *Member) end() *life {
	m.g.mu.Lock()
	defer m.g.mu.Unlock()
	l := m.life
	m.life = nil
	if l == nil {
		m.g.tb.Fatalf("%s is not running", m.Name)
	}
	return l
}

// Balancer returns a Balancer for spec whose reports and warnings are recorded
// as those of by: for Spec.Balancers, alone or beside others.
func (g *Group) Balancer(by Owner, spec Spec) *assignor.Balancer {
	g.tb.Helper()
	var strategy assignor.Strategy = hrw.Strategy{}
	if spec.Strategy != nil {
		strategy = spec.Strategy
	} else if g.Ours != nil {
		strategy = g.Ours
	}
	opts := []assignor.Option{
		assignor.OnPlan(func(r assignor.Report) { g.rec.Planned(by, r) }),
		assignor.OnWarning(func(w assignor.Warning) { g.rec.Warned(by, w) }),
	}
	if spec.Identity != "" {
		opts = append(opts, assignor.Identity(spec.Identity))
	}
	b, err := assignor.New(strategy, append(opts, spec.Options...)...)
	if err != nil {
		g.tb.Fatalf("balancer of %v: %v", by, err)
	}
	return b
}
