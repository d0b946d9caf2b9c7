package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// A cluster is an embedded Kafka with a producer that writes keyed records to
// all topics for as long as the history lasts, so that workers have something
// to lose when partitions move.
type cluster struct {
	kafka    *kfake.Cluster
	producer *kgo.Client
	topics   []string
	index    map[string]int // by topic

	partitions int
	stop       context.CancelFunc // ends producing; nil: not producing
	stopped    chan struct{}

	mu      sync.Mutex
	ends    [][]int64 // by topic and partition: records written
	failure error
}

const (
	customers     = 1000 // keys
	perTick       = 5    // records to each topic
	tick          = 10 * time.Millisecond
	flushDeadline = 10 * time.Second
)

func startCluster(topics []string, partitions int) (*cluster, error) {
	kafka, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(int32(partitions), topics...))
	if err != nil {
		return nil, fmt.Errorf("starting the embedded Kafka: %w", err)
	}
	c := &cluster{kafka: kafka, topics: topics, partitions: partitions, index: make(map[string]int)}
	for t, topic := range topics {
		c.index[topic] = t
		c.ends = append(c.ends, make([]int64, partitions))
	}
	c.producer, err = kgo.NewClient(kgo.SeedBrokers(kafka.ListenAddrs()...), kgo.ClientID("producer"), kgo.ProducerLinger(0))
	if err != nil {
		kafka.Close()
		return nil, fmt.Errorf("starting the producer: %w", err)
	}
	return c, nil
}

// startProducing writes a first batch and goes on in the background.
func (c *cluster) startProducing(ctx context.Context) error {
	c.produce(ctx, 0, customers)
	if err := c.flush(ctx); err != nil {
		return err
	}
	ctx, c.stop = context.WithCancel(ctx)
	c.stopped = make(chan struct{})
	go func() {
		defer close(c.stopped)
		ticker := time.NewTicker(tick)
		defer ticker.Stop()
		for n := customers; ; n += perTick {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				// Not with ctx: what is under way when producing ends is still
				// to be written.
				c.produce(context.WithoutCancel(ctx), n, perTick)
			}
		}
	}()
	return nil
}

func (c *cluster) produce(ctx context.Context, from, n int) {
	for i := from; i < from+n; i++ {
		for _, topic := range c.topics {
			r := &kgo.Record{Topic: topic, Key: []byte("customer-" + strconv.Itoa(i%customers)), Value: []byte(strconv.Itoa(i))}
			c.producer.Produce(ctx, r, c.produced)
		}
	}
}

// produced is the producer's callback for each record.
func (c *cluster) produced(r *kgo.Record, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		c.failure = errors.Join(c.failure, fmt.Errorf("producing to %s: %w", r.Topic, err))
		return
	}
	end := &c.ends[c.index[r.Topic]][r.Partition]
	*end = max(*end, r.Offset+1)
}

// stopProducing waits until everything is written.
func (c *cluster) stopProducing(ctx context.Context) error {
	c.halt()
	return c.flush(ctx)
}

func (c *cluster) halt() {
	if c.stop != nil {
		c.stop()
		<-c.stopped
		c.stop = nil
	}
}

func (c *cluster) flush(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, flushDeadline)
	defer cancel()
	if err := c.producer.Flush(ctx); err != nil {
		return fmt.Errorf("the producer could not write its records: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failure
}

// written returns the number of records by topic and partition.
func (c *cluster) written() [][]int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := make([][]int64, len(c.ends))
	for t := range c.ends {
		out[t] = slices.Clone(c.ends[t])
	}
	return out
}

func (c *cluster) close() {
	c.halt()
	c.producer.Close()
	c.kafka.Close()
}
