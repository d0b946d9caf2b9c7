package oracle_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/assignor/assignortest"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/oracle"
)

// cases are groups out of other clients' test suites, with what another exact
// solver says of them. Package cases plays them through a Balancer; here they
// become Groups directly.
const cases = "../cases/testdata/cases.jsonl"

type peerCase struct {
	ID      string                     `json:"id"`
	Topics  map[string]json.RawMessage `json:"topics"`
	Members []peer                     `json:"members"`
	Racks   map[string][]string        `json:"partition_racks"`
	Expect  expected                   `json:"expect"`
	Then    []struct {
		Do []struct {
			Event, ID, To string
			Member        peer
			Topics        json.RawMessage
			DropOwned     bool `json:"drop_owned"`
		} `json:"do"`
		Expect expected `json:"expect"`
	} `json:"then"`
}

type peer struct {
	ID         string          `json:"id"`
	Topics     []string        `json:"topics"`
	Owned      json.RawMessage `json:"owned"`
	Generation *int            `json:"generation"`
	Rack       string          `json:"rack"`
	Weight     uint32          `json:"weight"`
	Gen        string          `json:"gen"` // members described in words: a large group

	owns       map[string][]int32
	generation int
}

type expected struct {
	Loads   []int          `json:"loads"`
	ByID    map[string]int `json:"loads_by_member"`
	Moved   *int           `json:"moved"`
	OffRack *int           `json:"off_rack"`
}

// slowest is a case that is not played; see race_test.go.
var slowest string

func TestPeersCases(t *testing.T) {
	src, err := os.ReadFile(cases)
	if err != nil {
		t.Fatal(err)
	}
	expectations := make(map[string]int)
	for _, line := range bytes.Split(bytes.TrimSpace(src), []byte("\n")) {
		c := new(peerCase)
		if err := json.Unmarshal(line, c); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if c.ID == slowest || slices.ContainsFunc(c.Members, func(m peer) bool { return m.Gen != "" }) {
			continue
		}
		c.Expect.count(expectations)
		for _, then := range c.Then {
			then.Expect.count(expectations)
		}
		t.Run(c.ID, c.play)
	}
	t.Logf("expectations: %v", expectations)
	for _, kind := range []string{"loads", "loads by member", "moved", "off rack"} {
		if expectations[kind] == 0 {
			t.Errorf("there are none of %s: has the format changed?", kind)
		}
	}
}

// play plans the case and what happens then, each time from the best plan.
func (c *peerCase) play(t *testing.T) {
	o := oracle.Options{Racks: c.Racks != nil}
	generation := 0
	firsts := make(map[string]map[string][]int32)
	for i := range c.Members {
		c.Members[i].join(t, nil)
		generation = max(generation, c.Members[i].generation)
	}
	step := func(expect expected, what string) {
		g := c.group(t)
		plan, v := oracle.Best(g, o)
		expect.check(t, g, plan, v)
		generation++
		for i := range c.Members {
			c.Members[i].take(g, plan, generation)
			if id := c.Members[i].ID; firsts[id] == nil {
				firsts[id] = c.Members[i].owns
			}
		}
		if t.Failed() {
			t.Fatalf("%s: %v\n%s%s", what, v, assignortest.Format(g), plan.Format(g))
		}
	}
	step(c.Expect, "at first")
	for i, then := range c.Then {
		for _, e := range then.Do {
			at := slices.IndexFunc(c.Members, func(p peer) bool { return p.ID == e.ID })
			switch e.Event {
			case "join":
				e.Member.join(t, firsts[e.Member.ID])
				c.Members = append(c.Members, e.Member)
			case "leave":
				c.Members = slices.Delete(c.Members, at, at+1)
			case "subscribe":
				c.Members[at].Topics = nil
				unmarshal(t, e.Topics, &c.Members[at].Topics)
			case "topics":
				c.Topics = nil
				unmarshal(t, e.Topics, &c.Topics)
			case "rename":
				if c.Members[at].ID = e.To; e.DropOwned {
					c.Members[at].owns = nil
				}
			default:
				t.Fatalf("event %q is not known", e.Event)
			}
		}
		step(then.Expect, fmt.Sprintf("then %d", i+1))
	}
}

func unmarshal(t *testing.T, src []byte, v any) {
	t.Helper()
	if err := json.Unmarshal(src, v); err != nil {
		t.Fatalf("%v: %s", err, src)
	}
}

// join reads what a member claims; first is its very first assignment, which a
// zombie claims.
func (p *peer) join(t *testing.T, first map[string][]int32) {
	p.generation = -1
	if p.Generation != nil {
		p.generation = *p.Generation
	}
	switch string(p.Owned) {
	case "":
	case `"remembered"`:
		p.owns = first
	default:
		unmarshal(t, p.Owned, &p.owns)
	}
}

// take has a member own what it was assigned.
func (p *peer) take(g *assignor.Group, plan assignor.Plan, generation int) {
	p.owns, p.generation = make(map[string][]int32), generation
	for t := range plan {
		for i, m := range plan[t] {
			if g.Members[m].ID == p.ID {
				p.owns[g.Topics[t].Name] = append(p.owns[g.Topics[t].Name], int32(i))
			}
		}
	}
}

// group returns the Group of the case as it stands. The highest generation that
// is claimed owns; two such claims own nothing, which a Spec sees to.
func (c *peerCase) group(t *testing.T) *assignor.Group {
	type at struct {
		topic     string
		partition int32
	}
	highest := make(map[at]int)
	for _, p := range c.Members {
		for topic, partitions := range p.owns {
			for _, i := range partitions {
				if top, ok := highest[at{topic, i}]; !ok || p.generation > top {
					highest[at{topic, i}] = p.generation
				}
			}
		}
	}
	s := new(assignortest.Spec)
	for _, p := range c.Members {
		m := assignortest.Member{ID: p.ID, Rack: p.Rack, Weight: p.Weight, Reads: p.Topics, Owns: make(map[string][]int32)}
		for topic, partitions := range p.owns {
			for _, i := range partitions {
				if highest[at{topic, i}] == p.generation {
					m.Owns[topic] = append(m.Owns[topic], i)
				}
			}
		}
		s.Members = append(s.Members, m)
	}
	for name, src := range c.Topics {
		topic := assignortest.Topic{Name: name, Racks: c.Racks[name]}
		unmarshal(t, src, &topic.Partitions)
		if topic.Racks == nil && c.Racks != nil {
			topic.Racks = []string{}
		}
		topic.Racks = topic.Racks[:min(len(topic.Racks), int(topic.Partitions))]
		s.Topics = append(s.Topics, topic)
	}
	return s.Group()
}

func (e expected) count(kinds map[string]int) {
	kinds["loads"] += count(e.Loads != nil)
	kinds["loads by member"] += count(e.ByID != nil)
	kinds["moved"] += count(e.Moved != nil)
	kinds["off rack"] += count(e.OffRack != nil)
}

func (e expected) check(t *testing.T, g *assignor.Group, plan assignor.Plan, v oracle.Value) {
	if e.Loads != nil && !slices.Equal(v.Loads, e.Loads) {
		t.Errorf("loads are %v, want %v", v.Loads, e.Loads)
	}
	for m, n := range plan.Loads(g) {
		if want, ok := e.ByID[g.Members[m].ID]; ok && n != want {
			t.Errorf("%s has %d partitions, want %d", g.Members[m].ID, n, want)
		}
	}
	if e.Moved != nil && v.Moves != *e.Moved {
		t.Errorf("%d partitions move, want %d", v.Moves, *e.Moved)
	}
	if e.OffRack != nil && v.OffRack != *e.OffRack {
		t.Errorf("%d partitions are off their leader's rack, want %d", v.OffRack, *e.OffRack)
	}
}
