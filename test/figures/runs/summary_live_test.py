#!/usr/bin/python3
"""Summaries that a recording program keeps itself equal those of its trace.

    summary_live_test.py FTR MAKE_RUN RECORD_RANDOM
"""

import os
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from figures import read_summary  # noqa: E402
from scratch_test import ScratchTest  # noqa: E402

FTR, MAKE_RUN, RECORD_RANDOM = sys.argv[1:4]


class Live(ScratchTest):
    def record(self, *arguments, status=0, **variables):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("FTR_")}
        result = subprocess.run([MAKE_RUN, *arguments], env={**environment, **variables}, text=True,
                                capture_output=True, check=False)
        self.assertEqual(result.returncode, status, result.stderr)
        return result.stderr

    def summarize(self, *paths):
        subprocess.run([FTR, "summary", *paths, "-o", "after.fts"], check=True, capture_output=True)
        return Path("after.fts").read_bytes()

    def test_the_summary_of_a_recording_is_that_of_its_trace(self):
        trace = os.path.join(os.getcwd(), "run.ftr")
        for seed in range(6):
            Path("live.fts").unlink(missing_ok=True)
            self.record(trace, str(seed), f"count={seed * 900}", "scale=-9" if seed % 2 else "scale=-12",
                        "identity=x" if seed % 3 else "exit=0", "wide=1" if seed == 4 else "wide=0",
                        "summary=live.fts")
            self.assertEqual(Path("live.fts").read_bytes(), self.summarize(trace), seed)

    def test_a_summary_is_the_same_with_and_without_a_trace(self):
        """The path is part of a summary, so the summary alone gets the path of the trace."""
        trace = os.path.join(os.getcwd(), "run.ftr")
        transactions = 0
        for seed in range(60):
            subprocess.run([RECORD_RANDOM, trace, "live.fts", str(seed)], check=True)
            expected = self.summarize(trace)
            self.assertEqual(Path("live.fts").read_bytes(), expected, seed)
            transactions += sum(run["count"] for run in read_summary("live.fts").values())
            os.unlink(trace)
            os.unlink("live.fts")
            subprocess.run([RECORD_RANDOM, "-", trace, str(seed)], check=True)
            self.assertEqual(Path(trace).read_bytes(), expected, seed)
            os.unlink(trace)
        self.assertGreater(transactions, 100000)

    def test_transactions_of_several_threads_overlap_as_in_the_trace(self):
        trace = os.path.join(os.getcwd(), "run.ftr")
        for threads in (2, 5):
            Path("live.fts").unlink(missing_ok=True)
            self.record(trace, "1", "count=0", f"threads={threads}", "summary=live.fts")
            (live,) = read_summary("live.fts").values()
            self.assertEqual(live["generators"]["top.turns.g"]["outstanding"], 1)
            self.assertEqual(Path("live.fts").read_bytes(), self.summarize(trace))

    def test_a_summary_needs_no_trace(self):
        self.record("default", "7", FTR_TRACE="", FTR_SUMMARY="new/folder/live.fts")
        self.assertEqual(os.listdir("."), ["new"])
        (live,) = read_summary("new/folder/live.fts").values()
        self.record(os.path.join(os.getcwd(), "run.ftr"), "7", "summary=other.fts")
        (other,) = read_summary("other.fts").values()
        self.assertEqual(live["state"], "sound")
        self.assertEqual(live["generators"].keys(), other["generators"].keys())
        for name, figures in live["generators"].items():
            for figure in ("errors", "unfinished", "bytes", "first", "last", "busy", "outstanding", "latency"):
                self.assertEqual(figures[figure], other["generators"][name][figure], (name, figure))

    def test_the_run_is_identified_and_tagged(self):
        for name in ("a", "b"):
            self.record("default", "1", "exit=4", status=4, FTR_SUMMARY=f"{name}.fts", FTR_TAGS="seed=17,branch=x")
        (a,), (b,) = (read_summary(f"{name}.fts").values() for name in "ab")
        self.assertEqual((a["info"]["tags"], a["info"]["exit_status"]), ("seed=17,branch=x", "4"))
        self.assertEqual(os.path.realpath(a["info"]["program"]), os.path.realpath(MAKE_RUN))
        self.assertEqual(a["info"]["arguments"], "default 1 exit=4")
        self.assertNotEqual(a["info"]["id"], b["info"]["id"])
        subprocess.run([FTR, "summary", "--merge", "a.fts", "b.fts", "a.fts", "-o", "m.fts"], check=True,
                       capture_output=True)
        self.assertEqual(len(read_summary("m.fts")), 2)

    def test_tags_are_in_the_trace_and_shown(self):
        self.record("default", "1", FTR_TRACE="t/run.ftr", FTR_TAGS="seed=17")
        said = subprocess.run([FTR, "info", "t/run.ftr"], capture_output=True, text=True, check=True).stdout
        self.assertRegex(said, r"tags +.*seed=17")
        for mode, arguments in (("1", r"arguments +default 1 '\+token=\*\*\*'"), ("no-arguments", None)):
            self.record("default", "1", "+token=x", "exit=0", FTR_TRACE="asked.ftr", FTR_RUN_INFO=mode)
            said = subprocess.run([FTR, "info", "asked.ftr"], capture_output=True, text=True, check=True).stdout
            self.assertRegex(said, r"exit_status +0")
            if arguments:
                self.assertRegex(said, arguments)
            else:
                self.assertNotIn("arguments", said)
        self.record("default", "1", FTR_TRACE="plain.ftr")
        said = subprocess.run([FTR, "info", "plain.ftr"], capture_output=True, text=True, check=True).stdout
        self.assertNotIn("ftr.run", said)

    def test_a_killed_run_leaves_the_summary_so_far(self):
        self.record("default", "3", "crash=1", status=1, FTR_SUMMARY="live.fts")
        (run,) = read_summary("live.fts").values()
        self.assertEqual((run["state"], run["count"]), ("unfinished", 8 * 400))

    def test_a_successful_run_has_a_summary_and_no_trace(self):
        self.record("default", "3", FTR_TRACE="run.ftr", FTR_KEEP="on-error", FTR_SUMMARY="live.fts")
        self.assertEqual(os.listdir("."), ["live.fts"])
        os.unlink("live.fts")
        self.record("default", "3", "exit=1", status=1, FTR_TRACE="run.ftr", FTR_KEEP="on-error",
                    FTR_SUMMARY="live.fts")
        self.assertEqual(sorted(os.listdir(".")), ["live.fts", "run.ftr"])

    def test_a_summary_that_cannot_be_written_is_reported(self):
        os.mkdir("folder")
        self.assertIn("folder: the summary cannot be written",
                      self.record("default", "3", FTR_SUMMARY="folder"))
        self.assertIn("FTR_SUMMRY is not a variable of ftr",
                      self.record("default", "3", FTR_SUMMARY="x.fts", FTR_SUMMRY="y"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
