package roll

// Spreads plays a history and returns, for its start and each of its events,
// the spread of the topic where it is largest: the difference between the most
// and the fewest of the topic's partitions that a member owns.
func Spreads(s Subject, shape Shape, events int, seed uint64) ([]int, error) {
	spreads := make([]int, 0, events+1)
	err := Play(s, shape, events, seed, func(g *Group) error {
		spreads = append(spreads, g.Spread())
		return nil
	})
	return spreads, err
}

// Spread returns the present spread, 0 for a group without members.
func (g *Group) Spread() int {
	if len(g.standing) == 0 {
		return 0
	}
	spread := 0
	for _, t := range g.topics {
		least, most := len(g.owner), 0
		for _, m := range g.standing {
			n := len(m.owned[t])
			least, most = min(least, n), max(most, n)
		}
		spread = max(spread, most-least)
	}
	return spread
}
