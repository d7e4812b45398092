"""Writes small traces with the values at which an index, an order or a conversion may be wrong: times and ids at the
limits of 63 and 64 bits, equal ids, transactions of undefined generators, names that are numbers, empty or not defined,
relations without their transactions. The chunks are sound, except for references to definitions that do not exist."""

import os
import random
import sys

import cbor2

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "support"))
from made_trace import endless, item, packed

EDGES = (0, 1, 2, 5, 2**53, 2**53 + 1, 2**63 - 2, 2**63 - 1, 2**63, 2**63 + 1, 9_300_000_000_000_000_000,
         9_999_999_999_999_999_999, 10**19, 10**19 + 7, 2**64 - 2, 2**64 - 1)
STREAMS = ("top.cpu", "Top.CPU", "5", "", None, "top.bus", "é")
GENERATORS = ("read", "5", "READ", "", None, "write 1.0")
ATTRIBUTES = ("addr", "data", "begin", "5", "")
ENUMERATION, BOOLEAN, INTEGER, UNSIGNED, FLOAT, STRING, TIME = 1, 0, 2, 3, 4, 10, 11
UNDEFINED_TEXT = 999


class Texts:
    def __init__(self):
        self.numbers = {}

    def __getitem__(self, text):
        return UNDEFINED_TEXT if text is None else self.numbers.setdefault(text, len(self.numbers))


def attribute(rng, texts, name, tag):
    kind = rng.choice((BOOLEAN, ENUMERATION, INTEGER, UNSIGNED, FLOAT, STRING, TIME))
    content = {BOOLEAN: lambda: rng.random() < 0.5,
               INTEGER: lambda: rng.choice((-1, 0, 3, -2**63, 2**63 - 1, rng.randrange(9))),
               FLOAT: lambda: rng.choice((0.5, -0.0, 1e30, float("inf"), float("nan"), 3.0, 2.0**-140))}.get(
                   kind, lambda: rng.choice(EDGES) if kind in (UNSIGNED, TIME) else
                   texts[rng.choice(("5", "x", "", "1.5", "9223372036854775808", "top.cpu", None))])()
    return item(tag, [texts[name], kind, content])


def write(path, seed, with_edges, count=60):
    """Writes a trace with about @p count transactions; @p with_edges: times and ids up to 2^64-1."""
    rng = random.Random(seed)
    texts = Texts()
    directory = [item(16, [number, texts[name], texts["kind"]]) for number, name in enumerate(STREAMS, 1)]
    generators = {}  # number of the generator -> number of its stream
    for stream in range(1, len(STREAMS) + 1):
        for name in rng.sample(GENERATORS, 2):
            generators[10 + len(generators)] = stream
            directory.append(item(17, [9 + len(generators), texts[name], stream]))
    of_stream = {}
    for generator, stream in generators.items():
        of_stream.setdefault(stream, []).append(generator)
    written, chunks, ids = [], [], []

    def time():
        return rng.choice(EDGES) if with_edges and rng.random() < 0.5 else rng.randrange(100)

    for _ in range(count // 5):
        stream = rng.randrange(1, len(STREAMS) + 1)
        body = []
        for _ in range(rng.randrange(1, 10)):
            begin, end = sorted((time(), time()))
            number = rng.choice(EDGES[1:]) if with_edges and rng.random() < 0.4 else rng.randrange(1, 2 * count)
            generator = rng.choice((*of_stream[stream], *of_stream[stream], 100 + stream, 200))  # these two do not exist
            attributes = [attribute(rng, texts, rng.choice(ATTRIBUTES), tag)
                          for tag in sorted(rng.choices((7, 8, 9), k=rng.randrange(4)))]
            body.append((begin, end, [item(6, [number, generator, begin, end]), *attributes]))
            ids.append(number)
        body.sort(key=lambda one: one[1])
        fields = [stream, min(one[0] for one in body), max(one[1] for one in body)]
        chunks.append(packed(12, fields, endless([one[2] for one in body]), rng.random() < 0.5))
        if rng.random() < 0.4:
            related = [[texts[rng.choice(("parent", "5", "", None))], rng.choice((*ids, 77777)), rng.choice(ids),
                        *((rng.randrange(1, 9), rng.randrange(1, 9)) if rng.random() < 0.7 else ())]
                       for _ in range(rng.randrange(1, 8))]
            chunks.append(packed(14, [], endless(related), rng.random() < 0.5))
    directory.append(item(16, [50, texts["ftr.run"], texts["kind"]]))
    directory.append(item(17, [50, texts["run"], 50]))
    told = [("pid", STRING, texts["12"]), ("program", INTEGER, 7), ("exit_status", STRING, texts["x"]),
            ("transactions", UNSIGNED, rng.choice((5, 2**63 + 5))), ("started", FLOAT, 0.5), ("tags", STRING, texts[""])]
    chunks.append(packed(12, [50, 0, 0], endless([[item(6, [123456, 50, 0, 0]),
                                                   *(item(7, [texts[name], kind, value]) for name, kind, value in told)]]),
                         False))
    named = [packed(8, [], cbor2.dumps({number: text for text, number in texts.numbers.items()}), False)]
    written = [item(6, cbor2.dumps([rng.choice((-12, -9, 0, 2)), item(1, 1700000000)])), *named,
               item(10, endless(directory)), *chunks]
    with open(path, "wb") as file:
        file.write(b"\xd9\xd9\xf7" + endless(written))
