#!/usr/bin/python3
"""Trace-event JSON: decoded with another library's parser, it has the content of `ftr dump --json`,
on tracks without overlaps, with arrows that begin and end in their slices.

    trace_event_test.py FTR MAKE_TOOL_FILES MAKE_AWKWARD_FILE
"""

import collections
import decimal
import gzip
import json
import os
import re
import sys
import unittest

from dumped import Dump, ExchangeTest, findings, run, run_on_full_disk

FTR, MAKE_TOOL_FILES, MAKE_AWKWARD_FILE = map(os.path.abspath, sys.argv[1:4])


def unique_members(pairs):
    assert len({key for key, _ in pairs}) == len(pairs), pairs
    return dict(pairs)


def load(text):
    document = json.loads(text, parse_float=decimal.Decimal, object_pairs_hook=unique_members)
    assert list(document) == ["displayTimeUnit", "traceEvents"]
    return document["traceEvents"]


def values_of(tx):
    """Returns the expected arguments of a transaction, by name; several with the same name as a
    list."""
    values = collections.defaultdict(list)
    for _, name, _, value in tx["attributes"]:
        values[name].append(value)
    return values


class TraceEventTest(ExchangeTest):
    makers = ((MAKE_TOOL_FILES,), (MAKE_AWKWARD_FILE, "awkward.ftr"))

    def convert(self, *paths):
        run(FTR, "convert", "--output-format", "perfetto", "-o", "out.json", *paths)
        with open("out.json", encoding="utf-8") as file:
            return load(file.read())

    def compare(self, events, process, path, tick_us):
        dump = Dump(FTR, path)
        mine = [event for event in events if event["pid"] == process]
        tracks = {e["tid"]: e["args"]["name"] for e in mine
                  if e["ph"] == "M" and e["name"] == "thread_name"}
        slices = {e["args"]["id"]: e for e in mine if e["ph"] == "X"}
        self.assertEqual(len(slices), sum(e["ph"] == "X" for e in mine))
        self.assertEqual(set(slices), {tx["id"] for tx in dump.transactions})
        for tx in dump.transactions:
            event = slices[tx["id"]]
            self.assertEqual((event["name"], event["cat"]), (tx["generator"],) * 2)
            self.assertEqual(re.sub(r" #\d+$", "", tracks[event["tid"]]), tx["stream"])
            self.assertEqual(decimal.Decimal(event["ts"]), tx["begin"] * tick_us)
            self.assertEqual(decimal.Decimal(event["dur"]), (tx["end"] - tx["begin"]) * tick_us)
            values = collections.defaultdict(list)
            for name, value in event["args"].items():
                if name != "id":
                    name = re.sub(r" \((begin|record|end) \d+\)$", "", name)
                    values[name].append(float(value) if isinstance(value, decimal.Decimal)
                                        else value)
            self.assertEqual(values, values_of(tx))
        return dump, mine, slices

    def test_slices_equal_the_output_of_dump(self):
        for path, tick in (("small.ftr", "1e-6"), ("awkward.ftr", "1e-6"),
                           ("nanoseconds.ftr", "1e-3"), ("text.ftr", "1e-6")):
            with self.subTest(path):
                self.compare(self.convert(path), 1, path, decimal.Decimal(tick))

    def test_slices_of_a_track_do_not_overlap(self):
        ends = {}
        tracks = collections.Counter()
        for event in self.convert("awkward.ftr"):
            if event["ph"] == "X":
                self.assertGreaterEqual(decimal.Decimal(event["ts"]), ends.get(event["tid"], 0))
                ends[event["tid"]] = decimal.Decimal(event["ts"]) + decimal.Decimal(event["dur"])
            elif event["name"] == "thread_name":
                tracks[re.sub(r" #\d+$", "", event["args"]["name"])] += 1
        # seven of them overlap at any time; the others never do
        self.assertEqual(tracks, {"top.a/b": 7, "metadata": 1, "/hidden": 1})

    def test_relations_are_arrows_between_their_slices(self):
        for path in ("small.ftr", "awkward.ftr"):
            with self.subTest(path):
                dump, mine, slices = self.compare(self.convert(path), 1, path,
                                                  decimal.Decimal("1e-6"))
                by_place = {(e["tid"], decimal.Decimal(e["ts"])): number
                            for number, e in slices.items()}
                arrows = collections.defaultdict(dict)
                for event in mine:
                    if event["ph"] in "sf":
                        place = event["tid"], decimal.Decimal(event["ts"])
                        arrows[event["id"]][event["ph"]] = (event["name"], by_place[place])
                found = collections.Counter()
                for arrow in arrows.values():
                    name, first = arrow["s"]
                    self.assertEqual(arrow["f"][0], name)
                    if name.endswith(" (to)"):
                        found[name[:-5], arrow["f"][1], first] += 1
                    else:
                        found[name, first, arrow["f"][1]] += 1
                self.assertEqual(found, collections.Counter(
                    (r["name"], r["from"], r["to"]) for r in dump.relations))

    def test_several_files_are_several_processes(self):
        events = self.convert("small.ftr", "nanoseconds.ftr")
        names = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
        self.assertEqual(names, {1: "small.ftr", 2: "nanoseconds.ftr"})
        self.compare(events, 1, "small.ftr", decimal.Decimal("1e-6"))
        self.compare(events, 2, "nanoseconds.ftr", decimal.Decimal("1e-3"))

    def test_gz_output_is_compressed(self):
        plain = self.convert("small.ftr")
        run(FTR, "convert", "--output-format", "perfetto", "-o", "out.json.gz", "small.ftr")
        with gzip.open("out.json.gz", "rt", encoding="utf-8") as file:
            self.assertEqual(load(file.read()), plain)

    def test_damage_and_failures_have_different_exit_statuses(self):
        run(FTR, "convert", "--output-format", "perfetto", "-o", "torn.json", "torn.ftr", status=1, stderr=
            findings(FTR, "torn.ftr"))
        with open("torn.json", encoding="utf-8") as file:
            self.assertGreater(len(load(file.read())), 10)
        run_on_full_disk(FTR, "convert", "--output-format", "perfetto", "small.ftr", path="full.json",
                         stderr="ftr: full.json: could not be written: File too large\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
