"""Writes traces with events inside transactions, some of which the recorder would not write."""

import cbor2

from made_trace import endless, item, packed

TEXTS = ["bus", "cpu", "kind", "read", "read.events", "go.events", "name", "parent_of", "hit", "other", ".events"]
BEGIN, RECORD = 7, 8
STRING, UNSIGNED = 10, 3
#: stream -> its generator of parents, and of events
GENERATORS = {1: (3, 4), 2: (5, 6)}


def text(word):
    return TEXTS.index(word)


def named(tag=BEGIN, name="name", kind=STRING):
    return item(tag, [text(name), kind, text("hit") if kind == STRING else 7])


class Trace:
    """Transactions (id, stream, generator, begin, end, attributes), and relations (name, numbers...)."""

    def __init__(self):
        self.transactions = []
        self.relations = []

    def parent(self, number, begin, end, stream=1):
        self.transactions.append((number, stream, GENERATORS[stream][0], begin, end, []))

    def event(self, number, begin, end, stream=1, attributes=None):
        self.transactions.append((number, stream, GENERATORS[stream][1], begin, end,
                                  [named()] if attributes is None else attributes))

    def relate(self, source, target, name="parent_of", streams=(1, 1)):
        self.relations.append([text(name), source, target, *streams])

    def write(self, path, rng=None, compressed=False):
        parts = [item(6, cbor2.dumps([-12, item(1, 1700000000)])),
                 packed(8, [], cbor2.dumps(dict(enumerate(TEXTS))), compressed),
                 item(10, endless([item(16, [1, 0, 2]), item(16, [2, 1, 2]),
                                   item(17, [3, 3, 1]), item(17, [4, 4, 1]), item(17, [5, 3, 2]), item(17, [6, 5, 2]),
                                   item(17, [7, 10, 1])]))]
        relations = list(self.relations)
        for stream in (1, 2):
            here = [tx for tx in self.transactions if tx[1] == stream]
            while here:
                size = rng.randrange(1, 40) if rng else len(here)
                chunk, here = here[:size], here[size:]
                body = endless([[item(6, [number, generator, begin, end]), *attributes]
                                for number, _, generator, begin, end, attributes in chunk])
                parts.append(packed(12, [stream, min(tx[3] for tx in chunk), max(tx[4] for tx in chunk)], body,
                                    compressed))
                if rng and relations:
                    parts.append(item(14, endless(relations[:size])))
                    relations = relations[size:]
        if relations:
            parts.append(item(14, endless(relations)))
        with open(path, "wb") as file:
            file.write(b"\xd9\xd9\xf7" + endless(parts))


def random_trace(rng, count):
    """A trace of parents and events, of which some break a rule of events."""
    trace = Trace()
    numbers = list(range(1, count))
    rng.shuffle(numbers)
    parents = []
    for number in numbers:
        stream = rng.choice((1, 1, 1, 2))
        begin = rng.randrange(1000)
        if not parents or rng.random() < 0.3:
            trace.parent(number, begin, begin + rng.randrange(200), stream)
            parents.append((number, stream, begin))
            continue
        parent, its_stream, its_begin = rng.choice(parents)
        if rng.random() < 0.9:
            stream, begin = its_stream, its_begin + rng.randrange(20)
        trace.event(number, begin, begin + rng.choice((0, 0, 0, 5)), stream,
                    [] if rng.random() < 0.05 else [named(kind=rng.choice((STRING,) * 20 + (UNSIGNED,)))])
        for _ in range(rng.choice((0,) + (1,) * 15 + (2,))):
            streams = rng.choice([(its_stream, stream)] * 20 + [()])
            trace.relate(parent, number, name=rng.choice(("parent_of",) * 9 + ("other",)), streams=streams)
        if rng.random() < 0.05:
            trace.relate(count + 5, number)  # a parent that is not in the file
    return trace
