#!/usr/bin/python3
"""Questions about traces that are not in the documentation, each asked in SQL and answered by a Python program.

    sql_questions_test.py FTR PIPELINED_BUS

The traces: an example; a trace with many streams and related, nested and overlapping transactions; and one with the names,
ids and references of odd_traces.py.
"""

import os
import random
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "exchange"))
import odd_traces
from dumped import ExchangeTest
from made_trace import endless, item, packed
from trace_rows import (Answer, Rows, ask, greatest_open, grouped, interpolated, mean, nearest_rank, reachable)
import cbor2

FTR, EXAMPLE = (os.path.abspath(argument) for argument in sys.argv[1:])
INTEGER, UNSIGNED, FLOAT, STRING = 2, 3, 4, 10


def write_busy(path, count=900):
    """A trace of 15 streams with 30 generators, whose transactions overlap, enclose and overtake each other."""
    rng = random.Random(34)
    texts = {}
    number = lambda text: texts.setdefault(text, len(texts))
    streams = ["top.cpu", "top.dma", "top.bus", *(f"top.u{i}.port" for i in range(12))]
    directory = []
    for at, name in enumerate(streams, 1):
        directory.append(item(16, [at, number(name), number("tlm")]))
        directory += [item(17, [100 + 2 * at + write, number(("read", "write")[write]), at]) for write in (0, 1)]
    made = []
    for tx in range(1, count + 1):
        stream, begin = rng.randrange(len(streams)) + 1, 40 * tx // rng.choice((1, 1, 1, 3))
        end = begin + rng.choice((0, 10, 60, 60, rng.randrange(400), 20 * count if tx % 97 == 0 else 30))
        attributes = [item(7, [number("address"), UNSIGNED, rng.randrange(64) * 4]),
                      item(7, [number("data"), INTEGER, rng.randrange(-5, 6)]),
                      item(8, [number("weight"), FLOAT, rng.choice((0.5, 1.25, -3.0))]),
                      item(9, [number("data"), INTEGER, rng.randrange(-5, 6)]),
                      item(9, [number("status"), STRING, number(rng.choice(("OK", "OK", "x", "ERROR")))])]
        made.append((stream, begin, end, [item(6, [tx, 100 + 2 * stream + rng.randrange(2), begin, end]),
                                          *attributes[rng.randrange(3):rng.randrange(2, 6)]]))
    chunks = []
    for at in range(0, count, 300):
        for stream in range(1, len(streams) + 1):
            part = sorted((m for m in made[at:at + 300] if m[0] == stream), key=lambda m: m[2])
            if part:
                chunks.append(packed(12, [stream, min(m[1] for m in part), max(m[2] for m in part)],
                                     endless([m[3] for m in part]), True))
        related = []
        for _ in range(350):
            source = rng.randrange(1, count)
            target = min(source + rng.choice((1, 2, 7, 300, -1)), count + 3)  # some targets do not exist
            related.append([number(rng.choice(("PARENT_CHILD", "next", "uses"))), source, target,
                            *((made[n - 1][0] if 0 < n <= count else 77) for n in (source, target))])
        chunks.append(packed(14, [], endless(related), True))
    with open(path, "wb") as file:
        file.write(b"\xd9\xd9\xf7" + endless([item(6, cbor2.dumps([-12, item(1, 1700000000)])),
                                              packed(8, [], cbor2.dumps({n: text for text, n in texts.items()}), False),
                                              item(10, endless(directory)), *chunks]))


def pairs(rows, wanted):
    """The pairs of transactions of the same stream for which @p wanted is true."""
    return [(a, b) for own in grouped(rows.transactions, lambda tx: tx.stream).values() for a in own for b in own
            if wanted(a, b)]


def counts(items, key):
    return Answer([(*(k if isinstance(k, tuple) else (k,)), len(v)) for k, v in grouped(items, key).items()])


def by_stream(rows, function):
    return Answer([(stream, *function(own)) for stream, own in grouped(rows.transactions, lambda tx: tx.stream).items()])


def covered(transactions):
    """The length of the union of the intervals."""
    length, reached = 0, -1
    for tx in sorted(transactions, key=lambda tx: tx.begin):
        length += max(tx.end - max(tx.begin, reached), 0) if reached >= 0 else tx.end - tx.begin
        reached = max(reached, tx.end)
    return (length,)


def greatest_gap(transactions):
    own = sorted(transactions, key=lambda tx: (tx.begin, tx.end))
    gaps = [later.begin - earlier.end for earlier, later in zip(own, own[1:])]
    return (max(gaps) if gaps else None,)


def long_ones(rows):
    means = {g: mean(tx.duration for tx in own) for g, own in grouped(rows.transactions, lambda tx: tx.generator).items()
             if g is not None}
    return counts([tx for tx in rows.transactions if tx.generator is not None and tx.duration > means[tx.generator]],
                  lambda tx: tx.generator)


def fan_out(rows):
    return Answer([(source, len(own)) for source, own in grouped(rows.relations, lambda r: r.source).items()],
                  key=lambda row: (-row[1], row[0]), limit=5)


def grandchildren(rows):
    from_source = grouped(rows.relations, lambda r: r.source)
    return Answer([(len({(r.source, next_.target) for r in rows.relations for next_ in from_source.get(r.target, ())}),)])


def unrelated(rows):
    known = {number for r in rows.relations for number in (r.source, r.target)}
    return counts([tx for tx in rows.transactions if tx.id not in known], lambda tx: tx.stream)


def least_and_greatest(rows):
    groups = grouped([(tx.stream, a.value) for tx, a in rows.attributes() if a.type == "INTEGER"], lambda pair: pair[0])
    return Answer([(stream, min(v for _, v in own), max(v for _, v in own)) for stream, own in groups.items()])


def changed(rows):
    found = [(b.name) for tx in rows.transactions for b in tx.attributes for e in tx.attributes
             if b.class_ == "begin" and e.class_ == "end" and b.name == e.name and b.type == e.type == "INTEGER"
             and b.value != e.value]
    return Answer([(len(found),)])


def active(rows):
    last = max(tx.end for tx in rows.transactions)
    return Answer([(i, sum(tx.begin <= i * (last // 10) <= tx.end for tx in rows.transactions)) for i in range(10)])


def reached(rows):
    starts = sorted({r.source for r in rows.relations})[:4]
    return Answer([(start, len(reachable(rows, start))) for start in starts])


def longest(rows):
    return by_stream(rows, lambda own: (max(tx.duration for tx in own),
                                        max(own, key=lambda tx: (tx.duration, -tx.id)).id))


def text_counts(rows):
    return counts([a for _, a in rows.attributes() if a.type == "STRING" and a.value is not None],
                  lambda a: (a.name, a.value))


def earlier_targets(rows):
    return counts([r for r, source, target in rows.linked() if target.begin < source.begin], lambda r: r.name)


def dangling(rows):
    return Answer([(sum(r.source not in rows.by_id for r in rows.relations),
                    sum(r.target not in rows.by_id for r in rows.relations))])


def slowest_link(rows):
    """The greatest distance from the end of the source to the begin of the target, for each name."""
    groups = grouped(rows.linked(), lambda link: link[0].name)
    return Answer([(name, max(t.begin - s.end for _, s, t in own)) for name, own in groups.items()])


def addresses(rows):
    groups = grouped([a.value for tx, a in rows.attributes() if tx.stream == "top.cpu" and a.name == "address"], lambda v: v)
    return Answer([(value, len(own)) for value, own in groups.items()], key=lambda row: (-row[1], row[0]), limit=3)


OVERTAKES = "a.stream = b.stream AND a.begin < b.begin AND a.end > b.end"
# Question, query, right answer. {a} < {b} are times within the trace.
QUESTIONS = [
    ("streams without a read", "SELECT name FROM stream WHERE name NOT IN (SELECT stream FROM tx WHERE generator = 'read')",
     lambda r, a, b: Answer([(s.name,) for s in r.streams if not r.of(s.name, "read")])),
    ("what lasts from A to B", "SELECT id, stream FROM tx WHERE begin < {a} AND end > {b}",
     lambda r, a, b: Answer([(t.id, t.stream) for t in r.transactions if t.begin < a and t.end > b])),
    ("what lies between A and B", "SELECT id, stream FROM tx WHERE begin >= {a} AND end <= {b}",
     lambda r, a, b: Answer([(t.id, t.stream) for t in r.transactions if t.begin >= a and t.end <= b])),
    ("what is open at A", "SELECT id, end - {a} FROM tx WHERE {a} BETWEEN begin AND end ORDER BY end",
     lambda r, a, b: Answer([(t.id, t.end - a) for t in r.transactions if t.begin <= a <= t.end], key=lambda row: row[1])),
    ("what begins or ends at B", "SELECT id FROM tx WHERE begin = {b} OR end = {b}",
     lambda r, a, b: Answer([(t.id,) for t in r.transactions if b in (t.begin, t.end)])),
    ("overtaking in each stream", f"SELECT a.stream, count(*) FROM tx a JOIN tx b ON {OVERTAKES} GROUP BY a.stream",
     lambda r, a, b: counts(pairs(r, lambda x, y: x.begin < y.begin and x.end > y.end), lambda p: p[0].stream)),
    ("which reads overtook no write", "SELECT a.id FROM tx a WHERE a.generator = 'read' AND NOT EXISTS (SELECT 1 FROM tx b "
     "WHERE b.stream = a.stream AND b.generator = 'write' AND b.begin < a.begin AND b.end > a.end)",
     lambda r, a, b: Answer([(t.id,) for t in r.of(generator="read") if not any(
         w.begin < t.begin and w.end > t.end for w in r.of(t.stream, "write"))])),
    ("pairs that begin together in other streams",
     "SELECT count(*) FROM tx a JOIN tx b ON b.begin = a.begin WHERE a.stream < b.stream",
     lambda r, a, b: Answer([(sum(x.begin == y.begin and x.stream.encode() < y.stream.encode()
                                  for x in r.transactions for y in r.transactions),)])),
    ("targets that begin before their sources", "SELECT r.name, count(*) FROM relation r JOIN tx s ON s.run = r.run AND "
     "s.id = r.from_tx JOIN tx t ON t.run = r.run AND t.id = r.to_tx WHERE t.begin < s.begin GROUP BY r.name",
     lambda r, a, b: earlier_targets(r)),
    ("streams that are related", "SELECT from_stream, to_stream, count(*) FROM relation WHERE from_stream <> to_stream GROUP "
     "BY 1, 2", lambda r, a, b: counts([x for x in r.relations if None not in (x.from_stream, x.to_stream)
                                        and x.from_stream != x.to_stream], lambda x: (x.from_stream, x.to_stream))),
    ("relations without source and without target", "SELECT (SELECT count(*) FROM relation r LEFT JOIN tx ON tx.id = r.from_tx "
     "WHERE tx.id IS NULL), (SELECT count(*) FROM relation WHERE to_tx NOT IN (SELECT id FROM tx))",
     lambda r, a, b: dangling(r)),
    ("transactions without a relation", "SELECT stream, count(*) FROM tx WHERE NOT EXISTS (SELECT 1 FROM relation r WHERE "
     "r.run = tx.run AND (r.from_tx = tx.id OR r.to_tx = tx.id)) GROUP BY stream", lambda r, a, b: unrelated(r)),
    ("the most children", "SELECT from_tx, count(*) AS n FROM relation GROUP BY from_tx ORDER BY n DESC, from_tx LIMIT 5",
     lambda r, a, b: fan_out(r)),
    ("grandchildren", "SELECT count(*) FROM (SELECT DISTINCT p.from_tx, c.to_tx FROM relation p JOIN relation c ON "
     "c.from_tx = p.to_tx)", lambda r, a, b: grandchildren(r)),
    ("the slowest relation of each name", "SELECT r.name, max(t.begin - s.end) FROM tx s JOIN relation r ON r.from_tx = s.id "
     "JOIN tx t ON t.id = r.to_tx GROUP BY r.name", lambda r, a, b: slowest_link(r)),
    ("what each of four leads to", "WITH RECURSIVE s(start) AS (SELECT DISTINCT from_tx FROM relation ORDER BY 1 LIMIT 4), "
     "way(start, id) AS (SELECT start, start FROM s UNION SELECT start, to_tx FROM way JOIN relation ON from_tx = id) "
     "SELECT start, count(*) FROM way GROUP BY start", lambda r, a, b: reached(r)),
    ("transactions with more than two attributes", "SELECT tx, count(*) FROM attribute GROUP BY tx, begin, end, chunk, within "
     "HAVING count(*) > 2", lambda r, a, b: Answer([(t.id, len(t.attributes)) for t in r.transactions if len(t.attributes) > 2])),
    ("transactions without attributes", "SELECT count(*) FROM tx LEFT JOIN attribute a ON a.tx = tx.id AND a.run = tx.run "
     "WHERE a.tx IS NULL", lambda r, a, b: Answer([(sum(not any(t.attributes for t in r.by_id[x.id])
                                                        for x in r.transactions),)])),
    ("names of attributes", "SELECT generator, name, count(DISTINCT tx) FROM attribute WHERE generator IS NOT NULL GROUP BY "
     "generator, name", lambda r, a, b: Answer([(*key, len({t.id for t, _ in own})) for key, own in grouped(
         [(t, x) for t, x in r.attributes() if t.generator is not None], lambda p: (p[0].generator, p[1].name)).items()])),
    ("least and greatest integers", "SELECT stream, min(value), max(value) FROM attribute WHERE type = 'INTEGER' GROUP BY stream",
     lambda r, a, b: least_and_greatest(r)),
    ("attributes that changed", "SELECT count(*) FROM attribute b JOIN attribute e ON e.run = b.run AND e.tx = b.tx AND "
     "e.chunk = b.chunk AND e.within = b.within AND e.name = b.name WHERE b.class = 'begin' AND e.class = 'end' AND "
     "b.type = 'INTEGER' AND e.type = 'INTEGER' AND b.value <> e.value", lambda r, a, b: changed(r)),
    ("values of texts", "SELECT name, value, count(*) FROM attribute WHERE type = 'STRING' AND value IS NOT NULL GROUP BY 1, 2",
     lambda r, a, b: text_counts(r)),
    ("the three most frequent addresses", "SELECT value, count(*) AS n FROM attribute WHERE stream = 'top.cpu' AND name = "
     "'address' GROUP BY value ORDER BY n DESC, value LIMIT 3", lambda r, a, b: addresses(r)),
    ("three percentiles", "SELECT stream, percentile_disc(duration, 0.07), percentile_disc(duration, 0.55), "
     "percentile_disc(duration, 0.9) FROM tx GROUP BY stream",
     lambda r, a, b: by_stream(r, lambda own: [nearest_rank([t.duration for t in own], p) for p in (7, 55, 90)])),
    ("the upper quartile of each generator", "SELECT generator, percentile(duration, 0.75), avg(duration) FROM tx WHERE "
     "generator IS NOT NULL GROUP BY generator", lambda r, a, b: Answer([(g, interpolated([t.duration for t in own], 0.75), mean(
         t.duration for t in own)) for g, own in grouped(r.transactions, lambda t: t.generator).items() if g is not None])),
    ("the greatest gap of each stream", "SELECT stream, max(gap) FROM (SELECT stream, begin - lag(end) OVER (PARTITION BY "
     "stream ORDER BY begin, end) AS gap FROM tx) GROUP BY stream", lambda r, a, b: by_stream(r, greatest_gap)),
    ("open at once in all streams", "SELECT max(n) FROM (SELECT sum(step) OVER (ORDER BY time, step ROWS UNBOUNDED PRECEDING) "
     "AS n FROM (SELECT begin AS time, 1 AS step FROM tx UNION ALL SELECT end, -1 FROM tx))",
     lambda r, a, b: Answer([(greatest_open(r.transactions),)])),
    ("busy time of each stream", "SELECT stream, sum(max(0, end - max(begin, coalesce(reached, begin)))) FROM (SELECT stream, "
     "begin, end, max(end) OVER (PARTITION BY stream ORDER BY begin, end ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS "
     "reached FROM tx) GROUP BY stream", lambda r, a, b: by_stream(r, covered)),
    ("spans of the streams", "SELECT stream, min(begin), max(end), count(*) FROM tx GROUP BY stream",
     lambda r, a, b: by_stream(r, lambda own: (min(t.begin for t in own), max(t.end for t in own), len(own)))),
    ("the longest of each stream", "SELECT stream, duration, id FROM (SELECT stream, duration, id, row_number() OVER (PARTITION "
     "BY stream ORDER BY duration DESC, id) AS n FROM tx) WHERE n = 1", lambda r, a, b: longest(r)),
    ("longer than the mean of their generator", "SELECT tx.generator, count(*) FROM tx JOIN (SELECT generator, avg(duration) "
     "AS mean FROM tx GROUP BY generator) m ON m.generator = tx.generator WHERE tx.duration > m.mean GROUP BY tx.generator",
     lambda r, a, b: long_ones(r)),
    ("open at each tenth of the run", "WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT i, "
     "(SELECT count(*) FROM tx WHERE begin <= i * (SELECT max(end) / 10 FROM tx) AND end >= i * (SELECT max(end) / 10 FROM tx)) "
     "FROM n", lambda r, a, b: active(r)),
    ("overlaps of two streams", "SELECT count(*) FROM tx a JOIN tx b ON overlaps(a.begin, a.end, b.begin, b.end) WHERE a.stream "
     "= 'top.cpu' AND b.stream LIKE 'TOP.bus%'", lambda r, a, b: Answer([(sum(x.overlaps(y) for x in r.of("top.cpu") for y in
                                                        r.transactions if y.stream.lower().startswith("top.bus")),)])),
    ("ids that are not unique", "SELECT id, count(*) FROM tx GROUP BY id HAVING count(*) > 1",
     lambda r, a, b: Answer([(number, len(own)) for number, own in r.by_id.items() if len(own) > 1])),
    ("definitions", "SELECT (SELECT count(*) FROM stream), (SELECT count(*) FROM generator), (SELECT count(*) FROM stream WHERE "
     "id NOT IN (SELECT stream_id FROM tx))", lambda r, a, b: Answer([(len(r.streams), r.generator_count, sum(
         s.name not in {t.stream for t in r.transactions} for s in r.streams))])),
    ("what ends before it begins", "SELECT id FROM tx WHERE end < begin", lambda r, a, b: Answer([])),
]


class Questions(ExchangeTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        subprocess.run([EXAMPLE], env=dict(os.environ, FTR_TRACE="bus.ftr"), check=True, capture_output=True)
        write_busy("busy.ftr")
        odd_traces.write("odd.ftr", 3, False)
        cls.traces = [Rows(FTR, path) for path in ("bus.ftr", "busy.ftr", "odd.ftr")]

    def test_answers_are_those_of_a_program(self):
        self.assertGreaterEqual(len(QUESTIONS), 30)
        answered = set()  # questions that some trace answers with a row
        for rows in self.traces:
            times = sorted(tx.begin for tx in rows.transactions)
            a, b = times[len(times) // 2], times[len(times) // 2 + 3] + 1
            for question, query, program in QUESTIONS:
                with self.subTest(trace=rows.path, question=question):
                    right = program(rows, a, b)
                    query = query.format(a=a, b=b)
                    self.assertEqual(right.difference(ask(FTR, rows.path, query)), "", query)
                    if right.rows not in ([], [(0,)], [(0, 0)]):
                        answered.add(question)
        self.assertEqual([q for q, _, _ in QUESTIONS if q not in answered], ["what ends before it begins"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
