// Command compare plays one history under every algorithm of this module, under
// those of the articles on consistent hashing and under kgo's own balancers,
// and shows the figures side by side: how even loads are, what moves when a
// member joins or leaves, what is left of a placement after a rolling restart,
// and what all that costs. In the end it says which strategy has what one may
// want.
//
//	go run ./examples/compare                     # a table, some seconds
//	go run ./examples/compare -html compare.html  # and a page with charts
//	go run ./examples/compare -help
//
// Every algorithm starts from the same groups: [world] draws them from a seed.
// A [placer] is an algorithm that plays, [play] the history, [figures] what
// comes of it, [columns] how that is shown, [summary] which to choose. To add an
// algorithm, add a row to [algorithms].
package main
