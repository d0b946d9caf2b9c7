package assignor

import "slices"

// readClaims collects what members say they own.
func (s *snapshot) readClaims(mem *memory, generation int32) {
	s.void = make([]bool, len(s.joiners))
	for m, j := range s.joiners {
		if was := mem.silent(j, generation); was != None {
			s.void[m] = mem.joiners[was].id != j.id // it is another process by now
			mem.had(was, func(topic string, partition int32) {
				if id, ok := s.sets.ids[topic]; ok {
					s.claims.add(partitionKey{id, partition}, int32(m), mem.generation)
				}
			})
		}
		if j.err != nil {
			continue
		}
		gen := j.meta.generation
		if generation > 0 && gen >= generation {
			gen = -1 // no member can have been there yet
		}
		set := s.sets.sets[j.meta.set].ids
		eachClaim(j.meta.owned, func(topic, partitions []byte) {
			// Claims come in the order of the subscription, as a rule.
			for len(set) > 0 && s.sets.names[set[0]] < string(topic) {
				set = set[1:]
			}
			if len(set) > 0 && s.sets.names[set[0]] == string(topic) {
				s.claims.addAll(set[0], partitions, int32(m), gen)
			} else if id, ok := s.sets.ids[string(topic)]; ok {
				s.claims.addAll(id, partitions, int32(m), gen)
			}
		})
	}
}

// decideOwners fills Owners with the claims that prove ownership.
func (s *snapshot) decideOwners(mem *memory, generation int32) {
	for m, j := range s.joiners {
		s.void[m] = s.void[m] || j.err != nil || j.claims() && mem.removed(s.before[m], j, generation)
	}
	all := make([]int32, s.group.Partitions())
	owns := make([]bool, len(s.joiners))
	var last []int32 // the subscribers that owns was made for
	for t, id := range s.ids {
		topic := &s.group.Topics[t]
		if t == 0 || !sameSlice(last, topic.Subscribers) {
			last = topic.Subscribers
			clear(owns)
			for _, m := range last {
				owns[m] = !s.void[m]
			}
		}
		topic.Owners, all = all[:topic.Partitions:topic.Partitions], all[topic.Partitions:]
		for p, cl := range s.claims.rows[id] {
			topic.Owners[p] = None
			if cl.member >= 0 && owns[cl.member] {
				topic.Owners[p] = cl.member
			}
		}
	}
}

// hold finds the claims outside the group that their claimants are to keep: the
// partitions of missing topics, and numbers that this leader's metadata may
// just not know yet.
func (s *snapshot) hold() {
	for k, cl := range s.claims.unseen {
		topic := s.sets.names[k.topic]
		n := int32(len(s.claims.rows[k.topic]))
		switch {
		case cl.member < 0 || s.void[cl.member] || !contains(s.readers[k.topic], cl.member):
		case n > 0 && s.largest(topic) > n: // the topic shrank, by this leader's own eyes
		case n == 0 && slices.Contains(s.gone, topic):
		default:
			s.held = append(s.held, Move{topic, k.partition, cl.member, cl.member})
		}
	}
	sortMoves(s.held)
}

// contains tells whether an ascending list holds m.
func contains(members []int32, m int32) bool {
	_, found := slices.BinarySearch(members, m)
	return found
}
