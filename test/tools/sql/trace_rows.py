"""The rows of a trace as plain Python values, from `ftr dump --json` and, for definitions and chunks, from the file
itself with python3-cbor2: the source of answers that do not use SQL."""

import json
import math
import os
import subprocess
import sys
from collections import Counter, defaultdict, namedtuple

import cbor2

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "support"))
import ftr_decode

Attribute = namedtuple("Attribute", "number, class_, name, type, value")
Relation = namedtuple("Relation", "name, source, target, from_stream, to_stream")
Stream = namedtuple("Stream", "id, name, kind, chunks, bytes")


class Transaction(namedtuple("Transaction", "id, stream, generator, begin, end, attributes")):
    @property
    def duration(self):
        return self.end - self.begin

    def overlaps(self, other):
        return self.begin <= other.end and other.begin <= self.end


def sql_value(value):
    """The value of an attribute or a number as docs/sql.md describes it."""
    if isinstance(value, bool):
        return int(value)
    return str(value) if isinstance(value, int) and value > 2**63 - 1 else value


def chunk_sizes(path):
    """Returns (number of the stream, size in the file) of each chunk of transactions."""
    with open(path, "rb") as file:
        file.seek(4)  # the file's tag and the begin of the array
        decoder = cbor2.CBORDecoder(file, tag_hook=lambda _, tag: tag)
        while (at := file.tell()) >= 0 and file.read(1) not in (b"\xff", b""):
            file.seek(at)
            chunk = decoder.decode()
            if isinstance(chunk, cbor2.CBORTag) and chunk.tag in (12, 13):
                yield chunk.value[0], file.tell() - at


class Rows:
    """The rows of one trace."""

    def __init__(self, ftr, path):
        self.path = path
        output = subprocess.run([ftr, "dump", "--json", "--relations", path], capture_output=True, text=True, check=False)
        assert output.returncode in (0, 1), output.stderr  # 1: references to definitions that do not exist
        records = [json.loads(line) for line in output.stdout.splitlines()]
        self.transactions = [Transaction(r["id"], r["stream"], None if r["generator"] == "?" else r["generator"], r["begin"],
                                         r["end"], [Attribute(at, c, n, t, sql_value(v)) for at, (c, n, t, v)
                                                    in enumerate(r["attributes"], 1)])
                             for r in records if r["record"] == "transaction"]
        decoded = ftr_decode.decode(path)
        sizes = list(chunk_sizes(path))
        self.streams = [Stream(s.id, f"#{s.id}" if decoded.name(s) is None else decoded.name(s), decoded.text(s.kind),
                               sum(number == s.id for number, _ in sizes), sum(size for n, size in sizes if n == s.id))
                        for s in decoded.streams.values()]
        names = {stream.id: stream.name for stream in self.streams}
        self.generator_count = len(decoded.generators)
        self.time_scale = decoded.time_scale
        self.is_sound = not decoded.damage()
        self.relations = [Relation(r["name"], r["from"], r["to"], names.get(r.get("from_stream")),
                                   names.get(r.get("to_stream")))
                          for r in records if r["record"] == "relation"]
        self.by_id = defaultdict(list)
        for tx in self.transactions:
            self.by_id[tx.id].append(tx)

    def of(self, stream=None, generator=None):
        return [tx for tx in self.transactions
                if stream in (None, tx.stream) and generator in (None, tx.generator)]

    def attributes(self):
        return [(tx, attribute) for tx in self.transactions for attribute in tx.attributes]

    def linked(self):
        """Returns (relation, source, target) of all relations with both transactions."""
        return [(relation, source, target) for relation in self.relations
                for source in self.by_id.get(relation.source, ()) for target in self.by_id.get(relation.target, ())]


def grouped(items, key):
    groups = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return groups


def nearest_rank(values, per_hundred):
    """The percentile by nearest rank, in integers."""
    values = sorted(values)
    return values[max(-(-per_hundred * len(values) // 100), 1) - 1]


def interpolated(values, fraction):
    values = sorted(values)
    at = fraction * (len(values) - 1)
    low = math.floor(at)
    return values[low] + (values[min(low + 1, len(values) - 1)] - values[low]) * (at - low)


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def greatest_open(transactions):
    """The greatest number of transactions open at one time, if an end at that time comes first."""
    steps = sorted([(tx.begin, 1) for tx in transactions] + [(tx.end, -1) for tx in transactions])
    count, greatest = 0, 0
    for _, step in steps:
        count += step
        greatest = max(greatest, count)
    return greatest


def reachable(rows, start, name=None):
    """The ids that relations lead to from the id @p start, itself included."""
    targets = grouped([r for r in rows.relations if name in (None, r.name)], lambda r: r.source)
    found, waiting = {start}, [start]
    while waiting:
        for relation in targets.get(waiting.pop(), ()):
            if relation.target not in found:
                found.add(relation.target)
                waiting.append(relation.target)
    return found


class Answer:
    """The rows of a right answer, in any order; with @p key, in the order of this function's values (rows with equal
    values in any order), of which only the first @p limit are returned."""

    def __init__(self, rows, key=None, limit=None):
        self.rows = [tuple(map(self.plain, row)) for row in rows]
        self.key, self.limit = key, limit

    @staticmethod
    def plain(value):
        value = sql_value(value)
        return float(f"{value:.9e}") if isinstance(value, float) else value

    def difference(self, found):
        """Returns "" if the rows @p found are this answer, or a text."""
        found = [tuple(map(self.plain, row)) for row in found]
        if len(found) != min(len(self.rows), self.limit or len(self.rows)):
            return f"{len(found)} rows instead of {len(self.rows)}, at most {self.limit}"
        wrong = Counter(found) - Counter(self.rows)
        if wrong:
            return f"wrong: {list(wrong)[:3]}; right: {list(Counter(self.rows) - Counter(found))[:3]}"
        if self.key is not None:
            keys = sorted(map(self.key, self.rows))[:self.limit]
            if [self.key(row) for row in found] != keys:
                return f"wrong order: {found[:5]}"
        return ""


def ask(ftr, path, query):
    """Returns the rows of `ftr sql`; texts of findings about the trace are ignored."""
    done = subprocess.run([ftr, "sql", "--json", path, query], capture_output=True, text=True, check=False)
    if done.returncode == 2:
        raise AssertionError(f"{query}\n{done.stderr}")
    return [tuple(json.loads(line).values()) for line in done.stdout.splitlines()]
