package cases

import "encoding/json"

// A Kind is one kind of expectation, by its name in the data.
type Kind string

// Kinds that bind every strategy.
const (
	Valid            Kind = "valid"                  // each partition of a topic that is read and exists once, to a reader, nothing else
	MembersInPlan    Kind = "members_in_plan"        // these members are named in what is sent
	FixedPoint       Kind = "fixed_point"            // planning again from the result changes nothing
	OrderIndependent Kind = "order_independent"      // the order in which members are listed changes no byte
	SameByInstance   Kind = "same_by_instance"       // as in the step before under the same instance IDs
	Parse            Kind = "parse"                  // whether metadata can be read
	Wire             Kind = "wire"                   // equal members send equal bytes
	Scale            Kind = "scale"                  // a large group within a time
	AddOfClaimed     Kind = "coop.no_add_of_claimed" // nobody gets what another claims at the highest generation
	WithheldIfMoved  Kind = "coop.withheld_if_moved" // a partition that moves goes to nobody in the first round
)

// Kinds that a strategy promises or not. They bind every strategy where the
// subscriptions leave no choice.
const (
	Loads           Kind = "loads"            // totals by member, sorted down
	LoadsByMember   Kind = "loads_by_member"  // totals by member
	WithinOne       Kind = "within_one"       // totals differ by one at most
	TopicLoads      Kind = "topic_loads_soft" // totals by member within a topic, sorted down
	KeepTopic       Kind = "keep_topic"       // a member has the whole of a topic
	Moved           Kind = "moved"            // how many partitions leave a present owner
	OffRack         Kind = "off_rack"         // how many partitions are off their leader's rack
	Keep            Kind = "keep"             // members have at least these partitions
	Not             Kind = "not"              // members have none of these
	Exact           Kind = "exact"            // members have these and no other
	SubsetOfClaims  Kind = "subset_of_claims" // members get nothing they did not claim
	Withheld        Kind = "coop.withheld"    // what goes to nobody in the first round
	WithheldCount   Kind = "coop.withheld_count"
	MaxRounds       Kind = "coop.max_rounds"  // within how many rounds the group settles
	exactRange      Kind = "exact_range"      // what kgo's and Java's range balancer does
	withinOneRange  Kind = "within_one_range" // the same
	exactRoundRobin Kind = "exact_roundrobin"
	roundRobinLoads Kind = "roundrobin_loads"

	remember Kind = "remember" // no expectation: a later step uses this assignment
)

// whose promise a kind is.
type whose int

const (
	everybodys whose = iota
	theirs           // a strategy's, if it says so
	others           // never ours: another balancer's placement
	nobodys          // nothing is expected
)

// table has every kind. A check reports what is wrong to the judge; forced tells
// whether the subscriptions alone decide, so that any strategy is bound.
var table map[Kind]kind

type kind struct {
	whose  whose
	check  func(j *judge, want json.RawMessage)
	forced func(j *judge, want json.RawMessage) bool
	reason string // why a strategy need not promise it
}

func init() { // not a literal: the checks reach table through Load
	const (
		even   = "for a strategy that balances"
		sticks = "for a strategy that looks at owners"
		racks  = "for a strategy that looks at racks"
		forced = "beyond what the subscriptions decide, for a strategy that balances and looks at owners"
		java   = "what another balancer does, range or round-robin"
	)
	table = map[Kind]kind{
		Valid:            {whose: everybodys, check: checkValid},
		MembersInPlan:    {whose: everybodys, check: checkMembersInPlan},
		FixedPoint:       {whose: everybodys, check: checkFixedPoint},
		OrderIndependent: {whose: everybodys, check: checkOrderIndependent},
		SameByInstance:   {whose: everybodys, check: checkSameByInstance},
		Parse:            {whose: everybodys, check: checkParse},
		Wire:             {whose: everybodys, check: checkWire},
		Scale:            {whose: everybodys, check: checkScale},
		AddOfClaimed:     {whose: everybodys, check: checkAddOfClaimed},
		WithheldIfMoved:  {whose: everybodys, check: checkWithheldIfMoved},

		Loads:          {theirs, checkLoads, noChoice, even},
		LoadsByMember:  {theirs, checkLoadsByMember, noChoice, even},
		WithinOne:      {theirs, checkWithinOne, noChoice, even},
		TopicLoads:     {theirs, checkTopicLoads, noChoice, even},
		KeepTopic:      {theirs, checkKeepTopic, onlyReaders, forced},
		Moved:          {theirs, checkMoved, noChoice, sticks},
		OffRack:        {theirs, checkOffRack, noChoice, racks},
		Keep:           {theirs, checkKeep, onlyReader, forced},
		Not:            {theirs, checkNot, noReader, forced},
		Exact:          {theirs, checkExact, noChoice, forced},
		SubsetOfClaims: {theirs, checkSubsetOfClaims, noChoice, sticks},
		Withheld:       {theirs, checkWithheld, noChoice, sticks},
		WithheldCount:  {theirs, checkWithheldCount, noChoice, sticks},
		MaxRounds:      {theirs, checkMaxRounds, twoRounds, sticks},

		exactRange:      {whose: others, reason: java},
		withinOneRange:  {whose: others, reason: java},
		exactRoundRobin: {whose: others, reason: java},
		roundRobinLoads: {whose: others, reason: java},

		remember: {whose: nobodys},
	}
}
