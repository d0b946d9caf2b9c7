// Package assignortest holds the laws of partition placement as a kit that any
// assignor.Strategy, a user's own too, can be run through, in the manner of
// testing/fstest and testing/slogtest.
//
//	func TestLaws(t *testing.T) {
//		assignortest.Run(t, mine.Strategy{}, assignortest.Local, assignortest.Spread)
//	}
//
// Run checks the laws that bind every strategy and those that are claimed
// beside them, each as a sub-test on groups that rapid draws. What breaks a law
// is shrunk and reported with the group, the partition, and what was expected.
// The same function is a fuzz target:
//
//	func FuzzLocal(f *testing.F) {
//		f.Fuzz(rapid.MakeFuzz(assignortest.Property(mine.Strategy{}, assignortest.Local)))
//	}
//
// What a strategy minds beside, it claims beside:
//
//	assignortest.Run(t, mine.Strategy{PerTopic: true},
//		assignortest.PerTopic, assignortest.Even, assignortest.LeastMoves, assignortest.Home)
//
// For tests of one's own, Spec builds a Group from names, Groups draws one,
// Change draws what can happen to it (members join, leave, restart; topics
// grow, come and go), and Settle plays one cooperative round without a broker.
package assignortest
