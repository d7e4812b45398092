#!/usr/bin/python3
"""Compares the figures of TLM accesses with those of an independent decoder: errors, attributes of type TIME,
rules about them, parts by the values of an attribute, and the matrix of initiators and targets.

    accesses_test.py FTR MAKE_ACCESSES
"""

import collections
import csv
import io
import json
import os
import random
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from figures import DECODER, figures, named_times, overlap, read_summary, read_trace  # noqa: E402
from scratch_test import ScratchTest  # noqa: E402

FTR, MAKE_ACCESSES = sys.argv[1:3]
ERRORS = ["GENERIC_ERROR", "ADDRESS_ERROR", "COMMAND_ERROR", "BURST_ERROR", "BYTE_ENABLE_ERROR"]
PERCENTILES = (50, 90, 99)


def run(*arguments, status=0):
    result = subprocess.run([FTR, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert result.returncode == status, (arguments, result.returncode, result.stdout, result.stderr)
    return result


def record(path, seed, *settings):
    subprocess.run([MAKE_ACCESSES, path, str(seed), *settings], check=True, capture_output=True)


def percentile(values, percent):
    values = sorted(values)
    return values[max(0, -(-percent * len(values) // 100) - 1)]


def mean(values):
    return (2 * sum(values) + len(values)) // (2 * len(values))


def times_row(values):
    """The figures that `ftr stats` prints of latencies or of an attribute."""
    row = {"count": len(values), "min": min(values), "mean": mean(values), "max": max(values)}
    return {**row, **{f"p{percent}": percentile(values, percent) for percent in PERCENTILES}}


def values_of(distribution):
    return [value for value, count in distribution["bins"].items() for _ in range(count)]


def decode(path):
    said = subprocess.run([sys.executable, DECODER, "json", path], capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in said.splitlines()]


class Accesses(ScratchTest):
    def generators(self, path):
        """Returns {STREAM.GENERATOR: transactions}."""
        return {f"{s}.{g}": rows for s, of in read_trace(path)[0].items() for g, rows in of.items()}

    def stats(self, path, *options, status=0):
        """Returns the rows that `ftr stats --json` prints: {STREAM.GENERATOR: row}."""
        (table,) = [json.loads(line) for line in run("stats", "--json", *options, path, status=status).stdout.splitlines()]
        return {f"{row['stream']}.{row['generator']}": row for row in table["generators"]}

    def test_summaries_equal_those_of_an_independent_decoder(self):
        for seed in range(7):
            record("run.ftr", seed, f"count={seed * 90}")
            run("summary", "run.ftr", "-o", "run.fts")
            (found,) = read_summary("run.fts").values()
            streams, _ = read_trace("run.ftr")
            expected = self.generators("run.ftr")
            self.assertEqual(set(found["generators"]), set(expected))
            for name, transactions in expected.items():
                row = found["generators"][name]
                self.assertEqual(row.pop("times", {}),
                                 {k.encode(): v for k, v in named_times(transactions).items()}, name)
                self.assertEqual(row, figures(transactions, found["shift"]), name)
            for name, of in streams.items():
                every = [(tx["begin"], tx["end"]) for rows in of.values() for tx in rows if not tx["is_event"]]
                outstanding, busy = overlap(every)
                self.assertEqual((found["streams"][name]["outstanding"], found["streams"][name]["busy"]),
                                 (outstanding, busy), name)
            if seed > 2:  # the queue has more names than a summary keeps
                self.assertEqual(set(found["sections"]), {"latency", "series", "times"})
                names = {tx_name for tx in expected["top.queue.pop"] for tx_name in tx["times"]}
                self.assertGreater(len(names), 2)

    def test_a_summary_of_the_recorder_is_that_of_its_trace(self):
        trace = os.path.join(os.getcwd(), "run.ftr")
        for seed in range(5):
            Path("live.fts").unlink(missing_ok=True)
            record(trace, seed, f"count={seed * 400}", "summary=live.fts")
            run("summary", trace, "-o", "after.fts")
            self.assertEqual(Path("live.fts").read_bytes(), Path("after.fts").read_bytes(), seed)

    def test_the_summary_of_a_killed_run_has_the_times(self):
        trace = os.path.join(os.getcwd(), "run.ftr")
        subprocess.run([MAKE_ACCESSES, trace, "5", "count=3000", "summary=live.fts", "crash=1"], check=False)
        run("recover", trace, "-o", "whole.ftr")
        run("summary", "live.fts", "-o", "done.fts")
        (found,) = read_summary("done.fts").values()
        for name, transactions in self.generators("whole.ftr").items():
            self.assertEqual(found["generators"][name].get("times", {}),
                             {k.encode(): v for k, v in named_times(transactions).items()}, name)

    def test_each_error_name_of_a_response_is_an_error(self):
        for response in [*ERRORS, "INCOMPLETE"]:
            record("run.ftr", 1, "extra=1", f"response={response}")
            rows = self.stats("run.ftr")
            for name, transactions in self.generators("run.ftr").items():
                responses = [tx for tx in transactions if tx["kind"].startswith("TLM")]
                if not responses or name.endswith(".events"):
                    continue
                row = rows[name]
                self.assertGreater(row["count"], 1)
                if name == "cpu.s/debug.read":  # an incomplete debug access is no error
                    self.assertEqual(row["errors"], 0 if response == "INCOMPLETE" else row["count"])
                else:
                    self.assertEqual(row["errors"], sum(tx["error"] for tx in transactions), (name, response))
                    self.assertGreaterEqual(row["errors"], row["count"], (name, response))
        run("stats", "--rule", "bus.* errors == 0", "run.ftr", status=1)

    def test_other_texts_of_a_response_are_no_errors(self):
        for response in ("OK", "ok", "", "ERROR", "NO_ADDRESS_ERROR", "ADDRESS_ERROR ", "address_error", "PARTLY_INCOMPLETE"):
            record("run.ftr", 1, "extra=0", f"response={response}" if response else "response= ")
            self.assertEqual({row["errors"] for row in self.stats("run.ftr").values()}, {0}, response)

    def test_errors_and_times_of_several_threads_are_those_of_one(self):
        record("run.ftr", 3, "count=20000")
        expected = run("stats", "--json", "--phases", "--by", "response", "-j", 1, "run.ftr").stdout
        for threads in (2, 5):
            self.assertEqual(run("stats", "--json", "--phases", "--by", "response", "-j", threads, "run.ftr").stdout,
                             expected)

    def test_phases_are_rows_below_their_generator(self):
        for seed in range(4):
            record("run.ftr", seed, "count=500")
            generators = self.generators("run.ftr")
            for name, row in self.stats("run.ftr", "--phases").items():
                expected = named_times(generators[name])
                self.assertEqual({of.pop("time"): of for of in row["times"]},
                                 {time: times_row(values_of(of)) for time, of in expected.items()}, name)
            rows = list(csv.DictReader(io.StringIO(run("stats", "--csv", "--phases", "run.ftr").stdout)))
            (request,) = [r for r in rows if (r["stream"], r["generator"], r["time"]) == ("dma.s", "read", "request_time")]
            values = values_of(named_times(generators["dma.s.read"])["request_time"])
            self.assertEqual((request["count"], request["max"], request["p99"], request["errors"]),
                             (str(len(values)), str(max(values)), str(percentile(values, 99)), ""))
            text = run("stats", "--phases", "--stream", "dma.s", "--generator", "read", "run.ftr").stdout
            self.assertRegex(text, r"(?m)^.* latency +dma\.s\.read\n.* request_time +dma\.s\.read\n"
                                   r".* response_time +dma\.s\.read$")

    def parts_of(self, path, attribute):
        """Returns {STREAM.GENERATOR: {value: transactions}}; the value None: without the attribute."""
        values = {}
        for line in decode(path):
            if line["record"] == "transaction":
                found = [value for _, name, _, value in line["attributes"] if name == attribute]
                values[line["id"]] = found[0] if found else None
        out = {}
        for name, transactions in self.generators(path).items():
            parts = collections.defaultdict(list)
            for tx in transactions:
                parts[values[tx["id"]]].append(tx)
            out[name] = parts
        return out

    def test_parts_have_the_figures_of_their_transactions(self):
        for seed, attribute in enumerate(("length", "address", "response", "delay", "unfinished")):
            record("run.ftr", seed, "count=600")
            expected = self.parts_of("run.ftr", attribute)
            for name, row in self.stats("run.ftr", "--by", attribute).items():
                found = {part["value"]: part for part in row["parts"]}
                self.assertEqual(set(found), set(expected[name]), (name, attribute))
                self.assertEqual(len(found), len(row["parts"]))
                for value, transactions in expected[name].items():
                    ended = [tx["end"] - tx["begin"] for tx in transactions if not tx["unfinished"]]
                    part = found[value]
                    outstanding, busy = overlap((tx["begin"], tx["end"]) for tx in transactions)
                    self.assertEqual(part["count"], len(ended))
                    self.assertEqual((part["outstanding"], part["busy"]), (outstanding, busy))
                    self.assertEqual(part["errors"], sum(tx["error"] for tx in transactions), (name, value))
                    self.assertEqual(part["unfinished"], len(transactions) - len(ended))
                    self.assertEqual(part["bytes"], sum(tx["bytes"] for tx in transactions if not tx["unfinished"]))
                    if ended:
                        self.assertEqual({k: part[k] for k in times_row(ended)}, times_row(ended))
                self.assertEqual(sum(part["count"] for part in row["parts"]), row["count"])

    def test_values_beyond_the_limit_share_a_part(self):
        record("run.ftr", 2, "count=3000", "extra=0", "values=3000")
        result = run("stats", "--json", "--by", "address", "--stream", "cpu.s", "run.ftr")
        self.assertIn("--by 'address': cpu.s.read has more than 256 values", result.stderr)
        expected = self.parts_of("run.ftr", "address")["cpu.s.read"]
        row = {r["generator"]: r for r in json.loads(result.stdout)["generators"]}["read"]
        own = [part for part in row["parts"] if part["value"] is not None]
        (rest,) = [part for part in row["parts"] if part.get("is_rest")]
        self.assertEqual(len(own), 256)
        self.assertEqual([part["value"] for part in own], sorted(part["value"] for part in own))
        for part in own:
            self.assertEqual(part["count"], sum(not tx["unfinished"] for tx in expected[part["value"]]))
        self.assertEqual(rest["count"] + sum(part["count"] for part in own), row["count"])

    def test_files_are_divided_together(self):
        for seed in (1, 2):
            record(f"{seed}.ftr", seed, "count=300")
        lines = run("stats", "--json", "--by", "length", "1.ftr", "2.ftr").stdout.splitlines()
        tables = [{f"{r['stream']}.{r['generator']}": {p["value"]: p["count"] for p in r["parts"]}
                   for r in json.loads(line)["generators"]} for line in lines]
        for name, together in tables[2].items():
            sums = collections.Counter(tables[0].get(name, {})) + collections.Counter(tables[1].get(name, {}))
            self.assertEqual({k: v for k, v in together.items() if v}, dict(sums), name)

    def test_an_attribute_that_nothing_has_is_told(self):
        record("run.ftr", 1)
        self.assertIn("--by 'lenght' matches no attribute of the transactions read; did you mean 'length'?",
                      run("stats", "--by", "lenght", "run.ftr").stderr)
        self.assertIn("excludes --by-stream", run("stats", "--by", "length", "--by-stream", "run.ftr", status=2).stderr)

    def matrix_of(self, path, chosen=lambda link: True):
        """Returns {(initiator, target): (count, bytes, ticks)} by definition: every chain of hops."""
        records = decode(path)
        ends = {}
        streams = {r["name"] for r in records if r["record"] == "stream" and r["kind"] == "TLM"}
        for r in records:
            if r["record"] == "transaction" and r["stream"] == "ftr.run":
                ends.update({name: value for _, name, _, value in r["attributes"]})
        accesses = {r["id"]: r for r in records if r["record"] == "transaction" and r["stream"] in streams
                    and not r["generator"].endswith(".events") and chosen(r["stream"])}
        parents, children = {}, collections.defaultdict(list)
        for r in records:
            if r["record"] == "relation" and r["name"] == "PARENT_CHILD" and {r["from"], r["to"]} <= set(accesses):
                parents[r["to"]] = r["from"]
                children[r["from"]].append(r["to"])

        def value(tx, name, otherwise=0):
            return next((v for _, n, _, v in tx["attributes"] if n == name), otherwise)

        def leaves(id_):
            return [leaf for child in children[id_] for leaf in leaves(child)] if children[id_] else [id_]

        cells = collections.defaultdict(lambda: [0, 0, 0])
        for id_, tx in accesses.items():
            if id_ in parents or value(tx, "unfinished", False):
                continue
            reached = set()
            for leaf in map(accesses.get, leaves(id_)):
                if value(leaf, "unfinished", False):
                    continue
                cell = (ends.get(f"initiator.{tx['stream']}", tx["stream"]),
                        ends.get(f"target.{leaf['stream']}", leaf["stream"]))
                cells[cell][1] += value(leaf, "length")
                if leaf["stream"] not in reached:
                    cells[cell][0] += 1
                    cells[cell][2] += tx["end"] - tx["begin"]
                reached.add(leaf["stream"])
        return {cell: tuple(row) for cell, row in cells.items()}

    def test_the_matrix_follows_every_chain_of_hops(self):
        for seed in range(4):
            record("run.ftr", seed, f"count={seed * 250 + 50}")
            (table,) = [json.loads(line) for line in run("stats", "--json", "--matrix", "run.ftr").stdout.splitlines()]
            found = {(row["initiator"], row["target"]): (row["count"], row["bytes"], row["time"]) for row in table["matrix"]}
            expected = self.matrix_of("run.ftr")
            self.assertEqual(found, expected, seed)
            self.assertGreaterEqual(len(found), 3)
            rows = list(csv.DictReader(io.StringIO(run("stats", "--csv", "--matrix", "run.ftr").stdout)))
            self.assertEqual({(r["initiator"], r["target"]): (int(r["count"]), int(r["bytes"]), int(r["time"])) for r in rows},
                             expected)
            (table,) = map(json.loads, run("stats", "--json", "--matrix", "--stream", "bus.*", "run.ftr").stdout.splitlines())
            self.assertEqual({(row["initiator"], row["target"]): (row["count"], row["bytes"], row["time"])
                              for row in table["matrix"]}, self.matrix_of("run.ftr", lambda link: link.startswith("bus")))
        text = run("stats", "--matrix", "run.ftr").stdout
        self.assertRegex(text, r"(?m)^count +bytes +time +part +mean +max +initiator +target$")
        self.assertRegex(text, r"(?m) dma +memory$")

    def test_a_trace_without_accesses_has_no_matrix(self):
        record("run.ftr", 1, "calls=1")
        self.assertIn("run.ftr: no TLM accesses", run("stats", "--matrix", "run.ftr", status=1).stderr)
        record("big.ftr", 1, "count=100000")
        self.assertIn("do not fit into 4 MiB", run("stats", "--matrix", "--memory", "4M", "big.ftr", status=2).stderr)
        self.assertIn("excludes --rule", run("stats", "--matrix", "--rule", "* max < 1ns", "big.ftr", status=2).stderr)

    def test_rules_test_the_attribute(self):
        random.seed(7)
        for seed in range(4):
            record("run.ftr", seed, "count=400")
            expected = {f"{name} {time}": values_of(of) for name, rows in self.generators("run.ftr").items()
                        for time, of in named_times(rows).items()}
            for name, values in random.sample(sorted(expected.items()), 5):
                metric = random.choice(["min", "mean", "max", "p50", "p99", "p99.9", "p0"])
                value = {"min": min(values), "max": max(values), "mean": sum(values) / len(values)}.get(metric)
                if value is None:
                    rank = -(-len(values) * int(float(metric[1:]) * 10) // 1000)
                    value = sorted(values)[max(0, rank - 1)]
                for limit, holds in ((value + 1, True), (value - 1, False)):
                    rule = f"{name} {metric} <= {limit:.6f} ps" if limit >= 0 else f"{name} {metric} < 0 ps"
                    result = run("stats", "--rule", rule, "run.ftr", status=0 if holds else 1)
                    self.assertEqual("fails because of" in result.stderr, not holds, rule)
                    if not holds:
                        time = name.split()[1]
                        self.assertIn(f"{time} {metric} is ", result.stderr)

    def test_a_rule_about_an_attribute_that_nothing_has_fails(self):
        record("run.ftr", 1)
        run("summary", "run.ftr", "-o", "run.fts")
        Path("rules.txt").write_text("dma.s.read reqest_time p99 <= 1 s\ncpu.s.* request_time max <= 1 s\n"
                                     "dma.s.read request_time max <= 1 s\n")
        said = run("gate", "rules.txt", "run.fts", status=1).stdout
        self.assertIn("nothing that 'dma.s.read' matches has a value of the attribute 'reqest_time'; "
                      "there are distributions of request_time, response_time", said)
        self.assertIn("nothing that 'cpu.s.*' matches has a value of the attribute 'request_time'; "
                      "there is no distribution of an attribute", said)
        self.assertIn("4 cases, 2 failed, 0 skipped", said)
        result = run("stats", "--rule", "dma.s.read reqest_time p99 <= 1 s", "run.ftr", status=1)
        self.assertIn("(there are distributions of request_time, response_time)", result.stderr)
        for rule, message in (("dma.s.read request_time errors == 0", "no 'request_time errors'|no 'errors'"),
                              ("dma.s.read request_time p99 <= 20", "a unit is expected"),
                              ("dma.s.read request_time q99 <= 20 ns", "column 25: unknown metric 'q99'")):
            self.assertRegex(run("stats", "--rule", rule, "run.ftr", status=2).stderr, message)

    def test_a_gate_compares_the_attribute_with_a_baseline(self):
        for night, settings in (("last", ()), ("same", ()), ("slow", ("slow=900",))):
            for seed in range(6):
                os.makedirs(night, exist_ok=True)
                record(f"{night}/dma-seed{seed}.ftr", seed + (100 if night == "same" else 0), "count=1000", "extra=0", *settings)
            run("summary", *sorted(map(str, Path(night).glob("*.ftr"))), "-o", f"{night}.fts")
        Path("rules.txt").write_text("dma.s.* request_time p50 <= baseline + 5 %\n"
                                     "dma.s.* response_time mean <= baseline + 5 %\n")
        run("gate", "rules.txt", "same.fts", "--baseline", "last.fts", status=0)
        said = run("gate", "rules.txt", "slow.fts", "--baseline", "last.fts", status=1).stdout
        self.assertRegex(said, r"dma\.s\.read: request_time p50 is 1\.9 ns \(median of 6 runs\), limit <= 1\.05 ns, "
                               r"baseline 1 ns \(6 runs\), p = 0\.001; ")
        self.assertNotIn("response_time mean is", said)

    def test_names_of_calls_are_answered_with_the_names_of_accesses(self):
        record("run.ftr", 1)
        record("old.ftr", 1, "calls=1")
        run("summary", "run.ftr", "-o", "run.fts")
        run("summary", "old.ftr", "-o", "old.fts")
        rules = {"dma.s_nb_timed.request max <= 1 ns": "write 'dma.s.* request_time'",
                 "dma.s_nb_timed.response count >= 1": "write 'dma.s.*'",
                 "cpu.s_bl.read max <= 1 ns": "write 'cpu.s.read'",
                 "*_bl_timed.* max <= 1 ns": "write '*.*'",
                 "dma*_timed.read max <= 1 ns": "write 'dma*.read'",
                 "cpu.s_dmi.get max <= 1 ns": "write 'cpu.s.dmi.get'",
                 "cpu.s_dbg.read, bus*_bl*.write count > 0": None,
                 "bus.out[0]_nb*.bw max <= 1 ns": "write 'bus.out[0].*'",
                 "dma.s.read trans.data_length max <= 1 ns": "an access has the attribute length",
                 "dma.s.read start_delay max <= 1 ns": "an access has the attribute delay"}
        for rule, answer in rules.items():
            if answer is None:
                continue
            Path("rules.txt").write_text(rule + "\n")
            self.assertIn(answer, run("gate", "rules.txt", "run.fts", status=1).stdout, rule)
            self.assertIn(answer, run("stats", "--rule", rule, "run.ftr", status=1).stderr, rule)
        # A list of patterns needs quotes, because it has a blank.
        rule = '"cpu.s_dbg.read, bus*_bl*.write" count > 0'
        self.assertIn("write 'cpu.s.debug.read,bus*.write'", run("stats", "--rule", rule, "run.ftr", status=1).stderr)
        for arguments, answer in ((("--where", "trans.address == 4"), "did you mean 'address'?"),
                                  (("--where", "trans.response_status == 'x'"), "did you mean 'response'?"),
                                  (("--stream", "cpu.s_bl*"), "did you mean 'cpu.s'?")):
            self.assertIn(answer, run("dump", *arguments, "run.ftr").stderr)
        # In a trace of calls, the names are right.
        run("stats", "--rule", "dma.s_nb_timed.read max >= 1 ns", "old.ftr")
        self.assertNotIn("accesses instead", run("stats", "--rule", "x_bl.read max >= 1 ns", "old.ftr", status=1).stderr)
        Path("rules.txt").write_text("dma.s.* max <= baseline + 5 %\n")
        said = run("gate", "rules.txt", "run.fts", "--baseline", "old.fts", status=1).stdout
        self.assertIn("in the baseline, which has calls instead of accesses: its stream", said)
        self.assertIn("The run has accesses instead of calls: its stream is dma.s; make a new baseline", said)

    def test_calls_have_no_distributions_of_delays(self):
        record("old.ftr", 3, "calls=1", "extra=0")
        run("summary", "old.ftr", "-o", "old.fts")
        (found,) = read_summary("old.fts").values()
        self.assertEqual(found["sections"], ["latency", "series"])

    def test_phases_make_a_summary_at_most_1_6_times_as_large(self):
        sizes = {}
        for phases in (0, 1):
            record("run.ftr", 9, "count=50000", "extra=0", f"phases={phases}")
            run("summary", "run.ftr", "-o", "run.fts")
            sizes[phases] = Path("run.fts").stat().st_size
        self.assertLessEqual(sizes[1], 1.6 * sizes[0], sizes)
        print(f"summary: {sizes[0]} bytes, with phases {sizes[1]} bytes, {sizes[1] / sizes[0]:.2f} times",
              file=sys.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
