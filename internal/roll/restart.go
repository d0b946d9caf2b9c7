package roll

import "slices"

// Restarts are what came of rolling restarts.
type Restarts struct {
	// Precision is, of the partitions that members received when they came
	// back, the share that they had owned just before they left.
	Precision Share
	// Leaders is the part of Precision that is of members that led. Who led
	// when they came back had not led when they left.
	Leaders Share
	// Stability is the share of all partitions that in the end are with the
	// member that had them before the first restart.
	Stability Share
	Moves     int // partitions that left a member that stayed
	Least     int // the fewest that Even placements need
}

// Add adds another result's counts.
func (r *Restarts) Add(o Restarts) {
	r.Precision.Add(o.Precision)
	r.Leaders.Add(o.Leaders)
	r.Stability.Add(o.Stability)
	r.Moves += o.Moves
	r.Least += o.Least
}

// Restart plays a history and then a rolling restart: every member leaves and,
// once the group has settled, comes back under its name, one after the other in
// random order.
func Restart(s Subject, shape Shape, events int, seed uint64) (Restarts, error) {
	var r Restarts
	h, err := newHistory(s, shape, events, seed, nil)
	if err != nil {
		return r, err
	}
	if err := h.play(func(*Group) error { return nil }); err != nil {
		return r, err
	}
	start := slices.Clone(h.owner)
	names := h.Names()
	h.rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, name := range names {
		if err := r.restart(h.Group, name); err != nil {
			return r, err
		}
	}
	for p, was := range start {
		r.Stability.Of++
		if h.owner[p].name == was.name {
			r.Stability.Is++
		}
	}
	return r, nil
}

// restart has one member leave and come back.
func (r *Restarts) restart(g *Group, name string) error {
	led := g.standing[0].name == name
	before := slices.Clone(g.owner)
	left, err := g.Leave(name)
	if err != nil {
		return err
	}
	back, err := g.Join(name)
	if err != nil {
		return err
	}
	r.Moves += left.Moves + back.Moves
	r.Least += left.Least + back.Least
	var precision Share
	for _, p := range g.member(name).has {
		precision.Of++
		if before[p] != nil && before[p].name == name {
			precision.Is++
		}
	}
	r.Precision.Add(precision)
	if led {
		r.Leaders.Add(precision)
	}
	return nil
}
