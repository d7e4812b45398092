#!/usr/bin/python3
"""Summaries of killed runs: each transaction is in the summary once if the call that ended it had
returned.

    killed_test.py FTR RECORD_UNTIL_KILLED [RANDOM_KILLS]
"""

import os
import random
import signal
import struct
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from figures import read_summary  # noqa: E402
from scratch_test import ScratchTest  # noqa: E402

FTR, RECORD = (os.path.abspath(path) for path in sys.argv[1:3])
RANDOM_KILLS = int(sys.argv[3]) if len(sys.argv) > 3 else 12
GENERATORS = ("top.g", "top.o")


def reported():
    numbers = struct.iter_unpack("=QQ", Path("reported").read_bytes())
    return list(numbers)


def figures_of(path):
    runs = [run for run in read_summary(path).values() if run["generators"]]
    return runs[0] if runs else None


class Killed(ScratchTest):
    def start(self, file, step, threads, count):
        for name in os.listdir("."):
            os.unlink(name)
        return subprocess.Popen([RECORD, file, "run.fts", "reported", str(step), str(threads), str(count)],
                                stderr=subprocess.PIPE)

    def tool(self, *arguments, status=0):
        result = subprocess.run([FTR, *arguments], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, status, (arguments, result.stderr))
        return result.stderr

    def recovered(self):
        """The run as the command that merges summaries brings it back."""
        before = {name: Path(name).read_bytes() for name in os.listdir(".") if name != "reported"}
        self.tool("summary", "--merge", "run.fts", "-o", "merged.fts")
        for name, content in before.items():
            self.assertEqual(Path(name).read_bytes(), content, name)
        return figures_of("merged.fts")

    def expect_complete(self, run, why):
        returned = reported()
        threads = len(returned)
        expected = {n * threads + thread for thread, (recorded, _) in enumerate(returned)
                    for n in range(recorded)}
        if run is None:
            self.assertFalse(expected, why)
            return
        bins = run["generators"][GENERATORS[0]]["latency"]["bins"] if GENERATORS[0] in run["generators"] else {}
        self.assertEqual(set(bins.values()) - {1}, set(), why)
        self.assertEqual(expected - bins.keys(), set(), why)
        self.assertLessEqual(len(bins), len(expected) + threads, why)
        ended = sum(ended for _, ended in returned)
        of_open = run["generators"].get(GENERATORS[1])
        if of_open is None:
            self.assertEqual(ended, 0, why)
            return
        found = of_open["latency"]["count"]
        self.assertLessEqual(ended, found, why)
        self.assertLessEqual(found, ended + threads, why)
        self.assertLessEqual(of_open["unfinished"], threads, why)
        at_1000 = of_open["latency"]["bins"].get(1000, 0)
        self.assertLessEqual(ended, at_1000, why)

    def expect_that_of_the_trace(self, run, why):
        self.tool("recover", "run.ftr", "-o", "sound.ftr")
        self.tool("summary", "sound.ftr", "-o", "after.fts")
        after = figures_of("after.fts")
        for name, figures in after["generators"].items():
            for figure in ("errors", "unfinished", "bytes", "first", "last", "busy", "latency", "outstanding"):
                self.assertEqual(run["generators"][name][figure], figures[figure], (why, name, figure))
        self.assertEqual(run["generators"].keys(), after["generators"].keys(), why)
        self.assertEqual(run["losses"], after["losses"], why)

    def kill_before_each_system_call(self, file):
        step, killed = 0, 0
        while True:
            step += 1
            process = self.start(file, step, 1, 4000)
            process.communicate()
            if process.returncode == 0:
                break
            self.assertEqual(process.returncode, -signal.SIGKILL, step)
            run = self.recovered()
            self.expect_complete(run, step)
            if file == "run.ftr" and os.path.exists("run.ftr.journal") and run is not None:
                self.expect_that_of_the_trace(run, step)
            killed += 1
        return killed

    def test_a_summary_without_a_trace_is_complete_before_each_system_call(self):
        self.assertGreater(self.kill_before_each_system_call("run.fts"), 20)

    def test_a_summary_beside_a_trace_is_complete_before_each_system_call(self):
        self.assertGreater(self.kill_before_each_system_call("run.ftr"), 30)

    def test_a_summary_is_complete_at_any_moment(self):
        chance = random.Random(7)
        for i in range(RANDOM_KILLS):
            threads = 1 + i % 4
            process = self.start("run.fts" if i % 3 else "run.ftr", "wait", threads, 60000 // threads)
            time.sleep(chance.random() * 0.15)
            process.kill()
            process.communicate()
            if not os.path.exists("run.fts"):
                continue  # killed before the recorder was open
            self.expect_complete(self.recovered(), i)

    def test_the_next_run_recovers_the_summary(self):
        for file in ("run.fts", "run.ftr"):
            process = self.start(file, "wait", 1, 50000)
            while not os.path.exists("reported") or not any(recorded > 20000 for recorded, _ in reported()):
                time.sleep(0.005)
            process.kill()
            process.communicate()
            pid = process.pid
            os.rename("reported", "reported.killed")
            again = subprocess.run([RECORD, file, "run.fts", "reported", "0", "1", "100"], capture_output=True, check=True)
            self.assertEqual(again.stderr, b"")
            os.rename("reported.killed", "reported")
            run = figures_of(f"run-{pid}.fts")
            self.expect_complete(run, file)
            self.assertEqual(run["state"], "unfinished")
            self.assertFalse([name for name in os.listdir(".") if "journal" in name])
            self.assertEqual(figures_of("run.fts")["state"], "not told")

    def test_the_summary_is_recovered_into_a_file(self):
        process = self.start("run.fts", "wait", 1, 50000)
        while not os.path.exists("reported") or not any(recorded > 20000 for recorded, _ in reported()):
            time.sleep(0.005)
        self.tool("summary", "--merge", "run.fts", "-o", "meanwhile.fts")
        process.kill()
        process.communicate()
        self.tool("recover", "run.fts", "-o", "sound.fts")
        self.expect_complete(figures_of("sound.fts"), "")
        self.assertIn("kept no summary", self.damage(b"\0" * 20, "run.fts"))

    def damage(self, bytes_, name):
        """A journal with a changed path of the summary."""
        journal = Path("run.fts.journal")
        content = journal.read_bytes()
        path = os.path.abspath(name).encode() + b"\0"
        at = content.rindex(path, 0, 1 << 20)
        journal.write_bytes(content[:at] + bytes_ + content[at + len(bytes_):])
        return self.tool("recover", "run.fts", "-o", "other.fts", status=2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
