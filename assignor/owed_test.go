package assignor

import (
	"testing"
	"testing/synctest"
	"time"
)

func newDebt(asked *[]time.Duration, client bool) *debt {
	start := time.Now()
	d := &debt{}
	d.force = func() bool {
		if client {
			*asked = append(*asked, time.Since(start))
		}
		return client
	}
	d.idle = func() { *asked = append(*asked, -time.Since(start)) }
	d.timeouts(10*time.Second, time.Minute)
	return d
}

func equalDurations(t *testing.T, asked *[]time.Duration, want ...time.Duration) {
	t.Helper()
	synctest.Wait()
	got := *asked
	if len(got) != len(want) {
		t.Fatalf("asked at %v, want %v", got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("asked at %v, want %v", got, want)
		}
	}
}

func TestOwedRoundIsAskedForAfterTheRebalanceTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []time.Duration
		d := newDebt(&asked, true)
		d.owe(true, nil)
		time.Sleep(time.Hour)
		equalDurations(t, &asked, 10*time.Second)
	})
}

func TestOwedRoundThatComesByItselfIsNotAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []time.Duration
		d := newDebt(&asked, true)
		d.owe(true, nil)
		time.Sleep(9 * time.Second)
		d.settle() // the leader joins again
		d.owe(false, nil)
		time.Sleep(time.Hour)
		equalDurations(t, &asked)
	})
}

func TestMissingTopicIsAskedForThreeTimesWithBackOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []time.Duration
		d := newDebt(&asked, true)
		force := d.force
		d.force = func() bool {
			ok := force()
			d.settle()
			d.owe(false, lost) // still missing
			return ok
		}
		d.owe(false, lost)
		time.Sleep(time.Hour)
		equalDurations(t, &asked, time.Minute, 3*time.Minute, 7*time.Minute)

		// Once it is known again the count starts anew.
		d.owe(false, nil)
		d.owe(false, lost)
		time.Sleep(90 * time.Second)
		equalDurations(t, &asked, time.Minute, 3*time.Minute, 7*time.Minute, time.Hour+time.Minute)
	})
}

// A topic that can never be known must not use up what another may ask for.
func TestEachMissingTopicHasItsRounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []time.Duration
		d := newDebt(&asked, true)
		for range maxTopicRounds + 1 {
			d.owe(false, lost)
			time.Sleep(time.Hour)
			synctest.Wait()
		}
		if len(asked) != maxTopicRounds {
			t.Fatalf("asked %d times", len(asked))
		}
		d.owe(false, []string{"another", "lost"})
		time.Sleep(time.Hour)
		synctest.Wait()
		if len(asked) != maxTopicRounds+1 {
			t.Errorf("another topic is missing, and nobody asked")
		}
	})
}

// Rounds for what is withheld do not count as rounds for topics.
func TestWithheldBesideMissingTopics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []time.Duration
		d := newDebt(&asked, true)
		for range 5 {
			d.owe(true, lost)
			time.Sleep(11 * time.Second)
			synctest.Wait()
			d.settle()
		}
		d.owe(false, lost)
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(asked) != 6 {
			t.Errorf("asked %d times, want 6", len(asked))
		}
	})
}

var lost = []string{"lost"}

func TestWithoutClientOwedRoundIsWarnedOf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []time.Duration
		d := newDebt(&asked, false)
		d.owe(true, nil)
		time.Sleep(time.Hour)
		equalDurations(t, &asked, -10*time.Second)
	})
}
