#!/usr/bin/python3
"""Judges nights of made-up runs, and compares the verdicts with the defects that were put in.

    gate_test.py FTR MAKE_RUN
"""

import collections
import concurrent.futures
import itertools
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

HERE = str(Path(__file__).resolve().parent)
sys.path.insert(0, HERE)
from figures import covered, read_summary, read_trace  # noqa: E402

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

    def make_night(self, name, seed, of_tests=None, of_runs=None):
        """Makes ten runs of each of six tests, with other seeds in each night.
        @param of_tests settings of all runs of some tests
        @param of_runs settings of some runs"""
        of_tests, of_runs = of_tests or {}, of_runs or {}
        os.mkdir(name)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda i: make_run(self.path(name, seed, i), seed + i, *of_tests.get(i // 10, ()),
                                             *of_runs.get(i, ())), range(RUNS)))

    @staticmethod
    def path(night, seed, i):
        return f"{night}/t{i // 10}-seed{seed + i}.ftr"

    def summarize(self, night):
        ftr("summary", *sorted(Path(night).glob("*.ftr")), "-o", f"{night}.fts", status=None)
        return f"{night}.fts"

    def judge(self, *arguments, rules=None, status=1):
        if rules is not None:
            Path("rules").write_text(rules, encoding="utf-8")
        said = ftr("gate", "--json", "rules", *arguments, status=status).stdout
        return {(suite["name"], case["run"]): case.get("message", "")
                for suite in json.loads(said)["suites"] for case in suite["cases"]
                if case["result"] == "failed"}

    def test_the_gate_names_exactly_the_defects(self):
        self.make_night("last", 1000)
        self.make_night("tonight", 5000, {2: ("slow=12",), 4: ("slow=30",)},
                        {12: ("crash=1",), 30: ("silent=top.bus1.out_bl",)})
        def path(i):
            return self.path("tonight", 5000, i)
        cut = Path(path(50))
        cut.write_bytes(cut.read_bytes()[:cut.stat().st_size // 2])
        os.remove(path(55))
        ftr("summary", *sorted(Path("tonight").glob("*.ftr")), "tonight/t0-seed1.ftr", "-o", "tonight.fts", status=1)
        said = ftr("gate", "rules", "tonight.fts", "--baseline", self.summarize("last"), "--junit", "out.xml", status=1)
        expect_junit("out.xml")
        tree = xml.parse("out.xml").getroot()
        self.assertEqual(tree.tag, "testsuites")
        failed = {}
        self.assertNotIn("skipped", tree.attrib)
        def name_of(case):
            files = [line[6:] for line in (case.findtext("system-out") or "").splitlines() if line.startswith("file: ")]
            return files[0] if files else case.get("name")
        for suite in tree:
            cases = suite.findall("testcase")
            self.assertEqual(int(suite.get("tests")), len(cases))
            self.assertEqual(int(suite.get("failures")), len(suite.findall("testcase/failure")))
            self.assertEqual(int(suite.get("skipped")), len(suite.findall("testcase/skipped")))
            for case in suite.findall("testcase"):
                for failure in case.findall("failure"):
                    failed.setdefault(name_of(case), {})[suite.get("name")] = failure.get("message")
        self.assertEqual(set(failed), {path(12), path(30), path(50), "t2", "t4", "t5", "tonight/t0-seed1.ftr"} |
                         {path(i) for i in range(RUNS) if "top.bus*.out_bl.*  p99 <= 100 ns" in
                          failed.get(path(i), ())}, said.stdout)
        for test, metrics in (("t2", {"mean"}), ("t4", {"mean", "p99"})):
            suites = failed[test]
            self.assertEqual({rule.split()[1] for rule in suites}, metrics)
            for message in suites.values():
                self.assertRegex(message, r"top\.bus.*: (p99|mean) is .* ns \(median of 10 runs\), limit <= .* ns, "
                                          r"baseline .* ns \(10 runs\), p = .*; highest is .* ns in tonight/t[24]-.*, "
                                          r"slowest transaction: #\d+ at .*, .* ns")
        for i, text in ((12, "has no end"), (30, "stream top.bus1.out_bl has no transaction"),
                        (50, "cannot be read")):
            self.assertIn(text, failed[path(i)]["runs"])
        self.assertEqual(failed["t5"], {"runs": "the test has 9 runs; the baseline has 10"})
        self.assertIn("does not exist", failed["tonight/t0-seed1.ftr"]["runs"])

    def test_a_run_without_a_transaction_has_one_message(self):
        self.make_night("last", 1000)
        streams = {name.rsplit(".", 1)[0] for run in read_summary(self.summarize("last")).values()
                   for name in run["generators"] if name != "ftr.run.start"}
        silent = tuple(f"silent={name}" for name in streams | {'top.cpu.odd "<&>"'})
        self.make_night("tonight", 5000, of_runs={7: silent, 21: ("silent=top.cpu.irq",)})
        failed = self.judge(self.summarize("tonight"), "--baseline", "last.fts", rules="* losses == 0\n")
        self.assertEqual({run: message.count("\n") for (_, run), message in failed.items()},
                         {self.path("tonight", 5000, 7): 0, self.path("tonight", 5000, 21): 0})
        self.assertRegex(failed["runs", self.path("tonight", 5000, 7)],
                         r"^the run has no transaction; each run of the baseline has some, in \d streams$")

    def test_nights_of_other_seeds_pass(self):
        self.make_night("last", 100)
        self.make_night("before", 1100)
        nights = [self.summarize("before"), self.summarize("last")]
        for seed in (2000, 3000):
            self.make_night(f"night{seed}", seed)
            tonight = self.summarize(f"night{seed}")
            for baseline in (nights[1:], nights):
                arguments = [word for night in baseline for word in ("--baseline", night)]
                self.assertEqual(self.judge(tonight, *arguments, status=0), {})

    def test_runs_are_compared_within_their_test(self):
        """A test that became slower does not hide behind a slower one, and a faster one does not fail because of it."""
        of_tests = {test: (f"slow={50 * test}",) for test in range(6)}
        self.make_night("last", 100, of_tests)
        self.make_night("same", 1100, of_tests)
        self.make_night("slow", 2100, {**of_tests, 1: ("slow=65",)})
        last = self.summarize("last")
        rules = "top.bus*.out_bl.*  mean <= baseline + 2 %\n"
        self.assertEqual(self.judge(self.summarize("same"), "--baseline", last, rules=rules, status=0), {})
        failed = self.judge(self.summarize("slow"), "--baseline", last, rules=rules)
        self.assertEqual({case for _, case in failed}, {"t1"})

    def test_tests_that_cannot_be_compared_are_named(self):
        for night, runs in (("last", {"a": 3, "b": 1, "gone": 2}), ("tonight", {"a": 3, "b": 1, "new": 2})):
            os.mkdir(night)
            for test, count in runs.items():
                for i in range(count):
                    make_run(f"{night}/{test}-seed{i + 7 * len(night)}.ftr", i + 100 * len(night))
            self.summarize(night)
        rules = "top.bus0.out_bl.read mean <= baseline\n"
        failed = self.judge("tonight.fts", "--baseline", "last.fts", rules=rules)
        self.assertEqual(failed[("runs", "gone")], "absent: the baseline has 2 runs of this test")
        self.assertIn("no test could be compared; test a: top.bus0.out_bl.read: 3 runs here and 3 in the baseline are "
                      "too few", failed[("top.bus0.out_bl.read mean <= baseline", "(all runs)")])
        self.assertEqual(len(failed), 2)
        cases = {case["run"]: case for suite in json.loads(ftr(
            "gate", "--json", "rules", "tonight.fts", "--baseline", "last.fts", status=1).stdout)["suites"][1:]
            for case in suite["cases"]}
        self.assertEqual(cases["new"]["message"], "the baseline has no run of this test")
        self.assertEqual({name: case["result"] for name, case in cases.items()},
                         {"(all runs)": "failed", "a": "skipped", "b": "skipped", "new": "skipped"})
        Path("rules").write_text("top.bus0.out_bl.read p99.9 <= baseline\n", encoding="utf-8")
        said = ftr("gate", "rules", "tonight.fts", "--baseline", "last.fts", status=1).stdout
        self.assertIn("p99.9 needs runs with at least 1000 transactions", said)

    def test_deterministic_tests_fail_on_any_change_that_matters(self):
        for night in ("one", "two"):
            os.mkdir(night)
            make_run(f"{night}/a-seed1.ftr", 1, f"identity={night}")
            self.summarize(night)
        os.mkdir("slow")
        make_run("slow/a-seed1.ftr", 1, "slow=5", "identity=slow")
        rules = "top.bus0.out_bl.read mean <= baseline + 1 %\n"
        nights = ("--baseline", "one.fts", "--baseline", "two.fts")
        (message,) = self.judge(self.summarize("slow"), *nights, rules=rules).values()
        self.assertRegex(message, r"top\.bus0\.out_bl\.read: mean is .* in slow/a-seed1\.ftr, limit <= .*, "
                                  r"baseline .* in all 2 equal runs")
        self.assertEqual(self.judge("one.fts", *nights, rules=rules, status=0), {})

    def test_names_of_cases_are_those_of_the_night_before(self):
        names = []
        for night, seed in (("a", 1), ("b", 51)):
            os.mkdir(night)
            for i in range(3):
                make_run(f"{night}/boot-seed{seed + i}.ftr", seed + i)
            make_run(f"{night}/dma-seed{seed}.ftr", seed)
            self.summarize(night)
            Path("rules").write_text("* errors >= 0\n", encoding="utf-8")
            ftr("gate", "rules", f"{night}.fts", "--junit", "out.xml")
            names.append([case.get("name") for case in xml.parse("out.xml").iter("testcase")])
        self.assertEqual(names[0], names[1])
        self.assertEqual(set(names[0]), {"boot", "boot #2", "boot #3", "dma"})

    def test_expected_runs_that_are_absent_fail(self):
        for i in range(3):
            make_run(f"boot-seed{i}.ftr", i)
        ftr("summary", *sorted(Path(".").glob("*.ftr")), "-o", "n.fts")
        rules = "* errors >= 0\n"
        self.assertEqual(self.judge("n.fts", "--expect", "3", rules=rules, status=0), {})
        self.assertEqual(self.judge("n.fts", "--expect", "4", rules=rules),
                         {("runs", "(number of runs)"): "there are 3 runs; 4 are expected"})
        Path("list").write_text("# a comment\nboot\nboot-seed1\nboot-seed2.ftr\r\nboot-seed7\n\ndma\n", encoding="utf-8")
        self.assertEqual(self.judge("n.fts", "--expect", "list", rules=rules),
                         {("runs", name): "absent: the run is expected" for name in ("boot-seed7", "dma")})
        self.assertIn("gone: No such file", ftr("gate", "rules", "n.fts", "--expect", "gone", status=2).stderr)

    def test_tags_name_the_test(self):
        """With the seed in the key, each run is compared with the runs of its seed, which are all equal."""
        nights = []
        for night, slow in (("a", 0), ("b", 0), ("c", 3)):
            os.mkdir(night)
            for seed in range(4):
                environment = {**os.environ, "FTR_TRACE": f"{night}/{seed}.ftr", "FTR_TAGS": f"test=boot,seed={seed}"}
                subprocess.run([MAKE_RUN, "default", str(seed), f"slow={slow if seed == 2 else 0}"], check=True,
                               capture_output=True, env=environment)
            nights.append(self.summarize(night))
        rules = "top.bus0.out_bl.read mean <= baseline + 1 %\n"
        arguments = (nights[2], "--baseline", nights[0], "--baseline", nights[1])
        self.assertEqual(self.judge(*arguments, rules=rules, status=0), {})
        failed = self.judge(*arguments, "--key", "test,seed", rules=rules)
        self.assertEqual({case for _, case in failed}, {"boot,2"})
        said = ftr("gate", "--json", "rules", *arguments, "--key", "test,seed", status=1).stdout
        (look,) = json.loads(said)["look"]
        self.assertEqual((look["test"], look["tags"]), ("boot,2", "test=boot,seed=2"))
        self.assertEqual(look["command"], f"{os.path.realpath(MAKE_RUN)} default 2 slow=3")
        self.assertEqual(self.judge(*arguments, "--key", "nothing", rules=rules, status=0), {})

    def test_runs_of_another_length_fail(self):
        for night, counts in (("last", [400, 410, 420, 430]), ("tonight", [400, 200, 450, 900])):
            os.mkdir(night)
            for i, count in enumerate(counts):
                make_run(f"{night}/a-seed{i}.ftr", i, f"count={count}", f"identity={night}{i}")
            self.summarize(night)
        failed = self.judge("tonight.fts", "--baseline", "last.fts", rules="* errors >= 0\n")
        self.assertEqual({run for _, run in failed}, {"tonight/a-seed1.ftr", "tonight/a-seed3.ftr"})
        for message in failed.values():
            self.assertRegex(message, r"^the run simulated .*; the 4 earlier runs of its test simulated .* to .*$")

    def test_the_end_names_changes_and_runs(self):
        self.make_night("last", 100)
        self.make_night("slow", 1100, {1: ("slow=20", "exit=3"), 3: ("slow=10",)}, {25: ("crash=1",)})
        last, slow = self.summarize("last"), self.summarize("slow")
        Path("rules").write_text("top.bus0.out_bl.read mean <= baseline + 1 %\n", encoding="utf-8")
        found = json.loads(ftr("gate", "--json", "rules", slow, "--baseline", last, status=1).stdout)
        (change,) = found["changes"]
        self.assertEqual((change["generator"], change["metric"], change["test"], change["tests"]),
                         ("top.bus0.out_bl.read", "mean", "t1", 2))
        self.assertAlmostEqual(change["change"], 0.2, delta=0.03)
        self.assertEqual(found["look"][0]["run"], self.path("slow", 1100, 25))
        self.assertRegex(found["look"][1]["run"], r"^slow/t1-seed\d+\.ftr$")
        text = ftr("gate", "rules", slow, "--baseline", last, status=1).stdout
        self.assertRegex(text, r"greatest changes:\n  top\.bus0\.out_bl\.read mean: \+\S+ % in t1, changed in 2 tests\n"
                               r"runs worth a look:\n  slow/t2-seed1125\.ftr: unfinished: ")

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

    def test_the_probability_is_that_of_the_ranks(self):
        """A second implementation counts all assignments of the runs to the two nights."""
        os.mkdir("last")
        os.mkdir("night")
        for i in range(8):
            make_run(f"last/a-seed{i}.ftr", i, "count=60")
        for i in range(4):
            make_run(f"night/a-seed{50 + i}.ftr", 50 + i, "count=60", "slow=3")
        name = "top.bus0.out_bl.read"
        means = []
        for night in ("night", "last"):
            self.summarize(night)
            bins = [run["generators"][name]["latency"]["bins"] for run in read_summary(f"{night}.fts").values()]
            means.append([sum(value * count for value, count in of.items()) / sum(of.values()) for of in bins])
        ordered = sorted(means[0] + means[1])
        observed = sum(ordered.index(value) for value in means[0])
        sums = [sum(chosen) for chosen in itertools.combinations(range(12), 4)]
        p = sum(value >= observed for value in sums) / len(sums)
        failed = self.judge("night.fts", "--baseline", "last.fts", "--rate", "1", "--effect", "0",
                            rules=f"{name} mean <= baseline\n", status=None)
        (message,) = [text for (suite, _), text in failed.items() if suite != "runs"]
        self.assertIn(f"p = {p:.1g};", message)

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
        self.assertEqual(names, {"a & <b> \"c\"", "x??\n"})
        files = {case.findtext("system-out") for case in xml.parse("out.xml").iter("testcase")} - {None}
        self.assertIn("file: x??\n.ftr\n", files)


class Presence(unittest.TestCase):
    """Names of streams, generators, tests and runs that are new or absent."""

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        os.chdir(self.directory.name)
        Path("rules").write_text("* losses == 0\n", encoding="utf-8")

    def tearDown(self):
        os.chdir("/")
        self.directory.cleanup()

    @staticmethod
    def make_night(night, names, silent=lambda i: ()):
        os.makedirs(night)
        for i, name in enumerate(names):
            make_run(f"{night}/{name}.ftr", i, "count=30", *(f"silent={one}" for one in silent(i)))
        ftr("summary", *sorted(Path(night).glob("*.ftr")), "-o", f"{night}.fts")

    @staticmethod
    def judge(status):
        """Returns the cases about names: {case: (result, lines)}."""
        judged = json.loads(ftr("gate", "rules", "tonight.fts", "--baseline", "last.fts", "--json", status=status).stdout)
        return {case["run"]: (case["result"], case["message"].split("\n")) for case in judged["suites"][0]["cases"]
                if case["run"].startswith("(") or case.get("message", "").startswith("absent")}

    @staticmethod
    def seen(path):
        """Returns {stream: {runs}} and {generator: (stream, {runs})} of those with transactions, and the number of runs."""
        streams, generators = {}, {}
        runs = read_summary(path)
        for identity, run in runs.items():
            for name, of in run["generators"].items():
                if of["latency"]["count"] or of["unfinished"]:
                    stream = max((one for one in run["streams"] if name.startswith(one + ".")), key=len)
                    streams.setdefault(stream, set()).add(identity)
                    generators.setdefault(name, (stream, set()))[1].add(identity)
        return streams, generators, len(runs)

    def expected(self):
        """The cases, by definition."""
        (before, gens_before, n), (now, gens_now, m) = self.seen("last.fts"), self.seen("tonight.fts")
        cases = {}
        both = set(before) & set(now)

        def add(case, result, line):
            cases.setdefault(case, (result, []))[1].append(line)

        for name in set(now) - set(before):
            add("(new streams)", "passed", f"{name}: in {len(now[name])} of {m} runs, in no run of the baseline")
        for name in set(before) - set(now):
            if len(before[name]) < n:
                add("(absent streams)", "passed", f"{name}: in no run, in {len(before[name])} of {n} runs of the baseline")
        for name, (stream, runs) in gens_now.items():
            if name not in gens_before and stream in both:
                add("(new generators)", "passed", f"{name}: in {len(runs)} of {m} runs, in no run of the baseline")
        for name, (stream, runs) in gens_before.items():
            if name not in gens_now and stream in both:
                is_failed = len(runs) == n and math.comb(n + m, n) > 10000
                add("(absent generators)" if is_failed else "(absent generators, may be chance)",
                    "failed" if is_failed else "passed",
                    f"{name}: in no run, in {len(runs)} of {n} runs of the baseline")
        return {case: (result, sorted(lines)) for case, (result, lines) in cases.items()}

    def test_names_new_and_absent_streams_and_generators(self):
        rng = random.Random(5)
        names = ["top.bus0.out_bl", "top.bus0.out_bl.read", "top.bus0.out_bl.write", "top.bus1.out_bl.read", "top.cpu.irq",
                 "top.bus1.out_bl.write", "top.dma.out_nb", 'top.cpu.odd "<&>"']
        found = set()
        for trial in range(18):
            directory = f"trial{trial}"
            os.mkdir(directory)
            os.chdir(directory)
            Path("rules").write_text("* losses == 0\n", encoding="utf-8")
            some = []
            for night, runs in (("last", rng.choice((1, 3, 9, 9))), ("tonight", rng.choice((1, 9, 9)))):
                common = rng.sample(names, rng.randrange(4)) + (some if rng.random() < 0.4 else [])
                some = rng.sample(names, rng.randrange(4))
                self.make_night(night, [f"run{i:02}" for i in range(runs)],
                                lambda i, a=common, b=some, night=night, runs=runs: a + (b if i % 2 else []))
            cases = {case: (result, sorted(lines)) for case, (result, lines) in self.judge(None).items()
                     if case.startswith(("(new s", "(new g", "(absent"))}
            self.assertEqual(cases, self.expected(), trial)
            found |= set(cases)
            os.chdir("..")
        self.assertEqual(len(found), 5, found)

    def test_a_generator_that_all_earlier_runs_have_fails(self):
        self.make_night("last", [f"boot-seed{i}" for i in range(8)])
        self.make_night("tonight", [f"boot-seed{i}" for i in range(8, 16)], lambda i: ["top.bus1.out_bl.write"])
        said = ftr("gate", "rules", "tonight.fts", "--baseline", "last.fts", "--junit", "out.xml", status=1).stdout
        self.assertIn("(absent generators)\n    top.bus1.out_bl.write: in no run, in 8 of 8 runs of the baseline\n", said)
        expect_junit("out.xml")

    def test_says_new_streams_without_a_failure(self):
        self.make_night("last", [f"boot-seed{i}" for i in range(8)], lambda i: ["top.cpu.irq"])
        self.make_night("tonight", [f"boot-seed{i}" for i in range(8, 16)])
        said = ftr("gate", "rules", "tonight.fts", "--baseline", "last.fts", "--junit", "out.xml").stdout
        self.assertIn("(new streams)\n    top.cpu.irq: in 8 of 8 runs, in no run of the baseline\n", said)
        expect_junit("out.xml")
        self.assertIn("top.cpu.irq: in 8 of 8 runs", Path("out.xml").read_text(encoding="utf-8"))

    def test_offers_the_new_name_of_a_test(self):
        self.make_night("last", [f"{test}-seed{i}" for test in ("boot_linux", "dma", "irq") for i in range(3)])
        self.make_night("tonight", [f"{test}-seed{i}" for test in ("boot_linux6", "irq", "video") for i in range(5, 8)])
        self.assertEqual(self.judge(1), {
            "boot_linux": ("failed", ["absent: the baseline has 3 runs of this test; was it renamed to 'boot_linux6', which is "
                                      "new?"]),
            "dma": ("failed", ["absent: the baseline has 3 runs of this test"]),
            "(new tests)": ("passed", ["boot_linux6: 3 runs", "video: 3 runs"])})

    def test_offers_the_new_name_of_a_run(self):
        self.make_night("last", ["boot", "dma_short", "irq", "video"])
        self.make_night("tonight", ["boot", "dma_shorter", "irq", "video", "audio"])
        self.assertEqual(self.judge(1), {
            "dma_short.ftr": ("failed", ["absent: the baseline has the run; was it renamed to 'dma_shorter.ftr', which is new?"]),
            "(new runs)": ("passed", ["audio.ftr", "dma_shorter.ftr"])})


class Hangs(unittest.TestCase):
    """What was open when a run was killed."""

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        os.chdir(self.directory.name)
        Path("rules").write_text("* losses == 0\n", encoding="utf-8")

    def tearDown(self):
        os.chdir("/")
        self.directory.cleanup()

    @staticmethod
    def record(seed, *settings):
        """Records a run that is killed by SIGTERM, which leaves a complete trace and a summary."""
        environment = {**os.environ, "FTR_TRACE": f"run{seed}.ftr", "FTR_SUMMARY": f"run{seed}.fts"}
        subprocess.run([MAKE_RUN, "default", str(seed), *settings], env=environment, capture_output=True, check=False)

    @staticmethod
    def stops(seed, length):
        """Returns {generator: (number of open transactions, the end of its last pause, the end of the last time slot in
        which a transaction began that has ended, whether they overlap)}, by definition, of the transactions in the trace."""
        traced = {f"{stream}.{generator}": rows for stream, generators in read_trace(f"run{seed}.ftr")[0].items()
                  for generator, rows in generators.items() if rows}
        end = max(tx["end"] for rows in traced.values() for tx in rows)
        found = {}
        for name, rows in traced.items():
            ends = [tx["end"] for tx in rows if tx["unfinished"]]
            if max(ends, default=0) < end:
                continue
            begin, last = covered([(tx["begin"], tx["end"]) for tx in rows])[-1]
            since = begin if last == end else end
            slot = max((tx["begin"] // length for tx in rows if not tx["unfinished"]), default=None)
            overlaps = slot is not None and since < slot * length
            found[name] = (len(ends), since, min(end, (slot + 1) * length) if slot is not None else 0, overlaps)
        return found

    def test_names_open_transactions_with_their_times(self):
        names = ["top.bus0.out_bl.read", "top.bus1.out_bl.write", "top.cpu.irq.raise", "top.dma.out_nb.fw"]
        rng = random.Random(11)
        kinds = collections.Counter()
        for seed in range(20):
            hangs = rng.sample(names, rng.randrange(3))
            self.record(seed, "die=15", f"count={rng.choice((1, 2, 6, 40, 300))}",
                        *(f"hang={name}" for name in hangs))
            ftr("summary", "--merge", f"run{seed}.fts", "-o", "night.fts")
            length = 1 << next(iter(read_summary("night.fts").values()))["shift"]
            judged = json.loads(ftr("gate", "rules", "night.fts", "--json", status=1).stdout)
            lines = judged["suites"][0]["cases"][0]["message"].split("\n")
            self.assertRegex(lines[0], r"^killed by signal 15 \(SIGTERM\): ")
            expected = self.stops(seed, length)
            found, order = {}, []
            for line in lines[1:]:
                name, count, kind, time, unit = re.match(
                    r"open at the end: (.*), (\d+) transactions?(; none that began after | since about | since )([\d.]+) "
                    r"([pnum]?s)(?: has ended)? \([\d.]+ [pnum]?s before the end\)$", line).groups()
                tick = round(float(time) * {"ps": 1, "ns": 1e3, "us": 1e6}[unit])
                _, since, stopped, overlaps = expected[name]
                if kind.startswith(";"):
                    self.assertTrue(overlaps and tick == stopped, (line, expected[name]))
                elif "about" in kind:
                    self.assertTrue(since - length <= tick <= since, (line, expected[name], length))
                else:
                    self.assertEqual(tick, since, (line, expected[name]))
                order.append(tick)
                found[name] = int(count)
                kinds[kind] += name in hangs
            self.assertEqual(found, {name: of[0] for name, of in list(expected.items())}, lines)
            self.assertEqual(order, sorted(order))
            self.assertLessEqual(set(hangs), set(found))
        self.assertEqual(len(kinds), 3, kinds)

    def test_says_nothing_about_a_regular_end(self):
        self.record(3, "identity=x", "hang=top.cpu.irq.raise")
        ftr("summary", "--merge", "run3.fts", "-o", "night.fts")
        self.assertNotIn("open at the end", ftr("gate", "rules", "night.fts", "--json").stdout)


@unittest.skipIf(ftr("help", "sql", status=None).returncode != 0, "built without SQLite")
class Queries(unittest.TestCase):
    """Rules that are queries: each row is a failure."""

    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        os.chdir(cls.directory.name)
        os.mkdir("night")
        for i in range(30):
            make_run(f"night/t{i % 3}-seed{i}.ftr", i, *(["slow=40"] if i in (4, 11, 23) else []))
        Path("night/torn.ftr").write_bytes(Path("night/t0-seed0.ftr").read_bytes()[:3000])
        ftr("summary", *sorted(Path("night").glob("*.ftr")), "-o", "night.fts", status=1)
        cls.runs = list(read_summary("night.fts").values())

    @classmethod
    def tearDownClass(cls):
        os.chdir("/")
        cls.directory.cleanup()

    def judge(self, rules, *arguments, status):
        Path("rules").write_text(rules, encoding="utf-8")
        return ftr("gate", "rules", "night.fts", *arguments, status=status)

    def failures(self, rules, suite=1):
        """Returns {file of the run: lines of the message} of the failed cases of a suite."""
        judged = json.loads(self.judge(rules, "--json", status=1).stdout)["suites"][suite]
        return {case["run"]: case["message"].split("\n") for case in judged["cases"] if case["result"] == "failed"}

    def test_each_row_fails_its_run(self):
        for limit in (20000, 29000, 33000, 36000):
            expected = {}
            for run in self.runs:
                for name, of in run["generators"].items():
                    if of["latency"]["max"] > limit:
                        expected.setdefault(run["file"], []).append(f"{name} lasts {of['latency']['max']}")
            found = self.failures(f"sql slow: SELECT run, stream || '.' || generator || ' lasts ' || max AS message\n"
                                  f"    FROM figures -- # no comment of a rule\n    WHERE max > {limit} ORDER BY run, 2\n")
            self.assertEqual({run: lines[:10] for run, lines in found.items()},
                             {run: sorted(lines)[:10] for run, lines in expected.items()})
            self.assertTrue(all((lines[10:] == ["..."]) == (len(expected[run]) > 10) for run, lines in found.items()))

    def test_names_columns_and_values(self):
        name = self.runs[6]["file"]
        self.assertEqual(self.failures("sql a: SELECT 'tab' || char(9) || 'line' || char(10) || 'back\\slash' AS text, run, "
                                       f"1.5 AS real, NULL AS none FROM run WHERE file = '{name}'"),
                         {name: ["text = tab line back\\slash, real = 1.5, none = "]})
        self.assertEqual(self.failures(f"sql a: SELECT run FROM run WHERE file = '{name}'"),
                         {name: ["the query returns this run"]})

    def test_a_row_without_a_run_fails_the_night(self):
        self.assertEqual(self.failures("sql a: SELECT count(*) AS runs FROM run\n\nsql b: SELECT 1 WHERE 0"),
                         {"(all runs)": ["runs = 31"]})
        self.assertEqual(self.failures("sql a: SELECT 99 AS run, 'unknown' AS message"), {"(all runs)": ["unknown"]})

    def test_passes_without_a_row(self):
        judged = json.loads(self.judge("sql fine:\n  SELECT run FROM run\n  WHERE losses > 0\n# end\n* losses == 0", "--json",
                                       status=1).stdout)
        self.assertEqual([(suite["name"], suite["failed"], suite["skipped"]) for suite in judged["suites"]],
                         [("runs", 1, 0), ("sql fine", 0, 0), ("* losses == 0", 0, 1)])
        self.assertEqual(judged["suites"][1]["cases"], [{"run": "(all runs)", "result": "passed"}])

    def test_writes_junit(self):
        self.judge("sql slow: SELECT run, stream FROM figures WHERE max > 30000\nsql all: SELECT '<&>\"' AS text", "--junit",
                   "out.xml", status=1)
        expect_junit("out.xml")
        suites = xml.parse("out.xml").getroot().findall("testsuite")
        names = [case.get("name") for case in suites[1].findall("testcase")]
        self.assertGreater(len(names), 3)
        self.assertEqual(len(names), len(set(names)))

    def test_reports_wrong_queries_with_their_line(self):
        for query, message in (("SELECT p98 FROM figures", "rules:3: no such column: p98"),
                               ("SELECT FROM", 'rules:3: near "FROM": syntax error'),
                               ("SELECT percentile(1, 7)", "rules:3: percentile: a fraction from 0 to 1 is expected"),
                               ("ATTACH 'x.db' AS x", "rules:3: ATTACH or VACUUM INTO a file is not allowed"),
                               ("-- nothing", "rules:3: the statement has no columns"),
                               ("\n\n", "rules:3:7: a query is expected")):
            said = self.judge(f"# a rule\n* losses == 0\nsql a: {query}\n", status=2)
            self.assertIn(message, said.stderr)
            self.assertEqual(said.stdout, "")
        self.assertFalse(Path("x.db").exists())

    def test_the_documented_queries_have_no_error(self):
        page = (Path(HERE).parents[2] / "docs" / "conditions.md").read_text(encoding="utf-8")
        rules = page.split("### Queries")[1].split("```text\n")[1].split("```")[0]
        judged = json.loads(self.judge(rules, "--json", status=1).stdout)
        self.assertEqual([(suite["name"], suite["failed"]) for suite in judged["suites"]],
                         [("runs", 1), ("sql unread", 0), ("sql unequal", 0), ("sql seeds", 1)])

    def test_a_pattern_named_sql_needs_quotes(self):
        self.assertIn("no generator matches 'sql'", self.judge('"sql" count >= 1', status=1).stdout)

    def test_is_usable_without_the_program_of_queries(self):
        program = Path(FTR).resolve()
        os.makedirs("alone/bin", exist_ok=True)
        alone = Path("alone/bin/ftr")
        alone.write_bytes(program.read_bytes())
        alone.chmod(0o755)
        Path("rules").write_text("sql a: SELECT 1\n", encoding="utf-8")
        said = subprocess.run([alone, "gate", "rules", "night.fts"], capture_output=True, text=True, check=False)
        self.assertEqual((said.returncode, said.stdout), (2, ""))
        self.assertIn("rules:1: the query needs the program of 'ftr sql'", said.stderr)
        Path("rules").write_text("* losses == 0\n", encoding="utf-8")
        said = subprocess.run([alone, "gate", "rules", "night.fts"], capture_output=True, text=True, check=False)
        self.assertEqual(said.returncode, 1)
        self.assertIn("failed", said.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
