#!/usr/bin/python3
"""ftr farm on a Slurm cluster of four node daemons: the result is, byte for byte, that of one local command, also
when a node dies and when a task runs twice.

    farm_test.py FTR FARM_SCRIPT MAKE_NIGHT
"""

import os
import pathlib
import shutil
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
        self.assertEqual((made.returncode, made.stderr), (2, "ftr farm: no trace or summary matches 'nightly/*.trace'\n"))

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


class Inputs(Farm):
    """Traces and summaries, by name and in folders."""

    def test_a_folder_gives_its_traces_and_summaries(self):
        mixed = self.folder / "mixed"
        (mixed / "deep").mkdir(parents=True)
        traces = [f"nightly/seed[{i % 7}]/run{i}.ftr" for i in range(20)]
        for trace in traces[:8]:
            (mixed / "deep" / os.path.basename(trace)).symlink_to(self.folder / trace)
        for at in range(8, 18, 5):
            made = run(FTR, "summary", *traces[at:at + 5], "-o", f"mixed/part{at}.fts", cwd=self.folder)
            self.assertEqual(made.returncode, 0, made.stderr)
        every = ["mixed/part8.fts", "mixed/part13.fts", *(str(path.relative_to(self.folder)) for path in
                                                         sorted((mixed / "deep").glob("*.ftr")))]
        run(FTR, "summary", *every, *traces[18:], "-o", "expected.fts", cwd=self.folder)
        for _ in range(2):  # the second time, the folder contains the result of the first one
            prepared = self.farm("summary", "--prepare", "--jobs", "3", "mixed", *traces[18:], "-o", "mixed/night.fts")
            self.assertEqual((prepared.returncode, prepared.stderr), (0, ""))
            plan = prepared.stdout.rstrip("\n")
            names = b"".join(path.read_bytes() for path in pathlib.Path(plan).glob("files.*")).split(b"\0")
            self.assertEqual(len(names) - 1, len(every) + 2)
            self.assertEqual(self.farm("reduce", plan).returncode, 0)
            self.assertEqual((mixed / "night.fts").read_bytes(), (self.folder / "expected.fts").read_bytes())


class Refused(Farm):
    """An sbatch that accepts no job, or only the first one."""

    def setUp(self):
        self.programs = self.folder / "programs"
        self.programs.mkdir(exist_ok=True)
        self.jobs = self.programs / "jobs"
        self.jobs.write_text("", encoding="utf-8")

    def refuse(self, accepted):
        scripts = {"sbatch": f"""echo "$@" >> '{self.jobs}'
            if [ "$(wc -l < '{self.jobs}')" -le {accepted} ]; then echo "4711;cluster"; exit 0; fi
            echo 'sbatch: error: invalid partition specified: night' >&2
            exit 3""", "scancel": f"echo cancel \"$@\" >> '{self.jobs}'"}
        for name, script in scripts.items():
            (self.programs / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
            (self.programs / name).chmod(0o755)
        return self.farm("summary", "--jobs", "4", "--sbatch=--partition=night", "nightly/**/*.ftr", "-o", "new/deep/x.fts",
                         env=dict(os.environ, PATH=f"{self.programs}:{os.environ['PATH']}"))

    def test_nothing_is_left_if_the_tasks_are_refused(self):
        made = self.refuse(0)
        self.assertEqual((made.returncode, made.stdout), (2, ""))
        self.assertEqual(made.stderr, "sbatch: error: invalid partition specified: night\nftr farm: sbatch did not accept the "
                                      "tasks: exit status 3; the work folder is removed\n")
        self.assertFalse((self.folder / "new").exists())
        self.assertEqual(len(self.jobs.read_text(encoding="utf-8").splitlines()), 1)

    def test_nothing_is_left_if_the_reduction_is_refused(self):
        made = self.refuse(1)
        self.assertEqual(made.returncode, 2)
        self.assertIn("invalid partition specified", made.stderr)
        self.assertIn("did not accept the reduction, so the tasks are cancelled: exit status 3; the work folder is removed",
                      made.stderr)
        self.assertFalse((self.folder / "new").exists())
        self.assertEqual(self.jobs.read_text(encoding="utf-8").splitlines()[-1], "cancel 4711")

    def test_a_folder_of_others_stays(self):
        (self.folder / "new").mkdir()
        (self.folder / "new/notes").write_text("", encoding="utf-8")
        self.refuse(0)
        self.assertEqual([path.name for path in (self.folder / "new").iterdir()], ["notes"])
        shutil.rmtree(self.folder / "new")


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
        self.assertRegex(said, rf"^tasks: job \d+, {TASKS} tasks, {TRACES + 1} files\nreduction: job \d+, writes farm.fts\n$")
        self.assert_result("farm.fts")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
