//go:build integration

package integration

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/scenario"
)

// Real processes of examples/worker join, stop, die and come back while records
// are produced throughout.
func TestWorkers(t *testing.T) {
	for _, s := range strategies[:1] {
		t.Run(s.name, func(t *testing.T) {
			f := newFleet(t, s, 24)
			onlyGain := func(after, before scenario.Ownership, worker string) {
				t.Helper()
				if s.local {
					after.MustOnlyGain(t, before, worker)
				}
			}
			onlyLose := func(after, before scenario.Ownership, worker string) {
				t.Helper()
				if s.local {
					after.MustOnlyLose(t, before, worker)
				}
			}
			stop := f.produce()
			for _, name := range []string{"w0", "w1", "w2"} {
				f.start(name)
			}
			three := f.settle()
			four := f.step("a fourth joins", func() { f.start("w3") }, "w3")
			onlyGain(four, three, "w3")

			without := f.step("SIGTERM", func() { f.stop("w1") })
			onlyLose(without, four, "w1")
			f.step("it starts again", func() { f.start("w1") }, "w1").MustEqual(t, four)

			without = f.step("SIGKILL, with a session timeout of "+workerSession.String(), func() { f.kill("w2") })
			onlyLose(without, four, "w2")
			f.step("it starts again", func() { f.start("w2") }, "w2").MustEqual(t, four)

			f.step("SIGKILL and restart at once", func() {
				f.kill("w0")
				f.start("w0")
			}, "w0").MustEqual(t, four)

			five := f.step("a fifth joins", func() { f.start("w4") }, "w4")
			onlyGain(five, four, "w4")
			for _, name := range []string{"w0", "w1", "w2", "w3", "w4"} { // the leader among them
				f.step("rolling restart, "+name, func() {
					f.stop(name)
					f.start(name)
				}, name).MustEqual(t, five)
			}
			again := f.step("SIGTERM of one and SIGKILL of another", func() {
				f.kill("w3")
				f.stop("w4")
			})
			if s.local {
				again.MustEqual(t, three)
			}
			f.finish(stop())
		})
	}
}

// The same for an even strategy, short: workers restart one by one and get back
// what they had.
func TestEvenWorkers(t *testing.T) {
	f := newFleet(t, evenly, 12)
	stop := f.produce()
	names := []string{"w0", "w1", "w2"}
	for _, name := range names {
		f.start(name)
	}
	three := f.settle()
	for _, name := range names { // the leader among them
		f.step("restart of "+name, func() {
			f.stop(name)
			f.start(name)
		}, name).MustEqual(t, three)
	}
	f.finish(stop())
}

// Static workers keep their partitions, unread, while they are away: with both
// an identity and an instance ID a kill and a start within the session timeout
// move nothing and nobody else notices.
func TestStaticWorkers(t *testing.T) {
	for _, s := range strategies[:1] {
		t.Run(s.name, func(t *testing.T) {
			f := newFleet(t, s, 12)
			stop := f.produce()
			for _, name := range []string{"w0", "w1", "w2"} {
				f.start(name, "-instance-id", name)
			}
			before := f.settle()
			for _, name := range []string{"w0", "w1", "w2"} { // the leader among them
				f.step("SIGKILL and restart of static "+name, func() {
					f.kill(name)
					f.start(name, "-instance-id", name)
				}).MustEqual(t, before)
			}
			f.finish(stop())
		})
	}
}

// The worker's endpoints tell of the group.
func TestWorkerEndpoints(t *testing.T) {
	f := newFleet(t, strategies[0], 6)
	p := f.start("w0")
	f.settle()
	var listen string
	for _, l := range p.trace.lines {
		if l.Event == "start" {
			listen = l.Listen
		}
	}
	client := http.Client{Timeout: 5 * time.Second}
	for path, want := range map[string]string{"/healthz": "6 partitions", "/metrics": "kgo_rendezvous_"} {
		resp, err := client.Get("http://" + listen + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusOK || !strings.Contains(string(body), want) {
			t.Errorf("%s: %s, %v, without %q:\n%s", path, resp.Status, err, want, body)
		}
	}
	f.stop("w0")
}
