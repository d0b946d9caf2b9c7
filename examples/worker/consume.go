package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// A worker consumes with one client.
//
// Its callbacks and its processing of records never run at the same time: kgo
// calls back only between AllowRebalance and the next poll. So owned needs no
// lock.
type worker struct {
	cfg     *config
	log     *slog.Logger
	trace   *trace
	health  *health
	metrics *metrics
	client  *kgo.Client
	owned   partitions
	failed  error // the latest commit before partitions were given up
}

// consume is the command without a subcommand.
func consume(ctx context.Context, args []string, env lookupEnv, stdout, stderr io.Writer) error {
	cfg, err := parseConfig(args, env, stdout)
	if err != nil {
		return err
	}
	w := &worker{cfg: cfg, log: newLog(cfg, stderr), health: newHealth(cfg), metrics: newMetrics()}
	slog.SetDefault(w.log) // that is where warnings of the balancer go
	b, err := newBalancer(cfg, append(w.metrics.group.Options(), assignor.OnPlan(w.logPlan))...)
	if err != nil {
		return err
	}
	address, closeServer, err := serve(cfg.listen, w.handler())
	if err != nil {
		return err
	}
	defer closeServer()
	w.trace, err = openTrace(cfg, stdout)
	if err != nil {
		return err
	}
	w.logStart(address, b.ProtocolName())
	w.trace.start(address)
	if w.client, err = newClient(cfg, w, b); err == nil {
		err = w.run(ctx)
	}
	if err = errors.Join(err, w.trace.close(err)); err != nil {
		w.log.Error("stop", "err", err)
		return logged{err}
	}
	w.log.Info("stop")
	return nil
}

// run consumes until ctx ends or something fails, and leaves the group.
func (w *worker) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// A topic that does not exist keeps the client from joining, and silent.
	late := time.AfterFunc(10*time.Second, func() {
		if ok, why := w.health.get(); !ok {
			w.log.Warn("still no member of the group", "why", why)
		}
	})
	defer late.Stop()
	done := make(chan error, 1)
	go func() {
		err := w.poll(ctx)
		cancel()
		w.client.CloseAllowingRebalance()
		done <- errors.Join(err, w.failed)
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		w.health.stop()
		w.log.Info("stopping", "at_most", w.cfg.stopTimeout)
	}
	select {
	case err := <-done:
		return err
	case <-time.After(w.cfg.stopTimeout):
		return fmt.Errorf("still in the group after %s: gone without leaving it, others get its partitions after %s; is a broker away, or -stop-timeout too short?", w.cfg.stopTimeout, w.cfg.session)
	}
}

// poll processes records until ctx ends or one fails. What was polled before
// that is processed to the end. It returns with rebalances still held up.
func (w *worker) poll(ctx context.Context) error {
	for {
		fetches := w.client.PollRecords(ctx, w.cfg.maxPoll)
		err := w.processAll(fetches)
		if err != nil || ctx.Err() != nil {
			w.failed = nil // from here on it is about the last commit
			return err
		}
		w.client.AllowRebalance()
	}
}

func (w *worker) processAll(fetches kgo.Fetches) (err error) {
	w.logErrors(fetches)
	fetches.EachRecord(func(r *kgo.Record) {
		if err == nil {
			err = w.process(r)
		}
	})
	return err
}

// process does what the worker is there for, and marks the record. After a
// failure nothing more may be marked: a later offset would cover this one.
func (w *worker) process(r *kgo.Record) error {
	began := time.Now()
	time.Sleep(w.cfg.recordDelay)
	w.owned.count(r)
	if err := w.trace.processed(r, began); err != nil {
		return err
	}
	w.metrics.records.WithLabelValues(r.Topic).Inc()
	w.client.MarkCommitRecords(r)
	return nil
}

// onAssigned is called after every rebalance, with what is new. Nothing of it
// has been polled yet: here a service opens what it keeps for a partition.
func (w *worker) onAssigned(_ context.Context, cl *kgo.Client, added map[string][]int32) {
	began := time.Now()
	w.owned.open(added)
	w.trace.assigned(cl, began, added)
	w.changed(cl, slog.LevelInfo, "assigned", added)
	w.health.set(true, fmt.Sprintf("a member that owns %d partitions", w.owned.len()))
}

// onRevoked is called before partitions are given up, with the session intact:
// whoever gets them starts where this commit ends.
func (w *worker) onRevoked(_ context.Context, cl *kgo.Client, gone map[string][]int32) {
	if len(gone) == 0 {
		return // a session ends, and everything stays
	}
	w.failed = w.commit(cl)
	records := w.owned.close(gone)
	w.trace.revoked(cl, gone, w.failed)
	w.changed(cl, slog.LevelInfo, "revoked", gone, "records", records)
	w.health.set(true, fmt.Sprintf("a member that owns %d partitions", w.owned.len()))
}

// onLost is called when partitions are gone already, others may have them, and
// a commit would be refused. Records since the last commit are processed again.
func (w *worker) onLost(_ context.Context, cl *kgo.Client, gone map[string][]int32) {
	if len(gone) == 0 {
		return // there was no session
	}
	records := w.owned.close(gone)
	w.trace.lost(cl, gone)
	w.changed(cl, slog.LevelWarn, "lost", gone, "records", records)
}

func (w *worker) changed(cl *kgo.Client, level slog.Level, what string, partitions map[string][]int32, more ...any) {
	w.metrics.owned.Set(float64(w.owned.len()))
	_, generation := cl.GroupMetadata()
	attrs := []any{"generation", generation, "owned", w.owned.len()}
	if len(partitions) == 0 {
		w.log.Info("rebalanced, nothing new", attrs...)
		return
	}
	w.log.Log(context.Background(), level, what, append(append(attrs, "partitions", format(partitions)), more...)...)
}

// OnGroupManageError implements kgo.HookGroupManageError: the session is over,
// and the client joins again.
func (w *worker) OnGroupManageError(err error) {
	w.health.set(false, "not a member: "+err.Error())
}

// commit commits what is marked. The group waits meanwhile, and this must end
// before it goes on without us.
func (w *worker) commit(cl *kgo.Client) error {
	ctx, cancel := context.WithTimeout(context.Background(), w.cfg.rebalance/2)
	defer cancel()
	if err := cl.CommitMarkedOffsets(ctx); err != nil {
		w.metrics.commitErrors.Inc()
		w.log.Error("cannot commit, some records will be processed twice", "err", err)
		return fmt.Errorf("cannot commit, some records will be processed twice: %w", err)
	}
	return nil
}

// onAutoCommit sees the commits in between.
func (w *worker) onAutoCommit(_ *kgo.Client, _ *kmsg.OffsetCommitRequest, resp *kmsg.OffsetCommitResponse, err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	if resp != nil {
		for _, t := range resp.Topics {
			for _, p := range t.Partitions {
				err = cmp.Or(err, kerr.ErrorForCode(p.ErrorCode))
			}
		}
	}
	if err != nil {
		w.metrics.commitErrors.Inc()
		w.log.Warn("cannot commit, the next commit covers it", "err", err)
	}
}
