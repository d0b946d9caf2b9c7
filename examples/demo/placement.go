package main

import "slices"

// A placement says who has each partition: a worker's name by topic and
// partition, "" for nobody.
type placement [][]string

func newPlacement(topics, partitions int) placement {
	p := make(placement, topics)
	for t := range p {
		p[t] = make([]string, partitions)
	}
	return p
}

func (p placement) clone() placement {
	out := make(placement, len(p))
	for t := range p {
		out[t] = slices.Clone(p[t])
	}
	return out
}

// count returns the partitions for which fn is true.
func (p placement) count(fn func(t, i int, owner string) bool) (n int) {
	for t := range p {
		for i, owner := range p[t] {
			if fn(t, i, owner) {
				n++
			}
		}
	}
	return n
}

// load returns how many partitions a worker has.
func (p placement) load(worker string) int {
	return p.count(func(_, _ int, owner string) bool { return owner == worker })
}

func (p placement) size() int {
	return p.count(func(int, int, string) bool { return true })
}
