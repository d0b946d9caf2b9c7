package cases_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kgo-rendezvous/kgo-rendezvous/assignor"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/cases"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/lead"
	"github.com/kgo-rendezvous/kgo-rendezvous/internal/oracle"
	"github.com/kgo-rendezvous/kgo-rendezvous/sticky"
)

// Partitions that several members claim, by who claims them as of which
// generation; the rebalance is of generation 11. Where nothing need leave its
// owner nothing does. kgo's cooperative-sticky takes one away for each of the
// first two, cases C055 and C056.
func TestContestedClaimsMoveNothing(t *testing.T) {
	none := int32(-1)
	for _, tt := range []struct {
		name    string
		counts  map[string]int32
		members []lead.Member
		moves   int
		want    string // what is sent in the first round; "" where several plans are as good
	}{
		{"C055: an older generation", tu(3, 3), []lead.Member{
			owns("c1", 10, lead.Owned{"t": {0, 2}, "u": {1}}), owns("c2", 9, lead.Owned{"t": {0, 2}, "u": {1}})},
			0, "c1:t[0 2]u[1] c2:t[1]u[0 2]"},
		{"C056: no generation", tu(3, 3), []lead.Member{
			owns("c1", 10, lead.Owned{"t": {0, 2}, "u": {1}}), owns("c2", none, lead.Owned{"t": {0, 2}, "u": {1}})},
			0, "c1:t[0 2]u[1] c2:t[1]u[0 2]"},
		{"the beaten one is listed first", tu(3, 3), []lead.Member{
			owns("c1", 9, lead.Owned{"t": {0, 2}, "u": {1}}), owns("c2", 10, lead.Owned{"t": {0, 2}, "u": {1}})},
			0, "c1:t[1]u[0 2] c2:t[0 2]u[1]"},
		{"the beaten one claimed everything", tu(3, 3), []lead.Member{
			owns("c1", 9, lead.Owned{"t": {0, 1, 2}, "u": {0, 1, 2}}), owns("c2", 10, lead.Owned{"t": {1}, "u": {0, 2}})},
			0, "c1:t[0 2]u[1] c2:t[1]u[0 2]"},
		{"the same generation, all of it", tu(3, 3), []lead.Member{
			owns("c1", 10, lead.Owned{"t": {0, 2}, "u": {1}}), owns("c2", 10, lead.Owned{"t": {0, 2}, "u": {1}})},
			0, ""},
		{"the same generation, a part", tu(3, 3), []lead.Member{
			owns("c1", 10, lead.Owned{"t": {0, 1}, "u": {0}}), owns("c2", 10, lead.Owned{"t": {0, 2}, "u": {1}})},
			0, ""},
		{"the same generation, each has its share besides", tu(3, 3), []lead.Member{
			owns("c1", 10, lead.Owned{"t": {0, 1, 2}}), owns("c2", 10, lead.Owned{"t": {0}, "u": {0, 1}})},
			0, ""},
		{"two without a generation", tu(3, 3), []lead.Member{
			owns("c1", none, lead.Owned{"t": {0, 2}, "u": {1}}), owns("c2", none, lead.Owned{"t": {0, 2}, "u": {2}})},
			0, ""},
		{"three claimants, three generations", tu(4, 5), []lead.Member{
			owns("c1", 8, lead.Owned{"t": {0, 1}, "u": {0}}), owns("c2", 10, lead.Owned{"t": {0, 1}, "u": {0}}), owns("c3", 9, lead.Owned{"t": {0, 1}, "u": {0}})},
			0, ""},
		{"three claimants, two of them in the same generation", tu(4, 5), []lead.Member{
			owns("c1", 10, lead.Owned{"t": {0, 1}, "u": {0}}), owns("c2", 10, lead.Owned{"t": {0, 1}, "u": {1}}), owns("c3", 9, lead.Owned{"t": {0, 1, 2}})},
			0, ""},
		{"three claimants, each beaten by the next", tu(3, 3), []lead.Member{
			owns("c1", 8, lead.Owned{"t": {0, 1, 2}}), owns("c2", 9, lead.Owned{"t": {1, 2}, "u": {0}}), owns("c3", 10, lead.Owned{"t": {2}, "u": {0}})},
			0, ""},
		{"contested, owned and free ones", tu(4, 4), []lead.Member{
			owns("c1", 10, lead.Owned{"t": {0, 1}, "u": {0}}), owns("c2", 9, lead.Owned{"t": {0, 1}, "u": {1}}), owns("c3", none, lead.Owned{"t": {0}, "u": {2}})},
			0, ""},
		{"contested, and a member with nothing", tu(2, 2), []lead.Member{
			owns("c1", 10, lead.Owned{"t": {0}, "u": {0}}), owns("c2", 9, lead.Owned{"t": {0}, "u": {1}}), owns("c3", none, nil)},
			0, "c1:t[0]u[0] c2:u[1] c3:t[1]"},
		{"the newest claimant reads it no more", tu(2, 2), []lead.Member{
			owns("c1", 9, lead.Owned{"t": {0, 1}}), reads(owns("c2", 10, lead.Owned{"t": {0}}), "u")},
			0, "c1:t[1] c2:u[0 1]"}, // t/0 waits a round for c2 to let go
		{"the newest claimant has too many", tu(2, 2), []lead.Member{
			owns("c1", 9, lead.Owned{"t": {0, 1}}), owns("c2", 10, lead.Owned{"t": {0, 1}, "u": {0, 1}})},
			2, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, v := cases.NewLeader(sticky.Strategy{}), known(tt.counts)
			r := round(t, l, 11, v, tt.members...)
			if n := len(r.Report.Moves); n != tt.moves {
				t.Errorf("%d partitions leave their owners, want %d: %v", n, tt.moves, r.Report.Moves)
			}
			isBest(t, r)
			if tt.want != "" {
				sent(t, r, tt.want)
			}
			settled := round(t, l, 12, v, next(r, tt.members...)...)
			if len(settled.Report.Withheld) > 0 || len(settled.Report.Moves) > 0 {
				t.Errorf("not settled: withheld %v, moves %v", settled.Withheld(), settled.Report.Moves)
			}
			t.Logf("kgo's cooperative-sticky takes %d from their owners", takenByKgo(t, r, tt.members, tt.counts))
		})
	}
}

// The same for claims at random: never more leaves its owner than must. Whatever
// the group, that is the oracle's to say.
func TestContestedClaimsAtRandom(t *testing.T) {
	var ours, more, groups int
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 0))
		counts := map[string]int32{"t": int32(1 + rnd.IntN(5)), "u": int32(1 + rnd.IntN(5)), "v": int32(1 + rnd.IntN(2))}
		var members []lead.Member
		for i := range 2 + rnd.IntN(4) {
			owned := make(lead.Owned)
			for _, topic := range []string{"t", "u", "v"} { // not in map order: the seed decides
				for p := range counts[topic] {
					if rnd.IntN(3) == 0 {
						owned[topic] = append(owned[topic], p)
					}
				}
			}
			members = append(members, owns(string(rune('a'+i)), []int32{-1, 8, 9, 10}[rnd.IntN(4)], owned))
			members[i].Topics = [][]string{{"t", "u", "v"}, {"t", "u", "v"}, {"t", "u", "v"}, {"t"}, {"u", "v"}, {"t", "v"}}[rnd.IntN(6)]
		}
		r := round(t, cases.NewLeader(sticky.Strategy{}), 11, known(counts), members...)
		if isBest(t, r); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
		groups, ours = groups+1, ours+len(r.Report.Moves)
		if takenByKgo(t, r, members, counts) > len(r.Report.Moves) {
			more++
		}
	}
	t.Logf("%d groups, %d moves; kgo's cooperative-sticky moves more in %d of them", groups, ours, more)
}

// isBest fails if there is a better plan than the round's, which the oracle lists.
func isBest(t *testing.T, r *cases.Round) {
	t.Helper()
	if err := oracle.Judge(r.Report.Group, r.Report.Target, oracle.Options{}); err != nil {
		t.Errorf("%v\nit is\n%s", err, r.Report.Target.Format(r.Report.Group))
	}
}

// owns is a member that reads t and u and claims partitions of them.
func owns(id string, generation int32, owned lead.Owned) lead.Member {
	return lead.Member{ID: id, Balancer: plain, Topics: []string{"t", "u"}, Owned: owned, Generation: generation}
}

// tu are the sizes of t and u.
func tu(t, u int32) map[string]int32 { return map[string]int32{"t": t, "u": u} }

// takenByKgo has kgo's cooperative-sticky balance the members of a round and
// returns how many partitions it takes from those who own them.
func takenByKgo(t *testing.T, r *cases.Round, members []lead.Member, counts map[string]int32) (taken int) {
	t.Helper()
	b := kgo.CooperativeStickyBalancer()
	members = slices.Clone(members)
	for i := range members {
		members[i].Balancer = b
	}
	sync, err := lead.Balance(b, kgo.BalanceInfo{Group: "group", Generation: r.Generation, LeaderID: members[0].ID}, lead.Join(members), counts)
	if err != nil {
		t.Fatal(err)
	}
	sent, err := lead.Decode(b, sync)
	if err != nil {
		t.Fatal(err)
	}
	g := r.Report.Group
	for i, owners := range r.Report.Before {
		for p, m := range owners {
			if m != assignor.None && !slices.Contains(sent[g.Members[m].ID][g.Topics[i].Name], int32(p)) {
				taken++
			}
		}
	}
	return taken
}
