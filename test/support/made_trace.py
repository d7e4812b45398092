"""Writes traces of one generator that the recorder would not write, with python3-cbor2."""

import cbor2
import lz4.block


def item(tag, value):
    return cbor2.CBORTag(tag, value)


def write_damaged(path, source, rng, is_cut):
    """Writes a copy of the file @p source without its end, or with a damaged byte."""
    with open(source, "rb") as file:
        content = bytearray(file.read())
    at = rng.randrange(8, len(content))
    if is_cut:
        del content[at:]
    else:
        content[at] ^= 1 << rng.randrange(8)
    with open(path, "wb") as file:
        file.write(content)


def endless(items):
    return b"\x9f" + b"".join(cbor2.dumps(one) for one in items) + b"\xff"


def packed(tag, fields, content, compressed):
    """A chunk with the uncompressed or the compressed content; the tag of the latter is the next one."""
    if compressed:
        return item(tag + 1, [*fields, len(content), lz4.block.compress(content, store_size=False)])
    return item(tag, [*fields, content] if fields else content)


def write(path, chunks, names=(), further_texts=(), time_scale=-12, compressed=False):
    """@p chunks: lists of transactions, each (id, begin, end, attributes) with attributes (tag, name number, type,
    value); @p names: names from number 3 on; @p further_texts: lists of texts, each a dictionary of its own, with the
    numbers after those; @p compressed: dictionaries and transactions are compressed. The generator `read` of the stream
    `top.bus` has number 2."""
    dictionaries = []
    number = 0
    for texts in (["top.bus", "tlm", "read", *names], *further_texts):
        dictionaries.append(packed(8, [], cbor2.dumps(dict(enumerate(texts, number))), compressed))
        number += len(texts)
    parts = [item(6, cbor2.dumps([time_scale, item(1, 1700000000)])),
             *dictionaries,
             item(10, endless([item(16, [1, 0, 1]), item(17, [2, 2, 1])]))]
    for chunk in chunks:
        body = [[item(6, [number, 2, begin, end]), *(item(tag, [name, kind, value])
                                                     for tag, name, kind, value in attributes)]
                for number, begin, end, attributes in chunk]
        parts.append(packed(12, [1, chunk[0][1], chunk[-1][2]], endless(body), compressed))
    with open(path, "wb") as file:
        file.write(b"\xd9\xd9\xf7" + endless(parts))
