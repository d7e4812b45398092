#!/usr/bin/python3
"""flux in both directions: FTR files converted and back, files with every part of the format, made
byte by byte, and damage.

    flux_test.py FTR MAKE_TOOL_FILES MAKE_AWKWARD_FILE
"""

import collections
import os
import re
import struct
import subprocess
import sys
import unittest
import zlib

import lz4.block

from cbor_file import write_ftr
from dumped import Dump, ExchangeTest, run, run_on_full_disk

FTR, MAKE_TOOL_FILES, MAKE_AWKWARD_FILE = map(os.path.abspath, sys.argv[1:4])


# ---- an independent encoder, from the description of the format

def pint(value):
    out = b""
    while value > 0x7f:
        out += bytes([value & 0x7f | 0x80])
        value >>= 7
    return out + bytes([value])


def value(data):
    return pint(len(data)) + data


def text(string):
    return value(string.encode())


def sint(number):
    size = 0 if number == 0 else next(
        n for n in range(1, 10) if -(1 << 8 * n - 1) <= number < 1 << 8 * n - 1)
    return number.to_bytes(size, "little", signed=True)


def entry(tag, *fields):
    return bytes([0, tag]) + b"".join(fields)


def head(version=4, trace=1, name="t", items=20):
    return entry(1, b"flux", bytes([version]), pint(trace), text(name), text(""), b"\0",
                 pint(items), pint(4096))


def scope(item, parent, name, description=""):
    return entry(0x10, pint(item), pint(parent), text(name), text(description))


def signal(item, parent, name, kind, description="", descriptor=""):
    return entry(0x11, pint(item), pint(parent), text(name), text(description), bytes([kind]),
                 text(descriptor))


def opened(item, base, start=0):
    return entry(0x20, pint(item), text(base), value(sint(start)), value(b""))


def closed(item, end):
    return entry(0x21, pint(item), value(sint(end)))


def sample(item, delta, form, data, conflict=0):
    start = pint(item << 3 | (2 if delta else 0) | conflict) + (pint(delta) if delta else b"")
    return start + pint(len(data) << 4 | form) + data


def packed(mode, data, expanded):
    return entry(5, bytes([mode]), pint(len(expanded)), pint(len(data)), data)


def fastlz_literals(data):
    """Returns the level 1 form of data without a match."""
    out = b""
    for at in range(0, len(data), 32):
        part = data[at:at + 32]
        out += bytes([len(part) - 1]) + part
    return out


class FluxTest(ExchangeTest):
    makers = ((MAKE_TOOL_FILES,), (MAKE_AWKWARD_FILE, "awkward.ftr"))

    def read(self, data, status=0, stderr=""):
        """Converts a flux file. Returns transactions without ids, in order, and the dump."""
        with open("in.recTr", "wb") as file:
            file.write(data)
        run(FTR, "convert", "--input-format", "flux", "--force", "-o", "in.ftr", "in.recTr", status=status,
            stderr=stderr)
        run(FTR, "check", "in.ftr")
        dump = Dump(FTR, "in.ftr")
        return [(tx["stream"], tx["generator"], tx["begin"], tx["end"],
                 {name: (kind, content) for _, name, kind, content in tx["attributes"]})
                for tx in dump.transactions], dump

    # ---- conversion and back

    def compare(self, path, back, prefix=""):
        before, after = Dump(FTR, path), Dump(FTR, back)

        def by_id(dump, start):
            return {tx["id"]: (tx["stream"][len(start):], tx["generator"], tx["begin"], tx["end"],
                               repr(tx["attributes"]))
                    for tx in dump.transactions if tx["stream"].startswith(start)}

        def relations(dump, known):
            return collections.Counter((r["name"], known[r["from"]], known[r["to"]])
                                       for r in dump.relations if r["from"] in known)
        expected, found = by_id(before, ""), by_id(after, prefix)
        self.assertGreater(len(expected), 2)
        self.assertEqual(collections.Counter(found.values()),
                         collections.Counter(expected.values()))
        self.assertEqual(relations(after, found), relations(before, expected))

    def test_round_trip(self):
        for path in ("small.ftr", "awkward.ftr", "nanoseconds.ftr", "touching.ftr", "text.ftr"):
            for options in ((), ("--pack", "lz4")):
                with self.subTest(path, options=options):
                    run(FTR, "convert", "--output-format", "flux", *options, "-o", "there.recTr", path)
                    run(FTR, "convert", "--input-format", "flux", "--force", "--floats", "double", "-o",
                        "back.ftr", "there.recTr")
                    self.compare(path, "back.ftr")
                    self.assertEqual(
                        [line for line in run(FTR, "info", path).splitlines() if "a tick is" in line]
                        [0].split(",")[0],
                        [line for line in run(FTR, "info", "back.ftr").splitlines()
                         if "a tick is" in line][0].split(",")[0])
                    if options:
                        self.assertLess(os.path.getsize("there.recTr"), plain)
                    plain = os.path.getsize("there.recTr")

    def test_several_files_are_several_traces(self):
        run(FTR, "convert", "--output-format", "flux", "-o", "two.recTr", "small.ftr", "nanoseconds.ftr")
        heads = [line for line in run(FTR, "dump", "two.recTr").splitlines() if " head " in line]
        self.assertEqual(len(heads), 2)
        run(FTR, "convert", "--input-format", "flux", "--force", "-o", "two.ftr", "two.recTr")
        self.compare("small.ftr", "two.ftr", "small.")
        streams = {tx["stream"] for tx in Dump(FTR, "two.ftr").transactions}
        self.assertEqual(streams, {"small.top.cpu", "small.top.bus", "nanoseconds.top.dma"})

    def test_streams_without_transactions_and_kinds_come_back(self):
        run(FTR, "convert", "--output-format", "flux", "-o", "kinds.recTr", "awkward.ftr")
        run(FTR, "convert", "--input-format", "flux", "--force", "--floats", "double", "-o",
                        "kinds.ftr", "kinds.recTr")
        for path in ("awkward.ftr", "kinds.ftr"):
            told = run(FTR, "info", path)
            self.assertIn("no transactions", told)
            self.assertIn('kind of "all"', told)

    def test_streams_keep_their_names_if_one_name_begins_another(self):
        # A recorder writes the longer name first, because it renames a later one.
        write_ftr("nested.ftr", [(name, kind, [("g", at, at + 1, [("begin", "n", at)])]) for at, (name, kind) in enumerate(
            (("top.cpu.sock.x", "deep"), ("top.cpu.sock", "s"), ("top.cpu", "c"), ("other", "o"), ("top", "t")))],
                  time_scale=-12)
        for options in ((), ("--pack", "lz4")):
            run(FTR, "convert", "--output-format", "flux", *options, "-o", "nested.recTr", "nested.ftr")
            run(FTR, "convert", "--input-format", "flux", "--force", "-o", "back.ftr", "nested.recTr")
            self.compare("nested.ftr", "back.ftr")
            self.assertEqual(*(sorted(re.findall(r"^  (\S+)  (\S+)  1 chunk", run(FTR, "info", path), re.M))
                               for path in ("nested.ftr", "back.ftr")))
        run(FTR, "convert", "--output-format", "flux", "-o", "both.recTr", "nested.ftr", "small.ftr")
        run(FTR, "convert", "--input-format", "flux", "--force", "-o", "back.ftr", "both.recTr")
        self.compare("nested.ftr", "back.ftr", "nested.")

    # ---- files of other writers

    def test_scopes_of_other_writers_keep_their_names_if_both_have_signals(self):
        found, _ = self.read(head() + scope(1, 0, "top") + signal(2, 1, "a", 2) + scope(3, 1, "cpu") +
                             signal(4, 3, "b", 2) + opened(0, "ns") + sample(2, 1, 1, b"\1") + sample(4, 1, 1, b"\1") +
                             closed(0, 9))
        self.assertEqual([tx[:3] for tx in found], [("top", "a", 1), ("top.cpu", "b", 2)])

    def test_the_worked_example(self):
        data = bytes.fromhex(
            "0001666c7578040104" "64656d6f" "0000048004" "0010010003" "746f7000"
            "0011020103" "636e74000200" "0011030102" "7478000700" "002000026e73016400"
            "0031030004" "61646472030f" "64656661756c743c64663d4865783e" "0031030101" "770400"
            "101101" "13960121d4fe" "1ac801810200030200100104080000" "00000000e03f" "1a0a00"
            "0021000" "2e803")
        found, _ = self.read(data)
        self.assertEqual(found, [
            ("top", "cnt", 100, 100, {"value": ("INTEGER", 1)}),
            ("top", "cnt", 250, 250, {"conflict": ("BOOLEAN", True), "value": ("INTEGER", -300)}),
            ("top", "tx", 450, 450, {"addr": ("INTEGER", 4096),
                                     "w": ("FLOATING_POINT_NUMBER", 0.5)}),
            ("top", "tx", 460, 460, {})])

    def one(self, kind, form, content, *legend, version=4):
        data = (head(version) + signal(1, 0, "s", kind) + opened(0, "ns") + b"".join(legend) +
                sample(1, 5, form, content) + closed(0, 9))
        found, _ = self.read(data)
        self.assertEqual(len(found), 1)
        self.assertEqual(found[0][:4], ("t", "s", 5, 5))
        return found[0][4]

    def test_samples_of_every_type(self):
        self.assertEqual(self.one(2, 1, b""), {"value": ("INTEGER", 0)})
        self.assertEqual(self.one(2, 1, b"\xff" * 4), {"value": ("INTEGER", -1)})
        self.assertEqual(self.one(2, 1, b"\xff" * 8 + b"\0", version=6),
                         {"value": ("UNSIGNED", 2**64 - 1)})
        self.assertEqual(self.one(1, 2, b"\1"), {"value": ("UNSIGNED", 1)})
        label = entry(0x30, pint(1), pint(0), text("go"), pint(1))
        self.assertEqual(self.one(1, 2, b"\1", label), {"value": ("ENUMERATION", "go")})
        # version 4 puts no zero byte before a set top bit, which is not a sign
        self.assertEqual(self.one(1, 2, b"\xfe"), {"value": ("UNSIGNED", 254)})
        most = entry(0x30, pint(1), pint(0), text("most"), pint(0xffffffff))
        self.assertEqual(self.one(1, 2, b"\xff" * 4, most), {"value": ("ENUMERATION", "most")})
        self.assertEqual(self.one(4, 5, struct.pack("<f", 0.5)),
                         {"value": ("FLOATING_POINT_NUMBER", 0.5)})
        self.assertEqual(self.one(4, 9, struct.pack("<d", 0.25)),
                         {"value": ("FLOATING_POINT_NUMBER", 0.25)})
        self.assertEqual(self.one(5, 1, "hé".encode()), {"value": ("STRING", "hé")})
        self.assertEqual(self.one(6, 1, b"\0\xfe"), {"value": ("STRING", "00fe")})
        self.assertEqual(self.one(3, 9, b"\xa5"), {"value": ("LOGIC_VECTOR", "10100101")})
        self.assertEqual(self.one(3, 9, b"\x00\xa5"), {"value": ("LOGIC_VECTOR", "010100101")})
        self.assertEqual(self.one(3, 10, b"\x00\x5d"), {"value": ("LOGIC_VECTOR", "011X1")})
        self.assertEqual(self.one(3, 11, b"\x11\x16\x66"), {"value": ("STRING", "1UUU")})
        self.assertEqual(self.one(3, 1, b""), {"value": ("LOGIC_VECTOR", "0")})
        self.assertEqual(self.one(3, 5, b""), {"value": ("LOGIC_VECTOR", "1")})
        self.assertEqual(self.one(9, 5, bytes.fromhex("010101fe")),
                         {"value[0]": ("INTEGER", 1), "value[1]": ("INTEGER", -2)})
        name = entry(0x31, pint(1), pint(1), text("y"), b"\0", text(""))
        self.assertEqual(self.one(8, 2, bytes.fromhex("0101022c01"), name),
                         {"value[0]": ("UNSIGNED", 1), "y": ("UNSIGNED", 300)})
        self.assertEqual(self.one(10, 9, struct.pack("<dd", 1, 2.5)),
                         {"value[0]": ("FLOATING_POINT_NUMBER", 1.0),
                          "value[1]": ("FLOATING_POINT_NUMBER", 2.5)})
        # an element has an enumeration of its own
        own = entry(0x30, pint(1), pint(8 + 1), text("own"), pint(1))
        self.assertEqual(self.one(8, 2, bytes.fromhex("01010101"), own),
                         {"value[0]": ("UNSIGNED", 1), "value[1]": ("ENUMERATION", "own")})
        # version 6: an array with its number of elements; flags above the type
        self.assertEqual(self.one(0x8a, 5, struct.pack("<f", 0.5), version=6),
                         {"value[0]": ("FLOATING_POINT_NUMBER", 0.5)})
        self.assertEqual(self.one(9, 7, bytes.fromhex("02010101fe"), version=6),
                         {"value[0]": ("INTEGER", 1), "value[1]": ("INTEGER", -2)})

    def test_members_of_every_type(self):
        for version in (4, 6):
            parent = pint(0) if version == 6 else b""
            legend = [entry(0x31, pint(1), pint(n), parent, text(f"m{n}"), bytes([kind]), text(""))
                      for n, kind in enumerate((1, 2, 3, 4, 6, 7, 8))]
            legend.append(entry(0x30, pint(1), pint(0), text("global"), pint(3)))
            legend.append(entry(0x30, pint(1), pint(8 + 5), text("local"), pint(3)))
            members = [(0, 1, b"hi"), (1, 2, b"\3"), (2, 3, b"\xd4\xfe"),
                       (3, 4, struct.pack("<f", 0.5)), (4, 6, b"\1\2"), (5, 7, b"\3"),
                       (6, 8, b"\4")]
            legend.append(entry(0x30, pint(1), pint(8 + 6), text("merged"), pint(4)))
            content = b"".join(pint(n) + bytes([k]) + value(c) for n, k, c in members)
            self.assertEqual(self.one(7, 1, content, *legend, version=version), {
                "m0": ("STRING", "hi"), "m1": ("ENUMERATION", "global"), "m2": ("INTEGER", -300),
                "m3": ("FLOATING_POINT_NUMBER", 0.5), "m4": ("STRING", "0102"),
                "m5": ("ENUMERATION", "local"), "m6": ("ENUMERATION", "merged")})

    def test_domains_have_separate_positions_and_units(self):
        data = (head() + scope(1, 0, "a") + signal(2, 1, "x", 2) + signal(3, 0, "y", 2) +
                opened(1, "ns", 10) + opened(3, "100 ps", 1000) + sample(2, 2, 1, b"\1") +
                sample(3, 1, 1, b"\2") + sample(2, 1, 1, b"\3") +
                entry(0x23, pint(1), value(sint(5000))) + sample(2, 0, 1, b"\4") +
                closed(1, 6000) + opened(0, "ns", 7000) + sample(2, 0, 1, b"\5"))
        found, _ = self.read(data)
        self.assertEqual([(s, g, begin) for s, g, begin, _, _ in found],
                         [("a", "x", 120), ("a", "x", 130), ("t", "y", 1001), ("a", "x", 50000),
                          ("a", "x", 70000)])
        self.assertIn("a tick is 100 ps", run(FTR, "info", "in.ftr"))

    def test_a_position_counts_for_the_nearest_open_item(self):
        data = (head() + scope(1, 0, "a") + signal(2, 1, "x", 2) + opened(1, "ns", 10) +
                entry(0x23, pint(2), value(sint(50))) + sample(2, 1, 1, b"\1") + closed(0, 60) +
                opened(0, "ns", 70) + sample(2, 1, 1, b"\2"))
        self.assertEqual([begin for _, _, begin, _, _ in self.read(data)[0]], [51, 71])
        self.read(data + closed(0, 80) + entry(0x23, pint(2), value(sint(90))), status=1,
                  stderr=f"ftr: in.recTr: byte {len(data) + 5}: "
                         "a position of an item that is not open: skipped\n")

    def test_closing_an_item_closes_the_items_below_it(self):
        start = (head() + scope(1, 0, "a") + signal(2, 1, "x", 2) + signal(3, 1, "y", 2) +
                 opened(2, "ns") + opened(3, "ns") + closed(1, 5))
        self.read(start + sample(2, 1, 1, b"\1"), status=1, stderr=(
            f"ftr: in.recTr: byte {len(start)}: a sample of an item that is not open: skipped\n"))
        found, _ = self.read(start + opened(2, "ns", 7) + sample(2, 1, 1, b"\1"))
        self.assertEqual(found[0][2], 8)

    def test_bases_that_are_no_power_of_ten_and_no_time(self):
        data = (head() + signal(1, 0, "x", 2) + signal(2, 0, "y", 2) + signal(3, 0, "z", 2) +
                opened(1, "5 ns", 3))
        found, _ = self.read(
            data + opened(2, "1 tick", 7) + opened(3, "Hz", 8) + sample(1, 0, 1, b"\1") +
            sample(2, 0, 1, b"\1") + sample(3, 0, 1, b"\1"),
            stderr=f"ftr: in.recTr: byte {len(data)}: a domain base that is not a time: "
                   "its units are ticks, named in the stream flux.domains\n")
        self.assertEqual([entry[:3] + (entry[4],) for entry in found], [
            ("flux.domains", "domain", 7, {"item": ("STRING", "y"), "unit": ("STRING", "tick")}),
            ("t", "y", 7, {"value": ("INTEGER", 1)}),
            ("flux.domains", "domain", 8, {"item": ("STRING", "z"), "unit": ("STRING", "Hz")}),
            ("t", "z", 8, {"value": ("INTEGER", 1)}), ("t", "x", 15, {"value": ("INTEGER", 1)})])

    def test_units_of_other_domains_are_multiplied(self):
        data = head() + signal(1, 0, "x", 2) + opened(0, "25 kHz", 4)
        found, _ = self.read(data + sample(1, 2, 1, b"\1"), stderr=None)
        self.assertEqual([(entry[1], entry[2], entry[4].get("unit"), entry[4].get("item")) for entry in found],
                         [("domain", 100, ("STRING", "kHz"), ("STRING", "t")), ("x", 150, None, None)])

    UNDEFINED = ("ftr: in.recTr: byte {}: items without a definition: they get their numbers as names, and the types "
                 "of their values\n")

    def test_definitions_are_optional(self):
        def told(data, offset):
            found, _ = self.read(data, stderr=self.UNDEFINED.format(offset))
            return [(stream, generator, begin, attributes.get("value"))
                    for stream, generator, begin, _, attributes in found]
        start = head() + opened(0, "us", 3)
        self.assertEqual(
            told(start + sample(3, 2, 1, b"\x07") + sample(4, 0, 5, struct.pack("<f", 0.5)) +
                 sample(4, 1, 9, struct.pack("<d", 0.25)) + sample(5, 0, 2, b"\2") +
                 sample(6, 0, 1, b"brief") + sample(6, 0, 1, b"longer than eight") +
                 sample(7, 0, 1, b"\0" * 9) + sample(8, 0, 0xa, b"\x00\x5d") + sample(3, 1, 1, b"") +
                 sample(9, 0, 0, b""), len(start)),
            [("t", "signal3", 5, ("INTEGER", 7)), ("t", "signal4", 5, ("FLOATING_POINT_NUMBER", 0.5)),
             ("t", "signal4", 6, ("FLOATING_POINT_NUMBER", 0.25)), ("t", "signal5", 6, ("UNSIGNED", 2)),
             ("t", "signal6", 6, ("STRING", "brief")), ("t", "signal6", 6, ("STRING", "longer than eight")),
             ("t", "signal7", 6, ("STRING", "00" * 9)), ("t", "signal8", 6, ("LOGIC_VECTOR", "011X1")),
             ("t", "signal3", 7, ("INTEGER", 0)), ("t", "signal9", 7, None)])
        self.assertIn("a tick is 1 us", run(FTR, "info", "in.ftr"))

    def test_legends_and_definitions_can_follow_their_first_use(self):
        start = head() + opened(0, "ns")
        member = entry(0x31, pint(2), pint(0), text("addr"), b"\3", text(""))
        label = entry(0x30, pint(3), pint(0), text("go"), pint(1))
        found, _ = self.read(
            start + member + sample(2, 1, 1, b"\0\3\1\5") + label + sample(3, 0, 2, b"\1") +
            sample(1, 1, 1, b"\1") + signal(1, 0, "late", 2) + sample(1, 1, 1, b"\2"),
            stderr=self.UNDEFINED.format(len(start)))
        self.assertEqual([(entry[1], entry[2], entry[4]) for entry in found], [
            ("signal2", 1, {"addr": ("INTEGER", 5)}), ("signal3", 1, {"value": ("ENUMERATION", "go")}),
            ("signal1", 2, {"value": ("INTEGER", 1)}), ("late", 3, {"value": ("INTEGER", 2)})])

    def test_a_trace_without_open_items_starts_at_zero(self):
        start = head() + entry(0x22, text("us")) + signal(1, 0, "x", 2)
        found, _ = self.read(start + sample(1, 5, 1, b"\1") + sample(1, 0, 1, b"\2"))
        self.assertEqual([(entry[1], entry[2]) for entry in found], [("x", 5), ("x", 5)])
        self.assertIn("a tick is 1 us", run(FTR, "info", "in.ftr"))
        start = head() + signal(1, 0, "x", 2)
        found, _ = self.read(start + sample(1, 5, 1, b"\1"), stderr=f"ftr: in.recTr: byte {len(start)}: "
                             "no domain base: positions are ticks\n")
        self.assertEqual([(entry[1], entry[2]) for entry in found], [("x", 5)])

    def test_sending_a_trace_again_gives_the_same_file(self):
        def definitions(mode):
            return (entry(1, b"flux", b"\4", pint(1), text("t"), text(""), bytes([mode]), pint(9),
                          pint(99)) + signal(1, 0, "s", 2) + opened(0, "ns"))
        found, _ = self.read(definitions(1) + sample(1, 3, 1, b"\1") + definitions(1) +
                             sample(1, 3, 1, b"\2"))
        self.assertEqual([begin for _, _, begin, _, _ in found], [3, 6])
        self.read(definitions(0) + definitions(0), status=1, stderr=None)

    def test_ranges_of_signals_and_the_default_base(self):
        data = (head() + entry(0x12, pint(1), pint(3), pint(0), text("b"), text(""), b"\2", text("")) +
                entry(0x14, pint(4), pint(0), text("v"), text(""), b"\3", text(""), pint(0), pint(7)) +
                entry(0x13, pint(1), pint(0), text("again"), text("")) +
                entry(0x15, pint(4), pint(0), text("again"), text(""), pint(0), pint(3)) +
                entry(0x22, text("us")) + opened(0, "", 3) + sample(1, 0, 1, b"\1") +
                sample(3, 1, 1, b"\3") + sample(4, 0, 9, b"\5"))
        found, _ = self.read(data)
        self.assertEqual([(g, begin) for _, g, begin, _, _ in found],
                         [("b[0]", 3), ("b[2]", 4), ("v[0:7]", 4)])
        self.assertIn("a tick is 1 us", run(FTR, "info", "in.ftr"))

    def test_blocks_of_every_compression_are_expanded(self):
        start = head() + signal(1, 0, "s", 5) + opened(0, "ns")
        body = b"".join(sample(1, 1, 1, b"abcabcabcabcabcabc%d" % n) for n in range(20))
        expected, _ = self.read(start + body)
        self.assertEqual(len(expected), 20)
        lz4_data = lz4.block.compress(body, store_size=False)
        gzip_data = zlib.compressobj(wbits=31)
        gzip_data = gzip_data.compress(body) + gzip_data.flush()
        nested = packed(0, lz4_data, body)
        for name, data in (
                ("lz4", packed(0, lz4_data, body)),
                ("fastlz", packed(1, fastlz_literals(body), body)),
                ("zlib", packed(2, zlib.compress(body), body)),
                ("gzip", packed(3, gzip_data, body)),
                ("nested", packed(1, fastlz_literals(nested), nested))):
            with self.subTest(name):
                self.assertEqual(self.read(start + data)[0], expected)

    def test_fastlz_matches_near_and_far(self):
        # ten letters, then a match of 3 at distance 10, then one of 7 + 5 bytes at distance 1
        stream = bytes([9]) + b"abcdefghij" + bytes([1 << 5, 9]) + bytes([7 << 5, 3, 0])
        content = b"abcdefghij" + b"abc" + b"c" * 12
        block = sample(1, 1, 1, content)
        start = block[:len(block) - len(content)]
        data = bytes([len(start) + 9]) + start + stream[1:]
        found, _ = self.read(head() + signal(1, 0, "s", 5) + opened(0, "ns") +
                             packed(1, data, block))
        self.assertEqual(found[0][4], {"value": ("STRING", content.decode())})

    def test_a_ring_is_read_from_its_oldest_section(self):
        def section(counter, content, size=40):
            return (bytes([0, 6, counter]) + struct.pack("<HH", size, len(content)) + content +
                    b"\xee" * (size - len(content)))

        def at(position):
            return entry(0x23, pint(0), value(sint(position))) + sample(1, 0, 1, b"\1")
        start = head() + signal(1, 0, "s", 2) + opened(0, "ns")
        for counters, order in (((3, 3, 0x83), (1, 2, 3)), ((4, 3, 0x83), (2, 3, 1)),
                                ((4, 4, 0x83), (3, 1, 2)), ((1, 0, 0x80), (1,)),
                                ((1, 15, 0x8f), (2, 3, 1))):
            with self.subTest(counters):
                ring = b"".join(section(counter, at(order.index(n + 1) + 1)) if n + 1 in order
                                else section(counter, b"")
                                for n, counter in enumerate(counters))
                _, dump = self.read(start + ring)
                # ids are assigned in the order of reading
                self.assertEqual([tx["begin"] for tx in
                                  sorted(dump.transactions, key=lambda tx: tx["id"])],
                                 list(range(1, len(order) + 1)))

    def test_relations_and_labels(self):
        data = (head() + scope(1, 0, "top") + signal(2, 1, "x", 2) + signal(3, 1, "y", 2) +
                opened(0, "ns") + entry(0x30, pint(2), pint(1), text("\\top\\y"), pint(1)) +
                entry(0x30, pint(2), pint(2), text("next/ff0000/1"), pint(4)) +
                entry(0x30, pint(2), pint(3), text("star"), pint(2)) +
                sample(2, 10, 1, b"\1") + entry(0x40, pint(2), pint(1), pint(4), value(sint(5))) +
                entry(0x41, pint(2), pint(2), value(sint(-1)), value(sint(7))) +
                sample(3, 5, 1, b"\2"))
        found, dump = self.read(data)
        self.assertEqual(found[0][4], {"value": ("INTEGER", 1), "label": ("STRING", "star"),
                                       "label.x": ("INTEGER", -1), "label.y": ("INTEGER", 7)})
        self.assertEqual([(r["name"], r["from"], r["to"]) for r in dump.relations],
                         [("next", dump.transactions[0]["id"], dump.transactions[1]["id"])])

    def test_attachments_are_of_the_last_sample_of_their_item(self):
        data = (head() + signal(1, 0, "x", 2) + signal(2, 0, "y", 2) + opened(0, "ns") +
                entry(0x30, pint(1), pint(1), text("\\y"), pint(1)) + sample(1, 10, 1, b"\1") +
                sample(2, 5, 1, b"\2") + entry(0x40, pint(1), pint(1), pint(0), value(sint(5))) +
                entry(0x41, pint(1), pint(0), value(sint(3)), value(sint(4))) +
                sample(1, 1, 1, b"\3") +
                entry(0x41, pint(1), pint(0), value(sint(5)), value(sint(6))))
        found, dump = self.read(data)
        self.assertEqual([(g, begin, attributes.get("label.x"))
                          for _, g, begin, _, attributes in found],
                         [("x", 10, ("INTEGER", 3)), ("y", 15, None), ("x", 16, ("INTEGER", 5))])
        self.assertEqual([(r["from"], r["to"]) for r in dump.relations],
                         [(dump.transactions[0]["id"], dump.transactions[1]["id"])])

    def test_relations_end_at_the_current_sample(self):
        data = (head() + signal(1, 0, "x", 2) + signal(2, 0, "y", 2) + signal(3, 0, "none", 2) + opened(0, "ns") +
                entry(0x30, pint(1), pint(1), text("\\y"), pint(1)) +
                entry(0x30, pint(1), pint(1), text("\\none"), pint(2)))
        begins = {"y": [20, 30, 50, 50], "x": [10, 21, 31, 60]}
        wanted = {10: [-5, 5, 10, 19, 20, 21], 21: [8, 9, 28, 29, 30, 999], 31: [0], 60: [-29, 0]}
        for time in range(1, 61):
            data += entry(0x23, pint(0), value(sint(time)))
            for name, item in (("y", 2), ("x", 1)):
                for n in range(begins[name].count(time)):
                    data += sample(item, 0, 1, bytes([time + n]))
            if time in begins["x"]:
                for delta in wanted[time]:
                    data += entry(0x40, pint(1), pint(1), pint(0), value(sint(delta)))
        found, dump = self.read(data)
        value_of = {tx["id"]: tx["attributes"][0][3] for tx in dump.transactions}
        expected = []
        for time, deltas in wanted.items():
            for delta in deltas:
                before = [begin for begin in begins["y"] if begin <= time + delta]
                # the first of several samples at exactly this position, or the last one before it
                last = 51 if before[-2:] == [50, 50] and time + delta > 50 else before[-1] if before else 20
                expected.append((time, last))
        self.assertEqual([(value_of[r["from"]], value_of[r["to"]]) for r in dump.relations], expected)
        end = entry(0x40, pint(1), pint(2), pint(0), value(sint(0)))
        self.read(data + end, status=1, stderr=f"ftr: in.recTr: byte {len(data)}: "
                  "a relation to a signal without samples: skipped\n")

    def test_relations_of_version_6(self):
        for kind, position, expected in ((0, 5, (0, 1)), (1, 5, (1, 0)), (2, 15, (0, 1)),
                                         (3, 15, (1, 0))):
            data = (head(6) + signal(2, 0, "x", 2) + signal(3, 0, "y", 2) + opened(0, "ns") +
                    entry(0x30, pint(2), pint(1), text("\\y"), pint(1)) + sample(2, 10, 1, b"\1") +
                    entry(0x40, pint(2), bytes([kind]), pint(1), pint(0), value(sint(position)),
                          pint(0)) +
                    entry(0x41, pint(2), pint(2), pint(0), pint(0)) + sample(3, 5, 1, b"\2"))
            _, dump = self.read(data)
            ids = [tx["id"] for tx in dump.transactions]
            self.assertEqual([(r["from"], r["to"]) for r in dump.relations],
                             [(ids[expected[0]], ids[expected[1]])])

    def test_traces_are_switched(self):
        data = (head(4, 1, "one") + signal(1, 0, "s", 2) + opened(0, "ns") +
                head(6, 300, "two") + signal(1, 0, "s", 2) + opened(0, "ns") +
                entry(4, pint(1)) + sample(1, 1, 1, b"\1") + entry(4, pint(300)) +
                sample(1, 2, 1, b"\2"))
        found, _ = self.read(data)
        self.assertEqual([(s, begin) for s, _, begin, _, _ in found], [("one", 1), ("two", 2)])
        # data of each writer follows its number, including the head
        again = self.read(entry(4, pint(1)) + data)[0]
        self.assertEqual(again, found)
        self.assertIn("trace 1 switch", run(FTR, "dump", "in.recTr"))

    def test_items_without_a_name_get_one(self):
        data = (head(name="") + scope(1, 0, "") + signal(2, 1, "", 2) + signal(3, 0, "", 2) +
                opened(0, "ns") + sample(2, 1, 1, b"\1") + sample(3, 1, 1, b"\2"))
        self.assertEqual([found[:3] for found in self.read(data)[0]],
                         [("scope1", "signal2", 1), ("trace", "signal3", 2)])

    def test_a_begin_before_the_flux_position_is_reported(self):
        self.read(head() + signal(1, 0, "s", 2) + opened(0, "100 ps", 1) + opened(1, "ns", 1 << 60) +
                  sample(1, 0, 1, b"\1"))
        run(FTR, "convert", "--output-format", "flux", "-o", "far.recTr", "in.ftr", status=2,
            stderr="ftr: far.recTr: trace in: a transaction begins at 2^63 ticks or later, "
                   "which flux cannot represent\n")

    def test_each_trace_has_a_default_base(self):
        data = (head(4, 1, "one") + entry(0x22, text("us")) + signal(1, 0, "s", 2) +
                head(4, 2, "two") + entry(0x22, text("ns")) + signal(1, 0, "s", 2) +
                opened(0, "", 5) + sample(1, 0, 1, b"\1") + entry(4, pint(1)) +
                opened(0, "", 7) + sample(1, 0, 1, b"\2"))
        self.assertEqual([(s, begin) for s, _, begin, _, _ in self.read(data)[0]],
                         [("two", 5), ("one", 7000)])

    # ---- dump

    def test_dump_shows_every_entry(self):
        data = (head() + scope(1, 0, "top") + signal(2, 1, "x", 3) + opened(0, "ns", -5) +
                entry(0x80, pint(256), pint(1), pint(1), pint(0), b"\3", value(b"\7")) +
                sample(2, 300, 9, b"\xa5", 1) + closed(0, 1000))
        with open("shown.recTr", "wb") as file:
            file.write(data)
        lines = run(FTR, "dump", "shown.recTr").splitlines()
        self.assertEqual([line.split(" ", 1)[1] for line in lines], [
            'trace 1 head "flux" version 4 name "t" mode 0 items 20 entry 4096',
            'trace 1 scope item 1 in 0 "top"',
            'trace 1 signal item 2 in 1 "x" type 3',
            'trace 1 open item 0 base "ns" at -5 rate 0',
            "trace 1 request control 256 message 1 0=7",
            "trace 1 sample item 2 +300 conflict format 9 10100101",
            "trace 1 close item 0 at 1000"])

    # ---- damage

    def test_damage_is_reported(self):
        start = head() + signal(1, 0, "s", 2) + opened(0, "ns")
        good = sample(1, 1, 1, b"\1")
        cases = [
            (entry(0x77), "an entry of an unknown kind: the data after it cannot be read"),
            (closed(9, 1) + good, "an entry of an undefined item: skipped"),
            (good[:-1], "the bytes end in the middle of an entry"),
            (packed(0, b"junk", b"x" * 9) + good,
             "a packed block that does not expand to its declared size"),
            (packed(9, b"junk", b"x" * 9) + good,
             "a packed block with an unknown compression"),
            (signal(1, 0, "again", 2) + good, "an item that is already defined: skipped"),
            (signal(5, 9, "lost", 2) + good, "an item of an undefined scope: skipped"),
            (closed(1, 5) + good, "a close of a sequence that is not open"),
            (pint(1 << 3) + b"\xff" * 10 + good,
             "a number out of range: the data after it cannot be read"),
            (sample(1, 1, 1, b"\1" * 12) + good, "a value that does not fit the type of its signal"),
            (packed(1, fastlz_literals(entry(0x77)), entry(0x77)) + good,
             "an entry of an unknown kind: the data after it cannot be read"),
            (entry(0x41, pint(1), pint(0), value(b""), value(b"")) + good,
             "a label without a sample: skipped"),
        ]
        for damage, said in cases:
            with self.subTest(said):
                self.read(start + damage, status=1,
                          stderr=f"ftr: in.recTr: byte {len(start)}: {said}\n")

    def test_values_of_another_type_are_kept_as_bytes(self):
        data = head() + signal(1, 0, "s", 2) + opened(0, "ns") + sample(1, 5, 1, b"\1" * 12)
        self.assertEqual(self.read(data, status=1, stderr=None)[0][0][4],
                         {"value": ("STRING", "01" * 12)})

    def test_every_truncation_is_reported(self):
        run(FTR, "convert", "--output-format", "flux", "--pack", "lz4", "-o", "whole.recTr", "small.ftr")
        with open("whole.recTr", "rb") as file:
            whole = file.read()
        for size in range(0, len(whole), 7):
            with open("part.recTr", "wb") as file:
                file.write(whole[:size])
            result = subprocess.run([FTR, "convert", "--input-format", "flux", "--force", "-o", "part.ftr",
                                     "part.recTr"], capture_output=True, check=False)
            self.assertIn(result.returncode, (0, 1, 2), size)

    def test_files_that_are_not_flux_are_refused(self):
        for path in ("junk.ftr", "empty.ftr", "small.ftr"):
            result = subprocess.run([FTR, "convert", "--input-format", "flux", "--force", "-o", "none.ftr", path],
                                    capture_output=True, text=True, check=False)
            self.assertEqual((result.returncode, result.stderr),
                             (2, f"ftr: {path}: not a flux file: it does not begin with a head\n"))

    def test_a_full_disk_is_reported_once(self):
        run(FTR, "convert", "--output-format", "flux", "-o", "full.recTr", "small.ftr")
        for command in (("--output-format", "flux", "small.ftr"), ("--input-format", "flux", "full.recTr")):
            run_on_full_disk(FTR, "convert", *command,
                             stderr="ftr: stdout: No space left on device\n")
            run_on_full_disk(FTR, "convert", *command, path="no-room",
                             stderr="ftr: .*no-room: .*File too large\n(ftr: 12 transactions are not .*\n)?")

    def test_an_input_is_not_overwritten(self):
        with open("small.ftr", "rb") as file:
            before = file.read()
        os.symlink("small.ftr", "link.ftr")
        for command in (("--output-format", "flux", "-o", "small.ftr", "small.ftr"),
                        ("--output-format", "perfetto", "-o", "link.ftr", "empty.ftr", "small.ftr"),
                        ("--input-format", "flux", "-o", "small.ftr", "small.ftr")):
            run(FTR, "convert", *command, status=2,
                stderr="ftr: small.ftr: input and output are the same file\n")
        with open("small.ftr", "rb") as file:
            run(FTR, "convert", "--output-format", "scv", "-o", "small.ftr", "-", stdin=file, status=2,
                stderr="ftr: -: input and output are the same file\n")
        with open("small.ftr", "rb") as file:
            self.assertEqual(file.read(), before)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
