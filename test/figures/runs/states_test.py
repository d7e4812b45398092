#!/usr/bin/python3
"""A night with every state of a run: each run is named once, with its cause, and the healthy runs pass.

    states_test.py FTR MAKE_RUN
"""

import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from figures import read_summary  # noqa: E402
from scratch_test import ScratchTest  # noqa: E402

FTR, MAKE_RUN = (os.path.abspath(path) for path in sys.argv[1:3])
COUNT = 300
ENDED = 8 * COUNT  # make_run has eight generators


def by_file(path):
    return {os.path.basename(run["file"]): run for run in read_summary(path).values()}


class States(ScratchTest):
    def record(self, *settings, umask=0o022, **variables):
        """Runs a program that records, in the present directory. Returns its process id and messages."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("FTR_")}
        process = subprocess.Popen([MAKE_RUN, "default", "5", f"count={COUNT}", *settings], env={**environment, **variables},
                                   stderr=subprocess.PIPE, text=True, umask=umask)
        said = process.communicate()[1]
        self.status = process.returncode
        return process.pid, said

    def ftr(self, *arguments, status=0, **variables):
        said = subprocess.run([FTR, *map(str, arguments)], capture_output=True, text=True, check=False,
                              env={**os.environ, **variables})
        self.assertEqual(said.returncode, status, (arguments, said.stdout[-2000:], said.stderr))
        return said

    def merged(self, *paths, status=0, **variables):
        said = self.ftr("summary", "--merge", *paths, "-o", "merged.fts", status=status, **variables)
        return by_file("merged.fts"), said.stderr

    def gate(self, path):
        """{file: (result, message)} of the suite `runs`."""
        Path("rules").write_text("* count >= 1\n", encoding="utf-8")
        said = subprocess.run([FTR, "gate", "rules", path, "--json", "--junit", "gate.xml"], capture_output=True, text=True)
        self.assertIn(said.returncode, (0, 1), said.stderr)
        (suite, *_) = json.loads(said.stdout)["suites"]
        self.assertEqual(len({case["run"] for case in suite["cases"]}), len(suite["cases"]))
        cases = {os.path.basename(case["run"]): (case["result"], case.get("message", "")) for case in suite["cases"]}
        (runs, *_) = xml.parse("gate.xml").getroot()
        failures = {}
        for case in runs:
            file = re.match(r"file: (.*)\n", case.findtext("system-out", ""))
            if case.find("failure") is not None:
                name = file[1] if file else case.get("name")
                failures[os.path.basename(name)] = case.find("failure").get("message")
        self.assertEqual(failures, {file: message for file, (result, message) in cases.items() if result == "failed"})
        return cases

    def test_a_killed_run_on_a_full_file_system_keeps_the_number_of_its_transactions(self):
        os.makedirs("full")
        script = (f"mount -t tmpfs -o size=700k none full || exit 77; {MAKE_RUN} default 5 count=5000 die=9; "
                  f"{FTR} summary --merge run.fts -o merged.fts; echo $?; {FTR} recover --json run.fts -o sound.fts; echo $?")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("FTR_")}
        ran = subprocess.run(["unshare", "--mount", "sh", "-c", script], capture_output=True, text=True, check=False,
                             env={**environment, "FTR_JOURNAL_DIR": "full", "FTR_SUMMARY": "run.fts"})
        if ran.returncode in (1, 77) and "merged" not in ran.stdout + ran.stderr:
            self.skipTest("no right to mount a file system")
        self.assertIn("only their number is kept", ran.stderr)
        merged, counts, recovered = ran.stdout.splitlines()[-3:]
        self.assertEqual((merged, recovered), ("1", "1"), ran.stderr)
        found = json.loads(counts)
        self.assertGreater(found["lost"], 10000)
        self.assertIn(f"not everything can be recovered: {found['lost']} transactions are lost", ran.stderr)
        self.assertIn("could not be saved in the journal", ran.stderr)
        # the run has eight generators of the model, and ftr.run
        self.assertGreaterEqual(found["journal_transactions"] + found["lost"] + found["lost_at_most"], 8 * 5000, found)
        for path in ("merged.fts", "sound.fts"):
            (run,) = by_file(path).values()
            self.assertEqual((run["state"], run["losses"]), ("unfinished", found["lost"] + found["lost_at_most"]))
        self.assertEqual(self.gate("merged.fts")["run.fts"][0], "failed")

    def test_losses_are_counted_once_if_their_stream_is_measured(self):
        self.record("count=20000", FTR_TRACE="run.ftr", FTR_MAX_SIZE="64K")
        losses = []
        for options in ([], ["--stream", "ftr.losses"], ["--stream", "*"]):
            self.ftr("summary", *options, "run.ftr", "-o", "run.fts")
            losses.append(by_file("run.fts")["run.ftr"]["losses"])
        self.assertGreater(losses[0], 1000)
        self.assertEqual(losses, 3 * losses[:1])

    def test_a_night_with_every_state_names_each_run_once_with_its_cause(self):
        os.makedirs("night")
        self.record(FTR_SUMMARY="night/sound.fts")
        self.record(FTR_SUMMARY="night/sound.fts", FTR_TAGS="test=again")
        pid, _ = self.record("die=9", FTR_TRACE="traces/elsewhere.ftr", FTR_SUMMARY="night/killed-%p.fts")
        self.record("die=9", FTR_SUMMARY="night/lost.fts", FTR_JOURNAL_DIR="none")
        self.record("die=15", FTR_SUMMARY="night/watchdog.fts")
        self.assertEqual(self.status, -signal.SIGTERM)
        self.record("exit=3", FTR_TRACE="untold.ftr", FTR_RUN_INFO="0")
        self.record(FTR_TRACE="terminated.ftr", FTR_RUN_INFO="1")
        self.record("die=2", FTR_TRACE="terminated.ftr", FTR_RUN_INFO="1")
        whole = Path("night/sound.fts").read_bytes()
        Path("night/cut.fts").write_bytes(whole[:len(whole) // 2])
        Path("night/empty.fts").write_bytes(b"")
        Path("night/foreign.fts").write_bytes(b"no summary\n" * 9)
        self.ftr("summary", "untold.ftr", "terminated.ftr", "-o", "night/traces.fts")
        names = sorted(str(path) for path in Path("night").iterdir())
        self.assertEqual(len(names), 9)
        os.mkdir("other")
        os.chdir("other")
        runs, said = self.merged(*(f"../{name}" for name in names), "../night/missing.fts", status=1)
        renamed = next(name for name in names if "sound-" in name)
        expected = {
            "sound.fts": "sound", os.path.basename(renamed): "sound", "elsewhere.ftr": "unfinished",
            "lost.fts": "unfinished", "watchdog.fts": "killed", "cut.fts": "torn", "empty.fts": "unreadable",
            "foreign.fts": "unreadable", "missing.fts": "absent", "untold.ftr": "not told", "terminated.ftr": "killed"}
        self.assertEqual({file: run["state"] for file, run in runs.items()}, expected)
        self.assertEqual((runs["watchdog.fts"]["signal"], runs["terminated.ftr"]["signal"]), (15, 2))
        self.assertEqual(runs["elsewhere.ftr"]["count"], ENDED)
        self.assertIn(f"night/killed-{pid}.fts: the run was killed: ", said)
        self.assertEqual(runs["lost.fts"]["count"], 0)
        cases = self.gate("merged.fts")
        causes = {
            "elsewhere.ftr": "unfinished: the run has no end", "lost.fts": "it recorded without a journal",
            "watchdog.fts": "killed by signal 15 (SIGTERM)", "terminated.ftr": "killed by signal 2 (SIGINT)",
            "cut.fts": "torn: a part of the file cannot be read: byte ", "empty.fts": "the file is empty",
            "foreign.fts": "it is not a summary file", "missing.fts": "absent: the file does not exist: No such file"}
        self.assertEqual({file for file, (result, _) in cases.items() if result == "failed"}, set(causes))
        for file, cause in causes.items():
            self.assertIn(cause, cases[file][1])
        self.assertIn("not told", cases["untold.ftr"][1])
        self.assertIn("1 run is not told to have ended", self.ftr("gate", "rules", "merged.fts", status=1).stdout)
        table = self.ftr("summary", "--table", "merged.fts").stdout
        for state in ("killed by signal 15 (SIGTERM)", "not told", "torn", "absent", "unreadable", "unfinished"):
            self.assertIn(state, table)
        shown = [json.loads(line) for line in self.ftr("summary", "--json", "merged.fts").stdout.splitlines()[:-1]]
        self.assertEqual({os.path.basename(run["file"]): run.get("signal", 0) for run in shown if run.get("signal")},
                         {"watchdog.fts": 15, "terminated.ftr": 2})
        self.assertEqual({run["test"] for run in shown if run["state"] == "sound"}, {"sound", "again"})

    def test_a_journal_is_found_wherever_it_is(self):
        shared = os.path.abspath("shared")
        os.mkdir(shared)
        for i, variables in enumerate((
                {"FTR_TRACE": "a/b/run.ftr", "FTR_SUMMARY": "night/%p.fts"},
                {"FTR_TRACE": "run.ftr", "FTR_SUMMARY": "night/deep/%p.fts", "FTR_JOURNAL_DIR": shared},
                {"FTR_SUMMARY": "night/%p.fts", "FTR_JOURNAL_DIR": shared},
                {"FTR_SUMMARY": "%p.fts"})):
            os.makedirs(f"job{i}/work")
            os.chdir(f"job{i}/work")
            pid, _ = self.record("die=9", **variables)
            os.chdir("../..")
            (path,) = Path(f"job{i}").glob(f"**/{pid}.fts")
            (before,) = read_summary(path).values()
            self.assertEqual((before["state"], before["count"]), ("unfinished", 0))
            runs, said = self.merged(path)
            (run,) = runs.values()
            self.assertEqual((run["state"], run["count"], run["journal"]), ("unfinished", ENDED, ""), said)
            self.assertIn("the run was killed: ", said)
            # the folder of the run has moved
            shutil.move(f"job{i}", f"moved{i}")
            moved = Path(f"moved{i}") / path.relative_to(f"job{i}")
            runs, said = self.merged(moved)
            (run,) = runs.values()
            self.assertEqual(run["count"], ENDED, (i, said))

    def test_a_run_without_its_journal_stays_in_the_night(self):
        self.record("die=9", FTR_TRACE="t/run.ftr", FTR_SUMMARY="run.fts")
        os.unlink("t/run.ftr.journal")
        runs, said = self.merged("run.fts", status=1)
        self.assertIn("its journal ", said)
        self.assertIn("was not found", runs["run.ftr"]["problem"])
        self.assertEqual(self.gate("merged.fts")["run.ftr"][0], "failed")
        self.ftr("summary", "--merge", "merged.fts", "-o", "again.fts")
        self.assertEqual(by_file("again.fts"), runs)

    def test_a_damaged_journal_leaves_the_run_in_the_night(self):
        self.record("die=9", FTR_TRACE="t/run.ftr", FTR_SUMMARY="run.fts")
        journal = Path("t/run.ftr.journal")
        content = bytearray(journal.read_bytes())
        content[8:12] = b"\xff\xff\xff\xff"
        journal.write_bytes(content)
        runs, _ = self.merged("run.fts", status=1)
        self.assertEqual(self.gate("merged.fts")["run.ftr"][0], "failed")
        self.assertTrue(runs["run.ftr"]["problem"])

    def test_a_report_of_one_run_states_how_it_ended(self):
        for settings, variables, text, state in (
                (("die=15",), {"FTR_RUN_INFO": "1"}, "killed by signal 15 (SIGTERM)", "killed by signal 15 (SIGTERM)"),
                (("exit=3",), {"FTR_RUN_INFO": "1"}, "sound", "sound"),
                (("exit=3",), {"FTR_RUN_INFO": "1", "FTR_START": "1ps"}, "sound", "sound"),
                ((), {"FTR_RUN_INFO": "0"}, "sound", "not told")):
            with self.subTest(state):
                self.record(*settings, FTR_TRACE="run.ftr", FTR_SUMMARY="", **variables)
                said = self.ftr("report", "--text", "run.ftr").stdout
                self.assertTrue(said.startswith(f"run.ftr: {text}, {ENDED} transactions"), said[:200])
                self.assertRegex(said.splitlines()[0], r"\b0 lost\b")
                self.ftr("report", "run.ftr", "--force", "-o", "run.html")
                page = Path("run.html").read_text(encoding="utf-8").replace('": "', '":"')
                self.assertTrue(f'"state":"{state}"' in page)

    def test_the_file_of_a_flight_recorder_tells_which_signal_ended_the_run(self):
        self.record("die=15", FTR_TRACE="flight.ftr", FTR_MODE="flight", FTR_RUN_INFO="1")
        self.ftr("summary", "flight.ftr", "-o", "flight.fts")
        run = by_file("flight.fts")["flight.ftr"]
        self.assertEqual((run["state"], run["signal"]), ("killed", 15))

    def test_the_next_run_completes_the_summary_of_the_killed_one(self):
        killed, _ = self.record("die=9", umask=0o077, FTR_TRACE="t/run.ftr", FTR_SUMMARY="night/run-%p.fts")
        self.assertEqual(stat.S_IMODE(os.stat(f"night/run-{killed}.fts").st_mode), 0o600)
        alive, said = self.record(FTR_TRACE="t/run.ftr", FTR_SUMMARY="night/run-%p.fts")
        self.assertEqual(sorted(os.listdir("night")), sorted((f"run-{killed}.fts", f"run-{alive}.fts")), said)
        self.assertEqual(stat.S_IMODE(os.stat(f"night/run-{killed}.fts").st_mode), 0o600)
        runs, _ = self.merged(*Path("night").iterdir())
        self.assertEqual(sorted(run["state"] for run in runs.values()), ["sound", "unfinished"])
        self.assertEqual({run["count"] for run in runs.values()}, {ENDED})

    def test_a_recovered_summary_has_the_permissions_of_the_run(self):
        for variables in ({"FTR_SUMMARY": "p.fts"}, {"FTR_SUMMARY": "p.fts", "FTR_TRACE": "p.ftr"}):
            killed, _ = self.record("die=9", umask=0o077, **variables)
            self.ftr("recover", "p.fts", "-o", "sound.fts", "--force")
            self.assertEqual(stat.S_IMODE(os.stat("sound.fts").st_mode), 0o600)
            (run,) = read_summary("sound.fts").values()
            self.assertEqual(run["count"], ENDED)
            self.record(**variables)
            self.assertEqual(stat.S_IMODE(os.stat(f"p-{killed}.fts").st_mode), 0o600)
            for path in Path(".").iterdir():
                path.unlink()

    def test_recover_of_a_summary_uses_the_journal_that_it_names(self):
        self.record("die=9", FTR_TRACE="t/run.ftr", FTR_SUMMARY="n/p.fts")
        self.ftr("recover", "n/p.fts", "-o", "sound.fts")
        (run,) = read_summary("sound.fts").values()
        self.assertEqual(run["count"], ENDED)
        os.unlink("t/run.ftr.journal")
        self.assertIn("its journal", self.ftr("recover", "n/p.fts", "-o", "x.fts", status=2).stderr)
        self.record(FTR_SUMMARY="whole.fts")
        self.assertIn("nothing to recover", self.ftr("recover", "whole.fts", "-o", "x.fts", status=2).stderr)

    def test_recover_of_a_summary_that_was_deleted_writes_a_summary(self):
        for name in ("p.fts", "n/p.fts"):
            self.record("die=9", FTR_SUMMARY=name)
            os.unlink(name)
            self.ftr("recover", name, "-o", "sound.fts", "--force")
            (run,) = read_summary("sound.fts").values()
            self.assertEqual((run["state"], run["count"]), ("unfinished", ENDED))

    def test_a_summary_that_cannot_be_written_stays_in_the_journal(self):
        Path("file").write_text("no folder\n", encoding="utf-8")
        for number, ending in enumerate(([], ["die=15"], ["exit=3"])):
            directory = f"journals{number}"
            os.makedirs(directory)
            _, said = self.record(*ending, FTR_SUMMARY="file/p.fts", FTR_JOURNAL_DIR=directory)
            self.assertIn("file/p.fts: the summary cannot be written", said)
            (journal,) = os.listdir(directory)
            self.assertIn(f"{directory}/{journal}; 'ftr recover' recovers them", said)
            self.ftr("recover", "file/p.fts", "-o", "sound.fts", FTR_JOURNAL_DIR=directory)
            (run,) = read_summary("sound.fts").values()
            self.assertEqual((run["state"], run["count"]), ("killed" if number == 1 else "unfinished", ENDED))

    def test_a_trace_needs_no_journal_for_a_summary_that_cannot_be_written(self):
        Path("file").write_text("no folder\n", encoding="utf-8")
        _, said = self.record(FTR_TRACE="t.ftr", FTR_SUMMARY="file/p.fts")
        self.assertIn("file/p.fts: the summary cannot be written", said)
        self.assertNotIn("recover", said)
        self.assertEqual(sorted(os.listdir(".")), ["file", "t.ftr"])

    def test_the_summary_of_another_run_is_never_replaced(self):
        self.record(FTR_SUMMARY="n/run-1.fts", FTR_TAGS="seed=1")
        before = Path("n/run-1.fts").read_bytes()
        Path("n/text.fts").write_text("mine", encoding="utf-8")
        for trace in ({}, {"FTR_TRACE": "run.ftr"}):
            for name in ("run-1", "text"):
                content = Path(f"n/{name}.fts").read_bytes()
                pid, said = self.record(FTR_SUMMARY=f"n/{name}.fts", **trace)
                self.assertEqual(Path(f"n/{name}.fts").read_bytes(), content)
                (run,) = read_summary(f"n/{name}-{pid}.fts").values()
                self.assertEqual((run["state"], run["count"]), ("sound", ENDED))
                self.assertRegex(said, rf"n/{name}\.fts is the file of another run and stays: .*{name}-{pid}\.fts")
        self.assertEqual(Path("n/run-1.fts").read_bytes(), before)

    def test_runs_that_start_together_with_one_name_have_a_file_each(self):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("FTR_")}
        all_runs = [subprocess.Popen([MAKE_RUN, "default", str(i), "count=20"], stderr=subprocess.DEVNULL, env={
            **environment, "FTR_TRACE": f"{i}.ftr", "FTR_SUMMARY": "n/run.fts"}) for i in range(8)]
        self.assertEqual([run.wait() for run in all_runs], [0] * 8)
        runs, _ = self.merged(*Path("n").iterdir())
        self.assertEqual({file: run["state"] for file, run in runs.items()}, {f"{i}.ftr": "sound" for i in range(8)})

    def test_a_program_that_closes_its_recorder_is_sound(self):
        self.record("close=1", FTR_SUMMARY="run.fts", FTR_TRACE="run.ftr")
        self.ftr("summary", "run.ftr", "-o", "again.fts")
        for path in ("run.fts", "again.fts"):
            (run,) = read_summary(path).values()
            self.assertEqual((run["state"], run["info"].get("closed")), ("sound", "true"))

    def test_a_file_of_a_recording_with_many_files_has_no_end_of_its_own(self):
        self.record(f"count={50 * COUNT}", FTR_SUMMARY="run.fts", FTR_TRACE="run.ftr", FTR_MAX_SIZE="64K",
                    FTR_MAX_FILES="100", FTR_COMPRESS="none")
        files = sorted(Path(".").glob("run*.ftr"))
        self.assertGreater(len(files), 3)
        self.ftr("summary", *files, "-o", "night.fts")
        states = {run["state"] for run in read_summary("night.fts").values()}
        self.assertLessEqual(states, {"sound", "not told"})
        self.assertEqual(by_file("night.fts")["run.ftr"]["state"], "sound")

    def test_the_name_of_a_test_has_no_part_that_changes(self):
        for pattern, tags, expected in (
                ("cpu_boot-%p", "seed=17", "cpu_boot"), ("dma-seed17_%h", "seed=17", "dma"),
                ("irq.17.%t", "seed=17", "irq"), ("%h-%p-%t", "seed=17", None), ("x%p", "test=named,seed=2", "named"),
                ("night-2026-11-24-uart3", "", "night-uart3"), ("20261124-pid77", "", "20261124-pid77"),
                ("-boot-%p", "", "-boot"), ("=irq,17", "seed=17", "=irq"), ("+%p-x", "", "x"), ("@", "", "@"), ("--", "", "--")):
            for path in Path(".").glob("n/*"):
                path.unlink()
            self.record(FTR_SUMMARY=f"n/{pattern}.fts", FTR_TAGS=tags)
            (path,) = Path("n").iterdir()
            (run,) = read_summary(path).values()
            self.assertEqual(run["test"], expected or path.stem, pattern)

    def test_a_night_without_runs_fails(self):
        Path("none.fts").write_bytes(b"\xd9\xd9\xf7\x83\x6bftr-summary\x03\x80")
        self.assertEqual(self.gate("none.fts"), {"(number of runs)": ("failed", "the summary contains no run")})
        runs, _ = self.merged("none.fts", status=1)
        self.assertEqual(runs["none.fts"]["state"], "unfinished")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
