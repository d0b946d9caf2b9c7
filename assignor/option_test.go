package assignor_test

import (
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

type named string

func (n named) Name() string                         { return string(n) }
func (named) Assign(g *assignor.Group) assignor.Plan { return g.Owned() }

type invalid struct{ named }

func (invalid) Validate() error { return errBound }

type boundError struct{}

func (boundError) Error() string { return "LoadBound 0.5 is below 1: give 1.25, for example" }

var errBound = boundError{}

// Misuse is said at start-up, with the option's name and what to do.
func TestNewReportsMisuse(t *testing.T) {
	for _, c := range []struct {
		name     string
		strategy assignor.Strategy
		opts     []assignor.Option
		want     []string
	}{
		{"no strategy", nil, nil, []string{"no strategy"}},
		{"no name", named(""), nil, []string{"no name"}},
		{"kgo's name", named("cooperative-sticky"), nil, []string{"cooperative-sticky", "another name"}},
		{"eager in the name", named("x-eager"), nil, []string{"x-eager", "Eager"}},
		{"settings", invalid{named("x")}, nil, []string{`strategy "x"`, "LoadBound"}},
		{"unset identity", named("x"), []assignor.Option{assignor.Identity("")}, []string{"Identity is empty", "unset variable"}},
		{"long identity", named("x"), []assignor.Option{assignor.Identity(strings.Repeat("y", 256))}, []string{"Identity", "256 bytes", "255"}},
		{"identity with NUL", named("x"), []assignor.Option{assignor.Identity("a\x00b")}, []string{"Identity", "NUL"}},
		{"identity not UTF-8", named("x"), []assignor.Option{assignor.Identity("\xff")}, []string{"Identity", "UTF-8"}},
		{"empty endpoint", named("x"), []assignor.Option{assignor.Endpoint("")}, []string{"Endpoint is empty"}},
		{"long endpoint", named("x"), []assignor.Option{assignor.Endpoint(strings.Repeat("y", 256))}, []string{"Endpoint", "255"}},
		{"weight 0", named("x"), []assignor.Option{assignor.Weight(0)}, []string{"Weight is 0", "1 to 10000"}},
		{"weight too large", named("x"), []assignor.Option{assignor.Weight(10_001)}, []string{"Weight is 10001"}},
		{"nil option", named("x"), []assignor.Option{nil}, []string{"option 0 is nil"}},
		{"nil functions", named("x"), []assignor.Option{assignor.OnPlan(nil), assignor.OnWarning(nil), assignor.OnFollow(nil), assignor.Warm(nil), assignor.ObserveWarning(nil)}, []string{"OnPlan", "OnWarning", "OnFollow", "Warm", "ObserveWarning"}},
		{"two at once", named("x"), []assignor.Option{assignor.Identity(""), assignor.Endpoint("")}, []string{"Identity", "Endpoint"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := assignor.New(c.strategy, c.opts...)
			if err == nil || b != nil {
				t.Fatalf("got %v, %v", b, err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
		})
	}
}

func TestProtocolName(t *testing.T) {
	b, err := assignor.New(named("x"), assignor.Identity(strings.Repeat("y", 255)))
	if err != nil || b.ProtocolName() != "x" || !b.IsCooperative() {
		t.Errorf("got %v, %v", b.ProtocolName(), err)
	}
	b, err = assignor.New(named("x"), assignor.Eager())
	if err != nil || b.ProtocolName() != "x-eager" || b.IsCooperative() {
		t.Errorf("got %v, %v", b.ProtocolName(), err)
	}
	// A client takes it, as balancer and as hook.
	cl, err := kgo.NewClient(kgo.SeedBrokers("127.0.0.1:1"), kgo.Balancers(b), kgo.WithHooks(b))
	if err != nil {
		t.Fatal(err)
	}
	cl.Close()
}
