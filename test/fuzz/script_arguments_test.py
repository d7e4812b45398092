#!/usr/bin/python3
"""Calls scripts/test and scripts/fuzz with wrong arguments, from several folders: each prints its usage or the wrong
argument, and starts nothing. The argument is the folder of the sources."""

import os
import subprocess
import sys
import unittest

ROOT = ""


def call(folder, script, *arguments):
    """Calls a script by its path relative to a folder of the sources. Returns its exit status and messages."""
    folder = os.path.join(ROOT, folder)
    path = os.path.join(".", os.path.relpath(os.path.join(ROOT, "scripts", script), folder))
    done = subprocess.run([path, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    return done.returncode, done.stdout, done.stderr


class ScriptArguments(unittest.TestCase):

    def test_usage_from_other_folders(self):
        for folder in ("test", "scripts"):
            for script in ("test", "fuzz"):
                status, output, messages = call(folder, script, "--nothing")
                self.assertEqual((status, output), (2, ""))
                self.assertIn(f"    scripts/{script} ", messages)
                self.assertNotIn("set -", messages)

    def test_seeds(self):
        """0 seconds are refused later, so that no call fuzzes."""
        wanted = "scripts/fuzz: --seed: expected an integer from 1 to 4294967295, found "
        for seed in ("0", "4294967296", "10000000000", "18446744073709551617", "-1", "x", "", "1x", "01"):
            self.assertEqual(call("", "fuzz", "--seed", seed, "0"), (2, "", f"{wanted}'{seed}'\n"))
        self.assertEqual(call("", "fuzz", "--seed"), (2, "", f"{wanted}''\n"))
        for seed in ("1", "4294967295"):
            status, output, messages = call("", "fuzz", "--seed", seed, "0")
            self.assertEqual((status, output), (2, ""))
            self.assertNotIn(wanted, messages)
            self.assertIn("SECONDS", messages)


if __name__ == "__main__":
    ROOT = os.path.abspath(sys.argv[1])
    unittest.main(argv=sys.argv[:1])
