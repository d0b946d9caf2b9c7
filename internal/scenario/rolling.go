package scenario

// RollingRestart restarts the live members of a settled group one by one, each
// settled in between, and fails the test unless what each gets is its own: all
// that it had, where that must be, else nothing that it had not. It returns how
// many partitions came back, of how many.
func (g *Group) RollingRestart() (back, all int) {
	g.tb.Helper()
	members, led := g.Live(), false
	before := g.Owned()
	divides := len(before)%len(members) == 0
	for _, m := range members {
		plans := g.rec.Plans()
		led = led || plans[len(plans)-1].By == m.Owner()
		m.Stop()
		g.Settle()
		m.Start()
		after := g.Settle()
		if divides || !g.Even {
			after.MustEqual(g.tb, before)
		}
		own := before.Of(m.Name)
		all += len(own)
		for _, p := range after.Of(m.Name) {
			if before[p] != m.Name {
				g.tb.Errorf("%s got %v, which had been %s's\nbefore:\n%v\nafter:\n%v", m.Name, p, before[p], before, after)
				continue
			}
			back++
		}
		before = after
	}
	if !led {
		g.tb.Errorf("the leader was not among the members restarted")
	}
	return back, all
}
