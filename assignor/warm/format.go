package warm

import (
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

const (
	// magic begins every version of the file, and a space, the version and a
	// space follow: fixed for ever, so that a newer file is known as one.
	magic   = "kgo-rendezvous warm"
	version = 1

	// What is written and read at most. A file is not trusted to be ours: its
	// ranges must not make a reader run out of memory.
	maxBytes      = 16 << 20
	maxPartitions = 1 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func header(body []byte) string {
	return fmt.Sprintf("%s %d crc32c %08x\n", magic, version, crc32.Checksum(body, castagnoli))
}

// encode returns the file that holds s: the same bytes for the same set.
func encode(s set) ([]byte, error) {
	if n := s.len(); n > maxPartitions {
		return nil, fmt.Errorf("warm: %d partitions, at most %d can be remembered: leave the change out", n, maxPartitions)
	}
	var body []byte
	for _, topic := range slices.Sorted(maps.Keys(s)) {
		if !plain(topic) {
			body = strconv.AppendQuote(body, topic)
		} else {
			body = append(body, topic...)
		}
		body = append(appendRanges(append(body, ' '), s[topic]), '\n')
	}
	data := append([]byte(header(body)), body...)
	if len(data) > maxBytes {
		return nil, fmt.Errorf("warm: the file would have %d bytes, at most %d can be remembered: leave the change out", len(data), maxBytes)
	}
	return data, nil
}

// plain says whether a topic's name is one that Kafka allows, which needs no
// quotes.
func plain(topic string) bool {
	for i := range len(topic) {
		switch c := topic[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return topic != ""
}

// appendRanges writes ascending partitions as "0-3,7".
func appendRanges(dst []byte, ps []int32) []byte {
	for i := 0; i < len(ps); i++ {
		first := i
		for i+1 < len(ps) && ps[i+1] == ps[i]+1 {
			i++
		}
		if first > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, int64(ps[first]), 10)
		if i > first {
			dst = strconv.AppendInt(append(dst, '-'), int64(ps[i]), 10)
		}
	}
	return dst
}

// decode reads what encode writes. An error says why nothing of it is used: a
// list that is right in part only is worse than none.
func decode(data []byte) (set, error) {
	if len(data) > maxBytes {
		return nil, errTooLarge
	}
	first, body, ended := strings.Cut(string(data), "\n")
	if !ended || first+"\n" != header(data[len(data)-len(body):]) {
		return nil, whyHeader(first)
	}
	s, room, last := make(set), maxPartitions, ""
	for n := 2; body != ""; n++ {
		line, rest, ended := strings.Cut(body, "\n")
		body = rest
		topic, ps, err := decodeLine(line, room)
		switch {
		case err != nil:
			return nil, fmt.Errorf("line %d: %w", n, err)
		case !ended:
			return nil, fmt.Errorf("line %d: no end of the line", n)
		case len(s) > 0 && topic <= last:
			return nil, fmt.Errorf("line %d: topic %.80q after %.80q", n, topic, last)
		}
		s[topic], last = ps, topic
		room -= len(ps)
	}
	return s, nil
}

var errTooLarge = fmt.Errorf("it has more than the %d bytes that are read", maxBytes)

// whyHeader says what is wrong with a first line that is not the expected one.
func whyHeader(line string) error {
	rest, ours := strings.CutPrefix(line, magic+" ")
	if !ours {
		return fmt.Errorf("it is not a file of this package: it does not begin with %q", magic)
	}
	number, _, _ := strings.Cut(rest, " ")
	if v, err := strconv.ParseUint(number, 10, 32); err == nil && v != version {
		return fmt.Errorf("it is of version %d, this program reads %d", v, version)
	}
	return errors.New("the checksum does not match: it was damaged, cut off or changed by hand")
}

// decodeLine reads one topic with at most room partitions.
func decodeLine(line string, room int) (topic string, ps []int32, err error) {
	space := strings.LastIndexByte(line, ' ') // a range has none, a quoted name may
	if space < 0 {
		return "", nil, errors.New("no topic and partitions")
	}
	if topic = strings.Clone(line[:space]); strings.HasPrefix(topic, `"`) {
		if topic, err = strconv.Unquote(topic); err != nil {
			return "", nil, fmt.Errorf("topic %.80s: %w", line[:space], err)
		}
	} else if !plain(topic) {
		return "", nil, fmt.Errorf("topic %.80q without quotes", topic)
	}
	next := int64(0) // the least partition that may follow
	for r := range strings.SplitSeq(line[space+1:], ",") {
		from, to, isRange := strings.Cut(r, "-")
		if !isRange {
			to = from
		}
		first, err1 := strconv.ParseUint(from, 10, 31)
		last, err2 := strconv.ParseUint(to, 10, 31)
		switch {
		case err1 != nil || err2 != nil || last < first || int64(first) < next:
			return "", nil, fmt.Errorf("topic %.80q: no partitions ascending up to %d: %.80q", topic, math.MaxInt32, r)
		case last-first >= uint64(room-len(ps)):
			return "", nil, fmt.Errorf("more than the %d partitions that are read", maxPartitions)
		}
		for p := first; p <= last; p++ {
			ps = append(ps, int32(p))
		}
		next = int64(last) + 1
	}
	return topic, ps, nil
}
