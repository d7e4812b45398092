#!/usr/bin/python3
"""Reads FTR files, and the CTF made of them, with the babeltrace2 program, and compares every event and
value with what `ftr dump --json` says.

    babeltrace_test.py FTR PLUGIN_DIRECTORY MAKE_TOOL_FILES MAKE_AWKWARD_FILE
"""

import json
import os
import re
import sys
import unittest

from dumped import Dump, ExchangeTest, run

FTR, PLUGINS, MAKE_TOOL_FILES, MAKE_AWKWARD_FILE = map(os.path.abspath, sys.argv[1:5])
BABELTRACE = ["babeltrace2", "--plugin-path=" + PLUGINS]

FILES = ("small.ftr", "changed.ftr", "plain.ftr", "text.ftr", "touching.ftr", "nanoseconds.ftr",
         "awkward.ftr")

CLASSES = {"AT_BEGIN": "begin", "RECORDED": "record", "AT_END": "end"}
ARRAYS = ("booleans", "integers", "unsigneds", "reals", "texts")

TOKEN = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|([{}\[\](),=:])|([^\s{}\[\](),=:"]+))')


def unquote(text):
    """A string as babeltrace prints it, with C's escapes."""
    def escaped(match):
        word = match.group(1)
        return chr(int(word[1:], 16)) if word[0] == "x" else {"n": "\n", "t": "\t"}.get(word, word)
    return re.sub(r"\\(x[0-9a-f]{2}|.)", escaped, text[1:-1])


class Text:
    """Parses the fields of a line of babeltrace's text."""

    def __init__(self, line):
        self.tokens = [m.group(1) or m.group(2) or m.group(3) for m in TOKEN.finditer(line)]
        self.at = 0

    def take(self, expected=None):
        token = self.tokens[self.at]
        assert expected is None or token == expected, (expected, token, self.tokens)
        self.at += 1
        return token

    def value(self):
        token = self.take()
        if token == "{":
            return self.structure()
        if token == "[":
            return self.sequence()
        if token == "(":
            label = unquote(self.take())
            while self.take() != ")":
                pass
            return label
        return unquote(token) if token[0] == '"' else token

    def structure(self):
        fields = {}
        while self.tokens[self.at] != "}":
            name = self.take()
            self.take("=")
            fields[name] = self.value()
            if self.tokens[self.at] == ",":
                self.take()
        self.take("}")
        return fields

    def sequence(self):
        items = []
        while self.tokens[self.at] != "]":
            self.take("[")
            self.take(str(len(items)))
            self.take("]")
            self.take("=")
            items.append(self.value())
            if self.tokens[self.at] == ",":
                self.take()
        self.take("]")
        return items


LINE = re.compile(r"\[([0-9.-]+)\] (tx_[a-z]+): (.*)")


def read_events(output):
    """(time as printed, event, packet context, payload) of each line."""
    events = []
    for line in output.splitlines():
        time, name, rest = LINE.fullmatch(line).groups()
        text = Text(rest)
        context = text.value()
        text.take(",")
        payload = text.value()
        assert text.at == len(text.tokens), line
        events.append((time, name, context, payload))
    return events


def attributes_of(payload):
    found = []
    for array in ARRAYS:
        for entry in payload.get(array, []):
            value = entry["value"]
            if array == "booleans":
                value = value == "yes"
            elif array in ("integers", "unsigneds"):
                value = int(value)
            elif array == "reals":
                value = "%.6g" % float(value)  # as many digits as babeltrace prints
            found.append((CLASSES[entry["class"]], entry["name"], entry["type"], value))
    return found


def expected_attributes(tx, classes):
    """Those of the given classes, in the order of the arrays."""
    found = []
    for class_, name, type_, value in tx["attributes"]:
        if class_ not in classes:
            continue
        if isinstance(value, float):
            value = "%.6g" % value
            array = 3
        else:
            array = (0 if isinstance(value, bool) else 4 if isinstance(value, str)
                     else 1 if type_ == "INTEGER" else 2)
        found.append((array, (class_, name, type_, value)))
    return [entry for _, entry in sorted(found, key=lambda pair: pair[0])]


def expected_events(transactions):
    """By (event, id): ticks, stream, generator, attributes."""
    events = {}
    for tx in transactions:
        head = (tx["stream"], tx["generator"])
        if tx["begin"] == tx["end"]:
            events["tx_instant", tx["id"]] = (
                tx["begin"], *head, expected_attributes(tx, ("begin", "record", "end")))
        else:
            events["tx_begin", tx["id"]] = (tx["begin"], *head, expected_attributes(tx, ("begin",)))
            events["tx_end", tx["id"]] = (
                tx["end"], *head, expected_attributes(tx, ("record", "end")))
    return events


class BabeltraceTest(ExchangeTest):
    makers = ((MAKE_TOOL_FILES,), (MAKE_AWKWARD_FILE, "awkward.ftr"))

    def compare(self, events, dump, relations=True):
        expected = expected_events(dump.transactions)
        found = {}
        found_relations = []
        for time, name, context, payload in events:
            if name == "tx_relation":
                found_relations.append((payload["name"], int(payload["from"]), int(payload["to"]),
                                        int(payload["from_stream"]), int(payload["to_stream"])))
                continue
            key = name, int(payload["id"])
            self.assertNotIn(key, found)
            found[key] = (int(time), context["stream"], payload["generator"],
                          attributes_of(payload))
        self.assertEqual(found, expected)
        if relations:
            self.assertEqual(found_relations,
                             [(r["name"], r["from"], r["to"], r["from_stream"], r["to_stream"])
                              for r in dump.relations])

    def read(self, *arguments):
        output = run(*BABELTRACE, "--clock-cycles", "--no-delta", *arguments)
        return read_events(output)

    def test_the_plug_in_prints_what_dump_prints(self):
        for path in FILES:
            with self.subTest(path):
                self.compare(self.read(path), Dump(FTR, path))

    def test_events_come_in_order_of_time(self):
        times = [int(time) for time, *_ in self.read("awkward.ftr")]
        self.assertEqual(times, sorted(times))
        self.assertGreater(len(times), 100)

    def test_the_ctf_sink_of_babeltrace_writes_it(self):
        for path in ("small.ftr", "awkward.ftr"):
            with self.subTest(path):
                run(*BABELTRACE, path, "-o", "ctf", "-w", "rewritten-" + path,
                    "--log-level=WARNING")
                self.compare(self.read("rewritten-" + path), Dump(FTR, path))

    def test_convert_writes_the_same_without_the_program(self):
        for path in FILES:
            with self.subTest(path):
                run(FTR, "convert", "--to", "ctf", "ctf-" + path, path,
                    env={"PATH": "/nonexistent"})
                self.compare(self.read("ctf-" + path), Dump(FTR, path))

    def test_two_files_of_different_time_scales_are_merged(self):
        run(FTR, "convert", "--to", "ctf", "--offset", "nanoseconds.ftr=2us",
            "--offset", "small.ftr=-1ns", "merged", "small.ftr", "nanoseconds.ftr")
        output = run(*BABELTRACE, "--clock-seconds", "--no-delta", "merged")
        found = []
        for time, name, context, payload in read_events(output):
            if name != "tx_relation":
                seconds, ns = time.split(".")
                found.append(((name, context["stream"], int(payload["id"])),
                              int(seconds) * 10**9 + int(ns)))
        expected = []
        for path, ps_per_tick, offset_ns in (("small.ftr", 1, -1), ("nanoseconds.ftr", 1000, 2000)):
            for (name, number), event in expected_events(Dump(FTR, path).transactions).items():
                ns = event[0] * ps_per_tick // 1000 + offset_ns
                expected.append(((name, event[1], number), 1700000000 * 10**9 + ns))
        self.assertEqual([key for key, _ in sorted(found)], [key for key, _ in sorted(expected)])
        for (key, time), (_, right) in zip(sorted(found), sorted(expected)):
            # babeltrace 2.0.4 takes clocks other than of 1 GHz through floating point
            self.assertIn(time, (right, right - 1), key)
        times = [time for _, time in found]
        self.assertEqual(times, sorted(times))

    def test_plug_in_offsets_the_clock(self):
        output = run(*BABELTRACE, "--clock-seconds", "--no-delta", "-c", "source.ftr.file", "-p",
                     'inputs=["touching.ftr"],clock-class-offset-s=-5,clock-class-offset-ns=7')
        # its tick 0 is at 1970
        self.assertEqual(read_events(output)[0][0], "-4.999999993")

    def test_a_window_of_time_is_read_alone(self):
        dump = Dump(FTR, "awkward.ftr", "--from", "1ns", "--to", "1500")
        events = self.read("-c", "source.ftr.file", "-p",
                           'inputs=["awkward.ftr"],begin="1 ns",end="1500"')
        self.assertLess(len(dump.transactions), 60)
        self.assertFalse([event for event in events if event[1] == "tx_relation"])
        self.compare(events, dump, relations=False)
        run(FTR, "convert", "--to", "ctf", "--begin", "1ns", "--end", "1500", "window",
            "awkward.ftr")
        self.compare(self.read("window"), dump, relations=False)

    def test_filters_of_babeltrace_work(self):
        everything = self.read("small.ftr")
        trimmed = self.read("small.ftr", "--begin", "1700000000.000000007", "--end",
                            "1700000000.000000009", "--clock-gmt")
        self.assertEqual(trimmed, [event for event in everything if 7000 <= int(event[0]) < 10000])
        both = self.read("small.ftr", "nanoseconds.ftr", "--stream-intersection")
        self.assertGreater(len(both), 0)
        counted = run(*BABELTRACE, "awkward.ftr", "-c", "sink.utils.counter")
        self.assertIn(f" {len(self.read('awkward.ftr'))} Event messages", counted)

    def test_a_stream_of_many_packets_is_read_back(self):
        run(MAKE_AWKWARD_FILE, "long.ftr", "2500")
        run(FTR, "convert", "--to", "ctf", "packets", "long.ftr")
        counted = run(*BABELTRACE, "packets", "-c", "sink.utils.counter")
        streams, packets = (int(re.search(rf"(\d+) {what} beginning", counted).group(1))
                            for what in ("Stream", "Packet"))
        self.assertGreater(packets, streams)
        self.compare(self.read("packets"), Dump(FTR, "long.ftr"))

    def test_damage_is_told_and_the_rest_is_read(self):
        output = run(*BABELTRACE, "--clock-cycles", "--no-delta", "torn.ftr", stderr=
                     "WARNING: [source.ftr.file] torn.ftr: byte 1067: the last 55 bytes are only a "
                     "part of a chunk: not read [torn]\n")
        self.compare(read_events(output), Dump_of_torn())
        run(FTR, "convert", "--to", "ctf", "ctf-torn", "torn.ftr", status=1, stderr=
            "ftr: torn.ftr: byte 1067: the last 55 bytes are only a part of a chunk: not read "
            "[torn]\n")
        self.compare(self.read("ctf-torn"), Dump_of_torn())

    def test_what_cannot_be_done_is_said(self):
        run(FTR, "convert", "--to", "ctf", "out", "missing.ftr", status=2,
            stderr="ftr: out: missing.ftr: No such file or directory\n")
        run(FTR, "convert", "--to", "ctf", "out", "junk.ftr", status=2, stderr=None)
        self.assertFalse(os.path.exists("out"))
        os.mkdir("there")
        run(FTR, "convert", "--to", "ctf", "there", "small.ftr", status=2,
            stderr="ftr: there: File exists\n")
        run(FTR, "convert", "--to", "ctf", "--offset", "other.ftr=1us", "out", "small.ftr",
            status=2, stderr="ftr: --offset other.ftr=1us: no input has this name\n")
        run(FTR, "convert", "--to", "ctf", "--offset", "small.ftr=1ps", "out", "small.ftr",
            status=2, stderr="ftr: --offset small.ftr=1ps: not a time in whole nanoseconds\n")
        run(*BABELTRACE, "-c", "source.ftr.file", "-p", 'inputs=["small.ftr"],begin="noon"',
            status=1, stderr=None)
        run(*BABELTRACE, "-c", "source.ftr.file", "-p", "inputs=3", status=1, stderr=None)


def Dump_of_torn():
    """ftr dump answers 1 for a torn file."""
    dump = Dump.__new__(Dump)
    lines = run(FTR, "dump", "--json", "--relations", "torn.ftr", status=1, stderr=None)
    records = [json.loads(line) for line in lines.splitlines()]
    dump.transactions = [r for r in records if r["record"] == "transaction"]
    dump.relations = [r for r in records if r["record"] == "relation"]
    return dump


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
