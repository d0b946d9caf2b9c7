package roll

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// A history is a group that is scaled up and down, one member at a time.
type history struct {
	*Group
	rng     *rand.Rand
	members int      // when it ends
	events  int      // still to come
	away    []string // who left
}

// newHistory has a group of about the shape's size start. All is drawn from
// the seed; shuffle is the group's.
func newHistory(s Subject, shape Shape, events int, seed uint64, shuffle *rand.Rand) (*history, error) {
	rng := rand.New(rand.NewPCG(seed, 0))
	counts := make(map[string]int32, shape.Topics)
	for range shape.Topics {
		counts[name(rng, "topic")] = int32(shape.Partitions)
	}
	h := &history{Group: NewGroup(s, counts, seed), rng: rng, members: shape.Members, events: events}
	h.shuffle = shuffle
	start := make([]string, shape.Members+events%2)
	for i := range start {
		start[i] = name(rng, "worker")
	}
	_, err := h.Join(start...)
	return h, err
}

// name draws a name that nothing else has.
func name(rng *rand.Rand, kind string) string { return fmt.Sprintf("%s-%016x", kind, rng.Uint64()) }

// next has a member join or leave: a random walk that never takes the group
// further than by half its size, and back in the end.
func (h *history) next() error {
	n := len(h.standing)
	over, width := n-h.members, max(h.members/2, 1)
	var join bool
	switch {
	case over == h.events || over == width:
	case -over == h.events || -over == width || n == 1:
		join = true
	default:
		join = h.rng.IntN(2) == 0
	}
	h.events--
	if !join {
		leaver := h.standing[h.rng.IntN(n)].name
		h.away = append(h.away, leaver)
		_, err := h.Leave(leaver)
		return err
	}
	_, err := h.Join(h.joiner())
	return err
}

// joiner returns somebody who was there before or somebody new.
func (h *history) joiner() string {
	if len(h.away) == 0 || h.rng.IntN(2) == 0 {
		return name(h.rng, "worker")
	}
	i := h.rng.IntN(len(h.away))
	back := h.away[i]
	h.away = slices.Delete(h.away, i, i+1)
	return back
}

// Play plays a history of random joins and leaves, one at a time, and calls
// each after the start and after every event. The group's size varies around
// the shape's and ends there.
func Play(s Subject, shape Shape, events int, seed uint64, each func(*Group) error) error {
	h, err := newHistory(s, shape, events, seed, nil)
	if err != nil {
		return err
	}
	return h.play(each)
}

func (h *history) play(each func(*Group) error) error {
	for {
		if err := each(h.Group); err != nil || h.events == 0 {
			return err
		}
		if err := h.next(); err != nil {
			return err
		}
	}
}

// Check plays a history in which every event is followed by a rebalance that
// nothing asked for, which must change nothing.
func Check(s Subject, shape Shape, events int, seed uint64) error {
	return Play(s, shape, events, seed, func(g *Group) error {
		e, err := g.Rebalance()
		if err == nil && e.Changes > 0 {
			err = fmt.Errorf("generation %d: a rebalance of a settled group changed who owns what", g.generation)
		}
		return err
	})
}
