package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/twmb/franz-go/pkg/kgo"
)

var update = flag.Bool("update", false, "rewrite testdata")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// golden compares got with a file in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -update rewrites it), got:\n%s", file, got)
	}
}

func small() config {
	return config{
		strategies: []strategy{ours[0], ours[1], baseline},
		topics:     topicNames[:1],
		partitions: 8,
		members:    2,
		seed:       1,
		heartbeat:  50 * time.Millisecond,
		patience:   30 * time.Second,
	}
}

// The whole demo, with the promise that it is there to show.
func TestDemo(t *testing.T) {
	cfg := small()
	var out bytes.Buffer
	results, err := run(t.Context(), cfg, newScreen(&out, false, names(cfg.strategies)))
	if err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, r := range results {
		if len(r.outcomes) != len(newHistory(cfg.members, cfg.seed)) {
			t.Errorf("%s: %d steps", r.name, len(r.outcomes))
		}
		if n := r.records; n.lost != 0 || n.overlaps != 0 || n.written < customers || n.processed < n.written {
			t.Errorf("%s: records %+v", r.name, n)
		}
		if len(r.warnings) > 0 {
			t.Errorf("%s: warnings %q", r.name, r.warnings)
		}
	}
	hrw, sticky := results[0], results[1]
	if all := hrw.totals(); all.needless != 0 || all.displaced != 0 || all.had == 0 || all.back != all.had {
		t.Errorf("hrw: %+v", all)
	}
	if all := sticky.totals(); all.needless != 0 || all.worst > 1.2 {
		t.Errorf("sticky: %+v, want loads as even as can be and no needless moves", all)
	}
	comesHome(t, "hrw", hrw.outcomes[3:])
	comesHome(t, "sticky", sticky.outcomes[3:])
	if out.Len() == 0 || strings.ContainsAny(out.String(), "\x1b\r") {
		t.Errorf("not plain:\n%q", out.String())
	}
	for i, text := range strings.Split(out.String(), "\n") {
		if len(text) >= 80 {
			t.Errorf("line %d has %d columns: %s", i+1, len(text), text)
		}
	}
}

// comesHome checks that restarts leave everything where it was.
func comesHome(t *testing.T, name string, restarts []*outcome) {
	t.Helper()
	for _, o := range restarts {
		if len(o.restarted) == 0 {
			t.Errorf("%s: nobody restarted", name)
		}
		if len(differ(o.before, o.after)) > 0 {
			t.Errorf("%s: a restart left %v of %v", name, o.after, o.before)
		}
	}
}

func TestRestartHasNewMemberID(t *testing.T) {
	cfg := small()
	g := startGroup(t, cfg)
	for _, ch := range append(changes{{start: []string{"a", "b"}}}, restart("a")...) {
		if err := g.apply(ch); err != nil {
			t.Fatal(err)
		}
		if err := g.settle(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if id, _ := g.workers["a"].client.GroupMetadata(); id == "" || slices.Contains(g.former["a"], id) {
		t.Errorf("member ID %q after %q", id, g.former["a"])
	}
}

// A group that does not settle is an error that says who is missing.
func TestPatience(t *testing.T) {
	cfg := small()
	g := startGroup(t, cfg)
	if err := g.apply(change{start: []string{"a"}}); err != nil {
		t.Fatal(err)
	}
	if err := g.settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(g.cluster.kafka.ListenAddrs()...)) // of no group
	if err != nil {
		t.Fatal(err)
	}
	polled := make(chan struct{})
	close(polled)
	g.workers["b"] = &worker{name: "b", group: g, client: client, cancel: func() {}, done: polled}
	g.patience = 100 * time.Millisecond
	err = g.settle(t.Context())
	if err == nil || !strings.Contains(err.Error(), "still not settled after") || !strings.HasSuffix(err.Error(), ": b has not joined yet") {
		t.Errorf("error %v", err)
	}
}

// What a group waits for is said in the order in which it happens.
func TestUnsettled(t *testing.T) {
	g := startGroup(t, small())
	want := func(want string) {
		t.Helper()
		if got := strings.Join(g.unsettled(), "; "); got != want {
			t.Errorf("waits for %q, not %q", got, want)
		}
	}
	want("no worker has joined yet")
	if err := g.apply(change{start: []string{"a"}}); err != nil {
		t.Fatal(err)
	}
	if err := g.settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	want("")
	g.release("a", map[string][]int32{"orders": {0, 2, 3, 5, 6, 7}})
	want("still to be taken: orders/0 to a, orders/2 to a, orders/3 to a, orders/5 to a and 2 more")
	g.take("b", map[string][]int32{"orders": {0, 1}})
	if got := g.tally().overlaps; got != 1 {
		t.Errorf("%d overlaps, want that of orders/1", got)
	}
	a := g.workers["a"]
	delete(g.workers, "a")
	want("a is still in the group")
	g.workers["a"] = a
}

func startGroup(t *testing.T, cfg config) *group {
	t.Helper()
	c, err := startCluster(cfg.topics, cfg.partitions)
	if err != nil {
		t.Fatal(err)
	}
	g := newGroup(c, ours[0], cfg, newScreen(new(bytes.Buffer), true, nil))
	t.Cleanup(func() {
		g.close()
		c.close()
	})
	return g
}

// As on Ctrl-C: at whatever moment, the demo ends soon, and goleak finds
// nothing that still runs.
func TestInterrupt(t *testing.T) {
	for _, after := range []time.Duration{0, 20 * time.Millisecond, 150 * time.Millisecond, 400 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(t.Context(), after)
		var out, errs bytes.Buffer
		start := time.Now()
		if status := demo(ctx, []string{"-partitions=4"}, &out, &errs); status != 130 || !strings.Contains(errs.String(), "interrupted") {
			t.Errorf("after %v: status %d, %s", after, status, errs.String())
		}
		if took := time.Since(start) - after; took > 5*time.Second {
			t.Errorf("after %v: took %v to end", after, took)
		}
		cancel()
	}
}

func TestFlags(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"-partitions=0", "-partitions 0: give a number from 1 to 64"},
		{"-topics=9", "-topics 9: give a number from 1 to 8"},
		{"-members=1", "-members 1: give a number from 2 to 12"},
		{"-members=1 -topics=0", "-topics 0: give a number from 1 to 8; -members 1: give a number from 2 to 12"},
		{"-strategy=nosuch", `-strategy "nosuch": there is hrw`},
		{"-strategy=ring,hrw,ring", `-strategy: "ring" is there twice, leave one out`},
		{"-partitions=many", `invalid value "many" for flag -partitions`},
		{"-nosuch", "flag provided but not defined: -nosuch"},
		{"hrw", `unexpected argument "hrw": all settings are flags`},
	} {
		var out, errs bytes.Buffer
		if status := demo(t.Context(), strings.Fields(tt.args), &out, &errs); status != 2 || !strings.Contains(errs.String(), tt.want) {
			t.Errorf("%s: status %d, %s", tt.args, status, errs.String())
		}
		if n := strings.Count(errs.String(), "\n"); n != 1 || out.Len() > 0 {
			t.Errorf("%s: %d lines of errors, output %q", tt.args, n, out.String())
		}
	}
	var out, errs bytes.Buffer
	if status := demo(t.Context(), []string{"-help"}, &out, &errs); status != 0 || !strings.Contains(out.String(), "-seed") || errs.Len() > 0 {
		t.Errorf("-help: status %d, %s%s", status, out.String(), errs.String())
	}
}
