package assignor

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// A Balancer carries a Strategy through Kafka's classic group protocol. It is a
// kgo.GroupBalancer, for kgo.Balancers, and a kgo.Hook: with
//
//	kgo.Balancers(b), kgo.WithHooks(b)
//
// it knows its client and, as leader, asks for rounds that are owed and that
// the broker does not bring, for example when a static member dies between
// giving up partitions and joining again.
//
// A Balancer belongs to one client. Given to two it stays race-free, warns, and
// remembers less than two would.
type Balancer struct {
	strategy Strategy
	cfg      *config
	protocol string
	user     userData
	warm     warmList

	// planning serialises rounds: a client runs one at a time, but a
	// Balancer may have been given to two.
	planning sync.Mutex
	groups   map[string]*memory // by consumer group

	debt debt

	mu      sync.Mutex // guards what follows
	clients []*kgo.Client
	leading bool   // MemberBalancer was called since the latest join
	led     bool   // a plan was made since this member last found itself following
	leader  string // its member ID then
	group   string // the consumer group, as soon as it is known

	// One call of a callback at a time.
	warning, reporting sync.Mutex
}

// The names that kgo treats in a way of its own.
var reserved = []string{"range", "roundrobin", "sticky", "cooperative-sticky"}

const eagerSuffix = "-eager"

// New returns a Balancer for s. Its error names every option and setting that
// makes no sense and says what to do.
func New(s Strategy, opts ...Option) (*Balancer, error) {
	if s == nil {
		return nil, errors.New("assignor: no strategy: give hrw.Strategy{}, for example")
	}
	name := s.Name()
	cfg, err := newConfig(opts)
	errs := []error{err}
	switch {
	case name == "":
		errs = append(errs, fmt.Errorf("strategy %T has no name: its Name must return the protocol name", s))
	case slices.Contains(reserved, name):
		errs = append(errs, fmt.Errorf("strategy %T is named %q like one of kgo's own balancers: choose another name", s, name))
	case strings.HasSuffix(name, eagerSuffix):
		errs = append(errs, fmt.Errorf("strategy %T is named %q: the ending is added by Eager", s, name))
	}
	if v, ok := s.(Validator); ok {
		errs = append(errs, v.Validate())
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("assignor: strategy %q: %w", name, err)
	}
	b := &Balancer{
		strategy: s,
		cfg:      cfg,
		protocol: name,
		groups:   make(map[string]*memory),
		user:     userData{identity: cfg.identity, weight: cfg.weight, endpoint: cfg.endpoint, settings: fingerprint(s)},
	}
	if cfg.eager {
		b.protocol += eagerSuffix
	}
	if cfg.pinned {
		b.user.flags |= flagPinned
	}
	b.warm.fn = cfg.warm
	b.debt.force, b.debt.idle = b.forceRebalance, b.warnOwed
	return b, nil
}

// ProtocolName returns the strategy's name, with "-eager" under Eager.
func (b *Balancer) ProtocolName() string { return b.protocol }

// IsCooperative tells whether members keep partitions through a rebalance.
func (b *Balancer) IsCooperative() bool { return !b.cfg.eager }

// JoinGroupMetadata returns this member's join metadata: the same bytes for the
// same input.
func (b *Balancer) JoinGroupMetadata(topics []string, current map[string][]int32, generation int32) []byte {
	b.debt.settle() // a round has begun
	b.mu.Lock()
	b.leading = false
	b.mu.Unlock()
	user := b.user
	user.warm = b.warmFor(topics, generation)
	return encodeMetadata(topics, current, generation, &user)
}

// warmFor returns this member's warm list, encoded.
func (b *Balancer) warmFor(topics []string, generation int32) []byte {
	warm, err := b.warm.get(generation)
	if err != nil {
		b.warn(Warning{Kind: WarnWarm, Message: "the Warm function failed, this member joins as if it had nothing at hand", Err: err})
	}
	list, cut := encodeWarm(topics, warm)
	if cut {
		b.warn(Warning{Kind: WarnWarm, Message: fmt.Sprintf("the warm list is cut: all that is at hand takes more than %d bytes of the join metadata; tell of fewer partitions, or of ranges of them", maxWarm)})
	}
	return list
}

// ParseSyncAssignment returns what the leader assigned to this member. Empty
// bytes, as a broker may send to a static member (KAFKA-9801), assign nothing.
func (b *Balancer) ParseSyncAssignment(assignment []byte) (map[string][]int32, error) {
	b.synced()
	if len(assignment) == 0 {
		return map[string][]int32{}, nil
	}
	if b.cfg.pinned {
		var a kmsg.ConsumerMemberAssignment
		if err := a.ReadFrom(assignment); err == nil && len(a.UserData) == 0 {
			b.warn(Warning{Kind: WarnPinned, Message: "this member is pinned, but the leader's assignment carries no marker, so a member of the new consumer protocol can take the group over: run this version on all members"})
		}
	}
	return kgo.ParseConsumerSyncAssignment(assignment)
}

// synced notices when this member led the group and now follows.
func (b *Balancer) synced() {
	b.mu.Lock()
	follows := b.led && !b.leading
	if follows {
		b.led = false
	}
	b.mu.Unlock()
	if follows {
		b.onFollow()
	}
}

// MemberBalancer begins a round on the leader: it decodes every member's
// metadata. It never fails for what a member sent.
func (b *Balancer) MemberBalancer(members []kmsg.JoinGroupResponseMember) (kgo.GroupMemberBalancer, map[string]struct{}, error) {
	b.mu.Lock()
	b.leading = true
	b.mu.Unlock()
	r := beginRound(b, members)
	// A bare *kgo.ConsumerBalancer: only for one does kgo look up racks.
	cb, err := kgo.NewConsumerBalancer(r, r.shown)
	if err != nil {
		return nil, nil, fmt.Errorf("strategy %q: %w", b.protocol, err)
	}
	return cb, r.topics(), nil
}

// OnNewClient implements kgo.HookNewClient.
func (b *Balancer) OnNewClient(cl *kgo.Client) {
	b.mu.Lock()
	b.clients = append(b.clients, cl)
	if group, ok := cl.OptValue(kgo.ConsumerGroup).(string); ok {
		b.group = group
	}
	shared := len(b.clients) > 1
	b.mu.Unlock()
	if shared {
		b.warnShared()
		return
	}
	b.debt.timeouts(durationOption(cl, kgo.RebalanceTimeout), durationOption(cl, kgo.MetadataMaxAge))
}

// OnClientClosed implements kgo.HookClientClosed.
func (b *Balancer) OnClientClosed(cl *kgo.Client) {
	b.mu.Lock()
	b.clients = slices.DeleteFunc(b.clients, func(c *kgo.Client) bool { return c == cl })
	last := len(b.clients) == 0
	led := b.led
	if last {
		b.led, b.leading = false, false
	}
	b.mu.Unlock()
	if !last {
		return
	}
	b.debt.settle()
	if led {
		b.onFollow()
	}
}

func (b *Balancer) warnShared() {
	b.warn(Warning{Kind: WarnShared, Message: "one Balancer was given to two clients: make one for each, a Strategy may be shared"})
}

// forceRebalance asks for a round, and tells whether there was a client to ask.
func (b *Balancer) forceRebalance() bool {
	b.mu.Lock()
	clients := slices.Clone(b.clients)
	b.mu.Unlock()
	for _, cl := range clients {
		cl.ForceRebalance()
	}
	return len(clients) > 0
}

func (b *Balancer) warnOwed() {
	b.warn(Warning{Kind: WarnOwed, Message: "partitions wait for a further rebalance that nothing brings: give the Balancer to kgo.WithHooks too, or call ForceRebalance"})
}

// warn completes a warning and hands it to every OnWarning.
func (b *Balancer) warn(w Warning) {
	b.mu.Lock()
	w.Strategy, w.Group = b.protocol, b.group
	b.mu.Unlock()
	b.warning.Lock()
	defer b.warning.Unlock()
	for _, fn := range b.cfg.onWarning {
		if err := recovered(func() { fn(w) }); err != nil {
			logWarning(Warning{Kind: WarnCallback, Strategy: b.protocol, Group: w.Group, Message: "OnWarning panicked", Err: err})
		}
	}
}

func (b *Balancer) onFollow() {
	for _, fn := range b.cfg.onFollow {
		if err := recovered(fn); err != nil {
			b.warn(Warning{Kind: WarnCallback, Message: "OnFollow panicked", Err: err})
		}
	}
}

// recovered runs fn and returns its panic as an error: a callback must not
// cost a member its process in the middle of a rebalance.
func recovered(fn func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	fn()
	return nil
}

var (
	_ kgo.GroupBalancer    = (*Balancer)(nil)
	_ kgo.HookNewClient    = (*Balancer)(nil)
	_ kgo.HookClientClosed = (*Balancer)(nil)
)
