"""Writes FTR files item by item, with an encoder that shares no code with the recorder."""

import cbor2

CLASSES = {"begin": 7, "record": 8, "end": 9}
UNSIGNED, STRING = 3, 10  # the same numbers in both numberings of types


class IndefiniteArray(list):
    """cbor2 writes definite arrays only."""


def encode(item):
    encoder = {IndefiniteArray: lambda array: b"\x9f" + b"".join(map(encode, array)) + b"\xff"}
    return encoder.get(type(item), cbor2.dumps)(item)


class Texts(dict):
    """String ids of texts; id 0 is the empty text."""

    def __init__(self):
        super().__init__({"": 0})

    def __missing__(self, text):
        self[text] = len(self)
        return self[text]


def write_ftr(path, streams, time_scale=-9, epoch=0, relations=()):
    """Writes `streams`: (name, kind, [(generator, begin, end, [(class, name, value)])]). An attribute is a text or
    an unsigned number. Transactions are numbered from 1 in this order. Writes `relations`: (name, from, to)."""
    texts, entries, chunks, streams_of = Texts(), IndefiniteArray(), [], {}
    entity = number = 0
    for name, kind, transactions in streams:
        stream = entity = entity + 1
        entries.append(cbor2.CBORTag(16, [stream, texts[name], texts[kind]]))
        generators, body = {}, IndefiniteArray()
        for generator, begin, end, attributes in transactions:
            if generator not in generators:
                generators[generator] = entity = entity + 1
                entries.append(cbor2.CBORTag(17, [entity, texts[generator], stream]))
            number += 1
            streams_of[number] = stream
            body.append([cbor2.CBORTag(6, [number, generators[generator], begin, end])] + [
                cbor2.CBORTag(CLASSES[class_], [texts[attribute], STRING, texts[value]]
                              if isinstance(value, str) else [texts[attribute], UNSIGNED, value])
                for class_, attribute, value in attributes])
        if body:
            chunks.append(cbor2.CBORTag(12, [stream, min(tx[1] for tx in transactions),
                                             max(tx[2] for tx in transactions), encode(body)]))
    if relations:
        chunks.append(cbor2.CBORTag(14, encode(IndefiniteArray(
            [texts[name], first, second, streams_of[first], streams_of[second]] for name, first, second in relations))))
    with open(path, "wb") as file:
        file.write(b"\xd9\xd9\xf7" + encode(IndefiniteArray([
            cbor2.CBORTag(6, encode([time_scale, cbor2.CBORTag(1, epoch)])),
            cbor2.CBORTag(8, encode({number: text for text, number in texts.items()})),
            cbor2.CBORTag(10, encode(entries)), *chunks])))


def write_lossy_file(path):
    """142 transactions of the file were lost, and 3 of a file that was merged into it."""
    def loss(begin, end, count):
        return ("loss", begin, end, [("begin", "what", "dropped"), ("begin", "count", count)])
    write_ftr(path, [
        ("top", "", [("read", 5, 90, [])]),
        ("ftr.losses", "losses", [loss(10, 40, 7), loss(20, 60, 35), loss(60, 60, 100)]),
        ("cpu.ftr.losses", "losses", [loss(0, 1, 3)]),
        ("not.ftr.losses", "", [loss(0, 1, 5)])])
