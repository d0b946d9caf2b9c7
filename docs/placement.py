#!/usr/bin/env python3
"""hrw's placement in plain Python, after docs/placement.md and nothing else.

It shares no code with the Go implementation. Run, it checks every golden vector
of placement.json; with --write it writes them anew, which is only ever right
under a new protocol name.
"""
import json, os, sys

MASK = (1 << 64) - 1
P1, P2, P3, P4, P5 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9,
                      0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)


def rotl(x, n):
    return ((x << n) | (x >> (64 - n))) & MASK


def xxh64(data):
    """XXH64 with seed 0 (xxhash.com, specification 0.1.1)."""
    def le(i, n):
        return int.from_bytes(data[i:i + n], "little")

    def stripe(acc, lane):
        return rotl((acc + lane * P2) & MASK, 31) * P1 & MASK

    i, n = 0, len(data)
    if n >= 32:
        acc = [(P1 + P2) & MASK, P2, 0, -P1 & MASK]
        while i + 32 <= n:
            acc = [stripe(a, le(i + 8 * j, 8)) for j, a in enumerate(acc)]
            i += 32
        h = sum(rotl(a, r) for a, r in zip(acc, (1, 7, 12, 18))) & MASK
        for a in acc:
            h = ((h ^ stripe(0, a)) * P1 + P4) & MASK
    else:
        h = P5
    h = (h + n) & MASK
    while i + 8 <= n:
        h = (rotl(h ^ stripe(0, le(i, 8)), 27) * P1 + P4) & MASK
        i += 8
    if i + 4 <= n:
        h = (rotl(h ^ (le(i, 4) * P1 & MASK), 23) * P2 + P3) & MASK
        i += 4
    while i < n:
        h = rotl(h ^ (data[i] * P5 & MASK), 11) * P1 & MASK
        i += 1
    h = (h ^ h >> 33) * P2 & MASK
    h = (h ^ h >> 29) * P3 & MASK
    return h ^ h >> 32


def partition_hash(topic, partition):
    return xxh64(topic.encode() + b"\0" + partition.to_bytes(4, "big"))


def member_hash(key):
    return xxh64(key.encode())


def score(k, m):
    z = ((k ^ m) + 0x9E3779B97F4A7C15) & MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def rank(topic, partition, members):
    k = partition_hash(topic, partition)
    return sorted(members, key=lambda m: (-score(k, member_hash(m)), m.encode()))


def vectors():
    topics = ["orders", "a", "", "events.v1", "größe", "topic-0000000003", "x" * 249,
              "a longer name that crosses the stripes of thirty-two bytes"]
    keys = ["worker-0", "worker-1", "worker-10", "a", "b", "ingest-7d9f8c6b5-x2x4z", "größe",
            "consumer-1-8a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9", "k" * 255, "twin\0consumer-2"]
    partitions = [0, 1, 2, 7, 255, 256, 65535, 100000, 2**31 - 1]
    groups = [["worker-0"], ["a", "b"], ["worker-%d" % i for i in range(12)], keys,
              ["pod-%03d" % i for i in range(100)]]
    h = lambda x: "%016x" % x
    return {
        "about": "Golden vectors of protocol hrw, see docs/placement.md. Hashes are 64 bits in hexadecimal; rank lists members from the owner on.",
        "partitions": [{"topic": t, "partition": p, "hash": h(partition_hash(t, p))} for t in topics for p in partitions],
        "members": [{"key": k, "hash": h(member_hash(k))} for k in keys],
        "scores": [{"topic": t, "partition": p, "key": k, "score": h(score(partition_hash(t, p), member_hash(k)))}
                   for t in topics[:4] for p in partitions[:4] for k in keys[:5]],
        "ranks": [{"topic": t, "partition": p, "members": g, "rank": rank(t, p, g)[:5]}
                  for g in groups for t in topics[:4] for p in partitions[:4]],
    }


def main():
    # The two published values: the empty input, and one longer than a stripe.
    assert xxh64(b"") == 0xEF46DB3751D8E999
    assert xxh64(b"Nobody inspects the spammish repetition") == 0xFBCEA83C8A378BF1
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "placement.json")
    now = vectors()
    if "--write" in sys.argv[1:]:
        with open(path, "w") as f:
            # One vector a line: a change shows in a diff.
            f.write("{\n")
            f.write(' "about": %s' % json.dumps(now.pop("about")))
            for name, rows in now.items():
                f.write(',\n "%s": [\n' % name)
                f.write(",\n".join("  " + json.dumps(r) for r in rows))
                f.write("\n ]")
            f.write("\n}\n")
        return
    with open(path) as f:
        want = json.load(f)
    wrong = [(s, w, n) for s in now if s != "about" for w, n in zip(want[s], now[s], strict=True) if w != n]
    for w in wrong[:10]:
        print("differs:", *w)
    print("%d vectors, %d differ" % (sum(len(want[s]) for s in now if s != "about"), len(wrong)))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
