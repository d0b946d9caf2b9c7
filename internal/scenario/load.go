package scenario

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// A Record is one that was produced.
type Record struct {
	Partition Partition
	Offset    int64
	Value     string
}

// Produce produces records with consecutive numbers as their values, to all
// partitions of a topic in turn, until the returned function is called, which
// returns them.
func Produce(tb testing.TB, seeds []string, topic string, partitions int32) (stop func() []Record) {
	tb.Helper()
	cl, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.DefaultProduceTopic(topic), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.DisableClientMetrics())
	if err != nil {
		tb.Fatal(err)
	}
	var mu sync.Mutex
	var records []Record
	produced := func(r *kgo.Record, err error) {
		if err != nil {
			tb.Errorf("producing: %v", err)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		records = append(records, Record{Partition{r.Topic, r.Partition}, r.Offset, string(r.Value)})
	}
	quit := make(chan struct{})
	var done sync.WaitGroup
	done.Go(func() {
		pace := time.NewTicker(2 * time.Millisecond)
		defer pace.Stop()
		for n := 0; ; n++ {
			select {
			case <-quit:
				return
			case <-pace.C:
				cl.Produce(context.Background(), &kgo.Record{Partition: int32(n) % partitions, Value: strconv.AppendInt(nil, int64(n), 10)}, produced)
			}
		}
	})
	end := sync.OnceFunc(func() {
		close(quit)
		done.Wait()
		if err := cl.Flush(context.Background()); err != nil {
			tb.Errorf("producing: %v", err)
		}
		cl.Close()
	})
	tb.Cleanup(end)
	return func() []Record {
		end()
		return records
	}
}

// A Load is records that are produced to a topic of a Group all the time, and
// what its members did with them.
type Load struct {
	g        *Group
	stop     func() []Record
	progress chan struct{}

	mu     sync.Mutex
	seen   map[position]string // the value processed
	faults []string
}

type position struct {
	Partition
	offset int64
}

// Load starts to produce to a topic.
func (g *Group) Load(topic string) *Load {
	g.tb.Helper()
	g.mu.Lock()
	n := g.topics[topic]
	g.mu.Unlock()
	return &Load{
		g:        g,
		stop:     Produce(g.tb, g.seeds, topic, n),
		progress: make(chan struct{}, 1),
		seen:     make(map[position]string),
	}
}

// Processing returns the Spec of a member that processes the records, and
// commits what it has processed when partitions are taken.
func (l *Load) Processing(name string, spec Spec) Spec {
	spec.Client = append(spec.Client[:len(spec.Client):len(spec.Client)],
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.FetchMaxWait(100*time.Millisecond),
		kgo.AutoCommitMarks(),
		kgo.BlockRebalanceOnPoll(), // so nothing is taken while it is processed
	)
	spec.Run = func(ctx context.Context, cl *kgo.Client) {
		for {
			fetches := cl.PollFetches(ctx)
			fetches.EachRecord(func(r *kgo.Record) {
				l.process(name, r)
				cl.MarkCommitRecords(r)
			})
			cl.AllowRebalance()
			if ctx.Err() != nil || fetches.IsClientClosed() {
				return
			}
		}
	}
	spec.Revoking = func(ctx context.Context, cl *kgo.Client, _ map[string][]int32) {
		if err := cl.CommitMarkedOffsets(ctx); err != nil {
			l.fault("%s cannot commit before it gives up partitions: %v", name, err)
		}
	}
	return spec
}

func (l *Load) process(name string, r *kgo.Record) {
	part := Partition{r.Topic, r.Partition}
	if owners := l.g.rec.OwnersOf(part); len(owners) != 1 || owners[0].Member != name {
		l.fault("%s processed offset %d of %v, owned by %v", name, r.Offset, part, owners)
	}
	at := position{part, r.Offset}
	l.mu.Lock()
	_, again := l.seen[at]
	l.seen[at] = string(r.Value)
	l.mu.Unlock()
	if again {
		l.fault("%s processed offset %d of %v, which had been processed", name, r.Offset, part)
	}
	select {
	case l.progress <- struct{}{}:
	default:
	}
}

func (l *Load) fault(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.faults = append(l.faults, fmt.Sprintf(format, args...))
}

// Await waits until n records have been processed.
func (l *Load) Await(n int) {
	l.g.tb.Helper()
	l.await(func() string {
		l.mu.Lock()
		defer l.mu.Unlock()
		if len(l.seen) >= n {
			return ""
		}
		return fmt.Sprintf("%d of %d were", len(l.seen), n)
	})
}

// AwaitFault waits until something is wrong, which Finish will report.
func (l *Load) AwaitFault() {
	l.g.tb.Helper()
	l.await(func() string {
		l.mu.Lock()
		defer l.mu.Unlock()
		if len(l.faults) > 0 {
			return ""
		}
		return "nothing is wrong"
	})
}

// Finish produces no more, waits until the members have processed all, and fails
// the test unless each record was processed exactly once, by the owner of its
// partition. It returns how many there were.
func (l *Load) Finish() int {
	l.g.tb.Helper()
	records := l.stop()
	l.await(func() string { return l.missing(records) })
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, fault := range l.faults {
		l.g.tb.Errorf("%s", fault)
	}
	if len(records) == 0 || len(l.seen) != len(records) {
		l.g.tb.Errorf("%d records were produced, %d processed", len(records), len(l.seen))
	}
	return len(records)
}

func (l *Load) await(missing func() string) {
	l.g.tb.Helper()
	deadline := time.After(l.g.Deadline)
	for why := missing(); why != ""; why = missing() {
		select {
		case <-l.progress:
		case <-deadline:
			l.g.tb.Fatalf("waited %v for members to process records: %s", l.g.Deadline, why)
		}
	}
}

// missing names a record that was not processed as it was produced, or is "".
func (l *Load) missing(records []Record) (why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range records {
		if got, ok := l.seen[position{r.Partition, r.Offset}]; !ok || got != r.Value {
			return fmt.Sprintf("record %s, offset %d of %v, was processed as %q", r.Value, r.Offset, r.Partition, cmp.Or(got, "nothing"))
		}
	}
	return ""
}
