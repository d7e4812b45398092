#!/usr/bin/python3
"""Judges nights of made-up runs, and compares the verdicts with the defects that were put in.

    gate_test.py FTR MAKE_RUN
"""

import concurrent.futures
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

HERE = str(Path(__file__).resolve().parent)
sys.path.insert(0, HERE)
from figures import read_summary  # noqa: E402

FTR, MAKE_RUN = sys.argv[1:3]
RUNS = 60

RULES = """# a night
top.bus*.out_bl.*  p99 <= baseline + 5 %
top.bus*.out_bl.*  mean <= baseline + 5 %
top.bus*.out_bl.*  p99 <= 100 ns
top.cpu.*          count >= 1 in every run
*                  losses == 0
"""


def ftr(*arguments, status=0):
    result = subprocess.run([FTR, *map(str, arguments)], capture_output=True, text=True,
                            errors="replace")
    assert status is None or result.returncode == status, (arguments, result.returncode, result.stdout, result.stderr)
    return result


def make_run(path, seed, *settings):
    subprocess.run([MAKE_RUN, path, str(seed), *settings], check="crash=1" not in settings,
                   capture_output=True)


def rank_sum(tested, reference, floor=0):
    """One-sided p of the test of Mann and Whitney, by its definition over single values."""
    tested = [max(value, floor) for value in tested]
    reference = [max(value, floor) for value in reference]
    every = sorted(tested + reference)
    first, last = {}, {}
    for i, value in enumerate(every, 1):
        first.setdefault(value, i)
        last[value] = i
    ranks = sum((first[value] + last[value]) / 2 for value in tested)
    n, m, total = len(tested), len(reference), len(every)
    ties = sum((last[v] - first[v] + 1) ** 3 - (last[v] - first[v] + 1) for v in first)
    variance = n * m / 12 * (total + 1 - ties / (total * (total - 1)))
    return math.erfc((ranks - n * (total + 1) / 2 - 0.5) / math.sqrt(2 * variance)) / 2


def expect_junit(path):
    """Validates a file against the schema of the build servers."""
    said = subprocess.run(["xmllint", "--noout", "--schema", Path(HERE) / "junit.xsd", path], capture_output=True,
                          text=True, check=False)
    assert said.returncode == 0, said.stderr


class Gate(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        os.chdir(self.directory.name)
        Path("rules").write_text(RULES, encoding="utf-8")

    def tearDown(self):
        os.chdir("/")
        self.directory.cleanup()

    def make_night(self, name, seed, settings=None):
        """Runs of other seeds; @p settings  of some of them"""
        settings = settings or {}
        os.mkdir(name)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda i: make_run(f"{name}/run{i:03}.ftr", seed + i, *settings.get(i, ())),
                          range(RUNS)))

    def judge(self, *arguments, rules=None, status=1):
        if rules is not None:
            Path("rules").write_text(rules, encoding="utf-8")
        said = ftr("gate", "--json", "rules", *arguments, status=status).stdout
        return {(suite["name"], case["run"]): case.get("message", "")
                for suite in json.loads(said)["suites"] for case in suite["cases"]
                if case["result"] == "failed"}

    def test_the_gate_names_exactly_the_defects(self):
        slow = {7: ("slow=20",), 23: ("slow=12",), 41: ("slow=30",)}
        self.make_night("last", 1000)
        self.make_night("tonight", 5000, {**slow, 12: ("crash=1",), 30: ("silent=top.bus1.out_bl",)})
        cut = Path("tonight/run050.ftr")
        cut.write_bytes(cut.read_bytes()[:cut.stat().st_size // 2])
        os.remove("tonight/run055.ftr")
        ftr("summary", *sorted(str(path) for path in Path("last").iterdir() if path.suffix == ".ftr"),
            "-o", "last.fts")
        ftr("summary", *sorted(str(path) for path in Path("tonight").iterdir() if path.suffix == ".ftr"),
            "tonight/run058_new.ftr", "-o", "tonight.fts", status=1)
        said = ftr("gate", "rules", "tonight.fts", "--baseline", "last.fts", "--junit", "out.xml", status=1)
        expect_junit("out.xml")
        tree = xml.parse("out.xml").getroot()
        self.assertEqual(tree.tag, "testsuites")
        failed = {}
        for suite in tree:
            cases = suite.findall("testcase")
            self.assertEqual(int(suite.get("tests")), len(cases))
            self.assertEqual(int(suite.get("failures")), len(suite.findall("testcase/failure")))
            self.assertEqual(int(suite.get("skipped")), len(suite.findall("testcase/skipped")))
            for case in suite.findall("testcase"):
                for failure in case.findall("failure"):
                    failed.setdefault(case.get("name"), {})[suite.get("name")] = failure.get("message")
        expected = {f"tonight/run{i:03}.ftr" for i in (7, 12, 23, 30, 41, 50)}
        self.assertEqual(set(failed), expected | {"run055.ftr", "tonight/run058_new.ftr"}, said.stdout)
        for i in slow:
            suites = failed[f"tonight/run{i:03}.ftr"]
            self.assertNotIn("runs", suites)
            for message in suites.values():
                self.assertRegex(message, r"top\.bus.*: (p99|mean) is .* ns, limit <= .* ns, baseline .* ns, "
                                          r"p = .*; slowest transaction: #\d+ at .*, .* ns")
        for i, text in ((12, "has no end"), (30, "stream top.bus1.out_bl has no transaction"),
                        (50, "cannot be read")):
            self.assertEqual(list(failed[f"tonight/run{i:03}.ftr"]), ["runs"])
            self.assertIn(text, failed[f"tonight/run{i:03}.ftr"]["runs"])
        self.assertIn("absent", failed["run055.ftr"]["runs"])
        self.assertIn("does not exist", failed["tonight/run058_new.ftr"]["runs"])

    def test_nights_of_other_seeds_pass(self):
        self.make_night("last", 100)
        ftr("summary", *Path("last").glob("*.ftr"), "-o", "last.fts")
        for seed in (2000, 3000):
            name = f"night{seed}"
            self.make_night(name, seed)
            ftr("summary", *Path(name).glob("*.ftr"), "-o", "tonight.fts")
            self.assertEqual(self.judge("tonight.fts", "--baseline", "last.fts", status=0), {})

    def test_limits_are_compared_with_the_measured_values(self):
        make_run("a.ftr", 1)
        make_run("b.ftr", 2, "scale=-9")
        ftr("summary", "a.ftr", "b.ftr", "-o", "n.fts")
        runs = {run["file"]: run for run in read_summary("n.fts").values()}
        for name, unit in (("a.ftr", "ps"), ("b.ftr", "ns")):
            figures = runs[name]["generators"]["top.bus0.out_bl.read"]
            longest, begin, tx = figures["slowest"][0]
            rules = f"top.bus0.out_bl.read max <= {longest} {unit}\n"
            self.assertNotIn(name, {run for _, run in self.judge("n.fts", rules=rules, status=None)})
            rules = f"top.bus0.out_bl.read max < {longest} {unit}\n"
            message = {run: text for (_, run), text in self.judge("n.fts", rules=rules, status=None).items()}[name]
            self.assertIn(f"slowest transaction: #{tx} at ", message)
            for metric, value in (("errors", figures["errors"]), ("unfinished", figures["unfinished"]),
                                  ("count", figures["latency"]["count"]),
                                  ("outstanding", figures["outstanding"])):
                for operator, holds in (("==", True), ("!=", False), ("<", False), (">=", True)):
                    failed = self.judge("n.fts", rules=f"top.bus0.out_bl.read {metric} {operator} {value}\n",
                                        status=None)
                    self.assertEqual(name not in {run for _, run in failed}, holds, (metric, operator))
            self.assertIn((f"top.bus0.out_bl.read bytes < {figures['bytes']} B", name),
                          self.judge("n.fts", rules=f"top.bus0.out_bl.read bytes < {figures['bytes']} B", status=None))

    def test_a_pattern_without_a_match_fails(self):
        make_run("a.ftr", 1, "silent=top.cpu.irq")
        ftr("summary", "a.ftr", "-o", "n.fts")
        failed = self.judge("n.fts", rules="top.cpu.irq.raise p99 <= 1 s\n")
        self.assertEqual(list(failed), [("top.cpu.irq.raise p99 <= 1 s", "(all runs)")])
        failed = self.judge("n.fts", rules="top.bus0.out_bl.raed errors >= 0\n")
        self.assertIn("did you mean 'top.bus0.out_bl.read'", *failed.values())
        failed = self.judge("n.fts", rules="top.cpu.irq.* count >= 1 in every run\n")
        self.assertEqual({run for _, run in failed}, {"a.ftr", "(all runs)"})
        failed = self.judge("n.fts", rules="top.bus0.out_bl.* p99 <= baseline\n")
        self.assertIn("--baseline", *failed.values())
        failed = self.judge("n.fts", rules="* exit_status == 0\n")
        self.assertEqual({run for _, run in failed}, {"(all runs)"})
        make_run("b.ftr", 1, "identity=b", "exit=3")
        ftr("summary", "b.ftr", "-o", "n.fts")
        self.assertIn("exit_status is 3", *self.judge("n.fts", rules="* exit_status == 0\n").values())

    def test_the_probability_is_that_of_mann_and_whitney(self):
        for seed in range(4):
            os.mkdir(f"s{seed}")
            make_run(f"s{seed}/a.ftr", seed, "count=60")
            make_run(f"s{seed}/b.ftr", seed + 50, "count=60", "slow=40")
            ftr("summary", f"s{seed}/a.ftr", "-o", "last.fts")
            ftr("summary", f"s{seed}/b.ftr", "-o", "night.fts")
            name = "top.bus0.out_bl.read"
            values = []
            for file in ("night.fts", "last.fts"):
                (run,) = read_summary(file).values()
                bins = run["generators"][name]["latency"]["bins"]
                values.append([value for value, count in sorted(bins.items()) for _ in range(count)])
            last = values[1]
            for metric, percent in (("mean", None), ("p80", 80), ("p50", 50)):
                floor = last[max(0, -(-len(last) * (2 * percent - 100) // 100) - 1)] if percent and percent > 50 else 0
                p = rank_sum(*values, floor)
                failed = self.judge("night.fts", "--baseline", "last.fts", "--alpha", "1", "--effect", "0",
                                    rules=f"{name} {metric} <= baseline\n", status=None)
                (message,) = [text for (suite, _), text in failed.items() if suite != "runs"]
                self.assertIn(f"p = {p:.1g}", message)

    def test_errors_in_rules_have_a_line_and_a_column(self):
        make_run("a.ftr", 1)
        ftr("summary", "a.ftr", "-o", "n.fts")
        for rules, place in (("* p99 <= 5\n", "1:11: a unit is expected: s, ms, us, ns, ps, fs"),
                             ("# x\n\n* p99 <= 5 nm\n", "3:12: 'nm' is neither a unit nor 'in every run'"),
                             ("* p99x <= 5 ns\n", "1:3: unknown metric 'p99x'"),
                             ("* eror == 0\n", "1:3: unknown metric 'eror'; did you mean 'errors'?"),
                             ("* errors = 0\n", "1:10: an operator is expected"),
                             ("* errors == 0 in evry run\n", "1:15: 'in evry run' is neither a unit nor 'in every run'"),
                             ("* errors == 0 B\n", "1:13: a number without a unit is expected"),
                             ("*\n", "1:2: a metric is expected"), ("\"a b count > 1\n", "1:1: the closing quote"),
                             ("* losses <= baseline\n", "1:13: this metric cannot"),
                             ("* p99 == baseline\n", "1:10: a baseline is compared"),
                             ("* p99 <= baseline + x\n", "1:21: a number is expected"),
                             ("# nothing\n", "1:1: a rule is expected"), ("* count > 0x1 x\n", "1:15: 'x' is neither a unit")):
            Path("rules").write_text(rules, encoding="utf-8")
            said = ftr("gate", "rules", "n.fts", status=2).stderr
            self.assertIn(f"ftr: rules:{place}", said)

    def test_damage_and_missing_files_are_named(self):
        make_run("a.ftr", 1)
        ftr("summary", "a.ftr", "-o", "n.fts")
        Path("bad.fts").write_bytes(Path("n.fts").read_bytes()[:-5])
        for arguments in (["bad.fts"], ["n.fts", "--baseline", "bad.fts"]):
            self.assertIn("ftr: bad.fts: byte ", ftr("gate", "rules", *arguments, status=2).stderr)
        self.assertIn("ftr: gone.fts: ", ftr("gate", "rules", "gone.fts", status=2).stderr)
        self.assertIn("ftr: gone: ", ftr("gate", "gone", "n.fts", status=2).stderr)
        self.assertIn("same file", ftr("gate", "rules", "n.fts", "--junit", "n.fts", status=2).stderr)

    def test_junit_is_well_formed_for_any_name(self):
        make_run("a & <b> \"c\".ftr", 1)
        Path("x\x01\udcff\n.ftr").write_bytes(b"")
        subprocess.run([FTR, "summary", "a & <b> \"c\".ftr", b"x\x01\xff\n.ftr", "-o", "n.fts"],
                       capture_output=True, check=False)
        Path("rules").write_text("*odd* count > 1000000 # & <\n* errors >= 0\n", encoding="utf-8")
        ftr("gate", "rules", "n.fts", "--junit", "out.xml", status=1)
        expect_junit("out.xml")
        names = {case.get("name") for case in xml.parse("out.xml").iter("testcase")}
        self.assertEqual(names, {"a & <b> \"c\".ftr", "x??\n.ftr"})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
