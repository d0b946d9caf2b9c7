package assignor

import (
	"encoding/binary"
	"slices"
)

// A claim is the highest-generation claim on one partition. A member that
// lists a partition as owned claims it as of the generation it lists with it
// (KIP-792): proof that it was in that generation, not that it still owns.
type claim struct {
	member     int32 // who claims it at that generation: a member, None, or tied
	generation int32
}

// tied stands for several members with equal claims: nobody owns the partition,
// and any of them may still be working on it.
const tied int32 = -2

// The highest partition number that is believed without metadata for it.
const maxUnseenPartition = 100_000

type partitionKey struct{ topic, partition int32 } // topic: id in topicSets

// claims holds the claims of one round: in rows for partitions of the Group,
// in a map for those that this leader's metadata does not know.
type claims struct {
	rows   [][]claim // by topic id; nil for topics outside the Group
	unseen map[partitionKey]*claim
	ties   map[partitionKey][]int32 // the members behind a tied claim
}

// newClaims prepares for topics with the given partition counts by id.
func newClaims(counts []int32) *claims {
	c := &claims{rows: make([][]claim, len(counts))}
	var total int
	for _, n := range counts {
		total += int(n)
	}
	all := make([]claim, total)
	for i := range all {
		all[i].member = None
	}
	for id, n := range counts {
		if n > 0 {
			c.rows[id], all = all[:n:n], all[n:]
		}
	}
	return c
}

// addAll adds one member's claims on a topic; partitions are big-endian int32s.
func (c *claims) addAll(topic int32, partitions []byte, member, generation int32) {
	row := c.rows[topic]
	for ; len(partitions) >= 4; partitions = partitions[4:] {
		p := binary.BigEndian.Uint32(partitions)
		if p < uint32(len(row)) {
			// The usual case inline: the first claim seen.
			if cl := &row[p]; cl.member == None {
				cl.member, cl.generation = member, generation
				continue
			}
		}
		c.add(partitionKey{topic, int32(p)}, member, generation)
	}
}

func (c *claims) add(k partitionKey, member, generation int32) {
	if k.partition < 0 {
		return
	}
	cl := c.at(k)
	if cl == nil {
		if k.partition > maxUnseenPartition {
			return
		}
		if c.unseen == nil {
			c.unseen = make(map[partitionKey]*claim)
		}
		c.unseen[k] = &claim{member, generation}
		return
	}
	switch {
	case cl.member == None || generation > cl.generation:
		if cl.member == tied {
			delete(c.ties, k)
		}
		cl.member, cl.generation = member, generation
	case generation < cl.generation || cl.member == member:
		// Beaten, or the same claim twice.
	case cl.member == tied:
		// A member's claims are added in one go, so a repeat is the latest.
		if ms := c.ties[k]; ms[len(ms)-1] != member {
			c.ties[k] = append(ms, member)
		}
	default:
		if c.ties == nil {
			c.ties = make(map[partitionKey][]int32)
		}
		c.ties[k] = []int32{cl.member, member}
		cl.member = tied
	}
}

// at returns the claim on k, nil if k is not in the Group and nobody claims it.
func (c *claims) at(k partitionKey) *claim {
	if row := c.rows[k.topic]; int(k.partition) < len(row) {
		return &row[k.partition]
	}
	return c.unseen[k]
}

// claims tells whether member is one of those behind the tied claim on k.
func (c *claims) claims(k partitionKey, member int32) bool {
	return slices.Contains(c.ties[k], member)
}
