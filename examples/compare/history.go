package main

// play goes through the history: the group starts, a member joins, another one
// leaves, and then, if whole is set, every member leaves and comes back, one by
// one, and for a while some leave and others join, each time after the group has
// settled.
func play(w *world, p placer, whole bool) (*figures, error) {
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

	if !whole {
		return f, nil
	}
	if now, err = f.restartAll(w, p, present, now); err != nil {
		return nil, err
	}
	f.rolled = true
	return f, f.comeAndGo(w, p, present, now)
}

// restartAll plays the rolling restart.
func (f *figures) restartAll(w *world, p placer, present []bool, now placement) (placement, error) {
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
	return now, nil
}

// comeAndGo plays what scaling does to a group.
func (f *figures) comeAndGo(w *world, p placer, present []bool, now placement) error {
	for _, m := range w.scale {
		present[m] = !present[m]
		then, err := p.settle(present)
		if err != nil {
			return err
		}
		var c change
		c.add(now, then, m)
		f.scale.sum(c)
		f.aged = max(f.aged, worstSpread(w, present, then))
		now = then
	}
	return nil
}
