"""A trace as `ftr dump` and `ftr stats` print it: the numbers that a page must show."""

import json
import subprocess


class Transaction:
    def __init__(self, record):
        self.id = record["id"]
        self.stream = record["stream"]
        self.generator = record["generator"]
        self.begin = record["begin"]
        self.end = record["end"]
        self.attributes = [(name, kind, value) for _, name, kind, value in record["attributes"]]

    @property
    def duration(self):
        return self.end - self.begin

    @property
    def name(self):
        return f"{self.stream}.{self.generator}"

    def value(self, name):
        return next((value for key, _, value in self.attributes if key == name), None)

    @property
    def is_unfinished(self):
        return self.value("unfinished") is True

    @property
    def is_error(self):
        return any("ERROR_RESPONSE" in str(value) for _, _, value in self.attributes)


class Trace:
    def __init__(self, ftr, path):
        self.path = path
        self.transactions, self.relations = [], []
        for line in self.run(ftr, "dump", "--json", "--relations", path).splitlines():
            record = json.loads(line)
            if record["record"] == "relation":
                self.relations.append((record["name"], record["from"], record["to"]))
            elif record["record"] == "transaction" and not record["stream"].startswith("ftr."):
                self.transactions.append(Transaction(record))
        self.stats = json.loads(self.run(ftr, "stats", "--json", path))
        self.by_id = {tx.id: tx for tx in self.transactions}

    @staticmethod
    def run(*command):
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def of(self, name):
        return [tx for tx in self.transactions if tx.name == name]

    def ended(self, name):
        return [tx for tx in self.of(name) if not tx.is_unfinished]

    def generator(self, name):
        return next(row for row in self.stats["generators"]
                    if f"{row['stream']}.{row['generator']}" == name)


def busy(transactions, begin, end):
    """Ticks of [begin, end) at which one of the transactions is open."""
    total, covered = 0, begin
    for tx in sorted(transactions, key=lambda tx: tx.begin):
        first, last = max(tx.begin, covered), min(tx.end, end)
        if last > first:
            total += last - first
            covered = last
    return total


def percentile(values, share):
    """The least value that is not exceeded by this share (in percent) of the values."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * share // 100) - 1)]
