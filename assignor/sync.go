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
	rows := mergeHeld(g, after, held)
	w := newAssignmentWriter(len(g.Members), marker)
	for i := range rows {
		w.countTopic(&rows[i])
	}
	w.allocate()
	for i := range rows {
		w.writeTopic(&rows[i])
	}
	return w.finish(g)
}

// assignedTopic is one topic's owners: a row by partition, then partitions
// beyond it.
type assignedTopic struct {
	topic  string
	owners []int32
	held   []Move
}

// mergeHeld brings the plan's rows and the held partitions into one order.
func mergeHeld(g *Group, after Plan, held []Move) []assignedTopic {
	rows := make([]assignedTopic, 0, len(after))
	take := func(topic string) (ms []Move) {
		n := 0
		for n < len(held) && held[n].Topic == topic {
			n++
		}
		ms, held = held[:n], held[n:]
		return ms
	}
	for t, owners := range after {
		name := g.Topics[t].Name
		for len(held) > 0 && held[0].Topic < name {
			topic := held[0].Topic
			rows = append(rows, assignedTopic{topic: topic, held: take(topic)})
		}
		rows = append(rows, assignedTopic{name, owners, take(name)})
	}
	for len(held) > 0 {
		topic := held[0].Topic
		rows = append(rows, assignedTopic{topic: topic, held: take(topic)})
	}
	return rows
}

// assignmentWriter writes all members' assignments side by side into one buffer
// that was measured first.
type assignmentWriter struct {
	marker  []byte
	members []assignmentPart
	topic   int // number of the present topic, from 1
}

type assignmentPart struct {
	buf    []byte
	size   int // bytes needed
	topics int // topics with a partition
	topic  int // the latest of them
	lenAt  int // where its number of partitions stands
}

func newAssignmentWriter(members int, marker []byte) *assignmentWriter {
	return &assignmentWriter{marker: marker, members: make([]assignmentPart, members)}
}

func (w *assignmentWriter) countTopic(a *assignedTopic) {
	w.topic++
	header := 2 + len(a.topic) + 4
	for _, m := range a.owners {
		if m != None {
			w.count(m, header)
		}
	}
	for i := range a.held {
		w.count(a.held[i].To, header)
	}
}

func (w *assignmentWriter) count(m int32, header int) {
	p := &w.members[m]
	if p.topic != w.topic {
		p.topic = w.topic
		p.topics++
		p.size += header
	}
	p.size += 4
}

func (w *assignmentWriter) writeTopic(a *assignedTopic) {
	w.topic++
	for i, m := range a.owners {
		if m != None {
			w.write(m, a.topic, int32(i))
		}
	}
	for i := range a.held {
		w.write(a.held[i].To, a.topic, a.held[i].Partition)
	}
}

const assignmentVersion = 0 // nothing in later versions is of use here

func (w *assignmentWriter) allocate() {
	fixed := 2 + 4 + 4 + len(w.marker)
	var total int
	for i := range w.members {
		total += fixed + w.members[i].size
	}
	all := make([]byte, total)
	for i := range w.members {
		p := &w.members[i]
		n := fixed + p.size
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
		p.lenAt = len(p.buf)
		p.buf = append(p.buf, 0, 0, 0, 0)
	}
	p.buf = binary.BigEndian.AppendUint32(p.buf, uint32(partition))
	binary.BigEndian.PutUint32(p.buf[p.lenAt:], uint32(len(p.buf)-p.lenAt-4)/4)
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
