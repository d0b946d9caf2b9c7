package metrics

import (
	"strconv"
	"sync"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

func TestMemberVanishes(t *testing.T) {
	c := New()
	f := c.Feed()
	f.OnPlan(report("g", []string{"a", "b"}, 2, 3))
	f.OnPlan(report("g", []string{"b", "c"}, 4, 1))
	expect(t, c, `
gains_total group=g 0
held_partitions group=g 0
leader group=g 1
member_metadata_bytes group=g member=b 100
member_metadata_bytes group=g member=c 101
member_partitions group=g member=b 4
member_partitions group=g member=c 1
members group=g 2
missing_topics group=g 0
moves_total group=g 0
owed group=g 0
partitions group=g 5
plan_duration_seconds group=g 2 0
rebalances_total group=g 2
record_bytes group=g 0
spread_partitions group=g 3
strategy_errors_total group=g 0
withheld_total group=g 0
`)
}

func TestFollowerKeepsCounters(t *testing.T) {
	c := New(NoMembers())
	f := c.Feed()
	r := report("g", []string{"a"}, 2)
	r.Gains = make([]assignor.Move, 2)
	f.OnPlan(r)
	f.OnFollow()
	f.OnFollow()
	expect(t, c, `
gains_total group=g 2
moves_total group=g 0
plan_duration_seconds group=g 1 0
rebalances_total group=g 1
strategy_errors_total group=g 0
withheld_total group=g 0
`)
	f.OnPlan(r)
	expect(t, c, `
gains_total group=g 4
held_partitions group=g 0
leader group=g 1
members group=g 1
missing_topics group=g 0
moves_total group=g 0
owed group=g 0
partitions group=g 2
plan_duration_seconds group=g 2 0
rebalances_total group=g 2
record_bytes group=g 0
spread_partitions group=g 0
strategy_errors_total group=g 0
withheld_total group=g 0
`)
}

// leads returns the groups for which c has leader series.
func leads(c *Collector) map[string]int {
	groups := make(map[string]int)
	for at, l := range c.leads {
		groups[at.group] = len(l.keys)
	}
	return groups
}

func TestFeedsShareACollector(t *testing.T) {
	c := New()
	old, next, other := c.Feed(), c.Feed(), c.Feed()
	old.OnPlan(report("g", []string{"a"}, 1))
	other.OnPlan(report("h", []string{"a"}, 1))
	// The next leader of g is in this process too, and the old one hears of
	// it late.
	next.OnPlan(report("g", []string{"a", "b"}, 1, 1))
	old.OnFollow()
	if got := leads(c); len(got) != 2 || got["g"] != 2 || got["h"] != 1 {
		t.Errorf("leads %v, want g of two members and h of one", got)
	}
	next.OnFollow()
	if got := leads(c); len(got) != 1 || got["h"] != 1 {
		t.Errorf("leads %v, want h", got)
	}
}

func TestGroupLearntLate(t *testing.T) {
	c := New()
	f := c.Feed()
	f.OnPlan(report("", []string{"a"}, 1))
	f.OnPlan(report("g", []string{"a"}, 1))
	if got := leads(c); len(got) != 1 || got["g"] != 1 {
		t.Errorf("leads %v, want g alone", got)
	}
}

func TestConcurrent(t *testing.T) {
	c := New()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(c)

	var feeding sync.WaitGroup
	for i := range 4 {
		f := c.Feed()
		feeding.Go(func() {
			for n := range 200 {
				group := "g" + strconv.Itoa(i/2)
				f.OnPlan(report(group, []string{"a", "\xff", "\xfe", strconv.Itoa(n)}, 1, 2, 3, 4))
				f.OnWarning(assignor.Warning{Kind: assignor.WarnTopic, Strategy: "hrw", Group: group})
				if n%3 == 0 {
					f.OnFollow()
				}
			}
		})
	}
	done := make(chan struct{})
	go func() {
		feeding.Wait()
		close(done)
	}()
	var scraping sync.WaitGroup
	for range 2 {
		scraping.Go(func() {
			last := make(map[string]float64)
			for more := true; more; {
				select {
				case <-done:
					more = false // once again: the final state
				default:
				}
				families, err := registry.Gather()
				if err != nil {
					t.Error(err)
					return
				}
				for _, family := range families {
					for _, m := range family.GetMetric() {
						if m.GetCounter() == nil {
							continue
						}
						key, value := family.GetName(), m.GetCounter().GetValue()
						for _, l := range m.GetLabel() {
							key += " " + l.GetValue()
						}
						if value < last[key] {
							t.Errorf("%s went from %v to %v", key, last[key], value)
						}
						last[key] = value
					}
				}
			}
			for _, key := range []string{"kgo_rendezvous_rebalances_total g0 hrw", "kgo_rendezvous_warnings_total g1 topic hrw"} {
				if last[key] != 400 {
					t.Errorf("%s is %v, want 400", key, last[key])
				}
			}
		})
	}
	scraping.Wait()
}
