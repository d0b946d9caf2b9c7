package roll

import (
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
)

// The balancers' own work is nearly all of it: see a profile.
func BenchmarkRestart(b *testing.B) {
	for _, bm := range []struct {
		name    string
		subject Subject
	}{{"hrw", Of(hrw.Strategy{})}, {"cooperative-sticky", CooperativeSticky}} {
		b.Run(bm.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Restart(bm.subject, Shape{100, 1, 1000}, 20, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
