package main

import (
	"strings"
	"testing"
)

// at builds a placement of one topic: a letter is a worker, "." nobody.
func at(owners string) placement {
	p := newPlacement(1, len(owners))
	for i, c := range owners {
		if c != '.' {
			p[0][i] = string(c)
		}
	}
	return p
}

func list(workers string) []string { return strings.Split(workers, "") }

func stop(worker string) change  { return change{stop: []string{worker}} }
func start(worker string) change { return change{start: []string{worker}} }

// differ returns the partitions of one topic that differ.
func differ(a, b placement) (out []int) {
	a.count(func(t, i int, owner string) bool {
		if b[t][i] != owner {
			out = append(out, i)
		}
		return true
	})
	return out
}

func TestOutcome(t *testing.T) {
	type want struct {
		moved, needless, had, back, displaced int
		grid                                  string // rows of all workers
	}
	type then struct {
		change
		after string
	}
	for _, tt := range []struct {
		name, workers, before string
		then                  []then
		want                  want
	}{
		{"start", "", "......",
			[]then{{change{start: list("ab")}, "aabbab"}},
			want{grid: "a++..+. b..++.+"}},
		{"join, only what the joiner takes", "ab", "aaabbb",
			[]then{{start("c"), "aacbbc"}},
			want{moved: 2, grid: "aoo-... b...oo- c..+..+"}},
		{"join, and two change places", "ab", "aaabbb",
			[]then{{start("c"), "abcbac"}},
			want{moved: 4, needless: 2, displaced: 2, grid: "ao--.x. b.x.o-- c..+..+"}},
		{"leave", "abc", "aabbcc",
			[]then{{stop("c"), "aabbab"}},
			want{moved: 2, grid: "aoo..+. b..oo.+ c....--"}},
		{"leave, and one that stays loses", "abc", "aabbcc",
			[]then{{stop("c"), "abbbab"}},
			want{moved: 3, needless: 1, displaced: 1, grid: "ao-..+. b.xoo.+ c....--"}},
		{"restart, all back", "abc", "aabbcc",
			[]then{{stop("a"), "bcbbcc"}, {start("a"), "aabbcc"}},
			want{moved: 4, had: 2, back: 2, grid: "aHH.... b..oo.. c....oo"}},
		{"restart, one back and one of another's", "abc", "aabbcc",
			[]then{{stop("a"), "bcbbcc"}, {start("a"), "acbbac"}},
			want{moved: 4, had: 2, back: 1, displaced: 2, grid: "aH-..x. b..oo.. c.x..-o"}},
		{"restart of one that had nothing", "abc", "bbbbcc",
			[]then{{stop("a"), "bbbbcc"}, {start("a"), "bbbbcc"}},
			want{grid: "a...... boooo.. c....oo"}},
		{"while it is away two that stay change places, and back", "abc", "aabbcc",
			[]then{{stop("a"), "bccbbc"}, {start("a"), "aabbcc"}},
			want{moved: 8, needless: 4, had: 2, back: 2, grid: "aHH.... b..oo.. c....oo"}},
		{"a deploy: gone on return, back in the end", "ab", "aabb",
			[]then{{stop("a"), "bbbb"}, {start("a"), "bbaa"}, {stop("b"), "aaaa"}, {start("b"), "aabb"}},
			want{moved: 8, had: 4, back: 0, grid: "aHH.. b..HH"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var old []string
			if tt.workers != "" {
				old = list(tt.workers)
			}
			o := newOutcome(at(tt.before), old)
			for _, s := range tt.then {
				o.add(s.change, at(s.after))
			}
			got := want{o.moved, o.needless, o.had, o.back, o.displaced(), ""}
			var rows []string
			for _, name := range o.workers() {
				row := name
				for i := range o.after[0] {
					row += marks[o.mark(name, 0, i)].letter
				}
				rows = append(rows, row)
			}
			got.grid = strings.Join(rows, " ")
			if got != tt.want {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestFullest(t *testing.T) {
	o := newOutcome(at("......"), nil)
	o.add(change{start: list("abc")}, at("aaaabb"))
	if most, average := o.fullest(); most != 4 || average != 2 {
		t.Errorf("fullest %d, average %v", most, average)
	}
	r := &result{outcomes: []*outcome{o}}
	if worst := r.totals().worst; worst != 2 {
		t.Errorf("worst %v", worst)
	}
}

// The history a seed gives is the same for all groups, and nobody leaves or
// restarts who is not there.
func TestHistory(t *testing.T) {
	leavers := make(map[string]bool)
	for seed := range uint64(20) {
		running := make(map[string]bool)
		history := newHistory(3, seed)
		for _, st := range history {
			for _, ch := range st.changes {
				for _, name := range ch.stop {
					if !running[name] {
						t.Errorf("seed %d: %s stops, but does not run", seed, name)
					}
					delete(running, name)
				}
				for _, name := range ch.start {
					if running[name] {
						t.Errorf("seed %d: %s starts twice", seed, name)
					}
					running[name] = true
				}
			}
		}
		if len(running) != 3 || !running["worker-4"] {
			t.Errorf("seed %d: in the end %v", seed, running)
		}
		leavers[history[2].stop()] = true
	}
	if len(leavers) != 3 {
		t.Errorf("only %v ever leave", leavers)
	}
}

func (c changes) stop() string { return c[0].stop[0] }
