package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// A group is one consumer group under one strategy: its workers and what they
// say in their callbacks, which is where all numbers come from.
type group struct {
	name      string
	strategy  strategy
	cluster   *cluster
	heartbeat time.Duration
	patience  time.Duration
	screen    *screen

	mu       sync.Mutex
	workers  map[string]*worker  // those that run
	former   map[string][]string // member IDs of those that were stopped
	owners   placement           // by callbacks
	overlaps int                 // assigned to a worker while another still had it
	ledgers  [][]ledger          // by topic and partition
	warnings []string
	failure  error

	changed chan struct{} // a callback was called
}

func newGroup(c *cluster, st strategy, cfg config, s *screen) *group {
	g := &group{
		name: "demo-" + st.name, strategy: st, cluster: c, screen: s,
		heartbeat: cfg.heartbeat, patience: cfg.patience,
		workers: make(map[string]*worker),
		former:  make(map[string][]string),
		owners:  newPlacement(len(c.topics), c.partitions),
		changed: make(chan struct{}, 1),
	}
	for range c.topics {
		g.ledgers = append(g.ledgers, make([]ledger, c.partitions))
	}
	return g
}

// apply starts and stops workers; it does not wait for the group.
func (g *group) apply(ch change) error {
	for _, name := range ch.stop {
		g.mu.Lock()
		w := g.workers[name]
		delete(g.workers, name)
		g.mu.Unlock()
		id, _ := w.client.GroupMetadata()
		g.former[name] = append(g.former[name], id)
		w.stop()
	}
	for _, name := range ch.start {
		w, err := startWorker(g, name)
		if err != nil {
			return err
		}
		g.mu.Lock()
		g.workers[name] = w
		g.mu.Unlock()
	}
	return nil
}

// close stops all workers, as on Ctrl-C.
func (g *group) close() {
	g.mu.Lock()
	workers := slices.Collect(maps.Values(g.workers))
	clear(g.workers)
	g.mu.Unlock()
	var wg sync.WaitGroup
	for _, w := range workers {
		wg.Go(w.stop)
	}
	wg.Wait()
}

func (g *group) take(name string, partitions map[string][]int32) {
	g.mu.Lock()
	for topic, ps := range partitions {
		for _, p := range ps {
			owner := &g.owners[g.cluster.index[topic]][p]
			if *owner != "" && *owner != name {
				g.overlaps++
			}
			*owner = name
		}
	}
	g.mu.Unlock()
	g.wake()
}

func (g *group) release(name string, partitions map[string][]int32) {
	g.mu.Lock()
	for topic, ps := range partitions {
		for _, p := range ps {
			if owner := &g.owners[g.cluster.index[topic]][p]; *owner == name {
				*owner = ""
			}
		}
	}
	g.mu.Unlock()
	g.wake()
}

func (g *group) process(r *kgo.Record) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ledgers[g.cluster.index[r.Topic]][r.Partition].process(r.Offset)
}

func (g *group) warn(w assignor.Warning) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.warnings = append(g.warnings, w.String())
}

func (g *group) warned() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.warnings)
}

func (g *group) fail(err error) {
	g.mu.Lock()
	g.failure = errors.Join(g.failure, err)
	g.mu.Unlock()
	g.wake()
}

func (g *group) wake() {
	select {
	case g.changed <- struct{}{}:
	default:
	}
}

func (g *group) placement() placement {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.owners.clone()
}

// wait returns when missing returns nothing, or with an error that says what
// is missing still. It looks again after every callback, and from time to time
// for what has none: the broker's state, records.
func (g *group) wait(ctx context.Context, missing func() []string) error {
	start := time.Now()
	deadline := time.NewTimer(g.patience)
	defer deadline.Stop()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for {
		reasons := missing()
		g.mu.Lock()
		failure := g.failure
		g.mu.Unlock()
		switch {
		case failure != nil:
			return failure
		case len(reasons) == 0:
			g.screen.status(g.strategy.name, settled)
			return nil
		}
		g.screen.status(g.strategy.name, reasons[0])
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-deadline.C:
			return fmt.Errorf("still not settled after %v: %s", time.Since(start).Round(time.Millisecond), strings.Join(reasons, "; "))
		case <-g.changed:
		case <-look.C:
		}
	}
}
