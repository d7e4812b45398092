#!/usr/bin/python3
"""Memory of commands that prepare their output on several threads, for a trace whose output is much larger than the
trace: each transaction has a long text.

    jobs_memory_test.py FTR
"""

import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import made_trace

FTR = None

MEMORY = 32 << 20  # limit of the commands
TEXT = 64 << 10
TRANSACTIONS = 400  # of a chunk: their output takes 25 MiB
CHUNKS = 10
STRING = 10


def peak_memory(*command):
    """Runs a command. Returns the largest resident size of its process, in bytes."""
    with open(os.devnull, "wb") as output:
        process = subprocess.Popen([FTR, *command], stdout=output)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, (command, process.returncode)
    return usage.ru_maxrss * 1024


class Memory(unittest.TestCase):

    def test_long_texts_in_short_chunks(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "long.ftr")
            numbers = range(CHUNKS * TRANSACTIONS)
            made_trace.write(path, [[(id_ + 1, 10 * id_, 10 * id_ + 5, [(7, 3, STRING, 4)])
                                     for id_ in numbers[at:at + TRANSACTIONS]]
                                    for at in range(0, len(numbers), TRANSACTIONS)], ["note", TEXT * "y"])
            self.assertLess(os.path.getsize(path), 1 << 20)
            for command in (["dump"], ["convert", "--output-format", "perfetto", "-o", "-"],
                            ["convert", "--output-format", "flux", "-o", "-"],
                            ["convert", "--output-format", "scv", "-o", "-"]):
                self.assertLess(peak_memory(*command, "--memory", str(MEMORY), "-j", "8", path), 2 * MEMORY, command)


if __name__ == "__main__":
    FTR = os.path.abspath(sys.argv[1])
    unittest.main(argv=sys.argv[:1])
