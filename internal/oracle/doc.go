// Package oracle finds the best plan that the laws of the sticky strategy allow,
// slowly and without tricks, and says of any plan in which respect it falls
// short. It is for tests, those of assignortest among them: it shares no code and
// no idea with the strategy.
//
// # Contract
//
// [Value] is the order of plans, as its fields read from top to bottom, and
// [Measure] the value of one plan; both are the laws spelt out. [Best] returns a
// plan that no other betters and [BestAt] one that none with the same loads does,
// [Judge] compares a plan with the best, and [JudgeCeilings] checks which members
// got one partition more than others where that cannot be even. All are pure
// functions of their arguments, which they do not change.
//
// Where the laws leave room for two readings:
//
//   - Subscriptions are equal when all topics have the same subscribers. Members
//     that read nothing have nothing and count for nothing, nor do their weights.
//   - Where subscriptions are equal and weights differ, any counts that are floor
//     or ceiling of the quotas are as good as any other; which of them is decided
//     by the fields that follow, in their order. That is what law 11 says of the
//     ceilings: a holder above its floor keeps one more (fewest moves), then who
//     takes one more home (most warm, most at home). A member with a list of homes
//     that its floor has room for anyway has no claim to a ceiling. Then the largest
//     remainder decides; among equal remainders the strategy is free, since always
//     the smallest key would pile up the extra partitions of many groups on one
//     member.
//   - Where subscriptions are unlike and weights differ, several sets of counts
//     can have the least sum of load²/weight. All are as good; moves decide.
//   - PerTopic comes before loads. Where subscriptions are equal the totals are
//     still floors and ceilings of the quotas: both can always be had at once,
//     since a table can be rounded so that its entries, rows and columns all are
//     (Bacharach 1966).
//   - A partition is off its leader's rack when both racks are known, the
//     partition's and the owner's, and differ.
//   - Partitions that stay where they are count for Warm and Home, too.
//
// # Why it is right
//
// The partitions are placed one by one, each by the cheapest chain there is: it
// goes to a member, which in turn may pass on another partition, and so on, until
// somebody's load has grown by one. That is minimum-cost flow by successive
// shortest paths (Jewell 1958, Busacker and Gowen 1960), whose invariant is that
// after each step the partitions placed so far are placed in the cheapest way
// possible. Costs are exact: integers and, for load²/weight, fractions compared
// by cross-multiplication. See the comments in flow.go for how the order of
// plans becomes a cost.
//
// Two things are not evident: that the least sum of squared loads is the least
// sorted vector of loads, which holds for flows but not for sets of vectors in
// general, and that ceilings dealt at the least sum of ranks are those dealt one
// by one in the order of ranks (sets of members that can have the ceilings are the
// bases of a matroid, where greedy is best). Neither need be believed: the tests
// compare Best with the best of all plans, by Measure alone, over thousands of
// small groups.
//
// # Complexity
//
// With P partitions, M members and T topics there are P chains. Each goes through
// at most T×M slots and M members, over P×M + T×M links in all, mostly once, by
// the bound of Bellman and Ford as often as there are slots. 40 partitions on
// eight members take half a millisecond, 240 on 60 less than a tenth of a second,
// 820 in 40 topics on 200 half a second.
package oracle
