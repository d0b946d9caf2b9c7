// Package roll plays consumer groups through rebalances, without a broker, and
// measures what a rolling restart, the broker's order of members and a long
// life do to who owns what. It serves our balancers and kgo's own alike.
//
//	subject := roll.Of(sticky.Strategy{})
//	subject.Even, subject.Fewest = true, true
//	err := roll.Check(subject, roll.Shape{Members: 10, Topics: 1, Partitions: 100}, 20, seed)
//
// Every member has a balancer of its own. One that leaves and comes back is a
// new process: it has a new member ID, claims nothing, and its balancer has
// forgotten what it knew. The leader is the member that has been in the group
// longest, so that a group outlives what its leaders remember.
//
// Whatever is played is checked, in every round: Group.Join tells for what.
package roll
