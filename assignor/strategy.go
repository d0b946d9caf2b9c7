package assignor

// A Strategy places partitions.
//
// Assign is a pure function of g: the same Group gives the same Plan, byte for
// byte, in every process, since any member may become the leader. It must not
// change g nor keep it, and must return one owner, a subscriber of the topic,
// for every partition of every topic of g. It may be called from several
// goroutines at once. It runs between join and sync while no member of the
// group heartbeats: seconds are too long.
//
// A Balancer checks what Assign returns. A Strategy that panics or breaks the
// contract does not stop the group: see Report.Err.
//
// The package assignortest holds the laws a Strategy can be run through.
type Strategy interface {
	// Name is the protocol name in the group, "hrw" for example. All
	// members of a group agree on one by name, so a change that places
	// partitions otherwise needs a new name.
	Name() string
	Assign(g *Group) Plan
}

// A Ranker can tell who is next. Rank returns up to k members of the topic's
// subscribers: [0] is the owner, [1] takes over if it leaves, and so on.
type Ranker interface {
	Strategy
	Rank(g *Group, topic int, partition int32, k int) []int32
}

// An Updater can plan g more cheaply from an earlier result of its own.
// Update(last, plan, g) equals Assign(g), always, where plan is what Assign or
// Update returned for last. It may return rows of plan, and must not change
// them.
type Updater interface {
	Strategy
	Update(last *Group, plan Plan, g *Group) Plan
}

// A Homing strategy looks at Topic.Homes and Topic.Warm. For others a Balancer
// leaves them nil.
type Homing interface {
	Strategy
	Homing()
}

// A Validator has settings that can make no sense. Validate is asked once, by
// New; its error says which setting and what to do.
type Validator interface {
	Validate() error
}

// An Auditor has something to tell of a plan that a user should know, such as a
// bound that had to be exceeded. Audit is called with every plan of its own
// that passed the check.
type Auditor interface {
	Audit(g *Group, p Plan) []Warning
}
