package baseline_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/assignor/assignortest"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/baseline"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
	"pgregory.net/rapid"
)

// Every baseline is a strategy that a leader could run.
func TestLaws(t *testing.T) {
	for _, law := range []assignortest.Law{assignortest.Valid, assignortest.OrderFree, assignortest.Stateless} {
		t.Run(law.String(), func(t *testing.T) { checkLaw(t, law, baseline.All()...) })
	}
}

// The monotone ones keep the law of locality, weights included.
func TestLocal(t *testing.T) {
	checkLaw(t, assignortest.Local,
		baseline.Ring{VirtualNodes: 5, Hash: baseline.MD5}, baseline.Straw2{}, baseline.Multiplicity{}, baseline.Logarithmic{})
}

// checkLaw draws an algorithm and then what the law is checked on: 100 groups
// for all of them, not for each.
func checkLaw(t *testing.T, law assignortest.Law, as ...baseline.Algorithm) {
	rapid.Check(t, func(t *rapid.T) {
		a := as[rapid.IntRange(0, len(as)-1).Draw(t, "algorithm")]
		assignortest.Property(baseline.Strategy{Algorithm: a}, law)(t)
	})
}

// So a partition's key scores as it does in the strategies, and figures beside
// theirs compare algorithms, not hashes.
func TestKeyOf(t *testing.T) {
	for _, topic := range []string{"", "orders", string(make([]byte, 249))} {
		for _, p := range []int32{0, 1, 256, 70_000} {
			if got, want := baseline.XXH64(baseline.KeyOf(topic, p)), hash.Key(topic, p); got != want {
				t.Errorf("XXH64 of %q, %d is %#x, want %#x", topic, p, got, want)
			}
		}
	}
}

func TestTopicsMayBeReadByOthers(t *testing.T) {
	all, some := []int32{0, 1, 2}, []int32{1}
	g := &assignor.Group{
		Members: []assignor.Member{{Key: "a"}, {Key: "b"}, {Key: "c", Weight: 3}},
		Topics: []assignor.Topic{
			{Name: "s", Partitions: 20, Subscribers: all},
			{Name: "t", Partitions: 2, Subscribers: some},
			{Name: "u", Partitions: 20, Subscribers: all},
		},
	}
	for _, a := range baseline.All() {
		plan := baseline.Strategy{Algorithm: a}.Assign(g)
		if len(plan) != 3 || len(plan[0]) != 20 || len(plan[2]) != 20 || !reflect.DeepEqual(plan[1], []int32{1, 1}) {
			t.Errorf("%s: %v", a.Name(), plan)
		}
	}
}

func ExampleAlgorithm() {
	nodes := []baseline.Node{{Name: "ann", Weight: 1}, {Name: "bob", Weight: 2}, {Name: "cid", Weight: 1}}
	placement := baseline.Logarithmic{}.Build(nodes)
	for _, key := range []string{"hello", "consistent", "marmot"} {
		fmt.Println(key, "is at", nodes[placement.Owner(key)].Name)
	}
	// Output:
	// hello is at ann
	// consistent is at cid
	// marmot is at ann
}

// What a fourth member moves of 300 partitions: 75 would do.
func ExampleStrategy() {
	four := assignortest.Uniform(4, 300).Group()
	three := *four
	three.Topics = append([]assignor.Topic(nil), four.Topics...)
	three.Topics[0].Subscribers = four.Topics[0].Subscribers[:3]
	for _, a := range baseline.All() {
		s := baseline.Strategy{Algorithm: a}
		before, after := s.Assign(&three), s.Assign(four)
		fmt.Printf("%-12s moves %3d, loads %v\n", s.Name(), len(assignor.Diff(four, before, after)), after.Loads(four))
	}
	// Output:
	// mod-n        moves 234, loads [73 91 65 71]
	// jump         moves  79, loads [68 80 73 79]
	// karger       moves  76, loads [79 73 72 76]
	// carp         moves  71, loads [82 76 71 71]
	// straw2       moves  71, loads [82 76 71 71]
	// multiplicity moves  71, loads [82 76 71 71]
	// logarithmic  moves  70, loads [66 82 82 70]
	// skeleton     moves  71, loads [82 76 71 71]
}
