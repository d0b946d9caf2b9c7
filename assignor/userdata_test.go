package assignor

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The bytes of version 1 are fixed for ever: a change here breaks groups whose
// members are being upgraded.
func TestUserDataGolden(t *testing.T) {
	for _, c := range []struct {
		name string
		u    userData
		hex  string
	}{
		{"nothing", userData{}, "6b720100"},
		{"identity", userData{identity: "worker-7"}, "6b7201" + "08" + "776f726b65722d37"},
		{"weight 1 is not set", userData{weight: 1}, "6b720100"},
		{"all", userData{identity: "a", weight: 300, endpoint: "h:1", flags: flagPinned, settings: 0x01020304, warm: []byte{9}},
			"6b720101" + "61" + "0102ac02" + "0203683a31" + "030101" + "040401020304" + "050109"},
	} {
		if got := hex.EncodeToString(c.u.append(nil)); got != c.hex {
			t.Errorf("%s: got %s, want %s", c.name, got, c.hex)
		}
	}
}

func drawUserData(t *rapid.T) userData {
	name := rapid.StringOfN(rapid.RuneFrom([]rune("abcé-.0\u00ff世")), 0, 40, 200)
	return userData{
		ours:     true,
		identity: name.Draw(t, "identity"),
		weight:   rapid.SampledFrom([]uint32{0, 2, 127, 128, 10_000}).Draw(t, "weight"),
		endpoint: name.Draw(t, "endpoint"),
		flags:    rapid.SampledFrom([]uint64{0, 1, 1 << 40}).Draw(t, "flags"),
		settings: rapid.Uint32().Draw(t, "settings"),
		warm:     rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "warm"),
	}
}

func TestUserDataRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawUserData(t)
		got, err := readUserData(want.append(nil))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.warm, want.warm) {
			t.Fatalf("warm %x, want %x", got.warm, want.warm)
		}
		got.warm, want.warm = nil, nil
		if got.identity != want.identity || got.weight != want.weight || got.endpoint != want.endpoint || got.flags != want.flags || got.settings != want.settings || !got.ours {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

// An old leader must still know a new member's identity, whatever follows it.
func TestUserDataFromTheFuture(t *testing.T) {
	future := userData{identity: "worker-7", weight: 5}
	b := future.append(nil)
	b[2] = 200                                        // a version to come
	b = append(b, 0x80, 0x01, 3, 'n', 'e', 'w')       // tag 128
	b = append(b, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0) // a very large tag, empty
	u, err := readUserData(b)
	if err != nil || u.identity != "worker-7" || u.weight != 5 {
		t.Errorf("got %+v, %v", u, err)
	}
}

// Whatever is cut off or broken, what came before it counts.
func TestUserDataTruncated(t *testing.T) {
	full := userData{identity: "worker-7", weight: 300, endpoint: "host:1", flags: 1, settings: 7}
	b := full.append(nil)
	identityEnd := 3 + 1 + len("worker-7")
	for n := range b {
		u, err := readUserData(b[:n])
		switch {
		case n < 3: // not ours
			if err != nil || u.ours {
				t.Errorf("cut at %d: got %+v, %v", n, u, err)
			}
		case n < identityEnd:
			if err == nil || u.identity != "" {
				t.Errorf("cut at %d: got %+v, %v", n, u, err)
			}
		default:
			if u.identity != "worker-7" {
				t.Errorf("cut at %d: lost the identity: %v", n, err)
			}
		}
	}
}

func TestUserDataRejects(t *testing.T) {
	head := []byte{'k', 'r', 1}
	cat := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	for _, c := range []struct {
		name string
		src  []byte
		want string
	}{
		{"identity too long", cat(head, []byte{0x80, 0x02}, bytes.Repeat([]byte("a"), 256)), "256 bytes"},
		{"identity not UTF-8", cat(head, []byte{2, 0xff, 0xfe}), "UTF-8"},
		{"identity with NUL", cat(head, []byte{3, 'a', 0, 'b'}), "NUL"},
		{"length beyond the end", cat(head, []byte{200, 1}), "truncated"},
		{"endless length", cat(head, bytes.Repeat([]byte{0xff}, 12)), "truncated"},
		{"tag 0", cat(head, []byte{0, 0, 0}), "tag 0 after tag 0"},
		{"tags descending", cat(head, []byte{0, 3, 1, 1, 2, 0}), "tag 2 after tag 3"},
		{"tag twice", cat(head, []byte{0, 3, 1, 1, 3, 1, 1}), "tag 3 after tag 3"},
		{"weight 0", cat(head, []byte{0, 1, 1, 0}), "1..10000"},
		{"weight too large", cat(head, []byte{0, 1, 2, 0x91, 0x4e}), "1..10000"},
		{"weight with a tail", cat(head, []byte{0, 1, 2, 1, 1}), "not one number"},
		{"settings short", cat(head, []byte{0, 4, 1, 1}), "instead of 4"},
		{"too long", cat(head, []byte{0}, make([]byte, maxUserData)), "at most"},
	} {
		if _, err := readUserData(c.src); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
	many := cat(head, []byte{0})
	for tag := byte(10); tag < 10+maxTags+1; tag++ {
		many = append(many, tag, 0)
	}
	if _, err := readUserData(many); err == nil || !strings.Contains(err.Error(), "more than 64 tags") {
		t.Errorf("many tags: got %v", err)
	}
}

func FuzzUserData(f *testing.F) {
	f.Add([]byte("kr\x01\x08worker-7\x01\x01\x05"))
	f.Add([]byte("kr\x01\x00\x04\x04\x01\x02\x03\x04"))
	f.Fuzz(func(t *testing.T, src []byte) {
		u, err := readUserData(src)
		if err != nil || !u.ours {
			return
		}
		// What was read in full is written again as something that reads the
		// same.
		again, err := readUserData(u.append(nil))
		u.warm, again.warm = nil, nil
		if u.weight == 1 {
			u.weight = 0
		}
		if err != nil || again.identity != u.identity || again.weight != u.weight || again.endpoint != u.endpoint || again.flags != u.flags || again.settings != u.settings {
			t.Fatalf("%+v became %+v, %v", u, again, err)
		}
	})
}
