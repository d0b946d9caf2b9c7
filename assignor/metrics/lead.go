package metrics

import (
	"slices"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

var (
	leaderDesc     = newDesc("leader", "1 while this process leads the group.")
	membersDesc    = newDesc("members", "Members of the group.")
	partitionsDesc = newDesc("partitions", "Partitions of all topics whose partitions are known.")
	spreadDesc     = newDesc("spread_partitions", "The most partitions planned for a member less the fewest.")
	heldDesc       = newDesc("held_partitions", "Partitions left where they are, because this leader does not know them.")
	missingDesc    = newDesc("missing_topics", "Topics that members read and whose partitions are not known.")
	owedDesc       = newDesc("owed", "1 while a further round is needed to finish the plan.")
	recordDesc     = newDesc("record_bytes", "Estimated size of the group's record in __consumer_offsets.")
	loadDesc       = newDesc("member_partitions", "Partitions planned for the member.", "member")
	metadataDesc   = newDesc("member_metadata_bytes", "Size of the member's join metadata.", "member")

	leadDescs = [...]*prometheus.Desc{
		leaderDesc, membersDesc, partitionsDesc, spreadDesc, heldDesc, missingDesc, owedDesc, recordDesc,
		loadDesc, metadataDesc,
	}
)

// A lead is what the leader saw in its latest plan. It holds numbers and names
// of the Report, not the Report: plans of large groups are megabytes.
type lead struct {
	feed *Feed // who leads

	keys                      []string
	loads, metadata           []int // by member
	partitions, held, missing int
	spread, owed, record      int
}

func newLead(f *Feed, r *assignor.Report) *lead {
	l := &lead{
		feed:     f,
		loads:    r.Loads,
		metadata: r.MetadataBytes,
		held:     len(r.Held),
		missing:  len(r.Missing),
		record:   r.RecordBytes,
	}
	if g := r.Group; g != nil {
		l.partitions = g.Partitions()
		l.keys = make([]string, len(g.Members))
		for i := range g.Members {
			l.keys[i] = g.Members[i].Key
		}
	}
	if len(r.Loads) > 0 {
		l.spread = slices.Max(r.Loads) - slices.Min(r.Loads)
	}
	if r.Owed {
		l.owed = 1
	}
	return l
}

func (l *lead) collect(ch chan<- prometheus.Metric, s series, members bool) {
	gauge := func(d *prometheus.Desc, v int, more ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(v), append([]string{s.strategy, s.group}, more...)...)
	}
	gauge(leaderDesc, 1)
	gauge(membersDesc, len(l.keys))
	gauge(partitionsDesc, l.partitions)
	gauge(spreadDesc, l.spread)
	gauge(heldDesc, l.held)
	gauge(missingDesc, l.missing)
	gauge(owedDesc, l.owed)
	gauge(recordDesc, l.record)
	if !members {
		return
	}
	for i, name := range labels(l.keys) {
		if i < len(l.loads) {
			gauge(loadDesc, l.loads[i], name)
		}
		if i < len(l.metadata) {
			gauge(metadataDesc, l.metadata[i], name)
		}
	}
}
