"""Writes traces of several streams that the recorder need not be able to write, with python3-cbor2."""

import cbor2

from made_trace import endless, item

BEGIN, RECORD, END = 7, 8, 9
BOOLEAN, INTEGER, UNSIGNED, STRING, TIME = 0, 2, 3, 10, 11


class Streams:
    """A trace in memory. Transactions are stored in the order in which they were added."""

    def __init__(self):
        self.texts = {}
        self.streams = {}  # name: (number, number of the kind)
        self.generators = {}  # (stream, name): number
        self.transactions = {}  # stream: [(id, generator, begin, end, attributes)]
        self.relations = []
        self.last_id = 0

    def text(self, text):
        return self.texts.setdefault(text, len(self.texts))

    def stream(self, name, kind):
        if name not in self.streams:
            self.streams[name] = (1 + len(self.streams) + len(self.generators), self.text(kind))
            self.text(name)
            self.transactions[name] = []

    def generator(self, stream, name):
        if (stream, name) not in self.generators:
            self.generators[stream, name] = 1 + len(self.streams) + len(self.generators)
            self.text(name)
        return self.generators[stream, name]

    def add(self, stream, generator, begin, end, attributes=(), chunk_of=None):
        """@p attributes: (class, name, type, value). @p chunk_of: the stream of the chunk, if it is a wrong one.
        Returns the id."""
        self.last_id += 1
        stored = [item(tag, [self.text(name), kind, self.text(value) if kind == STRING else value])
                  for tag, name, kind, value in attributes]
        self.transactions[chunk_of or stream].append(
            (self.last_id, self.generator(stream, generator), begin, end, stored))
        return self.last_id

    def relate(self, name, source, sink):
        """@p source, @p sink: (stream, id)"""
        self.relations.append((self.text(name), source, sink))

    def write(self, path, chunk=40):
        directory = [item(16, [number, self.text(name), kind]) for name, (number, kind) in self.streams.items()]
        directory += [item(17, [number, self.text(name), self.streams[stream][0]])
                      for (stream, name), number in self.generators.items()]
        parts = [item(6, cbor2.dumps([-12, item(1, 1700000000)])),
                 item(8, cbor2.dumps({number: text for text, number in self.texts.items()})),
                 item(10, endless(directory))]
        for stream, stored in self.transactions.items():
            for at in range(0, len(stored), chunk):
                some = stored[at:at + chunk]
                body = [[item(6, [number, generator, begin, end]), *attributes]
                        for number, generator, begin, end, attributes in some]
                parts.append(item(12, [self.streams[stream][0], min(tx[2] for tx in some),
                                       max(tx[3] for tx in some), endless(body)]))
        if self.relations:
            parts.append(item(14, endless([[name, source[1], sink[1], self.streams[source[0]][0],
                                            self.streams[sink[0]][0]] for name, source, sink in self.relations])))
        with open(path, "wb") as file:
            file.write(b"\xd9\xd9\xf7" + endless(parts))
