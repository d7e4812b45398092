#!/usr/bin/python3
"""Checks, by counting instructions, that joins are linear in the size of a trace.

    join_costs_test.py FTR

Four times the transactions and relations must take at most five times the instructions, in each order in which a query
names its tables. A nested scan of all rows takes 16 times as many. A look-up that expands its chunk again exceeds the
limit for each transaction.
"""

import concurrent.futures
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

import cbor2

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "support"))
from made_trace import endless, item, packed

FEW, MANY = 500, 2000
RATIO = 5
LIMIT = 20_000  # instructions for each transaction
IN_CHUNK = 100
# With this budget, the index of ids fits, and the index of relations does not.
SCARCE = "320K"
EXISTS = "EXISTS (SELECT 1 FROM relation r WHERE r.{} = tx.id)"

# Options and query.
QUERIES = [(options, f"SELECT count(*), max({column}) FROM {tables}") for options, tables, column in (
    ("", "relation r JOIN tx ON tx.run = r.run AND tx.id = r.from_tx WHERE tx.stream = 'top.cpu'", "r.to_tx"),
    ("", "tx JOIN relation r ON r.run = tx.run AND r.from_tx = tx.id WHERE tx.stream = 'top.cpu'", "r.to_tx"),
    ("", "tx CROSS JOIN relation r ON r.from_tx = tx.id", "r.to_tx"),
    ("", "tx s JOIN relation r ON r.from_tx = s.id JOIN tx t ON t.id = r.to_tx", "t.begin - s.end"),
    ("", "top_cpu_read s JOIN relation r ON r.from_tx = s.id JOIN top_dma_read t ON t.id = r.to_tx", "t.begin - s.end"),
    ("", "top_dma_read t JOIN relation r ON r.to_tx = t.id", "t.address + r.from_tx"),
    ("", "relation r JOIN attribute a ON a.tx = r.from_tx", "a.value"),
    ("", "tx WHERE NOT " + EXISTS.format("from_tx") + " AND " + EXISTS.format("to_tx"), "id"),
    (SCARCE, "relation r JOIN tx ON tx.run = r.run AND tx.id = r.from_tx", "r.to_tx"),
    (SCARCE, "tx JOIN relation r ON r.run = tx.run AND r.from_tx = tx.id WHERE tx.stream = 'top.cpu'", "r.to_tx"),
    (SCARCE, "top_cpu_read s JOIN relation r ON r.from_tx = s.id", "s.begin + r.to_tx"),
)]
QUERIES.append(("", "WITH RECURSIVE tree(id) AS (VALUES (1) UNION SELECT to_tx FROM tree JOIN relation ON from_tx = "
                    "tree.id) SELECT count(*), max(begin) FROM tree JOIN tx USING (id)"))


def write(path, count):
    """Writes @p count transactions of two streams, each with two relations from any earlier transaction."""
    rng = random.Random(1)
    names = {number: text for number, text in enumerate(("top.cpu", "top.dma", "tlm", "read", "address", "caused"))}
    chunks = []
    for first in range(1, count, IN_CHUNK):
        for stream in (1, 2):
            own = [[item(6, [tx, 10 + stream, tx * 10, tx * 10 + 50]), item(7, [4, 3, tx % 64])]
                   for tx in range(first, first + IN_CHUNK) if tx % 2 == stream - 1]
            chunks.append(packed(12, [stream, first * 10, (first + IN_CHUNK) * 10 + 50], endless(own), True))
        related = [[5, rng.randrange(1, tx), tx] for tx in range(max(first, 2), first + IN_CHUNK) for _ in range(2)]
        chunks.append(packed(14, [], endless(related), True))
    directory = [item(16, [1, 0, 2]), item(17, [11, 3, 1]), item(16, [2, 1, 2]), item(17, [12, 3, 2])]
    with open(path, "wb") as file:
        file.write(b"\xd9\xd9\xf7" + endless([item(6, cbor2.dumps([-12, item(1, 1700000000)])),
                                              packed(8, [], cbor2.dumps(names), False),
                                              item(10, endless(directory)), *chunks]))


def instructions(ftr, path, options, query):
    """Returns the instructions of a query and its output."""
    memory = ["--memory", options] if options else []
    # `ftr sql` is a program of its own that ftr executes.
    done = subprocess.run(["valgrind", "--trace-children=yes", "--tool=cachegrind", "--cache-sim=no",
                           "--cachegrind-out-file=/dev/null",
                           ftr, "sql", *memory, path, query], capture_output=True, text=True, check=False)
    counted = re.search(r"I +refs: +([0-9,]+)", done.stderr)
    return (int(counted[1].replace(",", "")) if done.returncode == 0 and counted else -1), done.stdout


def main(ftr):
    if shutil.which("valgrind") is None:
        print("valgrind is not installed")
        return 77
    failed = False
    with tempfile.TemporaryDirectory() as directory:
        paths = {count: os.path.join(directory, f"{count}.ftr") for count in (0, FEW, MANY)}
        for count, path in paths.items():
            write(path, count or IN_CHUNK)
        base, _ = instructions(ftr, paths[0], "", "SELECT 1")  # start and end of the process
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            counted = pool.map(lambda q: [instructions(ftr, paths[count], *q) for count in (FEW, MANY)], QUERIES)
            for (options, query), ((few, _), (many, output)) in zip(QUERIES, counted):
                ratio = (many - base) / max(few - base, 1)
                wrong = few < 0 or many < 0 or ratio > RATIO or many - base > LIMIT * MANY or " 0 " in output.splitlines()[-1]
                failed |= wrong
                print(f"{'FAILED ' if wrong else ''}{ratio:.2f} times as many, {(many - base) / MANY:.0f} for each "
                      f"transaction: {options} {query}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
