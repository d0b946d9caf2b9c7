package assignor

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf8"
)

// userData is what a member tells the leader of itself besides the consumer
// protocol's own fields. docs/wire.md is its specification:
//
//	magic "kr", version 1, uvarint length and bytes of the identity,
//	then fields of (uvarint tag, uvarint length, bytes), tags ascending.
//
// The part up to the identity is fixed for ever, so that an old leader still
// knows a new member's identity; newer versions only append tags, which older
// decoders skip.
type userData struct {
	ours     bool // carries the magic
	identity string
	weight   uint32 // 0: not set
	endpoint string
	flags    uint64
	settings uint32 // fingerprint of the strategy's settings, 0: all zero
	warm     []byte // partitions at hand, see eachWarm
}

const (
	magic0, magic1  = 'k', 'r'
	userDataVersion = 1

	tagWeight   = 1
	tagEndpoint = 2
	tagFlags    = 3
	tagSettings = 4
	tagWarm     = 5

	flagPinned = 1 << 0

	maxWeight   = 10_000
	maxUserData = 64 << 10 // bytes; the group's record could not hold many of them
	maxTags     = 64
)

// append encodes u, only what is set, the same bytes for the same value.
func (u *userData) append(dst []byte) []byte {
	dst = append(dst, magic0, magic1, userDataVersion)
	dst = appendBlob(dst, u.identity)
	if u.weight > 1 {
		dst = appendTag(dst, tagWeight, uvarintLen(uint64(u.weight)))
		dst = binary.AppendUvarint(dst, uint64(u.weight))
	}
	if u.endpoint != "" {
		dst = binary.AppendUvarint(dst, tagEndpoint)
		dst = appendBlob(dst, u.endpoint)
	}
	if u.flags != 0 {
		dst = appendTag(dst, tagFlags, uvarintLen(u.flags))
		dst = binary.AppendUvarint(dst, u.flags)
	}
	if u.settings != 0 {
		dst = appendTag(dst, tagSettings, 4)
		dst = binary.BigEndian.AppendUint32(dst, u.settings)
	}
	if len(u.warm) > 0 {
		dst = appendTag(dst, tagWarm, len(u.warm))
		dst = append(dst, u.warm...)
	}
	return dst
}

func appendTag(dst []byte, tag uint64, length int) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(dst, tag), uint64(length))
}

func appendBlob(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

func uvarintLen(v uint64) int {
	n := 1
	for v >= 0x80 {
		v >>= 7
		n++
	}
	return n
}

// readUserData decodes src. What is not ours (another magic, nothing at all)
// is no error: the member just has no data. On an error u holds what was read
// before it, so that a member with a broken tail keeps its identity.
func readUserData(src []byte) (u userData, err error) {
	if len(src) < 3 || src[0] != magic0 || src[1] != magic1 {
		return u, nil
	}
	u.ours = true
	if len(src) > maxUserData {
		return u, fmt.Errorf("user data of %d bytes, at most %d are read", len(src), maxUserData)
	}
	src = src[3:] // any version: the fixed part never changes
	identity, src, err := readBlob(src)
	if err != nil {
		return u, fmt.Errorf("identity: %w", err)
	}
	if len(identity) > 0 {
		name := string(identity)
		if err := checkName("Identity", name, maxIdentity); err != nil {
			return u, err
		}
		u.identity = name
	}
	var last uint64
	for n := 0; len(src) > 0; n++ {
		if n == maxTags {
			return u, fmt.Errorf("more than %d tags", maxTags)
		}
		tag, w := binary.Uvarint(src)
		if w <= 0 {
			return u, errTruncated
		}
		if tag <= last {
			return u, fmt.Errorf("tag %d after tag %d", tag, last)
		}
		last = tag
		var value []byte
		if value, src, err = readBlob(src[w:]); err != nil {
			return u, fmt.Errorf("tag %d: %w", tag, err)
		}
		if err := u.set(tag, value); err != nil {
			return u, fmt.Errorf("tag %d: %w", tag, err)
		}
	}
	return u, nil
}

var errTruncated = errors.New("truncated")

func (u *userData) set(tag uint64, value []byte) error {
	switch tag {
	case tagWeight:
		w, err := exactUvarint(value)
		if err != nil {
			return err
		}
		if w < 1 || w > maxWeight {
			return fmt.Errorf("weight %d is not within 1..%d", w, maxWeight)
		}
		u.weight = uint32(w)
	case tagEndpoint:
		if err := checkName("Endpoint", string(value), maxEndpoint); err != nil {
			return err
		}
		u.endpoint = string(value)
	case tagFlags:
		f, err := exactUvarint(value)
		if err != nil {
			return err
		}
		u.flags = f
	case tagSettings:
		if len(value) != 4 {
			return fmt.Errorf("%d bytes instead of 4", len(value))
		}
		u.settings = binary.BigEndian.Uint32(value)
	case tagWarm:
		u.warm = value
	}
	return nil
}

func readBlob(src []byte) (blob, rest []byte, err error) {
	n, w := binary.Uvarint(src)
	if w <= 0 || n > uint64(len(src)-w) {
		return nil, nil, errTruncated
	}
	return src[w : w+int(n)], src[w+int(n):], nil
}

func exactUvarint(b []byte) (uint64, error) {
	v, w := binary.Uvarint(b)
	if w <= 0 || w != len(b) {
		return 0, errors.New("not one number")
	}
	return v, nil
}

// printable makes a name from the broker fit for messages.
func printable(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return fmt.Sprintf("%q", s)
}
