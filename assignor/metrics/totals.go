package metrics

import (
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

var (
	rebalancesDesc = newDesc("rebalances_total", "Plans made by this process as leader.")
	movesDesc      = newDesc("moves_total", "Partitions planned away from a live member.")
	gainsDesc      = newDesc("gains_total", "Partitions that nobody owned, given to a member.")
	withheldDesc   = newDesc("withheld_total", "Partitions given to nobody in a round because somebody may still have them.")
	errorsDesc     = newDesc("strategy_errors_total", "Plans where the strategy failed and plain rendezvous stood in.")
	durationDesc   = newDesc("plan_duration_seconds", "Time the leader took from reading the metadata to the encoded assignment.")
	warningsDesc   = newDesc("warnings_total", "Warnings of this member, leader or not.", "kind")

	totalDescs = [...]*prometheus.Desc{
		rebalancesDesc, movesDesc, gainsDesc, withheldDesc, errorsDesc, durationDesc, warningsDesc,
	}
)

// Upper bounds of the histogram's buckets in seconds: 100 µs, a small group on
// an idle machine, to 10 s, where sessions begin to expire.
var bounds = [...]float64{1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// totals are the counters of the plans made here. They only grow, also while
// another member leads.
type totals struct {
	since                                 time.Time // exported as the created timestamp
	plans, moves, gains, withheld, errors uint64
	seconds                               float64
	buckets                               [len(bounds)]uint64
}

func (c *Collector) count(at series, r *assignor.Report) {
	t, ok := c.totals[at]
	if !ok {
		t.since = time.Now()
		for _, kind := range kinds {
			c.warn(warning{at, string(kind)}, 0)
		}
	}
	t.add(r)
	c.totals[at] = t
}

func (t *totals) add(r *assignor.Report) {
	t.plans++
	t.moves += uint64(len(r.Moves))
	t.gains += uint64(len(r.Gains))
	t.withheld += uint64(len(r.Withheld))
	if r.Err != nil {
		t.errors++
	}
	seconds := r.Elapsed.Seconds()
	t.seconds += seconds
	if i, _ := slices.BinarySearch(bounds[:], seconds); i < len(bounds) {
		t.buckets[i]++
	}
}

func (t *totals) collect(ch chan<- prometheus.Metric, s series) {
	for _, m := range [...]struct {
		desc  *prometheus.Desc
		value uint64
	}{
		{rebalancesDesc, t.plans},
		{movesDesc, t.moves},
		{gainsDesc, t.gains},
		{withheldDesc, t.withheld},
		{errorsDesc, t.errors},
	} {
		ch <- prometheus.MustNewConstMetricWithCreatedTimestamp(m.desc, prometheus.CounterValue, float64(m.value), t.since, s.strategy, s.group)
	}
	cumulative := make(map[float64]uint64, len(bounds))
	var n uint64
	for i, bound := range bounds {
		n += t.buckets[i]
		cumulative[bound] = n
	}
	ch <- prometheus.MustNewConstHistogramWithCreatedTimestamp(durationDesc, t.plans, t.seconds, cumulative, t.since, s.strategy, s.group)
}
