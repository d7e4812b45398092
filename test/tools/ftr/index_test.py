#!/usr/bin/python3
"""Checks the index beside a trace: an independent decoder compares it with the trace, and commands give the same answers
with and without it.

    index_test.py FTR HAS_SQL
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import unittest

import cbor2

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "support"))
import index_decode  # noqa: E402
from made_trace import endless, item, packed  # noqa: E402

FTR = ""
HAS_SQL = False


def write_trace(path, seed, chunks, compressed):
    """Writes a trace of two streams with random ids, some of them twice, and relations; returns the transactions as
    (id, stream, begin) and the relations as (from, to)."""
    rng = random.Random(seed)
    parts = [item(6, cbor2.dumps([-12, item(1, 1700000000)])),
             packed(8, [], cbor2.dumps(dict(enumerate(["top.a", "top.b", "k", "g", "next"]))), compressed),
             item(10, endless([item(16, [1, 0, 2]), item(17, [2, 3, 1]), item(16, [3, 1, 2]), item(17, [4, 3, 3])]))]
    transactions, relations, number, stream_of = [], [], 1, {}
    for chunk in range(chunks):
        stream = rng.choice((1, 3))
        body = []
        for _ in range(rng.choice((1, 5, 40))):
            number += rng.choice((1, 2, 3, 70000)) if rng.random() < 0.05 else 1
            tx = rng.choice(transactions)[0] if transactions and rng.random() < 0.01 else number
            body.append([item(6, [tx, stream + 1, chunk * 10, chunk * 10 + 7])])
            transactions.append((tx, stream, chunk * 10))
            stream_of.setdefault(tx, stream)
            if rng.random() < 0.3:
                relations.append((rng.choice((transactions[0][0], tx)), rng.choice(transactions[-9:])[0]))
        parts.append(packed(12, [stream, chunk * 10, chunk * 10 + 7], endless(body), compressed))
    for at in range(0, len(relations), 50):
        parts.append(packed(14, [], endless([[4, start, end, stream_of[start], stream_of[end]]
                                             for start, end in relations[at:at + 50]]), compressed))
    with open(path, "wb") as file:
        file.write(b"\xd9\xd9\xf7" + endless(parts))
    return transactions, relations


class Index(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.trace = os.path.join(folder.name, "run.ftr")

    def run_ftr(self, *arguments, status=0):
        done = subprocess.run([FTR, *arguments], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout

    def differences(self):
        with open(self.trace, "rb") as trace, open(self.trace + ".idx", "rb") as index:
            return index_decode.differences(trace.read(), index.read())

    def test_index_describes_the_trace(self):
        for seed, chunks in enumerate((0, 1, 30, 1023, 5000)):
            for jobs in ("1", "3"):
                write_trace(self.trace, seed, chunks, seed % 2 == 0)
                self.run_ftr("index", "--force", "-j", jobs, self.trace)
                self.assertEqual(self.differences(), [])

    def test_cat_finds_the_same_transactions(self):
        transactions, relations = write_trace(self.trace, 7, 300, True)
        for with_index in (False, True):
            for tx, stream, begin in random.Random(1).sample(transactions, 20):
                found = json.loads(self.run_ftr("cat", "--json", self.trace, str(tx)))
                first = next(one for one in transactions if one[0] == tx)
                self.assertEqual((found["id"], found["stream"], found["begin"]),
                                 (tx, "top.a" if first[1] == 1 else "top.b", first[2]))
                self.assertEqual([one.get("to", one.get("from")) for one in found["relations"]],
                                 [end if start == tx else start for start, end in relations if tx in (start, end)])
            self.run_ftr("cat", self.trace, str(max(transactions)[0] + 1), status=1)
            if not with_index:
                self.run_ftr("index", self.trace)

    def test_sql_finds_the_same_transactions(self):
        if not HAS_SQL:
            self.skipTest("ftr is built without SQLite")
        transactions, relations = write_trace(self.trace, 8, 300, True)
        for with_index in (False, True):
            for tx, _, _ in random.Random(2).sample(transactions, 8):
                rows = self.run_ftr("sql", "--csv", "--no-header", self.trace,
                                    f"SELECT stream_id, begin FROM tx WHERE id = {tx}").split()
                self.assertEqual(sorted(rows), sorted(f"{stream},{begin}" for one, stream, begin in transactions
                                                      if one == tx))
                rows = self.run_ftr("sql", "--csv", "--no-header", self.trace,
                                    f"SELECT from_tx FROM relation WHERE to_tx = {tx}").split()
                self.assertEqual(sorted(rows), sorted(str(start) for start, end in relations if end == tx))
            if not with_index:
                self.run_ftr("index", self.trace)

    def test_index_is_used_within_little_memory(self):
        transactions, _ = write_trace(self.trace, 9, 2000, True)
        self.run_ftr("index", "--memory", "1M", self.trace)
        self.assertEqual(self.differences(), [])
        self.run_ftr("index", "--check", "--memory", "1M", self.trace)
        self.run_ftr("cat", "--memory", "1M", self.trace, str(transactions[-1][0]))

    def test_killed_command_leaves_no_wrong_index(self):
        write_trace(self.trace, 10, 3000, True)
        for delay in range(12):
            process = subprocess.Popen([FTR, "index", "--force", "--quiet", self.trace])
            try:
                process.wait(delay * 0.004)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
            if os.path.exists(self.trace + ".idx"):
                self.assertEqual(self.differences(), [])
        self.run_ftr("index", "--force", self.trace)
        self.assertEqual(sorted(os.listdir(os.path.dirname(self.trace))), ["run.ftr", "run.ftr.idx"])

    def test_folder_that_cannot_be_written(self):
        write_trace(self.trace, 11, 30, True)
        os.mkdir(self.trace + ".idx")
        self.run_ftr("index", self.trace, status=2)
        self.run_ftr("cat", self.trace, "2")


if __name__ == "__main__":
    FTR = os.path.abspath(sys.argv[1])
    HAS_SQL = sys.argv[2] == "1"
    unittest.main(argv=sys.argv[:1])
