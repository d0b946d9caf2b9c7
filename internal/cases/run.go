package cases

import (
	"fmt"
	"slices"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

// A Subject is a strategy with what it promises of the kinds that not every
// strategy is bound by. A strategy that promises OffRack has its racks switched
// on, and is told the partitions' where a case has them.
type Subject struct {
	Strategy    assignor.Strategy
	Promises    []Kind
	Differences []Difference
	// Judge, if set, says what is wrong with a plan: any but those of the large
	// cases. The group has racks where the strategy is told them.
	Judge func(*assignor.Group, assignor.Plan) error
	// Full plays the large cases at their full size, a million partitions,
	// which takes minutes.
	Full bool
}

func (s *Subject) promises(k Kind) bool { return slices.Contains(s.Promises, k) }

// Run plays every case as a sub-test named by its number and name, once with a
// leader that stays and once with a new one in each round. It logs how many
// expectations were checked and, by kind, how many do not bind the strategy.
func Run(t *testing.T, s Subject) {
	all, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	s.listed(t, all)
	total := make(tally)
	for _, c := range all {
		t.Run(c.ID+" "+c.Name, func(t *testing.T) {
			if text, ok := remarks[c.ID]; ok {
				t.Log(text)
			}
			for i := range s.Differences {
				if d := &s.Differences[i]; d.Case == c.ID {
					t.Log(d)
				}
			}
			total.add(s.run(t, c))
		})
	}
	t.Logf("%s: %d cases\n%s", s.Strategy.Name(), len(all), total)
}

// remarks has the cases of which our design says more than they do.
var remarks = map[string]string{
	"C025": "a topic that is missing is held by its owners until metadata has named it unknown three times running",
	"C069": "kgo's cooperative balancer keeps the partition from a while b claims it; so do we, for one round",
	"C072": "T1/7 lies beyond the count: its claimant keeps it, since a new leader's metadata may be older than what it owns; the plan has no such partition",
	"C106": "metadata that cannot be read does not fail the round: its member gets nothing and the leader warns",
}

// run plays one case and returns what was checked.
func (s *Subject) run(t *testing.T, c *Case) tally {
	if large(c) {
		return s.runScale(t, c)
	}
	var counted tally
	for _, forgets := range []bool{false, true} {
		counted = make(tally)
		g := newGroup(s.strategy(c), forgets, c)
		var before *judge
		for i, st := range append([]step{{Expect: c.Expect}}, c.Then...) {
			for k := range st.Do {
				g.apply(&st.Do[k])
			}
			j := &judge{TB: t, subject: s, c: c, step: i, g: g, counted: counted, before: before}
			j.play()
			if t.Failed() {
				return counted
			}
			d := s.difference(c, i)
			for _, k := range st.Expect.kinds() {
				if d == nil || !slices.Contains(d.Kinds, k) {
					j.judge(k, st.Expect[k])
				}
			}
			if d != nil {
				j.differ(d, st.Expect)
			}
			before = j
		}
	}
	return counted
}

// told tells whether the strategy is told the partitions' racks.
func (s *Subject) told(c *Case) bool { return c.Racks != nil && s.promises(OffRack) }

func (s *Subject) strategy(c *Case) assignor.Strategy {
	if s.told(c) {
		return WithRacks(s.Strategy, c.Racks)
	}
	return s.Strategy
}

// judge holds one step of a case against what is expected of it.
type judge struct {
	testing.TB
	subject *Subject
	c       *Case
	step    int
	g       *group
	counted tally
	before  *judge // the step before

	owned map[string]lead.Owned // what members claimed
	said  *said
	first *Round // the round that the events brought
	last  *Round // the one that settled it
	again *Round // one more, in which nothing happened
	took  int    // rounds until settled

	// The plan that is judged: the first round's, before the handover.
	group *assignor.Group
	plan  assignor.Plan
}

func (j *judge) wrong(k Kind, format string, args ...any) {
	j.Helper()
	mode := "a leader that stays"
	if j.g.forgets {
		mode = "a new leader in each round"
	}
	j.Errorf("step %d, %s: %s: %s\nmembers owned\n%splan\n%ssent\n%s", j.step, mode, k, fmt.Sprintf(format, args...),
		formatOwned(j.owned), j.plan.Format(j.group), formatOwned(j.first.Sent))
}

// play plays the step until it has settled, and once more.
func (j *judge) play() {
	j.Helper()
	j.owned = make(map[string]lead.Owned)
	for _, p := range j.g.members {
		j.owned[p.ID] = p.Owned
	}
	must := func(r *Round, err error) *Round {
		if err != nil && r != nil {
			j.Fatalf("step %d: %v\nmembers owned\n%ssent\n%s", j.step, err, formatOwned(j.owned), formatOwned(r.Sent))
		} else if err != nil {
			j.Fatalf("step %d: %v", j.step, err)
		}
		return r
	}
	j.first = must(j.g.play())
	j.said = hear(j.first)
	j.group, j.plan = j.first.Report.Group, j.first.Report.Target
	if j.subject.told(j.c) {
		j.group = withRacks(j.group, j.c.Racks)
	}
	var err error
	j.last, j.took, err = j.g.settle(j.first)
	must(j.last, err)
	j.g.sync(j.last)
	j.again = must(j.g.play())
	j.g.sync(j.again)
	// Law 5 binds every strategy on every group, not only where a case says so.
	if !sameSync(j.last, j.again) {
		j.wrong(FixedPoint, "planning again gives something else:\n%s", formatOwned(j.again.Sent))
	}
	if j.subject.Judge == nil || large(j.c) {
		return
	}
	for _, r := range []*Round{j.first, j.last} { // again is last, or has failed
		g := r.Report.Group
		if j.subject.told(j.c) {
			g = withRacks(g, j.c.Racks)
		}
		if err := j.subject.Judge(g, r.Report.Target); err != nil {
			j.Errorf("step %d, generation %d: %v\nplan\n%s", j.step, r.Generation, err, r.Report.Target.Format(g))
		}
	}
}

// judge checks one expectation or counts it as not applicable.
func (j *judge) judge(k Kind, want []byte) {
	j.Helper()
	kind := table[k]
	switch {
	case kind.whose == nobodys:
		return
	case kind.whose == others || kind.whose == theirs && !j.bound(k, want):
		reason := kind.reason
		if j.c.Racks != nil && j.subject.promises(k) {
			reason = table[OffRack].reason
		}
		j.counted.skip(k, reason)
		return
	}
	j.counted.check(k)
	kind.check(j, want)
}

// bound tells whether the strategy must meet an expectation.
func (j *judge) bound(k Kind, want []byte) bool {
	if table[k].forced(j, want) {
		return true
	}
	if j.c.Racks != nil && (k == Moved || k == OffRack) {
		// The fewest moves among plans with as few off rack: another
		// number without racks.
		return j.subject.promises(k) && j.subject.promises(OffRack)
	}
	return j.subject.promises(k)
}
