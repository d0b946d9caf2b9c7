package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kgo"
)

// partitions are those that the worker owns, with what it keeps for each.
type partitions map[string]map[int32]*state

// state is what the worker keeps for a partition while it owns it: a count here,
// in a service a cache, a store, a window of keys seen. That it takes time to
// build is why partitions should stay where they are.
type state struct{ records int }

func (ps *partitions) open(added map[string][]int32) {
	if *ps == nil {
		*ps = make(partitions)
	}
	for topic, numbers := range added {
		if (*ps)[topic] == nil {
			(*ps)[topic] = make(map[int32]*state)
		}
		for _, p := range numbers {
			(*ps)[topic][p] = new(state)
		}
	}
}

func (ps partitions) count(r *kgo.Record) {
	if s := ps[r.Topic][r.Partition]; s != nil {
		s.records++
	}
}

// close forgets partitions and returns the records that were counted for them.
func (ps partitions) close(gone map[string][]int32) (records int) {
	for topic, numbers := range gone {
		for _, p := range numbers {
			if s := ps[topic][p]; s != nil {
				records += s.records
				delete(ps[topic], p)
			}
		}
	}
	return records
}

func (ps partitions) len() (n int) {
	for _, numbers := range ps {
		n += len(numbers)
	}
	return n
}

// format returns partitions as sorted text, "orders[0 3 5] payments[1]".
func format(ps map[string][]int32) string {
	var words []string
	for _, topic := range slices.Sorted(maps.Keys(ps)) {
		if len(ps[topic]) > 0 {
			words = append(words, fmt.Sprint(topic, slices.Sorted(slices.Values(ps[topic]))))
		}
	}
	if len(words) == 0 {
		return "-"
	}
	return strings.Join(words, " ")
}
