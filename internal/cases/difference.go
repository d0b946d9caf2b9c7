package cases

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
)

// A Difference is what a strategy promises and yet does not meet in one step of
// a case, because it puts something else first. What is named must indeed not
// hold, so that no entry outlives its reason, and what holds in its place must.
type Difference struct {
	Case    string
	Step    int
	Kinds   []Kind
	Instead string // expectations, as in the data
	Why     string
}

func (s *Subject) difference(c *Case, step int) *Difference {
	for i := range s.Differences {
		if d := &s.Differences[i]; d.Case == c.ID && d.Step == step {
			return d
		}
	}
	return nil
}

// differ holds a step against its Difference.
func (j *judge) differ(d *Difference, expect expectations) {
	j.Helper()
	for _, k := range d.Kinds {
		want, ok := expect[k]
		switch {
		case !ok || !j.bound(k, want):
			j.wrong(k, "a difference is listed, and nothing of the kind is asked for")
		case j.holds(k, want):
			j.wrong(k, "holds, although a difference is listed: %s", d.Why)
		}
		j.counted.differ(k)
	}
	instead := make(expectations)
	if err := instead.UnmarshalJSON([]byte(d.Instead)); err != nil {
		j.Fatalf("%s, step %d: %v: %s", d.Case, d.Step, err, d.Instead)
	}
	for _, k := range instead.kinds() {
		kind, ok := table[k]
		if !ok || kind.check == nil {
			j.Fatalf("%s, step %d: %q is not known", d.Case, d.Step, k)
		}
		kind.check(j, instead[k])
	}
}

// holds tells whether an expectation is met without failing the test.
func (j *judge) holds(k Kind, want json.RawMessage) bool {
	quiet := *j
	q := &quietly{TB: j.TB}
	quiet.TB = q
	table[k].check(&quiet, want)
	return !q.failed
}

type quietly struct {
	testing.TB
	failed bool
}

func (q *quietly) Helper()               {}
func (q *quietly) Errorf(string, ...any) { q.failed = true }

// listed fails where a Difference names a step that there is not.
func (s *Subject) listed(t *testing.T, all []*Case) {
	for _, d := range s.Differences {
		i := slices.IndexFunc(all, func(c *Case) bool { return c.ID == d.Case })
		if i < 0 || d.Step > len(all[i].Then) {
			t.Errorf("a difference is listed of %s, step %d, which there is not", d.Case, d.Step)
		}
	}
}

func (d *Difference) String() string { return fmt.Sprintf("step %d, %s: %s", d.Step, d.Kinds, d.Why) }
