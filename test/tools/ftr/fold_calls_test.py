#!/usr/bin/python3
"""`ftr accesses` on random models. Each model is simulated here twice at the same time: as the calls that a recorder of
calls writes, and as the list of its accesses. The folded calls are compared with the list.

    fold_calls_test.py FTR
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "support"))
from made_streams import BEGIN, BOOLEAN, END, INTEGER, RECORD, STRING, TIME, UNSIGNED, Streams  # noqa: E402
from made_trace import write_damaged  # noqa: E402

FTR = os.path.abspath(sys.argv[1])
DECODER = [sys.executable, os.path.join(HERE, "..", "..", "support", "ftr_decode.py")]
KINDS = {"_bl": "[b]", "_bl_timed": "[b][timed]", "_nb": "[nb]", "_nb_timed": "[nb][timed]", "_dmi": "[dmi]",
         "_dbg": "[dbg]"}
ERRORS = ["OK", "OK", "OK", "ADDRESS_ERROR", "GENERIC_ERROR", "BYTE_ENABLE_ERROR"]


class Access:
    """What the recording of accesses says about one access."""

    def __init__(self, link, command, begin, end, attributes, parent=None):
        self.link, self.command, self.begin, self.end, self.parent = link, command, begin, end, parent
        self.attributes = {name: value for name, value in attributes.items() if value is not None}

    def key(self):
        return (self.link, self.command, self.begin, self.end, tuple(sorted(self.attributes.items())))


class Payload:
    def __init__(self, rng, number):
        self.number = number
        self.command = rng.choice(["read", "write", "ignore"])
        self.address = 0x1000 + 16 * number
        self.length = rng.choice([0, 1, 3, 4, 8, 8, 8, 16])
        self.width = rng.choice([self.length, self.length, self.length // 2])
        self.enables = rng.choice([0, 0, 2])
        self.option = rng.choice(["TLM_MIN_PAYLOAD"] * 3 + ["TLM_FULL_PAYLOAD"])
        self.data = bytes(rng.randrange(256) for _ in range(self.length))
        self.status = rng.choice(ERRORS)
        self.dmi = rng.random() < 0.2

    def word(self):
        return int.from_bytes(self.data[:8].ljust(8, b"\0"), "little", signed=True)

    def has_data(self, is_response):
        if self.length == 0:
            return False
        return (self.command == "read" and self.status == "OK") if is_response else self.command == "write"

    def request(self):
        return [(BEGIN, "trans.command", STRING, f"tlm::TLM_{self.command.upper()}_COMMAND"),
                (BEGIN, "trans.address", UNSIGNED, self.address),
                (BEGIN, "trans.data_length", UNSIGNED, self.length),
                (BEGIN, "trans.streaming_width", UNSIGNED, self.width),
                (BEGIN, "trans.byte_enable_length", UNSIGNED, self.enables),
                (BEGIN, "trans.gp_option", STRING, "tlm::" + self.option)]

    def response(self, status=None):
        status = status or self.status
        return [(END, "trans.dmi_allowed", BOOLEAN, self.dmi and status != "INCOMPLETE"),
                (END, "trans.response_status", STRING, f"tlm::TLM_{status}_RESPONSE")]

    def value(self, is_response):
        return [(RECORD, "trans.data", INTEGER, self.word())] if self.has_data(is_response) else []

    def long_value(self, is_response):
        """The attributes that a recording with FTR_PAYLOAD=all has in addition."""
        found = [] if is_response or not self.enables else [(BEGIN, "trans.byte_enable", STRING, "ff00")]
        if self.has_data(is_response) and self.length > 8:
            found.append((RECORD, "trans.bytes", STRING, self.data.hex()))
        return found

    def expected(self, is_answered, is_long):
        """The attributes of the access that come from the payload."""
        data = None
        if self.has_data(False) or (is_answered and self.has_data(True)):
            data = (self.data if is_long else self.data[:8]).hex()
        return {"address": self.address, "length": self.length, "data": data,
                "response": self.status if is_answered else None,
                "dmi_allowed": True if is_answered and self.dmi else None,
                "streaming_width": self.width if self.width < self.length else None,
                "byte_enable": "ff00" if is_long and self.enables else None,
                "gp_option": "FULL_PAYLOAD" if self.option != "TLM_MIN_PAYLOAD" else None}


class Model:
    """@p excluded: suffixes of streams that are not recorded; @p has_identity: payloads have numbers (FTR_PROTOCOL);
    @p losses: share of the twins of blocking calls that are lost"""

    def __init__(self, seed, excluded=(), has_identity=False, losses=0.0, is_untimed=False):
        self.rng = random.Random(seed)
        self.excluded, self.has_identity, self.losses = excluded, has_identity, losses
        self.is_untimed = is_untimed
        self.calls = []  # [stream, generator, begin, end, attributes, name]
        self.relations = []  # (name, source, sink): names of transactions
        self.accesses = []
        self.phases = []  # (stream, generator, time, address)
        self.payloads = 0

    def span(self, most):
        return 0 if self.is_untimed else self.rng.randrange(most)

    def payload(self):
        self.payloads += 1
        return Payload(self.rng, self.payloads)

    def identity(self, of):
        return [(BEGIN, "trans.id", UNSIGNED, of.number)] if self.has_identity else []

    def put(self, link, suffix, generator, begin, end, attributes, name, lost=False):
        if suffix not in self.excluded and not lost:
            self.calls.append([link + suffix, generator, begin, end, attributes, name])

    def expect(self, link, of, begin, end, parent, **attributes):
        identity = {"payload_id": of.number if self.has_identity else None}
        self.accesses.append(Access(link, of.command, begin, end, {**identity, **attributes}, parent))
        return self.accesses[-1]

    # ---- blocking --------------------------------------------------------------------------------

    def blocking(self, time, depth, of=None, parent=None, outer=None):
        """A b_transport call with `depth` further hops. Returns the time of the return."""
        rng = self.rng
        of = of or self.payload()
        link = f"top.b{depth}.s"
        delay = rng.choice([0, 0, self.span(30)])
        number = len(self.calls), depth, of.number
        call, twin = ("call", number), ("twin", number)
        begin = time + delay
        is_open = rng.random() < 0.05
        access = self.expect(link, of, begin, 0, parent)
        inner = time + self.span(5)
        if depth > 0:
            inner = self.blocking(inner, depth - 1, of, access, (call, twin))
        end = inner + self.span(20)
        after = rng.choice([0, self.span(25)])
        has_call = "_bl" not in self.excluded
        details = of.expected(not is_open, True)
        details["delay"] = delay if delay > 0 and has_call else None
        if is_open:
            finish = max(end, begin)
            details["unfinished"] = True
        else:
            finish = max(end + after, begin)
            details["lowered_by"] = begin - end - after if end + after < begin else None
        access.end = finish
        access.attributes.update({name: value for name, value in details.items() if value is not None})
        answer = [] if is_open else of.response() + [(END, "end_delay", TIME, after)]
        value = of.value(False) + ([] if is_open else of.value(True))
        more = of.long_value(False) + ([] if is_open else of.long_value(True))
        state = [(END, "unfinished", BOOLEAN, True)] if is_open else []
        lowered = [(END, "lowered_by", TIME, details["lowered_by"])] if details.get("lowered_by") else []
        self.put(link, "_bl", of.command, time, end, self.identity(of) + [(BEGIN, "start_delay", TIME, delay)]
                 + of.request() + value + answer + more + state, call)
        self.put(link, "_bl_timed", of.command, begin, finish, self.identity(of) + of.request() + answer[:2] + value
                 + (more if not has_call else []) + state + lowered, twin,
                 has_call and rng.random() < self.losses)
        self.relations.append(("PARENT_CHILD", call, twin))
        if outer:
            self.relations.append(("PARENT_CHILD", outer[0], call))
            if not has_call:
                self.relations.append(("PARENT_CHILD", outer[1], twin))
        return end

    # ---- non-blocking ----------------------------------------------------------------------------

    def call(self, link, path, time, delay, phase, of, name=None, sync="ACCEPTED", after=None, after_delay=None,
             answered=False):
        """An nb_transport call."""
        status = of.status if answered or phase in ("BEGIN_RESP", "END_RESP") else "INCOMPLETE"
        value = of.value(False) if phase == "BEGIN_REQ" else []
        if phase == "BEGIN_RESP" or answered:
            value = value or of.value(True)
        attributes = [(BEGIN, "tlm_phase", STRING, phase), (BEGIN, "delay", TIME, delay),
                      (END, "tlm_sync", STRING, "tlm::TLM_" + sync),
                      (END, "tlm_phase[return_path]", STRING, after or phase),
                      (END, "delay[return_path]", TIME, delay if after_delay is None else after_delay)]
        self.put(link, "_nb", path, time, time, self.identity(of) + attributes + of.request() + of.response(status)
                 + value, name or ("phase", len(self.calls), link))

    def nonblocking(self, time, hops):
        of = self.payload()
        parent, before = None, None
        for hop in range(hops):
            parent, before = self.hop(time + self.span(4), f"top.n{hop}.s", of, parent, before)

    def hop(self, time, link, of, parent, before):
        """The phases of one payload on one link, in one of the ways of the protocol."""
        rng = self.rng
        names = [(kind, len(self.calls), link, of.number) for kind in ("begin", "request", "response")]
        d = [rng.choice([0, self.span(6)]) for _ in range(4)]
        way = rng.choice(["four", "four", "updated", "skipped", "answered", "early", "completed", "one", "two",
                          "three"])
        begin = time + d[0]
        t = [time]
        for delay in d[:3]:
            t.append(t[-1] + delay + self.span(12))
        end_request, begin_response, end = t[1] + d[1], t[2] + d[2], t[3] + d[3]
        first = {"of": of, "name": names[0]}
        if way == "early":
            end_request = end = begin + self.span(9)
            self.call(link, "fw", time, d[0], "BEGIN_REQ", sync="COMPLETED", after_delay=end - time, answered=True,
                      **first)
        elif way == "answered":  # TLM_UPDATED with BEGIN_RESP
            end_request = begin_response = begin + self.span(9)
            end = max(end, begin_response)
            self.call(link, "fw", time, d[0], "BEGIN_REQ", sync="UPDATED", after="BEGIN_RESP",
                      after_delay=end_request - time, answered=True, **first)
        elif way == "updated":
            end_request = begin + self.span(9)
            begin_response, end = max(begin_response, end_request), max(end, end_request)
            self.call(link, "fw", time, d[0], "BEGIN_REQ", sync="UPDATED", after="END_REQ",
                      after_delay=end_request - time, **first)
        else:
            self.call(link, "fw", time, d[0], "BEGIN_REQ", **first)
            if way == "skipped":
                end_request = begin_response
        if way not in ("early", "answered", "updated", "skipped", "one"):
            if rng.random() < 0.2:
                self.extended(link, t[1], of)
            self.call(link, "bw", t[1], end_request - t[1], "END_REQ", of)
        has_response = way not in ("early", "one", "two")
        if has_response and way != "answered":
            done = way == "completed"
            self.call(link, "bw", begin_response, 0, "BEGIN_RESP", of, sync="COMPLETED" if done else "ACCEPTED",
                      after_delay=end - begin_response if done else None)
        if has_response and way not in ("completed", "three"):
            self.call(link, "fw", end, 0, "END_RESP", of)
        self.requests(link, of, names, way, begin, end_request, begin_response, end)
        return self.expect_hop(link, of, way, d[0], begin, end_request, begin_response, end, parent), \
            self.relate_hop(before, names)

    def extended(self, link, time, of):
        phase = self.rng.choice(["ACT", "GRANT"])
        self.call(link, "bw", time, 0, phase, of)
        if "_nb" not in self.excluded:
            self.phases.append((link + ".phases", phase, time, of.address))

    def requests(self, link, of, names, way, begin, end_request, begin_response, end):
        """The transactions in N_nb_timed."""
        identity, open_state = self.identity(of), [(END, "unfinished", BOOLEAN, True)]
        last = begin + self.span(50) if way == "one" else end_request
        self.put(link, "_nb_timed", "request", begin, last, identity + of.request() + of.value(False)
                 + of.long_value(False)
                 + (of.response() + of.value(True) + of.long_value(True) if way == "early"
                    else open_state if way == "one" else of.response("INCOMPLETE")), names[1])
        if way in ("early", "one", "two"):
            return
        last = begin_response + self.span(50) if way == "three" else end
        self.put(link, "_nb_timed", "response", begin_response, last, identity + of.request() + of.response()
                 + of.value(True) + of.long_value(True) + (open_state if way == "three" else []), names[2])
        self.relations.append(("PREDECESSOR_SUCCESSOR", names[1], names[2]))

    def expect_hop(self, link, of, way, delay, begin, end_request, begin_response, end, parent):
        has_timed = "_nb_timed" not in self.excluded
        details = of.expected(way not in ("one", "two"), has_timed)
        details["delay"] = delay if delay > 0 and "_nb" not in self.excluded else None
        last = {"one": begin, "two": end_request, "three": begin_response}.get(way, end)
        if way in ("one", "two", "three"):
            details["unfinished"] = True
            details["phase"] = {"one": "BEGIN_REQ", "two": "END_REQ", "three": "BEGIN_RESP"}[way]
        if way not in ("early", "one"):
            details["request_time"] = max(end_request - begin, 0)
        if way not in ("early", "one", "two", "three"):
            details["response_time"] = end - begin_response
        return self.expect(link, of, begin, last, parent, **details)

    def relate_hop(self, before, names):
        part = 1 if "_nb_timed" not in self.excluded else 0
        if before:
            self.relations.append(("PARENT_CHILD", before[part], names[part]))
        return names

    # ---- the file --------------------------------------------------------------------------------

    def simulate(self, steps):
        for step in range(steps):
            time = 0 if self.is_untimed else step * 7
            if self.rng.random() < 0.5:
                self.blocking(time, self.rng.randrange(3))
            else:
                self.nonblocking(time, 1 + self.rng.randrange(3))

    def write(self, path):
        trace = Streams()
        written = {}
        trace.stream("model", "counts")
        for stream, generator, begin, end, attributes, name in sorted(self.calls, key=lambda call: call[3]):
            suffix = max((s for s in KINDS if stream.endswith(s)), key=len)
            trace.stream(stream, "[TLM][base-protocol]" + KINDS[suffix])
            written[name] = stream, trace.add(stream, generator, begin, end, attributes)
        for value in range(3):
            trace.add("model", "step", value, value + 1, [(BEGIN, "value", UNSIGNED, value)])
        for name, source, sink in self.relations:
            if source in written and sink in written:
                trace.relate(name, written[source], written[sink])
        trace.write(path)
        return trace


class Trace:
    """A decoded file."""

    def __init__(self, path):
        listing = subprocess.run(DECODER + ["json", path], capture_output=True, text=True, check=True)
        records = [json.loads(line) for line in listing.stdout.splitlines()]
        self.kinds = {r["name"]: r["kind"] for r in records if r["record"] == "stream"}
        self.transactions = {r["id"]: r for r in records if r["record"] == "transaction"}
        self.relations = [r for r in records if r["record"] == "relation"]


def key_of(tx):
    attributes = {name: value for _, name, _, value in tx["attributes"]}
    return (tx["stream"], tx["generator"], tx["begin"], tx["end"], tuple(sorted(attributes.items())))


class Files(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.calls, self.output = (os.path.join(folder.name, name) for name in ("calls.ftr", "accesses.ftr"))

    def fold(self, *options):
        return subprocess.run([FTR, "accesses", "--force", "-o", self.output, *options, self.calls],
                              capture_output=True, text=True, timeout=300)


class Folding(Files):
    """The accesses of random models."""

    def compare(self, model):
        model.write(self.calls)
        result = self.fold()
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("; 0 relations discarded", result.stdout)
        subprocess.run(DECODER + ["check", self.output], check=True, capture_output=True)
        found = Trace(self.output)
        accesses = {number: key_of(tx) for number, tx in found.transactions.items()
                    if found.kinds[tx["stream"]] == "TLM"}
        self.assertEqual(sorted(accesses.values()), sorted(access.key() for access in model.accesses))
        self.assertEqual(sorted((accesses[r["from"]], accesses[r["to"]]) for r in found.relations),
                         sorted((access.parent.key(), access.key()) for access in model.accesses if access.parent))
        self.assertEqual({r["name"] for r in found.relations} - {"PARENT_CHILD"}, set())
        others = [tx for number, tx in found.transactions.items() if number not in accesses]
        # A stream whose name begins with that of an earlier stream has a slash in place of the dot.
        self.assertEqual(sorted((tx["stream"].replace("/", "."), tx["generator"], tx["begin"], tx["attributes"][0][3])
                                for tx in others if tx["stream"] != "model"), sorted(model.phases))
        self.assertEqual(sum(tx["stream"] == "model" for tx in others), 3)

    def test_random_models(self):
        variants = [(), ("_bl",), ("_bl_timed",), ("_nb",), ("_nb_timed",), ("_bl_timed", "_nb_timed"),
                    ("_bl", "_nb")]
        for seed in range(4):
            for excluded in variants:
                with self.subTest(seed=seed, excluded=excluded):
                    model = Model(seed, excluded, has_identity=seed % 2 == 1)
                    model.simulate(60)
                    self.compare(model)

    def test_models_without_time(self):
        for excluded in ((), ("_bl", "_nb"), ("_bl_timed", "_nb_timed")):
            with self.subTest(excluded=excluded):
                model = Model(77, excluded, is_untimed=True)
                model.simulate(80)
                self.compare(model)

    def test_lost_twins(self):
        model = Model(5, losses=0.6)
        for step in range(4000):
            model.blocking(step, 0)
        self.compare(model)


class Calls(Streams):
    """Single transactions of calls on the link `l`."""

    def call(self, suffix, generator, begin, end, attributes, **more):
        self.stream("l" + suffix, "[TLM][base-protocol]" + KINDS[suffix])
        return "l" + suffix, self.add("l" + suffix, generator, begin, end, attributes, **more)

    def phase(self, time, phase, address=16, delay=0):
        return self.call("_nb", "fw", time, time, [(BEGIN, "tlm_phase", STRING, phase), (BEGIN, "delay", TIME, delay),
                                                   (BEGIN, "trans.command", STRING, "tlm::TLM_READ_COMMAND"),
                                                   (BEGIN, "trans.address", UNSIGNED, address)])


OPEN = "several open accesses of its link have its attributes, and it has no trans.id"
REQUEST = "the request of its access is not in the trace"


class NotFolded(Files):
    """Each reason for which a transaction is not folded."""

    def check(self, calls, accesses, reasons):
        """@p reasons: {id: reason}"""
        calls.write(self.calls)
        result = self.fold("--list")
        found = dict(re.findall(r"^ftr: \S+: #(\d+) l\S* \S+ is not folded: (.*)$", result.stderr, re.MULTILINE))
        self.assertEqual(found, {str(number): reason for number, reason in reasons.items()}, result.stderr)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, f": {accesses} accesses .* {len(reasons)} of them not folded;")
        self.assertEqual(len([tx for tx in Trace(self.output).transactions.values() if tx["stream"] == "l"]), accesses)

    def test_response_without_a_request(self):
        calls = Calls()
        alone = calls.call("_nb_timed", "response", 10, 20, [])
        lost = calls.call("_nb_timed", "response", 30, 40, [])
        calls.relate("PREDECESSOR_SUCCESSOR", ("l_nb_timed", 999), lost)
        self.check(calls, 0, {alone[1]: REQUEST, lost[1]: REQUEST})

    def test_call_without_a_request(self):
        calls = Calls()
        early = calls.phase(5, "END_REQ")
        calls.phase(10, "BEGIN_REQ")
        self.check(calls, 1, {early[1]: REQUEST})

    def test_first_call_without_its_request(self):
        calls = Calls()
        begin = calls.phase(10, "BEGIN_REQ", delay=3)
        calls.call("_nb_timed", "request", 50, 60, [])
        self.check(calls, 1, {begin[1]: REQUEST})

    def test_request_without_its_response(self):
        calls = Calls()
        request = calls.call("_nb_timed", "request", 10, 20, [])
        calls.relate("PREDECESSOR_SUCCESSOR", request, ("l_nb_timed", 999))
        self.check(calls, 0, {request[1]: "the response of its access is not in the trace"})

    def test_ambiguous_phases(self):
        calls = Calls()
        requests = [calls.phase(10, "BEGIN_REQ"), calls.phase(20, "BEGIN_REQ")]
        other = calls.phase(25, "BEGIN_REQ", address=32)
        response = calls.phase(30, "BEGIN_RESP")
        calls.phase(40, "BEGIN_RESP", address=32)
        self.check(calls, 1, {number: OPEN for _, number in requests + [response]})
        [access] = [tx for tx in Trace(self.output).transactions.values() if tx["stream"] == "l"]
        self.assertEqual((access["begin"], access["end"]), (25, 40), other)

    def test_call_without_a_phase(self):
        for has_requests in (False, True):
            calls = Calls()
            call = calls.call("_nb", "fw", 10, 10, [])
            if has_requests:
                calls.call("_nb_timed", "request", 50, 60, [])
            self.check(calls, int(has_requests), {call[1]: "it has no attribute tlm_phase"})

    def test_other_generator(self):
        calls = Calls()
        call = calls.call("_nb_timed", "other", 10, 10, [])
        self.check(calls, 0, {call[1]: "its generator is neither 'request' nor 'response'"})

    def test_generator_of_another_stream(self):
        calls = Calls()
        calls.stream("l_model", "counts")
        calls.stream("l_bl", "[TLM][base-protocol][b]")
        wrong = calls.add("l_model", "step", 10, 20, chunk_of="l_bl")
        calls.call("_bl", "read", 10, 20, [])
        self.check(calls, 1, {wrong: "its generator belongs to another stream"})

    def test_times_that_exceed_64_bits(self):
        late = 2**64 - 5
        for suffix, attributes in (("_bl", [(BEGIN, "start_delay", TIME, 9)]), ("_bl", [(END, "end_delay", TIME, 9)]),
                                   ("_nb", [(BEGIN, "tlm_phase", STRING, "BEGIN_REQ"), (BEGIN, "delay", TIME, 9)])):
            calls = Calls()
            call = calls.call(suffix, "read", late, late, attributes)
            self.check(calls, 0, {call[1]: "its times exceed 64 bits"})

    def test_first_of_many_are_listed(self):
        calls = Calls()
        for time in range(25):
            calls.call("_nb_timed", "response", time, time + 1, [])
        calls.write(self.calls)
        result = self.fold()
        self.assertEqual((result.returncode, result.stderr.count("is not folded: " + REQUEST)), (1, 10))
        self.assertIn("15 further transactions are not folded; --list lists them", result.stderr)
        self.assertIn(f"25 transactions are not folded: {REQUEST}", result.stderr)


class Forms(Files):
    """Other forms of calls, and traces that cannot be folded."""

    def links(self):
        return {key_of(tx) for tx in Trace(self.output).transactions.values()}

    def test_payload_below_8_bytes(self):
        calls = Calls()
        calls.call("_bl", "write", 1, 2, [(BEGIN, "trans.data_length", UNSIGNED, 6),
                                          (RECORD, "trans.data", INTEGER, 0x44332211)])
        calls.write(self.calls)
        self.assertEqual(self.fold("--payload", "4").returncode, 0)
        self.assertEqual(self.links(), {("l", "write", 1, 2, (("data", "11223344"), ("length", 6)))})

    def test_dmi_and_debug_calls(self):
        calls = Calls()
        calls.call("_dmi", "get", 3, 3, [(BEGIN, "trans.command", STRING, "tlm::TLM_WRITE_COMMAND"),
                                         (BEGIN, "trans.address", UNSIGNED, 64), (END, "granted", BOOLEAN, True),
                                         (END, "dmi_data.start_address", UNSIGNED, 0),
                                         (END, "dmi_data.access", STRING, "tlm::DMI_ACCESS_READ_WRITE")])
        calls.call("_dmi", "invalidate", 4, 4, [(BEGIN, "start_addr", UNSIGNED, 1), (BEGIN, "end_addr", UNSIGNED, 2)])
        calls.call("_dbg", "read", 5, 5, [(END, "transported", UNSIGNED, 2),
                                          (BEGIN, "trans.data_length", UNSIGNED, 4), (END, "trans.dmi_allowed", BOOLEAN, True),
                                          (BEGIN, "trans.streaming_width", UNSIGNED, 1),
                                          (END, "trans.response_status", STRING, "tlm::TLM_INCOMPLETE_RESPONSE"),
                                          (RECORD, "trans.data", INTEGER, 0x04030102)])
        calls.write(self.calls)
        result = self.fold()
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("0 accesses (0 unfinished), 2 DMI calls, 1 debug calls", result.stdout)
        self.assertEqual(self.links(), {
            ("l.dmi", "get", 3, 3, (("access", "READ_WRITE"), ("address", 64), ("command", "WRITE"),
                                    ("granted", True), ("start_address", 0))),
            ("l.dmi", "invalidate", 4, 4, (("end_address", 2), ("start_address", 1))),
            ("l.debug", "read", 5, 5, (("data", "0201"), ("length", 4), ("response", "INCOMPLETE"),
                                       ("transported", 2)))})

    def test_extensions_keep_their_names(self):
        calls = Calls()
        calls.call("_bl", "read", 1, 2, [(BEGIN, "trans.burst.length", UNSIGNED, 6), (END, "cached", BOOLEAN, True)])
        calls.write(self.calls)
        self.assertEqual(self.fold().returncode, 0)
        self.assertEqual(self.links(), {("l", "read", 1, 2, (("burst.length", 6), ("cached", True)))})

    def test_data_of_a_failed_read_is_no_data(self):
        """SCC's recorder writes the content of the buffer, whatever the response is."""
        for status, data in (("OK", (("data", "0500"),)), ("ADDRESS_ERROR", ())):
            calls = Calls()
            calls.call("_bl", "read", 1, 2, [(RECORD, "trans.data", UNSIGNED, 5),
                                             (RECORD, "trans.data_length", UNSIGNED, 2),
                                             (RECORD, "trans.response_status", STRING, f"tlm::TLM_{status}_RESPONSE")])
            calls.write(self.calls)
            self.assertEqual(self.fold().returncode, 0)
            self.assertEqual(self.links(), {("l", "read", 1, 2, (*data, ("length", 2), ("response", status)))})

    def test_relations_of_sccs_recorder(self):
        """Each call is the successor of the payload's call before, and each `_timed` transaction a child of its call."""
        trace = Streams()
        for link in ("outer", "inner"):
            trace.stream(link + "_nb", "[TLM][base-protocol][nb]")
            trace.stream(link + "_nb_timed", "[TLM][base-protocol][nb][timed]")
        before = None
        for link, shift in (("outer", 0), ("inner", 2)):
            nb, timed = link + "_nb", link + "_nb_timed"
            phases = [(nb, trace.add(nb, "fw", shift + time, shift + time, [(BEGIN, "tlm_phase", STRING, phase)]))
                      for time, phase in ((10, "BEGIN_REQ"), (20, "END_REQ"))]
            request = (timed, trace.add(timed, "request", shift + 10, shift + 20))
            response = (timed, trace.add(timed, "response", shift + 30, shift + 40))
            trace.relate("PREDECESSOR_SUCCESSOR", request, response)
            trace.relate("PARENT_CHILD", phases[0], request)
            trace.relate("PREDECESSOR_SUCCESSOR", phases[0], phases[1])
            if before:
                trace.relate("PREDECESSOR_SUCCESSOR", before, phases[0])
            before = phases[0]
        trace.write(self.calls)
        result = self.fold()
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn(", 1 relations; 0 relations discarded", result.stdout)
        found = Trace(self.output)
        self.assertEqual({key[:4] for key in self.links()}, {("outer", "ignore", 10, 40), ("inner", "ignore", 12, 42)})
        self.assertEqual([(r["name"], found.transactions[r["from"]]["stream"], found.transactions[r["to"]]["stream"])
                          for r in found.relations], [("PARENT_CHILD", "outer", "inner")])

    def test_payload_that_is_sent_again(self):
        calls = Calls()
        for time in (10, 50):
            calls.call("_nb", "fw", time, time, [(BEGIN, "trans.id", UNSIGNED, 7),
                                                 (BEGIN, "tlm_phase", STRING, "BEGIN_REQ")])
        calls.write(self.calls)
        self.assertEqual(self.fold().returncode, 0)
        self.assertEqual(sorted(key[2:4] for key in self.links()), [(10, 10), (50, 50)])

    def test_nothing_to_fold(self):
        calls = Calls()
        calls.call("_bl", "read", 1, 2, [])
        calls.write(self.calls)
        self.assertEqual(self.fold().returncode, 0)
        again = self.output + "2"
        result = subprocess.run([FTR, "accesses", "-o", again, self.output], capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stdout, os.path.exists(again)), (2, "", False))
        self.assertIn("is a recording of accesses: there is nothing to fold", result.stderr)
        other = Streams()
        other.stream("model", "counts")
        other.add("model", "step", 1, 2)
        other.write(self.calls)
        result = self.fold()
        self.assertEqual(result.returncode, 2)
        self.assertIn("has no transactions of TLM calls", result.stderr)

    def test_commands_name_the_folding(self):
        calls = Calls()
        calls.call("_bl", "read", 1, 2, [])
        calls.write(self.calls)
        self.fold()
        hint = f"'ftr accesses {self.calls} -o OUTPUT'"
        page = self.output + ".html"
        for command in (["stats"], ["report", "--text"], ["report", "-o", page], ["sql"]):
            query = ["select 1"] if command == ["sql"] else []
            for path, is_named in ((self.calls, True), (self.output, False)):
                with self.subTest(command=command, path=path):
                    result = subprocess.run([FTR, *command, path, *query], capture_output=True, text=True)
                    if "unknown command" in result.stderr:
                        continue
                    self.assertEqual((result.returncode, result.stderr.count(hint)), (0, int(is_named)))
            if os.path.exists(page):
                os.unlink(page)
        for pair in ([self.calls, self.output], [self.output, self.calls]):
            result = subprocess.run([FTR, "diff", *pair], capture_output=True, text=True)
            self.assertEqual((result.returncode, result.stdout, result.stderr.count(hint)), (2, "", 1))
        self.assertEqual(subprocess.run([FTR, "diff", self.calls, self.calls]).returncode, 0)

    def test_damaged_traces(self):
        rng = random.Random(8)
        model = Model(3, has_identity=True)
        model.simulate(40)
        sound = self.calls + ".sound"
        model.write(sound)
        statuses = set()
        for attempt in range(60):
            with self.subTest(attempt=attempt):
                write_damaged(self.calls, sound, rng, attempt % 2 == 0)
                if os.path.exists(self.output):
                    os.unlink(self.output)
                result = self.fold()
                statuses.add(result.returncode)
                self.assertIn(result.returncode, (0, 1, 2), result.stderr)
                self.assertTrue(result.returncode == 0 or result.stderr)
                if os.path.exists(self.output):
                    subprocess.run(DECODER + ["check", self.output], check=True, capture_output=True)
        self.assertIn(1, statuses)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
