package assignor

import (
	"encoding/binary"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// syncAssignment is what the leader sends. It is not a *kgo.BalancePlan, whose
// String kgo would build in every round.
type syncAssignment []kmsg.SyncGroupRequestGroupAssignment

func (s syncAssignment) IntoSyncAssignment() []kmsg.SyncGroupRequestGroupAssignment { return s }

// pinMarker is the user data of assignments in a pinned group: any byte there
// keeps a broker from converting the group (KAFKA-18134).
var pinMarker = []byte{magic0}

// encodeAssignment writes the assignment of every member of the group, those
// with nothing too: a member left out would join again for ever. The bytes are
// those of kmsg.ConsumerMemberAssignment with sorted topics and partitions.
//
// held must be sorted and hold no partition of after.
func encodeAssignment(g *Group, after Plan, held []Move, marker []byte) syncAssignment {
	w := newAssignmentWriter(len(g.Members), marker)
	eachAssigned(g, after, held, w.countTopic)
	w.allocate()
	eachAssigned(g, after, held, w.writeTopic)
	return w.finish(g)
}

// eachAssigned calls fn for each topic, in order, with the plan's owners by
// partition and the partitions that are held.
func eachAssigned(g *Group, after Plan, held []Move, fn func(topic string, owners []int32, held []Move)) {
	for t := 0; t < len(after) || len(held) > 0; {
		var topic string
		var owners []int32
		if t < len(after) && (len(held) == 0 || g.Topics[t].Name <= held[0].Topic) {
			topic, owners = g.Topics[t].Name, after[t]
			t++
		} else {
			topic = held[0].Topic
		}
		n := 0
		for n < len(held) && held[n].Topic == topic {
			n++
		}
		fn(topic, owners, held[:n])
		held = held[n:]
	}
}

// assignmentWriter writes all members' assignments side by side into one buffer
// that was measured first.
type assignmentWriter struct {
	marker  []byte
	members []assignmentPart
	topic   int32 // number of the present topic, from 1
}

// assignmentPart is one member's, which the protocol limits to 2 GiB.
type assignmentPart struct {
	buf    []byte
	size   int32 // bytes needed
	topics int32 // topics with a partition
	topic  int32 // the latest of them
	lenAt  int32 // where its number of partitions stands
}

func newAssignmentWriter(members int, marker []byte) *assignmentWriter {
	return &assignmentWriter{marker: marker, members: make([]assignmentPart, members)}
}

func (w *assignmentWriter) countTopic(topic string, owners []int32, held []Move) {
	w.topic++
	header := int32(2 + len(topic) + 4)
	for _, m := range owners {
		if m != None {
			w.count(m, header)
		}
	}
	for i := range held {
		w.count(held[i].To, header)
	}
}

func (w *assignmentWriter) count(m, header int32) {
	p := &w.members[m]
	if p.topic != w.topic {
		p.topic = w.topic
		p.topics++
		p.size += header
	}
	p.size += 4
}

func (w *assignmentWriter) writeTopic(topic string, owners []int32, held []Move) {
	w.topic++
	for i, m := range owners {
		if m != None {
			w.write(m, topic, int32(i))
		}
	}
	for i := range held {
		w.write(held[i].To, topic, held[i].Partition)
	}
}

const assignmentVersion = 0 // nothing in later versions is of use here

func (w *assignmentWriter) allocate() {
	fixed := 2 + 4 + 4 + len(w.marker)
	var total int
	for i := range w.members {
		total += fixed + int(w.members[i].size)
	}
	all := make([]byte, total)
	for i := range w.members {
		p := &w.members[i]
		n := fixed + int(p.size)
		p.buf, all = all[:0:n], all[n:]
		p.buf = binary.BigEndian.AppendUint16(p.buf, assignmentVersion)
		p.buf = binary.BigEndian.AppendUint32(p.buf, uint32(p.topics))
	}
}

func (w *assignmentWriter) write(m int32, topic string, partition int32) {
	p := &w.members[m]
	if p.topic != w.topic {
		p.topic = w.topic
		p.buf = binary.BigEndian.AppendUint16(p.buf, uint16(len(topic)))
		p.buf = append(p.buf, topic...)
		p.lenAt = int32(len(p.buf))
		p.buf = append(p.buf, 0, 0, 0, 0)
	}
	p.buf = binary.BigEndian.AppendUint32(p.buf, uint32(partition))
	binary.BigEndian.PutUint32(p.buf[p.lenAt:], (uint32(len(p.buf))-uint32(p.lenAt)-4)/4)
}

func (w *assignmentWriter) finish(g *Group) syncAssignment {
	out := make(syncAssignment, len(w.members))
	for i := range w.members {
		buf := w.members[i].buf
		if w.marker == nil {
			buf = binary.BigEndian.AppendUint32(buf, 0xffffffff) // null
		} else {
			buf = binary.BigEndian.AppendUint32(buf, uint32(len(w.marker)))
			buf = append(buf, w.marker...)
		}
		out[i] = kmsg.NewSyncGroupRequestGroupAssignment()
		out[i].MemberID = g.Members[i].ID
		out[i].MemberAssignment = buf
	}
	return out
}

// recordLimit is the default limit of the group's record: the broker's
// message.max.bytes for __consumer_offsets.
const recordLimit = 1_048_588

// recordBytes estimates the group's record: for every member its metadata, its
// assignment, its ID, its client ID (which begins the member ID) and host, and
// some fixed fields. Compression by the broker is not taken into account.
func recordBytes(s *snapshot, out syncAssignment) int {
	const fixed, perMember, uuid = 120, 48, 37
	n := fixed
	for i, j := range s.joiners {
		n += perMember + len(j.id) + max(len(j.id)-uuid, 0) + len(j.instance) + j.bytes + len(out[i].MemberAssignment)
	}
	return n
}
