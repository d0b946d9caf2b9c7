package main

// play goes through the history: the group starts, a member joins, another one
// leaves, and then, if roll is set, every member leaves and comes back, one by
// one, each time after the group has settled.
func play(w *world, p placer, roll bool) (*figures, error) {
	f := new(figures)
	present := w.start()
	first, err := p.settle(present)
	if err != nil {
		return nil, err
	}
	f.balance(w, present, first)

	present[w.joiner] = true
	joined, err := p.settle(present)
	if err != nil {
		return nil, err
	}
	f.join.add(first, joined, w.joiner)

	present[w.leaver] = false
	now, err := p.settle(present)
	if err != nil {
		return nil, err
	}
	f.leave.add(joined, now, w.leaver)

	if !roll {
		return f, nil
	}
	before := now
	for _, m := range w.roll {
		present[m] = false
		without, err := p.settle(present)
		if err != nil {
			return nil, err
		}
		f.roll.add(now, without, m)
		present[m] = true
		back, err := p.settle(present)
		if err != nil {
			return nil, err
		}
		f.roll.add(without, back, m)
		f.received.add(now, back, m)
		now = back
	}
	f.home.kept(before, now)
	f.aged = worstSpread(w, present, now)
	f.rolled = true
	return f, nil
}
