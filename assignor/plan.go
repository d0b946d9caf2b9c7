package assignor

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Plan says who owns what: plan[t][p] is the owner of partition p of
// Group.Topics[t], an index into Group.Members. A Strategy's plan never holds
// None; Group.Owned and Report.After may.
//
// A Plan is not changed once it has been returned; rows may be shared between
// plans.
type Plan [][]int32

// A Move is one partition that changes hands. From or To is None where it comes
// from or goes to nobody; both are indexes into Group.Members otherwise.
type Move struct {
	Topic     string
	Partition int32
	From, To  int32
}

// sortMoves sorts by topic and partition.
func sortMoves(moves []Move) {
	slices.SortFunc(moves, func(a, b Move) int {
		return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition))
	})
}

// Loads returns the number of partitions that each member of g has in p.
func (p Plan) Loads(g *Group) []int {
	loads := make([]int, len(g.Members))
	for _, row := range p {
		for _, m := range row {
			if m != None {
				loads[m]++
			}
		}
	}
	return loads
}

func (p Plan) clone() Plan {
	c := make(Plan, len(p))
	for t := range p {
		c[t] = slices.Clone(p[t])
	}
	return c
}

// Format returns the plan as text, one line a member and sorted, for golden
// files and logs: "key: topic[0 3 4] other[1]". A member that has nothing is
// listed with "-"; partitions that nobody has follow under "(nobody)".
func (p Plan) Format(g *Group) string {
	var sb strings.Builder
	for m := range g.Members {
		sb.WriteString(g.Members[m].Key)
		sb.WriteByte(':')
		if !p.format(&sb, g, int32(m)) {
			sb.WriteString(" -")
		}
		sb.WriteByte('\n')
	}
	var rest strings.Builder
	if p.format(&rest, g, None) {
		sb.WriteString("(nobody):")
		sb.WriteString(rest.String())
		sb.WriteByte('\n')
	}
	return sb.String()
}

func (p Plan) format(sb *strings.Builder, g *Group, member int32) (any bool) {
	for t, row := range p {
		if !slices.Contains(row, member) {
			continue
		}
		any = true
		sb.WriteByte(' ')
		sb.WriteString(g.Topics[t].Name)
		sep := byte('[')
		for i, m := range row {
			if m == member {
				sb.WriteByte(sep)
				fmt.Fprint(sb, i)
				sep = ' '
			}
		}
		sb.WriteByte(']')
	}
	return any
}

// Diff returns every partition whose owner differs between two plans over g, in
// the order of topics and partitions.
func Diff(g *Group, before, after Plan) []Move {
	var moves []Move
	for t := range g.Topics {
		b, a := before[t], after[t]
		if len(b) == len(a) && (len(a) == 0 || &b[0] == &a[0]) {
			continue // the same row
		}
		for i := range a {
			if b[i] != a[i] {
				moves = append(moves, Move{g.Topics[t].Name, int32(i), b[i], a[i]})
			}
		}
	}
	return moves
}
