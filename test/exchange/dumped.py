"""The content of a file according to the ftr command: the reference for the output of other
programs."""

import json
import os
import re
import resource
import signal
import subprocess
import tempfile
import unittest


def run(*command, status=0, stderr="", **more):
    """Returns the stdout of a command that must end with `status` and print only `stderr`."""
    result = subprocess.run([str(c) for c in command], capture_output=True, text=True, **more)
    if result.returncode != status or (stderr is not None and result.stderr != stderr):
        raise AssertionError(f"{' '.join(map(str, command))}: status {result.returncode}\n"
                             f"stderr: {result.stderr}")
    return result.stdout


def findings(ftr, path):
    """Returns the messages of `ftr dump` about a damaged file; every reading of the file prints the
    same ones."""
    said = subprocess.run([ftr, "dump", path], capture_output=True, text=True, check=False).stderr
    assert said.startswith("ftr: " + path), said
    return said


def run_on_full_disk(*command, path=None, stderr=""):
    """Runs a command with its output on a full device, or in a file at `path` with a size
    limit, so that the command fails."""
    def limit_files():
        if path is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    with open("/dev/full", "wb") as full:
        result = subprocess.run([str(c) for c in (*command, "-o", path or "-")], stdout=full,
                                stderr=subprocess.PIPE, text=True, preexec_fn=limit_files,
                                check=False)
    if result.returncode != 2 or not re.fullmatch(stderr, result.stderr):
        raise AssertionError(f"{' '.join(map(str, command))}: status {result.returncode}\n"
                             f"stderr: {result.stderr}")
    if path is not None and [name for name in os.listdir(".") if name.startswith(path)]:
        raise AssertionError(f"{path} is there")


class Dump:
    def __init__(self, ftr, path, *options, status=0):
        lines = run(ftr, "dump", "--json", "--relations", *options, path, status=status,
                    stderr="" if status == 0 else None).splitlines()
        records = [json.loads(line) for line in lines]
        self.transactions = [r for r in records if r["record"] == "transaction"]
        self.relations = [r for r in records if r["record"] == "relation"]


class ExchangeTest(unittest.TestCase):
    """Tests in a directory of their own, with the files of each of `makers`."""
    maxDiff = None
    makers = ()

    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        os.chdir(cls.directory.name)
        for command in cls.makers:
            run(*command)

    @classmethod
    def tearDownClass(cls):
        os.chdir("/")
        cls.directory.cleanup()
