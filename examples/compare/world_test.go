package main

import (
	"reflect"
	"slices"
	"testing"
)

func TestWorld(t *testing.T) {
	s := setup{size: size{10, 103}, topics: 4, weights: []uint32{1, 3}}
	w := newWorld(s, 7)
	if again := newWorld(s, 7); !reflect.DeepEqual(w, again) {
		t.Error("the same seed gives another world")
	}
	if other := newWorld(s, 8); reflect.DeepEqual(w.names, other.names) {
		t.Error("another seed gives the same names")
	}
	if len(w.names) != 11 || !slices.IsSorted(w.names) || len(slices.Compact(slices.Clone(w.names))) != 11 {
		t.Errorf("names %v: want 11, different and sorted", w.names)
	}
	sum := 0
	for i, topic := range w.topics {
		if topic.first != sum || topic.partitions < 25 || topic.partitions > 26 {
			t.Errorf("topic %d is %+v", i, topic)
		}
		if got := w.topicOf(topic.name); got != &w.topics[i] {
			t.Errorf("topic %s is not found by name", topic.name)
		}
		sum += topic.partitions
	}
	if sum != 103 || w.topicOf("none") != nil {
		t.Errorf("%d partitions", sum)
	}
	if w.leaver == w.joiner {
		t.Error("the joiner leaves")
	}
	if roll := slices.Sorted(slices.Values(w.roll)); len(roll) != 10 || slices.Contains(roll, w.leaver) || len(slices.Compact(roll)) != 10 {
		t.Errorf("%v restart", w.roll)
	}
	there := 10
	away := map[int]bool{w.leaver: true}
	for _, m := range w.scale {
		if away[m] = !away[m]; away[m] {
			there--
		} else {
			there++
		}
		if there < 5 {
			t.Errorf("%v leave and join, until only %d are there", w.scale, there)
		}
	}
	if len(w.scale) != scalings {
		t.Errorf("%d leave and join", len(w.scale))
	}
	heavy := 0
	for _, weight := range w.weights {
		if weight == 3 {
			heavy++
		}
	}
	if heavy != 5 {
		t.Errorf("%d of 11 have weight 3, want every second", heavy)
	}
}
