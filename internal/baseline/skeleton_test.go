package baseline

import (
	"testing"

	"github.com/kgo-rendezvous/kgo-rendezvous/internal/hash"
)

// As wide a cluster as there are nodes is plain rendezvous hashing, as the
// article says.
func TestSkeletonOfOneClusterIsRendezvous(t *testing.T) {
	ns := equal(30)
	p, members := Skeleton{Cluster: 30}.Build(ns), hashes(ns)
	for _, k := range keys(1000) {
		if got, want := p.Owner(k), hash.Best(hash.Member(k), members); got != want {
			t.Fatalf("%q belongs to %d, want %d", k, got, want)
		}
	}
}

// The article's tree of 108 nodes in 27 clusters of 4, fanout 3: three tiers,
// named by the digits from the root.
func TestArticleSkeleton(t *testing.T) {
	p := Skeleton{}.Build(equal(108)).(skeleton)
	if len(p.tiers) != 3 || len(p.tiers[0]) != 3 || len(p.tiers[1]) != 9 || len(p.tiers[2]) != 27 {
		t.Fatalf("tiers %v", p.tiers)
	}
	for name, got := range map[string]uint64{"2": p.tiers[0][2], "2/0": p.tiers[1][6], "2/0/1": p.tiers[2][19]} {
		if got != hash.Member(name) {
			t.Errorf("%s is named otherwise", name)
		}
	}
	ns := equal(108)
	checkShares(t, "complete tree", ns, loads(p, ns, keys(50_000)))
}

// What a partial last cluster costs: it gets as much as a full one, and as few
// clusters in the last branch as much as many.
func TestSkeletonLoadsALastCluster(t *testing.T) {
	ks := keys(20_000)
	for _, test := range []struct {
		n, last int     // nodes, in the last cluster
		times   float64 // its share of the tree over its share of the nodes
	}{
		{108, 4, 1},
		{107, 3, 108. / 27 / 3 * 107 / 108}, // 27 clusters
		{50, 2, 50. / 2 / 4},                // 13 clusters: 9 and 3 and 1, 2 tiers below
		{101, 1, 101. / 18},                 // 26: 9, 9, 8
		{98, 2, 98. / 2 / 9},                // 25: 9, 9, 7
		{109, 1, 109. / 2},                  // 28: one alone in the other half
	} {
		ns := equal(test.n)
		ls := loads(Skeleton{}.Build(ns), ns, ks)
		var last int
		for _, l := range ls[test.n-test.last:] {
			last += l
		}
		got := float64(last) / float64(len(ks)) * float64(test.n) / float64(test.last)
		t.Logf("%3d nodes, %d in the last cluster: %.1f × the average each, %.1f expected", test.n, test.last, got, test.times)
		if got < 0.85*test.times || got > 1.15*test.times {
			t.Errorf("%d nodes: the last cluster's have %.2f × the average, want %.2f", test.n, got, test.times)
		}
	}
}

// What growth by one moves, on average over places in the order, where one key
// in n+1 would do: everything if the tree gains a tier, and else the more the
// smaller the clusters.
func TestSkeletonMovesOnGrowth(t *testing.T) {
	ks := keys(2000)
	const places = 10
	for _, test := range []struct {
		a           Skeleton
		least, most float64
		n           []int
	}{
		{Skeleton{Cluster: 4, Fanout: 3}, 15, 30, []int{30, 50, 100, 107, 200, 500}},
		{Skeleton{Cluster: 8, Fanout: 3}, 10, 25, []int{30, 50, 100, 107, 200, 500}},
		{Skeleton{Cluster: 16, Fanout: 4}, 5, 15, []int{30, 50, 100, 107, 200, 500}},
		{Skeleton{Cluster: 4, Fanout: 3}, 85, 100, []int{36, 108}},
		{Skeleton{Cluster: 8, Fanout: 3}, 85, 100, []int{72, 216}},
		{Skeleton{Cluster: 16, Fanout: 4}, 85, 100, []int{256}},
	} {
		for _, n := range test.n {
			ns := equal(n)
			var got float64
			for i := range places {
				before := (2*i + 1) * n / (2 * places)
				joiner := Node{ns[before].Name + "-", 1}
				m := moved(test.a, ns, with(ns, before+1, joiner), ks)
				got += m.percent(m.needed+m.needless) / places
			}
			t.Logf("clusters of %2d, fanout %d, %3d nodes and one: %4.1f %% move, %.1f %% would do",
				test.a.Cluster, test.a.Fanout, n, got, 100/float64(n+1))
			if got < test.least || got > test.most {
				t.Errorf("%+v, %d nodes and one: %.1f %% move, want %v to %v", test.a, n, got, test.least, test.most)
			}
		}
	}
}
