#!/usr/bin/python3
"""`ftr check --protocol` of traces at its limits and beyond them: a trace of which a part was not checked never passes.
The traces are written by python3-cbor2. Argument: the ftr command."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import cbor2

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))

from made_trace import endless, item  # noqa: E402 (after the path)

FTR = os.path.abspath(sys.argv.pop(1))
PAYLOADS = 65536
LINKS = 4096
HOPS = 8
STRING, UNSIGNED = 10, 3
TEXTS = ["[TLM][base-protocol][nb]", "fw", "bw", "tlm_phase", "tlm_sync", "trans.id", "BEGIN_REQ", "END_REQ",
         "BEGIN_RESP", "tlm_phase[return_path]", "tlm::TLM_ACCEPTED", "tlm::TLM_UPDATED", "tlm::TLM_COMPLETED"]
NUMBERS = {text: number for number, text in enumerate(TEXTS)}


class Trace:
    """The calls of each link, in the order of time."""

    def __init__(self):
        self.links = {}
        self.count = 0

    def call(self, link, payload, phase, sync, answer=None):
        self.count += 1
        direction = 0 if phase == "BEGIN_REQ" else 1
        self.links.setdefault(link, []).append((self.count, direction, 10 * self.count, payload, phase, sync, answer))

    def answered_call(self, link, payload):
        """A transaction that completes early."""
        self.call(link, payload, "BEGIN_REQ", "tlm::TLM_COMPLETED")

    def write(self, path):
        names = [f"link{link}" for link in self.links]
        directory, chunks = [], []
        for number, calls in enumerate(self.links.values()):
            stream = 1 + 3 * number
            directory += [item(16, [stream, len(TEXTS) + number, 0]),
                          *(item(17, [stream + 1 + i, NUMBERS[name], stream]) for i, name in enumerate(("fw", "bw")))]
            body = [[item(6, [id_, stream + 1 + direction, time, time]),
                     item(7, [NUMBERS["trans.id"], UNSIGNED, payload]),
                     item(7, [NUMBERS["tlm_phase"], STRING, NUMBERS[phase]]),
                     item(9, [NUMBERS["tlm_sync"], STRING, NUMBERS[sync]]),
                     *([item(9, [NUMBERS["tlm_phase[return_path]"], STRING, NUMBERS[answer]])] if answer else [])]
                    for id_, direction, time, payload, phase, sync, answer in calls]
            chunks.append(item(12, [stream, calls[0][2], calls[-1][2], endless(body)]))
        parts = [item(6, cbor2.dumps([-12, item(1, 1)])), item(8, cbor2.dumps(dict(enumerate(TEXTS + names)))),
                 item(10, endless(directory)), *chunks]
        with open(path, "wb") as file:
            file.write(b"\xd9\xd9\xf7" + endless(parts))


class Limits(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "run.ftr")

    def check(self, *options, stdin=None):
        done = subprocess.run([FTR, "check", "--protocol", *options, "-" if stdin else self.file], input=stdin,
                              capture_output=True, check=False)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def not_checked(self, calls, cause, path=None):
        noun = "call" if calls == 1 else "calls"
        return (1, f"{path or self.file}: not-checked: the sequence of calls is not checked for {calls} {noun} {cause} "
                   "[not-checked]\n", "")

    def test_payloads_in_flight(self):
        for count, lost in ((PAYLOADS, 0), (PAYLOADS + 1, 1), (PAYLOADS + 3, 3)):
            with self.subTest(count):
                trace = Trace()
                for payload in range(1, count + 1):
                    trace.call(0, payload, "BEGIN_REQ", "tlm::TLM_UPDATED", "END_REQ")
                for payload in range(1, count + 1):
                    trace.call(0, payload, "BEGIN_RESP", "tlm::TLM_COMPLETED")
                trace.write(self.file)
                status, out, err = self.check()
                cause = "of payloads that began before the latest 65536"
                self.assertEqual(self.check(), self.not_checked(lost, cause) if lost else (0, "", ""))

    def test_links(self):
        for count, lost in ((LINKS, 0), (LINKS + 1, 1), (LINKS + 40, 40)):
            with self.subTest(count):
                trace = Trace()
                for link in range(count):
                    trace.answered_call(link, link + 1)
                trace.write(self.file)
                cause = "on links beyond the first 4096"
                self.assertEqual(self.check(), self.not_checked(lost, cause) if lost else (0, "", ""))

    def test_links_of_a_payload(self):
        for count, lost in ((HOPS, 0), (HOPS + 1, 1), (HOPS + 2, 2)):
            with self.subTest(count):
                trace = Trace()
                for link in range(count):
                    trace.answered_call(link, 1)
                trace.write(self.file)
                cause = "of payloads on links beyond the first 8 of each payload"
                self.assertEqual(self.check(), self.not_checked(lost, cause) if lost else (0, "", ""))

    def test_more_payloads_one_after_the_other(self):
        trace = Trace()
        for payload in range(1, 3 * PAYLOADS):
            trace.answered_call(0, payload)
        trace.write(self.file)
        self.assertEqual(self.check("--strict"), (0, "", ""))

    def test_a_pipe(self):
        trace = Trace()
        for payload in (1, 2):
            trace.answered_call(0, payload)
        trace.write(self.file)
        with open(self.file, "rb") as file:
            content = file.read()
        self.assertEqual(self.check(), (0, "", ""))
        self.assertEqual(self.check(stdin=content),
                         self.not_checked(2, "because a pipe cannot be sorted; name a file", "-"))

    def test_json(self):
        trace = Trace()
        for link in range(LINKS + 1):
            trace.answered_call(link, link + 1)
        trace.write(self.file)
        for options in (["--json"], ["--json", "--strict"]):
            status, out, err = self.check(*options)
            self.assertEqual((status, err), (1, ""))
            self.assertEqual(json.loads(out), {
                "file": self.file, "rule": "not-checked", "severity": "not-checked",
                "message": "the sequence of calls is not checked for 1 call on links beyond the first 4096"})


if __name__ == "__main__":
    unittest.main()
