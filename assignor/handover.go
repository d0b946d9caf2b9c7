package assignor

// handOver applies the rule above all: a partition goes to a new owner only
// when nobody else claims it at the highest generation claimed. A claimant at
// that generation that is planned the partition keeps it, alone or tied;
// otherwise the partition is withheld and goes to nobody in this round. The
// claimants see that it is not theirs, stop, and join again without it; the
// round that follows gives it away.
//
// Nothing may be added to the plan after this step: the field's double owners
// come from plans that were touched up later.
func (s *snapshot) handOver(plan Plan) (after Plan, withheld []Move) {
	after = make(Plan, len(plan))
	for t, row := range plan {
		id := s.ids[t]
		after[t] = row // rows are shared until something is withheld
		for p, cl := range s.claims.rows[id] {
			planned := row[p]
			if cl.member == planned || cl.member == None {
				continue
			}
			from := cl.member
			if from == tied {
				if s.claims.claims(partitionKey{id, int32(p)}, planned) {
					continue
				}
				from = None
			}
			if len(withheld) == 0 || &after[t][0] == &row[0] {
				after[t] = append([]int32(nil), row...)
			}
			after[t][p] = None
			withheld = append(withheld, Move{s.group.Topics[t].Name, int32(p), from, planned})
		}
	}
	return after, withheld
}
