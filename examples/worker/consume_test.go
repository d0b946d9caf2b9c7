package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
	"go.uber.org/goleak"
)

// A started worker runs in this process, as run does.
type started struct {
	trace, log buffer
	stop       context.CancelFunc
	status     chan int
}

func start(t *testing.T, c *cluster, args ...string) *started {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	w := &started{stop: stop, status: make(chan int, 1)}
	args = append([]string{"-brokers", c.brokers, "-group", "g", "-topics", "orders", "-listen", "none", "-trace", "-", "-heartbeat-interval", "100ms"}, args...)
	go func() { w.status <- run(ctx, args, noEnv, &w.trace, &w.log) }()
	t.Cleanup(func() {
		stop()
		if t.Failed() {
			t.Logf("log:\n%s", &w.log)
		}
	})
	return w
}

func (w *started) processed() int { return strings.Count(w.trace.String(), `"event":"processed"`) }

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

func TestConsume(t *testing.T) {
	c := newCluster(t, 4)
	c.produce(t, 200)
	before := goleak.IgnoreCurrent()

	w := start(t, c, "-listen", "127.0.0.1:0", "-identity", "w-0")
	eventually(t, "all processed", func() bool { return w.processed() == 200 })
	address := "http://" + parseTrace(t, w.trace.String())[0].Listen
	if status, body := get(t, address+"/healthz"); status != http.StatusOK || !strings.Contains(body, "owns 4 partitions") {
		t.Errorf("/healthz: %d, %s", status, body)
	}
	_, body := get(t, address+"/metrics")
	for _, want := range []string{
		`worker_records_total{topic="orders"} 200`,
		`worker_partitions 4`,
		`kgo_rendezvous_member_partitions{group="g",member="w-0",strategy="hrw"} 4`,
		`kgo_rendezvous_warnings_total{group="g",kind="owed",strategy="hrw"} 0`,
		`go_goroutines`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("/metrics lacks %s", want)
		}
	}
	w.stop()
	if status := <-w.status; status != 0 {
		t.Errorf("status %d", status)
	}
	if n := w.processed(); n != 200 {
		t.Errorf("%d processed, want each of 200 once", n)
	}
	goleak.VerifyNone(t, before, goleak.IgnoreAnyFunction("github.com/twmb/franz-go/pkg/kfake.(*clientConn).read.func1"))
	if n := c.uncommitted(t); n != 0 {
		t.Errorf("%d records are not committed", n)
	}
	if n := c.members(t); n != 0 {
		t.Errorf("%d members are in the group", n)
	}
}

// A stop in the middle of a poll: what was polled is processed, what is left goes
// to the next worker, nothing is done twice.
func TestStopMidway(t *testing.T) {
	for _, args := range [][]string{nil, {"-eager"}, {"-instance-id", "i-0"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			c := newCluster(t, 4)
			c.produce(t, 200)
			slow := append(args, "-record-delay", "5ms", "-max-poll", "20")
			w := start(t, c, slow...)
			eventually(t, "some processed", func() bool { return w.processed() > 30 })
			w.stop()
			if status := <-w.status; status != 0 {
				t.Errorf("status %d", status)
			}
			done := w.processed()
			if left := c.uncommitted(t); done == 200 || left != int64(200-done) {
				t.Errorf("%d processed, %d not committed", done, left)
			}
			next := start(t, c, args...)
			eventually(t, "the rest processed", func() bool { return done+next.processed() == 200 })
			next.stop()
			if status := <-next.status; status != 0 || done+next.processed() != 200 {
				t.Errorf("status %d, %d and %d processed", status, done, next.processed())
			}
		})
	}
}

// A record that fails is not committed, nor any after it.
func TestFailure(t *testing.T) {
	c := newCluster(t, 1)
	c.produce(t, 10)
	w := start(t, c, "-trace", "/dev/full")
	if status := <-w.status; status != 1 {
		t.Errorf("status %d", status)
	}
	if log := w.log.String(); strings.Count(log, "-trace:") != 1 || strings.Contains(log, "\nworker:") {
		t.Errorf("the error should be there once, in the log:\n%s", log)
	}
	if n := c.uncommitted(t); n != 10 {
		t.Errorf("%d records are not committed, want all 10", n)
	}
	if n := c.members(t); n != 0 {
		t.Error("it is still in the group")
	}
}

func TestCommitFails(t *testing.T) {
	c := newCluster(t, 1)
	c.produce(t, 10)
	c.ControlKey(int16(kmsg.OffsetCommit), func(req kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		resp := req.ResponseKind().(*kmsg.OffsetCommitResponse)
		for _, topic := range req.(*kmsg.OffsetCommitRequest).Topics {
			rt := kmsg.NewOffsetCommitResponseTopic()
			rt.Topic, rt.TopicID = topic.Topic, topic.TopicID
			for _, p := range topic.Partitions {
				rp := kmsg.NewOffsetCommitResponseTopicPartition()
				rp.Partition, rp.ErrorCode = p.Partition, 29 // TOPIC_AUTHORIZATION_FAILED
				rt.Partitions = append(rt.Partitions, rp)
			}
			resp.Topics = append(resp.Topics, rt)
		}
		return resp, nil, true
	})
	w := start(t, c, "-commit-interval", "100ms")
	eventually(t, "a failure between rebalances", func() bool { return strings.Contains(w.log.String(), "the next commit covers it") })
	w.stop()
	if status := <-w.status; status != 1 {
		t.Errorf("status %d", status)
	}
	if trace := w.trace.String(); !strings.Contains(trace, `"err":"cannot commit`) {
		t.Errorf("the trace does not tell:\n%s", trace)
	}
}

func TestStopTimeout(t *testing.T) {
	c := newCluster(t, 1)
	release := make(chan struct{})
	defer close(release)
	c.ControlKey(int16(kmsg.LeaveGroup), func(kmsg.Request) (kmsg.Response, error, bool) {
		c.SleepControl(func() { <-release })
		return nil, nil, false
	})
	w := start(t, c, "-stop-timeout", "200ms")
	eventually(t, "a member", func() bool { return strings.Contains(w.trace.String(), `"assigned"`) })
	w.stop()
	if status := <-w.status; status != 1 {
		t.Errorf("status %d", status)
	}
	if log := w.log.String(); !strings.Contains(log, "still in the group after 200ms") {
		t.Errorf("log:\n%s", log)
	}
}

func TestProduce(t *testing.T) {
	c := newCluster(t, 1)
	for range 2 { // the second finds the topic
		var log buffer
		args := strings.Fields("produce -topic new -partitions 3 -count 60 -rate 1000 -keys 7 -brokers " + c.brokers)
		if status := run(t.Context(), args, noEnv, &log, &log); status != 0 {
			t.Fatalf("status %d:\n%s", status, &log)
		}
	}
	if ends := c.ends(t, "new"); sum(ends) != 120 || len(ends) != 3 {
		t.Errorf("records by partition: %v", ends)
	}

	// Stopped, it sends what it has begun, and says how much that was.
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan int)
	var log buffer
	go func() {
		done <- run(ctx, strings.Fields("produce -topic orders -rate 1000 -brokers "+c.brokers), noEnv, &log, &log)
	}()
	eventually(t, "some records", func() bool { return sum(c.ends(t, "orders")) > 20 })
	stop()
	status := <-done
	if want := fmt.Sprintf("records=%d\n", sum(c.ends(t, "orders"))); status != 0 || !strings.HasSuffix(log.String(), want) {
		t.Errorf("status %d, want %s, log:\n%s", status, want, &log)
	}
}

func TestProduceMistakes(t *testing.T) {
	for args, want := range map[string]string{
		"":                        "-topic is missing",
		"-topic a/b":              `"a/b"`,
		"-topic t -rate 0":        "-rate is 0",
		"-topic t -partitions x":  "whole number",
		"-topic t -brokers b:x,c": "-brokers",
	} {
		var out buffer
		if status := run(t.Context(), append([]string{"produce"}, strings.Fields(args)...), noEnv, &out, &out); status != 2 || !strings.Contains(out.String(), want) {
			t.Errorf("%s: status %d, %s", args, status, &out)
		}
	}
}
