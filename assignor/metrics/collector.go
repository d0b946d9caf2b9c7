package metrics

import (
	"maps"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
)

// A Collector is a prometheus.Collector fed through [Collector.Options]. One
// serves all the Balancers of a process. Its zero value is New().
type Collector struct {
	noMembers bool

	mu       sync.Mutex
	totals   map[series]totals
	warnings map[warning]tally
	leads    map[series]*lead // a lead is replaced, never changed
}

var _ prometheus.Collector = (*Collector)(nil)

// New returns a Collector. It exports nothing before the first plan or warning,
// since strategy and group are not known earlier.
func New(opts ...Option) *Collector {
	c := new(Collector)
	for _, o := range opts {
		o.apply(c)
	}
	return c
}

// series are the labels that all metrics have.
type series struct{ strategy, group string }

func newSeries(strategy, group string) series { return series{label(strategy), label(group)} }

func newDesc(name, help string, more ...string) *prometheus.Desc {
	return prometheus.NewDesc("kgo_rendezvous_"+name, help, append([]string{"strategy", "group"}, more...), nil)
}

// lock locks c for a change and makes it ready for one.
func (c *Collector) lock() *sync.Mutex {
	c.mu.Lock()
	if c.totals == nil {
		c.totals = make(map[series]totals)
		c.warnings = make(map[warning]tally)
		c.leads = make(map[series]*lead)
	}
	return &c.mu
}

// Describe implements prometheus.Collector.
func (c *Collector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range totalDescs {
		ch <- d
	}
	for _, d := range leadDescs {
		ch <- d
	}
}

// Collect implements prometheus.Collector. A scrape sees a plan whole or not at
// all.
func (c *Collector) Collect(ch chan<- prometheus.Metric) {
	// Sending may block, and the group waits while a plan is counted: so the
	// lock is held for the copy only.
	c.mu.Lock()
	totals := maps.Clone(c.totals)
	warnings := maps.Clone(c.warnings)
	leads := maps.Clone(c.leads)
	c.mu.Unlock()

	for s, t := range totals {
		t.collect(ch, s)
	}
	for w, n := range warnings {
		w.collect(ch, n)
	}
	for s, l := range leads {
		l.collect(ch, s, !c.noMembers)
	}
}
