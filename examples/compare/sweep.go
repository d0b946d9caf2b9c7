package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/kgo-rendezvous/kgo-rendezvous/hrw"
	"github.com/kgo-rendezvous/kgo-rendezvous/ring"
)

// A sweep is what charts vary.
type sweep struct {
	histories int // that every point is the mean of

	groups     []float64 // members, over which moves and loads are shown
	partitions int       // that these groups share

	virtualNodes   []float64 // over which a ring's load is shown
	ringMembers    int
	ringPartitions []int // one line for each
}

var fullSweep = sweep{
	histories:      30,
	groups:         []float64{2, 3, 5, 10, 20, 50, 100, 200},
	partitions:     1000,
	virtualNodes:   []float64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024},
	ringMembers:    10,
	ringPartitions: []int{100, 1000, 10_000},
}

// A point is one history of a sweep; the mean of its values is added to what
// into points to.
type point struct {
	setup setup
	seed  int
	a     algorithm
	into  []*float64
}

// growth shows, over the size of the group, what moves when one member joins,
// and the load of the fullest before it does.
func (s *sweep) growth(all []algorithm, bar *progress) (moves, loads *chart, err error) {
	moves = &chart{
		title:  "What moves when a member joins",
		lead:   fmt.Sprintf("Part of %s partitions that changes hands, over the number of members before, both on logarithmic scales. Lower is better; the grey line is the joiner's fair share.", thousands(s.partitions)),
		x:      "members",
		y:      "moved",
		logX:   true,
		logY:   true,
		xTicks: s.groups,
		share:  true,
	}
	loads = &chart{
		title:  "How uneven it gets",
		lead:   fmt.Sprintf("The fullest member's load over its fair share of %s partitions, over the number of members. Lower is better, 1 is even.", thousands(s.partitions)),
		x:      "members",
		y:      "max/avg",
		logX:   true,
		xTicks: s.groups,
		yMin:   1,
	}
	fair := line{name: "fair share", hue: "grey", xs: s.groups}
	for _, n := range s.groups {
		fair.ys = append(fair.ys, 1/(n+1))
	}
	moves.lines = append(moves.lines, fair)
	var points []point
	for _, a := range shown(all, "ring") { // moves and loads are as hrw's
		moved, most := make([]float64, len(s.groups)), make([]float64, len(s.groups))
		for i, n := range s.groups {
			g := setup{size: size{int(n), s.partitions}, topics: min(4, s.partitions)}
			points = s.repeat(points, point{setup: g, a: *a, into: []*float64{&moved[i], &most[i]}})
		}
		moves.lines = append(moves.lines, lineOf(a, s.groups, moved))
		if !crowding[a.name] {
			loads.lines = append(loads.lines, lineOf(a, s.groups, most))
		}
	}
	return moves, loads, s.sum(points, bar, moves.title, func(p point) ([]float64, error) {
		w := newWorld(p.setup, uint64(p.seed))
		f, err := play(w, p.a.newPlacer(w), false)
		if err != nil {
			return nil, err
		}
		moved, _ := f.join.perPartition()
		return []float64{moved, f.maxAvg}, nil
	})
}

// rings shows what virtual nodes do: the load of a ring's fullest member, and
// beside it the one that chance leaves to plain hrw.
func (s *sweep) rings(bar *progress) (*chart, error) {
	c := &chart{
		title:  "A ring's load over virtual nodes",
		lead:   fmt.Sprintf("The fullest of %d members, over its fair share. Lower is better. Solid: a ring; dashed: plain hrw in the same groups, which is what chance leaves with few partitions.", s.ringMembers),
		x:      "virtual nodes a member",
		y:      "max/avg",
		logX:   true,
		xTicks: s.virtualNodes,
		yMin:   1,
	}
	var points []point
	chance := make([]float64, len(s.ringPartitions))
	for i, partitions := range s.ringPartitions {
		hue := []string{"blue", "teal", "orange"}[i%3]
		name := thousands(partitions) + " partitions"
		g := setup{size: size{s.ringMembers, partitions}, topics: 1}
		onRing := make([]float64, len(s.virtualNodes))
		for v, n := range s.virtualNodes {
			a := algorithm{strategy: ring.Strategy{VirtualNodes: int(n)}}
			points = s.repeat(points, point{setup: g, a: a, into: []*float64{&onRing[v]}})
		}
		points = s.repeat(points, point{setup: g, a: algorithm{strategy: hrw.Strategy{}}, into: []*float64{&chance[i]}})
		c.lines = append(c.lines,
			line{name: name + ", ring", hue: hue, xs: s.virtualNodes, ys: onRing},
			line{name: name + ", hrw", hue: hue, dash: dashed, xs: s.virtualNodes})
	}
	err := s.sum(points, bar, c.title, func(p point) ([]float64, error) {
		w := newWorld(p.setup, uint64(p.seed))
		var f figures
		placed, err := p.a.newPlacer(w).settle(w.start())
		if err != nil {
			return nil, err
		}
		f.balance(w, w.start(), placed)
		return []float64{f.maxAvg}, nil
	})
	for i := range chance {
		c.lines[2*i+1].ys = slices.Repeat(chance[i:i+1], len(s.virtualNodes))
	}
	return c, err
}

// repeat appends a point once for each seed.
func (s *sweep) repeat(points []point, p point) []point {
	for n := range s.histories {
		p.seed = n + 1
		points = append(points, p)
	}
	return points
}

// sum adds all points' values, in the order of points.
func (s *sweep) sum(points []point, bar *progress, what string, of func(point) ([]float64, error)) error {
	const cost = time.Millisecond // roughly, of one
	bar.expect(time.Duration(len(points)) * cost)
	values := make([][]float64, len(points))
	indexes := make([]int, len(points))
	for i := range indexes {
		indexes[i] = i
	}
	err := each(indexes, func(i int) (err error) {
		bar.at(what)
		values[i], err = of(points[i])
		bar.done(cost)
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	for i, p := range points {
		for j, into := range p.into {
			*into += values[i][j] / float64(s.histories)
		}
	}
	return nil
}

// thousands writes a number as 10,000.
func thousands(n int) string {
	if n < 10_000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}
