#!/usr/bin/python3
"""`ftr dump`, `ftr cat` and `ftr sql` name the parents of events, in random files against an evaluation in Python.

    printed_events_test.py FTR
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from made_events import BEGIN, STRING, TEXTS, Trace, random_trace, text  # noqa: E402

FTR = os.path.abspath(sys.argv[1])


def parents_of(trace):
    """Returns for each event the ids of its parents, in the order of the relations."""
    events = {tx[0]: [] for tx in trace.transactions if tx[2] in (4, 6)}
    for name, source, target, *_ in trace.relations:
        if name == text("parent_of") and target in events:
            events[target].append(source)
    return events


class Printed(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "run.ftr")

    def run_ftr(self, *arguments, stdin=None):
        done = subprocess.run([FTR, *arguments], capture_output=True, text=stdin is None, check=False, input=stdin)
        error = done.stderr if stdin is None else done.stderr.decode()
        self.assertEqual((done.returncode, error), (0, ""))
        return done.stdout if stdin is None else done.stdout.decode()

    def random(self, seed, count=400):
        rng = random.Random(seed)
        trace = random_trace(rng, count)
        trace.write(self.path, rng, compressed=seed % 2 == 1)
        return trace

    def test_dump_names_the_first_parent(self):
        for seed in range(6):
            trace = self.random(seed)
            events = parents_of(trace)
            expected = {number: (events.get(number) or [None])[0] for number, *_ in trace.transactions}
            for options in ((), ("-j", "1"), ("--order", "stored")):
                with self.subTest(seed=seed, options=options):
                    lines = self.run_ftr("dump", "--json", *options, self.path).splitlines()
                    found = {tx["id"]: tx.get("parent") for tx in map(json.loads, lines)}
                    self.assertEqual(found, expected)
                    lines = self.run_ftr("dump", *options, self.path).splitlines()
                    found = {int(m[1]): int(m[2]) if m[2] else None for m in
                             (re.match(r"\[.*?\] \S+ \S+ #(\d+)(?: in #(\d+))?(?: |$)", line) for line in lines)}
                    self.assertEqual(found, expected)
                    rows = self.run_ftr("dump", "--columns", "id,parent", *options, self.path).splitlines()[1:]
                    found = {int(row.split("\t")[0]): int(row.split("\t")[1] or 0) or None for row in rows}
                    self.assertEqual(found, expected)

    def test_dump_of_a_pipe_in_stored_order_has_no_parents(self):
        self.random(1)
        with open(self.path, "rb") as file:
            content = file.read()
        self.assertNotIn(" in #", self.run_ftr("dump", "--order", "stored", "-", stdin=content))
        self.assertIn(" in #", self.run_ftr("dump", "-", stdin=content))
        self.assertNotIn(" in #", self.run_ftr("dump", "--follow", self.path))

    def test_dump_with_too_little_memory_says_so(self):
        trace = Trace()
        trace.parent(1, 0, 9)
        for number in range(2, 20000):
            trace.event(number, 1, 1, attributes=[])
            trace.relate(1, number)
        trace.write(self.path)
        done = subprocess.run([FTR, "dump", "--memory", "1M", self.path], capture_output=True, text=True, check=False)
        self.assertIn("the parents of events exceed the memory budget", done.stderr)
        self.assertEqual((done.returncode, done.stdout.count("\n"), done.stdout.count(" in #")), (0, 19999, 0))
        self.assertEqual(self.run_ftr("dump", self.path).count(" in #1\n"), 19998)

    def test_cat_prints_the_events_of_a_transaction(self):
        trace = self.random(3, 60)
        events = parents_of(trace)
        for parent in {number for number, _, generator, *_ in trace.transactions if generator in (3, 5)}:
            lines = self.run_ftr("cat", "--depth", "1", self.path, str(parent)).splitlines()
            found = sorted(int(m[1]) for m in (re.match(r" +-> parent_of .*?#(\d+)", line) for line in lines) if m)
            self.assertEqual(found, sorted(number for number, of in events.items() for one in of if one == parent))

    @unittest.skipUnless(os.path.exists(os.path.join(os.path.dirname(FTR), "..", "libexec", "ftr", "ftr-sql")),
                         "built without SQLite")
    def test_sql_has_a_view_of_events(self):
        for seed in range(4):
            trace = self.random(seed)
            expected = []
            for number, parents in parents_of(trace).items():
                tx = next(tx for tx in trace.transactions if tx[0] == number)
                names = [one.value for one in tx[5] if one.tag == BEGIN and one.value[0] == text("name")]
                name = None if not names else "hit" if names[0][1] == STRING else 7
                for parent in parents or [None]:
                    expected.append((number, parent, name, tx[3], tx[4], TEXTS[tx[1] - 1]))
            rows = self.run_ftr("sql", "--json", self.path, "SELECT id, parent, name, begin, end, stream FROM event")
            found = [tuple(json.loads(line).values()) for line in rows.splitlines()]
            self.assertEqual(sorted(found, key=repr), sorted(expected, key=repr))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
