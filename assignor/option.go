package assignor

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// An Option sets how a Balancer behaves around its Strategy. What changes
// placement is a field of the strategy instead.
type Option interface{ apply(*config) }

type option func(*config)

func (o option) apply(c *config) { o(c) }

type config struct {
	identity, endpoint       string
	identitySet, endpointSet bool
	warm                     func() map[string][]int32
	warmSet                  bool
	weight                   uint32
	weightSet                bool
	eager, pinned            bool
	onPlan                   []func(Report)
	onWarning, watchWarning  []func(Warning)
	onFollow                 []func()
}

// The longest identity and endpoint, in bytes; docs/wire.md fixes them.
const (
	maxIdentity = 255
	maxEndpoint = 255
)

// Identity names this member across restarts: a StatefulSet's pod name, a
// volume's name, a slot number. At most 255 bytes of UTF-8 without NUL. A
// member that comes back under its identity is placed as if it had never left.
// Unlike an instance ID it does not park partitions while the member is away.
//
// Two live members must not share one. If they do both work, one of them under
// a key of its own, and the leader warns.
func Identity(name string) Option {
	return option(func(c *config) { c.identity, c.identitySet = name, true })
}

// Weight is this member's share relative to the others', 1 to 10,000; a member
// without one has 1. A member of weight 2 gets twice as many partitions as one
// of weight 1, as near as the strategy comes to shares at all.
func Weight(n uint32) Option {
	return option(func(c *config) { c.weight, c.weightSet = n, true })
}

// Endpoint tells the others where this member can be reached, as "host:port"
// or a URL, at most 255 bytes of UTF-8 without NUL. It appears in
// Member.Endpoint and changes nothing else.
func Endpoint(addr string) Option {
	return option(func(c *config) { c.endpoint, c.endpointSet = addr, true })
}

// Warm tells what this member has at hand: partitions by topic whose state it
// has on disk or in a snapshot, whoever owns them. A strategy that looks at
// Topic.Warm gives them to it rather than to others, as far as balance allows;
// hashing does not look. fn is asked at most once a generation, unless it fails,
// in the middle of a join: it has a second, its panic is recovered, and it must
// not call the client. It must return a map that nobody changes meanwhile. Of a list too long for the metadata only what fits is sent, and a
// warning says so. Package warm has a file that remembers.
func Warm(fn func() map[string][]int32) Option {
	return option(func(c *config) { c.warm, c.warmSet = fn, true })
}

// Eager makes the group stop the world at each rebalance: everybody gives up
// everything before it joins. The protocol name gets "-eager". For programs
// that cannot handle partitions being taken away one by one.
func Eager() Option { return option(func(c *config) { c.eager = true }) }

// Pinned keeps a group that has members from being taken over by a member of
// the new consumer protocol (KIP-848), which under the broker's default policy
// silently switches every custom balancer off (KAFKA-18134). One member that
// asks is enough. The price is that the group cannot be upgraded online; an
// empty group can always be taken.
func Pinned() Option { return option(func(c *config) { c.pinned = true }) }

// OnPlan calls fn on the leader after each plan, on the goroutine that plans,
// one call at a time, while the group waits: be quick. A panic is recovered and
// warned of. Given several times, all are called in order.
func OnPlan(fn func(Report)) Option {
	return option(func(c *config) { c.onPlan = append(c.onPlan, fn) })
}

// OnWarning calls fn for each Warning of this member, leader or not, on the
// goroutine that found it, one call at a time. Without it warnings go to
// slog.Default at level Warn. Given several times, all are called in order.
func OnWarning(fn func(Warning)) Option {
	return option(func(c *config) { c.onWarning = append(c.onWarning, fn) })
}

// ObserveWarning is OnWarning for an observer that only counts, such as a
// metrics collector: it does not take the log's place.
func ObserveWarning(fn func(Warning)) Option {
	return option(func(c *config) { c.watchWarning = append(c.watchWarning, fn) })
}

// OnFollow calls fn when this member led the group and now does not: another
// leads, or its client was closed. What it reported of the group is then stale.
func OnFollow(fn func()) Option {
	return option(func(c *config) { c.onFollow = append(c.onFollow, fn) })
}

func newConfig(opts []Option) (*config, error) {
	c := new(config)
	var errs []error
	for i, o := range opts {
		if o == nil {
			errs = append(errs, fmt.Errorf("option %d is nil: leave it out", i))
			continue
		}
		o.apply(c)
	}
	if c.identitySet {
		if c.identity == "" {
			errs = append(errs, errors.New("Identity is empty, most likely an unset variable: give a name that survives restarts, or leave the option out"))
		}
		errs = append(errs, checkName("Identity", c.identity, maxIdentity))
	}
	if c.endpointSet {
		if c.endpoint == "" {
			errs = append(errs, errors.New("Endpoint is empty, most likely an unset variable: give an address, or leave the option out"))
		}
		errs = append(errs, checkName("Endpoint", c.endpoint, maxEndpoint))
	}
	if c.weightSet && (c.weight < 1 || c.weight > maxWeight) {
		errs = append(errs, fmt.Errorf("Weight is %d: give 1 to %d; a member that is to get nothing should not join", c.weight, maxWeight))
	}
	if c.warmSet && c.warm == nil {
		errs = append(errs, errors.New("Warm got a nil function: leave the option out"))
	}
	for _, fn := range c.onPlan {
		if fn == nil {
			errs = append(errs, errors.New("OnPlan got a nil function: leave the option out"))
		}
	}
	for _, fn := range c.onWarning {
		if fn == nil {
			errs = append(errs, errors.New("OnWarning got a nil function: leave the option out"))
		}
	}
	for _, fn := range c.watchWarning {
		if fn == nil {
			errs = append(errs, errors.New("ObserveWarning got a nil function: leave the option out"))
		}
	}
	for _, fn := range c.onFollow {
		if fn == nil {
			errs = append(errs, errors.New("OnFollow got a nil function: leave the option out"))
		}
	}
	if len(c.onWarning) == 0 {
		c.onWarning = []func(Warning){logWarning}
	}
	c.onWarning = append(c.watchWarning, c.onWarning...)
	return c, errors.Join(errs...)
}

// checkName is the rule for identities and endpoints, here and on the wire.
func checkName(what, s string, limit int) error {
	switch {
	case len(s) > limit:
		return fmt.Errorf("%s %.20q... has %d bytes, at most %d are allowed: shorten it", what, s, len(s), limit)
	case !utf8.ValidString(s):
		return fmt.Errorf("%s %q is not UTF-8", what, s)
	case strings.IndexByte(s, 0) >= 0:
		return fmt.Errorf("%s %q contains a NUL byte: leave it out", what, s)
	}
	return nil
}
