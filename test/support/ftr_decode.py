#!/usr/bin/python3
"""Decodes FTR files and checks them against all rules of the viewers.

A second implementation for the tests: it shares no code with the C libraries, so that an error
there is not repeated here. It owns the rules below (docs/format.md gives their reasons) and does
not know the program that wrote a file.

    ftr_decode.py check FILE... [--floats double] [--numbering spec] [--allow RULE,...] [--werror]
                                [--web]
    ftr_decode.py json FILE...    the content as JSON Lines
    ftr_decode.py summary FILE... counts of the content
    ftr_decode.py rules           the rules of `check`

For several files, json prints a record `file` and summary a line `file` before the output for each
file.

check prints a line for each finding and exits with 1 if one of them is an error. json and summary
print all readable content and exit with 1 if the file is truncated or damaged, that is, if some
bytes are not CBOR, not LZ4 or not a chunk. If a file cannot be opened, or an argument is wrong, the
status is 2.
"""

import argparse
import collections
import json
import math
import os
import struct
import sys

import cbor2
import lz4.block
from cbor2 import CBORTag

# ---- rules ---------------------------------------------------------------------------------------

ERROR = "error"
WARNING = "warning"

#: name -> (severity, requirement)
RULES = {
    "magic": (ERROR, "the file begins with d9 d9 f7 9f"),
    "well-formed": (ERROR, "every item is well-formed CBOR and complete"),
    "top-level": (ERROR, "only tags 6 and 8 to 15 at the top level"),
    "end": (ERROR, "one break ends the file, and no byte follows it"),
    "info": (ERROR, "the first chunk, and no other, is the info: bstr([int, 1(int)])"),
    "chunk-shape": (ERROR, "a chunk is a definite byte string or a definite array of its fields"),
    "empty-body": (ERROR, "no body has zero bytes"),
    "body-shape": (ERROR, "a body is one indefinite array and nothing behind it"),
    "dictionary-map": (ERROR, "a dictionary body is one definite, not empty map of uint to text"),
    "dictionary-ids": (ERROR, "string ids are 0, 1, 2, ... over all dictionary chunks"),
    "utf8": (ERROR, "text is valid UTF-8"),
    "item-shape": (ERROR, "what is within bodies is definite and has the fields it should"),
    "undefined-string": (ERROR, "a string is defined before it is used"),
    "undefined-stream": (ERROR, "a stream is defined before its generators and transactions"),
    "undefined-generator": (ERROR, "a generator is defined before its transactions"),
    "defined-twice": (ERROR, "every stream and every generator is defined once"),
    "float-width": (ERROR, "floats are single precision"),
    "relation-elements": (ERROR, "relations have five elements"),
    "relation-ends": (ERROR, "both transactions of a relation are in the file"),
    "relation-streams": (ERROR, "a relation names the streams that its transactions are in"),
    "tx-id": (ERROR, "transaction ids are unique over the file"),
    "tx-stream": (ERROR, "a transaction is in a chunk of its generator's stream"),
    "tx-times": (ERROR, "no transaction ends before it begins"),
    "chunk-range": (ERROR, "a chunk's start and end enclose its transactions"),
    "chunk-range-tight": (ERROR, "a chunk's start and end are its first begin and last end"),
    "end-order": (WARNING, "transactions of a generator stand in order of end"),
    "stream-name-unique": (ERROR, "stream names are unique"),
    "stream-name-prefix": (ERROR, "no stream name is a dotted prefix of a later one"),
    "stream-name-dot": (ERROR, "no part of a stream name, between its dots, is empty"),
    "time-range": (WARNING, "times fit 63 bits when counted in fs"),
    "unsigned-range": (WARNING, "UNSIGNED is less than 2^63"),
    "attribute-name": (WARNING, "attributes of one name have one type and one class"),
    "attribute-class": (ERROR, "attributes have tag 7, 8 or 9"),
    "type-id": (ERROR, "attribute types are those of the numbering in use"),
    "value-type": (ERROR, "a value is of its attribute's type"),
    "lz4": (ERROR, "compressed bodies are sound LZ4 blocks"),
    "raw-size": (ERROR, "raw_size is the exact size of the expanded body"),
    "shortest": (WARNING, "heads have their shortest form"),
    "web-compressed": (ERROR, "transaction chunks are plain (with --web: Surfer in a browser)"),
    "web-relation-order": (ERROR, "a relation stands behind its transactions (with --web)"),
    "web-unused-generator": (ERROR, "every generator has a transaction (with --web)"),
    "file-name": (WARNING, "the file name ends with .ftr and has no other dot"),
    "cross-check": (ERROR, "cbor2 decodes the same values (else this decoder is wrong)"),
}

Finding = collections.namedtuple("Finding", "rule offset message")

# ---- CBOR ----------------------------------------------------------------------------------------


class Malformed(Exception):
    """Bytes that are not a CBOR item, or an incomplete one."""

    def __init__(self, offset, message):
        super().__init__(message)
        self.offset = offset


class Indefinite(list):
    """The elements of an indefinite array; a definite one is a plain list."""


class Map:
    """A map; pairs are its (key, value) in file order, including repeated keys."""

    def __init__(self, indefinite):
        self.indefinite = indefinite
        self.pairs = []


class Half(float):
    pass


class Single(float):
    pass


class Double(float):
    pass


class Simple(int):
    """A simple value other than false, true, null and undefined."""


_BREAK = object()
_DEPTH = 32
_ARGUMENT = {24: struct.Struct(">B"), 25: struct.Struct(">H"),
             26: struct.Struct(">I"), 27: struct.Struct(">Q")}
_LEAST = {24: 24, 25: 1 << 8, 26: 1 << 16, 27: 1 << 32}
_FLOAT = {25: (struct.Struct(">e"), Half), 26: (struct.Struct(">f"), Single),
          27: (struct.Struct(">d"), Double)}
_SIMPLE = {20: False, 21: True, 22: None, 23: cbor2.undefined}


def read_item(data, pos, notes):
    """Reads the item at data[pos].

    Returns (value, position after it). The types of the values show definite or indefinite length
    and the width of floats. Appends (rule, offset, message) to notes for valid CBOR in a form that
    FTR does not allow. Raises Malformed.
    """
    try:
        value, end = _item(data, pos, notes, _DEPTH)
    except (IndexError, struct.error):
        raise Malformed(pos, "the bytes end within this item") from None
    if value is _BREAK:
        raise Malformed(pos, "a break where an item should be")
    return value, end


def _item(data, pos, notes, depth):
    head = data[pos]
    if head < 24:
        return head, pos + 1
    start = pos
    major, info = head >> 5, head & 31
    pos += 1
    if info < 24:
        argument = info
    elif info < 28:
        form = _ARGUMENT[info]
        argument = form.unpack_from(data, pos)[0]
        pos += form.size
        if argument < _LEAST[info] and major != 7:
            notes.append(("shortest", start, f"{argument} takes {form.size + 1} bytes"))
    elif info == 31:
        if major in (0, 1, 6):
            raise Malformed(start, f"head {head:02x} does not exist")
        argument = None
    else:
        raise Malformed(start, f"head {head:02x} does not exist")

    if major == 0:
        return argument, pos
    if major == 1:
        return -1 - argument, pos
    if major == 7:
        return _simple_or_float(data, start, pos, info, argument)
    if major in (2, 3):
        return _string(data, start, pos, major, argument, notes)
    if depth == 0:
        raise Malformed(start, f"items nest deeper than {_DEPTH}")
    if major == 6:
        value, pos = _element(data, pos, notes, depth - 1)
        return CBORTag(argument, value), pos
    if major == 4:
        return _array(data, pos, argument, notes, depth - 1)
    return _map(data, pos, argument, notes, depth - 1)


def _element(data, pos, notes, depth):
    value, end = _item(data, pos, notes, depth)
    if value is _BREAK:
        raise Malformed(pos, "a break where an item should be")
    return value, end


def _simple_or_float(data, start, pos, info, argument):
    if info == 31:
        return _BREAK, pos
    if info in _FLOAT:
        form, kind = _FLOAT[info]
        return kind(form.unpack_from(data, start + 1)[0]), pos
    if info == 24 and argument < 32:
        raise Malformed(start, f"simple value {argument} in two bytes")
    return _SIMPLE.get(argument, Simple(argument)), pos


def _array(data, pos, count, notes, depth):
    if count is None:
        elements = Indefinite()
        while True:
            value, pos = _item(data, pos, notes, depth)
            if value is _BREAK:
                return elements, pos
            elements.append(value)
    elements = []
    append = elements.append
    for _ in range(count):
        head = data[pos]
        if head < 24:  # fast path: most items of a file are small integers
            append(head)
            pos += 1
            continue
        value, pos = _item(data, pos, notes, depth)
        if value is _BREAK:
            raise Malformed(pos - 1, "a break within a definite array")
        append(value)
    return elements, pos


def _map(data, pos, count, notes, depth):
    result = Map(count is None)
    pairs = result.pairs
    while count is None or len(pairs) < count:
        key, pos = _item(data, pos, notes, depth)
        if key is _BREAK:
            if count is None:
                break
            raise Malformed(pos - 1, "a break within a definite map")
        value, pos = _element(data, pos, notes, depth)
        pairs.append((key, value))
    return result, pos


def _string(data, start, pos, major, size, notes):
    if size is None:
        notes.append(("item-shape", start, "a string of indefinite length"))
        parts = []
        while data[pos] != 0xFF:
            if data[pos] >> 5 != major or data[pos] & 31 == 31:
                raise Malformed(pos, "a part of a string is no definite string of its type")
            part, pos = _item(data, pos, notes, 0)
            parts.append(part)
        return (b"" if major == 2 else "").join(parts), pos + 1
    end = pos + size
    if end > len(data):
        raise Malformed(start, f"a string of {size} bytes where {len(data) - pos} are left")
    value = bytes(data[pos:end])
    if major == 2:
        return value, end
    try:
        return value.decode("utf-8"), end
    except UnicodeDecodeError as error:
        notes.append(("utf8", start, f"{value!a}: {error.reason}"))
        return value.decode("utf-8", "surrogateescape"), end


def kind_of(value):
    """Returns a description of an item, for messages."""
    if value is None or type(value) is bool:
        return json.dumps(value)
    if value is cbor2.undefined:
        return "undefined"
    if isinstance(value, Simple):
        return f"simple value {int(value)}"
    if isinstance(value, CBORTag):
        return f"tag {value.tag}"
    if isinstance(value, Indefinite):
        return "an indefinite array"
    if isinstance(value, Map):
        return "an indefinite map" if value.indefinite else "a definite map"
    if isinstance(value, list):
        return f"a definite array of {len(value)}"
    if isinstance(value, float):
        return {Half: "a half", Single: "a single", Double: "a double"}[type(value)] + " float"
    if isinstance(value, int):
        return f"the integer {value}"
    return "a byte string" if isinstance(value, bytes) else "text"


def is_uint(value):
    return type(value) is int and value >= 0


def _same(ours, theirs):
    """Returns true if cbor2 read the same value. Plain == fails for NaN."""
    if isinstance(ours, Map):
        return isinstance(theirs, dict) and ours.pairs == list(theirs.items())
    if ours == theirs:
        return True
    if isinstance(ours, float):
        return isinstance(theirs, float) and math.isnan(ours) and math.isnan(theirs)
    if isinstance(ours, CBORTag):
        return (isinstance(theirs, CBORTag) and ours.tag == theirs.tag
                and _same(ours.value, theirs.value))
    if isinstance(ours, list):
        # cbor2 6 reads arrays below tags as tuples.
        return (isinstance(theirs, (list, tuple)) and len(ours) == len(theirs)
                and all(map(_same, ours, theirs)))
    return False


# ---- FTR -----------------------------------------------------------------------------------------

CLASSES = {7: "begin", 8: "record", 9: "end"}

#: numbering -> {type id: (name, form of the value)}
NUMBERINGS = {
    "deployed": dict(enumerate([
        ("BOOLEAN", "bool"), ("ENUMERATION", "id"), ("INTEGER", "int"), ("UNSIGNED", "uint"),
        ("FLOATING_POINT_NUMBER", "float"), ("BIT_VECTOR", "id"), ("LOGIC_VECTOR", "id"),
        ("FIXED_POINT_INTEGER", "float"), ("UNSIGNED_FIXED_POINT_INTEGER", "float"),
        ("POINTER", "uint"), ("STRING", "id"), ("TIME", "uint")])),
    # The published text has NONE for 0, a type without a value, so 0 cannot occur.
    "spec": dict(enumerate([
        ("BOOLEAN", "bool"), ("INTEGER", "int"), ("UNSIGNED", "uint"),
        ("FLOATING_POINT_NUMBER", "float"), ("FIXED_POINT_INTEGER", "float"),
        ("UNSIGNED_FIXED_POINT_INTEGER", "float"), ("ENUMERATION", "id"), ("BIT_VECTOR", "int"),
        ("LOGIC_VECTOR", "int"), ("STRING", "id"), ("POINTER", "int"), ("TIME", "int")], start=1)),
}

#: chunk kind -> number of integers before its body
_CHUNK_FIELDS = {"info": 0, "dictionary": 0, "directory": 0, "transactions": 3, "relations": 0}
#: top-level tag -> (chunk kind, is compressed)
_CHUNKS = {6: ("info", False), 8: ("dictionary", False), 9: ("dictionary", True),
           10: ("directory", False), 11: ("directory", True), 12: ("transactions", False),
           13: ("transactions", True), 14: ("relations", False), 15: ("relations", True)}

_LZ4_EXPANSION = 255  # maximum expansion of an LZ4 block

Stream = collections.namedtuple("Stream", "id name kind")
Generator = collections.namedtuple("Generator", "id name stream")
#: attributes are (tag, name id, type id, value) tuples
Transaction = collections.namedtuple("Transaction", "id stream generator begin end attributes")
Relation = collections.namedtuple("Relation", "name source target source_stream target_stream")


class Trace:
    """A decoded file. Names are stored as dictionary ids: text() and name() resolve them."""

    def __init__(self, data, floats="single", numbering="deployed", allow=(), web=False):
        self.floats = floats
        self.web = web
        self.types = NUMBERINGS[numbering]
        self.time_scale = None
        self.epoch = None
        self.strings = {}
        self.streams = {}
        self.generators = {}
        self.transactions = []
        self.relations = []
        self.chunk_counts = collections.Counter()
        self.findings = []
        self._allow = frozenset(allow)
        self._offset = 0                # of the chunk being read
        self._chunk_has_errors = False
        self._chunks_seen = 0
        self._next_string = 0
        self._stream_names = set()
        self._stream_of = {}            # transaction id -> stream id
        self._chunk_of = {}             # transaction id -> offset of its chunk
        self._pending_relations = []    # (chunk offset, relation, whether it has five elements)
        self._last_end = {}             # generator id -> latest end
        self._out_of_order = set()      # generators already warned about
        self._sound_attributes = set()  # (tag, name id, type id) that passed every check
        self._attribute_shapes = {}     # name text -> (tag, type id) of its first use
        self._time_limit = None         # the smallest number of ticks that is too large
        self._time_warned = False       # in this chunk
        self._read(bytes(data))
        del self._sound_attributes, self._stream_of, self._pending_relations

    # -- queries

    def errors(self):
        return [f for f in self.findings if RULES[f.rule][0] == ERROR]

    def damage(self):
        """Returns the findings about truncation or damage."""
        rules = ("magic", "well-formed", "top-level", "end", "lz4")
        return [f for f in self.findings if f.rule in rules]

    def text(self, string_id):
        """Returns the string with this id, or None."""
        return self.strings.get(string_id)

    def name(self, definition):
        """Returns the name of a stream or generator; None for an undefined one."""
        return None if definition is None else self.text(definition.name)

    # -- reporting

    def _report(self, rule, message):
        if RULES[rule][0] == ERROR:
            self._chunk_has_errors = True
        if rule in self._allow:
            return
        self.findings.append(Finding(rule, self._offset, message))

    def _report_notes(self, notes, where=""):
        for rule, offset, message in notes:
            self._report(rule, f"{message}, at byte {offset}{where}")

    # -- the file

    def _read(self, data):
        if data[:4] != b"\xd9\xd9\xf7\x9f":
            self._report("magic", f"it begins with {data[:4].hex(' ') or 'nothing'}")
            return
        pos = 4
        while pos < len(data) and data[pos] != 0xFF:
            self._offset = pos
            self._chunk_has_errors = False
            self._time_warned = False
            notes = []
            try:
                item, end = read_item(data, pos, notes)
            except Malformed as error:
                self._report("well-formed", f"{error} (byte {error.offset} of the file)")
                self._check_relations()
                return
            self._report_notes(notes, " of the file")
            self._chunk(item)
            self._cross_check(item, data[pos:end])
            self._chunks_seen += 1
            pos = end
        self._check_relations()
        self._check_generators()
        self._offset = pos
        if pos == len(data):
            self._report("end", "the break is missing")
        elif pos + 1 != len(data):
            self._report("end", f"{len(data) - pos - 1} bytes follow the break")
        if self._chunks_seen == 0:
            self._report("info", "there is none")

    def _chunk(self, item):
        if type(item) is not CBORTag or item.tag not in _CHUNKS:
            self._report("top-level", f"{kind_of(item)} is no chunk")
            return
        kind, is_compressed = _CHUNKS[item.tag]
        self.chunk_counts[item.tag] += 1
        if (kind == "info") != (self._chunks_seen == 0):
            self._report("info", "an info chunk that is not the first" if kind == "info"
                         else f"the first chunk has tag {item.tag}")
        if self.web and is_compressed and kind == "transactions":
            self._report("web-compressed", "a compressed transaction chunk")
        fields, body = self._chunk_fields(kind, is_compressed, item)
        if body is None:
            return
        if not body:
            self._report("empty-body", f"the {kind} body has no bytes")
            return
        notes = []
        try:
            content, end = read_item(body, 0, notes)
        except Malformed as error:
            self._report("well-formed", f"{error} (byte {error.offset} of the {kind} body)")
            return
        self._report_notes(notes, f" of the {kind} body")
        if end != len(body):
            self._report("info" if kind == "info" else
                         "dictionary-map" if kind == "dictionary" else "body-shape",
                         f"{len(body) - end} bytes follow the item of the {kind} body")
        if kind == "info":
            self._info(content)
        elif kind == "dictionary":
            self._dictionary(content)
        elif isinstance(content, list):
            if type(content) is not Indefinite:
                self._report("body-shape", f"the {kind} body is {kind_of(content)}")
            getattr(self, "_" + kind)(content, *fields)
        else:
            self._report("body-shape", f"the {kind} body is {kind_of(content)}")
        if kind != "info":  # cbor2 converts tag 1 to a date
            self._cross_check(content, body)

    def _chunk_fields(self, kind, is_compressed, item):
        """Returns (the integers before the body, the body expanded), or (None, None)."""
        count = _CHUNK_FIELDS[kind] + is_compressed
        rule = "info" if kind == "info" else "chunk-shape"
        *fields, body = [item.value] if count == 0 else (
            self._array(item.value, count + 1, f"the {kind} chunk", rule) or [None])
        if body is None and count:
            return None, None
        if type(body) is not bytes:
            self._report(rule, f"the {kind} body is {kind_of(body)}, not a byte string")
            return None, None
        if not all(map(is_uint, fields)):
            self._report(rule, f"the {kind} chunk has {', '.join(map(kind_of, fields))} "
                         "before its body")
            return None, None
        if is_compressed:
            body = self._expand(body, fields.pop(), kind)
        return fields, body

    def _expand(self, block, raw_size, kind):
        most = _LZ4_EXPANSION * len(block) + 64
        for size in sorted({min(raw_size, most), most}):
            try:
                body = lz4.block.decompress(block, uncompressed_size=size)
            except (lz4.block.LZ4BlockError, ValueError):
                continue
            if len(body) != raw_size:
                self._report("raw-size", f"raw_size is {raw_size}, the {kind} body expands to "
                             f"{len(body)} bytes")
            return body
        self._report("lz4", f"the {kind} body of {len(block)} bytes does not expand")
        return None

    def _cross_check(self, ours, encoded):
        if self._chunk_has_errors:
            return  # for this content, cbor2 may correctly interpret a tag, merge keys or reject a text
        try:
            reason = "" if _same(ours, cbor2.loads(encoded)) else "its values differ"
        except Exception as error:  # any exception: this decoder accepted the bytes, cbor2 did not
            reason = f"{type(error).__name__}: {error}"
        if reason:
            self._report("cross-check", f"cbor2 disagrees: {reason}")

    def _array(self, value, length, what, rule="item-shape"):
        """Checks for a definite array. Also returns an indefinite one of the right length."""
        if not isinstance(value, list) or len(value) != length:
            size = f" with {len(value)} elements" if type(value) is Indefinite else ""
            self._report(rule, f"{what} is {kind_of(value)}{size}, not a definite array of "
                         f"{length}")
            return None
        if type(value) is Indefinite:
            self._report(rule, f"{what} is an indefinite array")
        return value

    def _uints(self, values, what):
        if all(map(is_uint, values)):
            return True
        bad = next(value for value in values if not is_uint(value))
        self._report("item-shape", f"{what} has {kind_of(bad)} in place of an unsigned integer")
        return False

    def _check_string(self, string_id, what):
        if string_id not in self.strings:
            self._report("undefined-string", f"{what} is string {string_id}, not defined so far")

    # -- chunks

    def _info(self, content):
        pair = self._array(content, 2, "its content", "info")
        if pair is None:
            return
        scale, epoch = pair
        if type(scale) is int:
            self.time_scale = scale
            if scale >= -15:
                self._time_limit = -(-(1 << 63) // 10 ** (scale + 15))  # rounded up
            else:
                self._report("time-range", f"the time scale {scale} is below -15")
        else:
            self._report("info", f"the time scale is {kind_of(scale)}")
        if type(epoch) is CBORTag and epoch.tag == 1 and type(epoch.value) is int:
            self.epoch = epoch.value
        else:
            inner = f" of {kind_of(epoch.value)}" if type(epoch) is CBORTag else ""
            self._report("info", f"the epoch is {kind_of(epoch)}{inner}, not tag 1 of an integer")

    def _dictionary(self, content):
        if not isinstance(content, Map):
            self._report("dictionary-map", f"the body is {kind_of(content)}")
            return
        if content.indefinite or not content.pairs:
            self._report("dictionary-map", "the map is " +
                         ("indefinite" if content.indefinite else "empty"))
        for string_id, text in content.pairs:
            if not is_uint(string_id) or type(text) is not str:
                self._report("dictionary-map", f"{kind_of(string_id)} stands for {kind_of(text)}")
                continue
            if string_id != self._next_string:
                self._report("dictionary-ids", f"string {string_id} where {self._next_string} "
                             "is due")
            # One wrong id is one finding: numbering continues from it.
            self._next_string = string_id + 1
            self.strings.setdefault(string_id, text)

    def _directory(self, content):
        for entry in content:
            if type(entry) is not CBORTag or entry.tag not in (16, 17):
                self._report("item-shape", f"a directory entry is {kind_of(entry)}")
                continue
            what = "a stream entry" if entry.tag == 16 else "a generator entry"
            fields = self._array(entry.value, 3, what)
            if fields is None or not self._uints(fields, what):
                continue
            if entry.tag == 16:
                self._stream(Stream(fields[0], fields[1], fields[2]))
            else:
                self._generator(Generator(*fields))

    def _stream(self, stream):
        if stream.id in self.streams:
            self._report("defined-twice", f"stream {stream.id}")
            return
        self.streams[stream.id] = stream
        self._check_string(stream.name, f"the name of stream {stream.id}")
        self._check_string(stream.kind, f"the kind of stream {stream.id}")
        name = self.name(stream)
        if name is None:
            return
        if "" in name.split("."):
            self._report("stream-name-dot", f"stream {stream.id} is named {name!a}")
        if name in self._stream_names:
            self._report("stream-name-unique", f"stream {stream.id} is one more {name!a}")
        else:
            for end, letter in enumerate(name):
                if letter == "." and name[:end] in self._stream_names:
                    self._report("stream-name-prefix", f"{name[:end]!a} comes before {name!a}")
        self._stream_names.add(name)

    def _generator(self, generator):
        if generator.id in self.generators:
            self._report("defined-twice", f"generator {generator.id}")
            return
        self.generators[generator.id] = generator
        self._check_string(generator.name, f"the name of generator {generator.id}")
        if generator.stream not in self.streams:
            self._report("undefined-stream", f"generator {generator.id} is of stream "
                         f"{generator.stream}, not defined so far")

    def _transactions(self, content, stream, start, end):
        if stream not in self.streams:
            self._report("undefined-stream", f"the chunk is of stream {stream}, not defined so far")
        first = len(self.transactions)
        for item in content:
            self._transaction(item, stream)
        read = self.transactions[first:]
        if not read:
            return
        begin = min(tx.begin for tx in read)
        last = max(tx.end for tx in read)
        extent = f"the chunk says {start} to {end}, its transactions are from {begin} to {last}"
        if start > begin or end < last:
            self._report("chunk-range", extent)
        elif (start, end) != (begin, last):
            self._report("chunk-range-tight", extent)

    def _transaction(self, item, stream):
        if not isinstance(item, list) or not item:
            self._report("item-shape", f"a transaction is {kind_of(item)}")
            return
        if type(item) is Indefinite:
            self._report("item-shape", "a transaction is an indefinite array")
        event = item[0]
        if type(event) is not CBORTag or event.tag != 6:
            self._report("item-shape", f"a transaction begins with {kind_of(event)}, not tag 6")
            return
        fields = event.value
        if type(fields) is not list or len(fields) != 4:
            fields = self._array(fields, 4, "an event")
            if fields is None:
                return
        if not self._uints(fields, "an event"):
            return
        tx_id, generator_id, begin, end = fields
        self._check_event(tx_id, generator_id, begin, end, stream)
        attributes = [self._attribute(tx_id, attribute) for attribute in item[1:]]
        if None in attributes:
            attributes = [attribute for attribute in attributes if attribute is not None]
        self.transactions.append(
            Transaction(tx_id, stream, generator_id, begin, end, attributes))

    def _check_event(self, tx_id, generator_id, begin, end, stream):
        if tx_id in self._stream_of:
            self._report("tx-id", f"one more transaction {tx_id}")
        else:
            self._stream_of[tx_id] = stream
            self._chunk_of[tx_id] = self._offset
        generator = self.generators.get(generator_id)
        if generator is None:
            self._report("undefined-generator", f"transaction {tx_id} is of generator "
                         f"{generator_id}, not defined so far")
        elif generator.stream != stream:
            self._report("tx-stream", f"transaction {tx_id} of generator {generator_id}, hence of "
                         f"stream {generator.stream}, is in a chunk of stream {stream}")
        if end < begin:
            self._report("tx-times", f"transaction {tx_id} begins at {begin} and ends at {end}")
        self._check_time(end, f"transaction {tx_id} ends at")
        if end < self._last_end.get(generator_id, 0):
            if generator_id not in self._out_of_order:
                self._out_of_order.add(generator_id)
                self._report("end-order", f"transaction {tx_id} ends at {end}, one of generator "
                             f"{generator_id} before it at {self._last_end[generator_id]}")
        else:
            self._last_end[generator_id] = end

    def _check_time(self, ticks, what):
        if self._time_limit is not None and ticks >= self._time_limit and not self._time_warned:
            self._time_warned = True
            self._report("time-range", f"{what} {ticks} x 10^{self.time_scale} s")

    def _attribute(self, tx_id, item):
        if type(item) is not CBORTag:
            self._report("item-shape", f"transaction {tx_id} has {kind_of(item)} for an attribute")
            return None
        tag, fields = item.tag, item.value
        if tag not in CLASSES:
            self._report("attribute-class", f"transaction {tx_id} has an attribute of tag {tag}")
            return None
        if type(fields) is not list or len(fields) != 3:
            fields = self._array(fields, 3, f"an attribute of transaction {tx_id}")
            if fields is None:
                return None
        name_id, type_id, value = fields
        if type(name_id) is not int or type(type_id) is not int:
            self._uints((name_id, type_id), f"an attribute of transaction {tx_id}")
            return None
        key = (tag, name_id, type_id)
        if key not in self._sound_attributes and not self._check_attribute(tx_id, *key):
            return None
        if type_id in self.types:
            self._check_value(tx_id, name_id, type_id, value)
        return tag, name_id, type_id, value

    def _check_attribute(self, tx_id, tag, name_id, type_id):
        """Checks everything but the value. Returns true if the attribute can be used."""
        if not self._uints((name_id, type_id), f"an attribute of transaction {tx_id}"):
            return False
        if type_id not in self.types:
            self._report("type-id", f"transaction {tx_id} has an attribute of type {type_id}")
            return True
        name = self.text(name_id)
        if name is None:
            self._check_string(name_id, f"the name of an attribute of transaction {tx_id}")
            return True
        self._sound_attributes.add((tag, name_id, type_id))
        first_tag, first_type = self._attribute_shapes.setdefault(name, (tag, type_id))
        if (first_tag, first_type) != (tag, type_id):
            self._report("attribute-name", f"{name!a} is {CLASSES[tag]} {self.types[type_id][0]} "
                         f"in transaction {tx_id}, {CLASSES[first_tag]} "
                         f"{self.types[first_type][0]} before")
        return True

    def _check_value(self, tx_id, name_id, type_id, value):
        type_name, form = self.types[type_id]
        kind = type(value)
        if form == "id":
            if kind is int and value in self.strings:
                return
            fits = is_uint(value)
            if fits:
                self._check_string(value, f"attribute {self.text(name_id)!a} of transaction "
                                   f"{tx_id}")
        elif form == "float":
            fits = isinstance(value, float)
            if fits and kind is not Single and not (kind is Double and self.floats == "double"):
                self._report("float-width", f"attribute {self.text(name_id)!a} of transaction "
                             f"{tx_id} is {kind_of(value)}")
        elif form == "bool":
            fits = kind is bool
        elif form == "uint":
            fits = kind is int and value >= 0
        else:
            # 64 bits: signed for INTEGER; vectors, pointers and times may also use the sign bit.
            fits = kind is int and -(1 << 63) <= value < (
                1 << 63 if type_name == "INTEGER" else 1 << 64)
        if not fits:
            self._report("value-type", f"attribute {self.text(name_id)!a} of transaction {tx_id} "
                         f"is {type_name}, its value {kind_of(value)}")
        elif type_name == "UNSIGNED" and value >= 1 << 63:
            self._report("unsigned-range", f"attribute {self.text(name_id)!a} of transaction "
                         f"{tx_id} is {value}")
        elif type_name == "TIME":
            self._check_time(value, f"attribute {self.text(name_id)!a} of transaction {tx_id} is")

    def _relations(self, content):
        for item in content:
            if isinstance(item, list) and len(item) == 3:
                self._report("relation-elements", "a relation has three elements")
                fields = self._array(item, 3, "a relation")
            else:
                fields = self._array(item, 5, "a relation", "relation-elements"
                                     if type(item) is list else "item-shape")
            if fields is None or not self._uints(fields, "a relation"):
                continue
            self._check_string(fields[0], "the name of a relation")
            has_streams = len(fields) == 5
            relation = Relation(*fields, *([] if has_streams else [None, None]))
            self._pending_relations.append((self._offset, relation, has_streams))

    def _check_relations(self):
        """A relation may precede its transactions, so relations are checked when all transactions
        are known."""
        for self._offset, relation, has_streams in self._pending_relations:
            ends = ((relation.source, relation.source_stream),
                    (relation.target, relation.target_stream))
            what = (f"relation {self.text(relation.name)!a} of {relation.source} to "
                    f"{relation.target}")
            for tx_id, stream in ends:
                if self.web and self._chunk_of.get(tx_id, 0) > self._offset:
                    self._report("web-relation-order", f"{what} stands before transaction {tx_id}")
                if tx_id not in self._stream_of:
                    self._report("relation-ends", f"{what}: there is no transaction {tx_id}")
                elif has_streams and stream != self._stream_of[tx_id]:
                    self._report("relation-streams", f"{what}: transaction {tx_id} is in stream "
                                 f"{self._stream_of[tx_id]}, not {stream}")
            if not has_streams:
                relation = relation._replace(source_stream=self._stream_of.get(relation.source),
                                             target_stream=self._stream_of.get(relation.target))
            self.relations.append(relation)


    def _check_generators(self):
        used = {tx.generator for tx in self.transactions} if self.web else self.generators
        for generator in self.generators.values():
            if generator.id not in used:
                self._report("web-unused-generator", f"generator {generator.id} has none")


def decode(path, **options):
    """Decodes the file at path; options as for Trace. Also checks the file's name."""
    with open(path, "rb") as file:
        trace = Trace(file.read(), **options)
    name = os.path.basename(path)
    if "file-name" not in options.get("allow", ()) and (
            name.count(".") != 1 or not name.endswith(".ftr") or name == ".ftr"):
        trace.findings.append(Finding("file-name", 0, f"the name is {name!a}"))
    return trace


# ---- output --------------------------------------------------------------------------------------


def _plain(trace, type_id, value):
    """Returns a value in a form for JSON, with its string resolved."""
    form = trace.types.get(type_id, (None, None))[1]
    if form == "id" and is_uint(value):
        return trace.text(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(float(value))
    if value is None or type(value) in (bool, int, str):
        return value
    return kind_of(value)


def json_records(trace):
    """Yields the content as dicts of plain values: definitions first, all in file order."""
    yield {"record": "info", "time_scale": trace.time_scale, "epoch": trace.epoch}
    for stream in trace.streams.values():
        yield {"record": "stream", "id": stream.id, "name": trace.name(stream),
               "kind": trace.text(stream.kind)}
    for generator in trace.generators.values():
        yield {"record": "generator", "id": generator.id, "name": trace.name(generator),
               "stream": generator.stream}
    for tx in trace.transactions:
        yield {"record": "transaction", "id": tx.id,
               "stream": trace.name(trace.streams.get(tx.stream)),
               "generator": trace.name(trace.generators.get(tx.generator)),
               "begin": tx.begin, "end": tx.end,
               "attributes": [[CLASSES[tag], trace.text(name_id),
                               trace.types.get(type_id, (type_id,))[0],
                               _plain(trace, type_id, value)]
                              for tag, name_id, type_id, value in tx.attributes]}
    for relation in trace.relations:
        yield {"record": "relation", "name": trace.text(relation.name), "from": relation.source,
               "to": relation.target, "from_stream": relation.source_stream,
               "to_stream": relation.target_stream}


def summary(trace):
    """Returns counts of the content."""
    return {
        "time_scale": trace.time_scale,
        "epoch": trace.epoch,
        "chunks": sum(trace.chunk_counts.values()),
        "chunks_by_tag": {str(tag): trace.chunk_counts[tag] for tag in sorted(trace.chunk_counts)},
        "strings": len(trace.strings),
        "streams": len(trace.streams),
        "generators": len(trace.generators),
        "transactions": len(trace.transactions),
        "attributes": sum(len(tx.attributes) for tx in trace.transactions),
        "relations": len(trace.relations),
        "begin": min((tx.begin for tx in trace.transactions), default=None),
        "end": max((tx.end for tx in trace.transactions), default=None),
    }


def _lines(path, findings):
    for finding in findings:
        severity = RULES[finding.rule][0]
        yield f"{path}:{finding.offset}: {severity}: {finding.message} [{finding.rule}]"


def _rule_list(text):
    names = text.split(",")
    for name in names:
        if name not in RULES:
            raise argparse.ArgumentTypeError(f"{name!a} is no rule; 'rules' lists them")
    return names


def _arguments(argv):
    parser = argparse.ArgumentParser(description="Decode and check FTR files.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("rules", help="list the rules")
    for name, text in (("check", "report what breaks a rule"),
                       ("json", "print the content as JSON Lines"),
                       ("summary", "count the content")):
        command = commands.add_parser(name, help=text)
        command.add_argument("files", nargs="+", metavar="FILE")
        command.add_argument("--numbering", choices=sorted(NUMBERINGS), default="deployed")
        if name == "check":
            command.add_argument("--floats", choices=["single", "double"], default="single")
            command.add_argument("--allow", type=_rule_list, action="extend", default=[],
                                 metavar="RULE[,RULE...]", help="do not report these")
            command.add_argument("--web", action="store_true",
                                 help="also what Surfer in a web browser needs")
            command.add_argument("--werror", action="store_true", help="warnings count as errors")
    return parser.parse_args(argv)


def main(argv=None):
    arguments = _arguments(argv)
    if arguments.command == "rules":
        for name, (severity, text) in RULES.items():
            print(f"{name:20} {severity:8} {text}")
        return 0
    return max(_run(arguments, path) for path in arguments.files)


def _run(arguments, path):
    """Executes one command on one file. Returns the exit status."""
    options = {"numbering": arguments.numbering}
    if arguments.command == "check":
        options.update(floats=arguments.floats, allow=arguments.allow, web=arguments.web)
    try:
        trace = decode(path, **options)
    except OSError as error:
        print(f"ftr_decode.py: {path}: {error.strerror}", file=sys.stderr)
        return 2
    if arguments.command == "check":
        for line in _lines(path, trace.findings):
            print(line)
        return 1 if (trace.findings if arguments.werror else trace.errors()) else 0
    is_one_of_many = len(arguments.files) > 1
    if arguments.command == "json":
        if is_one_of_many:
            print(json.dumps({"record": "file", "path": path}))
        for record in json_records(trace):
            print(json.dumps(record))
    else:
        if is_one_of_many:
            print(f"file {json.dumps(path)}")
        for key, value in summary(trace).items():
            print(f"{key} {json.dumps(value)}")
    for line in _lines(path, trace.damage()):
        print(line, file=sys.stderr)
    return 1 if trace.damage() else 0


if __name__ == "__main__":
    sys.exit(main())
