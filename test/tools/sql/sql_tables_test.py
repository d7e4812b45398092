#!/usr/bin/python3
"""Compares the SQL tables with `ftr dump --json`, by Python's sqlite3 module with the extension
loaded.

    sql_tables_test.py FTR EXTENSION MAKER...
"""

import collections
import fractions
import glob
import json
import math
import os
import random
import sqlite3
import statistics
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "exchange"))
from dumped import Dump, ExchangeTest, run

FTR, EXTENSION, *MAKERS = sys.argv[1:]
INT64_MAX = 2**63 - 1


def connect(*patterns):
    connection = sqlite3.connect(":memory:")
    connection.enable_load_extension(True)
    connection.load_extension(EXTENSION)
    if patterns:
        connection.execute(f"SELECT ftr_open({', '.join('?' * len(patterns))})", patterns)
    return connection


def number(value):
    """Returns an integer in the form of the tables: TEXT above 2^63-1."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) and value > INT64_MAX else value


def value(dumped, kind):
    if isinstance(dumped, bool):
        return int(dumped)
    if kind in ("FLOATING_POINT_NUMBER", "FIXED_POINT_INTEGER", "UNSIGNED_FIXED_POINT_INTEGER"):
        return {"Infinity": math.inf, "-Infinity": -math.inf}.get(dumped, dumped)
    return number(dumped)


class Tables(ExchangeTest):
    makers = [(os.path.abspath(maker),) if "awkward" not in maker else (os.path.abspath(maker), "awkward.ftr")
              for maker in MAKERS]

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.files, cls.dumps = [], []
        for path in sorted(glob.glob("*.ftr")):
            try:
                dump = Dump(FTR, path, "--order", "stored")
            except AssertionError:
                continue  # damaged files are covered by the test of `ftr sql`
            cls.files.append(path)
            cls.dumps.append(dump)
        assert len(cls.files) >= 5, cls.files
        cls.db = connect(*cls.files)

    def query(self, text, *parameters):
        return self.db.execute(text, parameters).fetchall()

    def transactions(self):
        for number_, dump in enumerate(self.dumps, 1):
            for tx in dump.transactions:
                yield number_, tx

    def test_every_transaction_is_a_row(self):
        expected = [(run_, number(tx["id"]), tx["stream"], tx["generator"], number(tx["begin"]), number(tx["end"]),
                     number(tx["end"] - tx["begin"])) for run_, tx in self.transactions()]
        self.assertEqual(self.query("SELECT run, id, stream, generator, begin, end, duration FROM tx"), expected)
        self.assertGreater(len(expected), 100)

    def test_seconds_are_ticks_times_the_scale(self):
        scales = dict(self.query("SELECT run, time_scale FROM run"))
        self.assertGreater(len(set(scales.values())), 1)
        for row in self.query("SELECT run, begin, end, duration, begin_s, end_s, duration_s FROM tx"):
            scale = scales[row[0]]
            expected = tuple(int(ticks) / 10**-scale if scale < 0 else int(ticks) * 10**scale for ticks in row[1:4])
            self.assertEqual(row[4:], expected)

    def test_every_attribute_is_a_row(self):
        expected = [(run_, number(tx["id"]), place, name, class_, kind, value(content, kind))
                    for run_, tx in self.transactions()
                    for place, (class_, name, kind, content) in enumerate(tx["attributes"], 1)]
        self.assertEqual(self.query("SELECT run, tx, number, name, class, type, value FROM attribute"), expected)

    def test_attributes_are_an_object_too(self):
        rows = self.query("SELECT attributes FROM tx")
        for (text,), (_, tx) in zip(rows, self.transactions(), strict=True):
            pairs = json.loads(text, object_pairs_hook=lambda members: members)
            self.assertEqual(pairs, [(name, number(content)) for _, name, _, content in tx["attributes"]])

    def test_every_relation_is_a_row(self):
        expected = [(run_, relation["name"], number(relation["from"]), number(relation["to"]))
                    for run_, dump in enumerate(self.dumps, 1) for relation in dump.relations]
        self.assertEqual(self.query("SELECT run, name, from_tx, to_tx FROM relation"), expected)
        self.assertGreater(len(expected), 10)

    def test_time_windows_keep_transactions_that_begin_in_them(self):
        rng = random.Random(7)
        times = [tx["begin"] for _, tx in self.transactions() if tx["end"] <= INT64_MAX]
        for _ in range(40):
            low, high = sorted(rng.choices(times, k=2))
            for text, wanted in (
                    ("begin >= ? AND begin <= ?", lambda tx: low <= tx["begin"] <= high),
                    ("begin > ? AND end < ?", lambda tx: low < tx["begin"] and tx["end"] < high),
                    ("end >= ? AND begin <= ?", lambda tx: low <= tx["end"] and tx["begin"] <= high)):
                expected = sorted((run_, tx["id"]) for run_, tx in self.transactions()
                                  if max(tx["id"], tx["end"]) <= INT64_MAX and wanted(tx))
                found = self.query(f"SELECT run, id FROM tx WHERE {text} AND typeof(id) = 'integer' "
                                   "AND typeof(end) = 'integer'", low, high)
                self.assertEqual(sorted(found), expected, (text, low, high))

    def test_windows_in_seconds_agree_with_a_full_scan(self):
        rng = random.Random(8)
        times = [row[0] for row in self.query("SELECT begin_s FROM tx")]
        for _ in range(40):
            low, high = sorted(rng.choices(times, k=2))
            for text in ("begin_s >= ? AND begin_s <= ?", "begin_s > ? AND end_s < ?", "begin_s BETWEEN ? AND ?"):
                plain = text.replace("begin_s", "+begin_s").replace("end_s", "+end_s")  # `+` keeps SQLite from passing the condition to the table
                self.assertEqual(self.query(f"SELECT run, chunk, within FROM tx WHERE {text}", low, high),
                                 self.query(f"SELECT run, chunk, within FROM tx WHERE {plain}", low, high))

    def test_names_ids_and_patterns(self):
        streams = sorted({tx["stream"] for _, tx in self.transactions()})
        for stream in streams[:30]:
            expected = [(run_, number(tx["id"])) for run_, tx in self.transactions() if tx["stream"] == stream]
            self.assertEqual(self.query("SELECT run, id FROM tx WHERE stream = ?", stream), expected)
        for pattern in ("top.*", "*bus*", "nothing*"):
            plain = self.query("SELECT run, id FROM tx WHERE +stream GLOB ?", pattern)
            self.assertEqual(self.query("SELECT run, id FROM tx WHERE stream GLOB ?", pattern), plain)
        self.assertEqual(self.query("SELECT run, id FROM tx WHERE stream LIKE 'TOP.%' AND generator LIKE 'R%'"),
                         self.query("SELECT run, id FROM tx WHERE +stream LIKE 'TOP.%' AND +generator LIKE 'R%'"))
        self.assertEqual(self.query("SELECT id FROM tx WHERE stream = 5 OR stream IS NULL"), [])

    def test_ids_are_found_with_the_index_and_without(self):
        rng = random.Random(9)
        everything = list(self.transactions())
        by_id = collections.defaultdict(list)
        for run_, tx in everything:
            by_id[tx["id"]].append((run_, tx["begin"]))
        for fresh in (connect(*self.files), self.db):  # the first look-ups of a connection use no index
            for run_, tx in rng.sample(everything, 60):
                rows = fresh.execute("SELECT run, begin FROM tx WHERE id = ?", (number(tx["id"]),)).fetchall()
                self.assertEqual(rows, [(r, number(b)) for r, b in by_id[tx["id"]]])
            self.assertEqual(fresh.execute("SELECT count(*) FROM tx WHERE id = 123456789012").fetchone(), (0,))
            for impossible in (-1, None, "x", "-5", "18446744073709551616", 1.5):
                self.assertEqual(fresh.execute("SELECT count(*) FROM tx WHERE id = ?", (impossible,)).fetchone(), (0,))

    def test_joins_return_every_row_once(self):
        expected = collections.Counter(
            (run_, number(tx["id"]), name) for run_, tx in self.transactions() for _, name, _, _ in tx["attributes"])
        rows = self.query("SELECT tx.run, tx.id, attribute.name FROM tx JOIN attribute "
                          "ON attribute.run = tx.run AND attribute.tx = tx.id")
        self.assertEqual(collections.Counter(rows), expected)
        pairs = self.query("SELECT f.run, f.stream, t.stream FROM relation AS r "
                           "JOIN tx AS f ON f.run = r.run AND f.id = r.from_tx "
                           "JOIN tx AS t ON t.run = r.run AND t.id = r.to_tx")
        wanted = collections.Counter()
        for run_, dump in enumerate(self.dumps, 1):
            streams = {tx["id"]: tx["stream"] for tx in dump.transactions}
            wanted.update((run_, streams[r["from"]], streams[r["to"]]) for r in dump.relations
                          if r["from"] in streams and r["to"] in streams)
        self.assertEqual(collections.Counter(pairs), wanted)

    def test_relations_of_a_transaction_by_either_side(self):
        for run_, dump in enumerate(self.dumps, 1):
            for relation in dump.relations[:20]:
                for side, column in (("from", "from_tx"), ("to", "to_tx")):
                    wanted = sorted((r["name"], number(r["from"]), number(r["to"])) for r in dump.relations
                                    if r[side] == relation[side])
                    self.assertEqual(sorted(self.query(f"SELECT name, from_tx, to_tx FROM relation WHERE run = ? "
                                                       f"AND {column} = ?", run_, number(relation[side]))), wanted)
                either = [r for r in dump.relations if relation["from"] in (r["from"], r["to"])]
                self.assertEqual(self.query("SELECT count(*) FROM relation WHERE run = ?1 AND (from_tx = ?2 OR "
                                            "to_tx = ?2)", run_, number(relation["from"])), [(len(either),)])

    def test_alternatives_deliver_no_row_twice(self):
        for text in ("stream = 'top.bus' OR begin < 100000000", "id = 3 OR begin < 1000", "id = 3 OR id < 10",
                     "generator = 'read' OR generator GLOB 'r*' OR stream = 'top.cpu'"):
            plain = " OR ".join("+" + part for part in text.split(" OR "))
            self.assertEqual(sorted(self.query(f"SELECT run, chunk, within FROM tx WHERE {text}")),
                             sorted(self.query(f"SELECT run, chunk, within FROM tx WHERE {plain}")), text)

    def test_groups_are_complete(self):
        for columns in ("stream", "generator", "stream, generator", "generator, stream", "stream_id", "run, generator"):
            for path in self.files:
                one = connect(path)
                for order in (f"GROUP BY {columns}", f"GROUP BY {columns} ORDER BY {columns}"):
                    rows = one.execute(f"SELECT {columns}, count(*), sum(within) FROM tx {order}").fetchall()
                    shape = ", ".join("+" + column.strip() for column in columns.split(","))
                    plain = one.execute(f"SELECT {columns}, count(*), sum(within) FROM tx GROUP BY {shape}").fetchall()
                    self.assertEqual(rows if "ORDER" in order else sorted(rows, key=repr),
                                     plain if "ORDER" in order else sorted(plain, key=repr), (path, columns))
                self.assertEqual(sorted(one.execute(f"SELECT DISTINCT {columns} FROM tx"), key=repr),
                                 sorted({tuple(row) for row in one.execute(f"SELECT {columns} FROM tx")}, key=repr))

    def test_order_by_time(self):
        for path in self.files:
            one = connect(path)
            for column in ("begin", "end", "begin_s", "end_s"):
                ordered = one.execute(f"SELECT {column} FROM tx WHERE typeof(end) = 'integer' ORDER BY {column}").fetchall()
                self.assertEqual(ordered, sorted(ordered), (path, column))
                plan = one.execute(f"EXPLAIN QUERY PLAN SELECT id FROM tx ORDER BY {column}").fetchall()
                self.assertNotIn("TEMP B-TREE", repr(plan))
        both = self.query("SELECT run, begin FROM tx WHERE typeof(begin) = 'integer' ORDER BY run, begin")
        self.assertEqual(both, sorted(both))
        down = [row[0] for row in self.query("SELECT begin FROM tx WHERE typeof(begin) = 'integer' ORDER BY begin DESC")]
        self.assertEqual(down, sorted(down, reverse=True))

    def test_query_plans_name_the_used_conditions(self):
        plan = repr(self.query("EXPLAIN QUERY PLAN SELECT id FROM tx WHERE run = 2 AND stream = 'a' AND begin > 5 "
                               "ORDER BY begin"))
        for part in ("run=", "stream=", "begin>", "order=begin"):
            self.assertIn(part, plan)
        one = connect(self.files[0])
        self.assertIn("group=", repr(one.execute("EXPLAIN QUERY PLAN SELECT count(*) FROM tx GROUP BY stream").fetchall()))

    def test_each_generator_has_a_table(self):
        for stream, generator, table in self.query(
                "SELECT DISTINCT stream, name, table_name FROM generator WHERE table_name IS NOT NULL"):
            expected = [(run_, number(tx["id"])) for run_, tx in self.transactions()
                        if (tx["stream"], tx["generator"]) == (stream, generator)]
            self.assertEqual(self.query(f'SELECT run, id FROM "{table}"'), expected, table)
            columns = [row[1] for row in self.query(f'PRAGMA table_info("{table}")')][10:]
            rows = self.query(f'SELECT run, id, {", ".join(chr(34) + c + chr(34) for c in columns) or "1"} FROM "{table}"')
            for row, (run_, id_) in zip(rows, expected, strict=True):
                tx = next(tx for tx in self.dumps[run_ - 1].transactions if number(tx["id"]) == id_)
                contents = {repr(value(content, kind)) for _, _, kind, content in tx["attributes"]} | {"None", "1"}
                self.assertLessEqual({repr(cell) for cell in row[2:]}, contents, (table, row))

    def test_functions_of_tables_take_files(self):
        path = self.files[0]
        self.assertEqual(self.query("SELECT count(*) FROM ftr_tx(?)", path),
                         [(len(self.dumps[0].transactions),)])
        bare = connect()
        self.assertEqual(bare.execute("SELECT count(DISTINCT run) FROM ftr_run('s*.ftr')").fetchone(),
                         (len(glob.glob("s*.ftr")),))
        bare.execute(f"CREATE VIRTUAL TABLE t USING ftr('{path}')")
        self.assertEqual(bare.execute("SELECT count(*) FROM t").fetchone(), (len(self.dumps[0].transactions),))
        bare.execute(f"CREATE VIRTUAL TABLE a USING ftr('{path}', table=attribute)")
        self.assertEqual(bare.execute("SELECT count(*) FROM a").fetchone(),
                         (sum(len(tx["attributes"]) for tx in self.dumps[0].transactions),))

    def test_functions(self):
        def one(text, *parameters):
            return self.db.execute(f"SELECT {text}", parameters).fetchone()[0]
        rng = random.Random(10)
        for count in (1, 2, 3, 10, 257, 5000):
            for values in ([rng.randrange(50) for _ in range(count)], [rng.randrange(2**60) for _ in range(count)],
                           [rng.random() for _ in range(count)]):
                self.db.execute("CREATE TEMP TABLE v(x)")
                self.db.executemany("INSERT INTO v VALUES (?)", [(v,) for v in values])
                self.assertEqual(one("median(x) FROM v"), statistics.median(values))
                for fraction in (0, 0.07, 0.25, 0.29, 0.5, 0.55, 0.9, 0.99, 0.999999, 1):
                    exact = fractions.Fraction(str(fraction))
                    discrete = sorted(values)[max(math.ceil(exact * count) - 1, 0)]
                    self.assertEqual(one("percentile_disc(x, ?) FROM v", fraction), discrete)
                    rank = exact * (count - 1)
                    low, high = sorted(values)[math.floor(rank)], sorted(values)[math.ceil(rank)]
                    self.assertAlmostEqual(one("percentile(x, ?) FROM v", fraction), low + (high - low) * float(rank % 1),
                                           delta=max(high * 1e-9, 1e-12))
                self.db.execute("DROP TABLE v")
        self.db.execute("CREATE TEMP TABLE v AS WITH RECURSIVE n(x) AS (VALUES (0) UNION ALL SELECT x + 1 FROM n "
                        "WHERE x < 100) SELECT x FROM n")
        for percent in range(101):
            self.assertEqual(one(f"percentile_disc(x, {percent / 100}) FROM v WHERE x > 0"), max(percent, 1))
            self.assertEqual(one(f"percentile(x, {percent / 100}) FROM v"), percent)
        self.assertIsNone(one("median(x) FROM (SELECT 1 AS x WHERE 0)"))
        self.assertEqual(one("ftr_time('10 us', -12)"), 10_000_000)
        self.assertEqual(one("ftr_time('1.5ns', -15)"), 1_500_000)
        self.assertEqual(one("ftr_time('10000 s', -15)"), "10000000000000000000")
        self.assertEqual(one("ftr_format_time(12500000, -12)"), "12.5 us")
        self.assertEqual(one("ftr_format_time('18446744073709551615', -9)"), "18446744073.709551615 s")
        self.assertEqual(one("hex(4096)"), "0x1000")
        self.assertEqual(one("hex(-1)"), "0xffffffffffffffff")
        self.assertEqual(one("hex('18446744073709551615')"), "0xffffffffffffffff")
        self.assertEqual(one("hex(x'00ff')"), "00FF")
        self.assertEqual(one("hex('ab')"), "6162")
        for a, b, c, d in ((0, 5, 5, 9), (0, 4, 5, 9), (6, 8, 5, 9), (0, 99, 5, 9), (10, 12, 5, 9)):
            self.assertEqual(one("overlaps(?, ?, ?, ?)", a, b, c, d), int(a <= d and c <= b))
        self.assertIsNone(one("overlaps(NULL, 1, 2, 3)"))
        for text in ("percentile(1, 99)", "percentile(1, NULL)", "percentile(1, x'')",
                     "percentile(x, x / 100.0) FROM v", "percentile('x', 0.5)", "ftr_time('ten', -12)", "ftr_time('1 s')",
                     "ftr_format_time('x', -12)", "ftr_open()", "ftr_open('no such file.ftr')"):
            with self.assertRaises(sqlite3.OperationalError, msg=text):
                self.db.execute(f"SELECT {text}").fetchall()

    def test_large_numbers_are_exact(self):
        large = [(run_, tx["id"], content) for run_, tx in self.transactions() for _, _, kind, content in tx["attributes"]
                 if isinstance(content, int) and not isinstance(content, bool) and content > INT64_MAX]
        self.assertTrue(large)
        rows = self.query("SELECT run, value FROM attribute WHERE typeof(value) = 'text' AND type IN "
                          "('UNSIGNED', 'POINTER', 'TIME', 'INTEGER')")
        self.assertEqual([(run_, int(text)) for run_, text in rows], [(run_, content) for run_, _, content in large])


class Mistakes(ExchangeTest):
    makers = Tables.makers

    def fails(self, text, *words):
        with self.assertRaises(sqlite3.Error) as caught:
            connect().execute(text).fetchall()
        for word in words:
            self.assertIn(word, str(caught.exception))

    def test_messages_name_the_cause(self):
        with open("empty.ftr", "wb"), open("text.ftr", "w", encoding="ascii") as text:
            text.write("not a trace, but long enough to be one")
        self.fails("SELECT * FROM ftr_tx('absent.ftr')", "absent.ftr", "No such file")
        self.fails("SELECT * FROM ftr_tx('absent*.ftr')", "absent*.ftr", "no file matches")
        self.fails("SELECT * FROM ftr_tx('text.ftr')", "text.ftr", "not an FTR file")
        self.fails("SELECT * FROM ftr_tx('empty.ftr')", "empty.ftr")
        self.fails("SELECT * FROM ftr_tx('.')", "not a regular file")
        self.fails("SELECT * FROM ftr_tx", "name the traces")
        self.fails("SELECT * FROM ftr_tx(NULL)", "NULL")
        self.fails("CREATE VIRTUAL TABLE t USING ftr", "name the traces")
        self.fails("CREATE VIRTUAL TABLE t USING ftr('small.ftr', table=nonsense)", "nonsense", "relation")
        self.fails("CREATE VIRTUAL TABLE t USING ftr('small.ftr', stream='x')", "must be given together")
        self.fails("CREATE VIRTUAL TABLE t USING ftr('small.ftr', stream='x', generator='y')", "'y'", "'x'")

    def test_statements_cannot_write_to_a_trace(self):
        with open("small.ftr", "rb") as file:
            before = file.read()
        db = connect("small.ftr")
        for text in ("DELETE FROM tx", "UPDATE tx SET begin = 0", "INSERT INTO tx(run) VALUES (1)", "DROP TABLE tx",
                     "ALTER TABLE tx RENAME TO other", "VACUUM INTO 'small.ftr'"):
            try:
                db.execute(text)
            except sqlite3.Error:
                pass
        with open("small.ftr", "rb") as file:
            self.assertEqual(file.read(), before)

    def test_a_growing_file_is_read_again(self):
        with open("small.ftr", "rb") as file:
            whole = file.read()
        with open("grows.ftr", "wb") as file:
            file.write(whole[:len(whole) // 2])
        db = connect("grows.ftr")
        self.assertIn(db.execute("SELECT state FROM run").fetchone()[0], ("torn", "unfinished"))
        few = db.execute("SELECT count(*) FROM tx").fetchone()[0]
        with open("grows.ftr", "wb") as file:
            file.write(whole)
        os.utime("grows.ftr", (1, 1))
        self.assertEqual(db.execute("SELECT state FROM run").fetchone()[0], "sound")
        self.assertGreater(db.execute("SELECT count(*) FROM tx").fetchone()[0], few)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
