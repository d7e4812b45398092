#!/usr/bin/python3
"""Compares reports made with one reading thread and with several: they have the same bytes.

    threads_test.py FTR MAKE_REPORT_TRACE
"""

import os
import subprocess
import sys
import tempfile
import unittest

from report_data import Data

FTR, MAKER = sys.argv[1:3]


class Threads(unittest.TestCase):
    """Reports whose transactions do not all fit, so that threads and selection work together."""

    def compare(self, shape, count, sampled):
        """Makes a report with 1, 2 and 5 reading threads."""
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
            selection = Data(page).manifest["transactions"]["selection"]
            self.assertGreater(selection["sample"], sampled)

    def test_families(self):
        """Children follow their parents into the selection."""
        self.compare("families", "12000", 1)

    def test_long(self):
        """The sample becomes smaller while threads read ahead."""
        self.compare("plain", "120000", 8)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
