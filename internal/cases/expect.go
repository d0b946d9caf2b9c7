package cases

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
)

func decode[T any](j *judge, want json.RawMessage) (v T) {
	j.Helper()
	if err := json.Unmarshal(want, &v); err != nil {
		j.Fatalf("the case is broken: %v: %s", err, want)
	}
	return v
}

// checkValid checks the plan against the case's own topics and subscriptions.
func checkValid(j *judge, _ json.RawMessage) {
	planned := make(map[string][]int32)
	for t := range j.group.Topics {
		planned[j.group.Topics[t].Name] = j.plan[t]
	}
	reads := make([][]string, len(j.group.Members))
	byID := make(map[string]*player)
	for _, p := range j.g.members {
		byID[p.ID] = p
	}
	for m := range reads {
		reads[m] = byID[j.group.Members[m].ID].Topics
	}
	for topic, n := range j.g.counts {
		read := slices.ContainsFunc(j.g.members, func(p *player) bool { return slices.Contains(p.Topics, topic) })
		if row, ok := planned[topic]; ok != (read && n > 0) || ok && len(row) != int(n) {
			j.wrong(Valid, "%s has %d partitions, read: %v, planned: %v", topic, n, read, row)
		}
		for p, m := range planned[topic] {
			if m < 0 || int(m) >= len(j.group.Members) || !slices.Contains(reads[m], topic) {
				j.wrong(Valid, "%s/%d goes to member %d", topic, p, m)
			}
		}
		delete(planned, topic)
	}
	if len(planned) > 0 {
		j.wrong(Valid, "topics that do not exist are planned: %v", planned)
	}
}

func checkMembersInPlan(j *judge, want json.RawMessage) {
	ids := decode[[]string](j, want)
	if got := slices.Sorted(maps.Keys(j.first.Sent)); !slices.Equal(got, slices.Sorted(slices.Values(ids))) {
		j.wrong(MembersInPlan, "%v are named, want %v", got, ids)
	}
}

func checkFixedPoint(j *judge, _ json.RawMessage) {
	if !sameSync(j.last, j.again) || len(j.again.Report.Moves) > 0 {
		j.wrong(FixedPoint, "planning again gives\n%s", formatOwned(j.again.Sent))
	}
}

// checkOrderIndependent lists the members in other orders.
func checkOrderIndependent(j *judge, _ json.RawMessage) {
	order := rand.New(rand.NewPCG(1, 2))
	play := func() *Round {
		r, err := NewLeader(j.g.strategy).Play("group", j.first.Generation, "leader", j.first.Members, j.first.View)
		if err != nil {
			j.Fatal(err)
		}
		return r
	}
	want := play()
	members := slices.Clone(j.first.Members)
	defer func() { j.first.Members = want.Members }()
	for range 10 {
		order.Shuffle(len(members), func(a, b int) { members[a], members[b] = members[b], members[a] })
		j.first.Members = members
		if got := play(); !sameSync(got, want) {
			j.wrong(OrderIndependent, "listed in another order\n%s", formatOwned(got.Sent))
		}
	}
}

// checkSameByInstance compares with the step before under the members' keys.
func checkSameByInstance(j *judge, _ json.RawMessage) {
	if got, want := j.plan.Format(j.group), j.before.plan.Format(j.before.group); got != want {
		j.wrong(SameByInstance, "before it was\n%s", want)
	}
}

// checkParse looks for the warning about metadata that cannot be read.
func checkParse(j *judge, want json.RawMessage) {
	fine := decode[string](j, want) == "ok"
	ws := j.first.Warned(assignor.WarnMetadata)
	if fine != (len(ws) == 0) {
		j.wrong(Parse, "warnings: %v", ws)
	}
}

// checkWire sends the same ownership in other orders.
func checkWire(j *judge, _ json.RawMessage) {
	order := rand.New(rand.NewPCG(3, 4))
	for _, p := range j.g.members {
		want := p.metadata()
		for range 20 {
			q := *p
			q.Topics = slices.Clone(p.Topics)
			order.Shuffle(len(q.Topics), func(a, b int) { q.Topics[a], q.Topics[b] = q.Topics[b], q.Topics[a] })
			q.Owned = make(lead.Owned)
			for t, ps := range p.Owned {
				q.Owned[t] = slices.Clone(ps)
				order.Shuffle(len(ps), func(a, b int) { q.Owned[t][a], q.Owned[t][b] = q.Owned[t][b], q.Owned[t][a] })
			}
			if got := q.metadata(); !slices.Equal(got, want) {
				j.wrong(Wire, "%s sends %x and %x", p.ID, want, got)
				return
			}
		}
	}
}

// checkAddOfClaimed is what Round.Check has checked; it is said once more in the
// case's own words.
func checkAddOfClaimed(j *judge, _ json.RawMessage) {
	for id, owned := range j.first.Sent {
		for topic, partitions := range owned {
			for _, p := range partitions {
				cl, ok := j.said.claims[topic][p]
				if ok && !slices.Contains(j.owned[id][topic], p) {
					j.wrong(AddOfClaimed, "%s gets %s/%d, claimed by %s", id, topic, p, j.first.Members[cl.first].MemberID)
				}
			}
		}
	}
}

// checkWithheldIfMoved looks for each partition planned away from its claimants.
func checkWithheldIfMoved(j *judge, _ json.RawMessage) {
	var want []string
	for t := range j.group.Topics {
		topic := j.group.Topics[t].Name
		for p, m := range j.plan[t] {
			cl, ok := j.said.claims[topic][int32(p)]
			if ok && j.first.Members[cl.first].MemberID != j.group.Members[m].ID {
				want = append(want, fmt.Sprintf("%s/%d", topic, p))
			}
		}
	}
	if got := j.first.Withheld(); !slices.Equal(got, want) {
		j.wrong(WithheldIfMoved, "withheld %v, want %v", got, want)
	}
}
