package hash

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
)

// The hashes were computed by a second xxh64, written from its specification.
func TestKeyGolden(t *testing.T) {
	tests := []struct {
		topic     string
		partition int32
		want      uint64
	}{
		{"a", 0, 0xf709ee7650bc00cb},
		{"a", 11, 0xe15fef8129217313},
		{"a1", 1, 0xf521148912a2f328},
		{"orders", 0, 0xd214033a3a584e5c},
		{"orders", 1, 0xaa0ef2fedcd60df5},
		{"orders", 255, 0xf5bc3e3561f543df},
		{"orders", 256, 0xdba41971ff0827b3},
		{"orders", 99_999, 0x6d92b952ea8469e4},
		{"orders", math.MaxInt32, 0x054576a6e77bfb52},
		{"payments.eu-west_1", 7, 0x167e53d174f31a65},
		{strings.Repeat("x", 249), 3, 0x4cb69502c69ac9a2},
		{strings.Repeat("y", 300), 3, 0xb0af43774dbe429c},
	}
	for _, test := range tests {
		if got := Key(test.topic, test.partition); got != test.want {
			t.Errorf("Key(%.20q, %d) = %#016x, want %#016x", test.topic, test.partition, got, test.want)
		}
		var keys [3]uint64
		Keys(keys[:], test.topic, test.partition-1)
		if keys[1] != test.want {
			t.Errorf("Keys(%.20q, %d)[1] = %#016x, want %#016x", test.topic, test.partition-1, keys[1], test.want)
		}
	}
}

func TestMemberGolden(t *testing.T) {
	tests := []struct {
		key  string
		want uint64
	}{
		{"", 0xef46db3751d8e999},
		{"a", 0xd24ec4f1a98c6e5b},
		{"worker-0", 0xcd6b728d9316a35f},
		{"worker-1", 0xe2e28187dff6d54e},
		{"worker-2", 0x2e3b69e880df8a0f},
		{"consumer-orders-7f9c6d5b4-x2x7q", 0xc426e475dd30ee4d},
		{"zürich", 0x49778a8d47a1ac40},
	}
	for _, test := range tests {
		if got := Member(test.key); got != test.want {
			t.Errorf("Member(%q) = %#016x, want %#016x", test.key, got, test.want)
		}
	}
}

func TestKeysIsKeyOfEach(t *testing.T) {
	const first = 70_000 // all four bytes of the partition but one change
	for _, topic := range []string{"", "t", "orders", strings.Repeat("long", 70)} {
		got := make([]uint64, 1000)
		Keys(got, topic, first)
		for i, k := range got {
			if want := Key(topic, int32(first+i)); k != want {
				t.Fatalf("Keys(%.20q)[%d] = %#x, want %#x", topic, i, k, want)
			}
		}
	}
	Keys(nil, "orders", 0)
}

// Joined as text, these are the same bytes.
func TestSeparatorsMatter(t *testing.T) {
	if xxhash.Sum64String("a"+"11") != xxhash.Sum64String("a1"+"1") {
		t.Fatal("the pair is no collision to begin with")
	}
	if Key("a", 11) == Key("a1", 1) {
		t.Error(`partition 11 of "a" and partition 1 of "a1" have one key`)
	}
	// Without the zero byte, the partition's first byte could end a name.
	if Key("a", 'b'<<24) == Key("ab", 0) {
		t.Error(`a partition of "a" and one of "ab" have one key`)
	}
	if Key("a", 1) == Member("a") || Key("a", 1) == Member("a1") {
		t.Error("a partition and a member have one hash")
	}
}

// The published outputs of splitmix64 seeded with 1234567, whose state goes on
// by gamma.
func TestScoreIsSplitmix64(t *testing.T) {
	want := []uint64{
		6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821,
	}
	state := uint64(1234567)
	for i, w := range want {
		const k = 0x0123456789abcdef
		for _, pair := range [][2]uint64{{state, 0}, {0, state}, {k, k ^ state}} {
			if got := Score(pair[0], pair[1]); got != w {
				t.Errorf("output %d: Score(%#x, %#x) = %d, want %d", i, pair[0], pair[1], got, w)
			}
		}
		state += gamma
	}
	if got, want := Score(Key("orders", 0), Member("worker-0")), uint64(0xf3e89a1b25fae18c); got != want {
		t.Errorf("score = %#x, want %#x", got, want)
	}
}

// The filter of the scans rests on it.
func TestEarlyAgreesAbove33Bits(t *testing.T) {
	c := mixer{gamma, mul1, mul2}
	for i := range uint64(1000) {
		y, s := c.early(i*mul1), c.score(i*mul1)
		if y>>33 != s>>33 {
			t.Fatalf("early %#x, score %#x", y, s)
		}
		if low := floor(s); y < low || low>>33 != s>>33 || low<<31 != 0 {
			t.Fatalf("floor(%#x) = %#x, early %#x", s, low, y)
		}
	}
}

// A change here moves every partition of every group: it needs a new protocol
// name.
func TestPlacementIsFrozen(t *testing.T) {
	keys := make([]uint64, 24)
	owners := make([]int32, len(keys))

	Keys(keys, "orders", 0)
	BestAll(owners, keys, membersNamed("worker-", 5))
	want := []int32{0, 4, 4, 2, 3, 3, 1, 3, 0, 0, 2, 4, 0, 0, 0, 2, 3, 4, 4, 2, 3, 4, 3, 4}
	if !slices.Equal(owners, want) {
		t.Errorf("five members: %v, want %v", owners, want)
	}
	if got, want := Top(nil, keys[0], membersNamed("worker-", 5), 5), []int32{0, 3, 4, 1, 2}; !slices.Equal(got, want) {
		t.Errorf("ranks of orders/0: %v, want %v", got, want)
	}

	Keys(keys, "big", 0)
	BestAll(owners, keys, membersNamed("member-", 100))
	want = []int32{4, 1, 27, 69, 44, 78, 66, 31, 51, 9, 14, 87, 26, 9, 17, 3, 8, 1, 83, 79, 11, 78, 35, 26}
	if !slices.Equal(owners, want) {
		t.Errorf("a hundred members: %v, want %v", owners, want)
	}
}
