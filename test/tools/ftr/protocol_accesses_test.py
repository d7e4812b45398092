#!/usr/bin/python3
"""`ftr check --protocol` of traces with accesses: random traces against a second implementation of the rules, links of
other protocols, and limits. The traces are written by python3-cbor2. Argument: the ftr command."""

import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

import cbor2

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))

from made_trace import endless, item  # noqa: E402 (after the path)

FTR = os.path.abspath(sys.argv.pop(1))
PAYLOADS = 65536
BOOLEAN, UNSIGNED, STRING, TIME = 0, 3, 10, 11
BEGIN, RECORD, END = 7, 8, 9
COMMANDS = ("read", "write", "ignore")
TYPES = {"response": (END, STRING), "phase": (END, STRING), "unfinished": (END, BOOLEAN), "data": (RECORD, STRING),
         "byte_enable": (BEGIN, STRING), "gp_option": (BEGIN, STRING), "delay": (BEGIN, TIME),
         "request_time": (END, TIME), "response_time": (END, TIME), "lowered_by": (END, TIME),
         "request_lowered_by": (END, TIME), "response_lowered_by": (END, TIME), "name": (BEGIN, STRING)}
NEVER = 2 ** 64 - 1


class Trace:
    """Accesses of links, and their events. Each entry: (id, link, generator, begin, end, attributes)."""

    def __init__(self):
        self.entries, self.parents, self.protocols = [], [], {}
        self.checked = False

    def add(self, link, generator, begin, end, **attributes):
        self.entries.append((len(self.entries) + 1, link, generator, begin, end, attributes))
        return len(self.entries)

    def event(self, access, link, name, time):
        self.parents.append((access, self.add(link, "read.events", time, time, name=name), link))

    def write(self, path):
        texts = {}

        def text(value):
            return texts.setdefault(value, len(texts))

        streams, directory, chunks = {}, [], []

        def define(name, kind):
            streams[name] = 100 * (len(streams) + 1)
            directory.append(item(16, [streams[name], text(name), text(kind)]))
            return streams[name]

        def put(name, value):
            class_, type_ = TYPES.get(name, (BEGIN, UNSIGNED))
            return item(class_, [text(name), type_, text(value) if type_ == STRING else value])

        for link in sorted({entry[1] for entry in self.entries}):
            stream = define(link, "TLM")
            generators = {}
            for name in (*COMMANDS, "read.events"):
                generators[name] = stream + 1 + len(generators)
                directory.append(item(17, [generators[name], text(name), stream]))
            mine = [entry for entry in self.entries if entry[1] == link]
            body = [[item(6, [id_, generators[generator], begin, end]),
                     *(put(name, value) for name, value in sorted(attributes.items(), key=lambda a: TYPES.get(
                         a[0], (BEGIN,))[0]))] for id_, _, generator, begin, end, attributes in mine]
            chunks.append(item(12, [stream, min(e[3] for e in mine), max(e[4] for e in mine), endless(body)]))
        if self.protocols:
            stream = define("ftr.run", "run")
            directory.append(item(17, [stream + 1, text("start"), stream]))
            start = [item(6, [len(self.entries) + 1, stream + 1, 0, 0]),
                     *(item(BEGIN, [text("protocol." + link), STRING, text(of)]) for link, of in
                       self.protocols.items())]
            chunks.append(item(12, [stream, 0, 0, endless([start])]))
        if self.checked:
            define("ftr.protocol", "protocol")
        if self.parents:
            chunks.append(item(14, endless([[text("parent_of"), of, event, streams[link], streams[link]]
                                            for of, event, link in self.parents])))
        parts = [item(6, cbor2.dumps([-12, item(1, 1)])),
                 item(8, cbor2.dumps({number: value for value, number in texts.items()})),
                 item(10, endless(directory)), *chunks]
        with open(path, "wb") as file:
            file.write(b"\xd9\xd9\xf7" + endless(parts))


# ---- a second implementation of the rules --------------------------------------------------------

def of_one_access(generator, begin, end, a):
    """The rules that one access breaks."""
    in_phases = bool({"request_time", "response_time", "phase"} & a.keys())
    lowered = [name for name in a if name.endswith("lowered_by")]
    if generator != "ignore" and a["length"] == 0:
        yield "data-length"
    if generator != "ignore" and a.get("streaming_width") == 0:
        yield "streaming-width"
    if "gp_option" in a:
        yield "gp-option"
    if a.get("response") == "INCOMPLETE":
        yield "response-end"
    if "response" not in a and "unfinished" not in a:
        yield "phase-order"
    if a.get("delay", 0) >= 2 ** 63:
        yield "delay-negative"
    elif in_phases:
        response_begin = end - a["response_time"] if "response_time" in a else \
            end if a.get("phase") == "BEGIN_RESP" else None
        if lowered or "request_time" in a and response_begin is not None and \
                begin + a["request_time"] > response_begin:
            yield "delay-decreases"
    elif "lowered_by" in a:
        yield "delay-lowered"


def of_two_accesses(first, later):
    """The rules that the later access breaks because the first access of its payload has other attributes."""
    same_length = first["length"] == later["length"]
    if first["generator"] != later["generator"]:
        yield "command-changed"
    if not same_length:
        yield "data-length-changed"
    if same_length and first.get("streaming_width") != later.get("streaming_width"):
        yield "streaming-width-changed"
    if first.get("byte_enable") != later.get("byte_enable"):
        yield "byte-enable-changed"
    written = [a.get("data") for a in (first, later) if a["generator"] == "write"]
    if len(written) == 2 and None not in written and same_length and written[0] != written[1]:
        yield "write-data-changed"


def expected(trace):
    """{(payload or access, rule)}: a payload with a number is reported once for each rule."""
    found, payloads = set(), {}
    for id_, _, generator, begin, end, a in sorted(trace.entries, key=lambda entry: entry[3]):
        payload = a.get("payload_id")
        who = ("payload", payload) if payload else ("access", id_)
        found |= {(who, rule) for rule in of_one_access(generator, begin, end, a)}
        if not payload:
            continue
        first = payloads.setdefault(payload, {**a, "generator": generator})
        found |= {(who, rule) for rule in of_two_accesses(first, {**a, "generator": generator})}
    return found


def random_access(rng, time, payload, base):
    """(generator, begin, end, attributes), mostly correct."""
    def rarely(value, otherwise, share=0.05):
        return value if rng.random() < share else otherwise

    begin = time
    end = begin + rng.randrange(4, 50)
    generator = rarely(rng.choice(COMMANDS), base["generator"])
    a = {"address": rng.randrange(1 << 16), "length": rarely(rng.choice((0, 4)), base["length"])}
    if payload:
        a["payload_id"] = payload
    width = rarely(rng.choice((0, 2, 6)), base["width"])
    if width < a["length"]:
        a["streaming_width"] = width
    if generator == "write" and rng.random() < 0.9:
        a["data"] = rarely("ff" * 8, base["data"])
    enables = rarely("00ff", base["enables"])
    if enables:
        a["byte_enable"] = enables
    if rng.random() < 0.03:
        a["gp_option"] = "FULL_PAYLOAD"
    if rng.random() < 0.2:
        a["delay"] = rarely(NEVER - rng.randrange(9), rng.randrange(9))
    kind = rng.choice(("blocking", "phases", "phases", "cut"))
    if rng.random() < 0.95 and kind != "cut":
        a["response"] = rarely("INCOMPLETE", rng.choice(("OK", "OK", "ADDRESS_ERROR")))
    if kind == "phases":
        a["request_time"] = rng.randrange(1, 4)
        a["response_time"] = rarely(end - begin, rng.randrange(1, 4), 0.1)
        if rng.random() < 0.05:
            a[rng.choice(("lowered_by", "request_lowered_by", "response_lowered_by"))] = 1
    elif kind == "cut":
        a["unfinished"] = True
        a["phase"] = rng.choice(("BEGIN_REQ", "END_REQ", "BEGIN_RESP"))
        if a["phase"] != "BEGIN_REQ":
            a["request_time"] = rarely(end - begin + 1, 1, 0.2)
    elif rng.random() < 0.05:
        a["lowered_by"] = 3
    return generator, begin, end, a


def random_trace(seed):
    rng = random.Random(seed)
    trace = Trace()
    time = 10
    for payload in range(1, 60):
        base = {"generator": rng.choice(COMMANDS), "length": rng.choice((4, 8)), "width": rng.choice((2, 8, 8)),
                "data": "%016x" % rng.randrange(1 << 64), "enables": rng.choice((None, None, "ff00"))}
        number = payload if rng.random() < 0.8 else 0
        for _ in range(rng.randrange(1, 5)):
            time += rng.randrange(1, 5)  # accesses that begin at the same time have no known order
            generator, begin, end, a = random_access(rng, time, number, base)
            trace.add(f"link{rng.randrange(3)}", generator, begin, end, **a)
    return trace


def exclusions(trace, calls):
    """{(rule, event)} of a trace of one link whose events are in the order of @p calls: (access, name, event)."""
    request = response = None
    found = set()
    for access, name, event in calls:
        if name == "BEGIN_REQ":
            if request is not None:
                found.add(("request-exclusion", event))
            request = access
        if name in ("END_REQ", "BEGIN_RESP", "end") and request == access:
            request = None
        if name == "BEGIN_RESP":
            if response is not None:
                found.add(("response-exclusion", event))
            response = access
        if name in ("END_RESP", "end") and response == access:
            response = None
    return found


class Accesses(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "run.ftr")

    def check(self, trace, *options):
        """Returns the exit status, and the lines as objects."""
        trace.write(self.file)
        done = subprocess.run([FTR, "check", "--protocol", "--json", "--all", *options, self.file],
                              capture_output=True, check=False, text=True)
        self.assertEqual(done.stderr, "")
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]

    def test_random_traces(self):
        broken = set()
        for seed in range(80):
            trace = random_trace(seed)
            payloads = {entry[0]: entry[5].get("payload_id") for entry in trace.entries}
            _, lines = self.check(trace)
            found = [(("payload", payloads[line["transaction"]]) if payloads[line["transaction"]] else
                      ("access", line["transaction"]), line["rule"]) for line in lines if "transaction" in line]
            self.assertEqual(len(found), len(set(found)), f"seed {seed}")
            self.assertEqual(set(found), expected(trace), f"seed {seed}")
            broken |= {rule for _, rule in found}
        self.assertEqual(len(broken), 13)

    def test_random_events(self):
        broken = set()
        for seed in range(60):
            rng = random.Random(seed)
            trace, calls, waiting, open_ = Trace(), [], 0, {}
            number = 1
            # The entries are stored in the order of the calls; an access is stored when it ends.
            for time in range(10, 200):
                if len(open_) < 3 and rng.random() < 0.5:
                    access, number = 10000 + number, number + 1
                    open_[access] = iter(rng.choice((("BEGIN_REQ", "END_REQ", "BEGIN_RESP", "END_RESP", "end"),
                                                     ("BEGIN_REQ", "BEGIN_RESP", "END_RESP", "end"),
                                                     ("BEGIN_REQ", "end"))))
                elif open_:
                    access = rng.choice(list(open_)[:rng.choice((1, 1, 3))])
                else:
                    continue
                name = next(open_[access])
                if name == "end":
                    trace.entries.append((access, "link", "read", 0, time, {
                        "address": 0, "length": 8, "response": "OK", "request_time": 0, "response_time": 0}))
                    del open_[access]
                else:
                    event = len(trace.entries) + 1
                    trace.entries.append((event, "link", "read.events", time, time, {"name": name}))
                    trace.parents.append((access, event, "link"))
                calls.append((access, name, event if name != "end" else None))
            _, lines = self.check(trace)
            found = [(line["rule"], line["transaction"]) for line in lines if "transaction" in line]
            self.assertEqual(sorted(found), sorted(exclusions(trace, calls)), f"seed {seed}")
            broken |= {rule for rule, _ in found}
        self.assertEqual(broken, {"request-exclusion", "response-exclusion"})

    def correct(self, trace, link, payload, time, **more):
        return trace.add(link, "read", time, time + 5, payload_id=payload, address=0, length=8, response="OK", **more)

    def test_links_of_other_protocols(self):
        for protocol, broken in (("base-protocol", 1), ("custom-protocol", 0)):
            trace = Trace()
            trace.protocols = {"top.link0": protocol, "top.link1": "base-protocol"}
            trace.add("top/link0", "read", 0, 5, address=0, length=0, response="OK")
            self.correct(trace, "top.link1", 7, 3)
            status, lines = self.check(trace)
            self.assertEqual((status, [(line["rule"], line["stream"]) for line in lines]),
                             (broken, broken * [("data-length", "top/link0")]))

    def test_rules_that_were_not_checked(self):
        for checked, events, told in ((False, False, "request-exclusion"), (False, True, "after-completion"),
                                      (True, False, None), (True, True, None)):
            trace = Trace()
            trace.checked = checked
            access = self.correct(trace, "link", 1, 3, request_time=1, response_time=1)
            if events:
                for name in ("BEGIN_REQ", "END_REQ", "BEGIN_RESP", "END_RESP"):
                    trace.event(access, "link", name, 4)
            status, lines = self.check(trace)
            self.assertEqual((status, [line["rule"] for line in lines]), (1, ["not-checked"]) if told else (0, []))
            if told:
                self.assertIn(told, lines[0]["message"])
                self.assertEqual("exclusion" in lines[0]["message"], not events)
                self.assertIn(" for 1 non-blocking access:", lines[0]["message"])

    def test_payloads_in_flight(self):
        for count, lost in ((PAYLOADS, 0), (PAYLOADS + 1, 1)):
            trace = Trace()
            for payload in range(1, count + 1):
                self.correct(trace, "link0", payload, payload)
            self.correct(trace, "link1", 1, count + 1)
            status, lines = self.check(trace)
            message = "the links of a payload are not compared for 1 access of payloads that began before the latest 65536"
            self.assertEqual((status, [line["message"] for line in lines]), (lost, lost * [message]))


if __name__ == "__main__":
    unittest.main()
