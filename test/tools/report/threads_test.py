#!/usr/bin/python3
"""Compares reports made with one reading thread and with several: they have the same bytes, and the
slowest transactions.

    threads_test.py FTR MAKE_REPORT_TRACE
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

from report_data import Data

FTR, MAKER = sys.argv[1:3]


def longest(trace):
    """The longest latencies of each generator, by `ftr dump`."""
    dump = subprocess.run([FTR, "dump", "--json", trace], check=True, capture_output=True)
    latencies = {}
    for line in dump.stdout.splitlines():
        tx = json.loads(line)
        if any(name == "unfinished" for _, name, _, _ in tx["attributes"]):
            continue  # has no latency
        latencies.setdefault((tx["stream"], tx["generator"]), []).append(tx["end"] - tx["begin"])
    return {key: sorted(of, reverse=True) for key, of in latencies.items()}


class Threads(unittest.TestCase):
    """Reports of files with more transactions than fit, so that threads and selection work together."""

    def compare(self, shape, count, least, most):
        """Makes a report with 1, 2 and 5 reading threads. One in N families is sampled, and N is
        between least and most."""
        with tempfile.TemporaryDirectory() as folder:
            trace, page = os.path.join(folder, "run.ftr"), os.path.join(folder, "run.html")
            subprocess.run([MAKER, shape, count, trace], check=True)
            pages = []
            for threads in ("1", "2", "5"):
                subprocess.run([FTR, "report", "-j", threads, "--budget", "500000", "-o", page,
                                trace], check=True)
                with open(page, "rb") as file:
                    pages.append(file.read())
            self.assertEqual(pages[0], pages[1])
            self.assertEqual(pages[0], pages[2])
            manifest = Data(page).manifest
            sample = manifest["transactions"]["selection"]["sample"]
            self.assertTrue(least < sample < most, sample)
            truth = longest(trace)
            for generator in manifest["generators"]:
                key = manifest["streams"][generator["stream"]]["name"], generator["name"]
                slowest = [int(tx["latency"]) for tx in generator["slowest"]]
                self.assertEqual(slowest, truth[key][:len(slowest)])
                self.assertGreater(len(slowest), 0)

    def test_families(self):
        """Children follow their parents into the selection."""
        self.compare("families", "12000", 1, 16)

    def test_long(self):
        """The sample becomes smaller while threads read ahead, but not smaller than necessary."""
        self.compare("plain", "120000", 8, 17)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
