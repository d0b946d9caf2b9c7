package scenario_test

import (
	"path/filepath"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/scenario"
)

// Five workers restart one by one, the leader among them, by their identities
// alone: where counts divide each gets back exactly its own, where they do not
// each gets nothing else.
func TestRollingRestart(t *testing.T) {
	for name, n := range map[string]int32{"divides": 40, "does not divide": 37} {
		t.Run(name, func(t *testing.T) {
			eachStrategy(t, map[string]int32{"orders": n}, func(t *testing.T, w *world) {
				for _, name := range []string{"a", "b", "c", "d", "e"} {
					w.Start(name, reads(name, "orders"))
				}
				w.Settle()
				back, all := w.RollingRestart()
				t.Logf("%d of %d partitions came back", back, all)
			})
		})
	}
}

func TestScale(t *testing.T) {
	w := newWorldOf(t, evenly, map[string]int32{"orders": 37})
	for _, n := range []int{3, 6, 2} {
		t.Log(w.Scale(n, func(name string) scenario.Spec { return reads(name, "orders") }))
	}
}

// All members restart at once, so that nobody is left who knows of anything but
// what is on their disks.
func TestRestartOfAll(t *testing.T) {
	dir := t.TempDir()
	w := newWorldOf(t, evenly, map[string]int32{"orders": 36})
	for _, name := range []string{"a", "b", "c", "d"} {
		spec := reads("", "orders") // no identity, to say who is who
		spec.Memory = filepath.Join(dir, name)
		w.Start(name, spec)
	}
	w.Settle()
	w.RestartAll(scenario.StopAll)
	w.RestartAll(func(members []*scenario.Member) {
		var ghosts []string
		for _, m := range members {
			ghosts = append(ghosts, memberID(m))
			m.Crash()
		}
		for _, id := range ghosts {
			w.expire(id)
		}
	})
}
