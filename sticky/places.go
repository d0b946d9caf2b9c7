package sticky

// places are, by member, its places in the sets that it reads.
type places struct {
	all   []place
	first []int32 // by member: its first in all; one more for the end
}

// A place is that of a reader in a set.
type place struct{ set, reader int32 }

func placesOf(members int, sets []set) places {
	first := make([]int32, members+1)
	for _, s := range sets {
		for _, m := range s.readers {
			first[m]++
		}
	}
	for m := range members { // ends, as yet
		first[m+1] += first[m]
	}
	all := make([]place, first[members])
	for s := len(sets) - 1; s >= 0; s-- {
		for i, m := range sets[s].readers {
			first[m]--
			all[first[m]] = place{int32(s), int32(i)}
		}
	}
	return places{all, first}
}

func (x *places) of(m int32) []place { return x.all[x.first[m]:x.first[m+1]] }
