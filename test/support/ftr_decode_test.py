#!/usr/bin/python3
"""Tests of ftr_decode.py: a valid file passes, and for a file that breaks one rule exactly that
rule is reported. The files are made here, byte by byte, by an independent encoder."""

import collections
import contextlib
import io
import json
import os
import struct
import sys
import tempfile
import unittest
import unittest.mock

import cbor2
import lz4.block

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import ftr_decode  # noqa: E402

# ---- an encoder --------------------------------------------------------------------------------


def head(major, argument):
    if argument < 24:
        return bytes([major << 5 | argument])
    for info, form in ((24, ">B"), (25, ">H"), (26, ">I"), (27, ">Q")):
        if argument < 1 << 8 * struct.calcsize(form):
            return bytes([major << 5 | info]) + struct.pack(form, argument)
    raise ValueError(argument)


def enc(value):
    """Encodes integers, texts and byte strings as items; encoded items, wrapped in Raw, are copied."""
    if isinstance(value, Raw):
        return value.encoded
    if isinstance(value, bool):
        return b"\xf5" if value else b"\xf4"
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    return head(2, len(value)) + value


class Raw:
    def __init__(self, encoded):
        self.encoded = encoded


def array(*items):
    return Raw(head(4, len(items)) + b"".join(map(enc, items)))


def open_array(*items):
    return Raw(b"\x9f" + b"".join(map(enc, items)) + b"\xff")


def tag(number, item):
    return Raw(head(6, number) + enc(item))


def single(number):
    return Raw(b"\xfa" + struct.pack(">f", number))


def double(number):
    return Raw(b"\xfb" + struct.pack(">d", number))


def half(number):
    return Raw(b"\xf9" + struct.pack(">e", number))


def string_map(strings):
    return Raw(head(5, len(strings)) + b"".join(enc(i) + enc(text) for i, text in strings))


def stream(stream_id, name, kind):
    return tag(16, array(stream_id, name, kind))


def generator(generator_id, name, stream_id):
    return tag(17, array(generator_id, name, stream_id))


def event(tx_id, generator_id, begin, end):
    return tag(6, array(tx_id, generator_id, begin, end))


def attribute(name, type_id, value, class_tag=8):
    return tag(class_tag, array(name, type_id, value))


def info(scale=-12, epoch=tag(1, 1700000000)):
    return tag(6, enc(array(scale, epoch)))


def dictionary(body):
    return tag(8, enc(body))


def directory(*entries):
    return tag(10, enc(open_array(*entries)))


def transactions(stream_id, start, end, *items):
    return tag(12, array(stream_id, start, end, enc(open_array(*items))))


def relations(*items):
    return tag(14, enc(open_array(*items)))


def compressed(number, body, *fields, raw_size=None):
    block = lz4.block.compress(body, store_size=False)
    return tag(number, array(*fields, len(body) if raw_size is None else raw_size, block))


def file_of(*chunks):
    return b"\xd9\xd9\xf7\x9f" + b"".join(map(enc, chunks)) + b"\xff"


# ---- the valid file, and its invalid variants --------------------------------------------------

STRINGS = list(enumerate(
    ["", "top.bus", "kind", "read", "top.cpu", "write", "addr", "follows", "x"]))
INFO = info()
DICTIONARY = dictionary(string_map(STRINGS))
DIRECTORY = directory(stream(1, 1, 2), generator(2, 3, 1), stream(3, 4, 0), generator(4, 5, 3))
ADDRESS = attribute(6, 3, 64, 7)
TX_1 = array(event(1, 2, 10, 20), ADDRESS)
TX_2 = array(event(2, 2, 15, 30))
TX_3 = array(event(3, 4, 12, 12))
BUS = transactions(1, 10, 30, TX_1, TX_2)
CPU = transactions(3, 12, 12, TX_3)
RELATION = array(7, 1, 3, 1, 3)
RELATIONS = relations(RELATION)
PARTS = collections.OrderedDict(info=INFO, dictionary=DICTIONARY, directory=DIRECTORY, bus=BUS,
                                cpu=CPU, relations=RELATIONS)


def sound(**replaced):
    """Returns the valid file, with some of its chunks replaced; None removes a chunk."""
    parts = dict(PARTS, **replaced)
    return file_of(*(part for part in parts.values() if part is not None))


def with_strings(*texts):
    """Returns the strings of the valid file followed by others, from id 9 on."""
    return dictionary(string_map(STRINGS + list(enumerate(texts, start=len(STRINGS)))))


def with_tx(*attributes):
    """Returns the valid file with other attributes in transaction 3."""
    return sound(cpu=transactions(3, 12, 12, array(event(3, 4, 12, 12), *attributes)))


def with_value(type_id, value):
    return with_tx(attribute(8, type_id, value))


def two_chunks(first, second):
    return Raw(enc(first) + enc(second))


def stream_names(*names):
    """Returns the valid file and streams with these names, in this order."""
    first = len(STRINGS)
    entries = [stream(10 + i, first + i, 0) for i in range(len(names))]
    return sound(dictionary=with_strings(*names),
                 directory=two_chunks(DIRECTORY, directory(*entries)))


DICTIONARY_BODY = enc(string_map(STRINGS))
BUS_BODY = enc(open_array(TX_1, TX_2))
SOUND = sound()

#: rule -> [(error, file)]
BROKEN = {
    "magic": [
        ("no bytes", b""),
        ("no self-description", SOUND[3:]),
        ("a definite array of chunks", b"\xd9\xd9\xf7\x86" + SOUND[4:-1])],
    "well-formed": [
        ("cut within the last chunk", SOUND[:-2]),
        ("a head that does not exist", sound(relations=tag(14, enc(Raw(b"\x9f\x1c\xff"))))),
        ("a body cut short", sound(relations=tag(14, enc(open_array(RELATION))[:-1]))),
        ("a break within a definite array", sound(relations=tag(14, b"\x9f\x85\x07\x01\xff\xff"))),
        ("a tag of nothing", sound(relations=tag(14, b"\x9f\xc6\xff"))),
        ("an indefinite tag", sound(relations=tag(14, b"\x9f\xdf\x00\xff"))),
        ("an endless nest", sound(relations=tag(14, b"\x9f" * 500)))],
    "top-level": [
        ("tag 7", sound(relations=two_chunks(RELATIONS, tag(7, b"x")))),
        ("tag 16", sound(relations=two_chunks(RELATIONS, tag(16, b"x")))),
        ("an untagged item", sound(relations=two_chunks(RELATIONS, Raw(b"\x00"))))],
    "end": [
        ("no break", SOUND[:-1]),
        ("two breaks", SOUND + b"\xff"),
        ("a byte behind the break", SOUND + b"\x00")],
    "info": [
        ("none", file_of()),
        ("two", sound(relations=two_chunks(RELATIONS, INFO))),
        ("a bare array", sound(info=tag(6, array(-12, tag(1, 0))))),
        ("an indefinite array", sound(info=tag(6, enc(open_array(-12, tag(1, 0)))))),
        ("a float epoch", sound(info=info(epoch=tag(1, single(1))))),
        ("an untagged epoch", sound(info=info(epoch=1))),
        ("an epoch of tag 0", sound(info=info(epoch=tag(0, 1)))),
        ("a float time scale", sound(info=info(scale=single(-12)))),
        ("three elements", sound(info=tag(6, enc(array(-12, tag(1, 0), 0))))),
        ("an item behind", sound(info=tag(6, enc(array(-12, tag(1, 0))) + b"\x00"))),
        ("not the first", sound(info=dictionary(string_map(STRINGS)), dictionary=None))],
    "chunk-shape": [
        ("an indefinite chunk",
         sound(bus=tag(12, open_array(1, 10, 30, BUS_BODY)))),
        ("an indefinite compressed chunk",
         sound(bus=tag(13, open_array(1, 10, 30, len(BUS_BODY),
                                      lz4.block.compress(BUS_BODY, store_size=False))))),
        ("a field too many", sound(relations=tag(14, array(1, enc(open_array(RELATION)))))),
        ("a field too few", sound(relations=tag(15, array(enc(open_array(RELATION)))))),
        ("a body not wrapped", sound(relations=tag(14, open_array(RELATION)))),
        ("a text for a body", sound(relations=tag(14, "xyz"))),
        ("a negative start", sound(cpu=tag(12, array(3, -1, 12, enc(open_array(TX_3)))),
                                   relations=None))],
    "empty-body": [
        ("relations", sound(relations=tag(14, b""))),
        ("a dictionary", sound(relations=two_chunks(RELATIONS, tag(8, b"")))),
        ("compressed", sound(relations=compressed(15, b"")))],
    "body-shape": [
        ("a definite directory", sound(directory=tag(10, enc(array(
            stream(1, 1, 2), generator(2, 3, 1), stream(3, 4, 0), generator(4, 5, 3)))))),
        ("definite transactions", sound(cpu=tag(12, array(3, 12, 12, enc(array(TX_3)))))),
        ("definite relations", sound(relations=tag(14, enc(array(RELATION))))),
        ("a map for relations", sound(relations=tag(14, enc(string_map([(0, "a")]))))),
        ("an item behind", sound(relations=tag(14, enc(open_array(RELATION)) + b"\x00")))],
    "dictionary-map": [
        ("indefinite", sound(dictionary=dictionary(Raw(b"\xbf" + DICTIONARY_BODY[1:] + b"\xff")))),
        ("empty", sound(relations=two_chunks(RELATIONS, dictionary(Raw(b"\xa0"))))),
        ("an array", sound(relations=two_chunks(RELATIONS, dictionary(array(9, "a"))))),
        ("a byte string for text", sound(relations=two_chunks(
            RELATIONS, dictionary(Raw(b"\xa1\x09\x41a"))))),
        ("a text for an id", sound(relations=two_chunks(
            RELATIONS, dictionary(Raw(b"\xa1\x61a\x61a"))))),
        ("an array for an id", sound(relations=two_chunks(
            RELATIONS, dictionary(Raw(b"\xa1\x80\x61a"))))),
        ("an item behind", sound(dictionary=dictionary(Raw(DICTIONARY_BODY + b"\x00"))))],
    "dictionary-ids": [
        ("not from 0", file_of(INFO, dictionary(string_map([(1, "a")])))),
        ("a gap", sound(dictionary=dictionary(string_map(STRINGS + [(10, "a")])))),
        ("out of order", sound(dictionary=dictionary(string_map(STRINGS + [(10, "a"), (9, "b")])))),
        ("twice", sound(dictionary=dictionary(string_map(STRINGS + [(8, "x")])))),
        ("from 0 again in the next chunk", sound(dictionary=two_chunks(
            DICTIONARY, dictionary(string_map([(0, "")])))))],
    "utf8": [
        ("a lone continuation byte", sound(dictionary=dictionary(
            Raw(b"\xaa" + DICTIONARY_BODY[1:] + b"\x09\x61\x80")))),
        ("a surrogate", sound(dictionary=dictionary(
            Raw(b"\xaa" + DICTIONARY_BODY[1:] + b"\x09\x63\xed\xa0\x80")))),
        ("an overlong slash", sound(dictionary=dictionary(
            Raw(b"\xaa" + DICTIONARY_BODY[1:] + b"\x09\x62\xc0\xaf"))))],
    "item-shape": [
        ("an indefinite stream entry", sound(directory=two_chunks(
            DIRECTORY, directory(tag(16, open_array(5, 8, 0)))))),
        ("an indefinite generator entry", sound(directory=two_chunks(
            DIRECTORY, directory(tag(17, open_array(5, 8, 1)))))),
        ("a short entry", sound(directory=two_chunks(
            DIRECTORY, directory(tag(16, array(5, 8)))))),
        ("an entry of tag 18", sound(directory=two_chunks(
            DIRECTORY, directory(tag(18, array(5, 8, 0)))))),
        ("a text for a name id", sound(directory=two_chunks(
            DIRECTORY, directory(stream(5, "a", 0))))),
        ("an indefinite transaction", sound(cpu=transactions(
            3, 12, 12, open_array(event(3, 4, 12, 12))))),
        ("an empty transaction", sound(cpu=transactions(3, 12, 12, TX_3, array()))),
        ("a transaction without its event", sound(cpu=transactions(
            3, 12, 12, TX_3, array(ADDRESS)))),
        ("an indefinite event", sound(cpu=transactions(
            3, 12, 12, array(tag(6, open_array(3, 4, 12, 12)))))),
        ("a short event", sound(cpu=transactions(
            3, 12, 12, TX_3, array(tag(6, array(4, 4, 12)))))),
        ("a float time", sound(cpu=transactions(
            3, 12, 12, TX_3, array(event(4, 4, single(12), 12))))),
        ("an indefinite attribute", with_tx(tag(7, open_array(6, 3, 1)))),
        ("a short attribute", with_tx(tag(7, array(6, 3)))),
        ("an untagged attribute", with_tx(array(6, 3, 1))),
        ("an array for an attribute's name", with_tx(attribute(array(6), 3, 1))),
        ("a boolean for an attribute's type", with_tx(attribute(8, True, 1))),
        ("a negative attribute name", with_tx(attribute(-1, 3, 1))),
        ("an indefinite relation", sound(relations=relations(open_array(7, 1, 3, 1, 3)))),
        ("a text in a relation", sound(relations=relations(array(7, 1, 3, 1, "a")))),
        ("an indefinite text", sound(dictionary=dictionary(
            Raw(b"\xaa" + DICTIONARY_BODY[1:] + b"\x09\x7f\x61a\x61b\xff")))),
        ("an indefinite body", sound(relations=tag(
            14, Raw(b"\x5f" + enc(enc(open_array(RELATION))) + b"\xff"))))],
    "undefined-string": [
        ("a stream's name", sound(directory=two_chunks(DIRECTORY, directory(stream(5, 9, 0))))),
        ("a stream's kind", sound(directory=two_chunks(DIRECTORY, directory(stream(5, 8, 9))))),
        ("a generator's name", sound(directory=two_chunks(
            DIRECTORY, directory(generator(5, 9, 1))))),
        ("an attribute's name", with_tx(attribute(9, 3, 1))),
        ("a value", with_value(10, 9)),
        ("a value defined later", sound(
            cpu=transactions(3, 12, 12, array(event(3, 4, 12, 12), attribute(8, 10, 9))),
            relations=two_chunks(RELATIONS, dictionary(string_map([(9, "late")]))))),
        ("a relation's name", sound(relations=relations(array(9, 1, 3, 1, 3))))],
    "undefined-stream": [
        ("of a generator", sound(directory=two_chunks(DIRECTORY, directory(generator(5, 8, 9))))),
        ("of a generator, defined behind it", sound(directory=two_chunks(
            DIRECTORY, directory(generator(5, 8, 9), stream(9, 8, 0))))),
        ("of a chunk", sound(relations=two_chunks(RELATIONS, transactions(9, 0, 0))))],
    "undefined-generator": [
        ("of a transaction", sound(relations=two_chunks(
            RELATIONS, transactions(1, 5, 5, array(event(5, 9, 5, 5)))))),
        ("defined later", sound(relations=two_chunks(
            transactions(1, 5, 5, array(event(5, 9, 5, 5))), directory(generator(9, 8, 1)))))],
    "defined-twice": [
        ("a stream", sound(directory=two_chunks(DIRECTORY, directory(stream(1, 1, 2))))),
        ("a generator", sound(directory=two_chunks(DIRECTORY, directory(generator(2, 3, 1))))),
        ("a cumulative directory", sound(relations=two_chunks(RELATIONS, DIRECTORY)))],
    "float-width": [
        ("double " + str(type_id), with_value(type_id, double(1.5))) for type_id in (4, 7, 8)] + [
        ("half", with_value(4, half(1.5))),
        ("a double that is no number", with_value(4, double(float("nan"))))],
    "relation-elements": [
        ("three", sound(relations=relations(array(7, 1, 3)))),
        ("four", sound(relations=relations(array(7, 1, 3, 1)))),
        ("six", sound(relations=relations(array(7, 1, 3, 1, 3, 0))))],
    "relation-ends": [
        ("no such source", sound(relations=relations(array(7, 9, 3, 1, 3)))),
        ("no such target", sound(relations=relations(array(7, 1, 9, 1, 3))))],
    "relation-streams": [
        ("the source's", sound(relations=relations(array(7, 1, 3, 3, 3)))),
        ("the target's", sound(relations=relations(array(7, 1, 3, 1, 1)))),
        ("swapped", sound(relations=relations(array(7, 1, 3, 3, 1))))],
    "tx-id": [
        ("twice in a chunk", sound(cpu=transactions(3, 12, 12, TX_3, TX_3))),
        ("twice in the file", sound(cpu=transactions(3, 12, 12, TX_3,
                                                     array(event(1, 4, 12, 12)))))],
    "tx-stream": [
        ("a chunk of another stream", sound(relations=two_chunks(
            RELATIONS, transactions(3, 50, 50, array(event(5, 2, 50, 50))))))],
    "tx-times": [
        ("ends before it begins", sound(relations=two_chunks(
            RELATIONS, transactions(3, 50, 49, array(event(5, 4, 50, 49))))))],
    "chunk-range": [
        ("starts late", sound(bus=transactions(1, 11, 30, TX_1, TX_2))),
        ("ends early", sound(bus=transactions(1, 10, 29, TX_1, TX_2)))],
    "chunk-range-tight": [
        ("starts early", sound(bus=transactions(1, 9, 30, TX_1, TX_2))),
        ("ends late", sound(bus=transactions(1, 10, 31, TX_1, TX_2)))],
    "end-order": [
        ("in a chunk", sound(bus=transactions(1, 10, 30, TX_2, TX_1))),
        ("over chunks", sound(bus=two_chunks(transactions(1, 15, 30, TX_2),
                                             transactions(1, 10, 20, TX_1))))],
    "stream-name-unique": [
        ("by id", sound(directory=two_chunks(DIRECTORY, directory(stream(5, 1, 2))))),
        ("by text", stream_names("top.bus"))],
    "stream-name-prefix": [
        ("a before a.b", stream_names("a", "a.b")),
        ("a before a.b.c", stream_names("a", "a.b.c")),
        ("a.b before a.b.c", stream_names("a.b", "a.b.c"))],
    "stream-name-dot": [(repr(name), stream_names(name))
                        for name in (".", "..", "a.", ".a", "a..b")],
    "time-range": [
        ("an end", sound(cpu=transactions(3, 12, 9223372036854776, array(
            event(3, 4, 12, 9223372036854776))))),
        ("a time value", with_value(11, 9223372036854776)),
        ("a time scale below fs", sound(info=info(scale=-16)))],
    "unsigned-range": [("2^63", with_value(3, 1 << 63)), ("2^64-1", with_value(3, (1 << 64) - 1))],
    "attribute-name": [
        ("two types", with_tx(attribute(6, 2, 1, 7))),
        ("two classes", with_tx(attribute(6, 3, 1, 9))),
        ("two types of one text under two ids", sound(
            dictionary=with_strings("addr"),
            cpu=transactions(3, 12, 12, array(event(3, 4, 12, 12), attribute(9, 2, 1, 7)))))],
    "attribute-class": [
        ("tag " + str(number), with_tx(attribute(8, 3, 1, number))) for number in (6, 10, 17)],
    "type-id": [("12", with_value(12, 1)), ("200", with_value(200, 1))],
    "value-type": [
        ("BOOLEAN 1", with_value(0, 1)),
        ("BOOLEAN null", with_value(0, Raw(b"\xf6"))),
        ("BOOLEAN undefined", with_value(0, Raw(b"\xf7"))),
        ("BOOLEAN of simple value 32", with_value(0, Raw(b"\xf8\x20"))),
        ("ENUMERATION by text", with_value(1, "x")),
        ("ENUMERATION true", with_value(1, True)),
        ("INTEGER single", with_value(2, single(1))),
        ("INTEGER 2^63", with_value(2, 1 << 63)),
        ("INTEGER -2^63-1", with_value(2, -(1 << 63) - 1)),
        ("UNSIGNED -1", with_value(3, -1)),
        ("UNSIGNED bignum", with_value(3, tag(2, b"\x01" + bytes(8)))),
        ("FLOATING_POINT_NUMBER 1", with_value(4, 1)),
        ("BIT_VECTOR by text", with_value(5, "01")),
        ("LOGIC_VECTOR by bytes", with_value(6, b"01")),
        ("FIXED_POINT_INTEGER 1", with_value(7, 1)),
        ("UNSIGNED_FIXED_POINT_INTEGER 1", with_value(8, 1)),
        ("POINTER -1", with_value(9, -1)),
        ("POINTER single", with_value(9, single(1))),
        ("STRING by text", with_value(10, "x")),
        ("STRING -1", with_value(10, -1)),
        ("TIME -1", with_value(11, -1)),
        ("TIME true", with_value(11, True))],
    "lz4": [
        ("no block", sound(relations=tag(15, array(10, b"\xff\xff\xff")))),
        ("a block cut short", sound(relations=tag(15, array(
            len(BUS_BODY), lz4.block.compress(BUS_BODY, store_size=False)[:-1])))),
        ("an LZ4 block with a size before it", sound(relations=tag(15, array(
            300, lz4.block.compress(b"\x9f" + enc(RELATION) * 49 + b"\xff", store_size=True)))))],
    "raw-size": [
        ("one too small", sound(dictionary=compressed(
            9, DICTIONARY_BODY, raw_size=len(DICTIONARY_BODY) - 1))),
        ("one too large", sound(dictionary=compressed(
            9, DICTIONARY_BODY, raw_size=len(DICTIONARY_BODY) + 1))),
        ("far too large", sound(dictionary=compressed(9, DICTIONARY_BODY, raw_size=1 << 60))),
        ("zero", sound(bus=compressed(13, BUS_BODY, 1, 10, 30, raw_size=0)))],
    "shortest": [
        ("a tag", sound(relations=Raw(b"\xd8" + b"\x0e" + enc(enc(open_array(RELATION)))))),
        ("an integer in two bytes", with_value(3, Raw(b"\x18\x17"))),
        ("an integer in three bytes", with_value(3, Raw(b"\x19\x00\xff"))),
        ("an integer in nine bytes", with_value(3, Raw(b"\x1b" + b"\x00" * 8))),
        ("a negative integer", with_value(2, Raw(b"\x38\x00"))),
        ("an array", sound(relations=relations(Raw(b"\x98\x05\x07\x01\x03\x01\x03")))),
        ("a text", sound(dictionary=dictionary(
            Raw(b"\xaa" + DICTIONARY_BODY[1:] + b"\x09\x78\x01a"))))],
}

#: rule -> file that breaks it only for Surfer's build for browsers
BROKEN_FOR_WEB = {
    "web-compressed": sound(bus=compressed(13, BUS_BODY, 1, 10, 30)),
    "web-relation-order": file_of(PARTS["info"], PARTS["dictionary"], DIRECTORY, RELATIONS,
                                  PARTS["bus"], PARTS["cpu"]),
    "web-unused-generator": sound(directory=two_chunks(DIRECTORY, directory(generator(5, 2, 1)))),
}

#: Not about the content of a file, or not for every reader: these have tests of their own.
ELSEWHERE = {"file-name", "cross-check", *BROKEN_FOR_WEB}


def rules_reported(data, **options):
    return {finding.rule for finding in ftr_decode.Trace(data, **options).findings}


class Walker(unittest.TestCase):
    #: from RFC 8949, appendix A
    VECTORS = [
        ("00", 0), ("17", 23), ("1818", 24), ("1864", 100), ("1903e8", 1000),
        ("1a000f4240", 1000000),
        ("1bffffffffffffffff", (1 << 64) - 1), ("20", -1), ("3863", -100), ("3903e7", -1000),
        ("3bffffffffffffffff", -(1 << 64)), ("f4", False), ("f5", True), ("f6", None),
        ("40", b""), ("4401020304", b"\1\2\3\4"), ("60", ""), ("62c3bc", "\u00fc"),
        ("64f0908591", "\U00010151"), ("80", []), ("83010203", [1, 2, 3]),
        ("8301820203820405", [1, [2, 3], [4, 5]]), ("a0", {}), ("a201020304", {1: 2, 3: 4}),
        ("f93e00", 1.5), ("fa47c35000", 100000.0), ("fb3ff199999999999a", 1.1),
        ("f97c00", float("inf")), ("f90001", 5.960464477539063e-8), ("9fff", []),
        ("9f018202039f0405ffff", [1, [2, 3], [4, 5]]),
        ("a26161016162820203", {"a": 1, "b": [2, 3]}),
        ("bf61610161629f0203ffff", {"a": 1, "b": [2, 3]}),
        ("5f42010243030405ff", b"\1\2\3\4\5"), ("7f657374726561646d696e67ff", "streaming")]

    def test_reads_the_vectors_of_the_rfc(self):
        for encoding, expected in self.VECTORS:
            with self.subTest(encoding):
                data = bytes.fromhex(encoding)
                value, end = ftr_decode.read_item(data, 0, [])
                if isinstance(value, ftr_decode.Map):
                    value = dict(value.pairs)
                self.assertEqual(value, expected)
                self.assertEqual(end, len(data))

    def test_keeps_data_that_cbor2_drops(self):
        for encoding, kind in (("9fff", ftr_decode.Indefinite), ("80", list),
                               ("f93e00", ftr_decode.Half), ("fa3fc00000", ftr_decode.Single),
                               ("fb3ff8000000000000", ftr_decode.Double)):
            with self.subTest(encoding):
                self.assertIs(type(ftr_decode.read_item(bytes.fromhex(encoding), 0, [])[0]), kind)
        self.assertTrue(ftr_decode.read_item(b"\xbf\xff", 0, [])[0].indefinite)
        self.assertFalse(ftr_decode.read_item(b"\xa0", 0, [])[0].indefinite)
        self.assertEqual(ftr_decode.read_item(b"\xa2\x01\x02\x01\x03", 0, [])[0].pairs,
                         [(1, 2), (1, 3)])

    def test_refuses_every_truncation(self):
        for encoding, _ in self.VECTORS:
            data = bytes.fromhex(encoding)
            for size in range(len(data)):
                with self.subTest(f"{size} bytes of {encoding}"):
                    with self.assertRaises(ftr_decode.Malformed):
                        ftr_decode.read_item(data[:size], 0, [])

    def test_refuses_bytes_that_are_not_an_item(self):
        for encoding in ("1c", "3d", "5e", "7c", "9d", "be", "dc", "fc", "1f", "3f", "df00", "ff",
                         "81ff", "a1ff", "a101ff", "bf01ff", "c1ff", "f818", "5f00ff", "5f6161ff",
                         "5f5f4101ffff", "7f4101ff", "c1"):
            with self.subTest(encoding):
                with self.assertRaises(ftr_decode.Malformed):
                    ftr_decode.read_item(bytes.fromhex(encoding), 0, [])


class Rules(unittest.TestCase):
    def test_every_rule_has_a_violation(self):
        self.assertEqual(set(BROKEN) | ELSEWHERE, set(ftr_decode.RULES))

    def test_sound_file_has_no_findings(self):
        self.assertEqual(ftr_decode.Trace(SOUND).findings, [])

    def test_only_the_violated_rule_is_reported(self):
        for rule, cases in BROKEN.items():
            for what, data in cases:
                with self.subTest(f"{rule}: {what}"):
                    self.assertEqual(rules_reported(data), {rule})

    def test_rules_of_browsers_are_reported_on_request(self):
        self.assertEqual(rules_reported(SOUND, web=True), set())
        for rule, data in BROKEN_FOR_WEB.items():
            with self.subTest(rule):
                self.assertEqual(rules_reported(data), set())
                self.assertEqual(rules_reported(data, web=True), {rule})

    def test_an_allowed_rule_hides_only_itself(self):
        for rule, cases in BROKEN.items():
            for what, data in cases:
                with self.subTest(f"{rule}: {what}"):
                    self.assertEqual(rules_reported(data, allow=[rule]), set())
        self.assertEqual(rules_reported(SOUND[:-1], allow=["tx-id"]), {"end"})

    def test_cross_check_reports_a_walker_that_misreads(self):
        read_item = ftr_decode.read_item

        def misread(data, pos, notes):
            if pos == 0:  # a body
                data = data.replace(b"\x18\x40", b"\x18\x41")
            return read_item(data, pos, notes)
        with unittest.mock.patch.object(ftr_decode, "read_item", misread):
            self.assertEqual(rules_reported(SOUND), {"cross-check"})

    def test_cross_check_covers_chunk_headers(self):
        read_item = ftr_decode.read_item

        def misread(data, pos, notes):
            value, end = read_item(data, pos, notes)
            if type(value) is cbor2.CBORTag and value.tag == 12:
                value.value[0] += 2 * (value.value[0] == 1)
            return value, end
        with unittest.mock.patch.object(ftr_decode, "read_item", misread):
            data = sound(bus=transactions(1, 0, 0), cpu=None, relations=None)
            self.assertEqual(rules_reported(data), {"cross-check"})

    def test_cross_check_reports_items_that_cbor2_refuses(self):
        with unittest.mock.patch.object(cbor2, "loads", side_effect=OverflowError("no")):
            self.assertEqual(rules_reported(SOUND), {"cross-check"})

    def test_cross_check_takes_one_nan_for_another(self):
        self.assertEqual(rules_reported(with_value(4, single(float("nan")))), set())

    def test_longer_stream_name_can_come_first(self):
        self.assertEqual(rules_reported(stream_names("a.b", "a")), set())
        self.assertEqual(rules_reported(stream_names("a", "ab", "a/b")), set())

    def test_one_text_can_have_two_ids(self):
        self.assertEqual(rules_reported(sound(dictionary=with_strings("x", "x"))), set())

    def test_empty_bodies_of_two_bytes_are_sound(self):
        self.assertEqual(rules_reported(sound(relations=Raw(
            enc(relations()) + enc(directory()) + enc(transactions(1, 0, 0))))), set())

    def test_a_relation_can_precede_its_transactions(self):
        self.assertEqual(rules_reported(file_of(INFO, DICTIONARY, RELATIONS, DIRECTORY, BUS, CPU)),
                         set())

    def test_plain_and_compressed_chunks_can_be_mixed(self):
        self.assertEqual(rules_reported(sound(
            dictionary=compressed(9, DICTIONARY_BODY),
            bus=compressed(13, BUS_BODY, 1, 10, 30),
            relations=compressed(15, enc(open_array(RELATION))))), set())

    def test_dictionary_continues_over_chunks(self):
        self.assertEqual(rules_reported(sound(dictionary=two_chunks(
            dictionary(string_map(STRINGS[:4])), dictionary(string_map(STRINGS[4:]))))), set())

    def test_latest_time_in_range_is_sound(self):
        last = 9223372036854775
        self.assertEqual(rules_reported(sound(cpu=transactions(
            3, 12, last, array(event(3, 4, 12, last), attribute(8, 11, last))))), set())

    def test_finest_time_scale_leaves_63_bits(self):
        last = (1 << 63) - 1
        for end, rules in ((last, set()), (last + 1, {"time-range"})):
            cpu = transactions(3, 12, end, array(event(3, 4, 12, end)))
            self.assertEqual(rules_reported(sound(info=info(scale=-15), cpu=cpu)), rules)

    def test_end_order_is_reported_once_a_generator(self):
        items = [array(event(10 + i, 2, 5, 9 - i)) for i in range(4)]
        trace = ftr_decode.Trace(sound(bus=transactions(1, 5, 9, *items), relations=None))
        self.assertEqual([finding.rule for finding in trace.findings], ["end-order"])

    def test_every_finding_has_the_offset_of_its_chunk(self):
        data = sound(relations=relations(array(7, 1, 3)))
        finding, = ftr_decode.Trace(data).findings
        self.assertEqual(finding.offset, data.rindex(b"\xce"))

    def test_findings_are_one_line_of_ascii(self):
        trace = ftr_decode.Trace(stream_names("a\n\u00fc", "a\n\u00fc"))
        message = trace.findings[0].message
        self.assertTrue(message.isascii() and message.isprintable(), message)


class Options(unittest.TestCase):
    #: type id in the deployed numbering, values that it allows
    DEPLOYED = [(0, [True, False]), (1, [0, 8]), (2, [0, -1, (1 << 63) - 1, -(1 << 63)]),
                (3, [0, 255, (1 << 63) - 1]), (4, [single(1.5), single(float("nan"))]),
                (5, [8]), (6, [8]), (7, [single(1)]), (8, [single(1)]),
                (9, [0, (1 << 64) - 1]), (10, [0]), (11, [0, 1000])]
    TEXT = [(1, [True, False]), (2, [0, -1]), (3, [0, 255]), (4, [single(1.5)]), (5, [single(1)]),
            (6, [single(1)]), (7, [8]), (8, [0, 10, (1 << 64) - 1]), (9, [5]), (10, [8]),
            (11, [(1 << 64) - 1]), (12, [1000])]

    def test_values_of_the_deployed_numbering_fit(self):
        for type_id, values in self.DEPLOYED:
            for value in values:
                with self.subTest(type_id):
                    self.assertEqual(rules_reported(with_value(type_id, value)), set())

    def test_values_of_the_text_numbering_fit(self):
        for type_id, values in self.TEXT:
            for value in values:
                with self.subTest(type_id):
                    self.assertEqual(rules_reported(with_value(type_id, value), numbering="spec"),
                                     set())

    def test_different_numberings_cannot_be_mixed(self):
        for type_id, value in ((1, 0), (5, 8), (6, 8), (7, single(1)), (8, single(1))):
            with self.subTest(type_id):
                self.assertEqual(rules_reported(with_value(type_id, value), numbering="spec"),
                                 {"value-type"})
        for type_id, value in ((1, True), (5, single(1)), (6, single(1)), (7, 8), (8, 8)):
            with self.subTest(type_id):
                self.assertEqual(rules_reported(with_value(type_id, value)), {"value-type"})
        self.assertEqual(rules_reported(with_value(0, 0), numbering="spec"), {"type-id"})
        self.assertEqual(rules_reported(with_value(13, 0), numbering="spec"), {"type-id"})

    def test_doubles_can_be_allowed_but_not_halves(self):
        self.assertEqual(rules_reported(with_value(4, double(1.1)), floats="double"), set())
        self.assertEqual(rules_reported(with_value(4, single(1.1)), floats="double"), set())
        self.assertEqual(rules_reported(with_value(4, half(1)), floats="double"), {"float-width"})


class Damage(unittest.TestCase):
    def test_every_truncation_is_an_error_and_keeps_the_data_before_it(self):
        whole = list(ftr_decode.json_records(ftr_decode.Trace(SOUND)))
        for size in range(len(SOUND)):
            with self.subTest(size):
                trace = ftr_decode.Trace(SOUND[:size])
                self.assertTrue(trace.errors())
                self.assertTrue(trace.damage())
        cut = ftr_decode.Trace(SOUND[:SOUND.rindex(b"\xce") + 1])
        records = list(ftr_decode.json_records(cut))
        self.assertEqual(records, [r for r in whole if r["record"] != "relation"])

    def test_relations_before_a_cut_are_kept(self):
        cut = ftr_decode.Trace(sound(relations=two_chunks(RELATIONS, RELATIONS))[:-2])
        self.assertEqual(cut.relations, [ftr_decode.Relation(7, 1, 3, 1, 3)])

    def test_every_flipped_bit_is_handled(self):
        compressed_file = sound(bus=compressed(13, BUS_BODY, 1, 10, 30))
        for name, data in (("plain", SOUND), ("compressed", compressed_file)):
            for bit in range(8 * len(data)):
                with self.subTest(f"{name}, bit {bit}"):
                    flipped = bytearray(data)
                    flipped[bit // 8] ^= 1 << bit % 8
                    trace = ftr_decode.Trace(flipped)
                    json.dumps([list(ftr_decode.json_records(trace)), ftr_decode.summary(trace)])


class CommandLine(unittest.TestCase):
    JSON = """\
{"record": "info", "time_scale": -12, "epoch": 1700000000}
{"record": "stream", "id": 1, "name": "top.bus", "kind": "kind"}
{"record": "stream", "id": 3, "name": "top.cpu", "kind": ""}
{"record": "generator", "id": 2, "name": "read", "stream": 1}
{"record": "generator", "id": 4, "name": "write", "stream": 3}
{"record": "transaction", "id": 1, "stream": "top.bus", "generator": "read", \
"begin": 10, "end": 20, "attributes": [["begin", "addr", "UNSIGNED", 64]]}
{"record": "transaction", "id": 2, "stream": "top.bus", "generator": "read", \
"begin": 15, "end": 30, "attributes": []}
{"record": "transaction", "id": 3, "stream": "top.cpu", "generator": "write", \
"begin": 12, "end": 12, "attributes": []}
{"record": "relation", "name": "follows", "from": 1, "to": 3, "from_stream": 1, "to_stream": 3}
"""
    SUMMARY = """\
time_scale -12
epoch 1700000000
chunks 6
chunks_by_tag {"6": 1, "8": 1, "10": 1, "12": 2, "14": 1}
strings 9
streams 2
generators 2
transactions 3
attributes 1
relations 1
begin 10
end 30
"""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_on(self, data, command, *options, name="t.ftr"):
        """Returns (exit status, stdout, stderr), the path of the file taken off."""
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(data)
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = ftr_decode.main([command, path, *options])
        return tuple([status] + [s.getvalue().replace(path, name) for s in (out, err)])

    def attributes_of(self, data, *options):
        _, out, _ = self.run_on(data, "json", *options)
        return json.loads(out.splitlines()[-2])["attributes"]

    def test_json_is_the_content(self):
        self.assertEqual(self.run_on(SOUND, "json"), (0, self.JSON, ""))

    def test_json_resolves_strings_and_prints_non_json_values_as_text(self):
        data = with_tx(attribute(8, 10, 2), attribute(8, 4, single(0.5)),
                       attribute(8, 4, single(float("nan"))),
                       attribute(8, 4, single(float("-inf"))),
                       attribute(8, 10, 99), attribute(8, 2, -(1 << 63)), attribute(8, 0, True),
                       attribute(8, 0, Raw(b"\xf6")), attribute(8, 0, Raw(b"\xf7")))
        self.assertEqual([a[2:] for a in self.attributes_of(data)], [
            ["STRING", "kind"], ["FLOATING_POINT_NUMBER", 0.5], ["FLOATING_POINT_NUMBER", "nan"],
            ["FLOATING_POINT_NUMBER", "-inf"], ["STRING", None], ["INTEGER", -(1 << 63)],
            ["BOOLEAN", True], ["BOOLEAN", None], ["BOOLEAN", "undefined"]])

    def test_json_follows_the_numbering(self):
        self.assertEqual(self.attributes_of(with_value(7, 2)),
                         [["record", "x", "FIXED_POINT_INTEGER", 2]])
        self.assertEqual(self.attributes_of(with_value(7, 2), "--numbering", "spec"),
                         [["record", "x", "ENUMERATION", "kind"]])

    def test_json_accepts_doubles_and_relations_of_three_elements(self):
        data = sound(cpu=transactions(3, 12, 12, array(event(3, 4, 12, 12),
                                                       attribute(8, 4, double(1.1)))),
                     relations=relations(array(7, 1, 3)))
        status, out, err = self.run_on(data, "json")
        self.assertEqual((status, err), (0, ""))
        self.assertIn('["record", "x", "FLOATING_POINT_NUMBER", 1.1]', out)
        self.assertEqual(out.splitlines()[-1], self.JSON.splitlines()[-1])

    def test_json_prints_the_content_before_a_truncation_and_reports_it(self):
        status, out, err = self.run_on(SOUND[:-2], "json")
        self.assertEqual(status, 1)
        self.assertEqual(out, "".join(self.JSON.splitlines(keepends=True)[:-1]))
        self.assertRegex(err, r"\At\.ftr:\d+: error: .* \[well-formed\]\n\Z")

    def test_summary_counts(self):
        self.assertEqual(self.run_on(SOUND, "summary"), (0, self.SUMMARY, ""))

    def test_check_is_silent_on_a_sound_file(self):
        self.assertEqual(self.run_on(SOUND, "check"), (0, "", ""))

    def test_check_prints_a_line_per_error_and_fails(self):
        data = sound(relations=relations(array(7, 1, 3), array(7, 9, 3, 1, 3)))
        status, out, err = self.run_on(data, "check")
        self.assertEqual((status, err), (1, ""))
        offset = data.rindex(b"\xce")
        self.assertEqual(out, f"t.ftr:{offset}: error: a relation has three elements "
                         "[relation-elements]\n"
                         f"t.ftr:{offset}: error: relation 'follows' of 9 to 3: there is no "
                         "transaction 9 [relation-ends]\n")

    def test_check_passes_warnings_by_default(self):
        data = with_value(3, 1 << 63)
        line = "attribute 'x' of transaction 3 is 9223372036854775808 [unsigned-range]\n"
        status, out, _ = self.run_on(data, "check")
        self.assertEqual((status, out.split(": warning: ")[1]), (0, line))
        self.assertEqual(self.run_on(data, "check", "--werror")[0], 1)
        self.assertEqual(self.run_on(data, "check", "--werror", "--allow", "unsigned-range"),
                         (0, "", ""))

    def test_check_takes_several_rules_to_allow(self):
        data = sound(relations=relations(array(7, 1, 3), array(7, 9, 3, 1, 3)))
        both = ["relation-elements", "relation-ends"]
        self.assertEqual(self.run_on(data, "check", "--allow", ",".join(both))[0], 0)
        self.assertEqual(self.run_on(data, "check", "--allow", both[0], "--allow", both[1])[0], 0)
        self.assertEqual(self.run_on(data, "check", "--allow", both[0])[0], 1)

    def test_check_warns_of_a_name_that_viewers_refuse(self):
        for name in ("a.b.ftr", "a.db", "ftr", ".ftr"):
            with self.subTest(name):
                status, out, _ = self.run_on(SOUND, "check", name=name)
                self.assertEqual((status, out), (
                    0, f"{name}:0: warning: the name is '{name}' [file-name]\n"))
        self.assertEqual(self.run_on(SOUND, "check", "--allow", "file-name", name="a.b.ftr")[1], "")

    def test_several_files_are_distinguished(self):
        cut = os.path.join(self.folder, "cut.ftr")
        with open(cut, "wb") as file:
            file.write(SOUND[:-2])
        name = json.dumps(cut)
        status, out, err = self.run_on(SOUND, "json", cut)
        marks = ['{"record": "file", "path": "t.ftr"}', f'{{"record": "file", "path": {name}}}']
        self.assertEqual(status, 1)
        self.assertEqual(out, f"{marks[0]}\n{self.JSON}{marks[1]}\n"
                         + "".join(self.JSON.splitlines(keepends=True)[:-1]))
        self.assertEqual(err.count("[well-formed]"), 1)
        status, out, err = self.run_on(SOUND, "check", cut)
        self.assertEqual((status, out.count("\n"), err), (1, 1, ""))
        out = self.run_on(SOUND, "summary", cut)[1]
        self.assertEqual(out.splitlines()[0], 'file "t.ftr"')
        self.assertIn(f"\nfile {name}\n", out)

    def test_missing_file_and_wrong_argument_are_2(self):
        err = io.StringIO()
        with contextlib.redirect_stderr(err):
            self.assertEqual(ftr_decode.main(["check", os.path.join(self.folder, "none.ftr")]), 2)
            with self.assertRaises(SystemExit) as raised:
                ftr_decode.main(["check", "x", "--allow", "no-rule"])
        self.assertEqual(raised.exception.code, 2)
        self.assertIn("none.ftr: No such file or directory\n", err.getvalue())
        self.assertIn("'no-rule' is no rule", err.getvalue())

    def test_rules_are_listed(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(ftr_decode.main(["rules"]), 0)
        self.assertEqual([line.split()[0] for line in out.getvalue().splitlines()],
                         list(ftr_decode.RULES))


if __name__ == "__main__":
    unittest.main()
