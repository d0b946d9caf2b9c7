package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

const aboutProduce = `worker produce makes a topic, if it is not there, and records to read: the values are
numbers from 0 up, each key has the same partition throughout.

  worker produce -topic NAME [flags]
`

type produceConfig struct {
	brokers           []string
	topic             string
	partitions, count int
	keys, rate        int
}

func parseProduceConfig(args []string, env lookupEnv, out io.Writer) (*produceConfig, error) {
	c := &produceConfig{brokers: []string{"127.0.0.1:9092"}, partitions: 12, count: 10_000, keys: 100, rate: 100}
	s := newSettings(aboutProduce)
	define(s, &c.brokers, "brokers", "`HOST:PORT,...` to find the cluster by", brokers)
	define(s, &c.topic, "topic", "`NAME` of the topic", text)
	define(s, &c.partitions, "partitions", "`NUMBER` of partitions, if the topic is new", whole)
	define(s, &c.count, "count", "`NUMBER` of records; 0 makes the topic only", whole)
	define(s, &c.keys, "keys", "`NUMBER` of different keys", whole)
	define(s, &c.rate, "rate", "`NUMBER` of records a second", whole)
	if err := s.parse(args, env, out); err != nil {
		return nil, err
	}
	var errs []error
	if c.topic == "" {
		errs = append(errs, errors.New("-topic is missing: name the topic"))
	} else if !legalTopic.MatchString(c.topic) {
		errs = append(errs, fmt.Errorf("-topic: %q is no name of a topic", c.topic))
	}
	for name, n := range map[string]int{"partitions": c.partitions, "keys": c.keys, "rate": c.rate} {
		if n == 0 {
			errs = append(errs, fmt.Errorf("-%s is 0: give at least 1", name))
		}
	}
	if len(errs) > 0 {
		return nil, usageError{errors.Join(errs...)}
	}
	return c, nil
}

// produce is the command "worker produce".
func produce(ctx context.Context, args []string, env lookupEnv, stdout, stderr io.Writer) error {
	c, err := parseProduceConfig(args, env, stdout)
	if err != nil {
		return err
	}
	log := newLog(&config{}, stderr)
	cl, err := kgo.NewClient(
		kgo.SeedBrokers(c.brokers...),
		kgo.ClientID("producer"),
		kgo.WithLogger(clientLog{log}),
	)
	if err != nil {
		return usageError{err}
	}
	defer cl.Close()
	if err := makeTopic(ctx, c, kadm.NewClient(cl), log); err != nil {
		if ctx.Err() != nil {
			return nil // stopped meanwhile
		}
		return fmt.Errorf("topic %q: %w", c.topic, err)
	}
	sent, err := send(ctx, c, cl)
	log.Info("produced", "topic", c.topic, "records", sent)
	return err
}

// makeTopic makes the topic unless it is there, and waits until it can be used.
func makeTopic(ctx context.Context, c *produceConfig, admin *kadm.Client, log *slog.Logger) error {
	_, err := admin.CreateTopic(ctx, int32(c.partitions), -1, nil, c.topic)
	switch {
	case errors.Is(err, kerr.TopicAlreadyExists):
		log.Info("the topic is there", "topic", c.topic)
	case err != nil:
		return err
	default:
		log.Info("made the topic", "topic", c.topic, "partitions", c.partitions)
	}
	for {
		topics, err := admin.ListTopics(ctx, c.topic)
		if err != nil {
			return err
		}
		t := topics[c.topic]
		if t.Err != nil && !kerr.IsRetriable(t.Err) {
			return t.Err
		}
		ready := t.Err == nil && len(t.Partitions) > 0
		for _, p := range t.Partitions {
			ready = ready && p.Err == nil && p.Leader >= 0
		}
		if ready {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// send produces at an even rate until all is sent, ctx ends, or a record fails.
// It returns how many the brokers have.
func send(ctx context.Context, c *produceConfig, cl *kgo.Client) (int64, error) {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	var sent atomic.Int64
	start := time.Now()
	for i := range c.count {
		due := time.NewTimer(time.Until(start.Add(time.Duration(i) * time.Second / time.Duration(c.rate))))
		select {
		case <-ctx.Done():
			due.Stop()
		case <-due.C:
		}
		if ctx.Err() != nil {
			break
		}
		r := &kgo.Record{Topic: c.topic, Key: fmt.Append(nil, "key-", i%c.keys), Value: strconv.AppendInt(nil, int64(i), 10)}
		// Not under ctx: what was handed over is sent, also when we stop.
		cl.Produce(context.Background(), r, func(_ *kgo.Record, err error) {
			if err != nil {
				fail(fmt.Errorf("cannot produce: %w", err))
				return
			}
			sent.Add(1)
		})
	}
	flush, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	err := cl.Flush(flush)
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	return sent.Load(), err
}
