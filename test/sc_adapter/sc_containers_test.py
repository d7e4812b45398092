#!/usr/bin/python3
"""Compares the recording of sc_containers_test, read by ftr_decode.py, with the expected content; and compiles the
program with values of types that cannot be recorded. Arguments: the directory of the programs, the source, and the
command that compiles it."""

import subprocess
import sys
import unittest

import sc_adapter_test

SOURCE = ""
COMPILER = []
SENTENCE = "ftr cannot record a value of this type: list its fields with ftr_fields(), or specialise ftr::value_traits"


def payload(command, *data):
    return [("trans." + name, kind, value) for name, kind, value in (
        ("command", "STRING", "tlm::TLM_" + command + "_COMMAND"), ("address", "UNSIGNED", 16),
        ("data_length", "UNSIGNED", 9), ("streaming_width", "UNSIGNED", 0), ("byte_enable_length", "UNSIGNED", 0),
        ("gp_option", "STRING", "tlm::TLM_MIN_PAYLOAD"), ("dmi_allowed", "BOOLEAN", False),
        ("response_status", "STRING", "tlm::TLM_INCOMPLETE_RESPONSE"), *data)]


def lanes(name):
    return [(name + ".count", "INTEGER", 1), (name + ".width[0]", "INTEGER", 2), (name + ".width[1]", "INTEGER", 3)]


class Containers(sc_adapter_test.Programs):
    def record(self, **variables):
        self.run_program("sc_containers_test", FTR_TRACE="run.ftr", **variables)
        return [[tuple(a[1:]) for a in tx["attributes"]] for tx in self.trace("run.ftr").transactions]

    def test_declared(self):
        first, second, _ = self.record()
        self.assertEqual(first, [
            *payload("WRITE", ("bytes", "STRING", "0102ff0405060708")), ("maybe", "INTEGER", 5),
            ("bytes", "STRING", "00ff"), ("three", "STRING", "010203"), ("texts[0]", "STRING", "a"),
            ("texts[1]", "STRING", "b"), ("mixed", "STRING", "0.1"), ("numbers", "INTEGER", 7), *lanes("lanes"),
            ("answer", "STRING", "yes"), ("last", "INTEGER", 8)])
        self.assertEqual(second, [*payload("READ"), ("bytes", "STRING", ""), ("mixed", "STRING", "1234567 ps"),
                                  ("numbers", "INTEGER", 0), ("last", "INTEGER", 0)])

    def test_undeclared(self):
        self.assertEqual(self.record()[2], [
            *payload("WRITE", ("bytes", "STRING", "0102ff0405060708")), ("some", "FLOATING_POINT_NUMBER", 1.5),
            ("bytes", "STRING", "a5" * 200), ("std::byte", "STRING", "00ff"), ("two", "STRING", "0180"),
            ("flags[0]", "BOOLEAN", True), ("flags[1]", "BOOLEAN", False),
            ("mixed", "STRING", ""), ("mixed", "INTEGER", -1), ("mixed", "UNSIGNED", 1),
            ("mixed", "FLOATING_POINT_NUMBER", 2.5), ("mixed", "STRING", "x"), ("mixed", "TIME", 3000),
            ("mixed", "BOOLEAN", True), ("signal", "INTEGER", 0), ("flag", "BOOLEAN", False), ("wide", "UNSIGNED", 0),
            *lanes("lanes"), ("trans.burst.beats", "INTEGER", 4), ("trans.burst.name", "STRING", "incr"),
            ("trans.burst.kind", "STRING", "wrap"), *lanes("trans.burst.lanes"),
            ("trans.burst.command", "STRING", "tlm::TLM_READ_COMMAND")])

    def test_ftr_payload_limits_the_bytes(self):
        bytes_of = {limit: [a[2] for a in self.record(FTR_PAYLOAD=limit)[0] if a[0] == "trans.bytes"]
                    for limit in ("0", "2", "all")}
        self.assertEqual(bytes_of, {"0": [], "2": ["0102"], "all": ["0102ff040506070809"]})


class Unsupported(unittest.TestCase):
    def test_one_sentence(self):
        for where in ("DECLARED", "PUT", "FIELD", "EXTENSION", "OPTIONAL"):
            with self.subTest(where):
                done = subprocess.run([*COMPILER, "-DUNSUPPORTED_" + where, SOURCE], capture_output=True, text=True,
                                      env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}, check=False)
                self.assertNotEqual(done.returncode, 0)
                errors = [line for line in done.stderr.splitlines() if " error: " in line]
                self.assertEqual(len(errors), 1, done.stderr)
                self.assertIn(SENTENCE, errors[0].replace('" "', ""))


if __name__ == "__main__":
    sc_adapter_test.PROGRAMS, SOURCE = sys.argv[1:3]
    COMPILER = sys.argv[3:]
    unittest.main(verbosity=2, argv=sys.argv[:1])
