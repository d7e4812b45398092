#!/usr/bin/python3
"""Compares the report of two traces with `ftr diff`, and each of its sides with the report of a run.

    diff_report_test.py FTR MAKE_REPORT_TRACE
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

from report_data import Data

FTR = MAKER = None
KINDS = ("deleted", "inserted", "changed", "duration", "moved", "shifted")


def ftr(*arguments):
    return subprocess.run([FTR, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False, text=True)


class Difference(unittest.TestCase):
    """A trace, and the same one with some edits."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.paths = [os.path.join(cls.scratch.name, name) for name in ("before.ftr", "after.ftr")]
        subprocess.run([MAKER, "families", "400", cls.paths[0]], check=True)
        subprocess.run([MAKER, "families", "400", cls.paths[1], "edited"], check=True)
        cls.report = os.path.join(cls.scratch.name, "diff.html")
        cls.done = ftr("report", "--diff", "-o", cls.report, *cls.paths)
        cls.data = Data(cls.report)
        cls.manifest, cls.diff = cls.data.manifest, cls.data.manifest["diff"]
        said = ftr("diff", "--json", "--all", *cls.paths).stdout
        cls.records = [json.loads(line) for line in said.splitlines()]
        cls.records += [json.loads(line) for line in
                        ftr("diff", "--json", "--summary", *cls.paths).stdout.splitlines()
                        if json.loads(line)["record"] == "stream"]

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def of(self, record):
        return [r for r in self.records if r["record"] == record]

    def test_status(self):
        self.assertEqual(self.done.returncode, 1)
        same = os.path.join(self.scratch.name, "same.html")
        self.assertEqual(ftr("report", "--diff", "-o", same, self.paths[0],
                             self.paths[0]).returncode, 0)
        manifest = Data(same).manifest
        self.assertTrue(manifest["diff"]["equal"])
        self.assertEqual(manifest["diff"]["list"]["kind"]["n"], 0)

    def test_counts(self):
        summary = self.of("summary")[0]
        self.assertFalse(self.diff["equal"])
        self.assertEqual(self.diff["counts"], {k: summary[k] for k in KINDS})
        for name in ("transactions", "pairs", "relations_differing", "not_compared"):
            self.assertEqual(self.diff[name], summary[name])
        self.assertEqual(self.manifest["time_scale"], summary["time_scale"])
        self.assertGreater(self.diff["counts"]["changed"], 0)

    def test_list(self):
        columns = self.data.columns(self.diff["list"])
        names = self.diff["list"]["names"]
        found = []
        for i, kind in enumerate(columns["kind"]):
            delta = columns["delta"][i]
            found.append((KINDS[kind], columns["time"][i],
                          self.diff["streams"][columns["stream"][i]]["name"],
                          names[columns["generator"][i]],
                          delta - (1 << 64) if delta >> 63 else delta,
                          columns["follows"][i] == 1,
                          (columns["first_id"][i], columns["first_begin"][i])
                          if columns["exists"][i] & 1 else None,
                          (columns["second_id"][i], columns["second_begin"][i])
                          if columns["exists"][i] & 2 else None))
        expected = []
        for record in self.records:
            if record["record"] in KINDS:
                first, second = record.get("first"), record.get("second")
                expected.append((record["record"], record["time"], record["stream"],
                                 record["generator"], record.get("delta", 0),
                                 record.get("follows", False),
                                 (first["id"], first["begin"]) if first else None,
                                 (second["id"], second["begin"]) if second else None))
        key = lambda row: json.dumps(row)  # noqa: E731
        self.assertEqual(sorted(found, key=key), sorted(expected, key=key))
        self.assertEqual(self.diff["omitted"], 0)

    def test_relations(self):
        columns = self.data.columns(self.diff["relations"])
        names = self.diff["relations"]["names"]
        found = []
        for i, exists in enumerate(columns["exists"]):
            found.append((names[columns["name"][i]],
                          *([columns[f"{side}_from"][i], columns[f"{side}_to"][i]]
                            if exists & bit else None
                            for side, bit in (("first", 1), ("second", 2)))))
        expected = [(r["name"], r.get("first"), r.get("second")) for r in self.of("relation")]
        key = lambda row: json.dumps(row)  # noqa: E731
        self.assertEqual(sorted(found, key=key), sorted(expected, key=key))
        self.assertEqual(self.diff["relations_omitted"], 0)
        self.assertEqual({(r[1] is None, r[2] is None) for r in found},
                         {(False, True), (True, False)})
        self.assertEqual(len(found), self.diff["relations_differing"])

    def test_only_relations_differ(self):
        """Two runs whose only difference is one relation, with and without relations at all."""
        paths = [os.path.join(self.scratch.name, f"related{n}.ftr") for n in (0, 1, 2)]
        for path, count in zip(paths, ("0", "1", "2")):
            subprocess.run([MAKER, "related", count, path], check=True)
        for second, differing, status in ((0, 0, 0), (1, 1, 1), (2, 2, 1)):
            page = os.path.join(self.scratch.name, "related.html")
            done = ftr("report", "--force", "--diff", "-o", page, paths[0], paths[second])
            self.assertEqual((done.returncode, done.stderr), (status, ""))
            diff = Data(page).manifest["diff"]
            self.assertEqual(diff["relations_differing"], differing)
            self.assertEqual(diff["relations"]["name"]["n"], differing)
            self.assertEqual(diff["equal"], status == 0)

    def test_streams(self):
        given = {s["name"]: s for s in self.diff["streams"]}
        for record in self.of("stream"):
            stream = given[record["stream"]]
            self.assertEqual(stream["counts"], {k: record[k] for k in KINDS})
            self.assertEqual(stream["transactions"], record["transactions"])
        for stream in given.values():
            for side in ("first", "second"):
                self.assertEqual(self.manifest[side]["streams"][stream[side]]["name"],
                                 stream["name"])

    def test_latency(self):
        given = {(g["stream"], g["generator"]): g for g in self.diff["latency"]}
        expected = {(g["stream"], g["generator"]): g for g in self.of("latency")}
        self.assertEqual(set(given), set(expected))
        for key, record in expected.items():
            self.assertEqual((given[key]["changed"], given[key]["follows"]),
                             (record["changed"], record["follows"]))
            for side in ("first", "second"):
                for name in ("count", "mean", "p50", "p99", "max"):
                    self.assertEqual(int(given[key][side][name]), record[side][name])

    def test_sides(self):
        for path, side, suffix in zip(self.paths, ("first", "second"), ("-1", "-2")):
            alone = os.path.join(self.scratch.name, "alone.html")
            self.assertEqual(ftr("report", "-o", alone, path).returncode, 0)
            data = Data(alone)
            for name in ("run", "streams", "flow"):
                self.assertEqual(self.manifest[side][name], data.manifest[name])
            self.assertEqual(self.data.transactions(self.manifest[side]["transactions"]),
                             data.transactions())
            self.assertIn("overview" + suffix, self.data.blocks)

    def test_tolerance(self):
        tolerant = os.path.join(self.scratch.name, "tolerant.html")
        ftr("report", "--diff", "--tolerance", "2ns", "-o", tolerant, *self.paths)
        counts = Data(tolerant).manifest["diff"]["counts"]
        self.assertEqual(counts["duration"], 0)
        self.assertGreater(self.diff["counts"]["duration"], 0)

    def test_refusals(self):
        for arguments, message in (((self.paths[0],), "needs two"),
                                   ((self.paths[0], "missing.ftr"), "No such file")):
            done = ftr("report", "--diff", "-o", "/dev/null/x.html", *arguments)
            self.assertEqual(done.returncode, 2)
            self.assertIn(message, done.stderr)
        done = ftr("report", "--diff", "-o", self.paths[0], *self.paths)
        self.assertEqual((done.returncode, "same file" in done.stderr), (2, True))


if __name__ == "__main__":
    FTR, MAKER = sys.argv[1:3]
    del sys.argv[1:]
    unittest.main()
