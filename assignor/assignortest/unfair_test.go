package assignortest

import (
	"slices"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/oracle"
)

// homing is a wrong strategy that is Homing.
type homing struct{ wrong }

func (homing) Homing() {}

// blind plans as the oracle does, looking at topics wrongly.
func blind(look func(t *assignor.Topic)) homing {
	return homing{wrong{func(g *assignor.Group) assignor.Plan {
		plan, _ := oracle.Best(seen(g, look), oracle.Options{})
		return plan
	}}}
}

// seen returns g with its topics as look makes them.
func seen(g *assignor.Group, look func(t *assignor.Topic)) *assignor.Group {
	g = clone(g)
	for t := range g.Topics {
		look(&g.Topics[t])
	}
	return g
}

// weightless has everybody weigh the same.
var weightless = homing{wrong{func(g *assignor.Group) assignor.Plan {
	g = clone(g)
	for m := range g.Members {
		g.Members[m].Weight = 1
	}
	plan, _ := oracle.Best(g, oracle.Options{})
	return plan
}}}

// homely prefers homes to warm lists for everything but who has how many.
var homely = homing{wrong{func(g *assignor.Group) assignor.Plan {
	best, _ := oracle.Best(g, oracle.Options{})
	plan, _ := oracle.BestAt(seen(g, func(t *assignor.Topic) {
		if t.Homes == nil || t.Warm == nil {
			return
		}
		for p, home := range t.Homes {
			t.Homes[p] = assignor.None
			if len(t.Warm[p]) > 0 {
				t.Homes[p] = t.Warm[p][0]
			}
			t.Warm[p] = nil
			if home != assignor.None {
				t.Warm[p] = []int32{home}
			}
		}
	}), best.Loads(g), oracle.Options{})
	return plan
}}}

// loaded plans as well as it can with loads that are those of the best plan but for
// one partition, the first that choose likes; as the best where there is none.
func loaded(choose func(g *assignor.Group, plan assignor.Plan, v, best oracle.Value) bool) homing {
	return homing{wrong{func(g *assignor.Group) assignor.Plan {
		best, bestValue := oracle.Best(g, oracle.Options{})
		loads := best.Loads(g)
		for from := range loads {
			for to := range loads {
				if from == to || loads[from] == 0 {
					continue
				}
				loads[from]--
				loads[to]++
				plan, v := oracle.BestAt(g, loads, oracle.Options{})
				if plan != nil && choose(g, plan, v, bestValue) {
					return plan
				}
				loads[from]++
				loads[to]--
			}
		}
		return best
	}}}
}

// exchanged is the best plan with two partitions of one topic exchanged, the first
// that choose likes.
func exchanged(choose func(v, best oracle.Value) bool) homing {
	return homing{wrong{func(g *assignor.Group) assignor.Plan {
		plan, best := oracle.Best(g, oracle.Options{})
		for _, row := range plan {
			for p := range row {
				for q := range p {
					row[p], row[q] = row[q], row[p]
					if choose(oracle.Measure(g, plan, oracle.Options{}), best) {
						return plan
					}
					row[p], row[q] = row[q], row[p]
				}
			}
		}
		return plan
	}}}
}

// unfair lists strategies with the laws of even placement that they break, and
// break alone.
var unfair = []struct {
	name     string
	strategy assignor.Strategy
	laws     []Law
	claims   []Law // of PerTopic and Racks
}{
	{"ignores owners", blind(func(t *assignor.Topic) { t.Owners = nil }), []Law{Even, LeastMoves}, nil},
	{"ignores homes", blind(func(t *assignor.Topic) { t.Homes = nil }), []Law{Even, Home}, nil},
	{"ignores warm lists", blind(func(t *assignor.Topic) { t.Warm = nil }), []Law{Even, Home}, nil},
	{"ignores weights", weightless, []Law{Even}, nil},
	{"prefers home over warm", homely, []Law{Home}, nil},

	{"uneven by one", loaded(func(_ *assignor.Group, _ assignor.Plan, v, best oracle.Value) bool {
		return v.CompareLoads(best) > 0
	}), []Law{Even}, nil},
	{"takes a ceiling from a holder", loaded(func(g *assignor.Group, _ assignor.Plan, v, best oracle.Value) bool {
		return equal(g) && v.CompareLoads(best) == 0 && v.Moves > best.Moves
	}), []Law{Even}, nil},
	{"gives a ceiling to who takes less home", loaded(func(g *assignor.Group, _ assignor.Plan, v, best oracle.Value) bool {
		return equal(g) && v.CompareLoads(best) == 0 && v.Moves == best.Moves && v.Compare(best) > 0
	}), []Law{Even}, nil},
	{"gives a ceiling to a smaller remainder", loaded(func(g *assignor.Group, plan assignor.Plan, v, best oracle.Value) bool {
		return v.Compare(best) == 0 && oracle.JudgeCeilings(g, plan, oracle.Options{}) != nil
	}), []Law{Even}, nil},
	{"gives a ceiling to another of equal remainder", loaded(func(g *assignor.Group, plan assignor.Plan, v, best oracle.Value) bool {
		return equal(g) && v.Compare(best) == 0 && oracle.JudgeCeilings(g, plan, oracle.Options{}) == nil
	}), nil, nil},
	{"has the right loads at members who must take for it", loaded(func(g *assignor.Group, _ assignor.Plan, v, best oracle.Value) bool {
		return !equal(g) && v.CompareLoads(best) == 0 && v.Moves > best.Moves
	}), []Law{LeastMoves}, nil},
	{"has the right loads at members who are not at home", loaded(func(g *assignor.Group, _ assignor.Plan, v, best oracle.Value) bool {
		return !equal(g) && v.CompareLoads(best) == 0 && v.Moves == best.Moves && v.Compare(best) > 0
	}), []Law{Home}, nil},

	{"moves one too many", exchanged(func(v, best oracle.Value) bool { return v.Moves > best.Moves }), []Law{LeastMoves}, nil},
	{"has one too few warm", exchanged(func(v, best oracle.Value) bool { return v.Moves == best.Moves && v.Warm < best.Warm }), []Law{Home}, nil},
	{"has one too few at home", exchanged(func(v, best oracle.Value) bool {
		return v.Moves == best.Moves && v.Warm == best.Warm && v.Home < best.Home
	}), []Law{Home}, nil},

	{"does not know of topics", bestWith(false, false), []Law{PerTopic}, []Law{PerTopic}},
	{"minds topics unasked", bestWith(true, false), []Law{Even, LeastMoves, Home}, nil},
	{"does not know of racks", bestWith(false, false), []Law{Even, Racks}, []Law{Racks}},
	{"minds racks unasked", bestWith(false, true), []Law{Even, LeastMoves, Home}, nil},
	{"is rendezvous", rendezvous{good}, []Law{Even, LeastMoves, Home}, nil},
}

func TestUnfairStrategies(t *testing.T) {
	for _, tt := range unfair {
		t.Run(tt.name, func(t *testing.T) {
			for _, law := range append([]Law{Even, LeastMoves, Home}, tt.claims...) {
				breaks := slices.Contains(tt.laws, law)
				checks := "rapid.checks=10"
				if breaks {
					checks = "rapid.checks=300"
				}
				judgedBeside(t, tt.strategy, law, tt.claims, breaks, checks)
			}
		})
	}
}
