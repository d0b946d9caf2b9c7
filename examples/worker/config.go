package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"regexp"
	"strings"
	"time"
)

// config is what the worker was asked to do.
type config struct {
	brokers, topics      []string
	group, strategy      string
	identity, instanceID string
	rack, endpoint       string
	weight               int
	eager, pinned        bool
	session, heartbeat   time.Duration
	rebalance, commits   time.Duration
	maxPoll              int
	recordDelay          time.Duration
	stopTimeout          time.Duration
	listen, trace        string
	logFormat            string
	logLevel             slog.Level
}

const about = `worker reads topics in a consumer group, at least once, with partitions placed by
kgo-rendezvous.

  worker -group NAME -topics NAME,... [flags]
  worker produce -topic NAME [flags]      makes a topic and records to read
  worker health [flags]                   asks a worker on this host how it is
`

// The address that workers listen on, unless they are told another one.
const defaultListen = ":2112"

const noListen = "none"

func parseConfig(args []string, env lookupEnv, out io.Writer) (*config, error) {
	c := &config{
		brokers:     []string{"127.0.0.1:9092"},
		strategy:    "hrw",
		weight:      1,
		session:     45 * time.Second,
		rebalance:   time.Minute,
		commits:     time.Second,
		maxPoll:     100,
		stopTimeout: 25 * time.Second,
		listen:      defaultListen,
		logFormat:   "text",
	}
	s := newSettings(about)
	define(s, &c.brokers, "brokers", "`HOST:PORT,...` to find the cluster by", brokers)
	define(s, &c.group, "group", "`NAME` of the consumer group", text)
	define(s, &c.topics, "topics", "`NAME,...` of the topics to read", list)
	define(s, &c.strategy, "strategy", "how partitions are placed, `NAME` being one of\n"+strategyNames()+";\nsticky shares evenly, the others hash", text)
	define(s, &c.identity, "identity", "`NAME` that survives a restart, so that this worker gets its partitions back;\n@hostname is the host's name, @dns that of its address in the DNS, in Docker the container's", text)
	define(s, &c.weight, "weight", "`NUMBER` that this worker's share is relative to the others', 1 to 10000", whole)
	define(s, &c.instanceID, "instance-id", "`NAME` of a static member: while it is away its partitions wait for it,\nuntil the session times out", text)
	define(s, &c.rack, "rack", "`NAME` of the rack or zone, to read from near replicas", text)
	define(s, &c.endpoint, "endpoint", "`HOST:PORT` or URL under which other members can reach this one", text)
	define(s, &c.eager, "eager", "give up everything at each rebalance, instead of only what moves;\nall members must agree", yes)
	define(s, &c.pinned, "pinned", "keep members of the new consumer protocol (KIP-848) from taking\nthe group over", yes)
	define(s, &c.session, "session-timeout", "`TIME` after which a worker that is not heard of loses its partitions", duration)
	define(s, &c.heartbeat, "heartbeat-interval", "`TIME` between signs of life (default 3s, or a third of the session\ntimeout if that is less)", duration)
	define(s, &c.rebalance, "rebalance-timeout", "`TIME` that members have to hand over partitions", duration)
	define(s, &c.commits, "commit-interval", "`TIME` between commits", duration)
	define(s, &c.maxPoll, "max-poll", "`NUMBER` of records polled at once; a rebalance waits until they are done", whole)
	define(s, &c.recordDelay, "record-delay", "`TIME` that processing a record takes, to play with", duration)
	define(s, &c.stopTimeout, "stop-timeout", "`TIME` for a graceful stop", duration)
	define(s, &c.listen, "listen", "`ADDRESS` for /metrics and /healthz; port 0 takes any free one and logs it,\n"+noListen+" opens none", text)
	define(s, &c.trace, "trace", "`FILE` to append each event to, processed records among them, as a line of\nJSON; - is standard output", text)
	define(s, &c.logFormat, "log-format", "`FORMAT` of the log on standard error, text or json", text)
	define(s, &c.logLevel, "log-level", "`LEVEL` debug, info, warn or error; debug shows the client's own log too", level)
	if err := s.parse(args, env, out); err != nil {
		return nil, err
	}
	if err := c.validate(); err != nil {
		return nil, usageError{err}
	}
	return c, nil
}

func level(s string) (l slog.Level, err error) {
	if l.UnmarshalText([]byte(s)) != nil {
		err = errors.New("give debug, info, warn or error")
	}
	return l, err
}

// What brokers accept.
var legalTopic = regexp.MustCompile(`^[a-zA-Z0-9._-]{1,249}$`)

// validate checks what one flag alone cannot tell, and completes c.
func (c *config) validate() error {
	var errs []error
	wrong := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if c.group == "" {
		wrong("-group is missing: name the consumer group")
	}
	if len(c.topics) == 0 {
		wrong("-topics is missing: name the topics to read")
	}
	for _, t := range c.topics {
		if !legalTopic.MatchString(t) {
			wrong("-topics: %q is no name of a topic: it has 1 to 249 letters, digits, dots, dashes and underscores", t)
		}
	}
	if strategies[c.strategy] == nil {
		wrong("-strategy %q is unknown: choose %s", c.strategy, strategyNames())
	}
	if err := c.findIdentity(); err != nil {
		errs = append(errs, err)
	}
	// kgo asks for no more than that the heartbeat be shorter than the session,
	// but then one that is late costs all partitions.
	if c.heartbeat == 0 {
		c.heartbeat = min(3*time.Second, c.session/3)
	}
	if c.heartbeat > c.session/3 {
		wrong("-heartbeat-interval %s is more than a third of -session-timeout %s: lower it to %s, or leave it out", c.heartbeat, c.session, c.session/3)
	}
	if c.maxPoll == 0 {
		wrong("-max-poll is 0: give at least 1")
	}
	if batch := time.Duration(c.maxPoll) * c.recordDelay; batch > c.rebalance/2 {
		wrong("-max-poll %d records of -record-delay %s take %s, more than half of -rebalance-timeout %s, past which the group goes on without this worker: lower one of the first two, or raise the last", c.maxPoll, c.recordDelay, batch, c.rebalance)
	}
	if c.listen != noListen {
		if _, _, err := net.SplitHostPort(c.listen); err != nil {
			wrong("-listen %q: give HOST:PORT or :PORT, or %q", c.listen, noListen)
		}
	}
	if c.logFormat = strings.ToLower(c.logFormat); c.logFormat != "text" && c.logFormat != "json" {
		wrong("-log-format %q: give text or json", c.logFormat)
	}
	return errors.Join(errs...)
}

// name is how logs, traces and the broker call this worker: "" for nothing of
// its own.
func (c *config) name() string {
	if c.identity != "" {
		return c.identity
	}
	return c.instanceID
}
