package assignor

import (
	"cmp"
	"fmt"
	"slices"
)

// joiner is one member as the broker listed it, decoded.
type joiner struct {
	id, instance string
	bytes        int // of join metadata
	meta         metadata
	err          error // its metadata cannot be read; meta is void
}

// baseKey is the member's key before duplicates are told apart.
func (j *joiner) baseKey(mem *memory) string {
	switch {
	case j.err == nil && j.meta.user.identity != "":
		return j.meta.user.identity
	case j.instance != "":
		return j.instance
	case j.err != nil:
		if m := mem.member(j.id); m != None {
			return mem.group.Members[m].Key
		}
	}
	return j.id
}

// claims tells whether the member claims anything.
func (j *joiner) claims() bool { return len(j.meta.owned) > 4 } // more than the length of an array

func (j *joiner) name() string {
	if key := j.meta.user.identity; key != "" && key != j.id {
		return fmt.Sprintf("%s (%s)", key, printable(j.id))
	}
	if j.instance != "" {
		return fmt.Sprintf("%s (%s)", printable(j.instance), printable(j.id))
	}
	return printable(j.id)
}

// addMembers gives every member its key and sorts them.
func (s *snapshot) addMembers(joiners []*joiner, mem *memory) {
	all := make([]keyed, len(joiners))
	for i, j := range joiners {
		all[i] = keyed{j.baseKey(mem), j}
	}
	slices.SortFunc(all, byKey)
	if s.tellApart(all, mem) {
		slices.SortFunc(all, byKey)
	}
	s.joiners = make([]*joiner, len(all))
	s.group.Members = make([]Member, len(all))
	for i, k := range all {
		j := k.joiner
		s.joiners[i] = j
		m := &s.group.Members[i]
		*m = Member{ID: j.id, Key: k.key, Weight: max(j.meta.user.weight, 1), Endpoint: j.meta.user.endpoint}
		if j.meta.rack != nil {
			m.Rack = *j.meta.rack
		}
		switch {
		case j.err != nil:
			s.warn(WarnMetadata, j.name(), "", "the member's join metadata cannot be read, it gets nothing this round: check which client it is and what it runs", j.err)
		case j.meta.userErr != nil:
			s.warn(WarnMetadata, j.name(), "", "the member's own data is broken and ignored from there on: check which version it runs", j.meta.userErr)
		}
	}
}

type keyed struct {
	key string
	*joiner
}

func byKey(a, b keyed) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.id, b.id)) }

// tellApart gives live members that have one key each one of its own, and tells
// whether there were any. all is sorted.
func (s *snapshot) tellApart(all []keyed, mem *memory) (found bool) {
	for len(all) > 0 {
		same := 1
		for same < len(all) && all[same].key == all[0].key {
			same++
		}
		if same > 1 {
			found = true
			s.tellTwinsApart(all[:same], mem)
		}
		all = all[same:]
	}
	return found
}

// tellTwinsApart leaves the key to the incumbent, and with it what it had. With
// none any leader must decide the same, so the lower ID keeps it.
func (s *snapshot) tellTwinsApart(twins []keyed, mem *memory) {
	key, keeper := twins[0].key, 0
	for i := range twins {
		if mem.holder(key) == twins[i].id {
			keeper = i
		}
	}
	other := twins[(keeper+1)%len(twins)].id
	s.warn(WarnIdentity, twins[keeper].name(), "", fmt.Sprintf("%d live members have the identity %q, among them %s: give each member one of its own; until then the others are placed under a key of their own", len(twins), key, printable(other)), nil)
	for i := range twins {
		if i != keeper {
			twins[i].key += "\x00" + twins[i].id
		}
	}
}
