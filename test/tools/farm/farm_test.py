#!/usr/bin/python3
"""ftr farm on a Slurm cluster of four node daemons: the result is, byte for byte, that of one local command, also
when a node dies and when a task runs twice.

    farm_test.py FTR FARM_SCRIPT MAKE_NIGHT
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import slurm

FTR, FARM, MAKE_NIGHT = (os.path.abspath(path) for path in sys.argv[1:4])
TRACES = 400
TASKS = 16


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def make_night(folder):
    """400 runs and one that is cut, in folders with brackets in their names. Returns their summary."""
    for i in range(7):
        (folder / "nightly" / f"seed[{i}]").mkdir(parents=True)
    traces = [f"nightly/seed[{i % 7}]/run{i}.ftr" for i in range(TRACES)]
    subprocess.run([MAKE_NIGHT, *traces], cwd=folder, check=True, env=dict(os.environ, FTR_JOURNAL_DIR="none"))
    (folder / "nightly/cut.ftr").write_bytes((folder / traces[0]).read_bytes()[:100])
    local = run(FTR, "summary", "nightly/cut.ftr", *traces, "-o", "local.fts", cwd=folder)
    assert local.returncode == 1, local.stderr
    return (folder / "local.fts").read_bytes()


def setUpModule():
    Farm.scratch = tempfile.TemporaryDirectory(prefix="ftr farm ")
    Farm.folder = pathlib.Path(Farm.scratch.name)
    Farm.expected = make_night(Farm.folder)


def tearDownModule():
    Farm.scratch.cleanup()


class Farm(unittest.TestCase):
    """Works in a folder with a space in its name."""

    scratch = folder = expected = None

    def farm(self, *arguments, **options):
        return run(FTR, "farm", *arguments, cwd=self.folder, **options)

    def assert_result(self, name):
        self.assertEqual((self.folder / name).read_bytes(), self.expected)
        self.assertEqual([path.name for path in self.folder.glob(name + ".farm-*")], [])

    def prepare(self, output):
        prepared = self.farm("summary", "--prepare", "--jobs", str(TASKS), "nightly/**/*.ftr", "-o", output)
        self.assertEqual((prepared.returncode, prepared.stderr), (0, ""))
        return prepared.stdout.rstrip("\n")


class WithoutABatchSystem(Farm):
    def test_tasks_and_reduction_give_the_result_of_one_command(self):
        plan = self.prepare("by_hand.fts")
        for i in reversed(range(TASKS)):
            self.assertEqual(self.farm("task", plan, str(i)).returncode, 0)
        self.farm("task", plan, "3")
        self.farm("reduce", plan)
        self.assert_result("by_hand.fts")

    def test_lsf_counts_from_one(self):
        plan = self.prepare("lsf.fts")
        for i in range(TASKS):
            self.farm("task", plan, env=dict(os.environ, LSB_JOBINDEX=str(i + 1)))
        self.assertEqual(sorted(path.name for path in pathlib.Path(plan).glob("part.*")),
                         sorted(f"part.{i}" for i in range(TASKS)))
        self.farm("reduce", plan)
        self.assert_result("lsf.fts")

    def test_the_reduction_makes_missing_parts(self):
        plan = self.prepare("missing.fts")
        for i in range(TASKS):
            if i not in (0, 7):
                self.farm("task", plan, str(i))
        reduced = self.farm("reduce", plan)
        self.assertEqual([line for line in reduced.stderr.splitlines() if "repeats" in line],
                         ["ftr farm: task 0 left no summary; the reduction repeats it",
                          "ftr farm: task 7 left no summary; the reduction repeats it"])
        self.assert_result("missing.fts")

    def test_a_pattern_without_a_match_is_an_error(self):
        made = self.farm("summary", "nightly/*.trace", "-o", "none.fts")
        self.assertEqual((made.returncode, made.stderr), (2, "ftr farm: no trace matches 'nightly/*.trace'\n"))

    def test_wrong_usage_is_an_error(self):
        for arguments in (["summary", "nightly"], ["summary", "-o", "x.fts"], ["summary", "--jobs", "0", "nightly", "-o", "x"],
                          ["summary", "--jbos", "3", "nightly", "-o", "x"], ["task"], ["reduce"], ["nothing"], []):
            made = self.farm(*arguments)
            self.assertEqual((made.returncode, made.stdout), (2, ""), arguments)
            self.assertTrue(made.stderr.startswith("ftr"), arguments)

    def test_a_damaged_plan_is_an_error(self):
        plan = self.prepare("damaged.fts")
        self.assertEqual(self.farm("task", plan, str(TASKS)).returncode, 2)
        for i in range(TASKS):
            self.farm("task", plan, str(i))
        (pathlib.Path(plan) / "part.5").write_bytes(b"not a summary")
        reduced = self.farm("reduce", plan)
        self.assertEqual(reduced.returncode, 2)
        self.assertIn("part.5", reduced.stderr)
        self.assertFalse((self.folder / "damaged.fts").exists())


@unittest.skipIf(slurm.missing_programs(), f"not installed: {', '.join(slurm.missing_programs())}")
class OnSlurm(Farm):
    """Tasks take a second, so that a node dies while it works."""

    @classmethod
    def setUpClass(cls):
        # Slurm's configuration file has no names with spaces.
        cls.scratch_of_cluster = tempfile.TemporaryDirectory(prefix="ftr_slurm_")
        os.chmod(cls.scratch_of_cluster.name, 0o755)
        cls.cluster = slurm.Cluster(cls.scratch_of_cluster.name, 4)
        cls.cluster.__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.cluster.__exit__()
        cls.scratch_of_cluster.cleanup()

    def slow_ftr(self):
        """A program named ftr that takes a second longer for each summary of traces."""
        slow = self.folder / "slow" / "ftr"
        slow.parent.mkdir(exist_ok=True)
        slow.write_text(f"""#!/bin/sh
            case "$1 $2" in
            farm*) shift; exec "{FARM}" "$0" "$@" ;;
            "summary --merge") ;;
            summary*) sleep 1 ;;
            esac
            exec "{FTR}" "$@"
            """, encoding="utf-8")
        slow.chmod(0o755)
        return str(slow)

    def test_a_node_that_dies_changes_nothing(self):
        with subprocess.Popen([self.slow_ftr(), "farm", "summary", "--jobs", str(TASKS), "--wait", "nightly/**/*.ftr",
                               "-o", "farm.fts"], cwd=self.folder, env=self.cluster.environment,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as farm:
            killed = 0  # the daemon, the step, and the processes of its task
            end = time.monotonic() + 60
            while not killed and time.monotonic() < end:
                time.sleep(0.1)
                if any(self.folder.glob("farm.fts.farm-*/part.*")):
                    killed = self.cluster.kill_working("n2")
            self.assertGreater(killed, 2, "no task ran on n2")
            said, complaints = farm.communicate(timeout=240)
        self.assertEqual((farm.returncode, complaints), (0, ""))
        self.assertRegex(said, rf"^tasks: job \d+, {TASKS} tasks, {TRACES + 1} traces\nreduction: job \d+, writes farm.fts\n$")
        self.assert_result("farm.fts")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
