package metrics_test

import (
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/assignor/metrics"
)

// A Feed reports without a group: to see what a dashboard will show.
func Example() {
	m := metrics.New()
	registry := prometheus.NewRegistry()
	registry.MustRegister(m)

	// In a program: b := hrw.New(m.Options()...)
	feed := m.Feed()
	feed.OnPlan(assignor.Report{
		Strategy:  "hrw",
		GroupName: "orders",
		Group: &assignor.Group{
			Members: []assignor.Member{{Key: "worker-0"}, {Key: "worker-1"}},
			Topics:  []assignor.Topic{{Name: "orders", Partitions: 12}},
		},
		Gains:         make([]assignor.Move, 12),
		Loads:         []int{7, 5},
		MetadataBytes: []int{120, 112},
		RecordBytes:   900,
		Elapsed:       300 * time.Microsecond,
	})

	families, err := registry.Gather()
	if err != nil {
		fmt.Println(err)
	}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			var member string
			for _, l := range metric.GetLabel() {
				if l.GetName() == "member" {
					member = "of " + l.GetValue() + " "
				}
			}
			if g := metric.GetGauge(); g != nil {
				fmt.Printf("%s %sis %v\n", family.GetName(), member, g.GetValue())
			}
		}
	}
	// Output:
	// kgo_rendezvous_held_partitions is 0
	// kgo_rendezvous_leader is 1
	// kgo_rendezvous_member_metadata_bytes of worker-0 is 120
	// kgo_rendezvous_member_metadata_bytes of worker-1 is 112
	// kgo_rendezvous_member_partitions of worker-0 is 7
	// kgo_rendezvous_member_partitions of worker-1 is 5
	// kgo_rendezvous_members is 2
	// kgo_rendezvous_missing_topics is 0
	// kgo_rendezvous_owed is 0
	// kgo_rendezvous_partitions is 12
	// kgo_rendezvous_record_bytes is 900
	// kgo_rendezvous_spread_partitions is 2
}
