package sticky_test

import (
	"strings"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/sticky"
)

func TestRacksThatNobodyKnowsAreWarnedOf(t *testing.T) {
	for _, c := range []struct {
		name, member, leader string
		racks                bool
		want                 string
	}{
		{"nobody says a rack", "", "", true, "kgo.Rack"},
		{"no broker does", "a", "", true, "broker.rack"},
		{"both do", "a", "b", true, ""},
		{"not asked for", "", "", false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := &assignor.Group{
				Members: []assignor.Member{{ID: "m", Key: "m", Rack: c.member, Weight: 1}},
				Topics:  []assignor.Topic{{Name: "t", Partitions: 1, Subscribers: []int32{0}, Racks: []string{c.leader}}},
			}
			s := sticky.Strategy{Racks: c.racks}
			warnings := s.Audit(g, s.Assign(g))
			switch {
			case c.want == "" && len(warnings) > 0:
				t.Errorf("warned of %v", warnings)
			case c.want != "" && (len(warnings) != 1 || !strings.Contains(warnings[0].Message, c.want)):
				t.Errorf("got %v, want one that names %s", warnings, c.want)
			}
		})
	}
}
