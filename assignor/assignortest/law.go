package assignortest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"pgregory.net/rapid"
)

// A Law is one promise that a Strategy keeps on every group.
type Law int

// The laws that bind every strategy. Run always checks them.
const (
	// Valid: every partition of every topic has one owner, a subscriber of
	// the topic, and the plan has a row for each topic and nothing else.
	Valid Law = 1 + iota
	// Pure: the same group gives the same plan, whatever was planned before
	// and however many plan at once; no input and no earlier result is
	// changed. Holds for Rank and Update too, where there are any. Run it
	// under the race detector.
	Pure
	// OrderFree: a group put together from members and topics in another
	// order gives the same plan, byte for byte.
	OrderFree
	// RestartStable: new member IDs and endpoints under the same keys change
	// nothing. Groups in which two members share a key are excepted.
	RestartStable
	// FixedPoint: planning again from the result moves nothing.
	FixedPoint
	// TwoStep: planning again from the middle of a handover settles
	// everything in that second round, with or without the leader's memory
	// of homes. Where only some have let go by then it takes a third; even
	// then each partition moves at most once.
	TwoStep
)

// The laws that a strategy may claim.
const (
	// Stateless is the stronger form of TwoStep: owners, homes and warm
	// lists change nothing, so that the plan from the middle of a handover is
	// the very same.
	Stateless Law = 1 + TwoStep + iota
	// Local: a join takes only for the joiner, a leave moves only what the
	// leaver had.
	Local
	// OwnerFirst is the part of Rank that holds with a bound on loads, too:
	// Rank names distinct subscribers, min(k, subscribers) of them, the owner
	// first, and a shorter ranking is the beginning of a longer one. Run
	// checks it for every Ranker.
	OwnerFirst
	// Rank: OwnerFirst, and once rank 0 is gone rank 1 owns, and so on down.
	Rank
	// Spread: over many small groups with fresh keys every partition falls to
	// each member alike, and so does, given its owner, the next one: who owns
	// it when the owner has left.
	Spread
	// SpreadWithin: the same within a single group of many partitions.
	SpreadWithin
	// Update: Update equals Assign over random histories. Run checks it for
	// every Updater.
	Update
)

// The laws of even placement, which a strategy may claim, in the order in which
// they count: each is about what those before it leave open. They are held against
// an exact solution, on small groups. PerTopic and Racks are for strategies that
// mind topics and racks, and have to be claimed beside the other three for these
// to know of it. A strategy that is not Homing is shown neither homes nor warm
// lists.
const (
	// PerTopic: within each topic every reader has the floor or the ceiling of
	// its quota, its share of the topic by weight.
	PerTopic Law = 1 + Update + iota
	// Even: loads are as even as can be. Where all members that read anything
	// read the same, each has the floor or the ceiling of its quota, its share
	// of all partitions by weight. The ceilings go first to holders above the
	// floor, then to those with most to take home, warm before home, then by
	// largest remainder; among equal remainders the strategy is free. With
	// Racks they go first of all to where fewest partitions are off their rack.
	// Where subscriptions are unlike, the loads, the largest first, are the
	// least possible, or if weights differ the sum of load²/weight is.
	Even
	// Racks: with loads as good no fewer partitions could be owned off their
	// leader's rack, the racks of both being known.
	Racks
	// LeastMoves: with loads as good no fewer partitions could be taken from
	// present owners. Where loads are not what Even says they are compared with
	// the same loads.
	LeastMoves
	// Home: with no more moves no more partitions could go to members that have
	// them warm and, with as many warm, no more to their homes. The strategy
	// must be Homing.
	Home

	laws
)

// texts has the name of each law and the promise in short, for messages.
var texts = [laws]struct{ name, promise string }{
	Valid:         {"valid", "every partition has one owner, a subscriber"},
	Pure:          {"pure", "same group, same plan; no input changed"},
	OrderFree:     {"order-free", "the order in which members and topics are delivered changes nothing"},
	RestartStable: {"restart-stable", "new member IDs under the same keys change nothing"},
	FixedPoint:    {"fixed-point", "planning again from the result moves nothing"},
	TwoStep:       {"two-step", "a second round settles everything, each partition moves at most once"},
	Stateless:     {"stateless", "owners, homes and warm lists change nothing"},
	Local:         {"local", "a join takes only for the joiner, a leave moves only what the leaver had"},
	OwnerFirst:    {"owner-first", "Rank names distinct subscribers, the owner first"},
	Rank:          {"rank", "rank 0 owns, without it rank 1 owns, and so on"},
	Spread:        {"spread", "owners, and the next given the owner, are even over groups with fresh keys"},
	SpreadWithin:  {"spread-within", "owners, and the next given the owner, are even within a group"},
	Update:        {"update", "Update equals Assign"},
	PerTopic:      {"per-topic", "within a topic every reader has the floor or the ceiling of its quota"},
	Even:          {"even", "loads are as even as subscriptions allow, by weight"},
	Racks:         {"racks", "with those loads no fewer partitions could be off their leader's rack"},
	LeastMoves:    {"least-moves", "with those loads no fewer partitions could move"},
	Home:          {"home", "with no more moves no more partitions could be where they are warm, then at home"},
}

// drawn has the laws that are checked on drawn input, fixed those with seeds of
// their own: a statistical test on drawn input would fail now and then.
func drawn(l Law) func(*trial) {
	return map[Law]func(*trial){
		Valid:         checkValid,
		Pure:          checkPure,
		OrderFree:     checkOrderFree,
		RestartStable: checkRestartStable,
		FixedPoint:    checkFixedPoint,
		TwoStep:       checkTwoStep,
		Stateless:     checkStateless,
		Local:         checkLocal,
		OwnerFirst:    checkOwnerFirst,
		Rank:          checkRank,
		Update:        checkUpdate,
		PerTopic:      checkPerTopic,
		Even:          checkEven,
		Racks:         checkRacks,
		LeastMoves:    checkLeastMoves,
		Home:          checkHome,
	}[l]
}

func fixed(l Law) func(*trial) {
	return map[Law]func(*trial){Spread: checkSpread, SpreadWithin: checkSpreadWithin}[l]
}

// shapes has the shape of the groups that a law is checked on, if not the zero one.
var shapes = map[Law]Shape{PerTopic: small, Even: small, Racks: small, LeastMoves: small, Home: small}

// String returns the law's name, "fixed-point" for example.
func (l Law) String() string {
	if l < 1 || l >= laws {
		return fmt.Sprintf("Law(%d)", int(l))
	}
	return texts[l].name
}

// Run checks s against the laws that bind every strategy, against OwnerFirst if
// it is a Ranker and Update if it is an Updater, and against those it claims.
// Each law is a sub-test under its name.
func Run(t *testing.T, s assignor.Strategy, claims ...Law) {
	t.Helper()
	claims = append(claims, Valid, Pure, OrderFree, RestartStable, FixedPoint, TwoStep)
	if _, ok := s.(assignor.Ranker); ok {
		claims = append(claims, OwnerFirst)
	}
	if _, ok := s.(assignor.Updater); ok {
		claims = append(claims, Update)
	}
	slices.Sort(claims)
	claims = slices.Compact(claims)
	for _, law := range claims {
		t.Run(law.String(), func(t *testing.T) {
			Check(t, s, law, claims...)
		})
	}
}

// Check checks one law: on 100 drawn inputs, or as many as the flag
// -rapid.checks says; Spread and SpreadWithin once, with seeds of their own.
// Beside it the strategy claims others, of which PerTopic and Racks change what
// Even, Racks, LeastMoves and Home compare with.
func Check(t rapid.TB, s assignor.Strategy, law Law, beside ...Law) {
	t.Helper()
	if check := fixed(law); check != nil {
		check(&trial{TB: t, law: law, s: s})
		return
	}
	rapid.Check(t, Property(s, law, beside...))
}

// Property returns a law as a property for rapid.Check or rapid.MakeFuzz, as Check
// checks it. It panics on Spread and SpreadWithin, for which nothing is drawn: use
// Check.
func Property(s assignor.Strategy, law Law, beside ...Law) func(*rapid.T) {
	check := drawn(law)
	if check == nil {
		panic(fmt.Sprintf("assignortest: the law %q draws nothing", law))
	}
	return func(t *rapid.T) {
		check(&trial{TB: t, T: t, law: law, s: s, beside: beside, shape: shapes[law]})
	}
}
