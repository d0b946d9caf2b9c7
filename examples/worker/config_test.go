package main

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

func noEnv(string) (string, bool) { return "", false }

func envOf(m map[string]string) lookupEnv {
	return func(name string) (string, bool) { v, ok := m[name]; return v, ok }
}

func TestConfig(t *testing.T) {
	env := envOf(map[string]string{
		"WORKER_BROKERS":         "a:1, b:2",
		"WORKER_GROUP":           "from-env",
		"WORKER_EAGER":           "true",
		"WORKER_SESSION_TIMEOUT": "6s",
		"WORKER_PORT":            "tcp://10.0.0.1:80", // Kubernetes sets such ones for a service named worker
	})
	c, err := parseConfig([]string{"-group", "from-flag", "-topics=x,y", "-identity", "w-0", "-pinned"}, env, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(c.brokers, "|"); got != "a:1|b:2" {
		t.Errorf("brokers %q", got)
	}
	if c.group != "from-flag" {
		t.Errorf("group %q: the flag must win", c.group)
	}
	if !c.eager || !c.pinned || len(c.topics) != 2 || c.name() != "w-0" {
		t.Errorf("%+v", c)
	}
	if c.session != 6*time.Second || c.heartbeat != 2*time.Second {
		t.Errorf("session %s, heartbeat %s: it must follow a shorter session", c.session, c.heartbeat)
	}

	c, err = parseConfig([]string{"-group", "g", "-topics", "t"}, noEnv, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if c.heartbeat != 3*time.Second || c.identity != "" || c.strategy != "hrw" || c.listen != defaultListen {
		t.Errorf("defaults: %+v", c)
	}
}

// Every mistake is named with its flag and what to do, all of them at once.
func TestConfigMistakes(t *testing.T) {
	for _, test := range []struct {
		name string
		args string
		env  map[string]string
		want []string
	}{
		{"nothing", "", nil, []string{"-group is missing", "-topics is missing"}},
		{"unknown flag", "-grop g", nil, []string{"-grop"}},
		{"argument", "-group g -topics t produce", nil, []string{`"produce"`}},
		{"duration", "-session-timeout 45", nil, []string{"-session-timeout", "unit"}},
		{"negative", "-stop-timeout -1s", nil, []string{"-stop-timeout"}},
		{"number", "-max-poll many", nil, []string{"-max-poll", "whole number"}},
		{"boolean", "-eager=maybe", nil, []string{"-eager", "true or false"}},
		{"level", "-log-level loud", nil, []string{"-log-level", "debug"}},
		{"broker", "-brokers kafka", nil, []string{"-brokers", `"kafka" is no HOST:PORT`}},
		{"list", "-topics a,,b", nil, []string{"-topics", "empty"}},
		{"unset variable", "-group g -topics t", map[string]string{"WORKER_IDENTITY": "", "WORKER_COMMIT_INTERVAL": "1"}, []string{"WORKER_IDENTITY (-identity)", "not set", "WORKER_COMMIT_INTERVAL (-commit-interval)"}},
		{"strategy", "-group g -topics t -strategy best", nil, []string{`-strategy "best"`, "hrw"}},
		{"topic", "-group g -topics a/b", nil, []string{"-topics", `"a/b"`}},
		{"identity", "-group g -topics t -identity @home", nil, []string{"-identity @home", "@hostname"}},
		{"heartbeat", "-group g -topics t -session-timeout 6s -heartbeat-interval 3s", nil, []string{"-heartbeat-interval 3s", "-session-timeout 6s", "2s"}},
		{"slow", "-group g -topics t -record-delay 1s", nil, []string{"-max-poll 100", "-record-delay 1s", "-rebalance-timeout 1m0s"}},
		{"no poll", "-group g -topics t -max-poll 0", nil, []string{"-max-poll"}},
		{"listen", "-group g -topics t -listen 2112", nil, []string{"-listen", ":PORT"}},
		{"format", "-group g -topics t -log-format xml", nil, []string{"-log-format", "json"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := parseConfig(strings.Fields(test.args), envOf(test.env), io.Discard)
			if !errors.As(err, new(usageError)) {
				t.Fatalf("got %v, want a usageError", err)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in: %v", want, err)
				}
			}
		})
	}
}

// What only the Balancer or the client can tell is the user's mistake too.
func TestRefusals(t *testing.T) {
	for _, args := range []string{
		"-identity " + strings.Repeat("x", 256),
		"-endpoint \xff",
		"-session-timeout 50ms -heartbeat-interval 1ms",
		"-commit-interval 1ms",
		"-listen 999.1.1.1:0",
		"-trace /no/such/folder/file",
	} {
		var out bytes.Buffer
		status := run(t.Context(), strings.Fields("-group g -topics t -listen none "+args), noEnv, &out, &out)
		if status == 0 {
			t.Errorf("%s: accepted", args)
		}
		if !strings.Contains(out.String(), "-") || strings.Contains(out.String(), "panic") {
			t.Errorf("%s: %s", args, &out)
		}
	}
}

func TestHelp(t *testing.T) {
	for _, command := range []string{"", "produce", "health"} {
		var out bytes.Buffer
		if status := run(t.Context(), append(strings.Fields(command), "-help"), noEnv, &out, os.Stderr); status != 0 {
			t.Errorf("%s -help: status %d", command, status)
		}
		for _, line := range strings.Split(out.String(), "\n") {
			if len(line) > 104 {
				t.Errorf("%s -help: too long: %s", command, line)
			}
		}
		if !strings.Contains(out.String(), "WORKER_") {
			t.Errorf("%s -help:\n%s", command, &out)
		}
	}
	if _, err := parseConfig([]string{"-h"}, noEnv, io.Discard); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("-h: %v", err)
	}
}

func TestIdentity(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Skip(err)
	}
	c := config{identity: "@hostname"}
	if err := c.findIdentity(); err != nil || c.identity != host {
		t.Errorf("%q, %v, want %q", c.identity, err, host)
	}
}
