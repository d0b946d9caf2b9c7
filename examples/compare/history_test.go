package main

import (
	"reflect"
	"testing"
)

// A script places as it is told, one placement a call, and notes who was there.
type script struct {
	placements []placement
	present    [][]bool
}

func (s *script) settle(present []bool) (placement, error) {
	s.present = append(s.present, append([]bool(nil), present...))
	p := s.placements[0]
	s.placements = s.placements[1:]
	return p, nil
}

func TestPlay(t *testing.T) {
	w := &world{
		names: []string{"a", "b", "c"}, weights: []uint32{1, 1, 1},
		topics: []topic{{"x", 4, 0}}, total: 4,
		joiner: 2, leaver: 0, roll: []int{1, 2}, scale: []int{0},
	}
	s := &script{placements: []placement{
		{0, 0, 1, 1}, // a and b
		{2, 0, 1, 0}, // c joins: takes one, and one goes from b to a
		{2, 1, 1, 2}, // a leaves: its two are shared out
		{2, 2, 2, 2}, // b leaves
		{2, 1, 2, 1}, // b is back: one of its two is its own
		{1, 1, 1, 1}, // c leaves
		{2, 1, 1, 2}, // c is back: one of its two is its own
		{0, 1, 2, 1}, // a joins: takes one, and two change places
	}}
	f, err := play(w, s, true)
	if err != nil {
		t.Fatal(err)
	}
	if want := [][]bool{{true, true, false}, {true, true, true}, {false, true, true},
		{false, false, true}, {false, true, true}, {false, true, false}, {false, true, true}, {true, true, true}}; !reflect.DeepEqual(s.present, want) {
		t.Errorf("present were %v, want %v", s.present, want)
	}
	if want := (change{2, 1, 4}); f.join != want {
		t.Errorf("join %+v, want %+v", f.join, want)
	}
	if want := (change{2, 0, 4}); f.leave != want {
		t.Errorf("leave %+v, want %+v", f.leave, want)
	}
	if want := (change{8, 0, 4}); f.roll != want {
		t.Errorf("rolling restart %+v, want two away and two back, twice", f.roll)
	}
	if want := (share{2, 4}); f.received != want {
		t.Errorf("own back %+v, want %+v", f.received, want)
	}
	if want := (share{4, 4}); f.home != want {
		t.Errorf("where they were %+v, want %+v", f.home, want)
	}
	if want := (change{3, 2, 4}); f.scale != want {
		t.Errorf("scaling %+v, want %+v", f.scale, want)
	}
	if f.spread != 0 || f.aged != 1 {
		t.Errorf("spreads %v and %v, want 0 at first, where c is not there and does not count, and 1 in the end", f.spread, f.aged)
	}
}

// A member that comes back under its name gets exactly its own, and with plain
// hashing nothing else moves.
func TestRollingRestart(t *testing.T) {
	for _, a := range algorithms() {
		if a.inRounds() {
			continue
		}
		for seed := range uint64(5) {
			w := newWorld(setup{size: size{7, 60}, topics: 3, weights: []uint32{1, 2}}, seed)
			f, err := play(w, a.newPlacer(w), true)
			if err != nil {
				t.Fatalf("%s: %v", a.name, err)
			}
			if f.received.ratio() != 1 || f.home.ratio() != 1 {
				t.Errorf("%s, seed %d: %+v of what returning members got was their own, %+v is where it was, want all", a.name, seed, f.received, f.home)
			}
			if a.kind == ours && !a.bounded && (f.roll.needless+f.join.needless+f.leave.needless != 0) {
				t.Errorf("%s, seed %d: needless moves, join %+v, leave %+v, roll %+v", a.name, seed, f.join, f.leave, f.roll)
			}
		}
	}
}

// Sticky strategies are even, move only what they must, and give who comes back
// nothing but its own, though leaders restart too, and with them what they
// remember. It may be one less than before where loads cannot be equal.
func TestSticky(t *testing.T) {
	for _, name := range []string{"sticky", "sticky-per-topic"} {
		a := find(t, name)
		least := 1.0
		if name == "sticky-per-topic" {
			least = 0.95 // where topics cannot be equal either
		}
		for seed := range uint64(5) {
			w := newWorld(setup{size: size{7, 60}, topics: 3}, seed)
			f, err := play(w, a.newPlacer(w), true)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if high := 9 / (60.0 / 7); !near(f.maxAvg, high) {
				t.Errorf("%s, seed %d: the fullest has %v times its share, want %v", name, seed, f.maxAvg, high)
			}
			if name == "sticky" && f.join.needless+f.leave.needless+f.roll.needless+f.scale.needless != 0 {
				t.Errorf("sticky, seed %d: needless moves, join %+v, leave %+v, roll %+v, scaling %+v", seed, f.join, f.leave, f.roll, f.scale)
			}
			if name == "sticky-per-topic" && (f.spread > 1 || f.aged > 1) {
				t.Errorf("%s, seed %d: spreads %v and %v in a topic, want 1 at most", name, seed, f.spread, f.aged)
			}
			if f.received.ratio() < least || f.home.of-f.home.is > 7 {
				t.Errorf("%s, seed %d: %+v of what returning members got was their own, %+v is where it was, want all, and all but one for each", name, seed, f.received, f.home)
			}
		}
	}
}

// A fleet, which goes through all rounds, ends where hashing says at once.
func TestFleetAsHashing(t *testing.T) {
	for _, a := range algorithms() {
		if a.inRounds() || a.name == "hrw-slots" { // its tables are large
			continue
		}
		w := newWorld(setup{size: size{5, 40}, topics: 3}, 1)
		want, err := play(w, a.newPlacer(w), true)
		if err != nil {
			t.Fatal(err)
		}
		got, err := play(w, newFleet(w, &a), true)
		if err != nil {
			t.Fatalf("%s: %v", a.name, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: a fleet has %+v, hashing alone %+v", a.name, got, want)
		}
	}
}
