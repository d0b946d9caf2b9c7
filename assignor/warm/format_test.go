package warm

import (
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What Kafka allows, what it does not, and what would break a line.
var topics = []string{"orders", "a.b-c_D9", "", "a b", "a\nb", `"`, `a"b`, "\xff", "é", "~", "a\x00"}

func partitions() *rapid.Generator[map[string][]int32] {
	p := rapid.OneOf(rapid.Int32Range(-2, 30), rapid.Int32Range(math.MaxInt32-3, math.MaxInt32))
	return rapid.MapOfN(rapid.SampledFrom(topics), rapid.SliceOfN(p, 0, 20), 0, 5)
}

func mustEncode(t interface{ Fatal(...any) }, s set) []byte {
	data, err := encode(s)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestFormatRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newSet(partitions().Draw(t, "partitions"))
		data := mustEncode(t, s)
		if got, err := decode(data); err != nil || !got.equal(s) {
			t.Fatalf("%v became %v, %v:\n%s", s, got, err, data)
		}
	})
}

var sample = set{"orders": {0, 1, 2, 3, 7}, "payments": {12}, "a topic": {0, math.MaxInt32 - 1, math.MaxInt32}}

// The format is frozen: a member that was upgraded reads what it wrote before.
func TestFormatIsFrozen(t *testing.T) {
	const want = "kgo-rendezvous warm 1 crc32c ac85b950\n" +
		"\"a topic\" 0,2147483646-2147483647\n" +
		"orders 0-3,7\n" +
		"payments 12\n"
	if got := mustEncode(t, sample); string(got) != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

// The package's documentation shows a file; it is a right one.
func TestDocumentedFile(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	data := mustEncode(t, set{"orders": {0, 1, 2, 3, 7}, "payments": {12}})
	shown := "//\t" + strings.ReplaceAll(strings.TrimSuffix(string(data), "\n"), "\n", "\n//\t")
	if !strings.Contains(string(doc), shown) {
		t.Errorf("doc.go does not show\n%s", shown)
	}
}

func TestCutOffAnywhere(t *testing.T) {
	for _, s := range []set{sample, {}} {
		data := mustEncode(t, s)
		for n := range data {
			if got, err := decode(data[:n]); err == nil {
				t.Errorf("%d of %d bytes read as %v", n, len(data), got)
			}
		}
	}
}

func TestDamagedAnywhere(t *testing.T) {
	for _, s := range []set{sample, {}} {
		data := mustEncode(t, s)
		for i, was := range data {
			for flip := 1; flip < 256; flip++ {
				data[i] = was ^ byte(flip)
				if got, err := decode(data); err == nil {
					t.Errorf("byte %d as %q instead of %q read as %v", i, data[i], was, got)
				}
			}
			data[i] = was
		}
		if got, err := decode(append(data, 0)); err == nil {
			t.Errorf("with a byte more read as %v", got)
		}
	}
}

// Why a file is not used says what to look for. The checksum of those with a
// body is right.
func TestWhyNotUsed(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"empty", "", "not a file of this package"},
		{"foreign", "state_dir: /var\n", "not a file of this package"},
		{"newer", "kgo-rendezvous warm 2 zstd\n(\xb5", "version 2, this program reads 1"},
		{"newer, long", magic + " 10 x", "version 10"},
		{"no version", magic + " ", "checksum"},
		{"edited", "kgo-rendezvous warm 1 crc32c ac85b950\norders 0-4\n", "checksum"},
		{"too large", strings.Repeat("x", maxBytes+1), "16777216 bytes"},
		{"no list", body("orders\n"), "line 2"},
		{"empty list", body("orders \n"), "ascending"},
		{"no name", body(" 1\n"), "quotes"},
		{"odd name", body("a b 1\n"), "quotes"},
		{"bad quotes", body("\"a 1\n"), "line 2"},
		{"no end", body("a 1\nb 2"), "line 3"},
		{"topics out of order", body("b 1\na 1\n"), "line 3"},
		{"topic twice", body("a 1\na 2\n"), "line 3"},
		{"partitions out of order", body("a 2,1\n"), "ascending"},
		{"partition twice", body("a 1-2,2\n"), "ascending"},
		{"backwards", body("a 2-1\n"), "ascending"},
		{"negative", body("a -1\n"), "ascending"},
		{"too high", body("a 2147483648\n"), "ascending"},
		{"a bomb", body("a 0-2147483647\n"), "1048576 partitions"},
		{"a bomb in two topics", body("a 0-1048574\nb 0-1\n"), "1048576 partitions"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := decode([]byte(c.data)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, %v; the error should say %q", got, err, c.want)
			}
		})
	}
	if got, err := decode([]byte(body("a 0-1048574\nb 1\n"))); err != nil || got.len() != maxPartitions {
		t.Errorf("the most that is read: %d, %v", got.len(), err)
	}
}

func body(s string) string { return header([]byte(s)) + s }

// What could not be read back is not written.
func TestTooMuchToRemember(t *testing.T) {
	ps := make([]int32, maxPartitions+1)
	for i := range ps {
		ps[i] = int32(i)
	}
	many := make(set)
	for i := range 17 {
		many[fmt.Sprintf("%01048576d", i)] = []int32{0}
	}
	for _, s := range []set{{"a": ps}, many} {
		var f File
		if err := f.Set(map[string][]int32{"a": {1}}); err != nil {
			t.Fatal(err)
		}
		if err := f.Add(s); err == nil || !strings.Contains(err.Error(), "at most") {
			t.Errorf("got %v", err)
		}
		if got := f.Partitions(); !reflect.DeepEqual(got, map[string][]int32{"a": {1}}) {
			t.Errorf("%d topics remembered", len(got))
		}
	}
}

func FuzzDecode(f *testing.F) {
	data, err := encode(sample)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	for _, seed := range []string{"", "a 1\n", "a 0-2,4\n\"b c\" 7\n", "a 01\n", "\"a\" 1\n", "a 0-4294967296\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, data := range [][]byte{data, []byte(body(string(data)))} {
			s, err := decode(data)
			if err != nil {
				continue
			}
			if !newSet(s).equal(s) {
				t.Fatalf("%q read as %v, which is no set", data, s)
			}
			if again, err := decode(mustEncode(t, s)); err != nil || !again.equal(s) {
				t.Fatalf("%v became %v, %v", s, again, err)
			}
		}
	})
}
