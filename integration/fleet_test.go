//go:build integration

package integration

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/scenario"
	"github.com/twmb/franz-go/pkg/kadm"
)

// A fleet is a group of worker processes that read one topic.
type fleet struct {
	t          *testing.T
	strategy   candidate
	admin      *kadm.Client
	bin        string
	addr       string
	group      string
	topic      string
	partitions int32
	args       []string
	dir        string
	all        []*process // every process there ever was
}

const workerSession = 6 * time.Second

// newFleet creates the topic. args are more flags for every worker.
func newFleet(t *testing.T, strategy candidate, partitions int32, args ...string) *fleet {
	t.Helper()
	bin, err := buildWorker()
	if err != nil {
		t.Fatal(err)
	}
	name := unique(t.Name())
	f := &fleet{
		t: t, strategy: strategy, admin: admin(t), bin: bin, addr: broker(t), group: name, topic: name, partitions: partitions, dir: t.TempDir(),
		args: append([]string{
			"-strategy", strategy.name,
			"-session-timeout", workerSession.String(),
			"-heartbeat-interval", "100ms",
			"-listen", "127.0.0.1:0",
		}, args...),
	}
	if _, err := f.admin.CreateTopic(t.Context(), partitions, 1, nil, f.topic); err != nil {
		t.Fatal(err)
	}
	waitForTopic(t, f.admin, f.topic, partitions)
	t.Cleanup(f.close)
	return f
}

// close kills what still runs, and shows the logs of a failed test.
func (f *fleet) close() {
	for _, p := range f.all {
		p.cmd.Process.Kill()
		<-p.exited
	}
	if !f.t.Failed() {
		return
	}
	for _, p := range f.all {
		log, _ := os.ReadFile(p.log)
		f.t.Logf("the end of the log of %v:\n%s", p, log[max(0, len(log)-4000):])
	}
}

// settle waits until the broker describes the group as stable with exactly the
// processes that live, until each has traced that it owns what the broker says
// it was assigned, and nothing is unowned.
func (f *fleet) settle() scenario.Ownership {
	f.t.Helper()
	var owned scenario.Ownership
	poll(f.t, 40*time.Second, "the workers have settled", func(ctx context.Context) (bool, error) {
		groups, err := f.admin.DescribeGroups(ctx, f.group)
		if err != nil {
			return false, err
		}
		owned, err = f.settled(groups[f.group])
		return err == nil, err
	})
	return owned
}

func (f *fleet) settled(g kadm.DescribedGroup) (scenario.Ownership, error) {
	f.t.Helper()
	if g.Err != nil || g.State != "Stable" {
		return nil, fmt.Errorf("the group is %s, error %v", g.State, g.Err)
	}
	described := make(map[string][]scenario.Partition)
	for _, m := range g.Members {
		byTopic := make(map[string][]int32)
		if a, ok := m.Assigned.AsConsumer(); ok {
			for _, t := range a.Topics {
				byTopic[t.Topic] = t.Partitions
			}
		}
		described[m.ClientID] = scenario.Flatten(byTopic)
	}
	live := f.live()
	f.follow()
	if len(g.Members) != len(live) {
		return nil, fmt.Errorf("the group has %d members, %d processes live", len(g.Members), len(live))
	}
	all := make(scenario.Ownership)
	for _, p := range live {
		for part := range p.trace.owned {
			all[part] = p.owner.Member
		}
		if got, want := all.Of(p.owner.Member), described[p.owner.Member]; !slices.Equal(got, want) {
			return nil, fmt.Errorf("%v owns %v, the broker says %v", p, got, want)
		}
	}
	if len(all) != int(f.partitions) {
		return nil, fmt.Errorf("%d of %d partitions are owned", len(all), f.partitions)
	}
	return all, nil
}

// step does something to the settled fleet and waits until it has settled again. Unless the strategy allows it, it fails the test if a process that lives
// throughout gave up anything but to the given members.
func (f *fleet) step(what string, do func(), gainers ...string) scenario.Ownership {
	f.t.Helper()
	before, stay := f.settle(), f.live()
	read := make(map[*process]int)
	for _, p := range stay {
		read[p] = len(p.trace.lines)
	}
	start := time.Now()
	do()
	after := f.settle()
	took := time.Since(start)
	needless := 0
	for _, p := range stay {
		if !p.lives() {
			continue
		}
		for _, l := range p.trace.lines[read[p]:] {
			if l.Event != "revoked" && l.Event != "lost" {
				continue
			}
			for _, part := range scenario.Flatten(l.Partitions) {
				if !slices.Contains(gainers, after[part]) {
					needless++
					if !f.strategy.local {
						continue
					}
					f.t.Errorf("%s: %v gave up %v, which %s has now", what, p, part, after[part])
				}
			}
		}
	}
	f.follow()
	f.t.Logf("%s: settled in %d ms, %d of %d partitions have another owner, none was without for longer than %d ms, %d were taken needlessly from workers that stayed",
		what, took.Milliseconds(), len(scenario.Moved(before, after)), len(after), history(f.all).Unowned(start).Milliseconds(), needless)
	return after
}

// produce produces records to all partitions until the returned function is
// called, which returns them.
func (f *fleet) produce() (stop func() []scenario.Record) {
	f.t.Helper()
	return scenario.Produce(f.t, []string{f.addr}, f.topic, f.partitions)
}

// finish stops the workers once they have processed all records, and proves
// from the traces what they did.
func (f *fleet) finish(records []scenario.Record) {
	f.t.Helper()
	poll(f.t, 40*time.Second, "all records are processed", func(context.Context) (bool, error) {
		next := make(map[scenario.Partition]int64)
		f.follow()
		for _, p := range f.all {
			for _, l := range p.trace.lines {
				if part := (scenario.Partition{Topic: l.Topic, Number: l.Partition}); l.Event == "processed" {
					next[part] = max(next[part], l.Offset+1)
				}
			}
		}
		for _, r := range records {
			if next[r.Partition] <= r.Offset {
				return false, fmt.Errorf("offset %d of %v is not processed", r.Offset, r.Partition)
			}
		}
		return true, nil
	})
	for _, p := range f.live() {
		f.stop(p.owner.Member)
	}
	f.follow()
	faults, again := prove(f.all, records)
	for _, fault := range faults {
		f.t.Error(fault)
	}
	f.t.Logf("%d records were produced and processed, %d of them more than once, by %d processes with %d faults", len(records), again, len(f.all), len(faults))
	if len(records) == 0 {
		f.t.Error("no record was produced")
	}

	lags, err := f.admin.Lag(f.t.Context(), f.group)
	if err != nil {
		f.t.Fatal(err)
	}
	if lag := lags[f.group]; lag.Lag.Total() != 0 {
		f.t.Errorf("all records are processed, and %d of them are not committed", lag.Lag.Total())
	}
}
