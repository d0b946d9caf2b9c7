package assignortest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
)

// Format returns a group as short text for failure messages, members by index
// and "." for nobody:
//
//	2 members, 1 topic
//	  0 "pod-0"
//	  1 "pod-1" id "x7" weight 3
//	  "orders" [4] read by 0 1: owners 0 0 . 1, homes . . 1 .
func Format(g *assignor.Group) string {
	var sb strings.Builder
	fmt.Fprintf(&sb, "%s, %s\n", plural(len(g.Members), "member"), plural(len(g.Topics), "topic"))
	for i, m := range g.Members {
		fmt.Fprintf(&sb, "  %d %q", i, m.Key)
		for _, f := range [...]struct{ name, value, skip string }{{"id", m.ID, m.Key}, {"rack", m.Rack, ""}, {"endpoint", m.Endpoint, ""}} {
			if f.value != f.skip {
				fmt.Fprintf(&sb, " %s %q", f.name, f.value)
			}
		}
		if m.Weight != 1 {
			fmt.Fprintf(&sb, " weight %d", m.Weight)
		}
		sb.WriteByte('\n')
	}
	for i := range g.Topics {
		t := &g.Topics[i]
		fmt.Fprintf(&sb, "  %q [%d] read by%s:", t.Name, t.Partitions, indexes(t.Subscribers))
		sep := ""
		for _, row := range [...]struct {
			name   string
			values []int32
		}{{"owners", t.Owners}, {"homes", t.Homes}} {
			if row.values != nil {
				fmt.Fprintf(&sb, "%s %s%s", sep, row.name, indexes(row.values))
				sep = ","
			}
		}
		if t.Warm != nil {
			fmt.Fprintf(&sb, "%s warm %v", sep, t.Warm)
			sep = ","
		}
		if t.Racks != nil {
			fmt.Fprintf(&sb, "%s racks %q", sep, t.Racks)
		}
		sb.WriteByte('\n')
	}
	return sb.String()
}

// indexes shortens what repeats: " 0 0 1 .×12".
func indexes(row []int32) string {
	var sb strings.Builder
	for len(row) > 0 {
		n := slices.IndexFunc(row, func(m int32) bool { return m != row[0] })
		if n < 0 {
			n = len(row)
		}
		s := " ."
		if row[0] != assignor.None {
			s = fmt.Sprintf(" %d", row[0])
		}
		if n > 3 {
			fmt.Fprintf(&sb, "%s×%d", s, n)
		} else {
			sb.WriteString(strings.Repeat(s, n))
		}
		row = row[n:]
	}
	return sb.String()
}

func plural(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// String returns the text form of the Spec's Group.
func (s *Spec) String() string { return Format(s.Group()) }

// GoString has rapid log a drawn Spec in its text form.
func (s *Spec) GoString() string { return strings.TrimSuffix(s.String(), "\n") }
