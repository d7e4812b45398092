#!/usr/bin/python3
"""Compares summaries with figures computed by other means, and merges them in many ways.

    summary_test.py FTR MAKE_RUN
"""

import itertools
import os
import random
import resource
import subprocess
import sys
import unittest
from pathlib import Path

import cbor2

sys.path.insert(0, str(Path(__file__).resolve().parent))
from figures import (figures, overlap, read_summary, read_trace, slots_of,  # noqa: E402
                     write_version_1)
from scratch_test import ScratchTest  # noqa: E402

FTR, MAKE_RUN = sys.argv[1:3]


def ftr(*arguments, status=0):
    result = subprocess.run([FTR, *map(str, arguments)], capture_output=True, text=True)
    assert result.returncode == status, (arguments, result.returncode, result.stderr)
    return result


def make_run(path, seed, *settings):
    subprocess.run([MAKE_RUN, path, str(seed), *settings],
                   check="crash=1" not in settings, capture_output=True)


class Summaries(ScratchTest):
    def summarize(self, *paths, out="out.fts", status=0):
        ftr("summary", *paths, "-o", out, status=status)
        return read_summary(out)

    def assert_figures(self, path, run):
        streams, _ = read_trace(path)
        expected = {f"{s}.{g}": rows for s, of in streams.items() for g, rows in of.items()}
        self.assertEqual(set(run["generators"]), set(expected))
        for name, transactions in expected.items():
            self.assertEqual(run["generators"][name], figures(transactions, run["shift"]), name)
        for name, generators in streams.items():
            every = [tx for rows in generators.values() for tx in rows]
            outstanding, busy = overlap((tx["begin"], tx["end"]) for tx in every)
            slots = {at: (row[2],) for at, row in slots_of(every, run["shift"]).items() if row[2]}
            self.assertEqual(run["streams"][name],
                             {"busy": busy, "outstanding": outstanding, "slots": slots}, name)
        self.assertEqual(run["count"], sum(map(len, expected.values())))

    def test_figures_equal_those_of_an_independent_decoder(self):
        for seed in range(8):
            path = f"run{seed}.ftr"
            make_run(path, seed, f"count={(seed * 97) % 700}", "scale=-9" if seed % 3 else "scale=-12")
            (run,) = self.summarize(path).values()
            self.assertEqual((run["state"], run["file"], run["losses"]), ("sound", path, 0))
            self.assert_figures(path, run)

    def test_more_than_65536_latencies_are_binned_within_a_thousandth(self):
        make_run("wide.ftr", 1, "wide=1")
        (run,) = self.summarize("wide.ftr").values()
        self.assertTrue(run["generators"]["top.wide.g"]["latency"]["rounded"])
        self.assert_figures("wide.ftr", run)
        exact = sorted(tx["end"] - tx["begin"] for tx in read_trace("wide.ftr")[0]["top.wide"]["g"])
        csv = ftr("stats", "--csv", "--stream", "top.wide", "--percentiles", "1,50,99.9", "wide.ftr").stdout
        row = csv.splitlines()[1].split(",")
        for percent, found in zip((1, 50, 99.9), row[8:11]):
            rank = -(-len(exact) * int(percent * 10) // 1000)
            self.assertLessEqual(abs(int(found) - exact[rank - 1]), exact[rank - 1] / 1000)

    def test_a_run_is_described(self):
        make_run("run.ftr", 3, "identity=17", "exit=4")
        (run,) = self.summarize("run.ftr").values()
        self.assertEqual(run["info"], {"program": "/opt/vp", "started": "17", "tags": "seed=17",
                                       "exit_status": "4"})
        self.assertNotIn("ftr.run", run["streams"])
        ftr("summary", "--stream", "ftr.run,top.bus*", "run.ftr", "-o", "asked.fts")
        (asked,) = read_summary("asked.fts").values()
        self.assertEqual(set(asked["streams"]), {"ftr.run", "top.bus0.out_bl", "top.bus1.out_bl"})

    def test_merging_gives_the_same_bytes_in_any_order_and_grouping(self):
        generator = random.Random(1)
        for seed in range(9):
            make_run(f"r{seed}.ftr", seed, "count=40", f"identity={seed}" if seed % 2 else "count=41")
            self.summarize(f"r{seed}.ftr", out=f"r{seed}.fts")
        self.summarize(*[f"r{seed}.ftr" for seed in range(9)], out="all.fts")
        expected = Path("all.fts").read_bytes()
        self.assertEqual(len(read_summary("all.fts")), 9)
        for _ in range(8):
            names = [f"r{seed}.fts" for seed in range(9)] + [f"r{generator.randrange(9)}.fts"] * 2
            generator.shuffle(names)
            for step in itertools.count():
                if len(names) == 1:
                    break
                group, names = names[:generator.randint(2, 4)], names[4:] + names[2:4]
                ftr("summary", "--merge", *group, "-o", f"part{step}.fts")
                names = [n for n in names if n not in group] + [f"part{step}.fts"]
            rest = [f"r{seed}.fts" for seed in range(9)]
            ftr("summary", "--merge", *names, *rest, "-o", "merged.fts")
            self.assertEqual(Path("merged.fts").read_bytes(), expected)
        ftr("summary", "--jobs", 3, *[f"r{seed}.ftr" for seed in (4, 2, 8, 6, 0, 1, 3, 5, 7)], "-o", "t.fts")
        self.assertEqual(Path("t.fts").read_bytes(), expected)

    def test_a_run_is_counted_once_however_its_file_is_named(self):
        make_run("a.ftr", 5, "identity=5")
        Path("copy.ftr").write_bytes(Path("a.ftr").read_bytes())
        self.assertEqual(len(self.summarize("a.ftr", "copy.ftr", "a.ftr")), 1)
        # Without identities of their own, equal files count as different runs.
        make_run("b.ftr", 5)
        Path("c.ftr").write_bytes(Path("b.ftr").read_bytes())
        self.assertEqual(len(self.summarize("b.ftr", "c.ftr", "b.ftr")), 2)

    def test_the_most_complete_record_of_a_run_is_kept(self):
        make_run("a.ftr", 5, "identity=5")
        self.summarize("a.ftr", out="whole.fts")
        whole = Path("a.ftr").read_bytes()
        Path("a.ftr").write_bytes(whole[:len(whole) * 3 // 4])
        self.summarize("a.ftr", out="cut.fts", status=1)
        for order in (["whole.fts", "cut.fts"], ["cut.fts", "whole.fts"]):
            ftr("summary", "--merge", *order, "-o", "m.fts")
            self.assertEqual(Path("m.fts").read_bytes(), Path("whole.fts").read_bytes())

    def test_files_that_cannot_be_read_are_runs_as_well(self):
        make_run("good.ftr", 1)
        make_run("killed.ftr", 2, "crash=1")
        whole = Path("good.ftr").read_bytes()
        Path("torn.ftr").write_bytes(whole[:len(whole) // 2])
        Path("empty.ftr").write_bytes(b"")
        Path("text.ftr").write_text("no trace")
        names = ["good.ftr", "killed.ftr", "torn.ftr", "empty.ftr", "text.ftr", "gone.ftr"]
        runs = self.summarize(*names, status=1)
        self.assertEqual({run["file"]: run["state"] for run in runs.values()},
                         dict(zip(names, ["sound", "unfinished", "torn", "unreadable", "unreadable",
                                          "absent"])))
        self.assertTrue(all(run["problem"] for run in runs.values() if run["state"] in
                            ("unreadable", "absent")))

    def test_a_summary_of_twenty_generators_is_small(self):
        for count, limit in ((400, 3000), (20000, 5000)):
            make_run("run.ftr", 1, f"count={count}", "identity=1")
            self.summarize("run.ftr")
            self.assertLess(os.path.getsize("out.fts"), limit)

    def test_a_million_transactions_of_a_clocked_bus_take_less_than_10_kilobytes(self):
        make_run("run.ftr", 1, "count=50000", "clock=1", "identity=1")
        (run,) = self.summarize("run.ftr").values()
        self.assertGreaterEqual(run["count"], 1000000)
        self.assertEqual(len(run["generators"]), 20)
        self.assertGreater(sum(len(g["latency"]["bins"]) for g in run["generators"].values()), 4000)
        self.assertLess(os.path.getsize("out.fts"), 10000)

    def test_files_of_version_1_are_read_and_merged(self):
        for seed in (1, 2):
            make_run(f"{seed}.ftr", seed, "count=700", f"identity={seed}", "wide=1" if seed == 1 else "clock=1")
        self.summarize("1.ftr", "2.ftr", out="new.fts")
        write_version_1("old.fts", read_summary("new.fts"))
        self.assertEqual(read_summary("old.fts"), read_summary("new.fts"))
        for form in ("--json", "--csv", "--table"):
            self.assertEqual(ftr("summary", form, "old.fts").stdout.replace("old.fts", "new.fts"),
                             ftr("summary", form, "new.fts").stdout)
        self.summarize("2.ftr", out="two.fts")
        ftr("summary", "--merge", "old.fts", "two.fts", "-o", "a.fts")
        ftr("summary", "--merge", "two.fts", "old.fts", "new.fts", "-o", "b.fts")
        ftr("summary", "--merge", "b.fts", "a.fts", "-o", "c.fts")
        self.assertEqual(read_summary("a.fts"), read_summary("new.fts"))
        self.assertEqual(Path("b.fts").read_bytes(), Path("c.fts").read_bytes())
        later = bytearray(Path("new.fts").read_bytes())
        later[16] = 3
        Path("later.fts").write_bytes(later)
        self.assertIn("later.fts: byte 0: it is of a later version",
                      ftr("summary", "--merge", "later.fts", "-o", "o.fts", status=2).stderr)

    def test_damage_is_named_with_file_and_place(self):
        make_run("a.ftr", 1, "count=20")
        self.summarize("a.ftr", out="a.fts")
        good = Path("a.fts").read_bytes()
        runs = read_summary("a.fts")
        for size in range(0, len(good), max(1, len(good) // 150)):
            Path("cut.fts").write_bytes(good[:size])
            said = ftr("summary", "--merge", "cut.fts", "-o", "out.fts", status=2).stderr
            self.assertIn("ftr: cut.fts: byte ", said)
            self.assertFalse(os.path.exists("out.fts"))
        for at in range(0, len(good), max(1, len(good) // 300)):
            bad = bytearray(good)
            bad[at] ^= 1 << at % 8
            Path("bad.fts").write_bytes(bad)
            result = subprocess.run([FTR, "summary", "--merge", "--json", "bad.fts"],
                                    capture_output=True, text=True)
            self.assertIn(result.returncode, (0, 2), at)
            if result.returncode == 2:
                self.assertIn("ftr: bad.fts: ", result.stderr)
            else:  # identity, state or count of the run, which no hash covers
                self.assertLess(at, 60)
        Path("more.fts").write_bytes(good + b"\0")
        self.assertIn("behind the last run", ftr("summary", "--merge", "more.fts", "-o", "o.fts",
                                                 status=2).stderr)
        self.assertEqual(len(runs), 1)

    def test_many_summaries_merge_in_little_memory(self):
        make_run("a.ftr", 1, "count=300")
        self.summarize("a.ftr", out="a.fts")
        magic, version, ((_, *rest),) = cbor2.loads(Path("a.fts").read_bytes())
        names = []
        for i in range(2000):
            names.append(f"{i}.fts")
            identity = (i * 0x9e3779b97f4a7c15 % 2**128).to_bytes(16, "big")
            Path(names[-1]).write_bytes(b"\xd9\xd9\xf7" + cbor2.dumps([magic, version, [[identity, *rest]]]))
        ftr("summary", "--merge", *names, "-o", "one.fts")
        ftr("summary", "--merge", *names[:900], "-o", "p1.fts")
        ftr("summary", "--merge", *reversed(names[800:]), "-o", "p2.fts")
        ftr("summary", "--merge", "p2.fts", "p1.fts", "-o", "two.fts")
        self.assertEqual(Path("one.fts").read_bytes(), Path("two.fts").read_bytes())
        runs = cbor2.loads(Path("one.fts").read_bytes())[2]
        self.assertEqual(sorted(run[0] for run in runs), [run[0] for run in runs])
        self.assertEqual(len({run[0] for run in runs}), 2000)
        if not os.environ.get("FTR_SANITIZE"):  # sanitizers hold freed memory back
            self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 100 * 1024)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
