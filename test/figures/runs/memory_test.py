#!/usr/bin/python3
"""Commands that read a trace with many streams or generators stay below --memory, and print the same as with more
memory.

    memory_test.py FTR MAKE_STREAMS
"""

import os
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from scratch_test import ScratchTest  # noqa: E402

FTR, MAKE_STREAMS = (os.path.abspath(path) for path in sys.argv[1:3])
MIB = 1 << 20
# The program, its stacks and libraries.
PROGRAM = 16 * MIB
# Streams, generators of each, rounds, limit. The limit of 100,000 streams is not much more than their index, so their
# figures are read in groups.
TRACES = [(10, 2, 4000, 16), (10, 1000, 12, 24), (10_000, 2, 12, 32), (100_000, 1, 3, 160)]
# Sanitizers hold freed memory back, so they compare only the outputs, of fewer streams.
SANITIZED = bool(os.environ.get("FTR_SANITIZE"))
COMMANDS = [["summary", "-o", "run.fts"], ["stats"], ["stats", "--by-stream"], ["info", "--counts"], ["check"], ["dump"]]


def measured(*command):
    """Runs a command. Returns its output and the largest resident size of its process, in bytes."""
    Path("run.fts").unlink(missing_ok=True)
    with open("output", "wb") as output:
        process = subprocess.Popen([FTR, *command], stdout=output, stderr=subprocess.PIPE)
        message = process.stderr.read()
        process.stderr.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, (command, process.returncode, message)
    files = [path.read_bytes() for path in (Path("output"), Path("run.fts")) if path.exists()]
    return files, usage.ru_maxrss * 1024


class Memory(ScratchTest):
    def test_commands_stay_below_their_limit(self):
        for streams, generators, rounds, limit in TRACES[:-1] if SANITIZED else TRACES:
            subprocess.run([MAKE_STREAMS, "run.ftr", str(streams), str(generators), str(rounds)], check=True)
            # The pages of the mapped file are resident, too. Small allocations take more memory than their size.
            allowed = limit * MIB * 9 // 8 + os.path.getsize("run.ftr") + PROGRAM
            for command in COMMANDS:
                few, peak = measured(*command, "-j", "2", "--memory", f"{limit}M", "run.ftr")
                if not SANITIZED:
                    self.assertLess(peak, allowed, (streams, generators, command))
                much, _ = measured(*command, "-j", "2", "--memory", "1G", "run.ftr")
                self.assertEqual(few, much, (streams, generators, command))

    def test_too_little_memory_is_an_error(self):
        subprocess.run([MAKE_STREAMS, "run.ftr", "10", "1000", "4"], check=True)
        for command in (["summary", "-o", "run.fts"], ["stats"]):
            result = subprocess.run([FTR, *command, "--memory", "4M", "run.ftr"], capture_output=True, text=True,
                                    check=False)
            self.assertNotEqual(result.returncode, 0, command)
            self.assertIn("run.ftr: its figures exceed the memory limit; raise --memory", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
