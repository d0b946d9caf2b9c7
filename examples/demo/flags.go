package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

type config struct {
	strategies []strategy
	topics     []string
	partitions int // of each topic
	members    int // at the start
	seed       uint64
	heartbeat  time.Duration
	patience   time.Duration // for a group to settle
}

// The limits are what a grid of 100 columns can show.
const (
	maxPartitions = 64
	maxMembers    = 12
)

// What is shown without flags, in 80 columns.
const defaultStrategies = "hrw,sticky"

var topicNames = []string{"orders", "mails", "payments", "clicks", "carts", "returns", "prices", "stock"}

func flags(cfg *config, name *string, topics *int, plain *bool) *flag.FlagSet {
	fs := flag.NewFlagSet("demo", flag.ContinueOnError)
	fs.SetOutput(io.Discard) // errors are printed by demo, on one line
	fs.StringVar(name, "strategy", defaultStrategies, "`NAME,...` to show beside kgo's "+baseline.name+": "+strings.Join(names(ours), ", "))
	fs.IntVar(topics, "topics", 2, fmt.Sprintf("number of topics, 1 to %d", len(topicNames)))
	fs.IntVar(&cfg.partitions, "partitions", 6, fmt.Sprintf("partitions of each topic, 1 to %d", maxPartitions))
	fs.IntVar(&cfg.members, "members", 3, fmt.Sprintf("workers at the start, 2 to %d", maxMembers))
	fs.Uint64Var(&cfg.seed, "seed", 1, "chooses who leaves and who restarts")
	fs.BoolVar(plain, "plain", false, "no colour and no progress line, as when piped or with NO_COLOR set")
	return fs
}

func usage() string {
	var b strings.Builder
	b.WriteString("demo: what a rebalance moves, on an embedded Kafka.\n\nFlags:\n")
	fs := flags(new(config), new(string), new(int), new(bool))
	fs.SetOutput(&b)
	fs.PrintDefaults()
	return b.String()
}

func parse(args []string) (cfg config, plain bool, err error) {
	var name string
	var topics int
	fs := flags(&cfg, &name, &topics, &plain)
	if err := fs.Parse(args); err != nil {
		return cfg, plain, err
	}
	within := func(flag string, n, low, high int) error {
		if n < low || n > high {
			return fmt.Errorf("-%s %d: give a number from %d to %d", flag, n, low, high)
		}
		return nil
	}
	var errs []error
	if cfg.strategies, err = choose(name); err != nil {
		errs = append(errs, err)
	}
	errs = append(errs,
		within("topics", topics, 1, len(topicNames)),
		within("partitions", cfg.partitions, 1, maxPartitions),
		within("members", cfg.members, 2, maxMembers))
	if fs.NArg() > 0 {
		errs = append(errs, fmt.Errorf("unexpected argument %q: all settings are flags", fs.Arg(0)))
	}
	if err := errors.Join(errs...); err != nil {
		return cfg, plain, errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	cfg.topics = topicNames[:topics]
	cfg.heartbeat = 100 * time.Millisecond
	cfg.patience = 30 * time.Second
	return cfg, plain, nil
}

// choose returns the strategies of these names, and what they are shown beside.
func choose(list string) (chosen []strategy, err error) {
	for _, name := range strings.Split(list, ",") {
		is := func(s strategy) bool { return s.name == strings.TrimSpace(name) }
		i := slices.IndexFunc(ours, is)
		switch {
		case i < 0:
			return nil, fmt.Errorf("-strategy %q: there is %s", name, strings.Join(names(ours), ", "))
		case slices.ContainsFunc(chosen, is):
			return nil, fmt.Errorf("-strategy: %q is there twice, leave one out", name)
		}
		chosen = append(chosen, ours[i])
	}
	return append(chosen, baseline), nil
}
