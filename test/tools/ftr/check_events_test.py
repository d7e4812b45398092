#!/usr/bin/python3
"""`ftr check`: the rules of events inside transactions, in files that break one of them, and in random files against a
check in Python.

    check_events_test.py FTR
"""

import collections
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from made_trace import item  # noqa: E402
from made_events import BEGIN, RECORD, STRING, UNSIGNED, Trace, named, random_trace, text  # noqa: E402
import cbor2  # noqa: E402

FTR = os.path.abspath(sys.argv[1])
RULES = ("event-name", "event-name-type", "event-parent", "event-parents", "event-stream", "event-relation",
         "event-times")


def expected_findings(trace):
    """Returns the ids of the events that break a rule, for each rule."""
    broken = collections.defaultdict(set)
    by_id = {tx[0]: tx for tx in trace.transactions}
    parents = collections.defaultdict(list)
    for name, source, target, *streams in trace.relations:
        if name == text("parent_of"):
            parents[target].append((source, len(streams)))
    for number, stream, generator, begin, end, attributes in trace.transactions:
        if generator not in (4, 6):
            continue
        names = [one.value for one in attributes if one.tag == BEGIN and one.value[0] == text("name")]
        if not names:
            broken["event-name"].add(number)
        elif names[0][1] != STRING:
            broken["event-name-type"].add(number)
        if not parents[number]:
            broken["event-parent"].add(number)
            continue
        if len(parents[number]) > 1:
            broken["event-parents"].add(number)
        if any(streams != 2 for _, streams in parents[number]):
            broken["event-relation"].add(number)
        parent = by_id.get(parents[number][0][0])
        if parent and parent[1] != stream:
            broken["event-stream"].add(number)
        if parent and (begin < parent[3] or end > parent[4]):
            broken["event-times"].add(number)
    return broken


class Events(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "run.ftr")

    def check(self, *options, status=0):
        done = subprocess.run([FTR, "check", "--json", "--all", "--for", "surfer", *options, self.path],
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (status, ""))
        findings = [json.loads(line) for line in done.stdout.splitlines()]
        return [finding for finding in findings if not finding["rule"].startswith("web-")]

    def broken(self, *options):
        """Returns the ids of the events in the findings, for each rule."""
        found = collections.defaultdict(set)
        for finding in self.check(*options):
            if finding["rule"] not in RULES:
                self.assertIn(finding["rule"], ("relation-ends", "relation-streams", "relation-elements"))
                continue
            self.assertEqual(finding["severity"], "warning")
            self.assertGreater(finding["within"], 0)
            number = int(re.search(r"event (\d+)", finding["message"])[1])
            self.assertNotIn(number, found[finding["rule"]], "reported twice")
            found[finding["rule"]].add(number)
        return found

    def good(self):
        trace = Trace()
        trace.parent(1, 10, 20)
        trace.event(2, 10, 10)
        trace.event(3, 12, 20, attributes=[item(RECORD, [text("other"), UNSIGNED, 5]), named()])
        trace.relate(1, 2)
        trace.relate(1, 3)
        trace.relate(1, 3, name="other")  # any other relation is allowed
        trace.parent(4, 5, 6)
        trace.relate(1, 4)  # parent_of an ordinary transaction
        trace.relate(2, 4)
        return trace

    def test_a_good_file_has_no_finding(self):
        self.good().write(self.path)
        self.assertEqual(self.check(), [])

    def test_each_rule_is_broken_alone(self):
        def changed(change):
            trace = self.good()
            change(trace)
            return trace

        def other_stream(trace):
            trace.event(9, 12, 13, stream=2)
            trace.relate(1, 9, streams=(1, 2))
        breaks = {
            "event-name": lambda trace: (trace.event(9, 12, 13, attributes=[]), trace.relate(1, 9)),
            "event-name-type": lambda trace: (trace.event(9, 12, 13, attributes=[named(kind=UNSIGNED)]),
                                              trace.relate(1, 9)),
            "event-parent": lambda trace: trace.event(9, 12, 13),
            "event-parents": lambda trace: (trace.event(9, 12, 13), trace.relate(1, 9), trace.relate(1, 9)),
            "event-stream": other_stream,
            "event-relation": lambda trace: (trace.event(9, 12, 13), trace.relate(1, 9, streams=())),
            "event-times": lambda trace: (trace.event(9, 12, 21), trace.relate(1, 9)),
        }
        self.assertEqual(sorted(breaks), sorted(RULES))
        for rule, change in breaks.items():
            with self.subTest(rule):
                changed(change).write(self.path)
                found = [finding for finding in self.check() if finding["rule"] != "attribute-name"]
                self.assertEqual([finding["rule"] for finding in found], [rule])
                self.assertIn("event 9", found[0]["message"])
                self.check("--strict", status=1)

    def test_another_class_of_the_name_is_no_name(self):
        trace = self.good()
        trace.event(9, 12, 13, attributes=[named(tag=RECORD)])
        trace.relate(1, 9)
        trace.event(11, 9, 13)  # begins before its parent
        trace.relate(1, 11)
        trace.write(self.path)
        self.assertEqual(self.broken(), {"event-name": {9}, "event-times": {11}})

    def test_random_files(self):
        for seed in range(12):
            rng = random.Random(seed)
            trace = random_trace(rng, rng.choice((5, 60, 600)))
            expected = expected_findings(trace)
            # Any number of relations can come before the transactions.
            trace.write(self.path, rng, compressed=seed % 2 == 1)
            for options in ((), ("-j", "1")):
                with self.subTest(seed=seed, options=options):
                    found = self.broken(*options)
                    self.assertEqual({rule: found[rule] for rule in RULES}, {rule: expected[rule] for rule in RULES})

    def test_little_memory_takes_several_passes(self):
        rng = random.Random(99)
        trace = random_trace(rng, 30000)
        trace.write(self.path, rng)
        expected = expected_findings(trace)
        for memory in ("20K", "2M", "64M"):
            with self.subTest(memory):
                found = self.broken("--memory", memory)
                self.assertEqual({rule: found[rule] for rule in RULES}, {rule: expected[rule] for rule in RULES})

    def test_too_little_memory_is_reported(self):
        trace = Trace()
        trace.parent(1, 0, 9)
        trace.event(2, 1, 1)
        trace.write(self.path)
        event = cbor2.dumps([item(6, [2, 4, 1, 1]), named()])
        head, tail = event[:3], event[4:]
        with open(self.path, "rb") as file:
            content = file.read()
        chunk = b"\x9f" + b"".join(head + b"\x1a" + struct.pack(">I", number) + tail
                                  for number in range(3, 270000)) + b"\xff"
        with open(self.path, "wb") as file:  # one more chunk before the end
            file.write(content[:-1] + cbor2.dumps(item(12, [1, 1, 1, chunk])) + content[-1:])
        found = self.check("--memory", "16M")
        self.assertEqual(collections.Counter(finding["rule"] for finding in found), {"event-parent": 269998})
        found = self.check("--memory", "20K", status=1)
        self.assertEqual({finding["rule"] for finding in found}, {"not-checked"})
        self.assertTrue(any("events are not compared" in finding["message"] for finding in found), found)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
