#!/usr/bin/python3
"""`ftr diff` of groups of identical transactions that begin at the same time: one edit is one difference, and no
relation differs. The second run has the ids of the first one, or ids in the order of its begins.

    diff_groups_test.py FTR
"""

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
TEXTS = ("kind", "read", "follows", "address", "data", "top.a", "top.b")
KINDS = ("deleted", "inserted", "changed", "duration", "moved", "shifted", "relations_differing")


class Tx:
    """A transaction of stream 0 with a child in stream 1."""

    def __init__(self, stream, begin, end, address, data):
        self.stream, self.begin, self.end, self.address, self.data = stream, begin, end, address, data
        self.id = 0


def write(path, families):
    """@p families: pairs of a parent and a child."""
    every = [tx for family in families for tx in family]
    parts = [item(6, cbor2.dumps([-12, item(1, 1)])), item(8, cbor2.dumps(dict(enumerate(TEXTS)))),
             item(10, endless([item(16, [1, 5, 0]), item(17, [2, 1, 1]), item(16, [3, 6, 0]), item(17, [4, 1, 3])]))]
    for stream in (0, 1):
        mine = sorted((tx for tx in every if tx.stream == stream), key=lambda tx: (tx.begin, tx.id))
        body = [[item(6, [tx.id, 2 + 2 * stream, tx.begin, tx.end]), item(7, [3, 3, tx.address]),
                 item(9, [4, 3, tx.data])] for tx in mine]
        parts.append(item(12, [1 + 2 * stream, 0, max(tx.end for tx in mine), endless(body)]))
    parts.append(item(14, endless([[2, a.id, b.id, 1, 3] for a, b in families])))
    with open(path, "wb") as file:
        file.write(b"\xd9\xd9\xf7" + endless(parts))


def run_of(groups, size):
    """Groups of identical families; each group begins 100 ticks after the one before."""
    families = [(Tx(0, group * 100, group * 100 + 50, 0x10, 1), Tx(1, group * 100 + 10, group * 100 + 40, 0x20, 1))
                for group in range(groups) for _ in range(size)]
    number(families)
    return families


def number(families):
    for n, tx in enumerate(tx for family in families for tx in family):
        tx.id = n + 1


def edit(families, at, what):
    """Makes one edit; returns the kind of the difference."""
    tx = families[at][0]
    if what == "begin attribute":
        tx.address = 0x99
        return "changed"
    if what == "end attribute":
        tx.data = 9
        return "changed"
    if what == "duration":
        tx.end += 7
        return "duration"
    tx.begin += what
    tx.end += what
    return "moved"


class Groups(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.paths = [os.path.join(scratch.name, name) for name in ("first.ftr", "second.ftr")]

    def diff(self, first, second):
        for path, families in zip(self.paths, (first, second)):
            write(path, families)
        done = subprocess.run([FTR, "diff", "--json", "--all", *self.paths], check=False, capture_output=True,
                              text=True)
        summary = json.loads(done.stdout.splitlines()[-1])
        self.assertEqual(done.returncode, int(not summary["equal"]))
        return {kind: summary[kind] for kind in KINDS if summary[kind]}

    def test_one_edit_is_one_difference(self):
        for size in (2, 4, 9):
            for what in ("begin attribute", "end attribute", "duration", 1, 30, 130, -30):
                for place in {0, 1, size // 2, size - 1}:
                    with self.subTest(size=size, what=what, place=place):
                        first, second = run_of(30, size), run_of(30, size)
                        kind = edit(second, 15 * size + place, what)
                        self.assertEqual(self.diff(first, second), {kind: 1})

    def test_equal_runs_have_no_difference(self):
        self.assertEqual(self.diff(run_of(30, 5), run_of(30, 5)), {})

    def test_ids_of_another_order_are_no_difference(self):
        """`ftr cut` numbers stream by stream. Some transactions get an id that another one has had."""
        for size in (2, 5):
            for first_id in range(1, 12):
                second = run_of(30, size)
                every = [tx for of_stream in zip(*second) for tx in of_stream]
                for n, tx in enumerate(every):
                    tx.id = first_id + n
                with self.subTest(size=size, first_id=first_id):
                    self.assertEqual(self.diff(run_of(30, size), second), {})

    def test_a_deleted_family_is_two_differences(self):
        """The parent and its child; with the ids of the first run, and with ids without a gap."""
        for size in (2, 4, 9):
            for place in {0, 1, size - 1}:
                for is_numbered in (False, True):
                    with self.subTest(size=size, place=place, is_numbered=is_numbered):
                        first, second = run_of(30, size), run_of(30, size)
                        del second[15 * size + place]
                        if is_numbered:
                            number(second)
                        self.assertEqual(self.diff(first, second), {"deleted": 2})
                        self.assertEqual(self.diff(second, first), {"inserted": 2})

    def test_random_edits_in_different_groups(self):
        for seed in range(12):
            with self.subTest(seed=seed):
                rng = random.Random(seed)
                size = rng.randrange(2, 9)
                first, second = run_of(60, size), run_of(60, size)
                expected = {}
                for group in rng.sample(range(4, 56, 6), rng.randrange(1, 7)):
                    kind = edit(second, group * size + rng.randrange(size),
                                rng.choice(("begin attribute", "end attribute", "duration", 1, 3)))
                    expected[kind] = expected.get(kind, 0) + 1
                self.assertEqual(self.diff(first, second), expected)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
