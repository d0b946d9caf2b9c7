package baseline

import (
	"crypto/md5"
	"encoding/binary"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

// A Hash is what ModN and Ring hash keys and names with; nil stands for XXH64.
type Hash func(s string) uint64

func (h Hash) orDefault() Hash {
	if h == nil {
		return XXH64
	}
	return h
}

// XXH64 is what all other packages hash names with: xxh64, seed 0.
func XXH64(s string) uint64 { return hash.Member(s) }

// MD5 is the hash of Bendersky's article: the two halves of the digest, read
// big endian, xored.
func MD5(s string) uint64 {
	d := md5.Sum([]byte(s))
	return binary.BigEndian.Uint64(d[:8]) ^ binary.BigEndian.Uint64(d[8:])
}
