package assignor

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// maxWarm caps the warm list of one member's metadata, in bytes: with ranges of
// partitions that is hundreds of them, and 300 members fit the group's record.
const maxWarm = 2048

// warmTimeout bounds what a Warm function may take: it runs in the middle of a
// join.
const warmTimeout = time.Second

// warmList asks a Warm function, at most once a generation.
type warmList struct {
	fn func() map[string][]int32

	mu         sync.Mutex
	asked      bool
	generation int32
	latest     map[string][]int32
	running    chan warmAnswer // of a call that has not answered in time
}

type warmAnswer struct {
	warm map[string][]int32
	err  error
}

// get returns what the member has at hand. An error says why it is not known;
// the member then joins without.
func (w *warmList) get(generation int32) (map[string][]int32, error) {
	if w.fn == nil {
		return nil, nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.asked && w.generation == generation && generation >= 0 {
		return w.latest, nil
	}
	if w.running == nil { // never a second call beside one that hangs
		answer := make(chan warmAnswer, 1)
		w.running = answer
		go func() {
			var a warmAnswer
			a.err = recovered(func() {
				a.warm = maps.Clone(w.fn())
				for topic, partitions := range a.warm {
					a.warm[topic] = slices.Clone(partitions)
				}
			})
			answer <- a
		}()
	}
	timeout := time.NewTimer(warmTimeout)
	defer timeout.Stop()
	select {
	case a := <-w.running:
		w.running = nil
		if a.err != nil {
			return nil, a.err
		}
		w.asked, w.generation, w.latest = true, generation, a.warm
		return a.warm, nil
	case <-timeout.C:
		return nil, fmt.Errorf("no answer within %v", warmTimeout)
	}
}

// encodeWarm writes a warm list for a member that reads topics, which are sorted
// and distinct: for each topic that has any, uvarints of its index less the
// index after the one before, the number of ranges, and for each range its
// first partition less the one after the range before, and its length less 1.
// What does not fit is left out, and cut says so.
func encodeWarm(topics []string, warm map[string][]int32) (out []byte, cut bool) {
	next := 0
	for i, topic := range topics {
		ranges := rangesOf(warm[topic])
		if len(ranges) == 0 {
			continue
		}
		entry := binary.AppendUvarint(nil, uint64(i-next))
		entry = binary.AppendUvarint(entry, uint64(len(ranges)))
		after := int32(0)
		for _, r := range ranges {
			entry = binary.AppendUvarint(entry, uint64(r.first-after))
			entry = binary.AppendUvarint(entry, uint64(r.last-r.first))
			after = r.last + 1
		}
		if len(out)+len(entry) > maxWarm {
			cut = true
			continue
		}
		out, next = append(out, entry...), i+1
	}
	return out, cut
}

type partitionRange struct{ first, last int32 }

// rangesOf returns partitions as ascending ranges; what cannot be a partition is
// left out.
func rangesOf(partitions []int32) (ranges []partitionRange) {
	ps := slices.Clone(partitions)
	slices.Sort(ps)
	for _, p := range slices.Compact(ps) {
		if p < 0 || p > maxUnseenPartition {
			continue
		}
		if n := len(ranges); n > 0 && ranges[n-1].last == p-1 {
			ranges[n-1].last = p
		} else {
			ranges = append(ranges, partitionRange{p, p})
		}
	}
	return ranges
}

// eachWarm calls fn for the ranges of a warm list, by index of the topic among
// the member's, sorted and distinct.
func eachWarm(src []byte, fn func(topic int, r partitionRange)) error {
	next := uint64(0)
	for len(src) > 0 {
		gap, rest, err := readUvarint(src)
		if err != nil {
			return err
		}
		n, rest, err := readUvarint(rest)
		if err != nil {
			return err
		}
		if src = rest; gap > maxWarm || n > uint64(len(src)) {
			return errWarm
		}
		topic := next + gap
		next = topic + 1
		after := uint64(0)
		for range n {
			var first, length uint64
			if first, src, err = readUvarint(src); err != nil {
				return err
			}
			if length, src, err = readUvarint(src); err != nil {
				return err
			}
			if first > maxUnseenPartition || length > maxUnseenPartition || after+first+length > maxUnseenPartition {
				return errWarm
			}
			r := partitionRange{int32(after + first), int32(after + first + length)}
			after = uint64(r.last) + 1
			fn(int(topic), r)
		}
	}
	return nil
}

var errWarm = errors.New("the warm list is broken")

func readUvarint(src []byte) (v uint64, rest []byte, err error) {
	v, w := binary.Uvarint(src)
	if w <= 0 {
		return 0, nil, errTruncated
	}
	return v, src[w:], nil
}

// addWarm fills Warm from members' lists.
func (s *snapshot) addWarm() {
	topicOf := make([]int32, len(s.sets.names)) // index into group.Topics by topic id
	for i := range topicOf {
		topicOf[i] = None
	}
	for t, id := range s.ids {
		topicOf[id] = int32(t)
	}
	for m, j := range s.joiners {
		if j.err != nil || len(j.meta.user.warm) == 0 {
			continue
		}
		ids := s.sets.sets[j.meta.set].ids
		err := eachWarm(j.meta.user.warm, func(i int, r partitionRange) {
			if i >= len(ids) || topicOf[ids[i]] == None {
				return
			}
			topic := &s.group.Topics[topicOf[ids[i]]]
			if topic.Warm == nil {
				topic.Warm = make([][]int32, topic.Partitions)
			}
			for p := r.first; p <= r.last && p < topic.Partitions; p++ {
				topic.Warm[p] = append(topic.Warm[p], int32(m))
			}
		})
		if err != nil {
			s.warn(WarnMetadata, j.name(), "", "the member's warm list is broken and ignored from there on: check which version it runs", err)
		}
	}
}
