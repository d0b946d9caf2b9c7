package hrw_test

import (
	"fmt"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/assignor/assignortest"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

// BenchmarkRound is the leader's whole work in a round in which nothing
// changes, beside kgo's. internal/bench measures all events as ratios.
func BenchmarkRound(b *testing.B) {
	for _, size := range []struct{ members, partitions int }{{10, 100}, {100, 1000}, {1000, 10000}} {
		for _, balancer := range []kgo.GroupBalancer{hrw.New(), kgo.CooperativeStickyBalancer()} {
			b.Run(fmt.Sprintf("%dx%d/%s", size.members, size.partitions, balancer.ProtocolName()), func(b *testing.B) {
				counts := map[string]int32{}
				var topics []string
				for t := range 10 {
					name := fmt.Sprintf("topic-%010d", t)
					topics, counts[name] = append(topics, name), int32(size.partitions/10)
				}
				var members []lead.Member
				for i := range size.members {
					members = append(members, lead.Member{ID: fmt.Sprintf("member-%06d", i), Balancer: balancer, Topics: topics})
				}
				sync, err := lead.Balance(balancer, kgo.BalanceInfo{Group: "g", Generation: 1}, lead.Join(members), counts)
				if err != nil {
					b.Fatal(err)
				}
				owned, err := lead.Decode(balancer, sync)
				if err != nil {
					b.Fatal(err)
				}
				for i := range members {
					members[i].Owned, members[i].Generation = owned[members[i].ID], 1
				}
				joined := lead.Join(members)
				b.ReportAllocs()
				for b.Loop() {
					if _, err := lead.Balance(balancer, kgo.BalanceInfo{Group: "g", Generation: 2}, joined, counts); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkAssign is planning alone, of a fresh group of 1000 members and 10,000
// partitions.
func BenchmarkAssign(b *testing.B) {
	equal := assignortest.Uniform(1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000)
	weighted := equal.Clone()
	for i := range weighted.Members {
		weighted.Members[i].Weight = uint32(1 + i%3)
	}
	for _, c := range []struct {
		name  string
		s     hrw.Strategy
		group *assignor.Group
	}{
		{"plain", hrw.Strategy{}, equal.Group()},
		{"weighted", hrw.Strategy{}, weighted.Group()},
		{"bound", hrw.Strategy{LoadBound: 1.25}, equal.Group()},
		{"bound-weighted", hrw.Strategy{LoadBound: 1.25}, weighted.Group()},
		{"slots", hrw.Strategy{Slots: true}, equal.Group()},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.s.Assign(c.group)
			}
		})
	}
}
