#!/usr/bin/python3
"""The table `hop`, the view `error` and the labels of links, compared with an independent program.

    sql_accesses_test.py FTR MAKE_REPORT_TRACE
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "report"))
from report_model import Model  # noqa: E402

FTR, MAKER = map(os.path.abspath, sys.argv[1:3])
COLUMNS = "access, depth, id, parent, stream, link, initiator, target, generator, begin, end, duration, address, length, response, is_error"
LABELS = {"top.bus.simple_initiator_socket_tagged_0": "top.bus -> memory (simple_initiator_socket_tagged_0)",
          "top.bus.simple_initiator_socket_tagged_1": "top.bus -> memory (simple_initiator_socket_tagged_1)",
          "top.bus.simple_initiator_socket_tagged_2": "top.bus -> bridge"}


class Accesses(unittest.TestCase):
    """A trace with chains of up to four hops."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.scratch.name, "accesses.ftr")
        subprocess.run([MAKER, "hops", "600", cls.path], check=True)
        cls.model = Model(cls.path)
        cls.parents = {child: parent for child, parent in cls.model.parents().items()
                       if parent in cls.model.by_id and child in cls.model.by_id}

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def ask(self, query, *options):
        done = subprocess.run([FTR, "sql", "--json", *options, self.path, query], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), query)
        return [tuple(json.loads(line).values()) for line in done.stdout.splitlines()]

    def chain(self, tx):
        """The access and those of the hops before it."""
        found = [tx]
        while found[-1].id in self.parents:
            found.append(self.model.by_id[self.parents[found[-1].id]])
        return found

    def hop(self, tx):
        chain = self.chain(tx)
        values = {a[1]: a[3] for a in tx.attributes}
        return (chain[-1].id, len(chain) - 1, tx.id, self.parents.get(tx.id), tx.stream, LABELS.get(tx.stream, tx.stream),
                *self.model.links()[tx.stream], tx.generator, tx.begin, tx.end, tx.latency, values["address"],
                values["length"], values["response"], int(tx.error))

    def test_hops(self):
        expected = [self.hop(tx) for tx in self.model.txs]
        self.assertGreater(max(row[1] for row in expected), 1)
        for options in ((), ("--memory", "300K")):  # with and without an index of relations
            self.assertEqual(sorted(self.ask(f"SELECT {COLUMNS} FROM hop", *options)), sorted(expected))
        self.assertEqual(sorted(self.ask(f"SELECT {COLUMNS} FROM ftr_hop('{self.path}')")), sorted(expected))

    def test_conditions(self):
        rng = random.Random(36)
        for _ in range(25):
            stream = rng.choice(self.model.streams)
            begin = rng.randrange(self.model.last)
            identity = rng.choice(self.model.txs).id
            for text, wanted in ((f"stream = '{stream}' AND begin >= {begin}", lambda t: t.stream == stream and t.begin >= begin),
                                 (f"id = {identity}", lambda t: t.id == identity),
                                 (f"end < {begin} AND generator = 'read'", lambda t: t.end < begin and t.generator == "read"),
                                 ("depth = 2", lambda t: len(self.chain(t)) == 3)):
                self.assertEqual(sorted(self.ask(f"SELECT id FROM hop WHERE {text}")),
                                 sorted((tx.id,) for tx in self.model.txs if wanted(tx)), text)

    def test_errors_are_listed_where_they_arose(self):
        children = {}
        for child, parent in self.parents.items():
            children.setdefault(parent, []).append(self.model.by_id[child])
        expected = []
        for tx in self.model.txs:
            if tx.error and not any(child.error for child in children.get(tx.id, ())):
                hop = self.hop(tx)
                expected.append((hop[0], tx.id, hop[1], tx.stream, hop[7], hop[14], sum(t.error for t in self.chain(tx)[1:])))
        self.assertGreater(sum(row[6] > 0 for row in expected), 5)
        self.assertEqual(sorted(self.ask("SELECT access, id, depth, stream, target, response, passed_on FROM error")),
                         sorted(expected))

    def test_links_of_streams_and_transactions(self):
        links = self.model.links()
        expected = [(name, LABELS.get(name, name), *links.get(name, (None, None))) for name in self.model.kinds]
        self.assertEqual(sorted(self.ask("SELECT name, link, initiator, target FROM stream")), sorted(expected))
        self.assertEqual(sorted(self.ask("SELECT DISTINCT stream, link FROM tx WHERE stream <> 'ftr.run'")),
                         sorted((name, LABELS.get(name, name)) for name in links))

    def test_a_trace_without_accesses_has_no_hops(self):
        path = os.path.join(self.scratch.name, "plain.ftr")
        subprocess.run([MAKER, "families", "20", path], check=True)
        for table in ("hop", "error"):
            done = subprocess.run([FTR, "sql", "--no-header", path, f"SELECT count(*) FROM {table}"], capture_output=True,
                                  text=True, check=True)
            self.assertEqual(done.stdout, "0\n")


if __name__ == "__main__":
    del sys.argv[1:]
    unittest.main()
