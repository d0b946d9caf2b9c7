// Package hash is highest-random-weight (rendezvous) hashing itself, without
// groups, members or topics around it: D. Thaler and C. Ravishankar, "Using
// Name-Based Mappings to Increase Hit Rates", IEEE/ACM Transactions on
// Networking 6(1), 1998. Every pair of a partition and a member has a
// pseudo-random score, and the member with the highest score is the owner; a
// member that leaves takes its own scores away and changes no other.
//
// Names are hashed once, by [Key] and [Member] (xxh64). A pair's [Score] is one
// step of splitmix64 on the two hashes, so that a whole group costs partitions
// × members mixes and not as many hashes of strings. [Best], [BestAll] and [Top]
// find the highest scores.
//
// Equal arguments give equal results, on every machine and in every version:
// leaders of one group must agree, so placement is frozen (docs/placement.md).
// Nothing here reads a clock, the environment or a source of randomness, and
// nothing keeps state.
package hash
