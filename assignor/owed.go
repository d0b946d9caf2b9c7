package assignor

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// kgo's defaults, used until a client has told its own.
const (
	defaultRebalanceTimeout = time.Minute
	defaultMetadataMaxAge   = 5 * time.Minute
)

// How often a round is asked for in a row because of missing topics. Three let
// a deleted topic be recognised as such (roundsUntilGone).
const maxTopicRounds = roundsUntilGone

// A debt is a further round that the latest plan needs. As a rule the members
// bring it: they let go of what was withheld and join again. The broker does
// not bring it where a static member dies in between, since for a static member
// that returns within its session timeout nothing is rebalanced; and nobody
// brings it for a topic whose metadata failed once and that the leader does not
// itself read. So the leader waits as long as members may take and then asks.
type debt struct {
	force func() bool // asks for a round; false: there is nobody to ask
	idle  func()      // called instead where force could not

	mu               sync.Mutex
	rebalanceTimeout time.Duration
	metadataMaxAge   time.Duration
	timer            *time.Timer
	generation       int      // tells a stopped timer that fires late from the present one
	missing          []string // topics, in the latest plan
	topicRounds      int      // rounds asked for in a row because of just these
}

// durationOption returns a client's setting, 0 where it cannot be told.
func durationOption(cl *kgo.Client, opt any) time.Duration {
	d, _ := cl.OptValue(opt).(time.Duration)
	return d
}

func (d *debt) timeouts(rebalance, metadata time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.rebalanceTimeout, d.metadataMaxAge = rebalance, metadata
}

// owe notes that a round is owed, because partitions are withheld or because
// topics, given in order, are missing. It starts the wait.
func (d *debt) owe(withheld bool, missing []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !slices.Equal(missing, d.missing) {
		d.missing, d.topicRounds = missing, 0
	}
	d.stop()
	var wait time.Duration
	forTopics := false
	if withheld {
		wait = cmp.Or(d.rebalanceTimeout, defaultRebalanceTimeout)
	}
	if len(missing) > 0 && d.topicRounds < maxTopicRounds {
		// The client asks for metadata by itself at this age; a round before
		// would likely see nothing new.
		age := cmp.Or(d.metadataMaxAge, defaultMetadataMaxAge) << d.topicRounds
		if wait == 0 || age < wait {
			wait, forTopics = age, true
		}
	}
	if wait == 0 {
		return
	}
	generation := d.generation
	d.timer = time.AfterFunc(wait, func() { d.due(generation, forTopics) })
}

func (d *debt) due(generation int, forTopics bool) {
	d.mu.Lock()
	if generation != d.generation {
		d.mu.Unlock()
		return
	}
	if forTopics {
		d.topicRounds++
	}
	d.mu.Unlock()
	if !d.force() {
		d.idle()
	}
}

// settle ends the wait: a round has begun, or nobody is left to ask.
func (d *debt) settle() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stop()
}

func (d *debt) stop() {
	d.generation++
	if d.timer != nil {
		d.timer.Stop()
		d.timer = nil
	}
}
