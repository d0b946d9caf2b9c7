package metrics

// An Option sets what a Collector exports.
type Option interface{ apply(*Collector) }

type option func(*Collector)

func (o option) apply(c *Collector) { o(c) }

// NoMembers leaves the series with the label member out: two series a member,
// and new names at every restart of a member that has no identity.
func NoMembers() Option { return option(func(c *Collector) { c.noMembers = true }) }
