package hash

import (
	"encoding/binary"

	"github.com/cespare/xxhash/v2"
)

// Key returns the hash of one partition: xxh64, seed 0, of the topic's name,
// a zero byte, and the partition as four bytes, big endian.
//
// The zero byte, which no topic name can hold, and the fixed width keep the
// pairs apart: joined as text, partition 11 of topic "a" and partition 1 of
// topic "a1" would be the same bytes and share an owner for ever.
//
// It does not allocate for the names Kafka allows (at most 249 bytes).
func Key(topic string, partition int32) uint64 {
	var buf [keyBuffer]byte
	b := append(buf[:0], topic...)
	b = append(b, 0)
	b = binary.BigEndian.AppendUint32(b, uint32(partition))
	return xxhash.Sum64(b)
}

// Keys fills dst[i] with Key(topic, first+i). It copies the name once, not
// once per partition, and allocates no more than Key does.
func Keys(dst []uint64, topic string, first int32) {
	var buf [keyBuffer]byte
	b := append(buf[:0], topic...)
	b = append(b, 0, 0, 0, 0, 0)
	tail := b[len(b)-4:]
	for i := range dst {
		binary.BigEndian.PutUint32(tail, uint32(first)+uint32(i))
		dst[i] = xxhash.Sum64(b)
	}
}

// keyBuffer has room for the longest topic name Kafka allows, 249 bytes, the
// separator and the partition.
const keyBuffer = 256

// Member returns the hash of one member: xxh64, seed 0, of its key.
func Member(key string) uint64 { return xxhash.Sum64String(key) }

// The constants of splitmix64.
const (
	gamma = 0x9e3779b97f4a7c15
	mul1  = 0xbf58476d1ce4e5b9
	mul2  = 0x94d049bb133111eb
)

// Score returns how high the member hashed m ranks for the partition hashed k:
// one step of splitmix64 from the state k ^ m.
func Score(k, m uint64) uint64 {
	z := (k ^ m) + gamma
	z = (z ^ z>>30) * mul1
	z = (z ^ z>>27) * mul2
	return z ^ z>>31
}
