package main

import (
	"fmt"
	"strconv"
	"strings"
)

// A shape is who reads what.
type shape struct {
	name, about string
	sizes       string // those measured unless others are given, as in the flag
	fixed       bool   // others make no sense
	topics      func(members int) int
	// reads returns what member i reads. The one that joins has the next i.
	reads func(i int, topics []string) []string
	slow  bool // kgo takes many seconds
}

var shapes = []*shape{
	{
		name: "equal", about: "all members read all ten topics",
		sizes:  "10x100,100x1000,100x10000,1000x10000,1000x100000,2000x100000",
		topics: just(10),
		reads:  func(_ int, topics []string) []string { return topics },
	},
	{
		name: "halves", about: "every other member reads topics 0 to 4 of ten, the others 3 to 9",
		sizes:  "100x1000,1000x10000",
		topics: just(10),
		reads: func(i int, topics []string) []string {
			if i%2 == 0 {
				return topics[:len(topics)/2]
			}
			return topics[len(topics)*3/10:]
		},
	},
	{
		name: "split", about: "every fourth member reads one half of a hundred topics, the others the other",
		sizes: "500x20000", fixed: true,
		topics: just(100),
		reads: func(i int, topics []string) []string {
			if i%4 == 0 {
				return topics[:len(topics)/2]
			}
			return topics[len(topics)/2:]
		},
		slow: true,
	},
	{
		name: "wide", about: "all members read all 500 topics, which are small",
		sizes: "2000x2000", fixed: true,
		topics: just(500),
		reads:  func(_ int, topics []string) []string { return topics },
	},
	{
		name: "nested", about: "member i reads the first 1 + i mod 20 of twenty topics",
		sizes:  "100x1000",
		topics: func(members int) int { return min(members, 20) },
		reads:  func(i int, topics []string) []string { return topics[:i%len(topics)+1] },
	},
	{
		name: "chained", about: "member i reads topics i and i+1 of as many as there are members",
		sizes:  "100x1000",
		topics: func(members int) int { return members },
		reads: func(i int, topics []string) []string {
			return []string{topics[i%len(topics)], topics[(i+1)%len(topics)]}
		},
	},
	{
		name: "narrow", about: "all members read all ten topics, but for one that reads topic 0 only",
		sizes:  "2000x100000",
		topics: just(10),
		reads: func(i int, topics []string) []string {
			if i == 0 { // never the one that leaves
				return topics[:1]
			}
			return topics
		},
	},
}

func just(n int) func(int) int { return func(int) int { return n } }

func describeShapes() string {
	var sb strings.Builder
	for _, sh := range shapes {
		fmt.Fprintf(&sb, "  %-8s %s; %s\n", sh.name, sh.about, sh.sizes)
	}
	return strings.TrimSuffix(sb.String(), "\n")
}

func parseShapes(names string) ([]*shape, error) {
	if names == "all" {
		return shapes, nil
	}
	var out []*shape
next:
	for _, name := range strings.Split(names, ",") {
		for _, sh := range shapes {
			if sh.name == name {
				out = append(out, sh)
				continue next
			}
		}
		return nil, fmt.Errorf("no shape %q: want all, or some of\n%s", name, describeShapes())
	}
	return out, nil
}

type size struct{ members, topics, partitions int }

func (s size) String() string { return fmt.Sprintf("%d x %d", s.members, s.partitions) }

// parseSizes returns the sizes in a list, or the shape's own.
func (sh *shape) parseSizes(list string) ([]size, error) {
	if list == "" || sh.fixed {
		list = sh.sizes
	}
	var out []size
	for _, s := range strings.Split(list, ",") {
		var z size
		m, p, ok := strings.Cut(s, "x")
		var err error
		if ok {
			if z.members, err = strconv.Atoi(m); err == nil {
				z.partitions, err = strconv.Atoi(p)
			}
		}
		if !ok || err != nil || z.members < 2 {
			return nil, fmt.Errorf("size %q: want MEMBERSxPARTITIONS, such as 100x1000, at least 2 members", s)
		}
		if z.topics = sh.topics(z.members); z.partitions < z.topics {
			return nil, fmt.Errorf("size %q: the shape %s has %d topics, want a partition for each", s, sh.name, z.topics)
		}
		out = append(out, z)
	}
	return out, nil
}
