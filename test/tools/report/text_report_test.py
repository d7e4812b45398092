#!/usr/bin/python3
"""Compares `ftr report --text` and `ftr stats --histogram` with a second implementation.

    text_report_test.py FTR MAKE_REPORT_TRACE
"""

import collections
import decimal
import os
import re
import subprocess
import sys
import tempfile
import unittest

from report_model import Model, percentile

FTR = MAKER = None
UNITS = {"s": 0, "ms": -3, "us": -6, "ns": -9, "ps": -12, "fs": -15}
TIME = r"(\d+(?:\.\d+)?) (s|ms|us|ns|ps|fs)"
HEIGHTS = " ▁▂▃▄▅▆▇█"


def ftr(*arguments):
    return subprocess.run([FTR, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False, text=True)


def ticks(number, unit):
    """A printed time in ps."""
    return int(decimal.Decimal(number).scaleb(UNITS[unit] + 12))


class Text(unittest.TestCase):
    """Traces with families, with many alike, with hostile names, and without transactions."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.paths = {}
        for shape, count in (("families", 500), ("plain", 3000), ("hostile", 20), ("plain", 0),
                             ("hops", 500)):
            path = os.path.join(cls.scratch.name, f"{shape}{count}.ftr")
            subprocess.run([MAKER, shape, str(count), path], check=True)
            cls.paths[f"{shape}{count}"] = path

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def text(self, name):
        done = ftr("report", "--text", self.paths[name])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.splitlines()

    def test_lines(self):
        for name in self.paths:
            lines = self.text(name)
            self.assertLessEqual(len(lines), 40)
            self.assertFalse(any(ord(c) < 32 for line in lines for c in line))
            model = Model(self.paths[name])
            self.assertIn(f" {sum(not t.unfinished for t in model.txs)} transactions, "
                          f"{sum(t.error for t in model.txs) - model.passed_on()} errors", lines[0])
            self.assertIn(f", {sum(t.unfinished for t in model.txs)} unfinished", lines[0])

    def test_streams(self):
        model = Model(self.paths["families500"])
        found = {}
        for line in self.text("families500"):
            row = re.match(rf" *(\d+) +(\d+\.\d) %  ([{HEIGHTS}]+)  (top\S+)$", line)
            if row:
                found[row[4]] = (int(row[1]), row[2], row[3].rstrip())
        self.assertEqual(set(found), set(model.of_stream))
        first = model.first
        for stream, (count, busy, bars) in found.items():
            figures = model.figures(model.of_stream[stream])
            self.assertEqual(count, figures["count"])
            self.assertAlmostEqual(float(busy), 100 * figures["busy"] / (model.last - first),
                                   delta=0.3)
            self.assertIn("█", bars)

    def test_generators(self):
        model = Model(self.paths["families500"])
        seen = 0
        for line in self.text("families500"):
            row = re.match(rf" *(\d+) +(\d+) +{TIME} +{TIME} +{TIME}  ([{HEIGHTS}]+)  (top.*)$",
                           line)
            if not row:
                continue
            seen += 1
            stream, generator = row[10].rsplit(".", 1)
            latencies = sorted(t.latency for t in model.of[stream, generator] if not t.unfinished)
            self.assertEqual(int(row[1]), len(latencies))
            self.assertEqual(int(row[2]), sum(t.error for t in model.of[stream, generator]))
            self.assertEqual([ticks(row[3], row[4]), ticks(row[5], row[6]), ticks(row[7], row[8])],
                             [percentile(latencies, 50), percentile(latencies, 99), latencies[-1]])
        self.assertEqual(seen, 8)

    def test_generators_alike_are_in_order_of_stream(self):
        log = os.path.join(self.scratch.name, "alike.txlog")
        path = os.path.join(self.scratch.name, "alike.ftr")
        with open(log, "w", encoding="ascii") as text:
            for number, name in enumerate("zma", 1):
                text.write(f'scv_tr_stream (ID {number}, name "{name}", kind "k")\n'
                           f'scv_tr_generator (ID {number + 3}, name "g", scv_tr_stream {number},\n'
                           f')\ntx_begin {number} {number + 3} 0 ns\n'
                           f'tx_end {number} {number + 3} 10 ns\n')
        self.assertEqual(ftr("convert", "--input-format", "scv", log, "-o", path).returncode, 0)
        lines = ftr("report", "--text", path).stdout.splitlines()
        self.assertEqual([line[-3:] for line in lines if line.endswith(".g") and "ns" in line],
                         ["a.g", "m.g", "z.g"])

    def test_where_the_time_goes(self):
        for name, hidden in (("families500", 2), ("hops500", 6)):
            model = Model(self.paths[name])
            flows, links, seen = model.flow(), model.links(), 0
            for line in self.text(name):
                row = re.match(r"(top.*\S) +(\d+\.\d) %  ([█▏▎▍▌▋▊▉]*) +(\d+\.\d) %  (\S.*)$", line)
                if not row:
                    continue
                seen += 1
                key = self.key(row[1], model)
                flow = flows[key]
                places = collections.Counter()
                for part, ticks, request, response in \
                        [(k, p["ticks"], p["request"], p["response"]) for k, p in flow["parts"].items()] + \
                        [(key, flow["own"], flow["own_request"], flow["own_response"])]:
                    target = links.get(part[0], (None, None))[1]
                    place = target or ("itself" if part is key else ".".join(part))
                    places[place, part] = ticks - request - response
                    places[f"{place}: request", part] = request
                    places[f"{place}: response", part] = response
                self.assertAlmostEqual(float(row[2]), 100 * flow["own"] / flow["total"], delta=0.06)
                most = max(places.values())
                self.assertIn(row[5], {place for (place, _), ticks in places.items() if ticks == most})
                self.assertAlmostEqual(float(row[4]), 100 * most / flow["total"], delta=0.06)
            self.assertEqual(seen, 6)
            self.assertIn(f"{hidden} more generators", self.text(name))

    @staticmethod
    def key(name, model):
        """The generator with a name for people, in which the middle may be missing."""
        stream, generator = re.split(r"[. ](?=[a-z]+$)", name)
        head, _, tail = stream.partition("…")
        labels = {"top.bus -> bridge": "top.bus.simple_initiator_socket_tagged_2"}
        found = [s for s in model.streams if s == labels.get(stream, stream)
                 or tail and "top.bus -> memory".startswith(head) and tail[-2:] == s[-1] + ")"]
        assert len(found) == 1, name
        return found[0], generator

    def test_errors_count_where_they_arose(self):
        model = Model(self.paths["hops500"])
        passed_on, errors = model.passed_on(), sum(tx.error for tx in model.txs)
        self.assertGreater(passed_on, 5)
        self.assertIn(f" {errors - passed_on} errors (passed on {passed_on} times)", self.text("hops500")[0])

    def test_histogram(self):
        for name in ("families500", "plain3000"):
            model = Model(self.paths[name])
            said = ftr("stats", "--histogram", self.paths[name]).stdout.splitlines()
            counts, key = {}, None
            for line in said:
                title = re.match(r" +from +to +count +share  (\S+)$", line)
                row = re.match(rf" *{TIME} +{TIME} +(\d+) +(\d+\.\d) %  ([█▏▎▍▌▋▊▉]*)$", line)
                if title:
                    key = tuple(title[1].rsplit(".", 1))
                elif row and key:
                    low, high = ticks(row[1], row[2]), ticks(row[3], row[4])
                    inside = sum(low <= t.latency <= high for t in model.of[key] if not t.unfinished)
                    self.assertEqual(int(row[5]), inside)
                    self.assertEqual(row[7] == "", inside == 0)
                    counts.setdefault(key, []).append(inside)
            self.assertEqual({k: sum(c) for k, c in counts.items()},
                             {k: n for k, t in model.of.items() if (n := sum(not tx.unfinished for tx in t))})
            self.assertTrue(all(len(c) <= 24 for c in counts.values()))

    def test_refusals(self):
        path = self.paths["plain0"]
        for arguments in (("report", "--text", "-o", "x.html", path),
                          ("report", "--text", "--diff", path, path),
                          ("stats", "--histogram", "--json", path)):
            self.assertEqual(ftr(*arguments).returncode, 2, arguments)


if __name__ == "__main__":
    FTR, MAKER = sys.argv[1:3]
    del sys.argv[1:]
    unittest.main()
