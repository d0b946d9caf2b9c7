package assignortest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"pgregory.net/rapid"
)

// A Shape bounds the groups that are drawn. The zero Shape is the one that Run
// uses.
type Shape struct {
	Members    int    // at most; 0 stands for 12 mostly, 60 at times
	Topics     int    // at most; 0 stands for 6
	Partitions int32  // at most in a topic; 0 stands for 40
	Weight     uint32 // at most; 0 stands for 10. Most weights are 1
	Equal      bool   // every member reads every topic
	Fresh      bool   // nobody owns anything, and there are no homes
	// AtOdds has owners, homes, warm lists, racks and weights in most groups
	// rather than now and then, and more of them, so that they contradict each
	// other; and at times a member that reads nothing beside such as read all.
	AtOdds bool
}

// oneIn draws true once in n, or mostly where things are to be at odds.
func (sh Shape) oneIn(t *rapid.T, n int, label string) bool {
	if sh.AtOdds {
		return rapid.IntRange(0, 3).Draw(t, label) > 0 // 0 is what rapid shrinks to
	}
	return oneIn(t, n, label)
}

// Groups draws groups: members with keys that make trouble (equal prefixes, one
// byte apart, NUL inside, any Unicode, now and then one key twice), equal and
// unlike subscriptions, some members that read nothing, owners none, some or all,
// at random or as after a former plan, sometimes homes, warm lists and racks.
func Groups(sh Shape) *rapid.Generator[*assignor.Group] {
	return rapid.Map(Specs(sh), (*Spec).Group)
}

// Specs draws what Groups draws, before it is put together.
func Specs(sh Shape) *rapid.Generator[*Spec] {
	return rapid.Custom(func(t *rapid.T) *Spec {
		s := new(Spec)
		s.drawTopics(t, sh)
		s.drawMembers(t, sh)
		if sh.Fresh {
			return s
		}
		s.drawOwners(t, sh)
		if sh.oneIn(t, 3, "homes") {
			s.drawHomes(t, sh)
		}
		if sh.oneIn(t, 4, "warm") {
			s.drawWarm(t, sh)
		}
		return s
	})
}

func oneIn(t *rapid.T, n int, label string) bool {
	// The first is drawn most and is what rapid shrinks to.
	return rapid.IntRange(0, n-1).Draw(t, label) == n-1
}

// drawCount draws 0 seldom: there are more interesting groups than empty ones. Of
// the others rapid draws the smallest most, in which little is at odds.
func (sh Shape) drawCount(t *rapid.T, most int, label string) int {
	if oneIn(t, 16, "no "+label) {
		return 0
	}
	least := 1
	if sh.AtOdds && rapid.Bool().Draw(t, "many "+label) {
		least = (most + 1) / 2
	}
	return rapid.IntRange(least, most).Draw(t, label)
}

var topicNames = []string{
	"orders", "a", "a1", "orders.retry", "orders-1", "events_0", "events_1", "1a", "aa",
	strings.Repeat("long", 62) + "t",
}

func (s *Spec) drawTopics(t *rapid.T, sh Shape) {
	most, partitions := sh.Topics, sh.Partitions
	if most == 0 {
		most = 6
	}
	if partitions == 0 {
		partitions = 40
	}
	names := rapid.Permutation(topicNames).Draw(t, "names")
	for i := range sh.drawCount(t, most, "topics") {
		name := fmt.Sprintf("topic-%d", i)
		if i < len(names) {
			name = names[i]
		}
		s.Topics = append(s.Topics, Topic{Name: name, Partitions: rapid.Int32Range(1, partitions).Draw(t, "partitions")})
	}
	if sh.oneIn(t, 4, "racks") {
		rack := rapid.SampledFrom([]string{"a", "b", "c", ""})
		for i := range s.Topics {
			n := int(s.Topics[i].Partitions)
			s.Topics[i].Racks = rapid.SliceOfN(rack, n, n).Draw(t, "racks")
		}
	}
}

func (s *Spec) drawMembers(t *rapid.T, sh Shape) {
	most, weight := sh.Members, sh.Weight
	if most == 0 {
		most = 12
		if oneIn(t, 16, "large") {
			most = 60
		}
	}
	if weight == 0 {
		weight = 10
	}
	keys := drawKeys(t, sh.drawCount(t, most, "members"))
	if len(keys) > 1 && oneIn(t, 20, "twins") {
		keys[1] = keys[0]
	}
	racked, weighted := sh.oneIn(t, 3, "racked"), sh.oneIn(t, 4, "weighted")
	unlike := !sh.Equal && rapid.Bool().Draw(t, "unlike")
	idle := -1
	if sh.AtOdds && !sh.Equal && len(keys) > 0 && oneIn(t, 3, "idle") {
		idle = rapid.IntRange(0, len(keys)-1).Draw(t, "which")
	}
	for i, key := range keys {
		m := Member{Key: key, ID: drawID(t, i)}
		if racked {
			m.Rack = rapid.SampledFrom([]string{"a", "b", ""}).Draw(t, "rack")
		}
		if weighted {
			m.Weight = rapid.Uint32Range(1, weight).Draw(t, "weight")
		}
		for _, topic := range s.Topics {
			if i != idle && (!unlike || rapid.Bool().Draw(t, "reads")) {
				m.Reads = append(m.Reads, topic.Name)
			}
		}
		s.Members = append(s.Members, m)
	}
}

// drawID draws an ID that no other i gets. It may sort before or after those
// of smaller i.
func drawID(t *rapid.T, i int) string {
	return fmt.Sprintf("kgo-%04x-%d", rapid.Uint16().Draw(t, "id"), i)
}

// drawOwners has members own partitions: nobody any, by rows of nobody or no
// rows; each a random reader or nobody; or blocks, as range gives them.
func (s *Spec) drawOwners(t *rapid.T, sh Shape) {
	ways := []string{"none", "blocks", "random", "rows of nobody"}
	if sh.AtOdds {
		ways = append(ways, "random", "random", "random")
	}
	how := rapid.SampledFrom(ways).Draw(t, "owners")
	for i := range s.Topics {
		topic, readers := &s.Topics[i], s.readers(s.Topics[i].Name)
		if how == "none" || len(readers) == 0 {
			continue
		}
		s.Members[readers[0]].claim(topic.Name)
		first, step := 0, 1
		if how == "blocks" {
			first = rapid.IntRange(0, len(readers)-1).Draw(t, "first")
			step = rapid.IntRange(1, 8).Draw(t, "step")
		}
		for p := range topic.Partitions {
			at := (first + int(p)/step) % len(readers)
			if how == "random" {
				at = rapid.IntRange(-1, len(readers)-1).Draw(t, "owner")
			}
			if how != "rows of nobody" && at >= 0 {
				s.Members[readers[at]].claim(topic.Name, p)
			}
		}
	}
}

func (s *Spec) drawHomes(t *rapid.T, sh Shape) {
	keys := []string{"", "away"}
	for _, m := range s.Members {
		keys = append(keys, m.Key)
	}
	if sh.AtOdds {
		slices.Reverse(keys) // the first are drawn most, as owners too
	}
	for i := range s.Topics {
		n, least := int(s.Topics[i].Partitions), 0
		if sh.AtOdds {
			least = n
		}
		s.Topics[i].Homes = rapid.SliceOfN(rapid.SampledFrom(keys), least, n).Draw(t, "homes")
	}
}

func (s *Spec) drawWarm(t *rapid.T, sh Shape) {
	for i := range s.Members {
		for _, name := range s.Members[i].Reads {
			if rapid.Bool().Draw(t, "warm") {
				n, least := s.topic(name).Partitions, 0
				if sh.AtOdds {
					least = int(n) / 2
				}
				partition := rapid.Int32Range(0, n-1)
				s.Members[i].warm(name, rapid.SliceOfNDistinct(partition, least, max(least, 4), rapid.ID).Draw(t, "warm")...)
			}
		}
	}
}

// readers returns indexes into Members.
func (s *Spec) readers(topic string) []int {
	var readers []int
	for i, m := range s.Members {
		if slices.Contains(m.Reads, topic) {
			readers = append(readers, i)
		}
	}
	return readers
}
