package metrics

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// report is a plan of group g over members with as many partitions as loads say.
func report(group string, keys []string, loads ...int) assignor.Report {
	r := assignor.Report{Strategy: "hrw", GroupName: group, Group: new(assignor.Group), Loads: loads}
	var partitions int
	for i, key := range keys {
		r.Group.Members = append(r.Group.Members, assignor.Member{ID: fmt.Sprint(i), Key: key})
		r.MetadataBytes = append(r.MetadataBytes, 100+i)
		partitions += loads[i]
	}
	r.Group.Topics = []assignor.Topic{{Name: "t", Partitions: int32(partitions)}}
	return r
}

// expect compares everything c exports, less the histogram's buckets.
func expect(t *testing.T, c *Collector, want string) {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(c)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, family := range families {
		for _, m := range family.GetMetric() {
			got.WriteString(strings.TrimPrefix(family.GetName(), "kgo_rendezvous_"))
			for _, l := range m.GetLabel() {
				if name := l.GetName(); name != "strategy" {
					fmt.Fprintf(&got, " %s=%s", name, l.GetValue())
				}
			}
			switch {
			case m.GetCounter() != nil:
				fmt.Fprintln(&got, "", m.GetCounter().GetValue())
			case m.GetGauge() != nil:
				fmt.Fprintln(&got, "", m.GetGauge().GetValue())
			default:
				fmt.Fprintln(&got, "", m.GetHistogram().GetSampleCount(), m.GetHistogram().GetSampleSum())
			}
		}
	}
	text := got.String()
	for _, kind := range kinds { // those at zero are noise in most tests
		text = strings.ReplaceAll(text, fmt.Sprintf("warnings_total group=g kind=%s 0\n", kind), "")
	}
	if want = strings.TrimPrefix(want, "\n"); text != want {
		t.Errorf("got:\n%s\nwant:\n%s", text, want)
	}
}

func TestValues(t *testing.T) {
	c := New()
	expect(t, c, "")
	r := report("g", []string{"a", "b", "c"}, 7, 2, 4)
	r.Moves = make([]assignor.Move, 3)
	r.Gains = make([]assignor.Move, 5)
	r.Withheld = make([]assignor.Move, 2)
	r.Held = make([]assignor.Move, 4)
	r.Missing = []string{"x", "y"}
	r.Owed = true
	r.RecordBytes = 1234
	r.Err = errors.New("no plan")
	r.Elapsed = 250 * time.Millisecond
	f := c.Feed()
	f.OnPlan(r)
	f.OnWarning(assignor.Warning{Kind: assignor.WarnTopic, Strategy: "hrw", Group: "g"})
	f.OnWarning(assignor.Warning{Kind: assignor.WarnTopic, Strategy: "hrw", Group: "g"})
	f.OnWarning(assignor.Warning{Kind: "own", Strategy: "hrw", Group: "g"})
	f.OnWarning(assignor.Warning{Kind: assignor.WarnShared, Strategy: "hrw"})
	expect(t, c, `
gains_total group=g 5
held_partitions group=g 4
leader group=g 1
member_metadata_bytes group=g member=a 100
member_metadata_bytes group=g member=b 101
member_metadata_bytes group=g member=c 102
member_partitions group=g member=a 7
member_partitions group=g member=b 2
member_partitions group=g member=c 4
members group=g 3
missing_topics group=g 2
moves_total group=g 3
owed group=g 1
partitions group=g 13
plan_duration_seconds group=g 1 0.25
rebalances_total group=g 1
record_bytes group=g 1234
spread_partitions group=g 5
strategy_errors_total group=g 1
warnings_total group= kind=shared 1
warnings_total group=g kind=own 1
warnings_total group=g kind=topic 2
withheld_total group=g 2
`)
}

func TestZeroValueAndEmptyReport(t *testing.T) {
	var c Collector
	f := c.Feed()
	f.OnFollow()
	f.OnPlan(assignor.Report{GroupName: "g"})
	expect(t, &c, `
gains_total group=g 0
held_partitions group=g 0
leader group=g 1
members group=g 0
missing_topics group=g 0
moves_total group=g 0
owed group=g 0
partitions group=g 0
plan_duration_seconds group=g 1 0
rebalances_total group=g 1
record_bytes group=g 0
spread_partitions group=g 0
strategy_errors_total group=g 0
withheld_total group=g 0
`)
}

func TestHistogram(t *testing.T) {
	c := New(NoMembers())
	f := c.Feed()
	for _, d := range []time.Duration{0, 100 * time.Microsecond, 101 * time.Microsecond, time.Second, 10 * time.Second, 11 * time.Second} {
		r := report("g", nil)
		r.Elapsed = d
		f.OnPlan(r)
	}
	const want = `
# HELP kgo_rendezvous_plan_duration_seconds Time the leader took from reading the metadata to the encoded assignment.
# TYPE kgo_rendezvous_plan_duration_seconds histogram
kgo_rendezvous_plan_duration_seconds_bucket{group="g",strategy="hrw",le="0.0001"} 2
kgo_rendezvous_plan_duration_seconds_bucket{group="g",strategy="hrw",le="0.00025"} 3
kgo_rendezvous_plan_duration_seconds_bucket{group="g",strategy="hrw",le="0.0005"} 3
kgo_rendezvous_plan_duration_seconds_bucket{group="g",strategy="hrw",le="0.001"} 3
kgo_rendezvous_plan_duration_seconds_bucket{group="g",strategy="hrw",le="0.0025"} 3
kgo_rendezvous_plan_duration_seconds_bucket{group="g",strategy="hrw",le="0.005"} 3
kgo_rendezvous_plan_duration_seconds_bucket{group="g",strategy="hrw",le="0.01"} 3
kgo_rendezvous_plan_duration_seconds_bucket{group="g",strategy="hrw",le="0.025"} 3
kgo_rendezvous_plan_duration_seconds_bucket{group="g",strategy="hrw",le="0.05"} 3
kgo_rendezvous_plan_duration_seconds_bucket{group="g",strategy="hrw",le="0.1"} 3
kgo_rendezvous_plan_duration_seconds_bucket{group="g",strategy="hrw",le="0.25"} 3
kgo_rendezvous_plan_duration_seconds_bucket{group="g",strategy="hrw",le="0.5"} 3
kgo_rendezvous_plan_duration_seconds_bucket{group="g",strategy="hrw",le="1"} 4
kgo_rendezvous_plan_duration_seconds_bucket{group="g",strategy="hrw",le="2.5"} 4
kgo_rendezvous_plan_duration_seconds_bucket{group="g",strategy="hrw",le="5"} 4
kgo_rendezvous_plan_duration_seconds_bucket{group="g",strategy="hrw",le="10"} 5
kgo_rendezvous_plan_duration_seconds_bucket{group="g",strategy="hrw",le="+Inf"} 6
kgo_rendezvous_plan_duration_seconds_sum{group="g",strategy="hrw"} 22.000201
kgo_rendezvous_plan_duration_seconds_count{group="g",strategy="hrw"} 6
`
	if err := testutil.CollectAndCompare(c, strings.NewReader(want), "kgo_rendezvous_plan_duration_seconds"); err != nil {
		t.Error(err)
	}
}

func TestNoMembers(t *testing.T) {
	c := New(NoMembers())
	c.Feed().OnPlan(report("g", []string{"a", "b"}, 1, 2))
	for name, want := range map[string]int{"member_partitions": 0, "member_metadata_bytes": 0, "members": 1, "spread_partitions": 1} {
		if got := testutil.CollectAndCount(c, "kgo_rendezvous_"+name); got != want {
			t.Errorf("%s: %d series, want %d", name, got, want)
		}
	}
}

// An alert on increase() sees the first warning only where a zero was before.
func TestKindsStartAtZero(t *testing.T) {
	c := New()
	c.Feed().OnPlan(report("g", nil))
	if got := testutil.CollectAndCount(c, "kgo_rendezvous_warnings_total"); got != len(kinds) {
		t.Errorf("%d kinds, want %d", got, len(kinds))
	}
}

func TestLint(t *testing.T) {
	c := New()
	f := c.Feed()
	f.OnPlan(report("g", []string{"a"}, 1))
	f.OnWarning(assignor.Warning{Kind: assignor.WarnOwed})
	problems, err := testutil.CollectAndLint(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

// What the broker hands out must not fail a scrape.
func TestHostileNames(t *testing.T) {
	c := New()
	f := c.Feed()
	bad := "\xff\x00\n" + strings.Repeat("x", 40_000)
	r := report("g\xff", []string{"a", "a", "a\xff", "a\xfe", "a (2)", bad, bad + "y", ""}, 1, 2, 3, 4, 5, 6, 7, 8)
	r.Strategy = "s\xff"
	f.OnPlan(r)
	f.OnWarning(assignor.Warning{Kind: "k\xff", Strategy: "s\xfe", Group: "g\xff"})
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(c)
	if _, err := registry.Gather(); err != nil {
		t.Fatal(err)
	}
	if got, want := testutil.CollectAndCount(c, "kgo_rendezvous_member_partitions"), len(r.Loads); got != want {
		t.Errorf("%d members have series, want %d", got, want)
	}
}
