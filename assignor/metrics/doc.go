// Package metrics is a Prometheus collector for what a Balancer reports: how
// often a group rebalances, what moves, how even it is and how near its limits.
// A scrape never fails and never waits for a rebalance, nor the other way round.
//
//	m := metrics.New()
//	prometheus.MustRegister(m)
//	b := hrw.New(m.Options()...)
//	client, err := kgo.NewClient(kgo.Balancers(b), kgo.WithHooks(b), ...)
//
// Every series has the labels strategy (the protocol name) and group (empty
// where the Balancer does not know it).
//
// Counted by the member that does it, for ever, so sum them over the processes
// of a group; the names begin with kgo_rendezvous_:
//
//	rebalances_total            plans made as leader
//	moves_total                 partitions planned away from a live member; in
//	                            a cooperative group each is also withheld, and
//	                            a gain one round later
//	gains_total                 partitions nobody owned, given to a member
//	withheld_total              partitions given to nobody in a round, because
//	                            somebody may still have them
//	strategy_errors_total       plans where the strategy failed and plain
//	                            rendezvous stood in
//	plan_duration_seconds       histogram of the leader's own time for a plan
//	warnings_total{kind}        warnings of this member, leader or not
//
// What the leader saw in its latest plan. Only the process that leads has these
// series; when another leads they vanish here and appear there:
//
//	leader                      1
//	members, partitions         the size of the group; missing topics have no
//	                            partitions here
//	spread_partitions           the most partitions of a member less the fewest
//	held_partitions             partitions left where they are without planning
//	missing_topics              topics read whose partitions are not known
//	owed                        1 while a further round is needed
//	record_bytes                estimated size of the group's record in
//	                            __consumer_offsets
//	member_partitions{member}   partitions planned for the member
//	member_metadata_bytes{member}
//
// The plan is the target: a partition on its way to a member is counted as that
// member's.
//
// # Member labels
//
// The label member is the member's key: its Identity, else its instance ID,
// else the ID that the broker gave it. It vanishes with the member, but a member
// with neither identity nor instance ID brings a new value at every restart, and
// each is kept as long as Prometheus keeps data. Give members an
// assignor.Identity, or leave these series out with [NoMembers].
//
// Whoever may join the group chooses what is in a key. It is exported as valid
// UTF-8 without control characters, cut off at 255 bytes, and two members that
// would look alike are told apart by a number: "a", "a (2)".
//
// # Prefixes and constant labels
//
// prometheus.WrapRegistererWith and WrapRegistererWithPrefix add them to any
// collector, so there is no option for them here.
package metrics
