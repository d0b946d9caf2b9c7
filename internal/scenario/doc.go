// Package scenario runs consumer groups through what happens to them (members
// join, leave, crash and restart; topics grow and vanish) and records who owned
// what and when. The same harness drives kfake, in this package's tests, and
// real brokers, in the integration module.
//
//	g := scenario.NewGroup(t, "orders", addrs)
//	g.CreateTopic("orders", 12)
//	a := g.Start("a", scenario.Spec{Topics: []string{"orders"}, Identity: "a"})
//	b := g.Start("b", scenario.Spec{Topics: []string{"orders"}, Identity: "b"})
//	before := g.Settle()
//	b.Restart()
//	g.Settle().MustEqual(t, before)
//
// Ownership is what the callbacks say: from OnPartitionsAssigned to the end of
// OnPartitionsRevoked or OnPartitionsLost, or to the member's crash. A Group
// fails its test at the end when a partition ever had two owners, or a strategy
// failed. A Load adds records, each to be processed once, by an owner.
//
// Nothing here sleeps to let something happen and nothing is tried again to
// hide a failure: a condition is looked at after each event, or time and again
// where only the broker can tell, until a deadline that is itself a failure, with
// the timeline of all events.
//
// Scenarios that are the same everywhere are methods too: RollingRestart, Scale,
// RestartAll, Upgrade, Vote. With Group.Even whatever settles must be even, by the
// fewest moves.
package scenario
