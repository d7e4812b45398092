#!/usr/bin/python3
"""A transaction is unfinished if its object is destroyed after the simulation has ended.

    sc_destroyed_test.py FTR SC_DESTROYED_TEST DECODER
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

FTR, PROGRAM, DECODER = (os.path.abspath(path) for path in sys.argv[1:4])


class Destroyed(unittest.TestCase):
    def transactions(self, how):
        with tempfile.TemporaryDirectory() as scratch:
            trace = os.path.join(scratch, "run.ftr")
            environment = {name: value for name, value in os.environ.items() if not name.startswith("FTR_")}
            environment["ASAN_OPTIONS"] = "detect_leaks=0"
            subprocess.run([PROGRAM, how], check=True, capture_output=True, env={**environment, "FTR_TRACE": trace})
            said = subprocess.run([sys.executable, DECODER, "json", trace], check=True, capture_output=True, text=True)
            stats = subprocess.run([FTR, "stats", "--json", trace], check=True, capture_output=True, text=True)
        rows = {}
        for record in map(json.loads, said.stdout.splitlines()):
            if record["record"] == "transaction":
                is_cut = any(name == "unfinished" and value is True for _, name, _, value in record["attributes"])
                rows.setdefault(record["generator"], []).append(
                    (record["begin"], None if is_cut else record["end"]))
        (counted,) = map(json.loads, stats.stdout.splitlines())
        return rows, {row["generator"]: (row["count"], row["unfinished"], row["max"]) for row in counted["generators"]}

    def test_an_interrupt_that_nobody_serves_has_no_latency(self):
        for how in ("stop", "pause"):
            rows, counted = self.transactions(how)
            self.assertEqual(rows["scoped"], [(0, 10000)])
            self.assertEqual(rows["never"], [(10000, None)], how)
            self.assertEqual(counted["never"], (0, 1, None))
            self.assertEqual(counted["scoped"], (1, 0, 10000))

    def test_a_handle_that_is_destroyed_in_a_pause_ends_there_if_the_simulation_continues(self):
        rows, counted = self.transactions("continue")
        self.assertEqual(rows["served"], [(0, 50000)])
        self.assertEqual(counted["served"], (1, 0, 50000))
        self.assertEqual(rows["never"], [(10000, None)])
        rows, _ = self.transactions("pause")
        self.assertEqual(rows["served"], [(0, None)])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
