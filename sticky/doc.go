// Package sticky places partitions evenly and moves as few as possible; what is
// left open goes where it is warm, then back to where it came from.
//
// Counts are within one of each other, or of what members' weights say. A join
// or leave moves no more partitions than even counts need. And what comes back
// goes home: over a rolling restart a member gets back what it had before, as far
// as even counts allow, since whoever leads remembers who left with what
// (Topic.Homes), and members can say what they have at hand (Topic.Warm). The
// price is that owners depend on what was before: they cannot be computed from
// names alone, as those of hrw can.
//
// The plan is the best there is, in this order:
//
//  1. with PerTopic, each topic within one of even among its readers;
//  2. the least loads: with equal subscriptions each member has the floor or the
//     ceiling of its quota, partitions × weight / weights; with unlike ones the
//     sorted vector of loads is the least possible, with weights the sum of
//     load²/weight;
//  3. with Racks, the fewest partitions off their leader's rack;
//  4. the fewest partitions taken from present owners;
//  5. the most partitions where they are warm, then the most at home;
//  6. one more than others for those with the largest remainder of their quota,
//     then for those with most homes elsewhere;
//  7. each topic spread evenly over the members, then by score.
//
// The first five are exact, whatever the subscriptions, and are held against an
// oracle in tests; they are minimum-cost flows (Edmonds and Karp 1972), cut down to
// what can move. The rest is what the dealing in deal.go does.
//
// Where to begin: planner.go chooses the way. Where everybody reads the same,
// block.go knows who gives and who takes; where not, level.go finds the least
// loads, which cuts the group into blocks, and move.go plans those of several
// sets of topics; near.go has it look only around what changes, where that is
// enough. home.go decides what goes home, deal.go and the files that it
// names the rest.
//
// docs/placement.md has the rules for other languages.
package sticky
