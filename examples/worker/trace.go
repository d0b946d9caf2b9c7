package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// A trace is a record of what a worker did, one line of JSON for each event, for
// tests that have to prove something about a group. Every line has
//
//	t       wall clock in nanoseconds
//	event   start, assigned, revoked, lost, processed, stop
//	worker  identity, else instance ID, else host and process ID
//	pid
//
// and, by event:
//
//	start      listen: the address of /metrics and /healthz
//	assigned   partitions: what is new, by topic; empty after a rebalance that
//	           brought nothing. member, generation: as the broker calls it
//	revoked    partitions, member, generation; err: if the commit failed
//	lost       partitions, member, generation
//	processed  topic, partition, offset, key, value (each the first 256 bytes);
//	           began: t of its beginning
//	stop       err
//
// What it proves:
//
//   - A partition is owned from assigned to revoked or lost, in the widest
//     sense: t of assigned is taken before anything is done with the partition,
//     t of revoked after the commit, when nothing more will be. On one machine,
//     with one clock, the intervals of two workers must not overlap. That of a
//     killed process ends when it is dead (a later start of the same worker is
//     too late a sign). lost may overlap: the worker learnt of it later than the
//     others.
//   - A record is processed when its line is there: the line is written before
//     the record is marked, and nothing is committed that is not marked. So
//     whatever is killed when, each record has a line in some trace in the end,
//     and has two only if a worker was killed, lost the partition, or failed to
//     commit.
//   - The lines of one process are in order: between assigned and revoked of a
//     partition are all its records.
//
// Each line is one write to a file opened for appending, with no buffer in
// between: what was handed to the system survives a SIGKILL, and several workers
// may share a file. A kill in the middle of a write may cut a line off; whoever
// reads skips lines that are not JSON.
type trace struct {
	worker string
	pid    int

	mu   sync.Mutex
	out  io.Writer
	file io.Closer
	err  error // the first; nothing is written after it
}

type stamp struct {
	T      int64  `json:"t"`
	Event  string `json:"event"`
	Worker string `json:"worker"`
	PID    int    `json:"pid"`
}

type startEvent struct {
	stamp
	Listen string `json:"listen"`
}

type ownershipEvent struct {
	stamp
	Partitions map[string][]int32 `json:"partitions"`
	Member     string             `json:"member"`
	Generation int32              `json:"generation"`
	Err        string             `json:"err,omitempty"`
}

type processedEvent struct {
	stamp
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`
	Offset    int64  `json:"offset"`
	Key       string `json:"key"`
	Value     string `json:"value"`
	Began     int64  `json:"began"`
}

type stopEvent struct {
	stamp
	Err string `json:"err,omitempty"`
}

// openTrace returns nil, which traces nothing, if no trace was asked for.
func openTrace(c *config, stdout io.Writer) (*trace, error) {
	if c.trace == "" {
		return nil, nil
	}
	t := &trace{worker: c.name(), pid: os.Getpid(), out: stdout}
	if t.worker == "" {
		host, _ := os.Hostname()
		t.worker = fmt.Sprintf("%s-%d", host, t.pid)
	}
	if c.trace == "-" {
		return t, nil
	}
	f, err := os.OpenFile(c.trace, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("-trace: %w", err)
	}
	t.out, t.file = f, f
	return t, t.endLine(f)
}

// endLine ends what a predecessor was killed in.
func (t *trace) endLine(f *os.File) error {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return err
	}
	var last [1]byte
	if _, err := f.ReadAt(last[:], info.Size()-1); err != nil {
		return err
	}
	if last[0] != '\n' {
		_, err = f.Write([]byte("\n"))
	}
	return err
}

func (t *trace) stamp(event string, at time.Time) stamp {
	return stamp{at.UnixNano(), event, t.worker, t.pid}
}

func (t *trace) write(event any) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil {
		return t.err
	}
	line, err := json.Marshal(event)
	if err == nil {
		_, err = t.out.Write(append(line, '\n'))
	}
	if err != nil {
		t.err = fmt.Errorf("-trace: %w", err)
	}
	return t.err
}

func (t *trace) start(listen string) {
	if t != nil {
		t.write(startEvent{t.stamp("start", time.Now()), listen})
	}
}

func (t *trace) assigned(cl *kgo.Client, at time.Time, ps map[string][]int32) {
	t.ownership("assigned", cl, at, ps, nil)
}

func (t *trace) revoked(cl *kgo.Client, ps map[string][]int32, err error) {
	t.ownership("revoked", cl, time.Now(), ps, err)
}

func (t *trace) lost(cl *kgo.Client, ps map[string][]int32) {
	t.ownership("lost", cl, time.Now(), ps, nil)
}

func (t *trace) ownership(event string, cl *kgo.Client, at time.Time, ps map[string][]int32, err error) {
	if t == nil {
		return
	}
	e := ownershipEvent{stamp: t.stamp(event, at), Partitions: ps, Err: message(err)}
	if ps == nil {
		e.Partitions = map[string][]int32{}
	}
	e.Member, e.Generation = cl.GroupMetadata()
	t.write(e)
}

// processed fails if the line could not be written: the record must then not be
// committed.
func (t *trace) processed(r *kgo.Record, began time.Time) error {
	if t == nil {
		return nil
	}
	return t.write(processedEvent{
		stamp: t.stamp("processed", time.Now()),
		Topic: r.Topic, Partition: r.Partition, Offset: r.Offset,
		Key: head(r.Key), Value: head(r.Value),
		Began: began.UnixNano(),
	})
}

// close writes the stop event, with why the worker stopped. It returns what why
// does not tell.
func (t *trace) close(why error) error {
	if t == nil {
		return nil
	}
	err := t.write(stopEvent{t.stamp("stop", time.Now()), message(why)})
	if errors.Is(why, err) {
		err = nil // said already
	}
	if t.file != nil {
		err = errors.Join(err, t.file.Close())
	}
	return err
}

func head(b []byte) string { return string(b[:min(len(b), 256)]) }

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
