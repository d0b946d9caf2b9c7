package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// A warning is what warnings are counted by.
type warning struct {
	series
	kind string
}

type tally struct {
	n     uint64
	since time.Time
}

func (c *Collector) warn(w warning, n uint64) {
	was, ok := c.warnings[w]
	if !ok {
		was.since = time.Now()
	}
	was.n += n
	c.warnings[w] = was
}

func (w warning) collect(ch chan<- prometheus.Metric, t tally) {
	ch <- prometheus.MustNewConstMetricWithCreatedTimestamp(warningsDesc, prometheus.CounterValue, float64(t.n), t.since, w.strategy, w.group, w.kind)
}

// Kinds that a leader exports as 0 from its first plan on. A counter that
// appears with 1 has not increased in the eyes of increase() and rate(), so an
// alert on them would sleep through the first warning.
var kinds = [...]assignor.WarningKind{
	assignor.WarnMetadata,
	assignor.WarnIdentity,
	assignor.WarnSettings,
	assignor.WarnShared,
	assignor.WarnStrategy,
	assignor.WarnOwed,
	assignor.WarnTopic,
	assignor.WarnRecord,
	assignor.WarnPinned,
	assignor.WarnBound,
	assignor.WarnCallback,
}
