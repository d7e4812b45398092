"""What the ftr command says is in a file: the reference that other programs' readings are compared with."""

import json
import os
import subprocess
import tempfile
import unittest


def run(*command, status=0, stderr="", **more):
    """The stdout of a command that must end with `status` and say nothing else than `stderr`."""
    result = subprocess.run([str(c) for c in command], capture_output=True, text=True, **more)
    if result.returncode != status or (stderr is not None and result.stderr != stderr):
        raise AssertionError(f"{' '.join(map(str, command))}: status {result.returncode}\n"
                             f"stderr: {result.stderr}")
    return result.stdout


def findings(ftr, path):
    """What `ftr dump` says on stderr about a damaged file; every reading of the file says the same."""
    said = subprocess.run([ftr, "dump", path], capture_output=True, text=True, check=False).stderr
    assert said.startswith("ftr: " + path), said
    return said


class Dump:
    def __init__(self, ftr, path, *options, status=0):
        lines = run(ftr, "dump", "--json", "--relations", *options, path, status=status,
                    stderr="" if status == 0 else None).splitlines()
        records = [json.loads(line) for line in lines]
        self.transactions = [r for r in records if r["record"] == "transaction"]
        self.relations = [r for r in records if r["record"] == "relation"]


class ExchangeTest(unittest.TestCase):
    """Tests in a folder of their own, with the files that each of `makers` leaves there."""
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
