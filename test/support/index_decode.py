#!/usr/bin/python3
"""Decodes the index beside a trace (docs/index-format.md) and compares it with the trace.

A second implementation for the tests, which shares no code with the C libraries.

    index_decode.py TRACE...    prints a line for each difference, and exits with 1 if there is one

If a file cannot be opened, the status is 2.
"""

import struct
import sys

import lz4.block

import ftr_decode

MAGIC = b"\xd9\xd9\xf7\x84\x69ftr index"
VERSION = 1
SEED = 0xCBF29CE484222325
PRIME = 0x100000001B3
MASK = (1 << 64) - 1


def trace_hash(trace):
    """FNV-1a over the first 64 bytes and the last 4096 bytes."""
    value = SEED
    for byte in trace[:64] + trace[-4096:]:
        value = (value ^ byte) * PRIME & MASK
    return value


def section_hash(content):
    value = (SEED ^ len(content)) * PRIME & MASK
    for at in range(0, len(content), 8):
        value = (value ^ int.from_bytes(content[at:at + 8], "big")) * PRIME & MASK
    return value ^ value >> 32


def put_head(major, argument):
    """The shortest CBOR head."""
    if argument < 24:
        return bytes([major << 5 | argument])
    for info, form in ((24, ">B"), (25, ">H"), (26, ">I"), (27, ">Q")):
        if argument < 1 << 8 * struct.calcsize(form):
            return bytes([major << 5 | info]) + struct.pack(form, argument)
    raise ValueError(argument)


def encode(sections, length, value, version=VERSION):
    """An index with these sections, each (name, content) or (name, content, hash)."""
    parts = [MAGIC, put_head(0, version), b"\x9f"]
    for name, content, *hashes in sections:
        parts += [b"\x83", put_head(3, len(name)), name.encode(),
                  put_head(0, hashes[0] if hashes else section_hash(content)), put_head(2, len(content)), content]
    return b"".join(parts) + b"\xff\x82" + put_head(0, length) + put_head(0, value)


def decode(data):
    """Returns the version, the sections as (name, hash, content), and the length and hash of the trace."""
    (text, version, sections, trace), end = ftr_decode.read_item(data, 3, [])
    if data[:3] != MAGIC[:3] or text != "ftr index" or end != len(data):
        raise ValueError("not an index")
    return version, sections, trace


def items(content):
    """The items of a CBOR sequence."""
    at, found = 0, []
    while at < len(content):
        item, at = ftr_decode.read_item(content, at, [])
        found.append(item)
    return found


def joined(sections, name):
    return items(b"".join(content for its_name, _, content in sections if its_name == name))


class Chunk:
    """A chunk of a trace: its frame, and the ids of its transactions or of the transactions of its relations."""

    def __init__(self, data, at):
        item, self.end = ftr_decode.read_item(data, at, [])
        self.tag = item.tag
        fields = item.value if isinstance(item.value, list) else [item.value]
        body = fields[-1]
        self.payload = len(body)
        self.head = self.end - at - self.payload
        self.raw_size = fields[-2] if self.tag % 2 else self.payload
        self.range = fields[:3] if self.tag in (12, 13) else None
        if self.tag % 2:
            body = lz4.block.decompress(body, uncompressed_size=self.raw_size)
        self.strings, self.ids = 0, None
        if self.tag in (8, 9):
            self.strings = len(ftr_decode.read_item(body, 0, [])[0].pairs)
        elif self.tag in (12, 13):
            self.ids = [tx[0].value[0] for tx in ftr_decode.read_item(body, 0, [])[0]]
        elif self.tag in (14, 15):
            self.ids = [tx for relation in ftr_decode.read_item(body, 0, [])[0] for tx in relation[1:3]]


def chunks_of(trace):
    at, found = 4, []
    while trace[at] != 0xFF:
        found.append(Chunk(trace, at))
        at = found[-1].end
    return found


def expected_chunks(chunks):
    """The items of the section `chunks`."""
    found, start = [], 0
    for chunk in chunks:
        found += [chunk.tag, chunk.head, chunk.payload]
        if chunk.tag % 2:
            found.append(chunk.raw_size)
        if chunk.tag in (8, 9):
            found.append(chunk.strings)
        if chunk.range:
            step = (chunk.range[1] - start) & MASK
            found += [chunk.range[0], step - (step >> 63 << 64), chunk.range[2] - chunk.range[1]]
            start = chunk.range[1]
    return found


def covers(entries):
    """The ranges of each entry of the section `ids`."""
    first, found = 0, []
    for entry in entries:
        if not entry:
            found.append([])
            continue
        first = (first + entry[0]) & MASK
        if len(entry) == 2:
            found.append([(first, first + entry[1])])
        else:
            upper = first + entry[1] + entry[2]
            found.append([(first, first + entry[1]), (upper, upper + entry[3])])
    return found


def wrong_cover(ids, ranges):
    """Why the ranges are not those of the ids; None if they are."""
    outside = [tx for tx in ids if not any(low <= tx <= high for low, high in ranges)]
    if outside:
        return f"{ranges} do not contain id {outside[0]}"
    if ids and (ranges[0][0] != min(ids) or ranges[-1][1] != max(ids)):
        return f"{ranges} are wider than {min(ids)} to {max(ids)}"
    if not ids and ranges:
        return f"{ranges} of no id"
    return None


def differences(trace, index):
    """Lines that describe how the index differs from the trace."""
    version, sections, (length, value) = decode(index)
    found = []
    if version != VERSION:
        found.append(f"version {version}")
    if (length, value) != (len(trace), trace_hash(trace)):
        found.append(f"of a trace of {length} bytes with hash {value}, not {len(trace)} and {trace_hash(trace)}")
    found += [f"the hash of a section {name} is {stored}" for name, stored, content in sections
              if stored != section_hash(content)]
    chunks = chunks_of(trace)
    listed = joined(sections, "chunks")
    if listed != expected_chunks(chunks):
        found.append(f"{len(listed)} items of chunks differ from those of the trace")
    with_ids = [chunk for chunk in chunks if chunk.ids is not None]
    ranges = covers(joined(sections, "ids"))
    if len(ranges) != len(with_ids):
        found.append(f"{len(ranges)} entries for {len(with_ids)} chunks with ids")
    for number, (chunk, its) in enumerate(zip(with_ids, ranges)):
        wrong = wrong_cover(chunk.ids, its)
        if wrong:
            found.append(f"chunk {number} with ids: {wrong}")
    return found


def main(paths):
    found = 0
    for path in paths:
        try:
            with open(path, "rb") as trace, open(path + ".idx", "rb") as index:
                lines = differences(trace.read(), index.read())
        except OSError as error:
            print(f"{path}: {error}", file=sys.stderr)
            return 2
        for line in lines:
            print(f"{path}: {line}")
        found += len(lines)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
