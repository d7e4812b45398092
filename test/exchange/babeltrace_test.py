#!/usr/bin/python3
"""Reads FTR files through the plug-in with the babeltrace2 program, and compares every event and
value with the output of `ftr dump --json`.

    babeltrace_test.py FTR PLUGIN_DIRECTORY MAKE_TOOL_FILES MAKE_AWKWARD_FILE
"""

import os
import re
import subprocess
import sys
import unittest

from babeltrace_text import FILES, EventTest, read_events
from cbor_file import write_lossy_file
from dumped import Dump, findings, run

FTR, PLUGINS, MAKE_TOOL_FILES, MAKE_AWKWARD_FILE = map(os.path.abspath, sys.argv[1:5])
BABELTRACE = ["babeltrace2", "--plugin-path=" + PLUGINS]


def run_for_stderr(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stderr


class BabeltraceTest(EventTest):
    makers = ((MAKE_TOOL_FILES,), (MAKE_AWKWARD_FILE, "awkward.ftr"))

    def read(self, *arguments):
        output = run(*BABELTRACE, "--clock-cycles", "--no-delta", *arguments)
        return read_events(output)

    def test_the_plug_in_prints_the_output_of_dump(self):
        for path in FILES:
            with self.subTest(path):
                self.compare(self.read(path), Dump(FTR, path))

    def test_events_come_in_order_of_time(self):
        times = [int(time) for time, *_ in self.read("awkward.ftr")]
        self.assertEqual(times, sorted(times))
        self.assertGreater(len(times), 100)

    def test_the_ctf_sink_of_babeltrace_writes_it(self):
        for path in ("small.ftr", "awkward.ftr"):
            with self.subTest(path):
                run(*BABELTRACE, path, "-o", "ctf", "-w", "rewritten-" + path,
                    "--log-level=WARNING")
                self.compare(self.read("rewritten-" + path), Dump(FTR, path))

    def test_plug_in_offsets_the_clock(self):
        output = run(*BABELTRACE, "--clock-seconds", "--no-delta", "-c", "source.ftr.file", "-p",
                     'inputs=["touching.ftr"],clock-class-offset-s=-5,clock-class-offset-ns=7')
        # its tick 0 is in 1970
        self.assertEqual(read_events(output)[0][0], "-4.999999993")

    def test_only_the_time_window_is_read(self):
        dump = Dump(FTR, "awkward.ftr", "--from", "1ns", "--to", "1500ps")
        events = self.read("-c", "source.ftr.file", "-p",
                           'inputs=["awkward.ftr"],begin="1 ns",end="1500"')
        self.assertLess(len(dump.transactions), 60)
        self.assertFalse([event for event in events if event[1] == "tx_relation"])
        self.compare(events, dump, relations=False)

    def test_filters_of_babeltrace_work(self):
        everything = self.read("small.ftr")
        trimmed = self.read("small.ftr", "--begin", "1700000000.000000007", "--end",
                            "1700000000.000000009", "--clock-gmt")
        self.assertEqual(trimmed, [event for event in everything if 7000 <= int(event[0]) < 10000])
        # with the parameter, earlier events are not even read
        self.assertEqual(self.read("small.ftr", "-p", 'begin="7 ns"', "--begin", "1700000000.000000007", "--end",
                                   "1700000000.000000009", "--clock-gmt"), trimmed)
        both = self.read("small.ftr", "nanoseconds.ftr", "--stream-intersection")
        self.assertGreater(len(both), 0)
        counted = run(*BABELTRACE, "awkward.ftr", "-c", "sink.utils.counter")
        self.assertIn(f" {len(self.read('awkward.ftr'))} Event messages", counted)

    def test_losses_are_discarded_events(self):
        write_lossy_file("lossy.ftr")

        def discarded(*arguments):
            return re.findall(r"discarded (\d+) events between \[00:00:00.(\d+)\] and \[00:00:00.(\d+)\].*"
                              r'"([^"/]*/)*([a-z.]*)"', run_for_stderr(*BABELTRACE, *arguments))
        expected = [("3", "000000000", "000000001", "cpu.ftr.losses"),
                    ("142", "000000010", "000000060", "ftr.losses")]
        self.assertEqual([entry[:3] + entry[4:] for entry in discarded("--clock-gmt", "lossy.ftr")], expected)
        run(*BABELTRACE, "lossy.ftr", "-o", "ctf", "-w", "rewritten-lossy")
        run(FTR, "convert", "--output-format", "ctf", "-o", "converted-lossy", "lossy.ftr")
        for trace in ("rewritten-lossy", "converted-lossy"):
            with self.subTest(trace):
                self.assertEqual([entry[:3] + entry[4:] for entry in discarded("--clock-gmt", trace)], expected)
                self.compare(read_events(run(*BABELTRACE, "--clock-cycles", "--no-delta", trace, stderr=None)),
                             Dump(FTR, "lossy.ftr"))

    def test_damage_is_reported_and_the_rest_is_read(self):
        output = run(*BABELTRACE, "--clock-cycles", "--no-delta", "torn.ftr", stderr=
                     findings(FTR, "torn.ftr").replace("ftr: ", "WARNING: [source.ftr.file] ", 1))
        self.compare(read_events(output), Dump(FTR, "torn.ftr", status=1))

    def test_invalid_parameters_are_named(self):
        for parameters, said in (('inputs=["small.ftr"],begin="noon"', "parameter `begin`"),
                                 ("inputs=3", "parameter `inputs`"),
                                 ('inputs=["small.ftr"],begin="2 us",end="1 us"', "parameter `end`"),
                                 ('inputs=["small.ftr"],start="2 us"', "unknown parameter `start`"),
                                 ('inputs=["small.ftr"],begin=3', "parameter `begin`")):
            with self.subTest(parameters):
                result = subprocess.run([*BABELTRACE, "-c", "source.ftr.file", "-p", parameters], capture_output=True,
                                        text=True, check=False)
                self.assertEqual(result.returncode, 1)
                self.assertIn(said, " ".join(result.stderr.split()))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
