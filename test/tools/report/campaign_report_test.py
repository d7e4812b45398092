#!/usr/bin/python3
"""Compares the report of a campaign with `ftr summary`, `ftr gate` and a second implementation.

    campaign_report_test.py FTR MAKE_REPORT_TRACE
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

from report_data import Data
from report_model import Model, percentile

FTR = MAKER = None
RULES = "top.* p99 < 50 ns\n*.read count >= 1\nnothing.* count >= 1\n"


def ftr(*arguments, folder=None):
    return subprocess.run([FTR, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False, text=True, cwd=folder)


class Campaign(unittest.TestCase):
    """Four runs: two sound ones, a torn one, and one that is removed later."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = cls.scratch.name
        os.makedirs(os.path.join(cls.folder, "runs"))
        os.makedirs(os.path.join(cls.folder, "reports", "today"))
        cls.files = []
        for i, shape in enumerate(("families", "plain", "families", "families")):
            file = "runs/<script>&1.ftr" if i == 1 else f"runs/r{i}.ftr"
            path = os.path.join(cls.folder, file)
            subprocess.run([MAKER, shape, str(60 + 40 * i), path], check=True)
            cls.files.append(os.path.relpath(path, cls.folder))
        cls.models = {f: Model(os.path.join(cls.folder, f)) for f in cls.files[:2] + cls.files[3:]}
        with open(os.path.join(cls.folder, cls.files[2]), "r+b") as torn:
            torn.truncate(3000)
        cls.ftr("summary", "-o", "night.fts", *cls.files)
        os.remove(os.path.join(cls.folder, cls.files[3]))
        with open(os.path.join(cls.folder, "rules"), "w", encoding="utf-8") as rules:
            rules.write(RULES)
        cls.report = os.path.join(cls.folder, "reports", "today", "night.html")
        done = cls.ftr("report", "--rules", "rules", "-o", cls.report, "night.fts")
        assert done.returncode == 0, done
        cls.data = Data(cls.report)
        cls.manifest = cls.data.manifest
        cls.of = {run["file"]: run for run in cls.manifest["runs"]}

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    @classmethod
    def ftr(cls, *arguments):
        return ftr(*arguments, folder=cls.folder)

    def summary(self):
        """The lines of `ftr summary --json`: the runs, and all of them together."""
        lines = self.ftr("summary", "--json", "night.fts").stdout.splitlines()
        return [json.loads(line) for line in lines]

    def test_runs(self):
        self.assertEqual(self.manifest["kind"], "campaign")
        self.assertEqual(set(self.of), set(self.files))
        for file, model in self.models.items():
            run, figures = self.of[file], model.figures(model.txs)
            self.assertEqual(run["transactions"], figures["count"])
            self.assertEqual((run["errors"], run["unfinished"]),
                             (figures["errors"], figures["unfinished"]))
            self.assertEqual((int(run["bytes"]), int(run["longest"]), int(run["last"])),
                             (figures["bytes"], figures["max"], figures["last"]))
            self.assertEqual(run["state"], "not told")
        self.assertEqual(self.of[self.files[2]]["state"], "torn")

    def test_curves_of_few_transactions(self):
        for file, model in self.models.items():
            run = self.of[file]
            columns, shift, first = self.data.columns(run), run["shift"], int(run["first"])
            counts, worst = [0] * len(columns["count"]), [0] * len(columns["count"])
            for tx in model.txs:
                slot = (tx.begin >> shift) - first
                if tx.unfinished:
                    continue
                counts[slot] += 1
                worst[slot] = max(worst[slot], tx.latency)
            self.assertEqual((columns["count"], columns["worst"]), (counts, worst))

    def test_links(self):
        folder = os.path.dirname(self.report)
        for file, run in self.of.items():
            there = os.path.exists(os.path.join(self.folder, file))
            self.assertEqual(run["link"] is not None, there, file)
            if there:
                self.assertTrue(os.path.samefile(os.path.join(folder, run["link"]),
                                                 os.path.join(self.folder, file)))

    def test_generators_in_all_runs(self):
        together = {(g["stream"], g["generator"]): g for g in self.summary()[-1]["generators"]}
        found = {(g["stream"], g["name"][len(g["stream"]) + 1:]): g
                 for g in self.manifest["generators"] if g["count"]}
        self.assertEqual(set(found), set(together))
        for key, row in together.items():
            for name in ("count", "errors", "unfinished", "bytes", "min", "mean", "p50", "p90",
                         "p99", "max", "outstanding", "runs"):
                self.assertEqual(int(found[key][name]), row[name], (key, name))
            runs = self.manifest["runs"]
            self.assertEqual([(runs[s["run"]]["file"], int(s["id"]), int(s["begin"]),
                               int(s["latency"])) for s in found[key]["slowest"]],
                             [(s["file"], s["id"], s["begin"], s["latency"])
                              for s in row["slowest"]])

    def test_generators_by_run(self):
        runs = [run["file"] for run in self.manifest["runs"]]
        for generator in self.manifest["generators"]:
            key = generator["stream"], generator["name"][len(generator["stream"]) + 1:]
            columns = self.data.columns(generator["by_run"])
            seen = set()
            for i, run in enumerate(columns["run"]):
                if runs[run] not in self.models:
                    continue
                seen.add(runs[run])
                txs = self.models[runs[run]].of[key]
                ended = [tx for tx in txs if not tx.unfinished]
                latencies = sorted(tx.latency for tx in ended)
                self.assertEqual(
                    [columns[n][i] for n in ("count", "errors", "bytes", "p50", "p99", "max")],
                    [len(ended), sum(t.error for t in txs), sum(t.bytes for t in ended),
                     percentile(latencies, 50), percentile(latencies, 99), latencies[-1]])
            self.assertEqual(seen, {f for f, m in self.models.items() if m.of[key]})

    def test_gate(self):
        said = self.ftr("gate", "--json", "rules", "night.fts")
        gate, given = json.loads(said.stdout), self.manifest["gate"]
        self.assertEqual(given["rules"], "rules")
        self.assertEqual(given["failed"], sum(s["failed"] for s in given["suites"]))
        cases = int(re.search(r"(\d+) cases", self.ftr("gate", "rules", "night.fts").stdout)[1])
        self.assertEqual(given["passed"] + given["failed"] + given["skipped"], cases)
        self.assertGreater(given["failed"], 0)
        failed = [c for c in given["checks"] if not c["skipped"]]
        self.assertEqual(len(failed), given["failed"])
        for run in self.manifest["runs"]:
            mine = [c for c in failed if c["run"] is not None
                    and self.manifest["runs"][c["run"]] is run]
            self.assertEqual(run["failed"], len(mine))
            self.assertTrue(all(run["file"].endswith(c["name"]) for c in mine))
        self.assertGreater(sum(run["failed"] for run in self.manifest["runs"]), 0)
        self.assertIn("nothing.* count >= 1", {c["rule"] for c in failed})
        self.assertTrue(gate)

    def test_text_is_data(self):
        self.assertNotIn("<", self.data.text)

    def test_refusals(self):
        for arguments, message in (
                (("--baseline", "night.fts", "-o", "x.html", "night.fts"), "needs --rules"),
                (("--rules", "rules", "-o", "x.html", self.files[0]), "needs a summary"),
                (("--stream", "top", "-o", "x.html", "night.fts"), "for a trace"),
                (("-o", "night.fts", "night.fts"), "same file"),
                (("-o", "x.html", "missing.fts"), "No such file"),
                (("--rules", "missing", "-o", "x.html", "night.fts"), "missing")):
            done = self.ftr("report", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(message, done.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "x.html")))


if __name__ == "__main__":
    FTR, MAKER = sys.argv[1:3]
    del sys.argv[1:]
    unittest.main()
