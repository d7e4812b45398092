#!/usr/bin/python3
"""Adds nights of made-up runs to histories, and compares the histories with the summaries they were made from, gates
that use them with gates that use the summaries, and the changes found with those put in.

    history_test.py FTR MAKE_RUN
"""

import json
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "runs")]
import e_divisive  # noqa: E402
import history_format  # noqa: E402
from figures import read_summary  # noqa: E402

FTR, MAKE_RUN = sys.argv[1:3]
del sys.argv[1:3]
RULES = """* p99 <= baseline + 5 %
* mean <= baseline + 3 %
* count >= baseline
* throughput >= baseline - 5 %
*bus* max <= baseline + 10 ns
"""


def ftr(*arguments, status=0):
    result = subprocess.run([FTR, *map(str, arguments)], capture_output=True, text=True, errors="replace")
    assert status is None or result.returncode == status, (arguments, result.returncode, result.stdout, result.stderr)
    return result


def percentile(bins, percent):
    """Nearest rank, in integers: `percent` is in 1/1000 %."""
    rank = max(1, -(-percent * sum(bins.values()) // 100000))
    passed = 0
    for value in sorted(bins):
        passed += bins[value]
        if passed >= rank:
            return value
    raise AssertionError


def value_of(metric, row, scale):
    """Returns the value of a metric of a run's row in seconds, None, or "short", by definition."""
    latency = row["latency"]
    if metric in ("errors", "unfinished", "bytes", "outstanding"):
        return row[metric]
    if metric == "count":
        return latency["count"]
    span = row["last"] - row["first"]
    if metric == "busy":
        return 100 * row["busy"] / span if span else 0
    if metric in ("throughput", "bandwidth"):
        amount = latency["count"] if metric == "throughput" else row["bytes"]
        return amount / (span * 10.0**scale) if span else 0
    if latency["count"] == 0:
        return None
    if metric[0] == "p":
        percent = round(float(metric[1:]) * 1000)
        if latency["count"] < math.ceil(100000 / min(percent, 100000 - percent)):
            return "short"
        return percentile(latency["bins"], percent) * 10.0**scale
    return {"min": latency["min"], "max": latency["max"],
            "mean": latency["sum"] / latency["count"]}[metric] * 10.0**scale


class History(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        os.chdir(self.directory.name)
        Path("rules").write_text(RULES, encoding="utf-8")

    def tearDown(self):
        os.chdir("/")
        self.directory.cleanup()

    def make_night(self, number, seed, tests=3, runs=4, **settings):
        """Makes the summary nightN.fts; the settings of a test apply to all its runs."""
        folder = f"night{number}"
        os.mkdir(folder)
        for test in range(tests):
            for run in range(runs):
                index = test * runs + run
                subprocess.run([MAKE_RUN, f"{folder}/t{test}-seed{seed + index}.ftr", str(seed + index), "count=120",
                                f"identity=2026-01-{number + 1:02}T0{test}:00:{run:02}Z",
                                *settings.get(f"t{test}", ())], check=True, capture_output=True)
        ftr("summary", *sorted(Path(folder).glob("*.ftr")), "-o", f"{folder}.fts")
        return f"{folder}.fts"

    def test_a_night_has_the_values_of_its_runs(self):
        night = self.make_night(0, 100, t1=("slow=7", "scale=-9"), t2=("count=90",))
        ftr("history", "add", "h.fth", night)
        (read,) = history_format.read("h.fth")
        runs = list(read_summary(night).values())
        self.assertEqual(sorted(name for name, *_ in read["runs"]), sorted(Path(run["file"]).name for run in runs))
        self.assertEqual(read["name"], "2026-01-01 01:00")
        expected = {}
        for run in runs:
            for name, row in run["generators"].items():
                for metric in history_format.METRICS:
                    value = value_of(metric, row, run["time_scale"])
                    values = expected.setdefault((run["test"], name, None, metric), [[], 0])
                    if value == "short":
                        values[1] += 1
                    elif value is not None:
                        values[0].append(value)
        self.assertEqual(set(expected), {key for key in read["figures"] if key[2] is None})
        for key, (values, short) in expected.items():
            found, found_short = read["figures"][key]
            self.assertEqual(found_short, short, key)
            np.testing.assert_allclose(found, sorted(values), rtol=1e-9, atol=0, err_msg=str(key))

    def test_a_gate_judges_as_with_the_summaries(self):
        nights = [self.make_night(i, 1000 * i) for i in range(4)]
        nights.append(self.make_night(4, 4000, t1=("slow=80",)))
        ftr("history", "add", "h.fth", *nights[:2])
        ftr("history", "add", "h.fth", nights[3], nights[2])  # the times give the order, not the calls
        for last in (1, 2, 4, 9):
            from_history = ftr("gate", "--json", "rules", nights[4], "--history", "h.fth", "--last", last, status=None)
            used = nights[max(0, 4 - last):4]
            from_summaries = ftr("gate", "--json", "rules", nights[4],
                                 *[word for night in used for word in ("--baseline", night)], status=None)
            self.assertEqual(from_history.returncode, from_summaries.returncode)
            self.assertEqual(from_history.stdout, from_summaries.stdout)
        # A night that is in the history is compared with the nights before it.
        ftr("history", "add", "h.fth", nights[4])
        again = ftr("gate", "--json", "rules", nights[4], "--history", "h.fth", status=1)
        self.assertEqual(again.stdout, from_summaries.stdout)
        self.assertIn("has no earlier night", ftr("gate", "rules", nights[0], "--history", "h.fth", status=2).stderr)
        Path("rules").write_text("# one\n* p97 <= baseline\n", encoding="utf-8")
        said = ftr("gate", "rules", nights[4], "--history", "h.fth", status=2).stderr
        self.assertRegex(said, r"^ftr: rules:2: the night '.*' of h\.fth has no p97; ")
        ftr("history", "add", "more.fth", "--percentiles", "97", *nights[:4])
        from_history = ftr("gate", "--json", "rules", nights[4], "--history", "more.fth", status=None)
        from_summaries = ftr("gate", "--json", "rules", nights[4],
                             *[word for night in nights[:4] for word in ("--baseline", night)], status=None)
        self.assertEqual(from_history.stdout, from_summaries.stdout)

    def test_a_night_is_added_once(self):
        nights = [self.make_night(i, 100 * i, tests=1) for i in range(3)]
        ftr("history", "add", "a.fth", nights[0], nights[1])
        before = Path("a.fth").read_bytes()
        self.assertIn("has the night of night1.fts already", ftr("history", "add", "a.fth", nights[1]).stdout)
        self.assertEqual(Path("a.fth").read_bytes(), before)
        ftr("history", "add", "b.fth", nights[2], nights[1])
        ftr("history", "add", "a.fth", "b.fth")
        ftr("history", "add", "b.fth", "a.fth")
        for form in ("--csv", "--json"):
            self.assertEqual(ftr("history", form, "a.fth").stdout, ftr("history", form, "b.fth").stdout)
        self.assertEqual(Path("a.fth").read_bytes()[:len(before)], before)  # append only
        said = ftr("history", "add", "--name", "2026-01-02 00:00", "a.fth", self.make_night(5, 7, tests=1), status=2)
        self.assertIn("has another night with the name '2026-01-02 00:00'", said.stderr)
        ftr("history", "drop", "a.fth", "2026-01-02 00:00", "2026-01-03 00:00")
        ftr("history", "add", "c.fth", nights[0])
        self.assertEqual(Path("a.fth").read_bytes(), Path("c.fth").read_bytes())
        self.assertIn("has no night 'x'", ftr("history", "drop", "a.fth", "x", status=2).stderr)
        self.assertEqual(Path("a.fth").read_bytes(), Path("c.fth").read_bytes())

    def test_several_programs_add_at_once(self):
        nights = [self.make_night(i, 100 * i, tests=1, runs=2) for i in range(6)]
        threads = [threading.Thread(target=ftr, args=("history", "add", "h.fth", night)) for night in nights]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(history_format.read("h.fth")), 6)

    def test_tests_can_be_named_by_tags(self):
        night = self.make_night(0, 100)
        other = self.make_night(1, 900)
        ftr("history", "add", "--key", "seed", "h.fth", night)
        ftr("gate", "rules", other, "--history", "h.fth", status=None)  # takes the key of the history
        said = ftr("gate", "--key", "test", "rules", other, "--history", "h.fth", status=2).stderr
        self.assertIn("have --key seed; those of the gate have --key test", said)

    def test_damage_is_told(self):
        nights = [self.make_night(i, 100 * i, tests=1, runs=2) for i in range(2)]
        ftr("history", "add", "h.fth", *nights)
        whole = Path("h.fth").read_bytes()
        ftr("history", "add", "one.fth", nights[0])
        first = Path("one.fth").stat().st_size
        for size in random.Random(1).sample(range(first + 1, len(whole)), 20):
            Path("cut.fth").write_bytes(whole[:size])
            said = ftr("history", "cut.fth", status=1)
            self.assertIn(f"cut.fth: byte {first}: warning: the night that begins here is incomplete", said.stderr)
            self.assertIn("2026-01-01 00:00", said.stdout)
            ftr("history", "add", "cut.fth", nights[1])
            self.assertEqual(Path("cut.fth").read_bytes(), whole)
        for at in random.Random(2).sample(range(len(whole)), 60):
            damaged = bytearray(whole)
            damaged[at] ^= 1 << at % 8
            Path("damaged.fth").write_bytes(damaged)
            said = ftr("history", "damaged.fth", status=None)
            self.assertIn(said.returncode, (0, 1, 2))
            if said.returncode == 2:
                self.assertRegex(said.stderr, r"^ftr: damaged\.fth: byte \d+: ")
        for path, text in ((nights[0], "it is not a history file"), ("missing", "No such file"),
                           ("empty", "the file is empty")):
            Path("empty").write_bytes(b"")
            self.assertIn(text, ftr("history", path, status=2).stderr)
        before = Path(nights[0]).read_bytes()
        ftr("history", "add", nights[0], nights[1], status=2)  # does not destroy another file
        self.assertEqual(Path(nights[0]).read_bytes(), before)

    def test_a_killed_writer_loses_no_night(self):
        nights = [self.make_night(i, 100 * i, tests=1, runs=3) for i in range(3)]
        ftr("history", "add", "h.fth", nights[0])
        for delay in (0, 0.001, 0.003, 0.006, 0.01):
            with subprocess.Popen([FTR, "history", "add", "h.fth", *nights[1:]], stdout=subprocess.DEVNULL) as process:
                threading.Event().wait(delay)
                process.send_signal(signal.SIGKILL)
            ftr("history", "h.fth", status=None)
            self.assertEqual(ftr("history", "--json", "h.fth", status=None).stdout.count("2026-01-01 00:00"), 1)
        ftr("history", "add", "h.fth", *nights)
        self.assertEqual(len(history_format.read("h.fth")), 3)


class Changes(unittest.TestCase):
    """Changes that were put into series which were not used to choose the parameters."""

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        os.chdir(self.directory.name)
        self.random = np.random.default_rng(20)

    def tearDown(self):
        os.chdir("/")
        self.directory.cleanup()

    def write(self, series, factor_of, runs=10, spread=0.02, nights=30, absent=()):
        """Writes h.fth. @param factor_of factor of a series in a night"""
        def values(number, night):
            mean = 1e-7 * (1 + number % 7) * factor_of(number, night)
            return (mean * (1 + spread * self.random.standard_normal(runs))).tolist()
        history_format.write("h.fth", [
            history_format.night_of(f"n{night:02}", 1000 + night,
                                    {(f"t{number:03}", "bus.read"): {"mean": values(number, night)}
                                     for number in range(series)})
            for night in range(nights) if night not in absent])

    def find(self, *options, status=0):
        return json.loads(ftr("history", "--json", "--metrics", "mean", *options, "h.fth", status=status).stdout)

    def test_seeds_alone_change_nothing(self):
        self.write(200, lambda number, night: 1)
        self.assertLessEqual(len(self.find()["changes"]), 3)

    def test_shifts_are_found_as_well_as_by_the_published_algorithm(self):
        sizes = {0: 1.02, 1: 1.05, 2: 1.1}
        self.write(60, lambda number, night: sizes[number % 3] if night >= 17 else 1, absent=(3, 9, 21))
        found = self.find()
        names = [night["name"] for night in found["nights"]]
        ours, published = {}, {}
        false_ours = false_published = 0
        for change in found["changes"]:
            if change["test"] is not None:
                is_near = abs(int(change["night"][1:]) - 17) <= 1
                ours.setdefault(int(change["test"][1:]) % 3, set()).update([change["test"]] if is_near else [])
                false_ours += not is_near
        for figure in found["figures"]:
            if figure["test"] is not None:
                points = e_divisive.change_points(figure["medians"], self.random)
                near = [abs(int(names[at][1:]) - 17) <= 1 for at in points]
                published.setdefault(int(figure["test"][1:]) % 3, set()).update([figure["test"]] if any(near) else [])
                false_published += near.count(False)
        for kind in sizes:
            # 1 of 20 may differ: the permutations are random.
            self.assertGreaterEqual(len(ours[kind]) + 1, len(published[kind]), (kind, ours, published))
        self.assertGreaterEqual(len(ours[1]), 19)
        self.assertEqual(len(ours[2]), 20)
        self.assertLessEqual(false_ours, false_published)

    def test_a_figure_that_came_back_is_told(self):
        self.write(3, lambda number, night: 1.2 if number == 1 and 10 <= night < 20 else 1)
        self.assertEqual([(change["test"], change["night"], change["back"]) for change in self.find()["changes"]],
                         [("t001", "n10", "n20"), ("t001", "n20", None)])
        text = ftr("history", "--metrics", "mean", "h.fth").stdout
        self.assertRegex(text, r"since n10: bus\.read mean \+(19|20|21)(\.\d)? % in t001 \(200 ns|since n10: .* in t001 ")
        self.assertIn("; as before since n20\n", text)
        self.assertEqual(self.find("--last", 8)["changes"], [])
        self.assertEqual(self.find("--effect", 30)["changes"], [])

    def test_a_small_change_of_all_tests_is_found(self):
        self.write(60, lambda number, night: 1.015 if night >= 20 else 1, runs=1, spread=0.03)
        found = [change for change in self.find()["changes"] if change["test"] is None]
        self.assertEqual(len(found), 1)
        self.assertLessEqual(abs(int(found[0]["night"][1:]) - 20), 1)
        self.assertAlmostEqual(found[0]["after"] / found[0]["before"], 1.015, delta=0.006)

    def test_medians_are_those_of_the_runs(self):
        self.write(4, lambda number, night: 1, nights=3, runs=7)
        nights = history_format.read("h.fth")
        lines = ftr("history", "--csv", "--metrics", "mean,p99", "h.fth").stdout.splitlines()[1:]
        self.assertEqual(len(lines), 12)
        for line in lines:
            night, test, generator, attribute, metric, median = [cell.strip('"') for cell in line.split(",")]
            (of,) = [one for one in nights if one["name"] == night]
            self.assertEqual((generator, attribute, metric), ("bus.read", "", "mean"))
            self.assertAlmostEqual(float(median) * 1e9, np.median(of["figures"][test, generator, None, metric][0]) * 1e9)
        self.assertIn("no figure has this test", ftr("history", "--test", "x", "h.fth", status=2).stderr)


if __name__ == "__main__":
    unittest.main()
