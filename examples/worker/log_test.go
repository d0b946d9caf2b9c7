package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

func TestFormat(t *testing.T) {
	for want, ps := range map[string]map[string][]int32{
		"-":              nil,
		"a[0 3 11] b[2]": {"b": {2}, "a": {11, 0, 3}, "c": {}},
	} {
		if got := format(ps); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestFormatMoves(t *testing.T) {
	g := &assignor.Group{Members: []assignor.Member{{Key: "w-0"}, {Key: "w-1"}}}
	moves := []assignor.Move{{Topic: "a", Partition: 4, From: 0, To: 1}, {Topic: "a", Partition: 5, From: 0, To: 1}, {Topic: "b", Partition: 0, From: assignor.None, To: 0}}
	if got, want := formatMoves(g, moves, 1000), "to w-0: b[0]; w-0 to w-1: a[4 5]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	// A line in the log of a large group stays a line.
	for i := range 1000 {
		g.Members = append(g.Members, assignor.Member{Key: fmt.Sprint("member-", i)})
		moves = append(moves, assignor.Move{Topic: "topic", Partition: int32(i), From: 0, To: int32(i + 2)})
	}
	got := formatMoves(g, moves, 1000)
	if len(got) > 1100 || !strings.HasSuffix(got, " more") {
		t.Errorf("%d bytes: ...%s", len(got), got[len(got)-50:])
	}
}

func TestLog(t *testing.T) {
	var out bytes.Buffer
	w := &worker{log: newLog(&config{logFormat: "json"}, &out)}
	w.logPlan(assignor.Report{
		Generation: 7,
		Group:      &assignor.Group{Members: []assignor.Member{{Key: "w-0"}}},
		Gains:      []assignor.Move{{Topic: "a", From: assignor.None}},
		Loads:      []int{1},
		Err:        errors.New("no plan"),
	})
	var line struct {
		Msg, Gains, Load, Err string
		Generation            int
	}
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatal(err)
	}
	if line.Msg != "planned" || line.Gains != "to w-0: a[0]" || line.Load != "1 to 1" || line.Err != "no plan" || line.Generation != 7 {
		t.Errorf("%+v", line)
	}

	out.Reset()
	away := errors.New("broker away")
	w.logErrors(kgo.Fetches{{Topics: []kgo.FetchTopic{{Topic: "a", Partitions: []kgo.FetchPartition{{Partition: 1, Err: away}, {Partition: 0, Err: away}}}}}})
	if got := out.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "a[0 1]") {
		t.Errorf("got:\n%s", got)
	}

	out.Reset()
	clientLog{w.log}.Log(kgo.LogLevelInfo, "chatter")
	clientLog{w.log}.Log(kgo.LogLevelWarn, "trouble", "broker", 1)
	if got := out.String(); strings.Contains(got, "chatter") || !strings.Contains(got, "trouble") {
		t.Errorf("got:\n%s", got)
	}
}
