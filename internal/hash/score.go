package hash

import (
	"encoding/binary"

	"github.com/cespare/xxhash/v2"
)

// Key returns the hash of one partition: xxh64, seed 0, of the topic's name,
// a zero byte, and the partition as four bytes, big endian.
//
// The zero byte, which no topic name may hold, and the fixed width keep the
// pairs apart. Joined as text, partition 11 of "a" and partition 1 of "a1"
// would be the same bytes and never be on different members.
//
// It does not allocate for names that Kafka allows (at most 249 bytes).
func Key(topic string, partition int32) uint64 {
	var room [keyRoom]byte
	b := append(room[:0], topic...)
	b = append(b, 0)
	b = binary.BigEndian.AppendUint32(b, uint32(partition))
	return xxhash.Sum64(b)
}

// Keys sets dst[i] to Key(topic, first+i), in half the time: it copies the name
// a few times, not once a partition, and like Key it does not allocate for names
// that Kafka allows.
//
// It writes several partitions before it hashes the first of them. A hash reads
// wider words than a partition is written in; the processor cannot forward the
// one to the other, and to wait for the write takes as long as the hash.
func Keys(dst []uint64, topic string, first int32) {
	const batch = 8
	var room [batch * keyRoom]byte
	b := room[:0]
	for range min(batch, len(dst)) {
		b = append(b, topic...)
		b = append(b, 0, 0, 0, 0, 0)
	}
	size := len(topic) + 5
	partition := uint32(first)
	for len(dst) > 0 {
		n := min(batch, len(dst))
		for i := range n {
			binary.BigEndian.PutUint32(b[(i+1)*size-4:], partition)
			partition++
		}
		for i := range n {
			dst[i] = xxhash.Sum64(b[i*size : (i+1)*size])
		}
		dst = dst[n:]
	}
}

// keyRoom holds the longest topic name, the separator and the partition.
const keyRoom = 256

// Member returns the hash of one member: xxh64, seed 0, of its key, which is
// what it keeps when it restarts.
func Member(key string) uint64 { return xxhash.Sum64String(key) }

// The constants of splitmix64: the golden ratio's fraction, and the multipliers
// of Stafford's variant 13 of the MurmurHash3 finalizer.
const (
	gamma = 0x9e3779b97f4a7c15
	mul1  = 0xbf58476d1ce4e5b9
	mul2  = 0x94d049bb133111eb
)

// Score returns the score of the member hashed m for the partition hashed k:
// the output of splitmix64 at state k ^ m (G. Steele, D. Lea and C. Flood,
// "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014).
//
// For one k it is a bijection: members score the same only if their hashes are
// the same.
func Score(k, m uint64) uint64 { return mixer{gamma, mul1, mul2}.score(k ^ m) }

// A mixer is splitmix64's constants in variables. The compiler loads a 64-bit
// constant anew at each use, three for each mix; what a function it does not
// inline is handed as arguments stays in registers, which the scans rest on.
type mixer struct{ gamma, mul1, mul2 uint64 }

// score is splitmix64's output at state x.
func (c mixer) score(x uint64) uint64 {
	x += c.gamma
	x = (x ^ x>>30) * c.mul1
	x = (x ^ x>>27) * c.mul2
	return x ^ x>>31
}

// early is score before its last step, which changes the lower 33 bits only:
// the upper 31 bits of early(x) and score(x) are the same.
func (c mixer) early(x uint64) uint64 {
	x += c.gamma
	x = (x ^ x>>30) * c.mul1
	return (x ^ x>>27) * c.mul2
}

// floor is the lowest early(x) that can belong to a score of s or above.
func floor(s uint64) uint64 { return s &^ (1<<33 - 1) }
