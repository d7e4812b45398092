#!/usr/bin/python3
"""Converts an FTR file of more than 1 GB to Common Trace Format, in bounded memory, and counts its
events with the babeltrace2 program.

    large_file_test.py FTR CORE_WORKLOADS
"""

import json
import os
import re
import sys
import unittest

from dumped import ExchangeTest, run

FTR, CORE_WORKLOADS = map(os.path.abspath, sys.argv[1:3])
TRANSACTIONS = 25_000_000
MEMORY_MAX_KB = 96 * 1024  # for a file of any size, because memory holds chunks, not transactions


def run_measured(*command):
    """Returns the status of a command and its maximum memory in KB."""
    child = os.posix_spawn(command[0], command, os.environ)
    _, status, usage = os.wait4(child, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_maxrss


class LargeFileTest(ExchangeTest):
    makers = ((CORE_WORKLOADS, "W2", str(TRANSACTIONS), "large.ftr", "none"),)

    def test_a_file_over_a_gigabyte(self):
        self.assertGreater(os.path.getsize("large.ftr"), 10**9)
        status, memory = run_measured(FTR, "convert", "--output-format", "ctf", "-o", "out", "large.ftr")
        self.assertEqual(status, 0)
        self.assertLess(memory, MEMORY_MAX_KB)
        print(f"{os.path.getsize('large.ftr') >> 20} MB converted with {memory >> 10} MB", flush=True)

        statistics = json.loads(run(FTR, "stats", "--json", "large.ftr"))
        recorded = sum(generator["count"] for generator in statistics["generators"])
        self.assertEqual(recorded, TRANSACTIONS)
        counted = run("babeltrace2", "out", "-c", "sink.utils.counter", "-p", "step=+0")
        events = int(re.search(r"(\d+) Event messages", counted).group(1))
        self.assertEqual(events, 2 * recorded)  # each has a duration: a begin and an end


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
