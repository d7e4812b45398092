#!/usr/bin/python3
"""The page of a campaign in Chromium: its numbers are those of `ftr summary` and `ftr gate`.

    night_test.py FTR RECORD_TRAFFIC FOLDER
"""

import json
import os
import re
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from page_test import FOLDER, FTR, RECORD_TRAFFIC, PageTest  # noqa: E402
from trace_of import Trace  # noqa: E402

RUNS = 12
RULES = "top.memory.access  max <= 10 ns\n*  errors == 0\n"


def luminance(colour):
    """The relative luminance of "rgb(...)" as defined by WCAG."""
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4
                        for v in (int(text) / 255 for text in re.findall(r"\d+", colour)))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


class Night(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        os.makedirs("night", exist_ok=True)
        cls.paths = [os.path.join("night", f"run{i:02}.ftr") for i in range(RUNS)]
        for i, path in enumerate(cls.paths):
            subprocess.run([RECORD_TRAFFIC, "bus", path, str(200 + 20 * i), str(100 * i)], check=True)
        summary, rules = (os.path.join("night", name) for name in ("night.fts", "rules.txt"))
        with open(rules, "w", encoding="utf-8") as file:
            file.write(RULES)
        subprocess.run([FTR, "summary", *cls.paths, "-o", summary], check=True)
        cls.page = os.path.join("night", "night.html")
        history = os.path.join("night", "nights.fth")
        if os.path.exists(history):  # of an earlier call
            os.remove(history)
        for night in range(12):  # earlier nights; the last four have more transactions
            os.makedirs(os.path.join("night", f"earlier{night}"), exist_ok=True)
            earlier = [os.path.join("night", f"earlier{night}", f"run{i:02}.ftr") for i in range(2)]
            for i, path in enumerate(earlier):
                subprocess.run([RECORD_TRAFFIC, "bus", path, "200" if night < 8 else "260", str(100 * i)], check=True)
            subprocess.run([FTR, "summary", *earlier, "-o", os.path.join("night", "earlier.fts")], check=True)
            subprocess.run([FTR, "history", "add", "--name", f"night {night}", "--time", f"2026-01-{night + 1:02}",
                            history, os.path.join("night", "earlier.fts")], check=True)
        cls.history = json.loads(subprocess.run([FTR, "history", "--json", history], check=True, capture_output=True,
                                                text=True).stdout)
        subprocess.run([FTR, "report", "--force", "--rules", rules, "--history", history, "--with-reports=3", "-o",
                        cls.page, summary], check=False)
        gate = subprocess.run([FTR, "gate", rules, summary, "--history", history], check=False, capture_output=True, text=True)
        cls.gate = gate.stdout
        cls.traces = {os.path.basename(path): Trace(FTR, path) for path in cls.paths}

    def setUp(self):
        self.open(self.page)

    def wait_for(self, holds):
        """Waits until a condition holds: pages are laid out later on a busy machine."""
        end = time.monotonic() + 60
        while not holds():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.1)

    def rows(self, part, place="section:has(tbody)"):
        return self.browser.js(
            f"return [...document.querySelectorAll('#part-{part} {place} tbody tr')]"
            ".map((row) => [...row.cells].map((c) => c.textContent))")

    def test_every_run_has_a_row_with_its_figures(self):
        rows = self.rows("runs")
        self.assertEqual(len(rows), RUNS)
        longest = []
        for row in rows:
            trace = self.traces[row[-1]]
            self.assertRegex(row[0], "checks|exit|\u2713")
            ended = [tx for tx in trace.transactions if not tx.is_unfinished]
            self.assertEqual(int(re.sub(r"\D", "", row[6])), len(ended))
            self.assertEqual(int(re.sub(r"\D", "", row[8])), sum(tx.is_error for tx in trace.transactions))
            most = max(tx.duration for tx in ended)
            self.assertEqual(round(float(row[5].split()[0]) * 1000), most)
            longest.append((int(re.sub(r"\D", "", row[3])), most))
        # Failed runs first, those with most failed checks and the longest transactions at the top.
        self.assertEqual(longest, sorted(longest, reverse=True))
        self.assertGreater(longest[0][0], 0)

    def test_injected_code_has_no_effect(self):
        self.check_injected_code_has_no_effect()

    def test_links_lead_to_the_traces_that_were_kept(self):
        links = self.browser.js("return [...document.querySelectorAll('#part-runs tbody a')].map((a) => a.href)")
        reports = [link for link in links if link.endswith(".html")]
        self.assertEqual(len(reports), 3)
        of = {re.sub(r"-\d+\.html$", ".ftr", os.path.basename(link)): link for link in reports}
        self.assertEqual(sorted(set(links) - set(reports)),
                         [f"file://{os.path.abspath(path)}" for path in self.paths if os.path.basename(path) not in of])
        self.browser.js("location.href = arguments[0]", reports[0])
        name = os.path.basename(reports[0]).rsplit("-", 1)[0]
        self.wait_for(lambda: name in self.browser.js("return document.querySelector('header')?.textContent ?? ''"))

    def test_the_history_is_that_of_the_command(self):
        self.show("history")
        rows = self.rows("history", "section:first-child")
        shown = {(row[1].replace("\u200b", ""), row[2]) for row in rows}
        expected = {(f"{change['generator']} {change['metric']}", change["test"] or "(all tests)")
                    for change in self.history["changes"]}
        self.assertTrue(expected)
        self.assertLessEqual(expected, shown)
        points = self.browser.js("return document.querySelectorAll('#part-history .card svg .night-point').length")
        self.assertEqual(points, 13)  # with tonight
        figures = self.rows("history", "section:last-child")
        self.assertGreater(len(figures), len(expected))

    def test_the_runs_worth_a_look_are_those_of_the_gate(self):
        lines = self.gate.split("runs worth a look:\n")[1].splitlines()
        runs = [os.path.basename(line.split(":")[0]) for line in lines if line.startswith("  night")]
        shown = self.browser.js("return [...document.querySelectorAll('#part-runs .look .card:last-child li a')].map((a) => a.title)")
        self.assertEqual([os.path.basename(title.split(" (")[0]) for title in shown], runs)

    def test_distributions_are_those_of_all_runs(self):
        self.show("distributions")
        rows = self.rows("distributions", "section:last-child")
        for row in rows:
            durations = [tx.duration for trace in self.traces.values() for tx in trace.of(row[0])
                         if not tx.is_unfinished]
            self.assertEqual(int(re.sub(r"\D", "", row[2])), len(durations))
            self.assertEqual(round(float(row[8].split()[0]) * 1000), max(durations))
        bars = self.browser.js("return [...document.querySelectorAll('#part-distributions rect[data-from]')]"
                               ".map((b) => [b.dataset.from, b.dataset.to, b.dataset.count].map(Number))")
        name = self.browser.text("#part-distributions .card h3")
        durations = [tx.duration for trace in self.traces.values() for tx in trace.of(name)
                     if not tx.is_unfinished]
        for low, high, count in bars:
            self.assertEqual(count, sum(low <= d < high for d in durations))

    def test_checks_are_those_of_the_gate(self):
        self.show("gate")
        rows = self.rows("gate")
        failed = {rule: int(count) for rule, count in re.findall(r"^(\S.*): (\d+) of \d+ failed$", self.gate, re.M)}
        self.assertGreater(sum(failed.values()), 0)
        for rule, count in failed.items():
            shown = next(row for row in rows if " ".join(row[0].split()) == " ".join(rule.split()))
            self.assertEqual(int(re.sub(r"\D", "", shown[3])), count)

    def test_the_line_of_a_run_contrasts_with_its_area(self):
        for dark in (False, True):
            self.browser.resize("usual", dark)
            self.browser.settle()
            line, edge, page = self.browser.js(
                "const at = (name, what) => getComputedStyle(document.querySelector(name))[what];"
                "return [at('#part-runs svg .worst', 'stroke'), at('#part-runs svg .edge', 'stroke'),"
                " at('body', 'backgroundColor')]")
            self.assertEqual(edge, page)
            light, faint = sorted(map(luminance, (line, edge)), reverse=True)
            self.assertGreater((light + 0.05) / (faint + 0.05), 7, (line, edge))
        self.browser.resize("usual")

    def test_pictures(self):
        for size, dark in (("usual", False), ("usual", True), ("narrow", False)):
            self.browser.resize(size, dark)
            for part in ("runs", "distributions", "history", "gate"):
                self.show(part)
                self.browser.settle()
                self.browser.screenshot(os.path.join(FOLDER, f"night-{part}-{size}-{'dark' if dark else 'light'}.png"))
                self.assertLessEqual(*self.browser.js("return [document.documentElement.scrollWidth, innerWidth]"))
        self.browser.resize("usual")

    def shadows(self, selector):
        """Returns whether the element has a shadow at the left and at the right edge, at a quarter of its height. Two
        lines are looked at, because one can be the line between two rows."""
        self.browser.settle()
        x, y, width, height = self.browser.js(
            "const b = document.querySelector(arguments[0]).getBoundingClientRect();"
            "return [b.x, b.y, b.width, b.height].map(Math.round)", selector)
        picture = self.browser.driver.get_screenshot_as_base64()
        pixels = self.browser.driver.execute_async_script(
            "const [picture, x, y, width, done] = arguments; const image = new Image();"
            "image.onload = () => {"
            "  const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');"
            "  canvas.drawImage(image, 0, 0);"
            "  done([x + 1, x + width - 2].map((at) => [y, y + 3].map((line) =>"
            "    `rgb(${canvas.getImageData(at, line, 1, 1).data.slice(0, 3).join(', ')})`)));"
            "}; image.src = 'data:image/png;base64,' + picture;", picture, x, y + height // 4 + 8, width)
        background = self.browser.js("return getComputedStyle(document.body).backgroundColor")
        return [background not in pixel for pixel in pixels]

    def test_tables_show_that_they_can_be_scrolled(self):
        self.addCleanup(self.browser.resize, "usual")
        table = "#part-runs .table"
        for dark in (False, True):
            self.browser.resize("phone", dark)
            self.show("runs")
            scrolled = []
            for part in (0, 0.5, 1):
                self.browser.js("const t = document.querySelector(arguments[0]); t.scrollIntoView();"
                                "t.scrollLeft = arguments[1] * (t.scrollWidth - t.clientWidth)", table, part)
                scrolled.append(self.shadows(table))
            self.browser.screenshot(os.path.join(FOLDER, f"night-scrolled-phone-{'dark' if dark else 'light'}.png"))
            self.assertEqual(scrolled, [[False, True], [True, True], [True, False]], dark)
        self.browser.resize("usual")
        self.browser.settle()

        def has_no_shadow():
            self.browser.js("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", table)
            return self.shadows(table) == [False, False]

        self.wait_for(has_no_shadow)

    def test_tables_can_be_read_on_a_phone(self):
        self.browser.resize("phone")
        self.addCleanup(self.browser.resize, "usual")
        for part in ("runs", "distributions", "history", "gate"):
            self.show(part)
            self.browser.settle()
            self.browser.screenshot(os.path.join(FOLDER, f"night-{part}-phone-light.png"))
            self.assertLessEqual(self.browser.js("return document.documentElement.scrollWidth"), 390, part)
            heights = self.browser.js("return [...document.querySelectorAll('#part-' + arguments[0] + ' tbody tr')].map((r) => r.clientHeight)", part)
            self.assertLess(max(heights), 150, part)
            scales = self.browser.js("return [...document.querySelectorAll('#part-' + arguments[0] + ' .card svg')].map("
                                     "(s) => s.getBoundingClientRect().width / s.viewBox.baseVal.width)", part)
            self.assertGreater(min(scales, default=1), 0.8, part)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
