package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
	"github.com/kgo-rendezvous/kgo-rendezvous/ring"
	"github.com/kgo-rendezvous/kgo-rendezvous/sticky"
)

var strategies = map[string]assignor.Strategy{
	"hrw":          hrw.Strategy{},
	"hrw-bounded":  hrw.Strategy{LoadBound: 1.25},
	"hrw-slots":    hrw.Strategy{Slots: true},
	"ring":         ring.Strategy{},
	"ring-bounded": ring.Strategy{LoadBound: 1.25},
	"sticky":       sticky.Strategy{},
}

func strategyNames() string {
	return strings.Join(slices.Sorted(maps.Keys(strategies)), ", ")
}

func newBalancer(c *config, opts ...assignor.Option) (*assignor.Balancer, error) {
	if c.identity != "" {
		opts = append(opts, assignor.Identity(c.identity))
	}
	if c.weight != 1 {
		opts = append(opts, assignor.Weight(uint32(min(c.weight, math.MaxUint32))))
	}
	if c.endpoint != "" {
		opts = append(opts, assignor.Endpoint(c.endpoint))
	}
	if c.eager {
		opts = append(opts, assignor.Eager())
	}
	if c.pinned {
		opts = append(opts, assignor.Pinned())
	}
	b, err := assignor.New(strategies[c.strategy], opts...)
	if err != nil {
		return nil, usageError{fmt.Errorf("-strategy, -identity, -weight, -endpoint: %w", err)}
	}
	return b, nil
}

// newClient starts a client that hands its partitions to w.
func newClient(c *config, w *worker, b *assignor.Balancer) (*kgo.Client, error) {
	opts := []kgo.Opt{
		kgo.SeedBrokers(c.brokers...),
		kgo.ConsumerGroup(c.group),
		kgo.ConsumeTopics(c.topics...),
		// Where nothing is committed yet: at the end, records that were there
		// before the first worker would never be processed.
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),

		kgo.Balancers(b),
		kgo.WithHooks(b, w), // lets the leader ask for rounds that are owed

		kgo.SessionTimeout(c.session),
		kgo.HeartbeatInterval(c.heartbeat),
		kgo.RebalanceTimeout(c.rebalance),
		// A member that is cut off notices after this time at the latest.
		// Beyond the session timeout others have its partitions already.
		kgo.RequestTimeoutOverhead(max(c.session/3, 100*time.Millisecond)),

		// A partition that arrives waits for the broker to answer the fetch
		// that is under way without it: with kgo's default for 5 s, if no
		// other partition there has records. Java's default is this.
		kgo.FetchMaxWait(500 * time.Millisecond),

		// At least once: a record is marked when it is processed, and only
		// what is marked is committed, now and then, and by onRevoked. Until
		// the records of a poll are done, none of their partitions is taken
		// away; max-poll bounds how long the group waits for that.
		kgo.AutoCommitMarks(),
		kgo.AutoCommitInterval(c.commits),
		kgo.AutoCommitCallback(w.onAutoCommit),
		kgo.BlockRebalanceOnPoll(),
		kgo.OnPartitionsAssigned(w.onAssigned),
		kgo.OnPartitionsRevoked(w.onRevoked),
		kgo.OnPartitionsLost(w.onLost),

		kgo.WithLogger(clientLog{w.log}),
	}
	if c.instanceID != "" {
		opts = append(opts, kgo.InstanceID(c.instanceID))
	}
	if c.rack != "" {
		opts = append(opts, kgo.Rack(c.rack))
	}
	if c.name() != "" {
		// Tools that do not know our metadata show the client ID.
		opts = append(opts, kgo.ClientID(c.name()))
	}
	cl, err := kgo.NewClient(opts...)
	if err != nil {
		return nil, usageError{fmt.Errorf("the Kafka client refuses a flag: %w", err)}
	}
	return cl, nil
}
