#!/usr/bin/python3
"""Three nights of an instrumented prototype, with known defects in the last one: the gate names the runs
with defects and no others, and every figure equals one computed from `ftr dump`.

    summary_night_test.py FTR PROTOTYPE RUNS
"""

import concurrent.futures
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from figures import facts, figures, overlap, read_summary, text_of_dump  # noqa: E402

FTR, PROTOTYPE = (os.path.abspath(path) for path in sys.argv[1:3])
RUNS = int(sys.argv[3])
RULES = """# the night of the system on a chip
soc.cpu*.load    mean <= baseline + 5 %
soc.cpu*.load    p90 <= baseline + 5 %
soc.display.*    p99 <= 340 ns
soc.dma.*        throughput >= 1 Mtx/s
soc.cpu*         count >= 1 in every run
soc.dma.*        outstanding <= 4
*                losses == 0
"""
TESTS = 4  # each has every fourth run
SLOW = {1: 15}  # tests
KILLED, SILENT, CUT = 5, 11, 14


def run(number, seed, *defects):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("FTR_")}
    # SystemC protects a page in the stack of each process; LeakSanitizer fails if it reads this page.
    environment["ASAN_OPTIONS"] = "detect_leaks=0"
    said = subprocess.run([PROTOTYPE, str(seed + number), *defects], capture_output=True, check=False, env={
        **environment, "FTR_TRACE": f"run{number:03}.ftr", "FTR_TAGS": f"test=t{number % TESTS},seed={seed + number}",
        "FTR_SUMMARY": f"run{number:03}.fts"})
    assert said.returncode == (-signal.SIGKILL if "die" in defects else 0), said


def make_night(folder, seed, defects):
    os.mkdir(folder)
    os.chdir(folder)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda number: run(number, seed, *defects.get(number, ())), range(RUNS)))
    os.chdir("..")
    return sorted(f"{folder}/{name}" for name in os.listdir(folder) if name.endswith(".ftr"))


class Night(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        os.chdir(cls.scratch.name)
        Path("rules").write_text(RULES, encoding="utf-8")
        cls.before = make_night("before", 4000, {})
        cls.last = make_night("last", 1000, {})
        cls.tonight = make_night("tonight", 70000, {
            **{number: (f"slow={SLOW[number % TESTS]}",) for number in range(RUNS) if number % TESTS in SLOW},
            KILLED: ("die",), SILENT: ("silent",)})
        cut = Path(cls.tonight[CUT])
        cut.write_bytes(cut.read_bytes()[:cut.stat().st_size // 2])

    @classmethod
    def tearDownClass(cls):
        os.chdir("/")
        cls.scratch.cleanup()

    def ftr(self, *arguments, status=0):
        said = subprocess.run([FTR, *arguments], capture_output=True, text=True, check=False)
        self.assertEqual(said.returncode, status, (arguments, said.stdout[-2000:], said.stderr))
        return said

    @staticmethod
    def name_of(case):
        """The file of a run, without folder and suffix; otherwise the name of the test."""
        lines = (case.findtext("system-out") or "").splitlines()
        files = [Path(line[len("file: "):]).stem for line in lines if line.startswith("file: ")]
        return files[0] if files else case.get("name")

    def failed(self, path):
        """{run or test: suites} of the failed cases of a JUnit file."""
        found = {}
        for suite in xml.parse(path).getroot():
            for case in suite.findall("testcase"):
                if case.find("failure") is not None:
                    found.setdefault(self.name_of(case), set()).add(suite.get("name"))
        return found

    @staticmethod
    def slow():
        return {f"t{test}" for test in SLOW}

    def test_exactly_the_defects_are_named(self):
        self.ftr("summary", *self.before, "-o", "before.fts")
        self.ftr("summary", *self.last, "-o", "last.fts")
        self.ftr("summary", *self.tonight, "-o", "tonight.fts", status=1)
        self.ftr("gate", "rules", "tonight.fts", "--baseline", "before.fts", "--baseline", "last.fts",
                 "--junit", "out.xml", status=1)
        found = self.failed("out.xml")
        self.assertEqual(set(found), self.slow() | {f"run{number:03}" for number in (KILLED, SILENT, CUT)})
        for test in self.slow():
            self.assertTrue(all(suite.startswith("soc.cpu*.load") for suite in found[test]), found)
        for number in (KILLED, CUT):
            self.assertEqual(found[f"run{number:03}"], {"runs"})
        self.ftr("gate", "rules", "last.fts", "--baseline", "before.fts")

    def test_summaries_written_by_the_runs_give_the_same_verdicts(self):
        for night in ("before", "last", "tonight"):
            kept = [path[:-1] + "s" for path in getattr(self, night)]
            self.ftr("summary", "--merge", *kept, "-o", f"{night}.kept.fts")
        self.ftr("gate", "rules", "tonight.kept.fts", "--baseline", "before.kept.fts", "--baseline", "last.kept.fts",
                 "--junit", "kept.xml", status=1)
        self.assertEqual(set(self.failed("kept.xml")),
                         self.slow() | {f"run{number:03}" for number in (KILLED, SILENT)})

    def test_every_figure_is_that_of_the_dump(self):
        step = max(1, RUNS // 12)
        chosen = sorted({*range(0, RUNS, step), SILENT} - {CUT, KILLED})
        paths = [self.tonight[number] for number in chosen]
        self.ftr("summary", *paths, "-o", "some.fts")
        runs = {run["file"]: run for run in read_summary("some.fts").values()}
        self.assertEqual(len(runs), len(paths))
        for path in paths:
            self.compare(runs[path], path)
            kept, = read_summary(path[:-1] + "s").values()
            for name, expected in runs[path]["generators"].items():
                self.assertEqual(kept["generators"][name], expected, (path, name))

    def compare(self, found, path):
        kinds, rows = text_of_dump(FTR, path)
        self.assertEqual(set(found["generators"]) >= set(rows), True)
        self.assertEqual(found["count"], sum(map(len, rows.values())))
        for name, records in rows.items():
            transactions = [facts(record, kinds[record["stream"]]) for record in records]
            expected = figures(transactions, found["shift"])
            self.assertEqual(found["generators"][name], expected, (path, name))
        for stream, figure in found["streams"].items():
            spans = [(record["begin"], record["end"]) for records in rows.values() for record in records
                     if record["stream"] == stream]
            self.assertEqual((figure["outstanding"], figure["busy"]), overlap(spans), (path, stream))
        info = json.loads(self.ftr("info", "--json", path).stdout)
        self.assertEqual(info["run"]["tags"], found["info"]["tags"])
        self.assertEqual(found["info"]["exit_status"], "0")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
