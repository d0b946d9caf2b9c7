package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

func newLog(c *config, to io.Writer) *slog.Logger {
	opts := &slog.HandlerOptions{Level: c.logLevel}
	if c.logFormat == "json" {
		return slog.New(slog.NewJSONHandler(to, opts))
	}
	return slog.New(slog.NewTextHandler(to, opts))
}

// clientLog lets kgo log its warnings, and at debug what it calls information.
type clientLog struct{ *slog.Logger }

func (l clientLog) Level() kgo.LogLevel {
	if l.Enabled(context.Background(), slog.LevelDebug) {
		return kgo.LogLevelInfo
	}
	return kgo.LogLevelWarn
}

func (l clientLog) Log(level kgo.LogLevel, msg string, keyvals ...any) {
	to := slog.LevelDebug
	switch level {
	case kgo.LogLevelError:
		to = slog.LevelError
	case kgo.LogLevelWarn:
		to = slog.LevelWarn
	}
	l.Logger.Log(context.Background(), to, "kgo: "+msg, keyvals...)
}

func (w *worker) logStart(listen, protocol string) {
	attrs := []any{"pid", os.Getpid(), "listen", listen, "group", w.cfg.group, "topics", w.cfg.topics, "protocol", protocol}
	for _, a := range [...]struct{ name, value string }{{"identity", w.cfg.identity}, {"instance_id", w.cfg.instanceID}, {"rack", w.cfg.rack}} {
		if a.value != "" {
			attrs = append(attrs, a.name, a.value)
		}
	}
	w.log.Info("start", attrs...)
}

// logErrors logs what could not be fetched; the client goes on by itself. A broker
// that is away fails many partitions in one way: hence one line for each error.
func (w *worker) logErrors(fetches kgo.Fetches) {
	failed := make(map[string]map[string][]int32)
	fetches.EachError(func(topic string, partition int32, err error) {
		var session *kgo.ErrGroupSession
		if errors.Is(err, context.Canceled) || errors.As(err, &session) {
			return // we stop; or the end of a session, see OnGroupManageError
		}
		if failed[err.Error()] == nil {
			failed[err.Error()] = make(map[string][]int32)
		}
		failed[err.Error()][topic] = append(failed[err.Error()][topic], partition)
	})
	for err, partitions := range failed {
		w.log.Warn("cannot fetch", "err", err, "partitions", format(partitions))
	}
}

// logPlan tells what the leader decided. The group waits meanwhile, and may be
// large: hence the limit on what is listed.
func (w *worker) logPlan(r assignor.Report) {
	attrs := []any{
		"generation", r.Generation,
		"members", len(r.Group.Members),
		"partitions", r.Group.Partitions(),
		"elapsed", r.Elapsed,
	}
	if len(r.Loads) > 0 {
		attrs = append(attrs, "load", fmt.Sprintf("%d to %d", slices.Min(r.Loads), slices.Max(r.Loads)))
	}
	if len(r.Moves) > 0 {
		attrs = append(attrs, "moves", formatMoves(r.Group, r.Moves, 1000))
	}
	if len(r.Gains) > 0 {
		attrs = append(attrs, "gains", formatMoves(r.Group, r.Gains, 1000))
	}
	if len(r.Withheld) > 0 { // until their owners have let go: the moves, as a rule
		attrs = append(attrs, "withheld", len(r.Withheld))
	}
	if len(r.Missing) > 0 {
		attrs = append(attrs, "missing", r.Missing)
	}
	if r.Err != nil {
		attrs = append(attrs, "err", r.Err)
	}
	w.log.Info("planned", attrs...)
}

// formatMoves groups moves by whom they concern, "a to b: orders[1 4]; to c:
// orders[2]", in about limit bytes.
func formatMoves(g *assignor.Group, moves []assignor.Move, limit int) string {
	type pair struct{ from, to int32 }
	by := make(map[pair]map[string][]int32)
	var order []pair
	for _, m := range moves {
		p := pair{m.From, m.To}
		if by[p] == nil {
			by[p] = make(map[string][]int32)
			order = append(order, p)
		}
		by[p][m.Topic] = append(by[p][m.Topic], m.Partition)
	}
	slices.SortFunc(order, func(a, b pair) int { return slices.Compare([]int32{a.from, a.to}, []int32{b.from, b.to}) })
	var sb strings.Builder
	left := len(moves)
	for i, p := range order {
		if i > 0 {
			sb.WriteString("; ")
		}
		if sb.Len() > limit {
			fmt.Fprintf(&sb, "and %d more", left)
			break
		}
		if p.from != assignor.None {
			sb.WriteString(g.Members[p.from].Key + " ")
		}
		sb.WriteString("to " + g.Members[p.to].Key + ": " + format(by[p]))
		for _, ps := range by[p] {
			left -= len(ps)
		}
	}
	return sb.String()
}
