package sticky_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

// commands are what can happen in a history. All that stands in one block happens
// before one rebalance.
var commands = map[string]struct {
	do     func(w *world, args []string)
	brings bool // a rebalance
}{
	// strategy [per-topic] [racks]: settings of all members, before any joins.
	"strategy": {(*world).doStrategy, false},
	// topic NAME PARTITIONS [racks=R,R,...]: it appears, or grows, or its
	// leaders, which have these racks in turn, change.
	"topic": {(*world).doTopic, true},
	// join NAME... [weight=N] [rack=R]: they read all topics.
	"join": {(*world).doJoin, true},
	// reads NAME [TOPIC...]: from now on it reads only these, or all again.
	"reads": {(*world).doReads, true},
	// leave NAME...
	"leave": {(*world).doLeave, true},
	// restart NAME... [weight=N] [rack=R]: they end and start, and claim nothing.
	"restart": {(*world).doRestart, true},
	// warm NAME TOPIC PARTITIONS...: it has these at hand, also after a restart.
	"warm": {(*world).doWarm, false},
	// claim NAME TOPIC PARTITIONS... [generation=N]: it says it owns these, too,
	// and that all it says is of that generation, if not the latest.
	"claim": {(*world).doClaim, true},
}

// options parts key=value from the rest.
func (w *world) options(args []string, known ...string) (rest []string, options map[string]string) {
	options = make(map[string]string)
	for _, arg := range args {
		key, value, ok := strings.Cut(arg, "=")
		if !ok {
			rest = append(rest, arg)
			continue
		}
		if !slices.Contains(known, key) {
			w.Fatalf("%s: %s is not known", w.now, key)
		}
		options[key] = value
	}
	return rest, options
}

func (w *world) number(s string) int32 {
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil {
		w.Fatalf("%s: %v", w.now, err)
	}
	return int32(n)
}

// partitions reads "0 3-5".
func (w *world) partitions(args []string) (all []int32) {
	for _, arg := range args {
		from, to, ok := strings.Cut(arg, "-")
		if !ok {
			to = from
		}
		for p := w.number(from); p <= w.number(to); p++ {
			all = append(all, p)
		}
	}
	return all
}

func (w *world) doStrategy(args []string) {
	for _, arg := range args {
		switch {
		case len(w.members) > 0:
			w.Fatalf("%s: there are members", w.now)
		case arg == "per-topic":
			w.strategy.PerTopic = true
		case arg == "racks":
			w.strategy.Racks = true
		default:
			w.Fatalf("%s: %s is not known", w.now, arg)
		}
	}
}

func (w *world) doTopic(args []string) {
	args, options := w.options(args, "racks")
	w.counts[args[0]] = w.number(args[1])
	if racks, ok := options["racks"]; ok {
		inTurn := strings.Split(racks, ",")
		row := make([]string, w.counts[args[0]])
		for p := range row {
			row[p] = inTurn[p%len(inTurn)]
		}
		w.racks[args[0]] = row
	}
}

// equip sets what options say of a worker.
func (w *world) equip(m *worker, options map[string]string) *worker {
	if weight, ok := options["weight"]; ok {
		m.weight = uint32(w.number(weight))
	}
	if rack, ok := options["rack"]; ok {
		m.rack = rack
	}
	return m
}

func (w *world) doJoin(args []string) {
	names, options := w.options(args, "weight", "rack")
	for _, name := range names {
		w.start(w.equip(&worker{name: name, weight: 1}, options))
	}
}

func (w *world) doReads(args []string) {
	m := w.members[w.at(args[0])]
	if m.Topics = nil; len(args) > 1 {
		m.Topics = args[1:]
	}
}

func (w *world) doLeave(names []string) {
	for _, name := range names {
		w.stop(name)
	}
}

func (w *world) doRestart(args []string) {
	names, options := w.options(args, "weight", "rack")
	for _, name := range names {
		w.start(w.equip(w.stop(name), options))
	}
}

func (w *world) doWarm(args []string) {
	if w.warm[args[0]] == nil {
		w.warm[args[0]] = make(lead.Owned)
	}
	w.warm[args[0]][args[1]] = w.partitions(args[2:])
}

func (w *world) doClaim(args []string) {
	args, options := w.options(args, "generation")
	m := w.members[w.at(args[0])]
	m.Owned = maps.Clone(m.Owned)
	if m.Owned == nil {
		m.Owned = make(lead.Owned)
	}
	m.Owned[args[1]] = append(slices.Clone(m.Owned[args[1]]), w.partitions(args[2:])...)
	m.Generation = w.generation
	if generation, ok := options["generation"]; ok {
		m.Generation = w.number(generation)
	}
}
