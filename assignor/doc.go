// Package assignor is the vocabulary of partition placement (Group, Plan,
// Strategy) and the one place that speaks to franz-go: a Balancer carries any
// Strategy through Kafka's classic group protocol.
//
// A Strategy is one pure function from a Group to a Plan. It never sees a
// clock, a lock or a broker, so every member that becomes leader decides the
// same. Everything that makes placement safe in a live group is done here, once
// for all strategies: reading members' metadata defensively, deciding who owns
// what (KIP-792), withholding a partition until its present owner has let go
// (KIP-429), and asking for the further round that a broker forgets.
//
// The rule above all: a partition goes to a new owner only when nobody else
// claims it at the highest generation claimed. Nothing is added to a plan after
// that step.
//
// Most programs import a strategy package and this one for its options:
//
//	b := hrw.New(assignor.Identity("worker-7"))
//	client, err := kgo.NewClient(
//		kgo.ConsumerGroup("orders"),
//		kgo.ConsumeTopics("orders"),
//		kgo.Balancers(b),
//		kgo.WithHooks(b), // lets the leader ask for rounds that are owed
//	)
//
// docs/rebalance.md tells one rebalance step by step; docs/wire.md fixes the
// bytes.
package assignor
