// Package warm keeps a file that remembers which partitions a member has state
// for: what to tell the group after a restart, through assignor.Warm. The file
// is replaced as a whole (write, fsync, rename, fsync the directory), so a
// process killed at any point leaves the old list or the new one.
//
//	have, err := warm.Open("/state/warm")
//	if err != nil {
//		log.Fatal(err) // the path cannot be used at all; a damaged file is no error
//	}
//	b := sticky.New(assignor.Identity("worker-7"), assignor.Warm(have.Partitions))
//	client, err := kgo.NewClient(
//		kgo.Balancers(b),
//		kgo.OnPartitionsAssigned(func(_ context.Context, _ *kgo.Client, got map[string][]int32) {
//			openStores(got)
//			logged(have.Add(got)) // the state is here: say so
//		}),
//		kgo.OnPartitionsRevoked(func(ctx context.Context, c *kgo.Client, gone map[string][]int32) {
//			finishWork(ctx, c, gone) // and commit: this option takes the place of kgo's own
//			if stopping() {
//				return // leaving revokes everything; the restart wants it back
//			}
//			logged(have.Remove(gone)) // before the state itself is dropped
//			dropStores(gone)
//		}),
//		kgo.OnPartitionsLost(func(_ context.Context, _ *kgo.Client, lost map[string][]int32) {
//			stopWork(lost) // the state stays
//		}),
//		...
//	)
//
// What the file says is a hint: it costs no balance, and an error in writing it
// is to be logged, not to be died of.
//
// # What to remember when
//
// The list should say what is on disk, so its order against the state's own is:
// Add after the state is there, Remove before it goes. A crash in between then
// makes the list too short, never too long.
//
//   - Assigned: Add, once the state is built or opened. Adding at once is
//     good enough where state is built while records are processed, unless
//     the broker's group.initial.rebalance.delay.ms is 0: then whoever is back
//     first is assigned everything for a moment.
//   - Revoked: Remove if the state is dropped, as above. If it stays on disk for
//     a while, because the partition may well come back, do not: it is at hand,
//     and Remove belongs where the state is dropped at last. A list that only
//     grows is worth nothing: in the end every member claims everything.
//   - Lost: nothing. The session is over, the state is still there, and the
//     member is about to join again and wants it back. Set an OnPartitionsLost
//     of your own: without one, kgo calls OnPartitionsRevoked.
//   - Leaving: a client that leaves its group or is closed has everything
//     revoked first, which must not empty the list just before the restart that
//     it is for: do not Remove (and do not drop state) once the program is
//     stopping. A program that cannot tell there calls Freeze before it leaves.
//   - A group that stops the world (assignor.Eager) revokes everything in every
//     round, just before Warm is asked: there, call only Set, when assigned.
//
// There are no ready-made callbacks here: a program with state has its own, and
// one that only wanted this would lose kgo's commit on revoke by it.
//
// # The file
//
// Text, to be read by people too; topics and partitions ascend:
//
//	kgo-rendezvous warm 1 crc32c 42099e8a
//	orders 0-3,7
//	payments 12
//
// The first line names the format, its version and the checksum (CRC-32C) of
// everything after it. A topic name that Kafka would not allow is quoted as in
// Go. To make a member forget, delete the file.
//
// A file that is corrupted, cut off, not ours, over 16 MiB or of a newer version
// counts as empty: [Open] warns and succeeds. It is not destroyed: before it is
// replaced it is renamed to end in .unreadable.
//
// Each member has a file of its own, for each group that it is in. Two
// processes that share one by mistake, as for a moment in a deploy that starts
// the new one first, do not break it: what was written last stands.
package warm
