package oracle

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// Judge returns nil if no valid plan of g is better by laws 11 to 13, and
// otherwise an error that begins with what is wrong ("valid", "per topic",
// "loads", "off rack", "moves", "warm" or "home", the first that is), says by how
// much, and lists a best plan.
func Judge(g *assignor.Group, plan assignor.Plan, o Options) error {
	if err := valid(g, plan); err != nil {
		return fmt.Errorf("valid: %w", err)
	}
	best, value := Best(g, o)
	fault := fault(Measure(g, plan, o), value)
	if fault == "" {
		return nil
	}
	return fmt.Errorf("%s\nbest, %s:\n%s", fault, value, strings.TrimSuffix(best.Format(g), "\n"))
}

// JudgeCeilings returns nil if the members that have more than the floor of their
// quota in a valid plan are those of a best plan, and their remainders the largest
// of such. It looks at who has how many only, not at which, so that it can tell
// loads that are wrong from partitions that are. It has nothing to say where
// subscriptions are unlike, nor of a plan whose loads are no floors and ceilings.
func JudgeCeilings(g *assignor.Group, plan assignor.Plan, o Options) error {
	best, value := Best(g, o)
	v := Measure(g, plan, o)
	if !equal(g) || v.Topics != value.Topics || v.CompareLoads(value) != 0 {
		return nil
	}
	members, theirs := ceilings(g, plan), ceilings(g, best)
	if _, v := BestAt(g, plan.Loads(g), o); v.Compare(value) != 0 {
		return fmt.Errorf("ceilings: members %d have more than the floor of their quota, members %d should; as it is, at best, %s", members, theirs, fault(v, value))
	}
	quotas := totals(g)
	if got, want := remaindersOf(members, quotas), remaindersOf(theirs, quotas); !slices.Equal(got, want) {
		return fmt.Errorf("ceilings: members %d have more than the floor of their quota, members %d should; their remainders are %d and %d", members, theirs, got, want)
	}
	return nil
}

func valid(g *assignor.Group, plan assignor.Plan) error {
	if len(plan) != len(g.Topics) {
		return fmt.Errorf("%d rows for %d topics", len(plan), len(g.Topics))
	}
	for t, row := range plan {
		topic := &g.Topics[t]
		if len(row) != int(topic.Partitions) {
			return fmt.Errorf("%d owners for the %d partitions of %s", len(row), topic.Partitions, topic.Name)
		}
		for p, m := range row {
			if !slices.Contains(topic.Subscribers, m) {
				return fmt.Errorf("%s/%d goes to member %d, not a reader", topic.Name, p, m)
			}
		}
	}
	return nil
}

// fault says what is wrong with a plan worth v where one worth best exists, ""
// if nothing is.
func fault(v, best Value) string {
	switch {
	case v.Topics != best.Topics:
		return fmt.Sprintf("per topic: counts within topics are %d beyond floor and ceiling in sum, it could be %d", v.Topics, best.Topics)
	case v.CompareLoads(best) != 0 && v.Uneven != nil:
		return fmt.Sprintf("loads: %d are uneven by %s, it could be %s with %d: %s too much", v.Loads, v.Uneven.RatString(),
			best.Uneven.RatString(), best.Loads, new(big.Rat).Sub(v.Uneven, best.Uneven).RatString())
	case v.CompareLoads(best) != 0:
		return fmt.Sprintf("loads: %d, it could be %d: %d misplaced", v.Loads, best.Loads, misplaced(v.Loads, best.Loads))
	case v.OffRack != best.OffRack:
		return fmt.Sprintf("off rack: %d partitions, it could be %d: %d too many", v.OffRack, best.OffRack, v.OffRack-best.OffRack)
	case v.Moves != best.Moves:
		return fmt.Sprintf("moves: %d partitions, it could be %d: %d too many", v.Moves, best.Moves, v.Moves-best.Moves)
	case v.Warm != best.Warm:
		return fmt.Sprintf("warm: %d partitions, it could be %d: %d too few", v.Warm, best.Warm, best.Warm-v.Warm)
	case v.Home != best.Home:
		return fmt.Sprintf("home: %d partitions, it could be %d: %d too few", v.Home, best.Home, best.Home-v.Home)
	}
	return ""
}

// misplaced returns how many partitions at least must change hands to get from
// some sorted loads to others.
func misplaced(a, b []int) int {
	n := 0
	for i := range a {
		n += max(0, a[i]-b[i])
	}
	return n
}
