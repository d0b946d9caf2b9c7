package assignor

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
	"pgregory.net/rapid"
)

// TestEncodeLikeKmsg compares the side-by-side writer with kmsg, member by
// member.
func TestEncodeLikeKmsg(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &Group{Members: make([]Member, rapid.IntRange(0, 6).Draw(t, "members"))}
		for i := range g.Members {
			g.Members[i].ID = fmt.Sprint("m", i)
		}
		owner := rapid.Custom(func(t *rapid.T) int32 {
			return int32(rapid.IntRange(-1, len(g.Members)-1).Draw(t, "owner"))
		})
		var after Plan
		var held []Move
		for _, name := range []string{"a", "bb", "ccc", "d"} {
			inGroup := rapid.Bool().Draw(t, "in group "+name)
			first := 0
			if inGroup {
				row := rapid.SliceOfN(owner, 0, 20).Draw(t, "owners")
				g.Topics = append(g.Topics, Topic{Name: name, Partitions: int32(len(row))})
				after = append(after, row)
				first = len(row)
			}
			if len(g.Members) > 0 {
				for p := range rapid.IntRange(0, 3).Draw(t, "held") {
					m := max(owner.Draw(t, "holder"), 0)
					held = append(held, Move{name, int32(first + 2*p), m, m})
				}
			}
		}
		marker := rapid.SampledFrom([][]byte{nil, pinMarker}).Draw(t, "marker")

		got := encodeAssignment(g, after, held, marker)
		if len(got) != len(g.Members) {
			t.Fatalf("%d of %d members are named", len(got), len(g.Members))
		}
		for m := range g.Members {
			var want kmsg.ConsumerMemberAssignment
			want.UserData = marker
			add := func(topic string, p int32) {
				if n := len(want.Topics); n == 0 || want.Topics[n-1].Topic != topic {
					at := kmsg.NewConsumerMemberAssignmentTopic()
					at.Topic = topic
					want.Topics = append(want.Topics, at)
				}
				last := &want.Topics[len(want.Topics)-1]
				last.Partitions = append(last.Partitions, p)
			}
			for _, name := range []string{"a", "bb", "ccc", "d"} {
				for i := range g.Topics {
					if g.Topics[i].Name == name {
						for p, o := range after[i] {
							if o == int32(m) {
								add(name, int32(p))
							}
						}
					}
				}
				for _, h := range held {
					if h.Topic == name && h.To == int32(m) {
						add(name, h.Partition)
					}
				}
			}
			if got[m].MemberID != g.Members[m].ID || !bytes.Equal(got[m].MemberAssignment, want.AppendTo(nil)) {
				t.Fatalf("member %d: got %x, want %x", m, got[m].MemberAssignment, want.AppendTo(nil))
			}
		}
	})
}
