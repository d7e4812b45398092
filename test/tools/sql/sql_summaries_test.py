#!/usr/bin/python3
"""SQL over summaries: the rows of each table, random conditions, and random questions, compared with the rows that an
independent reader finds (summary_rows.py) and with answers computed from them without SQL.

    sql_summaries_test.py FTR MAKE_RUN MAKE_ACCESSES
"""

import collections
import json
import math
import os
import random
import sqlite3
import subprocess
import sys
import unittest
from pathlib import Path

import cbor2
import lz4.block

sys.path.insert(0, str(Path(__file__).resolve().parent))
import odd_traces
from summary_rows import SummaryRows, rank
from figures import hash_of  # test/figures/runs
from scratch_test import ScratchTest

FTR, MAKE_RUN, MAKE_ACCESSES = map(os.path.abspath, sys.argv[1:4])
TABLES = ("run", "stream", "figures", "latency_bin", "slowest", "series")
QUESTIONS, CONDITIONS = 240, 400


def ftr(*arguments, status=0):
    result = subprocess.run([FTR, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert result.returncode == status, (arguments, result.returncode, result.stdout[-2000:], result.stderr)
    return result


def ask(files, *queries):
    """Returns the rows of the queries as tuples; rows of several queries follow each other."""
    script = Path("queries.sql")
    script.write_text(";\n".join(queries), encoding="utf-8")
    found = ftr("sql", "--json", "-f", script, *files).stdout
    return [tuple(json.loads(line, object_pairs_hook=lambda pairs: [value for _, value in pairs])) for line in
            found.splitlines()]


def record(number, *settings, tags=None):
    environment = {**os.environ, "FTR_TRACE": f"r{number}.ftr", "FTR_RUN_INFO": "1", "FTR_RECOVER": "0"}
    if tags is not None:
        environment["FTR_TAGS"] = tags
    subprocess.run([MAKE_RUN, "default", str(number), *settings], capture_output=True, env=environment, check=False)


def make_night():
    """Makes night.fts and odd.fts: runs of all states, with tags and without, of two time scales."""
    for i in range(9):
        record(i, *(["scale=-9"] if i == 7 else []), *(["exit=3"] if i == 4 else []),
               *(["count=23"] if i == 5 else ["count=256"] if i == 6 else []),
               tags=None if i == 8 else f"test={('boot', 'dma', 'irq')[i % 3]},seed={i * 5},mode=x{i % 2}")
    record(9, "die=15", tags="test=boot,seed=-7")
    record(10, "wide=1", "silent=top.bus0.out_bl", tags="seed=007")
    for i in range(3):
        subprocess.run([MAKE_ACCESSES, f"access{i}.ftr", str(i)], check=True, capture_output=True)
    record(11, tags="test=dma,seed=55")
    data = Path("r11.ftr").read_bytes()
    Path("r11.ftr").write_bytes(data[:len(data) * 2 // 3])
    for i in range(4):
        odd_traces.write(f"odd{i}.ftr", f"summary {i}", i % 2 == 0)
    traces = sorted(Path().glob("[ra]*.ftr"))
    ftr("summary", *traces, "absent.ftr", "-o", "night.fts", status=1)
    ftr("summary", *sorted(Path().glob("odd*.ftr")), "-o", "odd.fts", status=1)
    make_invalid_names()


def rewritten(run, change):
    """Returns a run whose record is changed, with the right hash."""
    identity, state, transactions, sections, raw_size, _, block = run
    data = lz4.block.decompress(block, uncompressed_size=raw_size) if raw_size else block
    block = change(data)
    identity = bytes(byte ^ 0x55 for byte in identity)
    return [identity, state, transactions, sections, 0, hash_of(identity, state, transactions, sections, 0, block), block]


def write_summary(path, runs):
    Path(path).write_bytes(cbor2.dumps(cbor2.CBORTag(55799, ["ftr-summary", 3, sorted(runs)])))


def make_invalid_names():
    """Makes invalid.fts: bytes that are not UTF-8 in names of generators."""
    _, _, runs = cbor2.loads(Path("night.fts").read_bytes())
    write_summary("invalid.fts", [rewritten(run, lambda data: data.replace(b"write", b"w\xff\xfete")) for run in runs])


def fraction(percent):
    """The text of a percentage as a fraction: 0.999 for 99.9, which 99.9 / 100 is not."""
    return f"{percent / 100:.6g}"


def is_equal(found, expected):
    if isinstance(found, float) or isinstance(expected, float):
        return found is not None and expected is not None and math.isclose(found, expected, rel_tol=1e-12)
    return found == expected and type(found) is type(expected)


def sortable(row):
    return tuple((value is not None, isinstance(value, str), value if value is not None else 0) for value in row)


class Summaries(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = ScratchTest()
        cls.scratch.setUp()
        make_night()
        cls.rows = SummaryRows(["night.fts"])

    @classmethod
    def tearDownClass(cls):
        cls.scratch.tearDown()

    def expect_rows(self, found, expected, what=""):
        self.assertEqual(len(found), len(expected), what)
        for i, (one, other) in enumerate(zip(found, expected)):
            self.assertTrue(len(one) == len(other) and all(map(is_equal, one, other)), f"{what}\nrow {i}: {one}\nnot {other}")

    # ---- rows ------------------------------------------------------------------------------------

    def expect_tables(self, files, rows):
        for table in TABLES:
            expected = getattr(rows, table)
            names = [name for name in (expected[0] if expected else {"run": 0}) if name[0] != "_"]
            selected = ", ".join(f'"{name}"' for name in names)
            where = " WHERE busy + coalesce(count + bytes + latency_max, 0) > 0" if table == "series" else ""
            found = ask(files, f"SELECT {selected} FROM {table}{where} ORDER BY run")
            self.expect_rows(found, [tuple(row[name] for name in names) for row in expected], f"{table} of {files}")

    def test_has_the_rows_of_the_independent_reader(self):
        self.expect_tables(["night.fts"], self.rows)
        states = {row["state"] for row in self.rows.run}
        self.assertLessEqual({"sound", "killed", "torn", "absent"}, states)
        self.assertTrue(any(row["rounded"] for row in self.rows.latency_bin))
        self.assertTrue(any(row["attribute"] for row in self.rows.latency_bin))

    def test_has_exact_numbers_of_64_bits(self):
        self.expect_tables(["odd.fts"], SummaryRows(["odd.fts"]))

    def test_replaces_bytes_that_are_not_utf_8(self):
        rows = SummaryRows(["invalid.fts"])
        self.assertTrue(any("\ufffd" in row["generator"] for row in rows.figures))
        self.expect_tables(["invalid.fts"], rows)

    def test_has_each_run_of_several_summaries_once(self):
        traces = sorted(set(Path().glob("r*.ftr")) - {Path("r11.ftr")})
        ftr("summary", *traces[:6], "-o", "first.fts")
        ftr("summary", *traces[4:], "-o", "second.fts")
        self.expect_tables(["first.fts", "second.fts"], SummaryRows(["first.fts", "second.fts"]))
        self.assertEqual(len(SummaryRows(["first.fts", "second.fts"]).run), len(traces))

    def test_has_json_of_times_and_of_the_run(self):
        found = [json.loads(line) for line in ftr("sql", "--json", "night.fts", "SELECT run, times FROM figures WHERE times "
                                                  "IS NOT NULL; SELECT run, info FROM run WHERE info IS NOT NULL").stdout
                 .splitlines()]
        times = [{"run": row["run"], "times": row["_times"]} for row in self.rows.figures if row["_times"]]
        info = [{"run": row["run"], "info": row["_info"]} for row in self.rows.run if row["_info"]]
        self.assertGreater(len(times), 3)
        self.assertGreater(len(info), 3)
        self.assertEqual(found, times + info)
        longest = ask(["night.fts"], "SELECT times ->> '$.request_time.max' FROM figures WHERE times IS NOT NULL")
        self.assertEqual(longest, [(row["times"].get("request_time", {}).get("max"),) for row in times])

    # ---- random conditions -----------------------------------------------------------------------

    def plain_database(self):
        """The rows of the independent reader in plain tables of SQLite."""
        db = sqlite3.connect(":memory:")
        for table in TABLES:
            rows = getattr(self.rows, table)
            names = [name for name in rows[0] if name[0] != "_"]
            kinds = {"run": "INTEGER", "stream": "TEXT", "generator": "TEXT", "name": "TEXT", "attribute": "TEXT"}
            columns = ", ".join(f'"{name}" {kinds.get(name, "")}' for name in names)
            db.execute(f"CREATE TABLE {table}({columns})")
            db.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(names))})",
                           [tuple(row[name] for name in names) for row in rows])
        return db

    def value(self, rng, table, column):
        value = rng.choice(getattr(self.rows, table))[column]
        if rng.random() < 0.2:
            value = rng.choice((None, 0, 1, 3, "1", "read", "", 2.0, 2.5, 1e30, -1, "top.cpu.irq", "TOP.CPU.IRQ"))
        return "NULL" if value is None else repr(value) if not isinstance(value, str) else "'{}'".format(
            value.replace("'", "''"))

    def term(self, rng, alias, table, columns):
        column = rng.choice(["run"] * 3 + [name for name in ("stream", "generator", "name", "attribute")
                                           if name in columns] * 2 + columns)
        left = f'{alias}."{column}"'
        kind = rng.random()
        if kind < 0.65:
            return f"{left} {rng.choice(('=', '=', '=', '<', '>=', '<>', 'IS'))} {self.value(rng, table, column)}"
        if kind < 0.8:
            values = ", ".join(self.value(rng, table, column) for _ in range(rng.randrange(4)))
            return f"{left} {rng.choice(('', '', 'NOT '))}IN ({values})"
        if kind < 0.9:
            return f"{left} IS {rng.choice(('', 'NOT '))}NULL"
        return f"{left} {rng.choice(('GLOB', 'LIKE'))} {rng.choice(('*', 'top*', '%read%', '%', '*s*'))!r}"

    def condition(self, rng, alias, table, columns):
        parts = [self.term(rng, alias, table, columns) for _ in range(rng.choice((1, 1, 2, 2, 3)))]
        return f"({rng.choice((' AND ', ' AND ', ' OR ')).join(parts)})"

    def query(self, rng):
        """Returns a query and whether it states the order of its rows."""
        names = [rng.choice(TABLES[:5] if i else TABLES) for i in range(rng.choice((1, 1, 2)))]
        columns = [[name for name in getattr(self.rows, table)[0] if name[0] != "_" and not name.endswith("_s")
                    and name != "mean"] for table in names]
        text = f"{names[0]} AS t0"
        if names[0] == "series":  # the independent reader has no slots without transactions
            text = "(SELECT * FROM series WHERE busy + coalesce(count + bytes + latency_max, 0) > 0) AS t0"
        if len(names) > 1:
            key = rng.choice(("run", "run", "run, stream, generator"))
            if not {"stream", "generator"} <= set(columns[0]) & set(columns[1]):
                key = "run"
            keys = " AND ".join(f"t1.{one} = t0.{one}" for one in key.split(", "))
            text += f" {rng.choice(('JOIN', 'LEFT JOIN', 'CROSS JOIN'))} {names[1]} AS t1 ON {keys}"
        where = " AND ".join(self.condition(rng, f"t{i}", names[i], columns[i]) for i in range(len(names))
                             if rng.random() < 0.85) or "1"
        group = [name for name in ("run", "stream", "generator", "attribute") if name in columns[0]]
        group = group[:rng.randrange(1, len(group) + 1)] if rng.random() < 0.7 else [rng.choice(columns[0])]
        keys = ", ".join(f't0."{name}"' for name in group)
        measured = f't{len(names) - 1}."{rng.choice(columns[-1])}"'
        if rng.random() < 0.5:
            return f"SELECT {keys}, count(*), min({measured}), max({measured}) FROM {text} WHERE {where} GROUP BY {keys}", False
        return f"SELECT {keys} FROM {text} WHERE {where} ORDER BY {keys} LIMIT {rng.choice((7, 300))}", True

    def test_conditions_and_orders_do_not_change_the_answer(self):
        plain = self.plain_database()
        rng = random.Random(39)
        with_rows = 0
        queries = [self.query(rng) for _ in range(CONDITIONS)]
        marked = [part for at, (query, _) in enumerate(queries) for part in (query, f"SELECT 'end of', {at}")]
        found = iter(ask(["night.fts"], *marked))
        for at, (query, is_ordered) in enumerate(queries):
            rows = []
            while (row := next(found)) != ("end of", at):
                rows.append(row)
            expected = plain.execute(query).fetchall()
            with_rows += bool(expected)
            if not is_ordered:
                rows, expected = sorted(rows, key=sortable), sorted(expected, key=sortable)
            self.expect_rows(rows, expected, query)
        self.assertGreater(with_rows, CONDITIONS // 3)

    # ---- random questions ------------------------------------------------------------------------

    def question_percentiles(self, rng):
        percent = rng.choice((1, 50, 90, 99, 99.9))
        runs = rng.sample(range(1, len(self.rows.run) + 1), rng.randrange(1, 8))
        bins = collections.defaultdict(collections.Counter)
        for row in self.rows.latency_bin:
            if row["attribute"] is None and row["run"] in runs:
                bins[row["stream"], row["generator"]][row["latency"]] += row["count"]
        return (f"SELECT stream, generator, percentile_disc(latency, {fraction(percent)}, count) FROM latency_bin WHERE attribute "
                f"IS NULL AND run IN ({', '.join(map(str, runs))}) GROUP BY stream, generator",
                [(*names, rank(of, str(percent))) for names, of in bins.items()], False)

    def question_means(self, rng):
        attribute = rng.choice([row["attribute"] for row in self.rows.latency_bin if row["attribute"]])
        sums = collections.defaultdict(lambda: [0, 0])
        for row in self.rows.latency_bin:
            if row["attribute"] == attribute:
                of = sums[row["run"], row["generator"]]
                of[0] += row["latency"] * row["count"]
                of[1] += row["count"]
        return (f"SELECT run, generator, 1.0 * sum(latency * count) / sum(count) FROM latency_bin WHERE attribute = "
                f"'{attribute}' GROUP BY run, generator", [(*names, of[0] / of[1]) for names, of in sums.items()], False)

    def question_tags(self, rng):
        least = rng.randrange(-10, 40)
        expected = []
        for row in self.rows.run:
            tags = dict(part.split("=") for part in (row["tags"] or "").split(",") if part)
            seed = tags.get("seed")
            if seed is not None and str(int(seed)) == seed and int(seed) >= least:
                expected.append((row["run"], tags.get("test"), int(seed), row["state"]))
        return (f"SELECT run, tag(tags, 'test'), tag(tags, 'seed'), state FROM run WHERE typeof(tag(tags, 'seed')) = "
                f"'integer' AND tag(tags, 'seed') >= {least}", expected, False)

    def question_tests(self, rng):
        state = rng.choice(("sound", "killed", "torn", "not told"))
        sums = collections.defaultdict(lambda: [0, 0, 0])
        tests = {row["run"]: row["test"] for row in self.rows.run if row["state"] == state}
        for row in self.rows.figures:
            if row["run"] in tests:
                of = sums[tests[row["run"]]]
                of[0] += row["count"]
                of[1] += row["errors"]
                of[2] = max(of[2], row["max"] or 0)
        return (f"SELECT test, sum(count), sum(figures.errors), coalesce(max(max), 0) FROM figures JOIN run USING (run) WHERE state = "
                f"'{state}' GROUP BY test", [(test, *of) for test, of in sums.items()], False)

    def question_slowest(self, rng):
        limit = rng.randrange(1, 60)
        generator = rng.choice(self.rows.figures)["generator"].replace("'", "''")
        rows = sorted((-row["duration"], row["run"], row["stream"].encode(), row["id"]) for row in self.rows.slowest
                      if row["generator"] == generator)[:limit]
        return (f"SELECT duration, run, stream, id FROM slowest WHERE generator = '{generator}' ORDER BY duration DESC, run, "
                f"stream, id LIMIT {limit}", [(-row[0], row[1], row[2].decode(), row[3]) for row in rows], True)

    def question_window(self, rng):
        row = rng.choice(self.rows.series)
        run, begin = row["run"], row["begin"]
        end = begin + row["length"] * rng.randrange(1, 20)
        busy, count = collections.Counter(), collections.Counter()
        for slot in self.rows.series:
            if slot["run"] == run and begin <= slot["begin"] < end and slot["generator"] is not None:
                busy[slot["stream"]] += slot["busy"]
                count[slot["stream"]] += slot["count"]
        return (f"SELECT stream, sum(busy), sum(count) FROM series WHERE run = {run} AND generator IS NOT NULL AND begin >= "
                f"{begin} AND begin < {end} GROUP BY stream HAVING sum(busy) + sum(count) > 0",
                [(stream, busy[stream], count[stream]) for stream in count if busy[stream] + count[stream] > 0], False)

    def question_absent(self, rng):
        stream = rng.choice(self.rows.stream)["name"]
        present = {row["run"] for row in self.rows.figures if row["stream"] == stream and row["count"] > 0}
        quoted = stream.replace("'", "''")
        return (f"SELECT run FROM run WHERE run NOT IN (SELECT run FROM figures WHERE stream = '{quoted}' AND count > 0)",
                [(row["run"],) for row in self.rows.run if row["run"] not in present], False)

    def question_limit(self, rng):
        limit = rng.choice(self.rows.latency_bin)["latency"]
        slowest = {(row["run"], row["stream"], row["generator"]): row["id"] for row in self.rows.slowest if row["number"] == 1}
        expected = [(row["run"], row["stream"], row["generator"], row["p99"],
                     slowest.get((row["run"], row["stream"], row["generator"]))) for row in self.rows.figures
                    if row["p99"] is not None and row["p99"] > limit]
        return (f"SELECT f.run, f.stream, f.generator, p99, id FROM figures AS f LEFT JOIN slowest AS s ON s.run = f.run AND "
                f"s.stream = f.stream AND s.generator = f.generator AND s.number = 1 WHERE p99 > {limit}", expected, False)

    def test_answers_random_questions(self):
        rng = random.Random(40)
        kinds = [getattr(self, name) for name in sorted(dir(self)) if name.startswith("question_")]
        questions = [kinds[i % len(kinds)](rng) for i in range(QUESTIONS)]
        marked = [part for at, (query, _, _) in enumerate(questions) for part in (query, f"SELECT 'end of', {at}")]
        found = iter(ask(["night.fts"], *marked))
        with_rows = 0
        for at, (query, expected, is_ordered) in enumerate(questions):
            rows = []
            while (row := next(found)) != ("end of", at):
                rows.append(row)
            with_rows += bool(expected)
            if not is_ordered:
                rows, expected = sorted(rows, key=sortable), sorted(expected, key=sortable)
            self.expect_rows(rows, expected, query)
        self.assertGreater(with_rows, QUESTIONS // 2)

    # ---- functions and errors --------------------------------------------------------------------

    def test_computes_weighted_percentiles(self):
        rng = random.Random(41)
        for _ in range(60):
            values = [(rng.randrange(20), rng.choice((0, 1, 1, 2, 255, 65536, 10**12))) for _ in range(rng.randrange(1, 9))]
            values.append((rng.randrange(20), 1))
            bins = collections.Counter()
            for value, weight in values:
                bins[value] += weight
            bins = {value: n for value, n in bins.items() if n}
            percent = rng.choice((0, 7, 50, 99.9, 100))
            text = ", ".join(f"({value}, {weight})" for value, weight in values)
            total = sum(bins.values())
            step = (total - 1) * percent / 100
            found = ask(["night.fts"], f"WITH v(x, n) AS (VALUES {text}) SELECT percentile_disc(x, {fraction(percent)}, n), "
                                       f"percentile_cont(x, {fraction(percent)}, n) FROM v")
            self.assertEqual(found[0][0], rank(bins, str(percent)), text)
            if total < 1000:
                elements = sorted(collections.Counter(bins).elements())
                low, part = int(step), step - int(step)
                high = elements[min(low + 1, total - 1)]
                self.assertAlmostEqual(found[0][1], elements[low] + (high - elements[low]) * part, msg=text)

    def test_refuses_wrong_weights(self):
        for weight in ("-1", "0.5", "'x'"):
            said = ftr("sql", "night.fts", f"SELECT percentile_disc(1, 0.5, {weight})", status=2).stderr
            self.assertIn("a weight is an integer from 0 on", said)
        said = ftr("sql", "night.fts", "SELECT percentile_disc(v, 0.5, 9223372036854775807) FROM "
                                       "(SELECT 1 AS v UNION ALL SELECT 2 UNION ALL SELECT 3)", status=2).stderr
        self.assertIn("exceeds 64 bits", said)

    def test_uses_the_time_scale_of_the_runs(self):
        ftr("summary", "r1.ftr", "r2.ftr", "-o", "pico.fts")
        self.assertEqual(ask(["pico.fts"], "SELECT ftr_time('2 us'), ftr_format_time(1500000)"), [(2000000, "1.5 us")])
        said = ftr("sql", "night.fts", "SELECT ftr_time('2 us')", status=2).stderr
        self.assertIn("the runs have different time scales (-", said)
        ftr("summary", "absent.ftr", "-o", "nothing.fts", status=1)
        said = ftr("sql", "nothing.fts", "SELECT ftr_time('2 us')", status=2).stderr
        self.assertIn("no run has a stream", said)

    def test_joins_a_second_summary(self):
        ftr("summary", "r1.ftr", "r2.ftr", "-o", "pico.fts")
        ftr("summary", "r1.ftr", "-o", "it's one.fts")
        found = ask(["pico.fts"], "CREATE VIRTUAL TABLE temp.before USING ftr_summary_run('it''s one.fts')",
                    "SELECT count(*) FROM run JOIN before USING (identity)", "SELECT file FROM before")
        self.assertEqual(found, [(1,), ("r1.ftr",)])

    def test_joins_a_trace(self):
        found = ask(["night.fts"], "SELECT s.id, s.begin, tx.begin, s.end, tx.end, tx.stream = s.stream AS same FROM slowest "
                                   "AS s JOIN run USING (run) JOIN ftr_tx('r1.ftr') AS tx ON tx.id = s.id WHERE file GLOB "
                                   "'*r1.ftr'")
        self.assertGreater(len(found), 50)
        self.assertTrue(all(row[1] == row[2] and row[3] == row[4] and row[5] == 1 for row in found), found)

    def test_refuses_traces_beside_summaries(self):
        for files in (("night.fts", "r1.ftr"), ("r1.ftr", "night.fts")):
            said = ftr("sql", *files, "SELECT 1", status=2).stderr
            self.assertIn("summaries and traces cannot be queried together", said)
            self.assertIn(files[1], said)

    def test_reports_damaged_summaries(self):
        data = bytearray(Path("night.fts").read_bytes())
        Path("cut.fts").write_bytes(data[:len(data) // 2])
        self.assertIn("cut.fts: byte ", ftr("sql", "cut.fts", "SELECT 1", status=2).stderr)
        data[len(data) // 2] ^= 1
        Path("damaged.fts").write_bytes(data)
        self.assertIn("damaged.fts: byte ", ftr("sql", "damaged.fts", "SELECT 1", status=2).stderr)

    # ---- size ------------------------------------------------------------------------------------

    def peak(self, runs):
        """Returns the peak memory, in kB, of queries on a summary of @p runs runs."""
        _, _, of_file = cbor2.loads(Path("night.fts").read_bytes())
        number, source = next((at, run) for at, run in enumerate(of_file, 1) if run[1] == 0)
        generators = sum(row["run"] == number for row in self.rows.figures)
        copies = []
        for i in range(runs):
            identity = i.to_bytes(16, "big")
            copies.append([identity, *source[1:5], hash_of(identity, *source[1:5], source[6]), source[6]])
        write_summary("copies.fts", copies)
        query = ("SELECT count(*), sum(p99) FROM figures; SELECT run, stream, generator, sum(count) AS n FROM latency_bin "
                 "GROUP BY run, stream, generator HAVING n < 0; SELECT count(*) FROM figures JOIN run USING (run); "
                 "SELECT 'finished'; SELECT printf('%.*c', 1000000, 'x')")
        with subprocess.Popen([FTR, "sql", "--csv", "copies.fts", query], stdout=subprocess.PIPE, bufsize=0) as process:
            found = b""
            while b"\nfinished" not in found:
                found += process.stdout.read(4096)
            # The process waits for the reader of its last row, which is larger than a pipe.
            status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
            process.stdout.read(2**30)
            while process.stdout.read(2**20):
                pass
        self.assertEqual(process.returncode, 0)
        self.assertIn(f"\n{runs * generators},".encode(), found)
        return int(status.split("VmHWM:")[1].split()[0])

    def test_memory_does_not_grow_with_the_runs(self):
        few, many = self.peak(100), self.peak(1500)
        if not os.environ.get("FTR_SANITIZE"):  # sanitizers hold freed memory back
            self.assertLess(many - few, 1400, "kB for 1400 runs: at most 1 kB for each")


unittest.main(argv=sys.argv[:1])
