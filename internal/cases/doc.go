// Package cases holds what other Kafka clients' test suites expect of a group
// balancer, restated as data in testdata/cases.jsonl, and a runner that holds a
// strategy of ours against it, plumbing and all: members' metadata, one
// rebalance after the other, and what is sent to each member.
//
//	func TestCases(t *testing.T) {
//		cases.Run(t, cases.Subject{
//			Strategy: mine.Strategy{},
//			Promises: []cases.Kind{cases.Loads, cases.Moved, cases.Keep},
//		})
//	}
//
// A case expects things of several kinds. Some bind every balancer (each
// partition has one owner, nothing is given away that another still claims);
// others only one that balances, or sticks, or looks at racks. A Subject says
// which of those it promises. One that it does not promise is still checked
// where the subscriptions leave no choice, and is counted as not applicable
// otherwise, never passed over in silence. Where a strategy promises a kind and
// its own order of plans still says otherwise in one case, a [Difference] names
// what holds instead.
//
// Whatever a case expects, every round of it is checked against what must hold
// in any group: see Round.Check.
//
// The tests of this package add the bug reports that testdata/reports.md lists,
// what a hostile or broken group can send, and random histories of a group with
// crashes, refused syncs and changing leaders.
package cases
