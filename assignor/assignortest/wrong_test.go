package assignortest

import (
	"cmp"
	"hash/crc32"
	"hash/fnv"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

// A wrong strategy is rendezvous with something else in place of one method.
type wrong struct {
	assign func(*assignor.Group) assignor.Plan
}

func (wrong) Name() string                             { return "wrong" }
func (w wrong) Assign(g *assignor.Group) assignor.Plan { return w.assign(g) }

type wrongRank struct {
	rendezvous
	rank func(rank []int32, g *assignor.Group, topic, k int) []int32
}

func (w wrongRank) Rank(g *assignor.Group, topic int, partition int32, k int) []int32 {
	all := w.rendezvous.Rank(g, topic, partition, len(g.Members))
	return w.rank(all, g, topic, k)
}

type wrongUpdate struct {
	rendezvous
	update func(last *assignor.Group, plan assignor.Plan, g *assignor.Group) assignor.Plan
}

func (w wrongUpdate) Update(last *assignor.Group, plan assignor.Plan, g *assignor.Group) assignor.Plan {
	return w.update(last, plan, g)
}

// amended is rendezvous with an afterthought.
func amended(fn func(g *assignor.Group, plan assignor.Plan) assignor.Plan) wrong {
	return wrong{func(g *assignor.Group) assignor.Plan { return fn(g, rendezvous{good}.Assign(g)) }}
}

// byText scores a member by a text of its own.
func byText(text func(m assignor.Member) string) wrong {
	return wrong{func(g *assignor.Group) assignor.Plan {
		return each(g, func(t int, p int32) int32 {
			return slices.MaxFunc(g.Topics[t].Subscribers, func(a, b int32) int {
				topic := g.Topics[t].Name
				return cmp.Compare(good(topic, p, text(g.Members[a])), good(topic, p, text(g.Members[b])))
			})
		})
	}}
}

// tied scores coarsely and leaves ties to before.
func tied(before func(g *assignor.Group, a, b int32) bool) wrong {
	return wrong{func(g *assignor.Group) assignor.Plan {
		return each(g, func(t int, p int32) int32 {
			return slices.MaxFunc(g.Topics[t].Subscribers, func(a, b int32) int {
				topic := g.Topics[t].Name
				c := cmp.Compare(good(topic, p, g.Members[a].Key)>>62, good(topic, p, g.Members[b].Key)>>62)
				if c == 0 && before(g, a, b) {
					return 1
				}
				return c
			})
		})
	}}
}

func first(plan assignor.Plan) []int32 {
	if len(plan) == 0 {
		return make([]int32, 1)
	}
	return plan[0]
}

// broken lists wrong strategies with the laws that they break, and break alone:
// they keep all others that can be asked of them. An impure one may break any
// now and then. Spread and SpreadWithin take longer and have a test of their own;
// so have the laws of even placement, which rendezvous does not keep.
var broken = []struct {
	name     string
	strategy func() assignor.Strategy // new, since some have a memory
	laws     []Law
}{
	{"gives a partition to nobody", func() assignor.Strategy {
		return amended(func(_ *assignor.Group, plan assignor.Plan) assignor.Plan {
			first(plan)[0] = assignor.None
			return plan
		})
	}, everyDrawn},
	{"gives a partition to one who does not read it", func() assignor.Strategy {
		return amended(func(g *assignor.Group, plan assignor.Plan) assignor.Plan {
			for t := range plan {
				for m := range g.Members {
					if !slices.Contains(g.Topics[t].Subscribers, int32(m)) {
						plan[t][0] = int32(m)
					}
				}
			}
			return plan
		})
	}, everyDrawn},
	{"forgets the last partition", func() assignor.Strategy {
		return amended(func(_ *assignor.Group, plan assignor.Plan) assignor.Plan {
			for t := range plan {
				plan[t] = plan[t][1:]
			}
			return plan
		})
	}, everyDrawn},
	{"forgets a topic", func() assignor.Strategy {
		return amended(func(_ *assignor.Group, plan assignor.Plan) assignor.Plan { return plan[min(1, len(plan)):] })
	}, everyDrawn},

	{"takes turns", func() assignor.Strategy {
		var mu sync.Mutex
		turn := 0
		return amended(func(g *assignor.Group, plan assignor.Plan) assignor.Plan {
			mu.Lock()
			defer mu.Unlock()
			if turn++; turn%5 == 0 && len(plan) > 0 {
				plan[0][0] = g.Topics[0].Subscribers[0]
			}
			return plan
		})
	}, []Law{Pure}},
	{"tidies up its input", func() assignor.Strategy {
		return amended(func(g *assignor.Group, plan assignor.Plan) assignor.Plan {
			for t := range g.Topics {
				g.Topics[t].Homes = nil
			}
			return plan
		})
	}, []Law{Pure}},
	{"knows a group by its address", func() assignor.Strategy {
		var plans sync.Map
		return amended(func(g *assignor.Group, plan assignor.Plan) assignor.Plan {
			if was, ok := plans.Load(g); ok && valid(g, was.(assignor.Plan)) == nil {
				return was.(assignor.Plan)
			}
			plans.Store(g, plan)
			return plan
		})
	}, []Law{Pure}},
	{"takes back what it handed out", func() assignor.Strategy {
		var mu sync.Mutex
		var last *assignor.Group
		var handed assignor.Plan
		return amended(func(g *assignor.Group, plan assignor.Plan) assignor.Plan {
			mu.Lock()
			defer mu.Unlock()
			if g != last { // as if the memory were used again
				for t := range handed {
					handed[t][0] = assignor.None
				}
			}
			last, handed = g, plan
			return plan
		})
	}, []Law{Pure}},
	{"ranks in the group's memory", func() assignor.Strategy {
		return wrongRank{rendezvous{good}, func(rank []int32, g *assignor.Group, topic, k int) []int32 {
			g.Members[rank[0]].Endpoint = "first"
			return rank[:min(k, len(rank))]
		}}
	}, []Law{Pure}},
	{"updates the last plan in place", func() assignor.Strategy {
		return wrongUpdate{rendezvous{good}, func(_ *assignor.Group, plan assignor.Plan, g *assignor.Group) assignor.Plan {
			next := rendezvous{good}.Assign(g)
			for t := range min(len(next), len(plan)) {
				copy(plan[t], next[t])
			}
			return next
		}}
	}, []Law{Pure}},

	{"breaks ties by address", func() assignor.Strategy {
		return tied(func(g *assignor.Group, a, b int32) bool {
			return uintptr(unsafe.Pointer(unsafe.StringData(g.Members[a].Key))) > uintptr(unsafe.Pointer(unsafe.StringData(g.Members[b].Key)))
		})
	}, []Law{OrderFree}},

	{"places by member ID", func() assignor.Strategy {
		return byText(func(m assignor.Member) string { return m.ID })
	}, []Law{RestartStable}},
	{"places by endpoint", func() assignor.Strategy {
		return byText(func(m assignor.Member) string { return m.Key + m.Endpoint })
	}, []Law{RestartStable}},

	{"gives everybody a turn", func() assignor.Strategy {
		return amended(func(g *assignor.Group, plan assignor.Plan) assignor.Plan {
			return each(g, func(t int, p int32) int32 {
				readers := g.Topics[t].Subscribers
				at := slices.Index(readers, g.Topics[t].Owner(p))
				if at < 0 {
					return plan[t][p]
				}
				return readers[(at+1)%len(readers)]
			})
		})
	}, []Law{FixedPoint, TwoStep, Stateless, Local}},

	{"starts over when something is free", func() assignor.Strategy {
		return wrong{func(g *assignor.Group) assignor.Plan {
			free := strings.Repeat("x", countFree(g))
			plan := rendezvous{func(topic string, p int32, key string) uint64 { return good(topic+free, p, key) }}.Assign(g)
			if free == "" {
				copy(plan, g.Owned())
			}
			return plan
		}}
	}, []Law{TwoStep, Stateless, Local}},
	{"moves on what it gave if others let go late", func() assignor.Strategy {
		return amended(func(g *assignor.Group, plan assignor.Plan) assignor.Plan {
			free, home, away := countFree(g), 0, 0
			for t := range plan {
				for p, m := range plan[t] {
					switch g.Topics[t].Owner(int32(p)) {
					case m:
						home++
					case assignor.None:
					default:
						away++
					}
				}
			}
			if free == 0 {
				return g.Owned()
			}
			if home == 0 || away == 0 {
				return plan
			}
			return each(g, func(t int, p int32) int32 {
				if g.Topics[t].Owner(p) == plan[t][p] {
					rank := rendezvous{good}.Rank(g, t, p, 2)
					return rank[len(rank)-1]
				}
				return plan[t][p]
			})
		})
	}, []Law{TwoStep, Stateless, Local}},

	{"keeps owners", func() assignor.Strategy {
		return amended(func(g *assignor.Group, plan assignor.Plan) assignor.Plan {
			return each(g, func(t int, p int32) int32 {
				return max(g.Topics[t].Owner(p), min(plan[t][p], plan[t][p]*-g.Topics[t].Owner(p)))
			})
		})
	}, []Law{Stateless}},
	{"mod n", func() assignor.Strategy {
		return wrong{func(g *assignor.Group) assignor.Plan {
			return each(g, func(t int, p int32) int32 {
				readers := g.Topics[t].Subscribers
				return readers[hash.Key(g.Topics[t].Name, p)%uint64(len(readers))]
			})
		}}
	}, []Law{Local}},

	{"ranks the owner last", func() assignor.Strategy {
		return wrongRank{rendezvous{good}, func(rank []int32, _ *assignor.Group, _, k int) []int32 {
			slices.Reverse(rank)
			return rank[:min(k, len(rank))]
		}}
	}, []Law{OwnerFirst, Rank}},
	{"ranks by index after the owner", func() assignor.Strategy {
		return wrongRank{rendezvous{good}, func(rank []int32, _ *assignor.Group, _, k int) []int32 {
			slices.Sort(rank[1:])
			return rank[:min(k, len(rank))]
		}}
	}, []Law{Rank}},
	{"ranks as many as there are", func() assignor.Strategy {
		return wrongRank{rendezvous{good}, func(rank []int32, _ *assignor.Group, _, _ int) []int32 { return rank }}
	}, []Law{OwnerFirst, Rank}},
	{"ranks the owner twice", func() assignor.Strategy {
		return wrongRank{rendezvous{good}, func(rank []int32, _ *assignor.Group, _, k int) []int32 {
			return append(rank[:1:1], rank...)[:min(k, len(rank))]
		}}
	}, []Law{OwnerFirst, Rank}},

	{"updates nothing while counts stay", func() assignor.Strategy {
		return wrongUpdate{rendezvous{good}, func(last *assignor.Group, plan assignor.Plan, g *assignor.Group) assignor.Plan {
			if len(last.Members) == len(g.Members) && valid(g, plan) == nil {
				return plan
			}
			return rendezvous{good}.Assign(g)
		}}
	}, []Law{Update}},
	{"updates rows of topics that grew by appending", func() assignor.Strategy {
		return wrongUpdate{rendezvous{good}, func(last *assignor.Group, plan assignor.Plan, g *assignor.Group) assignor.Plan {
			next := rendezvous{good}.Assign(g)
			if slices.Equal(last.Members, g.Members) {
				for t := range min(len(next), len(plan)) {
					if last.Topics[t].Name == g.Topics[t].Name { // but perhaps not its readers
						copy(next[t], plan[t])
					}
				}
			}
			return next
		}}
	}, []Law{Update}},
}

func countFree(g *assignor.Group) int {
	n := 0
	for _, row := range g.Owned() {
		for _, m := range row {
			if m == assignor.None {
				n++
			}
		}
	}
	return n
}

var everyDrawn = []Law{Valid, Pure, OrderFree, RestartStable, FixedPoint, TwoStep, Stateless, Local}

func TestWrongStrategies(t *testing.T) {
	for _, tt := range broken {
		t.Run(tt.name, func(t *testing.T) {
			for law := Valid; law < laws; law++ {
				s := tt.strategy()
				_, ranks := s.(assignor.Ranker)
				_, updates := s.(assignor.Updater)
				switch law {
				case Spread, SpreadWithin, PerTopic, Even, Racks, LeastMoves, Home:
					continue
				case OwnerFirst, Rank:
					if !ranks {
						continue
					}
				case Update:
					if !updates {
						continue
					}
				}
				breaks := slices.Contains(tt.laws, law)
				if law != Pure && tt.laws[0] == Pure {
					continue // an impure one may break whatever it likes
				}
				checks := "rapid.checks=10"
				if breaks {
					checks = "rapid.checks=200"
				}
				judged(t, s, law, breaks, checks)
			}
		})
	}
}

func judged(t *testing.T, s assignor.Strategy, law Law, breaks bool, flags ...string) {
	t.Helper()
	judgedBeside(t, s, law, nil, breaks, flags...)
}

func judgedBeside(t *testing.T, s assignor.Strategy, law Law, beside []Law, breaks bool, flags ...string) {
	t.Helper()
	verdict := judgeBeside(t, s, law, beside, flags...)
	switch {
	case breaks && !strings.Contains(verdict, `breaks the law "`+law.String()+`"`):
		t.Errorf("%s: it should be found to break the law, the kit says: %s", law, cmp.Or(verdict, "nothing"))
	case !breaks && verdict != "":
		t.Errorf("%s: it keeps the law, the kit says: %s", law, verdict)
	}
}

// Ties left to the order of a map come out otherwise even in the same process,
// so that rapid may call the failure flaky. It is a failure all the same.
func TestMapOrderFails(t *testing.T) {
	s := wrong{func(g *assignor.Group) assignor.Plan {
		return each(g, func(t int, p int32) int32 {
			readers := make(map[int32]uint64)
			for _, m := range g.Topics[t].Subscribers {
				readers[m] = good(g.Topics[t].Name, p, g.Members[m].Key) >> 63
			}
			owner := assignor.None
			for m, score := range readers {
				if owner < 0 || score > readers[owner] {
					owner = m
				}
			}
			return owner
		})
	}}
	for _, law := range []Law{Pure, OrderFree} {
		if judge(t, s, law) == "" {
			t.Errorf("%s: not found out", law)
		}
	}
}

// The scores that people write first. FNV and CRC leave what differs in the
// last byte in few bits, and a xor of good hashes is still no mix: which of
// three members is highest depends on two bits of the key alone.
func TestWeakMixersFail(t *testing.T) {
	text := func(parts ...string) []byte { return []byte(strings.Join(parts, "\x00")) }
	fnv1a := func(b []byte) uint64 { h := fnv.New64a(); h.Write(b); return h.Sum64() }
	crc := func(b []byte) uint64 { return uint64(crc32.ChecksumIEEE(b)) }
	number := func(p int32) string { return string(rune('0'+p%10)) + string(rune('a'+p/10)) }
	for _, tt := range []struct {
		name   string
		score  func(topic string, p int32, key string) uint64
		breaks []Law
	}{
		{"fnv, member last", func(topic string, p int32, key string) uint64 { return fnv1a(text(topic, number(p), key)) }, []Law{Spread, SpreadWithin}},
		{"fnv, member first", func(topic string, p int32, key string) uint64 { return fnv1a(text(key, topic, number(p))) }, []Law{Spread, SpreadWithin}},
		{"fnv xor fnv", func(topic string, p int32, key string) uint64 {
			return fnv1a(text(topic, number(p))) ^ fnv1a([]byte(key))
		}, []Law{Spread, SpreadWithin}},
		{"crc, member last", func(topic string, p int32, key string) uint64 { return crc(text(topic, number(p), key)) }, []Law{Spread, SpreadWithin}},
		{"crc, member first", func(topic string, p int32, key string) uint64 { return crc(text(key, topic, number(p))) }, []Law{Spread, SpreadWithin}},
		{"good xor good", func(topic string, p int32, key string) uint64 { return hash.Key(topic, p) ^ hash.Member(key) }, []Law{SpreadWithin}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, law := range []Law{Spread, SpreadWithin} {
				judged(t, rendezvous{tt.score}, law, slices.Contains(tt.breaks, law))
			}
		})
	}
	t.Run("ring", func(t *testing.T) { judged(t, ring(8), SpreadWithin, true) })
}
