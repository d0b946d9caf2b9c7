package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// A worker is one member of a group: a client that consumes records until it is
// stopped. A restart is a new worker under the same name.
type worker struct {
	name   string
	group  *group
	client *kgo.Client
	cancel context.CancelFunc // ends polling
	done   chan struct{}      // polling has ended
}

// startWorker returns as soon as the client runs; it has not joined by then.
func startWorker(g *group, name string) (*worker, error) {
	w := &worker{name: name, group: g, done: make(chan struct{})}
	balancer := g.strategy.balancer(name, g.warn)
	opts := []kgo.Opt{
		kgo.SeedBrokers(g.cluster.kafka.ListenAddrs()...),
		kgo.ClientID(name),
		kgo.ConsumerGroup(g.name),
		kgo.ConsumeTopics(g.cluster.topics...),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.Balancers(balancer),

		// Rebalances start at a heartbeat and fetches are not interrupted, so
		// the defaults (3 s, 5 s) would make a slow demo.
		kgo.HeartbeatInterval(g.heartbeat),
		kgo.FetchMaxWait(100 * time.Millisecond),

		// At least once: what was processed is marked, what is marked is
		// committed before a partition is given up.
		kgo.AutoCommitMarks(),
		kgo.BlockRebalanceOnPoll(),
		kgo.OnPartitionsAssigned(w.assigned),
		kgo.OnPartitionsRevoked(w.revoked),
		kgo.OnPartitionsLost(w.lost),
	}
	if hook, ok := balancer.(kgo.HookNewClient); ok {
		opts = append(opts, kgo.WithHooks(hook))
	}
	var err error
	if w.client, err = kgo.NewClient(opts...); err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	w.cancel = cancel
	go w.work(ctx)
	return w, nil
}

func (w *worker) work(ctx context.Context) {
	defer close(w.done)
	for ctx.Err() == nil {
		fetches := w.client.PollFetches(ctx)
		fetches.EachError(func(topic string, partition int32, err error) {
			if !errors.Is(err, context.Canceled) {
				w.group.fail(fmt.Errorf("%s fetching %s/%d: %w", w.name, topic, partition, err))
			}
		})
		fetches.EachRecord(func(r *kgo.Record) {
			w.group.process(r)
			w.client.MarkCommitRecords(r)
		})
		w.client.AllowRebalance()
	}
}

func (w *worker) assigned(_ context.Context, _ *kgo.Client, partitions map[string][]int32) {
	w.group.take(w.name, partitions)
}

func (w *worker) revoked(ctx context.Context, client *kgo.Client, partitions map[string][]int32) {
	if err := client.CommitMarkedOffsets(ctx); err != nil {
		w.group.fail(fmt.Errorf("%s committing: %w", w.name, err))
	}
	w.group.release(w.name, partitions)
}

func (w *worker) lost(_ context.Context, _ *kgo.Client, partitions map[string][]int32) {
	w.group.release(w.name, partitions)
}

// stop finishes the records at hand, commits and leaves the group.
func (w *worker) stop() {
	w.cancel()
	<-w.done
	w.client.CloseAllowingRebalance()
}
