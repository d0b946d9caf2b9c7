package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
)

func TestProcesses(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "worker")
	build := exec.Command("go", append([]string{"build", "-o", binary}, buildFlags...)...)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Run("come and go", func(t *testing.T) { testComeAndGo(t, binary) })
	t.Run("second signal", func(t *testing.T) { testSecondSignal(t, binary) })
}

// One worker is killed and comes back, one is stopped and comes back, while
// records arrive. The trace proves the rest.
func testComeAndGo(t *testing.T, binary string) {
	const partitions = 12
	c := newCluster(t, partitions)
	fleet := newFleet(t, c, binary)
	records := c.produce(t, 100)

	all := []string{"w-0", "w-1", "w-2"}
	for _, name := range all {
		fleet.start(name)
	}
	fleet.settle(partitions, all...)
	records = append(records, c.produce(t, 100)...)

	fleet.kill("w-1")
	records = append(records, c.produce(t, 100)...)
	fleet.settle(partitions, "w-0", "w-2")
	fleet.start("w-1")
	fleet.settle(partitions, all...)

	fleet.stop("w-2")
	records = append(records, c.produce(t, 100)...)
	fleet.settle(partitions, "w-0", "w-1")
	fleet.start("w-2")
	fleet.settle(partitions, all...)
	records = append(records, c.produce(t, 100)...)

	eventually(t, "all processed", func() bool { return len(offsets(fleet.events())) >= len(records) })
	stopped := time.Now().UnixNano()
	for _, name := range all {
		fleet.stop(name)
	}
	if n := c.uncommitted(t); n != 0 {
		t.Errorf("%d records are not committed", n)
	}

	done := offsets(fleet.events())
	for _, r := range records {
		if done[place{r.Partition, r.Offset}] == 0 {
			t.Errorf("partition %d offset %d was not processed", r.Partition, r.Offset)
		}
	}
	spans := fleet.spans()
	checkSpans(t, spans)
	checkProcessed(t, fleet.events(), spans)

	// w-0 was never away: what is its own stayed with it to the end.
	for p, name := range hrwOwners(partitions, all...) {
		var last span
		for _, s := range spans {
			if s.partition == p && s.from < stopped {
				last = s
			}
			if name == "w-0" && s.partition == p && s.worker == name && s.to < stopped {
				t.Errorf("w-0 gave up partition %d at %d", p, s.to)
			}
		}
		if last.worker != name {
			t.Errorf("partition %d was with %q in the end, want %q", p, last.worker, name)
		}
	}
}

// A batch that takes a minute, and a user who does not want to wait for it.
func testSecondSignal(t *testing.T, binary string) {
	c := newCluster(t, 1)
	c.produce(t, 100)
	fleet := newFleet(t, c, binary)
	fleet.start("w-0", "-record-delay", "600ms", "-rebalance-timeout", "10m")
	cmd := fleet.running["w-0"]
	eventually(t, "a record processed", func() bool { return len(offsets(fleet.events())) > 0 })
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	log := cmd.Stderr.(*buffer)
	eventually(t, "the first signal taken", func() bool { return strings.Contains(log.String(), "msg=stopping") })
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if status := cmd.ProcessState.ExitCode(); status != 128+int(syscall.SIGTERM) {
		t.Errorf("status %d", status)
	}
	if n := c.members(t); n != 1 {
		t.Errorf("%d members, want the one that went without a word", n)
	}
}

// A traceEvent is any line of a trace.
type traceEvent struct {
	T, Began   int64
	Event      string
	Worker     string
	PID        int
	Listen     string
	Partitions map[string][]int32
	Partition  int32
	Offset     int64
}

func parseTrace(t *testing.T, text string) (events []traceEvent) {
	t.Helper()
	for line := range strings.Lines(text) {
		var e traceEvent
		if json.Unmarshal([]byte(line), &e) == nil { // else a kill cut it off
			events = append(events, e)
		}
	}
	return events
}

// A fleet is workers of one group that share a trace.
type fleet struct {
	t       *testing.T
	c       *cluster
	binary  string
	trace   string
	running map[string]*exec.Cmd
	killed  map[int]int64 // by process ID: when it was dead for sure
}

func newFleet(t *testing.T, c *cluster, binary string) *fleet {
	f := &fleet{t: t, c: c, binary: binary, trace: filepath.Join(t.TempDir(), "trace"), running: make(map[string]*exec.Cmd), killed: make(map[int]int64)}
	t.Cleanup(func() {
		for _, cmd := range f.running {
			cmd.Process.Kill()
			cmd.Wait()
		}
	})
	return f
}

func (f *fleet) start(name string, args ...string) {
	f.t.Helper()
	cmd := exec.Command(f.binary, args...)
	log := new(buffer)
	cmd.Stderr = log
	cmd.Env = append(os.Environ(),
		"WORKER_BROKERS="+f.c.brokers, "WORKER_GROUP=g", "WORKER_TOPICS=orders", "WORKER_IDENTITY="+name,
		"WORKER_LISTEN=127.0.0.1:0", "WORKER_TRACE="+f.trace,
		"WORKER_SESSION_TIMEOUT=6s", "WORKER_HEARTBEAT_INTERVAL=100ms", "WORKER_COMMIT_INTERVAL=100ms", "WORKER_RECORD_DELAY=1ms",
	)
	if err := cmd.Start(); err != nil {
		f.t.Fatal(err)
	}
	f.running[name] = cmd
	f.t.Cleanup(func() {
		if f.t.Failed() {
			f.t.Logf("%s, process %d:\n%s", name, cmd.Process.Pid, log)
		}
	})
}

// stop asks for a graceful stop, as Docker and Kubernetes do.
func (f *fleet) stop(name string) {
	f.t.Helper()
	cmd := f.running[name]
	delete(f.running, name)
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		f.t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		f.t.Errorf("%s: %v", name, err)
	}
}

func (f *fleet) kill(name string) {
	f.t.Helper()
	cmd := f.running[name]
	delete(f.running, name)
	if err := cmd.Process.Kill(); err != nil {
		f.t.Fatal(err)
	}
	cmd.Wait()
	f.killed[cmd.Process.Pid] = time.Now().UnixNano()
}

func (f *fleet) events() []traceEvent {
	f.t.Helper()
	text, err := os.ReadFile(f.trace)
	if err != nil && !os.IsNotExist(err) {
		f.t.Fatal(err)
	}
	return parseTrace(f.t, string(text))
}

// settle waits until the workers own what hrw says that they should.
func (f *fleet) settle(partitions int32, names ...string) {
	f.t.Helper()
	want := hrwOwners(partitions, names...)
	eventually(f.t, fmt.Sprint("owners ", want), func() bool {
		got := make(map[int32]string)
		for _, s := range f.spans() {
			if s.to == stillOpen {
				got[s.partition] = s.worker
			}
		}
		return maps.Equal(got, want)
	})
}

func hrwOwners(partitions int32, names ...string) map[int32]string {
	g := &assignor.Group{Topics: []assignor.Topic{{Name: "orders", Partitions: partitions}}}
	for i, name := range names {
		g.Members = append(g.Members, assignor.Member{ID: name, Key: name, Weight: 1})
		g.Topics[0].Subscribers = append(g.Topics[0].Subscribers, int32(i))
	}
	owners := make(map[int32]string)
	for p, m := range (hrw.Strategy{}).Assign(g)[0] {
		owners[int32(p)] = names[m]
	}
	return owners
}

// A span is the time that one process owned one partition.
type span struct {
	worker    string
	pid       int
	partition int32
	from, to  int64
	lost      bool
}

const stillOpen = 1<<63 - 1

func (f *fleet) spans() (spans []span) {
	type key struct {
		pid       int
		partition int32
	}
	open := make(map[key]int) // index into spans
	for _, e := range f.events() {
		for _, p := range e.Partitions["orders"] {
			k := key{e.PID, p}
			if e.Event == "assigned" {
				to, dead := f.killed[e.PID]
				if !dead {
					to = stillOpen
				}
				open[k] = len(spans)
				spans = append(spans, span{worker: e.Worker, pid: e.PID, partition: p, from: e.T, to: to})
			} else if i, ok := open[k]; ok {
				spans[i].to, spans[i].lost = e.T, e.Event == "lost"
				delete(open, k)
			}
		}
	}
	return spans
}

// checkSpans: a partition has one owner at a time. One that was lost may have two,
// as the first learns it late.
func checkSpans(t *testing.T, spans []span) {
	t.Helper()
	for i, a := range spans {
		for _, b := range spans[i+1:] {
			if a.partition == b.partition && !a.lost && !b.lost && a.from < b.to && b.from < a.to {
				t.Errorf("two owners: %+v and %+v", a, b)
			}
		}
	}
}

type place struct {
	partition int32
	offset    int64
}

// offsets counts how often each record was processed.
func offsets(events []traceEvent) map[place]int {
	n := make(map[place]int)
	for _, e := range events {
		if e.Event == "processed" {
			n[place{e.Partition, e.Offset}]++
		}
	}
	return n
}

// checkProcessed: records are processed by owners only.
func checkProcessed(t *testing.T, events []traceEvent, spans []span) {
	t.Helper()
	for _, e := range events {
		if e.Event == "processed" && !slices.ContainsFunc(spans, func(s span) bool {
			return s.pid == e.PID && s.partition == e.Partition && s.from <= e.Began && e.T <= s.to
		}) {
			t.Errorf("processed by no owner: %+v", e)
		}
	}
}
