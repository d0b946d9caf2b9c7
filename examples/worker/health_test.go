package main

import (
	"bytes"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestHealth(t *testing.T) {
	w := &worker{health: newHealth(&config{group: "orders", brokers: []string{"b:1"}, topics: []string{"t"}})}
	server := httptest.NewServer(w.health)
	defer server.Close()
	// As a container's health check asks.
	expect := func(ok bool, word string) {
		t.Helper()
		var out bytes.Buffer
		status := run(t.Context(), []string{"health", "-listen", strings.TrimPrefix(server.URL, "http://")}, noEnv, &out, &out)
		if (status == 0) != ok || !strings.Contains(out.String(), word) || !strings.Contains(out.String(), `"orders"`) {
			t.Errorf("status %d, %s; want %t, %q", status, &out, ok, word)
		}
	}
	expect(false, "joining")
	w.health.set(true, "a member that owns 3 partitions")
	expect(true, "3 partitions")
	w.OnGroupManageError(errors.New("no coordinator"))
	expect(false, "no coordinator")
	w.health.set(true, "a member that owns 0 partitions")
	w.health.stop()
	w.health.set(true, "revoked on the way out")
	expect(false, "stopping")
}

func TestProbeMistakes(t *testing.T) {
	for listen, want := range map[string]int{"none": 2, ":0": 2, "127.0.0.1:1": 1} {
		var out bytes.Buffer
		env := envOf(map[string]string{"WORKER_LISTEN": listen})
		if got := run(t.Context(), []string{"health"}, env, &out, &out); got != want || out.Len() == 0 {
			t.Errorf("%s: status %d, %s", listen, got, &out)
		}
	}
}
