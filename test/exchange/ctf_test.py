#!/usr/bin/python3
"""Reads the output of `ftr convert --output-format ctf` with the babeltrace2 program, and compares every event
and value with the output of `ftr dump --json`.

    ctf_test.py FTR MAKE_TOOL_FILES MAKE_AWKWARD_FILE
"""

import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import unittest

import bt2

from babeltrace_text import FILES, EventTest, expected_events, read_events
from cbor_file import write_ftr
from dumped import Dump, findings, run

FTR, MAKE_TOOL_FILES, MAKE_AWKWARD_FILE = map(os.path.abspath, sys.argv[1:4])


def convert(*arguments, **more):
    return run(FTR, "convert", "--output-format", "ctf", "-o", *arguments, **more)


def write_streams(path, names):
    """Writes a file with these streams, each with one transaction of 5 ns with an attribute that
    contains a NUL."""
    write_ftr(path, [(name, "", [("generator", n, n + 5, [("record", "text", "a\0b")])])
                     for n, name in enumerate(names)])


class CtfTest(EventTest):
    makers = ((MAKE_TOOL_FILES,), (MAKE_AWKWARD_FILE, "awkward.ftr"))

    def read(self, directory):
        return read_events(run("babeltrace2", "--clock-cycles", "--no-delta", directory))

    def test_output_equals_that_of_dump(self):
        for path in FILES:
            with self.subTest(path):
                convert("ctf-" + path, path)
                self.compare(self.read("ctf-" + path), Dump(FTR, path))

    def test_floats_are_exact(self):
        convert("exactly", "awkward.ftr")
        found = []
        for message in bt2.TraceCollectionMessageIterator("exactly"):
            if type(message) is bt2._EventMessageConst:
                payload = message.event.payload_field
                if "reals" in payload:
                    found += [(int(payload["id"]), str(entry["name"]), float(entry["value"]))
                              for entry in payload["reals"]]
        expected = [(tx["id"], name, value) for tx in Dump(FTR, "awkward.ftr").transactions
                    for _, name, _, value in tx["attributes"] if isinstance(value, float)]
        self.assertGreater(len(expected), 100)
        self.assertEqual(sorted(found), sorted(expected))

    def test_two_files_of_different_time_scales_are_merged(self):
        convert("merged", "--offset", "nanoseconds.ftr=2us", "--offset", "small.ftr=-1ns", "small.ftr", "nanoseconds.ftr")
        output = run("babeltrace2", "--clock-seconds", "--no-delta", "merged")
        found = []
        for time, name, context, payload in read_events(output):
            if name != "tx_relation":
                seconds, ns = time.split(".")
                found.append(((name, context["stream"], int(payload["id"])),
                              int(seconds) * 10**9 + int(ns)))
        expected = []
        for path, ps_per_tick, offset_ns in (("small.ftr", 1, -1), ("nanoseconds.ftr", 1000, 2000)):
            for (name, number), event in expected_events(Dump(FTR, path).transactions).items():
                ns = event[0] * ps_per_tick // 1000 + offset_ns
                expected.append(((name, event[1], number), 1700000000 * 10**9 + ns))
        self.assertEqual([key for key, _ in sorted(found)], [key for key, _ in sorted(expected)])
        for (key, time), (_, right) in zip(sorted(found), sorted(expected)):
            # babeltrace 2.0.4 converts clocks other than 1 GHz in floating point
            self.assertIn(time, (right, right - 1), key)
        times = [time for _, time in found]
        self.assertEqual(times, sorted(times))

    def test_only_the_time_window_is_converted(self):
        dump = Dump(FTR, "awkward.ftr", "--from", "1ns", "--to", "1500ps")
        convert("window", "--from", "1ns", "--to", "1500ps", "awkward.ftr")
        self.assertLess(len(dump.transactions), 60)
        events = self.read("window")
        self.assertFalse([event for event in events if event[1] == "tx_relation"])
        self.compare(events, dump, relations=False)

    def test_the_index_finds_every_packet(self):
        run(MAKE_AWKWARD_FILE, "long.ftr", "2500")
        convert("indexed", "long.ftr")
        self.compare(self.read("indexed"), Dump(FTR, "long.ftr"))
        packets = 0
        for name in os.listdir("indexed/index"):
            stream = open("indexed/" + name.removesuffix(".idx"), "rb").read()
            index = open("indexed/index/" + name, "rb").read()
            self.assertEqual(struct.unpack_from(">4I", index), (0xc1f1dcc1, 1, 1, 72))
            expected, last = 0, 0
            for offset, size, content, begin, end, discarded, class_, instance, number in \
                    struct.iter_unpack(">9Q", index[16:]):
                self.assertEqual((offset, discarded), (expected, 0))
                # the magic number, the UUID, then the same values as in the index
                self.assertEqual(struct.unpack_from("<I16xI6Q", stream, offset),
                                 (0xc1fc1fc1, class_, instance, begin, end, content, size, number))
                self.assertLessEqual(last, begin)
                self.assertLessEqual(begin, end)
                expected, last = offset + size // 8, end
                packets += 1
            self.assertEqual(expected, len(stream))
        self.assertGreater(packets, 2 * len(os.listdir("indexed/index")))
        counted = run("babeltrace2", "indexed", "-c", "sink.utils.counter")
        self.assertIn(f" {packets} Packet beginning messages", counted)
        with_index = run("babeltrace2", "indexed")
        shutil.rmtree("indexed/index")
        self.assertEqual(run("babeltrace2", "indexed"), with_index)

    def test_streams_may_have_any_name(self):
        names = ["a/b", "a_b", "a\tb", "metadata", "index", ".", "..", ".hidden", "", "\u00e4" * 300,
                 "\u00e4" * 301, "a_b-2", "-x", "100 %s"]
        write_streams("names.ftr", names)
        convert("names", "names.ftr", stderr=None)
        events = self.read("names")
        self.assertEqual({context["stream"] for _, _, context, _ in events}, set(names))
        self.assertEqual(len(os.listdir("names")), len(names) + 2)
        self.assertEqual({payload["texts"][0]["value"] for _, name, _, payload in events
                          if name == "tx_end"}, {"a\ufffdb"})

    def test_replaced_nuls_are_counted(self):
        write_ftr("nul.ftr", [("top", "", [("read", n, n + 5, [("record", "text", "a\0b\0")]) for n in range(3000)])])
        for jobs in ("1", "3"):
            done = subprocess.run([FTR, "convert", "-j", jobs, "--output-format", "ctf", "-o", "nul" + jobs, "nul.ftr"],
                                  stderr=subprocess.PIPE, text=True, check=True)
            self.assertIn("6000 NULs in texts and names became U+FFFD", done.stderr)
        done = subprocess.run([FTR, "convert", "--output-format", "ctf", "-o", "no-nul", FILES[0]],
                              stderr=subprocess.PIPE, text=True, check=True)
        self.assertNotIn("NUL", done.stderr)

    def test_more_streams_than_open_files(self):
        write_streams("many.ftr", [f"stream {n}" for n in range(400)])
        convert("many", "many.ftr", stderr=None,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24)))
        self.assertEqual(len(self.read("many")), 800)

    def test_a_file_without_transactions_is_an_empty_trace(self):
        write_streams("empty.ftr", [])
        convert("empty", "empty.ftr")
        self.assertEqual(self.read("empty"), [])

    def test_damage_is_reported_and_the_rest_is_read(self):
        convert("ctf-torn", "torn.ftr", status=1, stderr=findings(FTR, "torn.ftr"))
        self.compare(self.read("ctf-torn"), Dump(FTR, "torn.ftr", status=1))

    def test_unreadable_data_is_reported(self):
        convert("out", "missing.ftr", status=2, stderr="ftr: missing.ftr: No such file or directory\n")
        convert("out", "junk.ftr", status=2, stderr=None)
        convert("out", "--offset", "other.ftr=1us", "small.ftr", status=2,
                stderr="ftr: --offset other.ftr=1us: no input has this name\n")
        convert("out", "--offset", "small.ftr=1ps", "small.ftr", status=2,
                stderr="ftr: --offset small.ftr=1ps: not a time in whole nanoseconds\n")
        for option, wrong in (("--from", "noon"), ("--to", "5 parsecs")):
            convert("out", option, wrong, "small.ftr", status=2, stderr=
                    f"ftr convert: option '{option}': invalid value '{wrong}'; expected is a time such as 10us or 1.5 ms, "
                    "or a number of ticks\nTry 'ftr help convert'.\n")
        self.assertFalse(os.path.exists("out"))

    def test_unwritable_data_is_reported(self):
        os.mkdir("there")
        convert("there", "small.ftr", status=2, stderr="ftr: there: File exists\n")

        def limit_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

        run(MAKE_AWKWARD_FILE, "large.ftr", "1000")
        result = subprocess.run([FTR, "convert", "--output-format", "ctf", "-o", "too-large", "large.ftr"],
                                preexec_fn=limit_files, stderr=subprocess.PIPE, text=True,
                                check=False)
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, r"\Aftr: too-large\S*/top.a_b: File too large\n\Z")
        self.assertEqual([name for name in os.listdir(".") if name.startswith("too-large")], [])
        convert("/proc/nowhere", "small.ftr", status=2, stderr=None)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
