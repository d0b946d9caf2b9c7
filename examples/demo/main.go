// Command demo shows in a minute what a rebalance moves. It starts an embedded
// Kafka (kfake, no Docker), produces records, and lets consumer groups of real
// kgo clients read them through the same history: workers start, one joins, one
// leaves, one restarts, then all restart one by one. The groups differ in
// nothing but their balancer: strategies of this module beside kgo's
// cooperative-sticky.
//
//	go run ./examples/demo
//	go run ./examples/demo -strategy sticky -partitions 12
//
// Nothing is scripted: what it prints comes from the clients' own callbacks.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	os.Exit(demo(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// demo runs the command and returns its exit status.
func demo(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	cfg, plain, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, usage())
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "demo: %v (see -help)\n", err)
		return 2
	}
	s := newScreen(stdout, plain, names(cfg.strategies))
	_, err = run(ctx, cfg, s)
	s.clear()
	switch {
	case err != nil && ctx.Err() != nil:
		fmt.Fprintln(stderr, "demo: interrupted, all workers have left")
		return 130
	case err != nil:
		fmt.Fprintf(stderr, "demo: %v\n", err)
		return 1
	}
	return 0
}

// run plays the history under every strategy and shows it.
func run(ctx context.Context, cfg config, s *screen) ([]*result, error) {
	c, err := startCluster(cfg.topics, cfg.partitions)
	if err != nil {
		return nil, err
	}
	defer c.close()
	s.intro(cfg)

	groups := make([]*group, len(cfg.strategies))
	results := make([]*result, len(groups))
	for i, st := range cfg.strategies {
		groups[i] = newGroup(c, st, cfg, s)
		defer groups[i].close()
		results[i] = &result{name: st.name}
	}
	if err := c.startProducing(ctx); err != nil {
		return nil, err
	}
	for n, st := range newHistory(cfg.members, cfg.seed) {
		// Side by side in time too: all groups live through a step at once.
		err := each(groups, func(i int, g *group) error {
			o, err := g.play(ctx, st)
			results[i].outcomes = append(results[i].outcomes, o)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("step %d (%s): %w", n+1, st.title, err)
		}
		s.step(n+1, st, cfg.topics, results)
	}
	if err := c.stopProducing(ctx); err != nil {
		return nil, err
	}
	err = each(groups, func(i int, g *group) error {
		err := g.drain(ctx)
		results[i].records, results[i].warnings = g.tally(), g.warned()
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("processing the last records: %w", err)
	}
	s.closing(results)
	return results, nil
}

// each calls fn for every group at the same time.
func each(groups []*group, fn func(int, *group) error) error {
	errs := make([]error, len(groups))
	var wg sync.WaitGroup
	for i, g := range groups {
		wg.Go(func() {
			if err := fn(i, g); err != nil {
				errs[i] = fmt.Errorf("%s: %w", g.strategy.name, err)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}
