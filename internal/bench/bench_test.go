package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
)

// TestEverythingRuns plays every event of every shape once, small, and lets
// every candidate play one.
func TestEverythingRuns(t *testing.T) {
	var out bytes.Buffer
	table := newTable(&out, true)
	table.head()
	play := func(sh *shape, name string, events ...string) {
		g := newGroup(sh, size{members: 40, topics: 8, partitions: 80})
		ours, kgos := newSide(g, candidates[name], strings.HasSuffix(name, "-weights")), newSide(g, nil, false)
		for _, event := range events {
			r, err := newRow(&options{runs: 1, planning: true, slow: true}, name, event, ours, kgos)
			if err != nil {
				t.Fatalf("%s, %s, %s: %v", sh.name, event, name, err)
			}
			for _, m := range []*measurement{r.round, r.planning, r.kgo} {
				if m.runs != 1 || m.best <= 0 {
					t.Errorf("%s, %s, %s: %d runs, the best of %v", sh.name, event, name, m.runs, m.best)
				}
			}
			table.print(r)
		}
	}
	for _, sh := range shapes {
		play(sh, "hrw", events...)
	}
	for name := range candidates {
		play(shapes[0], name, "join")
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	for _, line := range lines {
		if len(line) != len(lines[0]) {
			t.Errorf("not aligned:\n%s\n%s", lines[0], line)
		}
	}
}

// TestSlow: kgo is left out where it takes seconds.
func TestSlow(t *testing.T) {
	shapes, err := parseShapes("split")
	if err != nil {
		t.Fatal(err)
	}
	g := newGroup(shapes[0], size{members: 4, topics: 2, partitions: 4})
	r, err := newRow(&options{runs: 1}, "hrw", "join", newSide(g, hrw.Strategy{}, false), newSide(g, nil, false))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	newTable(&out, false).print(r)
	if r.kgo != nil || strings.Count(out.String(), " - ") != 4 || !strings.HasSuffix(out.String(), " -\n") {
		t.Errorf("want five cells without kgo:\n%s", &out)
	}
}

// TestShapes: who reads what, as far as sizes can tell.
func TestShapes(t *testing.T) {
	for _, c := range []struct {
		shape string
		reads []int // topics of members 0, 1, ...; the last one joins
	}{
		{"equal", []int{10, 10, 10}},
		{"halves", []int{5, 7, 5, 7, 5}},
		{"split", []int{50, 50, 50, 50, 50}},
		{"wide", []int{500, 500}},
		{"nested", []int{1, 2, 3, 4, 1}}, // no topic that nobody reads
		{"chained", []int{2, 2, 2, 2}},
		{"narrow", []int{1, 10, 10}},
	} {
		found, err := parseShapes(c.shape)
		if err != nil {
			t.Fatal(err)
		}
		sh, members := found[0], len(c.reads)-1
		g := newGroup(sh, size{members: members, topics: sh.topics(members)})
		for i, want := range c.reads {
			if got := sh.reads(i, g.topics); len(got) != want {
				t.Errorf("%s: member %d reads %d topics, want %d", sh.name, i, len(got), want)
			}
		}
		if _, err := sh.parseSizes(""); err != nil {
			t.Errorf("%s: its own sizes: %v", sh.name, err)
		}
	}
}

func TestParse(t *testing.T) {
	if _, err := parseShapes("equal,round"); err == nil {
		t.Error("an unknown shape is accepted")
	}
	for _, sh := range shapes {
		for _, list := range []string{"10", "10x", "axb", "1x1000", "10x100,10x1"} {
			if _, err := sh.parseSizes(list); err == nil && !sh.fixed {
				t.Errorf("%s: size %q is accepted", sh.name, list)
			}
		}
	}
}

// homing is a strategy that wants homes and would rather update.
type homing struct{ hrw.Strategy }

func (homing) Homing() {}

func (homing) Update(*assignor.Group, assignor.Plan, *assignor.Group) assignor.Plan {
	panic("Assign is what is measured")
}

// TestCapture: planning alone is measured on the Group of the event.
func TestCapture(t *testing.T) {
	shapes, err := parseShapes("narrow")
	if err != nil {
		t.Fatal(err)
	}
	g := newGroup(shapes[0], size{members: 5, topics: 4, partitions: 40})
	for event, members := range map[string]int{"fresh": 5, "join": 6, "leave": 4, "same": 5} {
		s := newSide(g, homing{}, false)
		c, err := s.play(event)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.capture(c)
		if err != nil || s.failed != nil {
			t.Fatal(err, s.failed)
		}
		if len(got.Members) != members || len(got.Topics) != 4 || got.Partitions() != 40 {
			t.Errorf("%s: %d members, %d topics, %d partitions", event, len(got.Members), len(got.Topics), got.Partitions())
		}
		owned := slices.ContainsFunc(got.Owned()[0], func(m int32) bool { return m != assignor.None })
		if owned == (event == "fresh") {
			t.Errorf("%s: owned: %v", event, owned)
		}
	}
	for _, s := range []assignor.Strategy{hrw.Strategy{}, homing{}} {
		caught, _ := newCapture(s)
		_, want := s.(assignor.Homing)
		if _, got := caught.(assignor.Homing); got != want {
			t.Errorf("%T: the balancer finds homes: %v, want %v", s, got, want)
		}
		if _, ok := caught.(assignor.Updater); ok {
			t.Errorf("%T: the balancer calls Update", s)
		}
	}
}

// TestBudget: a slow measurement is repeated no more than the budget allows,
// and leaves the others the runs that they need.
func TestBudget(t *testing.T) {
	takes := func(d time.Duration) *measurement {
		return &measurement{run: func() (time.Duration, uint64) { time.Sleep(d); return d, 0 }}
	}
	fast, slow := takes(time.Millisecond), takes(100*time.Millisecond)
	interleave([]*measurement{fast, slow}, 40, 50*time.Millisecond)
	if fast.runs != fewRuns || slow.runs != 1 {
		t.Errorf("%d and %d runs, want %d and 1", fast.runs, slow.runs, fewRuns)
	}
	once := takes(0)
	once.once = true
	fast = takes(0)
	interleave([]*measurement{fast, once}, 40, time.Minute)
	if fast.runs != 40 || once.runs != 1 {
		t.Errorf("%d and %d runs, want 40 and 1", fast.runs, once.runs)
	}
}

func TestLimits(t *testing.T) {
	for _, l := range limits {
		found, err := parseShapes(l.shape)
		if err != nil {
			t.Fatal(err)
		}
		sizes, err := found[0].parseSizes("")
		if err != nil {
			t.Fatal(err)
		}
		known := func(z size) bool { return z.String() == l.size }
		if l.size != "" && !slices.ContainsFunc(sizes, known) {
			t.Errorf("a limit for %s at %s, which is not measured", l.shape, l.size)
		}
	}

	took := func(d time.Duration) *measurement { return &measurement{best: d, runs: 1} }
	newGroupOf := func(name, list string) *group {
		found, err := parseShapes(name)
		if err != nil {
			t.Fatal(err)
		}
		sizes, err := found[0].parseSizes(list)
		if err != nil {
			t.Fatal(err)
		}
		return newGroup(found[0], sizes[0])
	}
	for _, c := range []struct {
		what, strategy, event, shape, size string
		round, planning, kgo               time.Duration
		checked                            bool
		ok                                 bool
	}{
		{"within both", limited, "same", "equal", "100x1000", 24, 14, 100, true, true},
		{"round over", limited, "same", "equal", "100x1000", 26, 14, 100, true, false},
		{"planning over", limited, "join", "equal", "100x1000", 24, 16, 100, true, false},
		{"within what the smallest may take", limited, "leave", "equal", "10x100", 34, 14, 100, true, true},
		{"over it", limited, "leave", "equal", "10x100", 36, 14, 100, true, false},
		{"fresh", limited, "fresh", "equal", "100x1000", 39, 34, 100, true, true},
		{"a time", limited, "join", "split", "", time.Second, 15 * time.Millisecond, 0, true, true},
		{"a time over", limited, "join", "split", "", time.Second, 16 * time.Millisecond, 0, true, false},
		{"kgo missing", limited, "join", "halves", "", 1, 1, 0, true, false},
		{"an event without limit", limited, "join", "wide", "", 99, 99, 100, false, false},
		{"a size without limit", limited, "same", "equal", "7x100", 99, 99, 100, false, false},
		{"another strategy", "hrw", "same", "equal", "100x1000", 99, 99, 100, false, false},
	} {
		r := &row{strategy: c.strategy, event: c.event, group: newGroupOf(c.shape, c.size), round: took(c.round), planning: took(c.planning)}
		if c.kgo > 0 {
			r.kgo = took(c.kgo)
		}
		checked, breaches := breachesOf([]*row{r})
		if checked > 0 != c.checked || c.checked && (len(breaches) == 0) != c.ok {
			t.Errorf("%s: %d checked, %q", c.what, checked, breaches)
		}
	}
}
