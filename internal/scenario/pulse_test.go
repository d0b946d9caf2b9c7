package scenario

import (
	"testing"
	"time"
)

func TestPulse(t *testing.T) {
	at := func(ms int64) time.Time { return time.UnixMilli(ms) }
	p := &pulse{lates: []late{{at(100), 20 * time.Millisecond}, {at(200), 50 * time.Millisecond}}}
	for _, tt := range []struct{ from, to, lost int64 }{{0, 300, 70}, {90, 160, 20}, {100, 150, 0}, {160, 170, 10}, {300, 400, 0}} {
		if lost := p.lost(at(tt.from), at(tt.to)).Milliseconds(); lost != tt.lost {
			t.Errorf("from %d to %d %d ms were lost, not %d", tt.from, tt.to, lost, tt.lost)
		}
	}
}
