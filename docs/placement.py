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


# Weights


def neg_log2(s):
    """-log2((s + 1/2) / 2^64) in units of 2^-52, rounded up, at least 1."""
    n = 64 - s.bit_length()  # leading zeros
    x = s if n == 0 else (2 * s + 1) << (n - 1)
    log = 0
    for _ in range(52):
        x, log = x * x, 2 * log
        if x >> 127:
            log, x = log + 1, x >> 64
        else:
            x >>= 63
    return max(((n + 1) << 52) - log, 1)


def rank_weighted(topic, partition, weights):
    """weights: {key: weight}. Exact: fractions, not floats."""
    from fractions import Fraction
    k = partition_hash(topic, partition)

    def worth(m):
        s = score(k, member_hash(m))
        return (Fraction(neg_log2(s), weights[m]), -s, m.encode())
    return sorted(weights, key=worth)


# Load bound


def caps(topics, weights, milli):
    """Everybody reads all topics ({name: partitions}); milli is the bound in thousandths."""
    total = sum(topics.values())
    w = sum(weights.values())
    return {m: -(-milli * total * weights[m] // (1000 * w)) for m in weights}


def plan_bounded(topics, weights, milli):
    """The stable matching, greedily: the best pair of all that is still possible, again and again."""
    from fractions import Fraction
    room = caps(topics, weights, milli)
    pairs = []
    for t, n in topics.items():
        for p in range(n):
            k = partition_hash(t, p)
            for m in weights:
                s = score(k, member_hash(m))
                pairs.append((Fraction(neg_log2(s), weights[m]), -s, m.encode(), t, p, m))
    owner = {}
    for *_, t, p, m in sorted(pairs):
        if (t, p) not in owner and room[m] > 0:
            owner[t, p] = m
            room[m] -= 1
    return owner


# Slots

SLOT_BITS, CLAIMS, MAX_CLAIMS, MAX_STEPS = 18, 48, 4096, 64


def point(h, i):
    return score((h + i * 0x9E3779B97F4A7C15) & MASK, 0)


def walk(h):
    i = 0
    while True:
        x = point(h, i)
        for j in range(3):
            yield x >> (64 - SLOT_BITS * (j + 1)) & (1 << SLOT_BITS) - 1
        i += 1


def slots_of(key, weight):
    return {s for _, s in zip(range(min(CLAIMS * weight, MAX_CLAIMS)), walk(member_hash(key)))}


def rank_slots(topic, partition, weights):
    k = partition_hash(topic, partition)
    claimed = {m: slots_of(m, w) for m, w in weights.items()}
    sequence = [s for _, s in zip(range(MAX_STEPS), walk(k))]
    first = {m: next((i for i, s in enumerate(sequence) if s in claimed[m]), None) for m in weights}
    hit = [m for m in weights if first[m] is not None]
    hit.sort(key=lambda m: (first[m], -score(k, member_hash(m)), m.encode()))
    return hit + [m for m in rank_weighted(topic, partition, weights) if first[m] is None]


# Ring


def rank_ring(topic, partition, weights, virtual_nodes):
    """A member is as good as its first point at or after the partition is near."""
    k = partition_hash(topic, partition)

    def distance(m):
        h = member_hash(m)
        return min((point(h, i) - k) & MASK for i in range(min(virtual_nodes * weights[m], 1 << 16)))
    return sorted(weights, key=lambda m: (distance(m), m.encode()))


def vectors():
    topics = ["orders", "a", "", "events.v1", "größe", "topic-0000000003", "x" * 249,
              "a longer name that crosses the stripes of thirty-two bytes"]
    keys = ["worker-0", "worker-1", "worker-10", "a", "b", "ingest-7d9f8c6b5-x2x4z", "größe",
            "consumer-1-8a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9", "k" * 255, "twin\0consumer-2"]
    partitions = [0, 1, 2, 7, 255, 256, 65535, 100000, 2**31 - 1]
    groups = [["worker-0"], ["a", "b"], ["worker-%d" % i for i in range(12)], keys,
              ["pod-%03d" % i for i in range(100)]]
    weighted = [{"worker-0": 1, "worker-1": 2, "worker-2": 3}, {"a": 1, "b": 10000},
                {"pod-%d" % i: 1 + i % 5 for i in range(20)}, {"pod-%d" % i: 7 for i in range(9)}]
    logs = [0, 1, 2, 3, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 63) + 1, 3 << 62, (1 << 64) - 2, (1 << 64) - 1,
            0x0123456789ABCDEF, 0xFEDCBA9876543210]
    bounded = [({"orders": 10, "events.v1": 13}, weighted[0], 1000), ({"orders": 36}, {"pod-%d" % i: 1 for i in range(7)}, 1250),
               ({"a": 12, "orders": 12}, {"pod-%d" % i: 1 + i % 3 for i in range(5)}, 1100)]
    h = lambda x: "%016x" % x
    sample = [(t, p) for t in ("orders", "größe") for p in (0, 1, 7, 100000)]
    return {
        "about": "Golden vectors of protocol hrw, see docs/placement.md. Hashes are 64 bits in hexadecimal; rank lists members from the owner on.",
        "partitions": [{"topic": t, "partition": p, "hash": h(partition_hash(t, p))} for t in topics for p in partitions],
        "members": [{"key": k, "hash": h(member_hash(k))} for k in keys],
        "scores": [{"topic": t, "partition": p, "key": k, "score": h(score(partition_hash(t, p), member_hash(k)))}
                   for t in topics[:4] for p in partitions[:4] for k in keys[:5]],
        "ranks": [{"topic": t, "partition": p, "members": g, "rank": rank(t, p, g)[:5]}
                  for g in groups for t in topics[:4] for p in partitions[:4]],
        "logs": [{"score": h(s), "neg_log2": neg_log2(s)} for s in logs],
        "weighted": [{"topic": t, "partition": p, "weights": w, "rank": rank_weighted(t, p, w)[:5]}
                     for w in weighted for t, p in sample],
        "slots": [{"topic": t, "partition": p, "weights": w, "rank": rank_slots(t, p, w)[:5]}
                  for w in weighted + [{"pod-%03d" % i: 1 for i in range(300)}] for t, p in sample],
        "ring": [{"topic": t, "partition": p, "weights": w, "virtual_nodes": v, "rank": rank_ring(t, p, w, v)[:5]}
                 for w in weighted[:1] + weighted[2:] for v in (1, 128) for t, p in sample],
        "bounded": [{"topics": t, "weights": w, "bound": milli / 1000, "caps": caps(t, w, milli),
                     "owners": {n: [plan_bounded(t, w, milli)[n, p] for p in range(t[n])] for n in t}}
                    for t, w, milli in bounded],
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
