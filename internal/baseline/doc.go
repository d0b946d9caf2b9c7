// Package baseline holds the algorithms that this project's strategies are
// compared with, and that the articles on consistent and rendezvous hashing
// explain: E. Bendersky, "Consistent hashing"; Wikipedia, "Rendezvous hashing";
// and the papers that each type names. The tests reproduce the articles'
// figures. Nothing here is meant to run a consumer group.
//
// Every [Algorithm] builds a [Placement] from a list of nodes, and a Placement
// tells the owner of a key. For n nodes of weights that sum to W:
//
//	algorithm     build       owner           join and leave       weights
//	ModN          1           1               nearly all move      no
//	Jump          1           ln n            last node only       no
//	Ring          Wv log Wv   log Wv          needed moves only    times virtual nodes
//	CARP          n log n     n               drifts with weights  exact
//	Straw2        n           n               needed moves only    exact
//	Multiplicity  W           W               needed moves only    exact
//	Logarithmic   1           n               needed moves only    exact
//	Skeleton      n           m + f log n     5 to 98 % move       no
//
// v is the number of virtual nodes, m the size of a cluster, f the tree's
// fanout. A needed move is one to a node that joins or from one that leaves.
//
// [Strategy] carries an Algorithm as an assignor.Strategy, so that plans, moves
// and loads are counted in one way for all. Several algorithms use floating
// point, which another architecture may round otherwise; the strategies proper
// do not.
package baseline
