package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// example is a short history of two strategies, in numbers that can be checked
// by eye.
func example() []*result {
	fresh := func(after string) *outcome {
		o := newOutcome(at("......"), nil)
		o.add(change{start: list("abc")}, at(after))
		return o
	}
	again := func(before, away, after string) *outcome {
		o := newOutcome(at(before), list("abc"))
		o.add(stop("a"), at(away))
		o.add(start("a"), at(after))
		return o
	}
	return []*result{
		{name: "hrw", records: records{written: 900, processed: 900},
			outcomes: []*outcome{fresh("aaabcc"), again("aaabcc", "bbcbcc", "aaabcc")}},
		{name: "cooperative-sticky", records: records{written: 900, processed: 903, twice: 3},
			outcomes: []*outcome{fresh("aabbcc"), again("aabbcc", "bcbbcc", "acbbac")},
			warnings: []string{"hrw: a warning"}},
	}
}

var steps = []step{{title: "3 workers start", look: "How even?"}, {title: "a restarts", look: "Is it home?"}}

func show(s *screen) {
	for n, st := range steps {
		s.step(n+1, st, []string{"orders"}, example())
	}
	s.closing(example())
}

func TestStepAndTable(t *testing.T) {
	var out bytes.Buffer
	show(newScreen(&out, true, nil))
	golden(t, "steps.golden", out.String())
}

func TestIntro(t *testing.T) {
	var out bytes.Buffer
	newScreen(&out, true, nil).intro(small())
	golden(t, "intro.golden", out.String())
}

// Colour adds nothing but colour.
func TestColour(t *testing.T) {
	var plain, colour bytes.Buffer
	show(newScreen(&plain, true, nil))
	s := newScreen(&colour, true, nil)
	s.colour = true
	show(s)
	codes := regexp.MustCompile("\x1b\\[[0-9;]*m")
	if !codes.Match(colour.Bytes()) {
		t.Fatal("no colour")
	}
	// Trailing blanks stay inside a coloured cell.
	got := regexp.MustCompile(" +\n").ReplaceAllString(codes.ReplaceAllString(colour.String(), ""), "\n")
	if got != plain.String() {
		t.Errorf("without its colours:\n%s", got)
	}
}

// What does not fit side by side stands one below the other, and is broken
// between topics where it must be.
func TestWide(t *testing.T) {
	topics := []string{"one", "two", "three"}
	wide := func(name string) *result {
		o := newOutcome(newPlacement(3, 40), nil)
		after := newPlacement(3, 40)
		for topic := range after {
			for i := range after[topic] {
				after[topic][i] = workerName(9 + (topic+i)%2)
			}
		}
		o.add(change{start: []string{workerName(10), workerName(9)}}, after)
		return &result{name: name, outcomes: []*outcome{o}}
	}
	var out bytes.Buffer
	newScreen(&out, true, nil).step(1, steps[0], topics, []*result{wide("hrw"), wide("cooperative-sticky")})
	golden(t, "wide.golden", out.String())
	for text := range strings.Lines(out.String()) {
		if len(text) > width+1 {
			t.Errorf("%d columns: %s", len(text), text)
		}
	}
}

// The progress line is rewritten in place, only when it changes, and removed.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	s := newScreen(&out, true, []string{"hrw", "cooperative-sticky"})
	s.status("hrw", "nowhere to show it")
	if out.Len() > 0 {
		t.Errorf("not on a terminal, yet %q", out.String())
	}
	s.live = true
	s.status("hrw", "worker-4 has not joined yet")
	s.status("hrw", "worker-4 has not joined yet")
	s.status("cooperative-sticky", strings.Repeat("long ", 50))
	s.print("done\n")
	lines := strings.Split(out.String(), "\r\x1b[2K")
	if len(lines) != 4 || !strings.Contains(lines[1], "hrw: worker-4 has not joined yet") || lines[3] != "done\n" {
		t.Fatalf("%q", lines)
	}
	if len(lines[2]) > 79 {
		t.Errorf("%d columns: %s", len(lines[2]), lines[2])
	}
	out.Reset()
	s.status("hrw", settled)
	s.status("cooperative-sticky", "worker-4 has not joined yet")
	if got := out.String(); strings.Contains(got, "hrw") || !strings.Contains(got, "cooperative-sticky: worker-4") {
		t.Errorf("%q, want only who is waited for", got)
	}
}
