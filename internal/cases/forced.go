package cases

import "encoding/json"

// readers returns who reads a topic.
func (j *judge) readers(topic string) []int32 {
	for t := range j.group.Topics {
		if j.group.Topics[t].Name == topic {
			return j.group.Topics[t].Subscribers
		}
	}
	return nil
}

// noChoice tells whether every topic has a single reader, so that there is one
// plan only.
func noChoice(j *judge, _ json.RawMessage) bool {
	for t := range j.group.Topics {
		if len(j.group.Topics[t].Subscribers) > 1 {
			return false
		}
	}
	return true
}

// only tells whether a member alone reads a topic.
func (j *judge) only(member, topic string) bool {
	r := j.readers(topic)
	return len(r) == 1 && j.group.Members[r[0]].ID == member
}

// onlyReader tells whether all topics mentioned are read by the member that is
// to keep partitions of them and by nobody else.
func onlyReader(j *judge, want json.RawMessage) bool {
	for member, owned := range decode[map[string]map[string][]int32](j, want) {
		for topic := range owned {
			if !j.only(member, topic) {
				return false
			}
		}
	}
	return true
}

func onlyReaders(j *judge, want json.RawMessage) bool {
	for member, topic := range decode[map[string]string](j, want) {
		if !j.only(member, topic) {
			return false
		}
	}
	return true
}

// noReader tells whether the members do not read the topics that they are to
// have nothing of.
func noReader(j *judge, want json.RawMessage) bool {
	for member, owned := range decode[map[string]map[string][]int32](j, want) {
		for topic := range owned {
			for _, m := range j.readers(topic) {
				if j.group.Members[m].ID == member {
					return false
				}
			}
		}
	}
	return true
}

// twoRounds tells whether the bound on rounds is what any strategy needs to hand
// over; one round asks for a plan that moves nothing.
func twoRounds(j *judge, want json.RawMessage) bool {
	return decode[int](j, want) >= 2 || noChoice(j, want)
}
