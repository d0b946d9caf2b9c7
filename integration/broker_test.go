//go:build integration

package integration

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/api/types/network"
	"github.com/testcontainers/testcontainers-go"
	tclog "github.com/testcontainers/testcontainers-go/log"
	"github.com/testcontainers/testcontainers-go/wait"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

const (
	defaultImage = "apache/kafka:4.4.0"
	brokerStart  = 2 * time.Minute // pulling the image included
)

// TestMain undoes what atExit was told of, the broker's container above all,
// also when the run is interrupted.
func TestMain(m *testing.M) {
	if os.Getenv("TESTCONTAINERS_RYUK_DISABLED") == "" {
		os.Setenv("TESTCONTAINERS_RYUK_DISABLED", "true")
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		exit(1)
	}()
	exit(m.Run())
}

var exiting struct {
	sync.Mutex
	undo []func()
}

// atExit adds something to be done, last first, before the process exits.
func atExit(undo func()) {
	exiting.Lock()
	defer exiting.Unlock()
	exiting.undo = append(exiting.undo, undo)
}

func exit(code int) {
	exiting.Lock() // and nothing can be added any more
	for _, undo := range slices.Backward(exiting.undo) {
		undo()
	}
	os.Exit(code)
}

// startBroker starts the broker that all tests share, each with topics and a
// group of its own. It returns the broker's address.
var startBroker = sync.OnceValues(func() (addr string, err error) {
	image := os.Getenv("KAFKA_IMAGE")
	if image == "" {
		image = defaultImage
	}
	ctx, cancel := context.WithTimeout(context.Background(), brokerStart)
	defer cancel()
	if err := dockerAnswers(ctx); err != nil {
		return "", fmt.Errorf("these tests need Docker; start it (service docker start, or dockerd & where there is no init): %w", err)
	}
	port, err := freePort()
	if err != nil {
		return "", err
	}
	before := time.Now()
	// Started only when it is known that it will be removed.
	c, err := testcontainers.Run(ctx, image, append(brokerOptions(port), testcontainers.WithNoStart())...)
	if c != nil {
		// Its data goes with it, so there is no reason to wait for an orderly
		// end.
		atExit(func() {
			if err := testcontainers.TerminateContainer(c, testcontainers.StopTimeout(0)); err != nil {
				fmt.Fprintf(os.Stderr, "the broker's container is still there: %v\n", err)
			}
		})
	}
	if err == nil {
		err = c.Start(ctx)
	}
	if err != nil {
		return "", fmt.Errorf("image %s: %w\n%s`make kafka-image` builds kgo-rendezvous/kafka:4.4.0 where no registry can be reached; name it with KAFKA_IMAGE=kgo-rendezvous/kafka:4.4.0", image, err, tail(c))
	}
	addr = net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	if err := brokerAnswers(ctx, addr); err != nil {
		return "", fmt.Errorf("image %s: started, but %w\n%s", image, err, tail(c))
	}
	fmt.Printf("%s ready at %s after %.1f s\n", image, addr, time.Since(before).Seconds())
	return addr, nil
})

// broker returns the address of the shared broker. Only the first test that
// does without says why.
func broker(t *testing.T) string {
	t.Helper()
	addr, err := startBroker()
	if err != nil {
		why := "no broker: the first test that failed says why"
		brokerFailed.Do(func() { why = err.Error() })
		t.Fatal(why)
	}
	return addr
}

var brokerFailed sync.Once

// admin returns a client that only asks and manages.
func admin(t *testing.T) *kadm.Client {
	t.Helper()
	cl, err := kgo.NewClient(kgo.SeedBrokers(broker(t)), kgo.MetadataMinAge(10*time.Millisecond), kgo.DisableClientMetrics())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cl.Close)
	return kadm.NewClient(cl)
}

func dockerAnswers(ctx context.Context) (err error) {
	tclog.SetDefault(log.New(io.Discard, "", 0)) // its banner; failures come as errors
	defer func() {
		if r := recover(); r != nil { // how testcontainers says that it finds no daemon
			err = fmt.Errorf("%v", r)
		}
	}()
	provider, err := testcontainers.NewDockerProvider()
	if err != nil {
		return err
	}
	return errors.Join(provider.Health(ctx), provider.Close())
}

// brokerOptions describe a single node for which the official image and the one
// built by `make kafka-image` are the same. The port is chosen here, not by
// Docker, so that it can be advertised without a start script.
func brokerOptions(port int) []testcontainers.ContainerCustomizer {
	return []testcontainers.ContainerCustomizer{
		testcontainers.WithExposedPorts("9092/tcp"),
		testcontainers.WithConfigModifier(func(c *container.Config) { c.Hostname = "kafka1" }),
		testcontainers.WithHostConfigModifier(func(c *container.HostConfig) {
			c.PortBindings = network.PortMap{network.MustParsePort("9092/tcp"): {{
				HostIP: netip.MustParseAddr("127.0.0.1"), HostPort: strconv.Itoa(port),
			}}}
		}),
		testcontainers.WithEnv(map[string]string{
			"KAFKA_NODE_ID":                                          "1",
			"KAFKA_PROCESS_ROLES":                                    "broker,controller",
			"KAFKA_LISTENERS":                                        "EXTERNAL://:9092,CONTROLLER://:9093,INTERNAL://:9094",
			"KAFKA_ADVERTISED_LISTENERS":                             fmt.Sprintf("EXTERNAL://127.0.0.1:%d,INTERNAL://kafka1:9094", port),
			"KAFKA_INTER_BROKER_LISTENER_NAME":                       "INTERNAL",
			"KAFKA_CONTROLLER_LISTENER_NAMES":                        "CONTROLLER",
			"KAFKA_LISTENER_SECURITY_PROTOCOL_MAP":                   "EXTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT,INTERNAL:PLAINTEXT",
			"KAFKA_CONTROLLER_QUORUM_VOTERS":                         "1@kafka1:9093",
			"KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR":                 "1",
			"KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS":                     "6",
			"KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR":         "1",
			"KAFKA_TRANSACTION_STATE_LOG_MIN_ISR":                    "1",
			"KAFKA_SHARE_COORDINATOR_STATE_TOPIC_REPLICATION_FACTOR": "1",
			"KAFKA_SHARE_COORDINATOR_STATE_TOPIC_MIN_ISR":            "1",
			"KAFKA_LOG_DIRS":                                         "/tmp/kafka-logs",
			"KAFKA_AUTO_CREATE_TOPICS_ENABLE":                        "false",
			// So that a test need not wait for what users wait for. The last two
			// are for KIP-848, where the broker and not the client says when.
			"KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS":         "0",
			"KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS":             "1000",
			"KAFKA_GROUP_CONSUMER_MIN_HEARTBEAT_INTERVAL_MS": "100",
			"KAFKA_GROUP_CONSUMER_HEARTBEAT_INTERVAL_MS":     "200",
		}),
		testcontainers.WithWaitStrategyAndDeadline(brokerStart, wait.ForLog("Kafka Server started")),
	}
}

// brokerAnswers waits until the broker lists itself: the log says that it is
// started a moment before the metadata does.
func brokerAnswers(ctx context.Context, addr string) error {
	cl, err := kgo.NewClient(kgo.SeedBrokers(addr))
	if err != nil {
		return err
	}
	defer cl.Close()
	var brokers kadm.BrokerDetails
	for ctx.Err() == nil {
		if brokers, err = kadm.NewClient(cl).ListBrokers(ctx); err == nil && len(brokers) == 1 {
			return nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
	return fmt.Errorf("it lists %d brokers at %s: %w", len(brokers), addr, err)
}

// freePort returns a port below the range that outgoing connections take theirs
// from, so that it stays free until the container binds it.
func freePort() (int, error) {
	var err error
	for range 100 {
		port := 20_000 + rand.IntN(12_768)
		var l net.Listener
		if l, err = net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err == nil {
			return port, l.Close()
		}
	}
	return 0, fmt.Errorf("no free port below 32768: %w", err)
}

// tail returns the end of a container's log, for an error message.
func tail(c *testcontainers.DockerContainer) string {
	if c == nil {
		return ""
	}
	r, err := c.Logs(context.Background())
	if err != nil {
		return ""
	}
	defer r.Close()
	log, _ := io.ReadAll(r)
	return string(log[max(0, len(log)-2000):]) + "\n"
}
