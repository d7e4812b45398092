#!/usr/bin/python3
"""Conversions that read on several threads: with one, two and four, output, messages and exit status must be equal, for
sound files, files of few chunks, and files with a damaged byte or without their end. The transactions are compared with
those that the independent decoder finds. The arguments are the command and the program core_workloads."""

import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import ftr_decode
import made_trace

FTR = WORKLOADS = ""
FORMATS = ("scv", "perfetto", "flux", "ctf")
DAMAGED = 3 if os.environ.get("FTR_SANITIZE") else 12
CHUNK = 40  # transactions in each chunk of a made trace
OVERLAPPING = 40000  # transactions of chunks that overlap
UNSIGNED = 3
STRING = 10


def numbered(id_):
    """A transaction that overlaps its neighbours; every fifth one has no duration."""
    begin = id_ * 10
    return id_, begin, begin + (0 if id_ % 5 == 0 else 5 + 7 * (id_ % 9)), [(7, 3, UNSIGNED, id_ * 3), (9, 4, UNSIGNED, id_ % 7)]


def decoded(path):
    """Returns id, begin and end of each transaction, from the independent decoder."""
    records = ftr_decode.json_records(ftr_decode.decode(path))
    return sorted((r["id"], r["begin"], r["end"]) for r in records if r["record"] == "transaction")


def without_uuid(folder):
    """Returns the content of the files of a CTF trace. Each trace has a random UUID."""
    with open(os.path.join(folder, "metadata"), "rb") as file:
        text = re.search(rb'uuid = "([0-9a-f-]+)"', file.read()).group(1)
    found = {}
    for parent, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(parent, name), "rb") as file:
                content = file.read().replace(bytes.fromhex(text.decode().replace("-", "")), b"")
            found[os.path.relpath(os.path.join(parent, name), folder)] = content.replace(text, b"")
    return found


def limit_output():
    """Of this process: a file cannot exceed 64 KiB."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))


class ExchangeJobs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.traces = []
        for name, count in (("W2", 20000), ("W3", 5000), ("W4", 20000)):
            path = os.path.join(cls.folder.name, name + ".ftr")
            subprocess.run([WORKLOADS, name, str(count), path], check=True, env={"PATH": os.environ["PATH"]})
            cls.traces.append(path)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def convert(self, form, threads, path, *options):
        """Returns output, messages and exit status."""
        to = os.path.join(self.folder.name, "ctf") if form == "ctf" else "-"
        done = subprocess.run([FTR, "convert", "--output-format", form, "-o", to, "-j", str(threads), *options, path],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        output = done.stdout
        if form == "ctf":
            output = without_uuid(to) if os.path.exists(to) else None
            shutil.rmtree(to, ignore_errors=True)
        return output, done.stderr, done.returncode

    def expect_equal(self, form, path, *options):
        alone = self.convert(form, 1, path, *options)
        for threads in (2, 4):
            self.assertTrue(alone == self.convert(form, threads, path, *options), f"{form} {path} -j {threads}")
        return alone

    def expect_transactions(self, path):
        expected = decoded(path)
        text = self.expect_equal("scv", path)[0].decode()
        found = {}
        for kind, id_, time, unit in re.findall(r"^tx_(begin|end) (\d+) \d+ (\d+) (\w*s)$", text, re.MULTILINE):
            ticks = int(time) * 1000 ** ("s", "ms", "us", "ns", "ps").index("ps") // \
                1000 ** ("s", "ms", "us", "ns", "ps").index(unit)
            found.setdefault(int(id_), {})[kind] = ticks
        self.assertEqual(sorted((id_, one["begin"], one["end"]) for id_, one in found.items()), expected)
        events = json.loads(self.expect_equal("perfetto", path)[0])["traceEvents"]
        self.assertEqual(sorted(event["args"]["id"] for event in events if event["ph"] == "X"),
                         [id_ for id_, _, _ in expected])
        for form in ("flux", "ctf"):
            self.assertEqual(self.expect_equal(form, path)[2], 0)

    def test_sound_files(self):
        for path in self.traces:
            self.expect_transactions(path)

    def test_files_of_few_chunks(self):
        path = os.path.join(self.folder.name, "made.ftr")
        for count in (1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK - 1, 3 * CHUNK, 9 * CHUNK + 1):
            numbers = range(1, count + 1)
            made_trace.write(path, [[numbered(id_) for id_ in numbers[at:at + CHUNK]]
                                    for at in range(0, count, CHUNK)], ["address", "data"])
            self.expect_transactions(path)

    def test_attributes_that_only_later_chunks_have(self):
        """An attribute is declared if all transactions of its generator have it, in whatever chunk they are."""
        path = os.path.join(self.folder.name, "later.ftr")
        chunks = [[numbered(id_) for id_ in range(at, at + CHUNK)] for at in range(1, 8 * CHUNK, CHUNK)]
        id_, begin, end, attributes = chunks[5][3]
        chunks[5][3] = id_, begin, end, attributes + [(8, 5, UNSIGNED, 1)]
        chunks[6][7] = chunks[6][7][:3] + (attributes[:1],)
        made_trace.write(path, chunks, ["address", "data", "note"])
        self.expect_transactions(path)
        text = self.convert("scv", 4, path)[0].decode()
        self.assertIn('begin_attribute (ID 0, name "address"', text)
        self.assertNotIn('name "data", type', text)
        self.assertEqual(text.count('"note" UNSIGNED = 1\n'), 1)

    def test_attributes_that_differ_in_each_transaction(self):
        """A transaction can have several attributes of one name, class and type."""
        path = os.path.join(self.folder.name, "different.ftr")
        rng = random.Random(1)
        others = [(tag, name, UNSIGNED, tag * name) for tag in (7, 8, 9) for name in range(4, 20)]
        others += [(tag, name, STRING, name) for tag, name, _, _ in others]
        chunks = [[(id_, id_ * 10, id_ * 10 + 5, [(7, 3, UNSIGNED, id_)] + [
            rng.choice(others[:4 + id_ // 40]) for _ in range(rng.choice((0, 1, 2, 2, 2, 60)))])
            for id_ in range(at, at + CHUNK)] for at in range(1, 60 * CHUNK, CHUNK)]
        made_trace.write(path, chunks, ["always", *(f"other {number}" for number in range(4, 20))])
        self.expect_transactions(path)
        text = self.convert("scv", 4, path)[0].decode()
        self.assertEqual(re.findall(r'^(?:begin|end)_attribute \(ID \d+, name "(.*)", type', text, re.MULTILINE), ["always"])

    def test_chunks_that_overlap_in_a_small_budget(self):
        """The prepared bytes, of any size, are in a temporary file for some time."""
        path = os.path.join(self.folder.name, "overlapping.ftr")
        made_trace.write(path, [[(id_, 10 * id_, 10 * id_ + 5, [(7, 3, STRING, 4 + id_ % 7)])
                                 for id_ in range(1 + at, OVERLAPPING + 1, 40)] for at in range(40)],
                         ["note", *[(401 + 3 * i) * "y" for i in range(7)]])
        for form in FORMATS:
            output, messages, status = self.expect_equal(form, path, "--memory", "8M")
            self.assertEqual((messages, status), (b"", 0))
            self.assertTrue(output == self.convert(form, 1, path)[0], form)

    def test_times_out_of_range(self):
        """A time that SCV cannot express is an error if its transaction was written before the output failed."""
        path = os.path.join(self.folder.name, "late.ftr")
        for at in range(44, 76, 2):
            chunks = [[numbered(id_) for id_ in range(first, first + CHUNK)]
                      for first in range(1, 100 * CHUNK, CHUNK)]
            chunks[at][-1] = (*chunks[at][-1][:2], 1 << 63, chunks[at][-1][3])
            made_trace.write(path, chunks, ["address", "data"], time_scale=-11)
            failed = set()
            for threads in ("1", "2", "4"):
                done = subprocess.run([FTR, "convert", "--output-format", "scv", "-o", "-", "-j", threads, path],
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limit_output,
                                      restore_signals=False)
                failed.add((done.stdout, done.stderr, done.returncode))
            self.assertEqual(len(failed), 1, (at, failed))
            self.assertIn(b"could not be written", done.stderr)
        _, messages, status = self.expect_equal("scv", path)
        self.assertEqual((messages.decode(), status),
                         ("ftr: stdout: a time exceeds 64 bits in the unit it is written in\n", 2))

    def test_damaged_files(self):
        found = 0
        path = os.path.join(self.folder.name, "damaged.ftr")
        for number in range(DAMAGED):
            rng = random.Random(number)
            made_trace.write_damaged(path, rng.choice(self.traces), rng, is_cut=number % 4 == 0)
            for form in FORMATS:
                found += self.expect_equal(form, path)[2] != 0
        self.assertGreater(found, DAMAGED)


if __name__ == "__main__":
    FTR, WORKLOADS = map(os.path.abspath, sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
