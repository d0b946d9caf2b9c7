package baseline

import (
	"encoding/binary"
	"math/bits"
)

// murmur3 is MurmurHash3_x64_128: A. Appleby, SMHasher, 2011, in the public
// domain. Read as one little-endian number, as Python's mmh3.hash128 does, the
// hash is high·2^64 + low.
func murmur3(data []byte, seed uint32) (low, high uint64) {
	h1, h2 := uint64(seed), uint64(seed)
	rest := data
	for ; len(rest) >= 16; rest = rest[16:] {
		h1 ^= murmurLow(binary.LittleEndian.Uint64(rest))
		h1 = (bits.RotateLeft64(h1, 27)+h2)*5 + 0x52dce729
		h2 ^= murmurHigh(binary.LittleEndian.Uint64(rest[8:]))
		h2 = (bits.RotateLeft64(h2, 31)+h1)*5 + 0x38495ab5
	}

	// What is left is mixed in as if zeros followed: the mix of 0 is 0.
	var tail [16]byte
	copy(tail[:], rest)
	h1 ^= murmurLow(binary.LittleEndian.Uint64(tail[:]))
	h2 ^= murmurHigh(binary.LittleEndian.Uint64(tail[8:]))

	h1 ^= uint64(len(data))
	h2 ^= uint64(len(data))
	h1 += h2
	h2 += h1
	h1, h2 = murmurEnd(h1), murmurEnd(h2)
	h1 += h2
	h2 += h1
	return h1, h2
}

const (
	murmur1 = 0x87c37b91114253d5
	murmur2 = 0x4cf5ad432745937f
)

func murmurLow(k uint64) uint64  { return bits.RotateLeft64(k*murmur1, 31) * murmur2 }
func murmurHigh(k uint64) uint64 { return bits.RotateLeft64(k*murmur2, 33) * murmur1 }

func murmurEnd(k uint64) uint64 {
	k = (k ^ k>>33) * 0xff51afd7ed558ccd
	k = (k ^ k>>33) * 0xc4ceb9fe1a85ec53
	return k ^ k>>33
}
