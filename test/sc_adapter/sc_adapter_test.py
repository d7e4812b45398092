#!/usr/bin/python3
"""Runs the sc_*_test programs with recording on and off, and compares the content of their files,
read by ftr_decode.py, with the expected content. The first argument is the directory of the
programs."""

import collections
import decimal
import fractions
import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = ""

BITS_128 = "{:0128b}"


class Trace:
    """A file, read by ftr_decode.py after its check has passed."""

    def __init__(self, test, path):
        decoder = [sys.executable, os.path.join(HERE, "..", "support", "ftr_decode.py")]
        checked = subprocess.run(decoder + ["check", path], capture_output=True, text=True)
        test.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        listing = subprocess.run(decoder + ["json", path], capture_output=True, text=True, check=True)
        records = [json.loads(line) for line in listing.stdout.splitlines()]

        def of(kind):
            return [record for record in records if record["record"] == kind]

        (self.info,) = of("info")
        self.streams = of("stream")
        self.generators = of("generator")
        self.transactions = sorted(of("transaction"), key=lambda tx: tx["id"])
        self.relations = of("relation")

    def by_stream(self):
        """Returns {stream: [(generator, begin, end, attributes)]}, in order of begin."""
        found = collections.defaultdict(list)
        for tx in self.transactions:
            attributes = [tuple(attribute) for attribute in tx["attributes"]]
            found[tx["stream"]].append((tx["generator"], tx["begin"], tx["end"], attributes))
        return dict(found)


class Programs(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_program(self, name, *arguments, status=0, **variables):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("FTR_")}
        environment.update(variables, SYSTEMC_DISABLE_COPYRIGHT_MESSAGE="1")
        result = subprocess.run([os.path.join(PROGRAMS, name), *arguments], cwd=self.folder,
                                env=environment, capture_output=True, text=True, timeout=300)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result

    def trace(self, name):
        return Trace(self, os.path.join(self.folder, name))

    def files(self):
        return sorted(os.listdir(self.folder))


def truncated(text, places):
    """Returns the exact decimal of the largest multiple of 2^-places that is not above the double
    `text`."""
    units = math.floor(fractions.Fraction(float(text)) * 2 ** places)
    with decimal.localcontext() as context:
        context.prec = 200
        return format(decimal.Decimal(units) / 2 ** places, "f")


def limits(name, bits, signed):
    least = -(1 << bits - 1) if signed else 0
    most = (1 << bits - (1 if signed else 0)) - 1
    kind = "INTEGER" if signed else "UNSIGNED"
    return {name + ".min": (kind, least), name + ".max": (kind, most)}


VALUES = {
    "bool": ("BOOLEAN", True),
    **limits("signed char", 8, True),
    **limits("unsigned char", 8, False),
    **limits("short", 16, True),
    **limits("unsigned short", 16, False),
    **limits("int", 32, True),
    **limits("unsigned", 32, False),
    **limits("long", 64, True),
    **limits("unsigned long", 64, False),
    **limits("long long", 64, True),
    **limits("unsigned long long", 64, False),
    "wchar_t": ("INTEGER", 120),
    "char16_t": ("UNSIGNED", 120),
    "int128": ("BIT_VECTOR", BITS_128.format((1 << 128) - 2)),
    "uint128": ("BIT_VECTOR", BITS_128.format(1 << 100 | 1)),
    "float": ("FLOATING_POINT_NUMBER", 0.10000000149011612),
    "double": ("FLOATING_POINT_NUMBER", -2.5),
    "long double": ("FLOATING_POINT_NUMBER", 1024.0),
    "char": ("STRING", "x"),
    "char.newline": ("STRING", "\\x0a"),
    "char.high": ("STRING", "\\xe9"),
    "literal": ("STRING", "text"),
    "const char *": ("STRING", "C string"),
    "char *": ("STRING", "own"),
    "char[4]": ("STRING", "full"),
    "char[6]": ("STRING", "part"),
    "std::string": ("STRING", "nul\0inside"),
    "std::string.empty": ("STRING", ""),
    "std::string_view": ("STRING", "a view"),
    "std::string_view.empty": ("STRING", ""),
    "enum": ("ENUMERATION", "green"),
    "enum.unknown": ("ENUMERATION", "7"),
    "enum.nameless": ("INTEGER", -2),
    "enum.huge": ("UNSIGNED", (1 << 64) - 1),
    "pointer": ("POINTER", 0x1234),
    "void *": ("POINTER", 0xfffffffffffffff0),
    "nullptr": ("POINTER", 0),
    "sc_time": ("TIME", 1500000),
    "sc_bit": ("BIT_VECTOR", "1"),
    "sc_logic.Z": ("LOGIC_VECTOR", "Z"),
    "sc_logic.X": ("LOGIC_VECTOR", "X"),
    "sc_bv": ("BIT_VECTOR", "0110010101"),
    "sc_bv.wide": ("BIT_VECTOR", "1" + 198 * "0" + "1"),
    "sc_lv": ("LOGIC_VECTOR", "01XZ10ZX"),
    "sc_int": ("INTEGER", -5),
    "sc_int.64": ("INTEGER", -(1 << 63)),
    "sc_uint": ("UNSIGNED", 4095),
    "sc_uint.64": ("UNSIGNED", (1 << 64) - 1),
    "sc_bigint.64": ("INTEGER", -6),
    "sc_bigint.70": ("BIT_VECTOR", "{:070b}".format((1 << 70) - 6)),
    "sc_biguint.64": ("UNSIGNED", (1 << 64) - 1),
    "sc_biguint.65": ("BIT_VECTOR", "{:065b}".format(1 << 64 | 10)),
    "sc_signed": ("BIT_VECTOR", "11110"),
    "sc_fixed": ("FIXED_POINT_INTEGER", -1.0009765625),
    "sc_fixed.wide": ("STRING", truncated("-0.7", 36)),
    "sc_fixed.far": ("STRING", str(1 << 198)),
    "sc_ufixed": ("UNSIGNED_FIXED_POINT_INTEGER", 15.9375),
    "sc_ufixed.wide": ("STRING", truncated("0.1", 62)),
    "sc_fixed_fast": ("FIXED_POINT_INTEGER", 2.5),
    "sc_fixed_fast.wide": ("STRING", truncated("-0.7", 44)),
    "sc_ufixed_fast": ("UNSIGNED_FIXED_POINT_INTEGER", 2.5),
    "sc_fix.narrow": ("FIXED_POINT_INTEGER", 1.25),
    "sc_fix.wide": ("STRING", "1.25"),
    "sc_ufix.narrow": ("UNSIGNED_FIXED_POINT_INTEGER", 1.5),
    "sc_fix_fast.narrow": ("FIXED_POINT_INTEGER", -1.5),
    "sc_ufix_fast.wide": ("STRING", "1.5"),
    "tlm_command": ("STRING", "tlm::TLM_WRITE_COMMAND"),
    "tlm_response_status": ("STRING", "tlm::TLM_ADDRESS_ERROR_RESPONSE"),
    "tlm_response_status.unknown": ("STRING", "-7"),
    "tlm_gp_option": ("STRING", "tlm::TLM_FULL_PAYLOAD"),
    "tlm_sync_enum": ("STRING", "tlm::TLM_UPDATED"),
    "tlm_phase_enum": ("STRING", "BEGIN_REQ"),
    "tlm_phase": ("STRING", "END_RESP"),
    "tlm_phase.extended": ("STRING", "BEGIN_DATA"),
}

# Their width is known only at run time, but a declaration needs the type before.
DECLARED_AS_TEXT = {
    "sc_fix.narrow": "1.25",
    "sc_ufix.narrow": "1.5",
    "sc_fix_fast.narrow": "-1.5",
}

REQUEST = [("from", "STRING", "cpu"), ("access.address", "UNSIGNED", 0x1000),
           ("access.width", "UNSIGNED", 4), ("access.is_write", "BOOLEAN", True),
           ("colour", "ENUMERATION", "green")]


def fields(class_, prefix, listed):
    return [(class_, prefix + name, kind, value) for name, kind, value in listed]


def access(class_, prefix, address, width, is_write):
    return fields(class_, prefix, [("address", "UNSIGNED", address), ("width", "UNSIGNED", width),
                                   ("is_write", "BOOLEAN", is_write)])


class Values(Programs):
    def setUp(self):
        super().setUp()
        self.run_program("sc_values_test", FTR_TRACE="v.ftr")
        self.found = collections.defaultdict(list)
        for generator, _, _, attributes in self.trace("v.ftr").by_stream()["values"]:
            self.found[generator].append(attributes)

    def test_every_type_is_converted_as_in_the_table(self):
        for name, (kind, value) in VALUES.items():
            with self.subTest(name):
                self.assertEqual(self.found.pop(name), [[("record", name, kind, value)]])
                if name in DECLARED_AS_TEXT:
                    kind, value = "STRING", DECLARED_AS_TEXT[name]
                name += ".declared"
                self.assertEqual(self.found.pop(name), 2 * [[("record", name, kind, value)]])
        self.assertEqual(sorted(self.found), ["classes", "converted", "sc_lv.range",
                                              "sc_uint.selected", "struct", "struct.declared",
                                              "struct.mixed", "texts"])

    def test_selections_are_values(self):
        self.assertEqual(self.found["sc_lv.range"],
                         [[("record", "sc_lv.range", "LOGIC_VECTOR", "00ZX")]])
        self.assertEqual(self.found["sc_uint.selected"],
                         [[("record", "sc_uint.range", "UNSIGNED", 10),
                           ("record", "sc_uint.bit", "BOOLEAN", True)]])

    def test_structs_are_flattened(self):
        self.assertEqual(self.found["struct"], [fields("record", "struct.", REQUEST)])
        self.assertEqual(self.found["struct.declared"],
                         2 * [fields("record", "struct.declared.", REQUEST)])
        first = (fields("begin", "", REQUEST) + [("record", "count", "INTEGER", 3)] +
                 access("end", "last.", 0x2000, 8, False))
        event = (fields("begin", "", REQUEST) + [("record", "count", "INTEGER", 4)] +
                 access("end", "last.", 0x3000, 2, True))
        self.assertEqual(self.found["struct.mixed"], [first, event])

    def test_attributes_keep_their_class(self):
        self.assertEqual(self.found["classes"],
                         [[("begin", "first", "INTEGER", 1),
                           ("begin", "first.undeclared", "INTEGER", 2),
                           ("record", "mid.undeclared", "INTEGER", 3),
                           ("record", "mid", "INTEGER", 4),
                           ("end", "last.undeclared", "INTEGER", 5),
                           ("end", "last", "INTEGER", 6)]])

    def test_values_convert_to_the_declared_type(self):
        self.assertEqual(self.found["converted"], [[("record", "number", "UNSIGNED", 7)]])
        self.assertEqual(self.found["texts"],
                         [[("record", "a", "STRING", "known"), ("record", "b", "STRING", "any text")],
                          [("record", "b", "STRING", "known")]])


class Resolution(Programs):
    def check(self, size, unit, exponent):
        result = self.run_program("sc_resolution_test", size, unit, FTR_TRACE="r.ftr")
        expected = collections.Counter()
        for line in result.stdout.splitlines():
            if line.startswith("expect "):
                _, _, begin, end = line.split()
                expected[int(begin), int(end)] += 1
        self.assertEqual(sum(expected.values()), 7, result.stdout + result.stderr)
        trace = self.trace("r.ftr")
        self.assertEqual(trace.info["time_scale"], exponent)
        femtoseconds = 10 ** (exponent + 15)
        found = collections.Counter()
        for tx in trace.transactions:
            found[tx["begin"] * femtoseconds, tx["end"] * femtoseconds] += 1
            for _, name, kind, value in tx["attributes"]:
                self.assertEqual((name, kind, value), ("from", "TIME", tx["begin"]))
        self.assertEqual(found, expected)

    def test_1_fs(self):
        self.check("1", "fs", -15)

    def test_10_fs(self):
        self.check("10", "fs", -14)

    def test_1_ps(self):
        self.check("1", "ps", -12)

    def test_100_ps(self):
        self.check("100", "ps", -10)

    def test_1_ns(self):
        self.check("1", "ns", -9)

    def test_1_us(self):
        self.check("1", "us", -6)

    def test_1_s(self):
        self.check("1", "s", 0)


class Lifetime(Programs):
    """Each test runs in both link orders, because the order in which static objects of translation
    units are constructed and destroyed differs. Those of sc_lifetime_test.cpp outlive the default
    recorder in the first order."""

    def in_each_order(self, check):
        for program, outlives in (("sc_lifetime_test", True), ("sc_lifetime_reversed_test", False)):
            with self.subTest(program):
                check(program, outlives)
            for name in self.files():
                os.remove(os.path.join(self.folder, name))

    def here(self, path):
        """Returns the recording of sc_lifetime_test.cpp: ends, and attributes without their
        classes."""
        found = self.trace(path).by_stream()
        self.assertIn(("other", 0, 0, [("record", "from", "STRING", "elsewhere")]), found["there"])
        self.assertEqual({begin for _, begin, _, _ in found["here"]} - {0, 1000}, set())
        return sorted((end, [(name, value) for _, name, _, value in attributes])
                      for _, _, end, attributes in found["here"])

    def test_static_objects_are_harmless_in_any_order(self):
        def check(program, outlives):
            self.assertEqual(self.run_program(program, FTR_TRACE="d.ftr").stderr, "")
            self.assertEqual(self.files(), ["d.ftr", "static.ftr"])
            cut = ("unfinished", True)  # destroyed after the end of the simulation
            ended, last = (1000, [cut]), (1000, [("number", 10)])
            if outlives:
                expected = [ended, (1000, [("unfinished", True)]), last]
            else:
                expected = [(0, [("number", 2)]), ended, (1000, [("too late", True)]), last,
                            (1000, [("number", 1)]), (1000, [("number", 3)])]
            self.assertEqual(self.here("d.ftr"), sorted(expected))
            found = self.trace("static.ftr").by_stream()["static"]
            self.assertEqual([tx[:3] for tx in found],
                             [("own", 0, 1000), ("own", 0, 0), ("own", 1000, 1000)])

        self.in_each_order(check)

    def test_nothing_is_opened_without_being_asked(self):
        def check(program, _):
            self.run_program(program)
            self.assertEqual(self.files(), ["static.ftr"])

        self.in_each_order(check)

    def test_handles_outlive_their_own_recorder(self):
        def check(program, _):
            self.run_program(program, "own")
            self.assertEqual(self.files(), ["own.ftr", "static.ftr"])
            trace = self.trace("own.ftr")
            self.assertEqual(trace.by_stream(), {
                "own": [("own", 0, 0, [("record", "number", "INTEGER", 1)]),
                        ("own", 0, 0, [("record", "number", "INTEGER", 2),
                                       ("end", "unfinished", "BOOLEAN", True)])]})
            self.assertEqual(trace.relations, [])

        self.in_each_order(check)

    def test_closing_twice_is_harmless(self):
        def check(program, _):
            self.run_program(program, "twice")
            self.assertEqual(self.trace("twice.ftr").by_stream(),
                             {"twice": [("generator", 0, 0, [("record", "number", "INTEGER", 1)])]})

        self.in_each_order(check)

    def test_the_default_recorder_can_be_closed(self):
        def check(program, _):
            self.run_program(program, "standard", FTR_TRACE="d.ftr")
            self.assertEqual(self.here("d.ftr"), 2 * [(0, [("unfinished", True)])])

        self.in_each_order(check)

    def test_exit_ends_the_file(self):
        def check(program, outlives):
            self.run_program(program, "exit", FTR_TRACE="d.ftr", status=3)
            expected = [(0, []), (0, [("unfinished", True)])]
            if not outlives:
                expected = [(0, []), (0, [("too late", True)])] + [
                    (0, [("number", number)]) for number in (1, 2, 3)]
            self.assertEqual(self.here("d.ftr"), sorted(expected))

        self.in_each_order(check)


class Recording(Programs):
    def record(self, behaviour, **variables):
        result = self.run_program("sc_recording_test", behaviour, FTR_TRACE="t.ftr", **variables)
        self.result = result
        return self.trace("t.ftr")

    def test_the_model_is_recorded_and_not_changed(self):
        plain = self.run_program("sc_recording_test", "model")
        self.assertEqual(self.files(), [])
        self.assertEqual(plain.stderr, "")
        trace = self.record("model")
        self.assertEqual((self.result.stdout, self.result.stderr), (plain.stdout, plain.stderr))
        self.assertEqual(trace.by_stream(), {
            "model": [("step", i * 10000, (i + 1) * 10000,
                       [("begin", "number", "INTEGER", i), ("end", "ok", "BOOLEAN", True)])
                      for i in range(3)]})
        first, second, third = [tx["id"] for tx in trace.transactions]
        self.assertEqual([(relation["name"], relation["from"], relation["to"])
                          for relation in trace.relations],
                         [("PREDECESSOR_SUCCESSOR", first, second),
                          ("PREDECESSOR_SUCCESSOR", second, third)])

    def test_an_empty_variable_is_an_unset_one(self):
        self.run_program("sc_recording_test", "model", FTR_TRACE="")
        self.assertEqual(self.files(), [])

    def test_excluded_streams_record_nothing(self):
        trace = self.record("filtered", FTR_EXCLUDE="left*")
        self.assertEqual(self.result.stdout, "1 0 1 0\n2\n")
        self.assertEqual(trace.by_stream(), {"kept": [("g", 0, 0, [])]})
        self.assertEqual(trace.relations, [])

    def test_recording_switches_off_and_on(self):
        trace = self.record("switched")
        self.assertEqual(self.result.stdout, "0 0\n")
        self.assertEqual(trace.by_stream(), {
            "switched": [("g", 0, 0, [("record", "number", "INTEGER", 1),
                                      ("record", "off", "BOOLEAN", True)]),
                         ("g", 0, 0, [("record", "number", "INTEGER", 3)])]})

    def test_a_window_has_the_transactions_that_overlap(self):
        for start, stop in ((100, 200), (100, None), (None, 200), (0, 0), (1000000, 2000000)):
            window = {"FTR_START": start, "FTR_STOP": stop}
            trace = self.record("windowed", **{name: f"{time} ns" for name, time in window.items() if time is not None})
            *calls, handles, filtered = self.result.stdout.splitlines()
            calls = [tuple(map(int, call.split())) for call in calls]
            first, last = 1000 * (start or 0), 1000 * stop if stop is not None else 1 << 64
            expected = sorted(call for call in calls if call[1] >= first and call[0] <= last)
            found = sorted((begin, end, attributes[0][3])
                           for _, begin, end, attributes in trace.by_stream().get("windowed", [])
                           if attributes and attributes[0][1] == "number")
            self.assertEqual(found, expected)
            opens = [400000 <= last, 150000 <= last]
            self.assertEqual(handles, "%d %d" % tuple(opens))
            # Of the last two transactions, the first one ends immediately, the second one when the run ends.
            more = opens.count(False) + (opens[0] and 400000 < first)
            self.assertEqual(filtered, f"filtered {len(calls) - len(expected) + more}")

    def test_transactions_move(self):
        trace = self.record("moved")
        self.assertEqual(self.result.stdout, "FTR_ERR_ORDER\nFTR_OK\n")
        number = "record", "number", "INTEGER"
        found = trace.by_stream()["moved"]
        self.assertEqual([tx for tx in found if tx[1] != 1000],
                         [("g", 0, 20000, [(*number, 0)]), ("g", 2000, 20000, [(*number, 2)]),
                          ("g", 3000, 30000, [(*number, 3)]), ("g", 4000, 20000, [(*number, 4)]),
                          ("g", 40000, 41000, [])])
        # Erased open at time 0, before its begin: only close can end it.
        self.assertEqual([tx for tx in found if tx[1] == 1000],
                         [("g", 1000, 41000,
                           [(*number, 1), ("end", "unfinished", "BOOLEAN", True)])])

    def test_events_belong_to_their_parent(self):
        trace = self.record("events")
        self.assertEqual(trace.by_stream(), {
            "events": [("parent", 1000, 3000, []),
                       ("event", 2000, 2000, [("record", "what", "STRING", "first")]),
                       ("event", 4000, 4000, [("record", "what", "STRING", "after its end")])]})
        parent, first, second = [tx["id"] for tx in trace.transactions]
        self.assertEqual([(relation["name"], relation["from"], relation["to"])
                          for relation in trace.relations],
                         [("parent_of", parent, first), ("parent_of", parent, second)])

    def test_events_have_the_form_that_viewers_show(self):
        trace = self.record("marks")
        self.assertEqual(self.result.stdout, "1\n1\n1 0\n")

        def name(text):
            return ("begin", "name", "STRING", text)

        def more(*value):
            return ("record",) + value
        self.assertEqual(sorted(trace.by_stream()["marks"], key=lambda tx: (tx[1], tx[0])), [
            ("read.events", 0, 0, [name("now")]),
            ("read", 1000, 9000, []),
            ("read.events", 2000, 2000, [name("plain")]),
            ("read.events", 3000, 3000, [name("pairs"), more("way", "UNSIGNED", 3),
                                         more("reason", "STRING", "queue full")]),
            ("read.events", 4000, 6000, [name("known"), more("delay", "TIME", 7000)]),
            ("read.events", 7000, 8000, [name("struct"), more("at.way", "UNSIGNED", 4),
                                         more("at.dirty", "BOOLEAN", True), more("last", "INTEGER", 1)]),
            ("write", 10000, 15000, []),
            ("write.events", 11000, 11000, [name("hit"), more("way", "UNSIGNED", 5)]),
            ("write.events", 12000, 13000, [name("known"), more("way", "UNSIGNED", 6)]),
            ("move.events", 14000, 14000, [name("of another"), more("at.way", "UNSIGNED", 9),
                                           more("at.dirty", "BOOLEAN", False)]),
            ("write.events", 14000, 14000, [name("undeclared"), more("set", "INTEGER", 7)]),
            ("write.events", 14000, 14000, [name("after its end"), more("way", "UNSIGNED", 8)])])
        by_id = {tx["id"]: tx for tx in trace.transactions}
        parents = collections.Counter()
        for relation in trace.relations:
            self.assertEqual(relation["name"], "parent_of")
            parents[relation["to"]] += 1
            self.assertIn(by_id[relation["from"]]["generator"], ("read", "write"))
        self.assertEqual(parents, {tx["id"]: 1 for tx in trace.transactions
                                   if tx["generator"].endswith(".events")})
        self.assertIn("invalid call of events (ftr_events_define): \"write.events\"", self.result.stderr)
        self.assertIn("it is already defined with other attributes", self.result.stderr)

    def test_threads_record_with_times_of_their_own(self):
        found = self.record("threads").by_stream()
        shared = sorted(attributes[0][3] * 10 ** 9 + begin
                        for _, begin, end, attributes in found.pop("shared"))
        self.assertEqual(shared, [(worker * 1000 + i) * 10 ** 9 + i * 1000
                                  for worker in range(4) for i in range(1000)])
        for worker in range(4):
            self.assertEqual(sorted(found.pop("worker{}".format(worker)), key=lambda tx: tx[1]),
                             [("g", i * 1000, i * 1000 + 2000,
                               [("record", "number", "INTEGER", i)]) for i in range(1000)])
        self.assertEqual(found, {})

    def test_invalid_calls_name_the_member_function_and_the_transaction(self):
        self.record("miscalled")
        self.assertEqual(self.result.stderr.splitlines(), [
            'ftr: warning: invalid call of end() (ftr_tx_end): transaction #1 of generator "read" in stream '
            '"top.cpu" cannot end at tick 0: it begins at tick 5000',
            'ftr: warning: invalid call of record() (ftr_tx_record): a transaction of generator "read" in stream '
            '"top.cpu" cannot end at tick 1000: it begins at tick 2000',
            'ftr: warning: invalid call of relation::put() (ftr_relation_put): the handle {0} (no transaction) is '
            'not a transaction of this recorder',
            'ftr: warning: invalid call of put() (ftr_tx_put_int): transaction #1 of generator "read" in stream '
            '"top.cpu": attribute 7 does not exist, the generator declares 1',
            'ftr: warning: invalid call of end() (ftr_tx_end): transaction #1 of stream "top.cpu" has already ended',
            'ftr: warning: 7 calls were invalid and had no effect: 3 end() (ftr_tx_end) FTR_ERR_ORDER, 1 record() '
            '(ftr_tx_record) FTR_ERR_ORDER, 1 relation::put() (ftr_relation_put) FTR_ERR_UNKNOWN_TX, 1 put() '
            '(ftr_tx_put_int) FTR_ERR_ATTRIBUTE, 1 end() (ftr_tx_end) FTR_ERR_UNKNOWN_TX'])

    def test_misuse_is_reported_and_harmless(self):
        trace = self.record("misused")
        self.assertEqual(self.result.stderr.count('ftr: warning: stream "" cannot be recorded: '), 1)
        self.assertNotIn("invalid call of ftr_", self.result.stderr)
        self.assertIn('invalid call of put() (ftr_tx_put_named): transaction #2 of generator "g" in stream "good", '
                      'attribute "text": an argument is NULL', self.result.stderr)
        self.assertEqual(trace.by_stream(), {
            "good": [("g", 0, 0, [("record", "number", "INTEGER", 1)]), ("g", 0, 0, [])]})


class Messages(Programs):
    def messages(self, result):
        return [line for line in result.stderr.splitlines() if line.startswith("ftr: ")]

    def test_a_missing_folder_is_created(self):
        result = self.run_program("sc_recording_test", "model", FTR_TRACE="missing/t.ftr")
        self.assertEqual((self.messages(result), result.stdout), ([], "30 ns\n"))
        self.assertTrue(os.path.exists(os.path.join(self.folder, "missing/t.ftr")))

    def test_a_path_below_a_file_is_reported_once(self):
        with open(os.path.join(self.folder, "file"), "wb"):
            pass
        result = self.run_program("sc_recording_test", "model", FTR_TRACE="file/t.ftr")
        reported = [line for line in self.messages(result) if "file/t.ftr" in line]
        self.assertEqual(len(reported), 1, result.stderr)
        self.assertIn("Not a directory", reported[0])
        self.assertEqual(result.stdout, "30 ns\n")

    def test_strict_ends_a_run_that_cannot_be_recorded(self):
        result = self.run_program("sc_recording_test", "model", FTR_TRACE="/dev/null/t.ftr",
                                  FTR_STRICT="1", status=1)
        self.assertNotIn("30 ns", result.stdout)

    def test_strict_ends_the_run_before_main(self):
        self.run_program("sc_lifetime_test", FTR_TRACE="/dev/null/t.ftr", FTR_STRICT="1", status=1)

    def test_a_wrong_setting_is_named(self):
        result = self.run_program("sc_recording_test", "model", FTR_TRACE="t.ftr",
                                  FTR_COMPRESS="zip")
        self.assertEqual(len([line for line in self.messages(result) if "FTR_COMPRESS=zip" in line]),
                         1, result.stderr)
        self.assertEqual(self.files(), [])
        self.assertEqual(result.stdout, "30 ns\n")
        result = self.run_program("sc_recording_test", "model", FTR_TRACE="t.ftr",
                                  FTR_COMPRESS="zip", FTR_STRICT="1", status=1)
        self.assertNotIn("30 ns", result.stdout)

    def test_a_full_disk_does_not_affect_the_simulation(self):
        result = self.run_program("sc_recording_test", "endless", FTR_TRACE="/dev/full")
        self.assertEqual(result.stdout, "finished\nunwound\n")
        reported = [line for line in self.messages(result) if "No space left" in line]
        self.assertEqual(len(reported), 1, result.stderr)

    def test_strict_unwinds_a_simulation_with_a_full_disk(self):
        result = self.run_program("sc_recording_test", "endless", FTR_TRACE="/dev/full",
                                  FTR_STRICT="1", status=1)
        self.assertNotIn("finished", result.stdout)
        self.assertIn("unwound", result.stdout)
        self.assertIn("No space left", result.stderr)

    def test_strict_turns_a_failure_at_the_end_into_the_exit_status(self):
        self.run_program("sc_recording_test", "model", FTR_TRACE="/dev/full")
        self.run_program("sc_recording_test", "model", FTR_TRACE="/dev/full", FTR_STRICT="1",
                         status=1)

    def test_verbose_prints_the_path_and_the_counts(self):
        result = self.run_program("sc_recording_test", "model", FTR_TRACE="t.ftr", FTR_VERBOSE="1")
        self.assertIn("ftr: recording to t.ftr", self.messages(result))
        size = os.path.getsize(os.path.join(self.folder, "t.ftr"))
        summary = self.messages(result)[-1]
        self.assertTrue(re.match(r"ftr: t\.ftr: 3 transactions, 6 attributes, 2 relations in {} bytes"
                                 .format(size), summary), summary)

    def test_verbose_prints_the_path_of_a_summary_without_a_trace(self):
        result = self.run_program("sc_recording_test", "model", FTR_SUMMARY="s.fts", FTR_VERBOSE="1")
        self.assertIn("ftr: writing the summary of this run to s.fts", self.messages(result))
        summary = self.messages(result)[-1]
        self.assertTrue(re.match(r"ftr: s\.fts: \d+ transactions; 0 filtered", summary), summary)


class Endings(Programs):
    def run_to_its_end(self, how, status=0, **variables):
        self.run_program("sc_endings_test", how, status=status, FTR_TRACE="run.ftr", **variables)

    def numbers(self, name="run.ftr"):
        return [dict((a[1], a[3]) for a in tx[3])["number"]
                for tx in self.trace(name).by_stream().get("model", [])]

    def test_the_exit_status_is_that_of_the_run(self):
        for how, status in (("well", 0), ("status", 3)):
            self.run_to_its_end(how, status=status, FTR_TAGS="seed=1")
            (start,), (end,) = (
                [dict((a[1], a[3]) for a in tx[3]) for tx in self.trace("run.ftr").by_stream()["ftr.run"]
                 if tx[0] == generator] for generator in ("start", "run"))
            self.assertEqual((start["arguments"], start["tags"]), (how, "seed=1"))
            self.assertEqual(end, {"exit_status": status})

    def test_keep_on_error_removes_the_file_of_a_successful_run(self):
        for how in ("well", "warning"):
            self.run_to_its_end(how, FTR_KEEP="on-error")
            self.assertEqual(self.files(), [])

    def test_keep_on_error_keeps_a_run_that_reported_an_error(self):
        self.run_to_its_end("error", FTR_KEEP="on-error")
        self.assertEqual(self.numbers(), list(range(10)))

    def test_keep_on_error_keeps_a_run_of_another_status(self):
        self.run_to_its_end("status", status=3, FTR_KEEP="on-error")
        self.assertEqual(self.numbers(), list(range(10)))

    def test_keep_on_error_keeps_the_files_of_a_crash(self):
        self.run_to_its_end("fatal", status=-signal.SIGABRT, FTR_KEEP="on-error")
        self.assertEqual(self.files(), ["run.ftr", "run.ftr.journal"])


    def test_flight_recorder_writes_no_file_of_a_successful_run(self):
        self.run_to_its_end("warning", FTR_MODE="flight")
        self.assertEqual(self.files(), [])

    def test_flight_is_triggered_by_an_error_report(self):
        self.run_to_its_end("error", FTR_MODE="flight")
        self.assertEqual(self.numbers(), list(range(6)))

    def test_flight_is_triggered_by_a_fatal_report_before_it_aborts(self):
        self.run_to_its_end("fatal", status=-signal.SIGABRT, FTR_MODE="flight")
        self.assertEqual(self.numbers(), list(range(6)))

    def test_flight_recorders_of_the_model_are_triggered_by_reports(self):
        for how, status, files in (("warning", 0, []), ("error", 0, ["other.ftr", "own.ftr"]),
                                   ("fatal", -signal.SIGABRT, ["other.ftr", "own.ftr"])):
            self.run_program("sc_endings_test", how, "own", status=status)
            self.assertEqual([name for name in self.files() if name.endswith(".ftr")], files)
            if files:
                self.assertEqual(self.numbers("own.ftr"), list(range(6)))
                for name in self.files():
                    os.unlink(os.path.join(self.folder, name))

    def test_flight_recording_continues_after_an_error(self):
        self.run_to_its_end("error", FTR_MODE="flight", FTR_FLIGHT_AFTER="20 ns")
        self.assertEqual(self.numbers(), list(range(9)))

    def test_flight_is_triggered_by_the_exit_status(self):
        self.run_to_its_end("status", status=3, FTR_MODE="flight")
        self.assertEqual(self.numbers(), list(range(10)))

    def test_a_successful_run_writes_no_ring(self):
        self.run_to_its_end("warning", FTR_BUFFERS="late=ring,1M,model")
        self.assertEqual(self.numbers(), [])
        losses = self.trace("run.ftr").by_stream()["ftr.losses"]
        said = [dict((a[1], a[3]) for a in tx[3]) for tx in losses]
        self.assertEqual([(loss["buffer"], loss["count"]) for loss in said], [("late", 10)])

    def test_a_ring_is_written_by_a_run_that_reported_an_error(self):
        self.run_to_its_end("error", FTR_BUFFERS="late=ring,1M,model")
        self.assertEqual(self.numbers(), list(range(10)))

    def test_a_signal_ends_the_file(self):
        self.run_to_its_end("terminated", status=-signal.SIGTERM)
        self.assertEqual(self.numbers(), list(range(6)))
        self.assertEqual(self.files(), ["run.ftr"])


class Example(Programs):
    """The example prototype; its source shows the number of transactions and relations."""

    def test_the_pipelined_bus_is_recorded_and_not_changed(self):
        plain = self.run_program("pipelined_bus")
        self.assertEqual(self.files(), [])
        recorded = self.run_program("pipelined_bus", FTR_TRACE="run.ftr")
        self.assertEqual((recorded.stdout, recorded.stderr), (plain.stdout, ""))
        self.assertIn("cpu 0 mismatches, dma 0 mismatches", plain.stdout)

        trace = self.trace("run.ftr")
        found = collections.Counter((tx["stream"], tx["generator"]) for tx in trace.transactions)
        stalls = found.pop(("top.bus.address", "decode.events"))
        self.assertEqual(found, {("top.cpu", "read"): 24, ("top.cpu", "write"): 24,
                                 ("top.dma", "read"): 40, ("top.dma", "write"): 40,
                                 ("top.bus.address", "decode"): 128, ("top.bus.data", "move"): 128,
                                 ("top.ram", "access"): 128})
        by_id = {tx["id"]: tx for tx in trace.transactions}
        hops = collections.Counter(
            (relation["name"], by_id[relation["from"]]["stream"], by_id[relation["to"]]["stream"])
            for relation in trace.relations)
        self.assertEqual(hops, {
            ("PARENT_CHILD", "top.cpu", "top.bus.address"): 48,
            ("PARENT_CHILD", "top.cpu", "top.bus.data"): 48,
            ("PARENT_CHILD", "top.dma", "top.bus.address"): 80,
            ("PARENT_CHILD", "top.dma", "top.bus.data"): 80,
            ("PARENT_CHILD", "top.bus.data", "top.ram"): 128,
            ("PREDECESSOR_SUCCESSOR", "top.bus.address", "top.bus.data"): 128,
            ("parent_of", "top.bus.address", "top.bus.address"): stalls})
        for relation in trace.relations:
            parent, child = by_id[relation["from"]], by_id[relation["to"]]
            if relation["name"] == "PARENT_CHILD":
                self.assertLessEqual(parent["begin"], child["begin"])
                self.assertLessEqual(child["end"], parent["end"])
            elif relation["name"] == "PREDECESSOR_SUCCESSOR":
                self.assertEqual(parent["end"], child["begin"])


if __name__ == "__main__":
    PROGRAMS = os.path.abspath(sys.argv.pop(1))
    unittest.main()
