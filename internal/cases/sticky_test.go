package cases_test

import (
	"slices"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/cases"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/oracle"
	"github.com/kgo-rendezvous/kgo-rendezvous/sticky"
)

// promised is every kind that is ours at all. What is not promised is what range
// and round-robin do, and OffRack without Racks.
//
// TopicLoads is promised of these cases only: with the zero value topics are
// spread as far as the moves leave a choice, with PerTopic exactly.
var promised = []cases.Kind{
	cases.Loads, cases.LoadsByMember, cases.WithinOne, cases.TopicLoads, cases.KeepTopic,
	cases.Moved, cases.Keep, cases.Not, cases.Exact, cases.SubsetOfClaims,
	cases.Withheld, cases.WithheldCount, cases.MaxRounds,
}

func TestStickyCases(t *testing.T) {
	for _, tt := range []struct {
		name string
		sticky.Strategy
		slow bool
	}{
		{"plain", sticky.Strategy{}, false},
		{"per topic", sticky.Strategy{PerTopic: true}, false},
		{"racks", sticky.Strategy{Racks: true}, false},
		{"per topic and racks", sticky.Strategy{PerTopic: true, Racks: true}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.slow && !*full {
				t.Skip("slow: with -full only")
			}
			s := cases.Subject{Strategy: tt.Strategy, Promises: promised, Full: *full, Judge: judged(tt.Strategy)}
			if tt.Racks {
				s.Promises = append(slices.Clone(promised), cases.OffRack)
			}
			if tt.PerTopic {
				s.Differences = perTopic
			}
			cases.Run(t, s)
		})
	}
}

// judged has the oracle look for a better plan by the strategy's own laws: what
// the cases do not say, and what they cannot say of PerTopic.
func judged(s sticky.Strategy) func(*assignor.Group, assignor.Plan) error {
	return func(g *assignor.Group, plan assignor.Plan) error {
		if !*full && g.Partitions()*len(g.Members) > 2000 {
			return nil // C013, C023 and C054: half a minute with the race detector
		}
		return oracle.Judge(g, plan, oracle.Options{PerTopic: s.PerTopic, Racks: s.Racks})
	}
}

// perTopic is where each topic alone, spread as evenly as can be, makes other
// totals than the cases ask for, or other moves.
var perTopic = []cases.Difference{
	{"C008", 0, []cases.Kind{cases.Loads}, `{"loads": [3, 1, 1], "topic_loads_soft": {"t1": [1, 1, 1]}}`,
		"c2, the only reader of t2, has its third of t1 as well"},
	{"C042", 0, []cases.Kind{cases.Loads}, `{"loads": [3, 1], "topic_loads_soft": {"t2": [1, 1]}}`,
		"t2 is halved, though B has all of t1"},
	{"C047", 0, []cases.Kind{cases.Loads}, `{"loads": [6, 3], "topic_loads_soft": {"t3": [3, 3]}}`,
		"t3 is halved, though A has all of t1"},
	{"C049", 0, []cases.Kind{cases.Loads, cases.Moved}, `{"loads": [12, 5], "moved": 1, "topic_loads_soft": {"t1": [3, 3], "t3": [2, 1]}}`,
		"B, the only reader of t2 and t4, has half of t1 and t3 as well; A has four of t1"},
	{"C050", 0, []cases.Kind{cases.Loads}, `{"loads": [6, 5, 2], "moved": 0, "topic_loads_soft": {"t1": [2, 2, 2], "t2": [4, 3, 0]}}`,
		"t1 is shared by three, though A reads nothing else"},
	{"C051", 0, []cases.Kind{cases.Loads, cases.Moved}, `{"loads": [6, 2], "moved": 0, "topic_loads_soft": {"t1": [2, 1]}}`,
		"A has its two of t1 already, and B's one is its share, though it has all of t2"},
	{"C057", 0, []cases.Kind{cases.Moved, cases.Keep}, `{"moved": 1, "keep": {"c2": {"t": [0], "t2": [0], "t1": [0]}, "c3": {"t3": [2], "t2": [2], "t1": [1]}, "c4": {"t3": [1]}},
		"topic_loads_soft": {"t": [1, 1, 1, 0], "t1": [1, 1, 1, 0], "t2": [1, 1, 1, 0], "t3": [1, 1, 1, 0]}}`,
		"c4 has two of the three partitions of t"},
	{"C062", 0, []cases.Kind{cases.Moved, cases.SubsetOfClaims}, `{"moved": 6, "topic_loads_soft": {"t": [2, 1, 1], "t2": [2, 1, 1], "t3": [2, 1, 1]}}`,
		"c2 has all of t2 and c3 all of t3"},
	{"C072", 0, []cases.Kind{cases.Moved}, `{"moved": 1, "topic_loads_soft": {"T1": [1, 1]}}`,
		"A has both partitions of T1: the plan that the case's note ascribes to uniform2"},
	{"C092", 0, []cases.Kind{cases.Loads}, `{"loads": [4, 2, 2], "topic_loads_soft": {"t1": [2, 2, 0], "t2": [2, 2, 0]}}`,
		"both topics are halved, though A reads both"},
}
