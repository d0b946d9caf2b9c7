package roll

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// An Event is what came of members that joined or left.
type Event struct {
	Members int // after it
	Rounds  int // that were played
	Changes int // rounds that changed who owns what
	Moves   int // partitions that left a member that stayed
	Least   int // the moves that no even placement can do without
	// The smallest and the largest number of partitions that a member owns.
	MinLoad, MaxLoad int
}

const (
	maxRounds  = 10 // far more than any balancer needs
	maxChanges = 2  // give up, take over
)

// moves are those of one event so far.
type moves struct {
	before []*member // by partition: its owner before the event, nil for nobody
	last   []*member // by partition: its latest owner
	// By partition: a member gave it up because it was not assigned it any
	// more; another member has taken it over.
	lostOnce, moved []bool
}

func newMoves(n int) moves {
	return moves{make([]*member, n), make([]*member, n), make([]bool, n), make([]bool, n)}
}

func (m *moves) begin(owner []*member) {
	copy(m.before, owner)
	copy(m.last, owner)
	clear(m.lostOnce)
	clear(m.moved)
}

// to notes that a member gained a partition.
func (m *moves) to(gainer *member, p int) error {
	from := m.last[p]
	m.last[p] = gainer
	switch {
	case from == nil || from == gainer && !m.lostOnce[p]:
	case from == gainer:
		return fmt.Errorf("%s had to give it up and gets it back", from.name)
	case m.moved[p]:
		return fmt.Errorf("it moves again, from %s to %s", from.name, gainer.name)
	default:
		m.moved[p] = true
	}
	return nil
}

// fromLive counts the partitions that left a member that stayed.
func (m *moves) fromLive(owner []*member) int {
	n := 0
	for p, from := range m.before {
		if from != nil && !from.gone && owner[p] != from {
			n++
		}
	}
	return n
}

// play has something happen to each of the named members, and plays rounds
// until the group has settled.
func (g *Group) play(what string, names []string, happen func(name string) error) (Event, error) {
	e, err := g.event(names, happen)
	if err != nil {
		who := strings.Join(names, ", ")
		if len(names) > 3 {
			who = fmt.Sprintf("of %d members", len(names))
		}
		err = fmt.Errorf("generation %d, %s %s: %w", g.generation, what, who, err)
	}
	return e, err
}

func (g *Group) event(names []string, happen func(name string) error) (Event, error) {
	g.moves.begin(g.owner)
	for _, name := range names {
		if err := happen(name); err != nil {
			return Event{}, err
		}
	}
	e := Event{Members: len(g.standing)}
	if e.Members == 0 {
		return e, nil
	}
	e.Least = LeastMoves(g.loads(), len(g.owner))
	for again := true; again; {
		if e.Rounds == maxRounds {
			return e, fmt.Errorf("the group does not settle within %d rounds", maxRounds)
		}
		e.Rounds++
		var changed bool
		var err error
		if changed, again, err = g.round(); err != nil {
			return e, err
		}
		if changed {
			e.Changes++
		}
	}
	if p := slices.Index(g.owner, nil); p >= 0 {
		return e, fmt.Errorf("%s has no owner though the group has settled", g.partition(p))
	}
	loads := g.loads()
	e.MinLoad, e.MaxLoad = slices.Min(loads), slices.Max(loads)
	e.Moves = g.moves.fromLive(g.owner)
	return e, e.check(g.subject)
}

// check holds an event of a group that has settled against what every balancer
// and this one promises.
func (e *Event) check(s Subject) error {
	var errs []error
	if e.Changes > maxChanges {
		errs = append(errs, fmt.Errorf("%d rounds changed who owns what", e.Changes))
	}
	if s.Even && e.MaxLoad > e.MinLoad+1 {
		errs = append(errs, fmt.Errorf("loads are from %d to %d", e.MinLoad, e.MaxLoad))
	}
	if s.Fewest && e.Moves != e.Least {
		errs = append(errs, fmt.Errorf("%d partitions left members that stayed, the fewest are %d", e.Moves, e.Least))
	}
	return errors.Join(errs...)
}

func (g *Group) loads() []int {
	loads := make([]int, len(g.standing))
	for i, m := range g.standing {
		loads[i] = len(m.has)
	}
	return loads
}

// LeastMoves returns how many partitions must leave their owners so that loads
// can differ by one at most, where all may own all: members in excess of the
// larger of the two loads come down to it, and of those with the larger load
// only as many can keep it as there are to be.
func LeastMoves(loads []int, partitions int) int {
	floor, larger := partitions/len(loads), partitions%len(loads)
	moves, candidates := 0, 0
	for _, load := range loads {
		moves += max(0, load-(floor+1))
		if load >= floor+1 {
			candidates++
		}
	}
	return moves + max(0, candidates-larger)
}
