package scenario_test

import (
	"testing"
	"time"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/scenario"
	"github.com/twmb/franz-go/pkg/kgo"
)

func TestUpgrade(t *testing.T) {
	w := newWorldOf(t, evenly, map[string]int32{"orders": 40})
	w.Client = []kgo.Opt{kgo.HeartbeatInterval(200 * time.Millisecond)}
	w.Upgrade("orders", func(name string) scenario.Spec { return reads(name, "orders") })
}

func TestVote(t *testing.T) {
	w := newWorldOf(t, evenly, map[string]int32{"orders": 36})
	w.Vote(func(instance string) scenario.Spec { return static(instance, "orders") })
}
