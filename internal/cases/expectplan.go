package cases

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

// sortedDown returns counts as the cases give them, the largest first.
func sortedDown(loads []int) []int {
	loads = slices.Sorted(slices.Values(loads))
	slices.Reverse(loads)
	return loads
}

func checkLoads(j *judge, want json.RawMessage) {
	if got, want := sortedDown(j.plan.Loads(j.group)), decode[[]int](j, want); !slices.Equal(got, want) {
		j.wrong(Loads, "loads are %v, want %v", got, want)
	}
}

func checkLoadsByMember(j *judge, want json.RawMessage) {
	got := make(map[string]int)
	for m, n := range j.plan.Loads(j.group) {
		got[j.group.Members[m].ID] = n
	}
	if want := decode[map[string]int](j, want); !maps.Equal(got, want) {
		j.wrong(LoadsByMember, "loads are %v, want %v", got, want)
	}
}

func checkWithinOne(j *judge, _ json.RawMessage) {
	if loads := sortedDown(j.plan.Loads(j.group)); len(loads) > 0 && loads[0]-loads[len(loads)-1] > 1 {
		j.wrong(WithinOne, "loads are %v", loads)
	}
}

func checkTopicLoads(j *judge, want json.RawMessage) {
	for topic, want := range decode[map[string][]int](j, want) {
		for t := range j.group.Topics {
			if j.group.Topics[t].Name != topic {
				continue
			}
			if got := sortedDown(assignor.Plan{j.plan[t]}.Loads(j.group)); !slices.Equal(got, want) {
				j.wrong(TopicLoads, "loads within %s are %v, want %v", topic, got, want)
			}
		}
	}
}

func checkKeepTopic(j *judge, want json.RawMessage) {
	for member, topic := range decode[map[string]string](j, want) {
		if got := j.planned()[member][topic]; len(got) != int(j.g.counts[topic]) {
			j.wrong(KeepTopic, "%s has %s%v, want all of it", member, topic, got)
		}
	}
}

// checkMoved counts what leaves an owner that is present, reads the topic and is
// not contested.
func checkMoved(j *judge, want json.RawMessage) {
	var moved int
	for t := range j.group.Topics {
		for p, m := range j.plan[t] {
			owner := j.said.owner(j.group.Topics[t].Name, int32(p))
			if owner >= 0 && j.first.Members[owner].MemberID != j.group.Members[m].ID {
				moved++
			}
		}
	}
	if want := decode[int](j, want); moved != want {
		j.wrong(Moved, "%d partitions move, want %d", moved, want)
	}
}

func checkOffRack(j *judge, want json.RawMessage) {
	var off int
	for t := range j.group.Topics {
		racks := j.c.Racks[j.group.Topics[t].Name]
		for p, m := range j.plan[t] {
			if p < len(racks) && j.group.Members[m].Rack != "" && racks[p] != j.group.Members[m].Rack {
				off++
			}
		}
	}
	if want := decode[int](j, want); off != want {
		j.wrong(OffRack, "%d partitions are off their rack, want %d", off, want)
	}
}

// planned returns the plan by member ID.
func (j *judge) planned() map[string]lead.Owned {
	all := make(map[string]lead.Owned)
	for _, m := range j.group.Members {
		all[m.ID] = make(lead.Owned)
	}
	for t := range j.group.Topics {
		for p, m := range j.plan[t] {
			owned, topic := all[j.group.Members[m].ID], j.group.Topics[t].Name
			owned[topic] = append(owned[topic], int32(p))
		}
	}
	return all
}

// each calls fn for every partition that is named in a map by member and topic.
func (j *judge) each(want json.RawMessage, fn func(member, topic string, p int32, has bool)) {
	planned := j.planned()
	for member, owned := range decode[map[string]lead.Owned](j, want) {
		for topic, partitions := range owned {
			for _, p := range partitions {
				fn(member, topic, p, slices.Contains(planned[member][topic], p))
			}
		}
	}
}

func checkKeep(j *judge, want json.RawMessage) {
	j.each(want, func(member, topic string, p int32, has bool) {
		if !has {
			j.wrong(Keep, "%s lost %s/%d", member, topic, p)
		}
	})
}

func checkNot(j *judge, want json.RawMessage) {
	j.each(want, func(member, topic string, p int32, has bool) {
		if has {
			j.wrong(Not, "%s has %s/%d", member, topic, p)
		}
	})
}

func checkExact(j *judge, want json.RawMessage) {
	planned := j.planned()
	for member, owned := range decode[map[string]lead.Owned](j, want) {
		if got := planned[member]; !maps.EqualFunc(got, owned, slices.Equal[[]int32]) {
			j.wrong(Exact, "%s has %v, want %v", member, got, owned)
		}
	}
}

func checkSubsetOfClaims(j *judge, want json.RawMessage) {
	planned := j.planned()
	for _, member := range decode[[]string](j, want) {
		for topic, partitions := range planned[member] {
			for _, p := range partitions {
				if !slices.Contains(j.owned[member][topic], p) {
					j.wrong(SubsetOfClaims, "%s gets %s/%d, which it did not claim", member, topic, p)
				}
			}
		}
	}
}

func checkWithheld(j *judge, want json.RawMessage) {
	var names []string
	for _, pair := range decode[[][2]any](j, want) {
		names = append(names, fmt.Sprintf("%v/%v", pair[0], pair[1]))
	}
	slices.Sort(names)
	if got := j.first.Withheld(); !slices.Equal(got, names) {
		j.wrong(Withheld, "withheld %v, want %v", got, names)
	}
}

func checkWithheldCount(j *judge, want json.RawMessage) {
	if got, want := len(j.first.Report.Withheld), decode[int](j, want); got != want {
		j.wrong(WithheldCount, "%d are withheld, want %d", got, want)
	}
}

func checkMaxRounds(j *judge, want json.RawMessage) {
	if want := decode[int](j, want); j.took > want {
		j.wrong(MaxRounds, "settled after %d rounds, want %d", j.took, want)
	}
}
