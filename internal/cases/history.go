package cases

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

// A World is what a History is played with.
type World struct {
	Strategy assignor.Strategy
	Options  []assignor.Option // of every member beside its identity
	// Draw returns a number below n: where the history goes on. Label says
	// what it is for.
	Draw func(n int, label string) int
	// Eager has members stop everything before they join.
	Eager bool
	// Metadata, if set, changes what members send, to see that a history
	// notices.
	Metadata func([]byte) []byte
}

// A History is a model of one consumer group: a broker, the consumers with what
// they truly work on, and all that happens to them. Members join, leave, crash,
// sleep and restart; syncs are refused and arrive in any order; leaders change,
// with and without memory, and see topics late or not at all. Every round is
// decided by a real Balancer.
//
// It ends at the first moment at which two live processes work on one partition
// although both claim what they work on in every round (see doubt), at the first
// round that breaks Round.Check, or when the group does not settle.
type History struct {
	World
	coordinator
	processes []*process
	counts    map[string]int32
	older     map[string]int32 // a topic's count before it grew
	names     int
	ids       int
	latest    *Round
	steady    bool // leaders stay

	Rounds int
	log    []string
}

// errBroken ends a history.
var errBroken = errors.New("")

// topics of every history, in the order in which they are created.
var historyTopics = []string{"a", "b", "c"}

// NewHistory returns a group with nobody in it.
func NewHistory(w World) *History {
	h := &History{World: w, counts: make(map[string]int32), older: make(map[string]int32)}
	for _, t := range historyTopics {
		h.counts[t] = int32(1 + w.Draw(5, "partitions"))
	}
	return h
}

// Play has n things happen, then lets the group settle. The error tells what
// went wrong and everything that led there.
func (h *History) Play(n int) (err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(error)
			if !ok || !errors.Is(e, errBroken) {
				panic(r)
			}
			err = fmt.Errorf("%w\nhistory:\n%s", e, strings.Join(h.log, "\n"))
		}
	}()
	for range 2 {
		h.start(h.newProcess())
	}
	for range n {
		actions[h.Draw(len(actions), "action")](h)
	}
	h.settle()
	return nil
}

func (h *History) logf(format string, args ...any) {
	h.log = append(h.log, "  "+fmt.Sprintf(format, args...))
}

// broken ends the history.
func (h *History) broken(format string, args ...any) {
	for _, p := range h.processes {
		if p.alive {
			h.logf("at the end %s", p.describe())
		}
	}
	panic(fmt.Errorf("%s%w", fmt.Sprintf(format, args...), errBroken))
}

// chance is true once in n times.
func (h *History) chance(n int, label string) bool { return h.Draw(n, label) == n-1 }

// pick returns one of the processes that are fit for something, or nil.
func (h *History) pick(label string, fit func(*process) bool) *process {
	var all []*process
	for _, p := range h.processes {
		if fit(p) {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all[h.Draw(len(all), label)]
}

func awake(p *process) bool { return p.alive && !p.asleep }

// subset returns each element with the given chance.
func subset[T any](h *History, all []T, n int, label string) (some []T) {
	for _, v := range all {
		if h.chance(n, label) {
			some = append(some, v)
		}
	}
	return some
}

// give has a process take over an assignment: what it must stop it stops, what
// is new it starts, unless that would make two.
func (h *History) give(p *process, sent lead.Owned) {
	assigned := make(map[partition]bool)
	for topic, ps := range sent {
		for _, n := range ps {
			assigned[partition{topic, n}] = true
		}
	}
	for tp := range p.works {
		if !assigned[tp] {
			delete(p.works, tp)
			p.rejoin = true
		}
	}
	for _, tp := range slices.SortedFunc(maps.Keys(assigned), func(a, b partition) int { return strings.Compare(a.String(), b.String()) }) {
		mine := p.works[tp]
		if p.lies {
			mine = lying
		}
		var other *process
		for _, q := range h.processes {
			if _, works := q.works[tp]; works && q != p && q.alive {
				other = q
				if mine == "" && q.works[tp] == "" {
					h.broken("%v has two owners: %v and %v", tp, q, p)
				}
			}
		}
		if other == nil && !p.lies {
			mine = "" // nobody else: from here on it is like any other
		}
		p.works[tp] = mine
	}
	h.logf("    %v is synced: %v", p, p.owned())
}
