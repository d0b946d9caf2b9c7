//go:build integration

package integration

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/scenario"
)

// A traceLine is one line of a worker's -trace file; examples/worker/trace.go
// says what each means.
type traceLine struct {
	T          int64              `json:"t"`
	Event      string             `json:"event"`
	Worker     string             `json:"worker"`
	Listen     string             `json:"listen"`
	Partitions map[string][]int32 `json:"partitions"`
	Topic      string             `json:"topic"`
	Partition  int32              `json:"partition"`
	Offset     int64              `json:"offset"`
	Value      string             `json:"value"`
	Err        string             `json:"err"`
}

// A trace is a trace file, read as far as it is written.
type trace struct {
	path  string
	read  int64
	lines []traceLine
	owned map[scenario.Partition]bool // after the lines read
}

// follow reads what is new. A line that is not complete yet waits for the next
// call, for ever if its worker was killed in it.
func (tr *trace) follow(t *testing.T) {
	t.Helper()
	f, err := os.Open(tr.path)
	if os.IsNotExist(err) {
		return // not started yet
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	fresh, err := io.ReadAll(io.NewSectionReader(f, tr.read, 1<<62))
	if err != nil {
		t.Fatal(err)
	}
	for {
		line, rest, complete := bytes.Cut(fresh, []byte("\n"))
		if !complete {
			return
		}
		fresh = rest
		tr.read += int64(len(line)) + 1
		var l traceLine
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatalf("%s: %v in %q", tr.path, err, line)
		}
		tr.add(l)
	}
}

func (tr *trace) add(l traceLine) {
	tr.lines = append(tr.lines, l)
	if tr.owned == nil {
		tr.owned = make(map[scenario.Partition]bool)
	}
	for _, p := range scenario.Flatten(l.Partitions) {
		switch l.Event {
		case "assigned":
			tr.owned[p] = true
		case "revoked", "lost":
			delete(tr.owned, p)
		}
	}
}

// prove returns what the traces of all processes, which must have ended, say
// against this: every record was processed at least once, and only once unless a
// worker was killed; by an owner of its partition; no partition had two live
// owners at any time. It also returns how many records were processed again.
func prove(processes []*process, records []scenario.Record) (faults []string, again int) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	for _, o := range history(processes).Overlaps() {
		fault("%v", o)
	}
	type position struct {
		scenario.Partition
		offset int64
	}
	type processing struct {
		by     []*process
		values []string
	}
	seen := make(map[position]processing)
	for _, p := range processes {
		if p.err != nil && !p.killed {
			fault("%v ended by itself: %v", p, p.err)
		}
		replay := trace{}
		for _, l := range p.trace.lines {
			replay.add(l)
			if l.Event == "processed" {
				part := scenario.Partition{Topic: l.Topic, Number: l.Partition}
				if !replay.owned[part] {
					fault("%v processed offset %d of %v, which it did not own", p, l.Offset, part)
				}
				at := position{part, l.Offset}
				seen[at] = processing{append(seen[at].by, p), append(seen[at].values, l.Value)}
			}
			if l.Event == "lost" || l.Err != "" {
				fault("%v: %s %v %s", p, l.Event, l.Partitions, l.Err)
			}
		}
	}
	for _, r := range records {
		is := seen[position{r.Partition, r.Offset}]
		if len(is.by) == 0 {
			fault("record %s, offset %d of %v, was not processed", r.Value, r.Offset, r.Partition)
		}
		if len(is.by) > 1 {
			again++
			if !slices.ContainsFunc(is.by, func(p *process) bool { return p.killed }) {
				fault("record %s, offset %d of %v, was processed by %v, and none of them was killed", r.Value, r.Offset, r.Partition, is.by)
			}
		}
		if slices.ContainsFunc(is.values, func(v string) bool { return v != r.Value }) {
			fault("record %s, offset %d of %v, was processed as %v", r.Value, r.Offset, r.Partition, is.values)
		}
	}
	return faults, again
}

// history returns what the traces tell of ownership. A process that has ended,
// killed or not, ended when the system said so.
func history(processes []*process) *scenario.Ledger {
	var events []scenario.Event
	kinds := map[string]scenario.Kind{"assigned": scenario.Assigned, "revoked": scenario.Revoked, "lost": scenario.Lost}
	for _, p := range processes {
		for _, l := range p.trace.lines {
			if kind, ok := kinds[l.Event]; ok {
				events = append(events, scenario.Event{At: time.Unix(0, l.T), Owner: p.owner, Kind: kind, Partitions: scenario.Flatten(l.Partitions)})
			}
		}
		if !p.lives() {
			events = append(events, scenario.Event{At: p.ended, Owner: p.owner, Kind: scenario.Crashed})
		}
	}
	slices.SortStableFunc(events, func(a, b scenario.Event) int { return cmp.Compare(a.At.UnixNano(), b.At.UnixNano()) })
	ledger := new(scenario.Ledger)
	for i := range events {
		events[i].Seq = i + 1
		ledger.Add(events[i])
	}
	return ledger
}

// A test of the proof: what it must not let pass.
func TestProve(t *testing.T) {
	p0, p1 := map[string][]int32{"t": {0}}, map[string][]int32{"t": {1}}
	processed := func(at int64, partition int32, offset int64) traceLine {
		return traceLine{T: at, Event: "processed", Topic: "t", Partition: partition, Offset: offset, Value: "xy"[offset : offset+1]}
	}
	dead := make(chan struct{})
	close(dead)
	life := func(name string, ended int64, lines ...traceLine) *process {
		return &process{owner: scenario.Owner{Member: name, Life: 1}, trace: trace{lines: lines}, ended: time.Unix(0, ended), exited: dead}
	}
	a := []traceLine{{T: 1, Event: "assigned", Partitions: p0}, processed(2, 0, 0), {T: 3, Event: "revoked", Partitions: p0}}
	b := []traceLine{{T: 4, Event: "assigned", Partitions: p0}, processed(5, 0, 1)}
	part := scenario.Partition{Topic: "t", Number: 0}
	records := []scenario.Record{{Partition: part, Offset: 0, Value: "x"}, {Partition: part, Offset: 1, Value: "y"}}
	for _, test := range []struct {
		what      string
		processes []*process
		faults    int
	}{
		{"all is well", []*process{life("a", 9, a...), life("b", 9, b...)}, 0},
		{"ended by its process", []*process{life("a", 3, a[:2]...), life("b", 9, b...)}, 0},
		{"a record is missing", []*process{life("a", 9, a...), life("b", 9, b[:1]...)}, 1},
		{"two owners", []*process{life("a", 9, a[:2]...), life("b", 9, b...)}, 1},
		{"not its partition", []*process{life("a", 9, a...), life("b", 9, append(b, processed(6, 1, 0))...)}, 1},
		{"after it gave it up", []*process{life("a", 9, append(a, processed(4, 0, 0))...), life("b", 9, b...)}, 2},
		{"twice without a kill", []*process{life("a", 9, a...), life("b", 9, append(b, processed(6, 0, 0))...)}, 1},
		{"another record", []*process{life("a", 9, a...), life("b", 9, append(b[:1:1], traceLine{T: 5, Event: "processed", Topic: "t", Offset: 1, Value: "z"})...)}, 1},
		{"lost", []*process{life("a", 9, a...), life("b", 9, append(b, traceLine{T: 7, Event: "lost", Partitions: p1})...)}, 1},
	} {
		if faults, _ := prove(test.processes, records); len(faults) != test.faults {
			t.Errorf("%s: %d faults are found, not %d: %q", test.what, len(faults), test.faults, faults)
		}
	}
}
