package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kfake"
)

// settle waits until the group has come to rest: exactly the running workers
// are its members, all in the same generation, and every partition is assigned
// to one of them, which has taken it.
func (g *group) settle(ctx context.Context) error {
	return g.wait(ctx, g.unsettled)
}

// unsettled tells what settle waits for, nothing when the group is at rest. At
// rest nothing is under way: a cooperative group owes a further generation only
// while some partition is nobody's.
func (g *group) unsettled() []string {
	info := g.cluster.kafka.GroupInfo(g.name)
	g.mu.Lock()
	defer g.mu.Unlock()
	if info == nil {
		return []string{"no worker has joined yet"}
	}
	reasons, names := g.unjoined(info)
	if info.State != "Stable" {
		reasons = append(reasons, fmt.Sprintf("rebalancing, generation %d (%s)", info.Epoch, info.State))
	}
	if len(reasons) > 0 {
		return reasons
	}
	given := newPlacement(len(g.owners), g.cluster.partitions)
	for _, m := range info.Members {
		for topic, partitions := range m.Assignment {
			for _, p := range partitions {
				given[g.cluster.index[topic]][p] = names[m.MemberID]
			}
		}
	}
	var nobody, under []string
	for t, topic := range g.cluster.topics {
		for p, name := range given[t] {
			slot := fmt.Sprintf("%s/%d", topic, p)
			switch {
			case name == "":
				nobody = append(nobody, slot)
			case g.owners[t][p] != name:
				under = append(under, slot+" to "+name)
			}
		}
	}
	if len(nobody) > 0 {
		reasons = append(reasons, "nobody has "+some(nobody))
	}
	if len(under) > 0 {
		reasons = append(reasons, "still to be taken: "+some(under))
	}
	return reasons
}

// unjoined compares the broker's members with the workers that run.
func (g *group) unjoined(info *kfake.GroupInfo) (reasons []string, names map[string]string) {
	members := make(map[string]string) // client ID, which is the worker's name, by member ID
	for _, m := range info.Members {
		members[m.MemberID] = m.ClientID
	}
	names = make(map[string]string)
	for _, name := range slices.Sorted(maps.Keys(g.workers)) {
		id, generation := g.workers[name].client.GroupMetadata()
		switch {
		case members[id] == "":
			reasons = append(reasons, name+" has not joined yet")
		case generation != info.Epoch:
			reasons = append(reasons, fmt.Sprintf("%s is in generation %d, the group in %d", name, generation, info.Epoch))
		}
		names[id] = name
	}
	for id, name := range members {
		if names[id] == "" {
			reasons = append(reasons, name+" is still in the group")
		}
	}
	return reasons, names
}

// some joins the first few.
func some(list []string) string {
	const few = 4
	if len(list) <= few {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:few], ", "), len(list)-few)
}
