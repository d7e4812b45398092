#!/usr/bin/python3
"""Links whose sockets have generated names are shown by their modules, and are selected by their names.

    link_labels_test.py FTR MAKE_REPORT_TRACE
"""

import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

FTR, MAKER = map(os.path.abspath, sys.argv[1:3])
BUS = "top.bus.simple_initiator_socket_tagged_"
LABELS = {f"{BUS}0": "top.bus -> memory (simple_initiator_socket_tagged_0)",
          f"{BUS}1": "top.bus -> memory (simple_initiator_socket_tagged_1)", f"{BUS}2": "top.bus -> bridge"}
NAMES = ("top.cpu.s", "top.dma.s", *LABELS, "top.bridge.out[0]")


class Labels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        os.chdir(cls.scratch.name)
        subprocess.run([MAKER, "hops", "300", "a.ftr"], check=True)
        subprocess.run([MAKER, "hops", "300", "b.ftr", "edited"], check=True)

    @classmethod
    def tearDownClass(cls):
        os.chdir("/")
        cls.scratch.cleanup()

    def run_ftr(self, *arguments, status=0):
        done = subprocess.run([FTR, *arguments], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (status, ""), arguments)
        return done.stdout

    def check_people(self, text, names=NAMES):
        """The text has the labels and the names without a label, and no name that SystemC generated."""
        for name in names:
            self.assertIn(LABELS.get(name, name), text)
        self.assertNotIn(BUS, text)

    def test_dump(self):
        text = self.run_ftr("dump", "--stream", "top.*", "a.ftr")
        self.check_people(text)
        only = self.run_ftr("dump", "--stream", f"{BUS}2", "--where", f'stream == "{BUS}2"', "a.ftr")
        self.assertEqual([line for line in text.splitlines() if "] top.bus -> bridge " in line], only.splitlines())
        self.assertGreater(len(only.splitlines()), 50)
        for line in self.run_ftr("dump", "--json", "a.ftr").splitlines():
            record = json.loads(line)
            self.assertEqual(record.get("link"), LABELS.get(record["stream"]))
        for line in self.run_ftr("dump", "--columns", "stream,link", "a.ftr").splitlines()[1:]:
            name, label = line.split("\t")
            self.assertEqual(label, LABELS.get(name, name))

    def test_a_pipe_has_no_labels(self):
        done = subprocess.run(f"cat a.ftr | {FTR} dump --order stored -", shell=True, capture_output=True, text=True, check=True)
        self.assertIn(f"] {BUS}2 ", done.stdout)

    def test_cat(self):
        record = next(r for r in map(json.loads, self.run_ftr("dump", "--json", "a.ftr").splitlines()) if r["stream"] == f"{BUS}2")
        text = self.run_ftr("cat", "a.ftr", str(record["id"]))
        self.assertIn("] top.bus -> bridge ", text.splitlines()[0])
        self.assertEqual(json.loads(self.run_ftr("cat", "--json", "a.ftr", str(record["id"])))["link"], "top.bus -> bridge")

    def test_info(self):
        text = self.run_ftr("info", "a.ftr")
        for name in NAMES:
            self.assertIn(f"  {name} ({LABELS[name]})  TLM" if name in LABELS else f"  {name}  TLM", text)
        # A line for each link instead of its attributes in ftr.run.
        self.assertIn("\nlinks\n  top.cpu.s -> top.bus.in[0]\n  top.dma.s -> top.bus.in[1]\n"
                      f"  {BUS}0 -> top.memory.port\n", text)
        self.assertNotIn("initiator.", text)
        self.assertNotIn("target.", text)
        streams = json.loads(self.run_ftr("info", "--json", "a.ftr"))["streams"]
        self.assertEqual({s["name"]: s["link"] for s in streams if "link" in s}, LABELS)

    def test_stats(self):
        self.check_people(self.run_ftr("stats", "a.ftr"))
        self.check_people(self.run_ftr("stats", "--by-stream", "a.ftr"))
        for row in json.loads(self.run_ftr("stats", "--json", "a.ftr"))["generators"]:
            self.assertEqual(row.get("link"), LABELS.get(row["stream"]))
        rows = list(csv.DictReader(io.StringIO(self.run_ftr("stats", "--csv", "a.ftr"))))
        self.assertEqual({row["stream"] for row in rows}, set(NAMES))
        for row in rows:
            self.assertEqual(row["link"], LABELS.get(row["stream"], row["stream"]))
        self.run_ftr("stats", "--rule", f"{BUS}2.* count >= 1", "a.ftr")

    def test_matrix(self):
        """A module stands for its socket if SystemC generated the name of the socket."""
        rows = csv.DictReader(io.StringIO(subprocess.run([FTR, "stats", "--csv", "--matrix", "a.ftr"], text=True,
                                                         capture_output=True, check=True).stdout))
        ends = {(row["initiator"], row["target"]) for row in rows}
        self.assertLessEqual({("top.cpu.s", "top.memory.port"), ("top.dma.s", "top.bridge"), ("top.dma.s", "top.uart")}, ends)
        self.assertNotIn("simple_target_socket", str(ends))

    def test_summary(self):
        self.run_ftr("summary", "a.ftr", "-o", "a.fts")
        self.check_people(self.run_ftr("summary", "--table", "a.fts"))
        for row in csv.DictReader(io.StringIO(self.run_ftr("summary", "--csv", "a.fts"))):
            self.assertEqual(row["link"], LABELS.get(row["stream"], row["stream"]))

    def test_diff_ignores_numbers_of_payloads_and_pairs_accesses_with_other_delays(self):
        number = sum(json.loads(line)["stream"] != "ftr.run" for line in self.run_ftr("dump", "--json", "a.ftr").splitlines())
        records = [json.loads(line) for line in self.run_ftr("diff", "--json", "a.ftr", "b.ftr", status=1).splitlines()]
        changed = [[a["name"] for a in r["attributes"]] for r in records if r["record"] == "changed"]
        self.assertFalse([names for names in changed if "payload_id" in names])
        # An access that begins later can pass another one in its stream.
        pairs, deleted = sum("delay" in names for names in changed), sum(r["record"] == "deleted" for r in records)
        self.assertEqual(pairs + deleted, number // 41)
        self.assertLessEqual(deleted, 1)
        found = [json.loads(line) for line in
                 self.run_ftr("diff", "--json", "--only", "payload_id", "a.ftr", "b.ftr", status=1).splitlines()]
        self.assertEqual(sum(r["record"] in ("changed", "deleted") for r in found), number)

    def test_diff(self):
        self.check_people(self.run_ftr("diff", "--all", "a.ftr", "b.ftr", status=1), [f"{BUS}0", f"{BUS}2"])
        for line in self.run_ftr("diff", "--json", "a.ftr", "b.ftr", status=1).splitlines():
            for side in ("first", "second"):
                transaction = json.loads(line).get(side)
                if isinstance(transaction, dict) and "stream" in transaction:
                    self.assertEqual(transaction.get("link"), LABELS.get(transaction["stream"]))

    def test_long_names_in_tables_lack_their_middle(self):
        subprocess.run([MAKER, "hostile", "3", "hostile.ftr"], check=True)
        lines = self.run_ftr("stats", "hostile.ftr").splitlines()
        cut = [line.rsplit("  ", 1)[1] for line in lines if re.search("x…x|y…z", line)]
        self.assertEqual([len(name) for name in cut], [64, 64])
        self.assertTrue(all(name.startswith(("x" * 20, "y" * 20)) and name.endswith(("x" * 40, "z" * 40)) for name in cut), cut)


if __name__ == "__main__":
    del sys.argv[1:]
    unittest.main()
