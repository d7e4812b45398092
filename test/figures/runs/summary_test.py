#!/usr/bin/python3
"""Compares summaries with figures computed by other means, and merges them in many ways.

    summary_test.py FTR MAKE_RUN
"""

import itertools
import json
import os
import random
import resource
import subprocess
import sys
import unittest
from pathlib import Path

import cbor2
import lz4.block

sys.path.insert(0, str(Path(__file__).resolve().parent))
from figures import figures, hash_of, overlap, read_summary, read_trace, slots_of  # noqa: E402
from scratch_test import ScratchTest  # noqa: E402

FTR, MAKE_RUN = sys.argv[1:3]


def ftr(*arguments, status=0):
    result = subprocess.run([FTR, *map(str, arguments)], capture_output=True, text=True)
    assert result.returncode == status, (arguments, result.returncode, result.stderr)
    return result


def make_run(path, seed, *settings):
    subprocess.run([MAKE_RUN, path, str(seed), *settings],
                   check="crash=1" not in settings, capture_output=True)


def base128(number):
    out = bytearray()
    while number >= 128:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out) + bytes([number])


def column(numbers):
    """Numbers in the simplest form of a group: no bits, each number behind them."""
    out = b""
    for i in range(0, len(numbers), 32):
        out += b"\0" + b"".join(map(base128, numbers[i:i + 32]))
    return out


def times_section(generators, times):
    """The section of a record whose first generator has named times."""
    bins = [sorted(of.items()) for of in times.values()]
    out = column([len(times)] + [0] * (generators - 1)) + column(list(map(len, times))) + b"".join(times)
    out += column([len(of) for of in bins]) + column([0] * len(bins)) + column([1] * len(bins))
    out += column([of[0][0] for of in bins])
    for of in bins:
        out += column([b[0] - a[0] - 1 for a, b in zip(of, of[1:])])
    for of in bins:
        out += column([count - 1 for _, count in of])
    return out


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
        self.assertEqual(run["count"], sum(not tx["unfinished"] for rows in expected.values() for tx in rows))

    def test_figures_equal_those_of_an_independent_decoder(self):
        for seed in range(8):
            path = f"run{seed}.ftr"
            make_run(path, seed, f"count={(seed * 97) % 700}", "scale=-9" if seed % 3 else "scale=-12")
            (run,) = self.summarize(path).values()
            self.assertEqual((run["state"], run["file"], run["losses"]), ("not told", path, 0))
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
                         dict(zip(names, ["not told", "unfinished", "torn", "unreadable", "unreadable",
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

    def edit(self, path, out, change):
        """Writes the only run of a file with a changed member and a new hash."""
        magic, version, (run,) = cbor2.loads(Path(path).read_bytes())
        identity, state, count, sections, raw_size, _, block = run
        run = change(identity, state, count, sections, raw_size, block)
        run = [*run[:5], hash_of(*run), run[5]]
        Path(out).write_bytes(b"\xd9\xd9\xf7" + cbor2.dumps([magic, version, [run]]))

    def refused(self, path):
        said = ftr("summary", "--merge", path, "-o", "refused.fts", status=1).stderr
        (run,) = read_summary("refused.fts").values()
        self.assertEqual(run["file"], path)
        self.assertIn(run["problem"], said)
        self.assertEqual(run["state"], "torn" if "damaged" in said or "behind" in said or "section" in said
                         else "unreadable")
        return said

    def test_other_versions_and_unknown_sections_are_refused(self):
        make_run("a.ftr", 1, "count=20")
        self.summarize("a.ftr", out="a.fts")
        for version, expected in ((2, "version 2 of a summary file; made by an unreleased ftr; make it again from the "
                                      "traces"), (4, "it is of a later version of the format")):
            other = bytearray(Path("a.fts").read_bytes())
            self.assertEqual(other[16], 3)
            other[16] = version
            Path("other.fts").write_bytes(other)
            self.assertIn(expected, self.refused("other.fts"))
        self.edit("a.fts", "b.fts", lambda i, s, n, sections, *rest: (i, s, n, [*sections, "colours"], *rest))
        self.assertIn("the unknown section 'colours'", self.refused("b.fts"))
        Path("rules").write_text("* errors == 0\n", encoding="utf-8")
        self.assertIn("colours", ftr("gate", "rules", "b.fts", status=2).stderr)

    def test_named_times_of_generators_are_merged_and_shown(self):
        made = {}
        for name, times in (("one", {b"request_time": {0: 3, 7: 1, 1 << 40: 2}, b"response_time": {5: 70000}}),
                            ("two", {b"service": {n * n: n + 1 for n in range(100)}})):
            make_run(f"{name}.ftr", 1, "count=3", f"identity={name}")
            self.summarize(f"{name}.ftr", out=f"{name}.fts")
            self.edit(f"{name}.fts", f"{name}t.fts", lambda i, s, n, sections, size, block, times=times: (
                i, s, n, [*sections, "times"], 0,
                self.expanded(size, block) + times_section(8, times)))
            made[name] = times
        ftr("summary", "--merge", "onet.fts", "twot.fts", "-o", "12.fts")
        ftr("summary", "--merge", "twot.fts", "onet.fts", "-o", "21.fts")
        self.assertEqual(Path("12.fts").read_bytes(), Path("21.fts").read_bytes())
        runs = {run["file"].split(".")[0]: run for run in read_summary("12.fts").values()}
        shown = {run["file"].split(".")[0]: run for run in
                 map(json.loads, ftr("summary", "--json", "21.fts").stdout.splitlines()[:2])}
        for name, times in made.items():
            found = [row["times"] for row in runs[name]["generators"].values()]
            self.assertEqual([{key: of["bins"] for key, of in row.items()} for row in found], [times] + [{}] * 7)
            (first, *_), *_ = (stream["generators"] for stream in shown[name]["streams"])
            self.assertEqual({key.encode(): dict(of["latencies"]) for key, of in first["times"].items()}, times)

    def expanded(self, size, block):
        return lz4.block.decompress(block, uncompressed_size=size) if size else block

    def test_damage_is_a_run_of_the_night_with_file_and_place(self):
        make_run("a.ftr", 1, "count=20")
        make_run("good.ftr", 2, "count=20")
        self.summarize("a.ftr", out="a.fts")
        self.summarize("good.ftr", out="good.fts")
        good = Path("a.fts").read_bytes()
        for size in range(0, len(good), max(1, len(good) // 150)):
            Path("cut.fts").write_bytes(good[:size])
            said = ftr("summary", "--merge", "cut.fts", "good.fts", "-o", "out.fts", status=1).stderr
            self.assertIn("ftr: cut.fts: byte ", said)
            states = {run["file"]: run["state"] for run in read_summary("out.fts").values()}
            self.assertEqual(states.pop("good.ftr"), "not told")
            self.assertEqual(list(states), ["cut.fts"])
            self.assertIn(states["cut.fts"], ("torn", "unreadable"))
        for at in range(0, len(good), max(1, len(good) // 300)):
            bad = bytearray(good)
            bad[at] ^= 1 << at % 8
            Path("bad.fts").write_bytes(bad)
            result = subprocess.run([FTR, "summary", "--merge", "--json", "bad.fts"],
                                    capture_output=True, text=True)
            self.assertEqual(result.returncode, 1, at)
            self.assertIn("ftr: bad.fts: ", result.stderr)
        Path("more.fts").write_bytes(good + b"\0")
        self.assertIn("behind the last run", self.refused("more.fts"))

    def test_many_summaries_merge_in_little_memory(self):
        make_run("a.ftr", 1, "count=300")
        self.summarize("a.ftr", out="a.fts")
        magic, version, ((_, state, count, sections, size, _, block),) = cbor2.loads(Path("a.fts").read_bytes())
        names = []
        for i in range(2000):
            names.append(f"{i}.fts")
            identity = (i * 0x9e3779b97f4a7c15 % 2**128).to_bytes(16, "big")
            Path(names[-1]).write_bytes(b"\xd9\xd9\xf7" + cbor2.dumps([magic, version, [
                [identity, state, count, sections, size, hash_of(identity, state, count, sections, size, block), block]]]))
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
