package main

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// A cluster is an embedded Kafka with topic "orders" and group "g".
type cluster struct {
	*kfake.Cluster
	brokers string
	client  *kgo.Client
	admin   *kadm.Client
}

func newCluster(t *testing.T, partitions int32) *cluster {
	t.Helper()
	fake, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(partitions, "orders"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(fake.Close)
	c := &cluster{Cluster: fake, brokers: strings.Join(fake.ListenAddrs(), ",")}
	if c.client, err = kgo.NewClient(kgo.SeedBrokers(c.brokers), kgo.DefaultProduceTopic("orders")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.client.Close)
	c.admin = kadm.NewClient(c.client)
	return c
}

// produce returns the records as the brokers have them.
func (c *cluster) produce(t *testing.T, n int) []*kgo.Record {
	t.Helper()
	records := make([]*kgo.Record, n)
	for i := range records {
		records[i] = &kgo.Record{Key: fmt.Append(nil, i), Value: fmt.Append(nil, i)}
	}
	if err := c.client.ProduceSync(t.Context(), records...).FirstErr(); err != nil {
		t.Fatal(err)
	}
	return records
}

// ends returns the end offsets of a topic's partitions.
func (c *cluster) ends(t *testing.T, topic string) map[int32]int64 {
	t.Helper()
	listed, err := c.admin.ListEndOffsets(t.Context(), topic)
	if err != nil {
		t.Fatal(err)
	}
	ends := make(map[int32]int64)
	for p, end := range listed[topic] {
		ends[p] = end.Offset
	}
	return ends
}

func sum(offsets map[int32]int64) (n int64) {
	for _, o := range offsets {
		n += o
	}
	return n
}

// uncommitted returns how many records the group has not committed.
func (c *cluster) uncommitted(t *testing.T) int64 {
	t.Helper()
	left := c.ends(t, "orders")
	committed, err := c.admin.FetchOffsets(t.Context(), "g")
	if err != nil {
		t.Fatal(err)
	}
	committed.Each(func(o kadm.OffsetResponse) { left[o.Partition] -= o.At })
	return sum(left)
}

func (c *cluster) members(t *testing.T) int {
	t.Helper()
	groups, err := c.admin.DescribeGroups(t.Context(), "g")
	if err != nil {
		t.Fatal(err)
	}
	return len(groups["g"].Members)
}

// eventually waits for something that takes a moment.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not in 30 s: %s", what)
		}
	}
}

// A buffer may be written to by one goroutine and read by another.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
