#!/usr/bin/python3
"""`ftr check` with limits of memory: a file of which a part was not checked never passes, and with enough memory the
findings are those of a check in Python.

    check_memory_test.py FTR
"""

import collections
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

import cbor2

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from made_trace import endless, item  # noqa: E402

FTR = os.path.abspath(sys.argv[1])
LIMITS = ("40K", "64K", "100K", "200K", "300K", "500K", "1M", "2M", "128M")


class Trace:
    """Transactions and relations in the order of the file."""

    def __init__(self, streams):
        self.streams = streams
        self.chunks = []  # (stream, [id, ...]) or [(from, to, stream of from, stream of to), ...]

    def ids(self):
        """The ids in order, with the streams of their first transactions."""
        first = {}
        duplicates = []
        for chunk in self.chunks:
            if isinstance(chunk, tuple):
                for number in chunk[1]:
                    if number in first:
                        duplicates.append(number)
                    else:
                        first[number] = chunk[0]
        return first, duplicates

    def expected(self):
        """The number of findings of each rule."""
        first, duplicates = self.ids()
        counts = collections.Counter({"tx-id": len(duplicates)})
        for chunk in self.chunks:
            if isinstance(chunk, tuple):
                continue
            for relation in chunk:
                for number, stream in zip(relation[:2], relation[2:]):
                    if number not in first:
                        counts["relation-ends"] += 1
                    elif first[number] != stream:
                        counts["relation-streams"] += 1
        return +counts

    def write(self, path):
        texts = ["kind", "read", "follows", *(f"top.s{n}" for n in range(self.streams))]
        directory = [entry for n in range(self.streams)
                     for entry in (item(16, [1 + 2 * n, 3 + n, 0]), item(17, [2 + 2 * n, 1, 1 + 2 * n]))]
        parts = [item(6, cbor2.dumps([-12, item(1, 1700000000)])), item(8, cbor2.dumps(dict(enumerate(texts)))),
                 item(10, endless(directory))]
        for chunk in self.chunks:
            if isinstance(chunk, tuple):
                stream, ids = chunk
                parts.append(item(12, [1 + 2 * stream, 0, 20, endless(
                    [[item(6, [number, 2 + 2 * stream, 0, 20])] for number in ids])]))
            else:
                parts.append(item(14, endless([[2, a, b, 1 + 2 * sa, 1 + 2 * sb] for a, b, sa, sb in chunk])))
        with open(path, "wb") as file:
            file.write(b"\xd9\xd9\xf7" + endless(parts))


def made(rng, count):
    """A random trace: nearly consecutive ids, or sparse ones, with some duplicates and false relations."""
    trace = Trace(rng.choice((1, 2, 3, 300)))
    is_sparse = rng.random() < 0.3
    ids = ([rng.randrange(1 << 62) for _ in range(count // 4)] if is_sparse
           else [1 + n for n in range(count) if rng.random() < 0.99])
    if rng.random() < 0.6:
        for _ in range(rng.choice((1, 3, 200))):
            ids.insert(rng.randrange(len(ids)), rng.choice(ids))
    stream_of = (lambda n: n % trace.streams) if rng.random() < 0.5 else (lambda n: rng.randrange(trace.streams))
    held = collections.defaultdict(list)
    limit = rng.choice((50, 1000, 5000))
    for number in ids:
        stream = stream_of(number)
        held[stream].append(number)
        if len(held[stream]) == limit:
            trace.chunks.append((stream, held.pop(stream)))
    trace.chunks += list(held.items())
    first, _ = trace.ids()
    known = list(first)
    for _ in range(rng.choice((0, 1, 3))):
        relations = []
        for _ in range(rng.choice((1, 400))):
            a, b = rng.choice(known), rng.choice(known)
            relations.append((a, b, first[a], first[b]))
        if rng.random() < 0.4:
            a = rng.choice(known)
            relations.append((a, max(known) + rng.choice((1, 5000, 1 << 40)), first[a], 0))
        if rng.random() < 0.4 and trace.streams > 1:
            a = rng.choice(known)
            relations.append((a, a, first[a], (first[a] + 1) % trace.streams))
        trace.chunks.insert(rng.randrange(len(trace.chunks) + 1), relations)
    return trace


def check(path, *arguments):
    """Exit status, and the findings as objects."""
    done = subprocess.run([FTR, "check", "--json", "--all", *arguments, path], check=False, capture_output=True,
                          text=True)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


class Memory(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.path = os.path.join(scratch.name, "run.ftr")

    def compare(self, trace, limits=LIMITS, threads=("1", "4")):
        """Checks with each limit; returns the numbers of complete and of incomplete checks."""
        trace.write(self.path)
        expected = trace.expected()
        seen = collections.Counter()
        for limit in limits:
            for count in threads:
                for strict in ((), ("--strict",)):
                    status, findings = check(self.path, "--memory", limit, "-j", count, *strict)
                    found = collections.Counter(f["rule"] for f in findings)
                    incomplete = [f for f in findings if f["rule"] in ("not-checked", "chunk-budget")]
                    for finding in findings:
                        if finding["rule"] == "not-checked":
                            self.assertEqual(finding["severity"], "not-checked")
                    if status == 2 or incomplete:
                        self.assertNotEqual(status, 0)
                        seen["incomplete"] += 1
                        self.assertNotEqual(limit, "128M")
                        continue
                    seen["complete"] += 1
                    self.assertEqual((found, status), (expected, int(bool(expected))), (limit, count))
        return seen

    def test_random_files_with_every_limit(self):
        seen = collections.Counter()
        for seed in range(8):
            with self.subTest(seed=seed):
                rng = random.Random(seed)
                seen += self.compare(made(rng, rng.choice((500, 20000, 40000))),
                                     limits=rng.sample(LIMITS[:-1], 2) + ["128M"], threads=(rng.choice("14"),))
        self.assertGreater(seen["complete"], 8)
        self.assertGreater(seen["incomplete"], 0)

    def test_duplicates_beyond_the_memory(self):
        """1600 duplicate ids among ids that are too far apart for the memory."""
        rng = random.Random(1)
        ids = [rng.randrange(1 << 62) for _ in range(30000)]
        trace = Trace(1)
        trace.chunks = [(0, ids[at:at + 1000]) for at in range(0, len(ids), 1000)]
        trace.chunks += [(0, ids[:1600]), [(ids[0], 5, 0, 0)]]
        trace.write(self.path)
        for strict in ((), ("--strict",)):
            status, findings = check(self.path, "--memory", "1M", *strict)
            self.assertEqual(status, 1)
            self.assertEqual({f["severity"] for f in findings if f["rule"] == "not-checked"}, {"not-checked"})
        done = subprocess.run([FTR, "check", "--memory", "1M", self.path], check=False, capture_output=True, text=True)
        self.assertIn(": not-checked: ", done.stdout)
        self.assertIn("--memory", done.stdout)
        status, findings = check(self.path)
        self.assertEqual(collections.Counter(f["rule"] for f in findings), {"tx-id": 1600, "relation-ends": 1})

    def test_nearly_consecutive_ids_cost_little(self):
        """Three streams that take turns, with gaps: a million ids would take one byte each."""
        rng = random.Random(2)
        trace = Trace(3)
        ids = [n for n in range(1, 1000000) if n % 1000 != 7]
        ids.remove(500000)
        held = {stream: [n for n in ids if n % 3 == stream] for stream in range(3)}
        for at in range(0, len(held[0]) + 1, 2000):
            trace.chunks += [(stream, held[stream][at:at + 2000]) for stream in range(3)
                             if held[stream][at:at + 2000]]
        trace.chunks.append((1, [ids[0]]))
        trace.chunks.append([(a, a + 3, a % 3, a % 3) for a in rng.sample(ids, 3000)
                             if a + 3 < 1000000 and (a + 3) % 1000 != 7 and a + 3 != 500000])
        trace.chunks.append([(1, 500000, 1, 500000 % 3)])
        seen = self.compare(trace, limits=("600K",))
        self.assertEqual(seen, {"complete": 4})

    def test_warnings_are_always_printed(self):
        trace = Trace(1)
        trace.chunks = [(0, [1, 2])]
        trace.write(self.path)
        other = os.path.join(os.path.dirname(self.path), "run.2.ftr")
        os.rename(self.path, other)
        for arguments, status in (((), 0), (("--all",), 0), (("--strict",), 1), (("--strict", "--all"), 1)):
            done = subprocess.run([FTR, "check", *arguments, other], check=False, capture_output=True, text=True)
            self.assertEqual(done.returncode, status)
            self.assertIn(": warning: ", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
