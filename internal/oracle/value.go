package oracle

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// A Value is what a plan is worth by laws 11 to 13, what counts most first.
type Value struct {
	// Topics is by how many partitions members' counts within topics miss
	// floor and ceiling of their quotas, in sum. 0 without PerTopic.
	Topics int
	// Loads are the numbers of partitions by member, the largest first; the
	// least vector in lexicographic order is best.
	Loads []int
	// Uneven is what is least in place of Loads where weights differ, nil
	// where they do not. With equal subscriptions it is by how many partitions
	// loads miss floor and ceiling of their quotas, in sum; with unlike ones
	// the sum of load²/weight.
	Uneven *big.Rat
	// OffRack is the number of partitions owned in another rack than their
	// leader's, both known. 0 without Racks.
	OffRack int
	// Moves is the number of partitions taken from a present owner.
	Moves int
	// Warm is the number of partitions with members that have them warm; more
	// is better.
	Warm int
	// Home is the number of partitions at their homes; more is better.
	Home int
}

// Measure returns what a valid plan is worth.
func Measure(g *assignor.Group, plan assignor.Plan, o Options) Value {
	loads := plan.Loads(g)
	v := Value{Uneven: uneven(g, loads)}
	for t := range g.Topics {
		topic := &g.Topics[t]
		if o.PerTopic {
			quotas := shares(g, topic.Subscribers, int(topic.Partitions))
			for m, n := range (assignor.Plan{plan[t]}).Loads(g) {
				v.Topics += quotas[m].outside(n)
			}
		}
		for p, m := range plan[t] {
			v.OffRack += count(o.Racks && offRack(g, topic, p, m))
			v.Moves += count(moved(topic, p, m))
			v.Warm += count(warm(topic, p, m))
			v.Home += count(home(topic, p, m))
		}
	}
	slices.Sort(loads)
	slices.Reverse(loads)
	v.Loads = loads
	return v
}

func uneven(g *assignor.Group, loads []int) *big.Rat {
	if !weighted(g) {
		return nil
	}
	if equal(g) {
		outside := 0
		for m, quota := range totals(g) {
			outside += quota.outside(loads[m])
		}
		return big.NewRat(int64(outside), 1)
	}
	sum := new(big.Rat)
	for m, n := range loads {
		if n > 0 {
			sum.Add(sum, big.NewRat(int64(n)*int64(n), int64(weight(g, int32(m)))))
		}
	}
	return sum
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func offRack(g *assignor.Group, t *assignor.Topic, p int, m int32) bool {
	owner := g.Members[m].Rack
	return t.Racks != nil && t.Racks[p] != "" && owner != "" && owner != t.Racks[p]
}

func moved(t *assignor.Topic, p int, m int32) bool {
	return t.Owners != nil && t.Owners[p] != assignor.None && t.Owners[p] != m
}

func warm(t *assignor.Topic, p int, m int32) bool {
	return t.Warm != nil && slices.Contains(t.Warm[p], m)
}

func home(t *assignor.Topic, p int, m int32) bool {
	return t.Homes != nil && t.Homes[p] == m
}

// Compare returns a negative number if a plan worth v is better than one worth
// w, 0 if it is as good, a positive number if it is worse. Both must be of the
// same group under the same options.
func (v Value) Compare(w Value) int {
	return cmp.Or(
		cmp.Compare(v.Topics, w.Topics),
		v.CompareLoads(w),
		cmp.Compare(v.OffRack, w.OffRack),
		cmp.Compare(v.Moves, w.Moves),
		cmp.Compare(w.Warm, v.Warm),
		cmp.Compare(w.Home, v.Home),
	)
}

// CompareLoads is Compare by Loads, or Uneven where weights differ, alone.
func (v Value) CompareLoads(w Value) int {
	if v.Uneven != nil {
		return v.Uneven.Cmp(w.Uneven)
	}
	return slices.Compare(v.Loads, w.Loads)
}

// String returns the value in one line, what counts most first.
func (v Value) String() string {
	var sb strings.Builder
	if v.Topics > 0 {
		fmt.Fprintf(&sb, "topics %d outside, ", v.Topics)
	}
	fmt.Fprintf(&sb, "loads %d", v.Loads)
	if v.Uneven != nil {
		fmt.Fprintf(&sb, " uneven %s", v.Uneven.RatString())
	}
	if v.OffRack > 0 {
		fmt.Fprintf(&sb, ", %d off rack", v.OffRack)
	}
	fmt.Fprintf(&sb, ", %d moved, %d warm, %d at home", v.Moves, v.Warm, v.Home)
	return sb.String()
}
