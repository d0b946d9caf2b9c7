//go:build integration

package integration

import (
	"testing"
	"time"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/scenario"
	"github.com/twmb/franz-go/pkg/kgo"
)

func TestScale(t *testing.T) {
	withStrategy(t, evenly, map[string]int32{"orders": 37}, func(t *testing.T, g *group) {
		for _, n := range []int{3, 6, 2} {
			t.Log(g.Scale(n, func(name string) scenario.Spec { return g.reads(name, "orders") }))
		}
	})
}

func TestUpgrade(t *testing.T) {
	withStrategy(t, evenly, map[string]int32{"orders": 40}, func(t *testing.T, g *group) {
		g.Client = []kgo.Opt{kgo.HeartbeatInterval(200 * time.Millisecond)}
		g.Upgrade(g.topic("orders"), func(name string) scenario.Spec { return g.reads(name, "orders") })
	})
}

func TestVote(t *testing.T) {
	withStrategy(t, evenly, map[string]int32{"orders": 36}, func(t *testing.T, g *group) {
		g.Vote(func(instance string) scenario.Spec { return g.static(instance, "orders") })
	})
}
