#!/usr/bin/python3
"""Compares every number of the report of a run with an independent program, with `ftr stats` and
with `ftr dump`.

    run_report_test.py FTR MAKE_REPORT_TRACE [TRACE...]

Records traces, and uses the given ones as well. For a trace with more transactions than the report
shows whole, the shown ones are compared, and the reasons why they are shown.
"""

import fcntl
import json
import os
import subprocess
import sys
import tempfile
import unittest

from report_data import Data
from report_model import Model

FTR = FOLDER = None
#: shape, number of transactions, options of the report
SHAPES = (("families", 1500, ()), ("plain", 14000, ("--budget", "500000")), ("slot", 34000, ()),
          ("hostile", 40, ()), ("families", 4000, ("--budget", "500k")), ("plain", 0, ()),
          ("plain", 1, ()), ("accesses", 3, ()), ("hops", 1200, ()))
CLASSES = {"begin": 0, "record": 1, "end": 2}


def ftr(*arguments):
    return subprocess.run([FTR, *arguments], stdout=subprocess.PIPE, check=False, text=True)


class Report(unittest.TestCase):
    """One trace and its report."""

    trace = None
    options = ()

    @classmethod
    def setUpClass(cls):
        path = os.path.join(FOLDER, os.path.basename(cls.trace) + ".html")
        done = ftr("report", *cls.options, "-o", path, cls.trace)
        assert done.returncode == 0, done
        cls.model, cls.data = Model(cls.trace), Data(path)
        cls.manifest = cls.data.manifest
        cls.streams = [s["name"] for s in cls.manifest["streams"]]
        cls.generators = [(cls.streams[g["stream"]], g["name"])
                          for g in cls.manifest["generators"]]

    def same(self, given, expected, names):
        for name in names:
            self.assertEqual(int(given[name]), expected[name], name)

    def test_run(self):
        run, figures = self.manifest["run"], self.model.figures(self.model.txs)
        self.assertEqual(self.manifest["time_scale"], self.model.time_scale)
        self.assertEqual(run["transactions"], figures["count"])
        self.same(run, figures, ("unfinished", "bytes", "first", "last"))
        self.assertEqual(run["errors_passed_on"], self.model.passed_on())
        self.assertEqual(run["errors"], figures["errors"] - self.model.passed_on())
        for name, value in run["attributes"]:
            self.assertIn((name, value), [(a[1], str(a[3])) for t in self.model.all
                                          if t.stream == "ftr.run" for a in t.attributes])

    def test_links(self):
        links, labels = self.model.links(), {}
        for stream in self.manifest["streams"]:
            self.assertEqual((stream.get("initiator"), stream.get("target")), links.get(stream["name"], (None, None)))
            if "link" in stream:
                labels[stream["name"]] = stream["link"]
        bus = "top.bus.simple_initiator_socket_tagged_"
        expected = {f"{bus}0": "top.bus -> memory (simple_initiator_socket_tagged_0)",
                    f"{bus}1": "top.bus -> memory (simple_initiator_socket_tagged_1)",
                    f"{bus}2": "top.bus -> bridge"}
        self.assertEqual(labels, expected if links else {})

    def test_streams(self):
        self.assertEqual(self.streams, self.model.streams)
        for stream in self.manifest["streams"]:
            figures = self.model.figures(self.model.of_stream[stream["name"]])
            self.assertEqual(stream["kind"], self.model.kinds[stream["name"]])
            self.same(stream, figures, ("count", "busy", "outstanding"))
            self.assertEqual([self.generators[g][0] for g in stream["generators"]],
                             [k[0] for k in self.model.generators if k[0] == stream["name"]])

    def test_generators(self):
        self.assertEqual(self.generators, self.model.generators)
        names = ("count", "errors", "unfinished", "bytes", "min", "mean", "p50", "p90", "p99",
                 "max", "sum", "first", "last", "busy", "outstanding")
        for key, given in zip(self.generators, self.manifest["generators"]):
            txs = self.model.of[key]
            self.same(given, self.model.figures(txs), names)
            self.assertEqual(given["errors_passed_on"], self.model.passed_on(key))
            self.assertEqual([(int(s["id"]), int(s["begin"]), int(s["latency"]))
                              for s in given["slowest"]],
                             [(t.id, t.begin, t.latency) for t in self.model.slowest(key)])
            buckets = self.data.columns(given["histogram"])
            self.assertEqual({(a, b): n for a, b, n in
                              zip(buckets["from"], buckets["to"], buckets["count"])},
                             self.model.histogram(t.latency for t in txs if not t.unfinished))

    def test_stats(self):
        stats = json.loads(ftr("stats", "--json", self.trace).stdout)
        given = {k: g for k, g in zip(self.generators, self.manifest["generators"]) if g["count"]}
        self.assertEqual(set(given), {(s["stream"], s["generator"]) for s in stats["generators"]})
        names = ("count", "min", "mean", "p50", "p90", "p99", "max", "outstanding", "errors",
                 "unfinished", "bytes", "busy", "first", "last")
        for row in stats["generators"]:
            self.same(given[row["stream"], row["generator"]], row, names)
            for name in ("throughput", "bandwidth"):
                self.assertEqual(given[row["stream"], row["generator"]][name], row[name])

    def slots(self, given):
        first, count = self.model.slots(given["shift"])
        self.assertEqual((int(given["first"]), given["count"]), (first, count))
        self.assertEqual(given["omitted"], 0)

    def test_bins(self):
        bins = self.manifest["bins"]
        self.slots(bins)
        self.assertEqual({self.streams[s["stream"]] for s in bins["streams"]},
                         set(self.model.of_stream))
        for stream in bins["streams"]:
            txs = self.model.of_stream[self.streams[stream["stream"]]]
            self.assertEqual(self.data.columns(stream), self.model.bins(txs, bins["shift"]))

    def test_series(self):
        series = self.manifest["series"]
        self.slots(series)
        self.assertEqual({self.generators[g["generator"]] for g in series["generators"]},
                         {k for k in self.model.of if self.model.of[k]})
        for generator in series["generators"]:
            txs = self.model.of[self.generators[generator["generator"]]]
            self.assertEqual(self.data.columns(generator),
                             self.model.series(txs, series["shift"]))

    def test_addresses(self):
        accesses = self.model.accesses()
        maps = self.manifest["addresses"]
        self.assertEqual({(self.streams[m["stream"]], m["attribute"]) for m in maps},
                         set(accesses))
        self.assertEqual(self.manifest["addresses_omitted"], 0)
        for given in maps:
            found = accesses[self.streams[given["stream"]], given["attribute"]]
            pages, shift = self.data.column(given["pages"]), given["page_shift"]
            first, columns = self.model.slots(given["shift"])
            self.assertEqual((int(given["first"]), given["columns"]), (first, columns))
            self.assertEqual(pages, sorted({a >> shift for _, a in found}))
            self.assertLessEqual(len(pages), 256)
            if any(a % 64 for _, a in found) and shift > 0:
                self.assertTrue(shift <= 6 and not any(p << shift & 1 for p in pages)
                                or len({a >> shift - 1 for _, a in found}) > 256)
            counts = [0] * len(pages) * columns
            row = {page: i for i, page in enumerate(pages)}
            for begin, address in found:
                counts[row[address >> shift] * columns + (begin >> given["shift"]) - first] += 1
            self.assertEqual(self.data.column(given["counts"]), counts)

    def test_flow(self):
        given = {self.generators[f["generator"]]: f for f in self.manifest["flow"]}
        expected = self.model.flow()
        self.assertEqual(set(given), set(expected))
        for key, flow in given.items():
            self.same(flow, expected[key], ("parents", "total", "own", "own_request", "own_response"))
            names = ("children", "clipped", "ticks", "request", "response")
            parts = {k: [p[n] for n in names] for k, p in expected[key]["parts"].items() if p["ticks"] or p["children"]}
            self.assertEqual({self.generators[p["generator"]]: [int(p[n]) for n in names] for p in flow["parts"]}, parts)
            self.assertEqual(int(flow["own"]) + sum(int(p["ticks"]) for p in flow["parts"]),
                             int(flow["total"]))

    def shown(self, tx):
        """A transaction of the report, as the model has it."""
        types = ("BOOLEAN", "ENUMERATION", "INTEGER", "UNSIGNED", "FLOATING_POINT_NUMBER",
                 "BIT_VECTOR", "LOGIC_VECTOR", "FIXED_POINT_INTEGER",
                 "UNSIGNED_FIXED_POINT_INTEGER", "POINTER", "STRING", "TIME", "NONE")
        key = self.generators[tx["generator"]]
        return (tx["id"], tx["begin"], tx["end"], key,
                [(c, n, types[t], v) for c, n, t, v in tx["attributes"]])

    @staticmethod
    def text(value):
        """A value as the page gets it: texts are cut, and have no invalid bytes."""
        if not isinstance(value, str):
            return value
        raw = value.encode("utf-8", "surrogateescape")
        if len(raw) > 16384:
            size = 16384
            while raw[size] & 0xc0 == 0x80:
                size -= 1
            raw = raw[:size] + "…".encode()
        return raw.decode("utf-8", "replace")

    def expected(self, tx):
        return (tx.id, tx.begin, tx.end, tx.key,
                [(CLASSES.get(c, c), self.text(n), t, self.text(v))
                 for c, n, t, v in tx.attributes])

    def test_transactions(self):
        shown = [self.shown(tx) for tx in self.data.transactions()]
        kept = {tx[0] for tx in shown}
        self.assertEqual([tx[1] for tx in shown], sorted(tx[1] for tx in shown))
        self.assertEqual(sorted(shown),
                         sorted(self.expected(t) for t in self.model.txs if t.id in kept))
        given = self.manifest["transactions"]
        self.assertEqual((given["count"], given["of"]), (len(shown), len(self.model.txs)))
        self.assertEqual(given["complete"], len(shown) == len(self.model.txs))
        self.assertEqual(given["complete"], not self.options)

    def test_relations(self):
        kept = set(self.data.column(self.manifest["transactions"]["id"]))
        self.assertEqual(sorted(self.data.relations()),
                         sorted((n, a, b) for n, a, b in self.model.relations
                                if a in kept and b in kept))

    def test_selection(self):
        flags = {tx["id"]: tx["flags"] for tx in self.data.transactions()}
        slowest = {t.id for k in self.model.generators for t in self.model.slowest(k)}
        self.assertEqual({i for i, f in flags.items() if f & 4}, slowest)
        for tx in self.model.txs:
            if tx.id in flags:
                self.assertEqual(flags[tx.id] & 3, tx.error + 2 * tx.unfinished)
        for key in self.model.generators:
            errors = [t.id for t in self.model.of[key] if t.error][:500]
            self.assertLessEqual(set(errors), set(flags))
        parents = self.model.parents()
        for child, parent in parents.items():
            both = child in self.model.by_id and parent in self.model.by_id
            if both and parent in slowest and \
                    self.model.by_id[parent].begin <= self.model.by_id[child].begin <= \
                    self.model.by_id[parent].end:
                self.assertIn(child, flags)
            if both and child in slowest and self.model.by_id[parent].begin <= \
                    self.model.by_id[child].begin <= self.model.by_id[parent].end:
                self.assertIn(parent, flags)

    def test_size(self):
        limit = {"500000": 500000, "500k": 500 * 1024}[self.options[1]] if self.options else 10000000
        self.assertLessEqual(self.data.size, limit)
        self.assertNotIn("<", self.data.text)


class Crashed(unittest.TestCase):
    """A run that was not closed: its losses are unknown, and its journal may have more transactions."""

    maker = None

    def setUp(self):
        self.trace, self.journal = os.path.join(FOLDER, "crashed.ftr"), os.path.join(FOLDER, "crashed.ftr.journal")
        subprocess.run([self.maker, "plain", "100", self.trace], check=True)
        with open(self.journal, "wb"):
            pass

    def tearDown(self):
        os.remove(self.journal)

    def run_of(self, *options, key=None):
        path = os.path.join(FOLDER, "crashed.html")
        ftr("report", *options, "--force", "-o", path, self.trace)
        manifest = Data(path).manifest
        return (manifest[key] if key else manifest)["run"]

    def test_journal_of_a_crashed_run(self):
        self.assertEqual(self.run_of()["journal"], os.path.realpath(self.journal))

    def test_journals_of_both_sides_of_a_difference(self):
        other = os.path.join(FOLDER, "other.ftr")
        subprocess.run([self.maker, "plain", "100", other], check=True)
        self.assertNotIn("journal", self.run_of("--diff", other, key="first"))
        self.assertEqual(self.run_of("--diff", other, key="second")["journal"], os.path.realpath(self.journal))

    def test_journal_that_is_in_use(self):
        with open(self.journal, "r+b") as file:
            fcntl.lockf(file, fcntl.LOCK_EX)
            self.assertNotIn("journal", self.run_of())

    def test_text_tells_losses_only_of_a_closed_recording(self):
        self.assertIn(" 0 lost, ", ftr("report", "--text", self.trace).stdout)
        os.truncate(self.trace, os.path.getsize(self.trace) - 1)
        text = ftr("report", "--text", self.trace).stdout
        self.assertIn(", losses unknown, ", text)
        self.assertNotIn(" lost", text.splitlines()[0])


def main():
    global FTR, FOLDER
    FTR, maker, traces = sys.argv[1], sys.argv[2], [(t, ()) for t in sys.argv[3:]]
    suite = unittest.TestSuite()
    with tempfile.TemporaryDirectory() as FOLDER:
        for i, (shape, count, options) in enumerate(SHAPES):
            path = os.path.join(FOLDER, f"{shape}{i}.ftr")
            subprocess.run([maker, shape, str(count), path], check=True)
            traces.append((path, options))
        for trace, options in traces:
            case = type(os.path.basename(trace), (Report,), {"trace": trace, "options": options})
            suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(case))
        Crashed.maker = maker
        suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(Crashed))
        return 0 if unittest.TextTestRunner().run(suite).wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
