#!/usr/bin/python3
"""The page of a difference in Chromium: its numbers are those of `ftr diff`.

    diff_test.py FTR RECORD_TRAFFIC FOLDER
"""

import collections
import json
import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from page_test import FOLDER, FTR, RECORD_TRAFFIC, PageTest  # noqa: E402
from trace_of import Trace  # noqa: E402

KINDS = {"deleted", "inserted", "changed", "duration", "moved", "shifted"}


class Difference(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.paths = ["before.ftr", "after.ftr"]
        for path, longer in zip(cls.paths, ("0", "500")):
            subprocess.run([RECORD_TRAFFIC, "bus", path, "1000", longer], check=True)
        cls.page = "diff.html"
        # The exit status says that the files differ.
        subprocess.run([FTR, "report", "--force", "--diff", "-o", cls.page, *cls.paths], check=False)
        output = subprocess.run([FTR, "diff", "--json", "--all", *cls.paths], check=False,
                                capture_output=True, text=True).stdout
        cls.records = [json.loads(line) for line in output.splitlines()]
        cls.differences = [r for r in cls.records if r["record"] in KINDS]
        cls.relations = [r for r in cls.records if r["record"] == "relation"]
        cls.traces = [Trace(FTR, path) for path in cls.paths]

    def setUp(self):
        self.open(self.page)

    def test_injected_code_has_no_effect(self):
        self.check_injected_code_has_no_effect()

    def test_header_counts_the_kinds(self):
        text = self.browser.text("header")
        for kind, count in collections.Counter(r["record"] for r in self.differences).items():
            self.assertRegex(text, rf"{kind} \S {count}")

    def test_table_lists_every_difference_in_order_of_time(self):
        self.show("differences")
        rows = self.browser.js("return [...document.querySelectorAll('#part-differences section:first-child tbody tr')]"
                               ".map((row) => [...row.cells].map((c) => c.textContent))")
        self.assertEqual(len(rows), len(self.differences))
        wanted = sorted((r["record"], f"{r['stream']}.{r['generator']}", r["first"]["id"], r["second"]["id"])
                        for r in self.differences)
        self.assertEqual(sorted((row[1], row[2], int(row[4][1:]), int(row[5][1:])) for row in rows), wanted)

    def test_keys_select_the_next_difference_in_both_timelines(self):
        ordered = sorted(self.differences, key=lambda r: r["time"])
        seen = set()
        for _ in range(4):
            self.browser.keys("n")
            ids = self.browser.js("return ftrReport.apps.map((a) => Number(a.trace.ids[a.selected]))")
            self.assertIn((ids[0], ids[1]), [(r["first"]["id"], r["second"]["id"]) for r in ordered[:6]])
            seen.add(tuple(ids))
            marked = self.browser.js("return [...document.querySelectorAll('.compared tr.differs th')].map((c) => c.textContent)")
            self.assertIn("lasts", marked)
        self.assertEqual(len(seen), 4)
        self.browser.screenshot(os.path.join(FOLDER, "diff-timeline.png"))

    def test_header_counts_the_relations(self):
        self.assertGreater(len(self.relations), 0)
        self.assertRegex(self.browser.text("header"), rf"relations \S {len(self.relations)}")
        self.assertIn(f"{len(self.differences) + len(self.relations)} differences", self.browser.text("header"))

    def test_table_lists_every_relation_that_differs(self):
        self.show("differences")
        rows = self.browser.js("return [...document.querySelectorAll('#part-differences section:nth-child(2) tbody tr')]"
                               ".map((row) => [...row.cells].map((c) => c.textContent))")
        ends = lambda pair: f"#{pair[0]} \u2192 #{pair[1]}" if pair else "-"  # noqa: E731
        wanted = sorted([r["name"], ends(r.get("first")), ends(r.get("second"))] for r in self.relations)
        self.assertEqual(sorted([row[0], row[2], row[3]] for row in rows), wanted)
        for row in rows:
            meaning = ("only in the second" if row[2] == "-" else "only in the first" if row[3] == "-"
                       else "leads to another transaction")
            self.assertIn(meaning, row[1])
        self.assertEqual(len({row[1] for row in rows}), 3)

    def test_a_relation_leads_to_its_transactions(self):
        self.show("differences")
        index = next(i for i, r in enumerate(sorted(
            self.relations, key=lambda r: (r.get("first") or r.get("second"))[0])) if "first" in r and "second" in r)
        self.browser.js("document.querySelectorAll('#part-differences section:nth-child(2) tbody button')[arguments[0]].click()",
                        index)
        self.browser.settle()
        ids = self.browser.js("return ftrReport.apps.map((a) => Number(a.trace.ids[a.selected]))")
        chosen = next(r for r in self.relations if r.get("first", [0])[0] == ids[0])
        self.assertEqual(ids, [chosen["first"][0], chosen["second"][0]])
        details = self.browser.text(".details")
        for side in ("first", "second"):
            self.assertIn(f"#{chosen[side][0]} \u2192 #{chosen[side][1]}", details)
        self.browser.screenshot(os.path.join(FOLDER, "diff-relation.png"))

    def test_both_timelines_have_the_same_axis(self):
        whole = self.browser.js("return String(ftrReport.app.view)")
        self.browser.move(*self.browser.middle("canvas.rows"))
        self.browser.keys("+")
        self.browser.settle()
        spans = self.browser.js("return ftrReport.apps.map((a) => String(a.view))")
        self.assertEqual(*spans)
        self.assertNotEqual(spans[0], whole)

    def test_latency_is_that_of_the_comparison(self):
        self.show("latency")
        rows = self.browser.js("return [...document.querySelectorAll('#part-latency section:first-child tbody tr')]"
                               ".map((row) => [...row.cells].map((c) => c.textContent))")
        shown = {row[0]: row for row in rows}
        changed = [r for r in self.records if r["record"] == "latency"]
        self.assertGreater(len(changed), 0)
        for record in changed:
            row = shown[f"{record['stream']}.{record['generator']}"]
            self.assertEqual(int(row[1]), record["changed"])
            self.assertEqual(int(row[2]), record["follows"])
            for cell, name in zip(row[4:], ("mean", "p50", "p99", "max")):
                times = re.findall(r"(\d+(?:\.\d+)?) (ps|ns|us)", cell)
                factor = {"ps": 1, "ns": 1000, "us": 1000000}
                ticks = [round(float(value) * factor[unit]) for value, unit in times]
                wanted = [record["first"][name], record["second"][name]]
                self.assertEqual(ticks, wanted if wanted[0] != wanted[1] else wanted[:1])
        # Both histograms have the same axis: the same latency is at the same place.
        scales = self.browser.js(
            "return [...document.querySelectorAll('#part-latency .card svg')].map((chart) => {"
            "  const bars = [...chart.querySelectorAll('rect[data-from]')].filter((b) => Number(b.dataset.from) > 0);"
            "  const places = bars.map((b) => [Math.log(Number(b.dataset.from)), Number(b.getAttribute('x'))]);"
            "  const [[t, x], [u, y]] = [places[0], places[places.length - 1]];"
            "  return [(y - x) / (u - t), x - t * (y - x) / (u - t)]; })")
        self.assertEqual(len(scales), 2)
        for first, second in zip(*scales):
            self.assertAlmostEqual(first, second, places=3)
        self.assertLessEqual(*self.browser.js("const t = document.querySelector('#part-latency .table'); return [t.scrollWidth, t.clientWidth]"))
        for size, dark in (("usual", True), ("narrow", False)):
            self.browser.resize(size, dark)
            self.browser.settle()
            self.browser.screenshot(os.path.join(FOLDER, f"diff-latency-{size}.png"))
            width = self.browser.js("return [document.documentElement.scrollWidth, innerWidth]")
            self.assertLessEqual(*width)
        self.browser.resize("usual")

    def test_equal_runs_have_no_differences(self):
        page = "equal.html"
        subprocess.run([FTR, "report", "--force", "--diff", "-o", page, self.paths[0], self.paths[0]], check=True)
        self.open(page)
        self.assertIn("The runs are equal", self.browser.text("header"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
