package baseline

import (
	"encoding/binary"
	"testing"
)

func TestMurmur3Vectors(t *testing.T) {
	for _, test := range []struct {
		s         string
		low, high uint64
	}{
		{"", 0, 0},
		{"hello", 0xcbd8a7b341bd9b02, 0x5b1e906a48ae1d19},
		{"hello, world", 0x342fac623a5ebc8e, 0x4cdcbc079642414d},
		{"Winter is coming", 0x6c373b5d61dced95, 0xc549d8ea0c0bfb13},
		{"19 Jan 2038 at 3:14:07 AM", 0xb89e5988b737affc, 0x664fc2950231b2cb},
		{"The quick brown fox jumps over the lazy dog.", 0xcd99481f9ee902c9, 0x695da1a38987b6e7},
	} {
		if low, high := murmur3([]byte(test.s), 0); low != test.low || high != test.high {
			t.Errorf("murmur3(%q) = %#x, %#x, want %#x, %#x", test.s, low, high, test.low, test.high)
		}
	}
}

// SMHasher's own verification: the hash of the hashes of {}, {0}, {0, 1} and so
// on, seeded with 256, 255 and so on, must begin with the published number.
func TestMurmur3Verification(t *testing.T) {
	var key, hashes []byte
	for i := range 256 {
		low, high := murmur3(key, uint32(256-i))
		hashes = binary.LittleEndian.AppendUint64(hashes, low)
		hashes = binary.LittleEndian.AppendUint64(hashes, high)
		key = append(key, byte(i))
	}
	if low, _ := murmur3(hashes, 0); uint32(low) != 0x6384BA69 {
		t.Errorf("verification %#x, want 0x6384BA69", uint32(low))
	}
}
