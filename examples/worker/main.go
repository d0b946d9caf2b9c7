// Command worker reads topics in a consumer group as a service would: partitions
// placed by kgo-rendezvous, records processed at least once, offsets committed
// before a partition is handed over, a graceful stop, metrics and health.
//
//	worker -group orders -topics orders -identity "$POD_NAME"
//	worker produce -topic orders        makes a topic and records to read
//	worker health                       asks a worker on this host how it is
//
// worker -help lists the flags; each can be given by an environment variable
// too. Logs go to stderr.
//
// What it does with a record is to count it. To make a service of it, put the
// work into (*worker).process, what the service keeps for a partition into state,
// and TLS and SASL into newClient: it speaks plaintext.
//
// # Placement
//
// -strategy says by what: sticky shares partitions evenly, moves as few as it can
// and remembers, as long as some worker stays, whose were whose; the others hash,
// and remember nothing. With -identity a worker that restarts gets its partitions
// back either way. All workers of a group must be of one strategy.
//
// # Stopping
//
// SIGTERM or SIGINT: what was polled is processed and committed, the group is
// left, and the process exits with 0. Other members have the partitions a moment
// later, instead of after the session timeout. (A static member, -instance-id,
// stays in the group, and its partitions wait for it.) A second signal, or
// -stop-timeout, ends it at once; nothing is lost then, but the partitions stay
// unread until the session has timed out, and some records are processed twice.
//
// # Kubernetes
//
// Give WORKER_IDENTITY the pod's name (fieldRef: metadata.name) in a StatefulSet,
// where names survive a deploy. /healthz is for the readiness probe: it turns 200
// when the worker is a member of the group, so that a rolling update goes on to
// the next pod only when the one before is back. It is not for the liveness
// probe: a worker that lost its group joins again by itself, and killing it
// because the brokers are away makes things worse. terminationGracePeriodSeconds
// must exceed -stop-timeout.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go stopOnSignal(cancel)
	os.Exit(run(ctx, os.Args[1:], os.LookupEnv, os.Stdout, os.Stderr))
}

// stopOnSignal asks for a graceful stop at the first signal and ends the process
// at the second. It does so itself, because the default action of a signal is
// not taken for the first process of a container.
func stopOnSignal(stop func()) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	<-signals
	stop()
	second := <-signals
	fmt.Fprintf(os.Stderr, "worker: %s for the second time: gone without leaving the group\n", second)
	status := 1
	if s, ok := second.(syscall.Signal); ok {
		status = 128 + int(s)
	}
	os.Exit(status)
}

// lookupEnv is os.LookupEnv or a test's.
type lookupEnv func(name string) (value string, ok bool)

// A logged error is in the log already: whoever collects that wants no other line.
type logged struct{ error }

// run is the program without its process. It returns the exit status.
func run(ctx context.Context, args []string, env lookupEnv, stdout, stderr io.Writer) int {
	do := consume
	name := "worker"
	if len(args) > 0 {
		switch args[0] {
		case "produce":
			do, name, args = produce, "worker produce", args[1:]
		case "health":
			do, name, args = probe, "worker health", args[1:]
		}
	}
	err := do(ctx, args, env, stdout, stderr)
	var misuse usageError
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.As(err, new(logged)):
		return 1
	case errors.As(err, &misuse):
		fmt.Fprintf(stderr, "%s: %v\nSee %[1]s -help.\n", name, err)
		return 2
	default:
		fmt.Fprintf(stderr, "%s: %v\n", name, err)
		return 1
	}
}
