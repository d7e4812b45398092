#!/usr/bin/python3
"""Runs a model with SCC's recorder, and compares its file, read by ftr_decode.py, with the content that SCC's own header
records (docs/compat-lwtr.md lists the differences). scc_cci_program is compiled with a double of CCI.
Arguments: the directory of the programs, and names of tests."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
import sc_adapter_test  # noqa: E402


def payload(command, address, response, dmi_allowed=False):
    return [("record", "trans." + name, kind, value) for name, kind, value in (
        ("command", "STRING", "tlm::TLM_" + command + "_COMMAND"), ("address", "UNSIGNED", address),
        ("data_length", "UNSIGNED", 4), ("data", "UNSIGNED", 0x04030201),
        ("response_status", "STRING", "tlm::TLM_" + response + "_RESPONSE"), ("streaming_width", "UNSIGNED", 4),
        ("byte_enable_length", "UNSIGNED", 0), ("dmi_allowed", "BOOLEAN", dmi_allowed),
        ("gp_option", "STRING", "tlm::TLM_MIN_PAYLOAD"))]


def delay(class_, name, value):
    return (class_, name, "TIME", value)


def phase(phase_before, before, sync, phase_after, after, *of_payload):
    return [("begin", "tlm_phase", "STRING", phase_before), delay("record", "delay", before),
            ("record", "tlm_sync", "STRING", "tlm::TLM_" + sync), delay("record", "delay[return_path]", after),
            *payload("WRITE", *of_payload), ("end", "tlm_phase[return_path]", "STRING", phase_after)]


BEATS = ("record", "trans.beats", "UNSIGNED", 8)
DONE = ("record", "trans.done", "BOOLEAN", True)
BLOCKING = [
    ("_bl", "read", 0, 3000, [delay("begin", "start_delay", 2000), *payload("READ", 0x200, "OK", True),
                              delay("end", "end_delay", 3000)]),
    ("_bl_timed", "read", 2000, 6000, payload("READ", 0x200, "OK", True)),
    ("_bl", "write", 3000, 6000, [delay("begin", "start_delay", 0), BEATS, *payload("WRITE", 0x204, "OK", True), DONE,
                                  delay("end", "end_delay", 1000)]),
    ("_bl_timed", "write", 3000, 7000, [BEATS, DONE, *payload("WRITE", 0x204, "OK", True)]),
    ("_bl", "read", 6000, 6000, [delay("begin", "start_delay", 1000), *payload("READ", 0x201, "INCOMPLETE", True),
                                 delay("end", "end_delay", 1000)]),
    ("_bl_timed", "read", 7000, 7000, payload("READ", 0x201, "INCOMPLETE", True))]
FOUR_PHASES = [
    ("_nb", "fw", 0, 0, phase("BEGIN_REQ", 1000, "ACCEPTED", "BEGIN_REQ", 1000, 0x100, "INCOMPLETE")),
    ("_nb_timed", "request", 1000, 4000, payload("WRITE", 0x100, "INCOMPLETE")),
    ("_nb", "bw", 4000, 4000, phase("END_REQ", 0, "ACCEPTED", "END_REQ", 0, 0x100, "INCOMPLETE")),
    ("_nb", "bw", 9000, 9000, phase("BEGIN_RESP", 1000, "ACCEPTED", "BEGIN_RESP", 1000, 0x100, "OK")),
    ("_nb_timed", "response", 10000, 11000, payload("WRITE", 0x100, "OK")),
    ("_nb", "fw", 11000, 11000, phase("END_RESP", 0, "ACCEPTED", "END_RESP", 0, 0x100, "OK"))]
REST_TIMED = [("request", 32000, 33000, 0x104, "INCOMPLETE"), ("response", 41000, 42000, 0x104, "OK"),
              ("request", 63000, 68000, 0x108, "OK"), ("response", 68000, 69000, 0x108, "OK"),
              ("request", 90000, 93000, 0x110, "INCOMPLETE"), ("response", 99000, 100000, 0x110, "OK")]


class Scc(sc_adapter_test.Programs):
    program = "scc_program"

    def record(self, way, **variables):
        return self.run_program(self.program, way, **variables).stdout

    def of(self, recorder):
        """Returns the transactions of a recorder, in order of begin and id."""
        found = [(tx["stream"], tx["generator"], tx["begin"], tx["end"], [tuple(a) for a in tx["attributes"]])
                 for tx in sorted(self.trace("my_db.ftr").transactions, key=lambda tx: (tx["begin"], tx["id"]))]
        return [(stream[len(recorder):], *rest) for stream, *rest in found if stream.startswith(recorder + "_")]

    def relations(self):
        trace = self.trace("my_db.ftr")
        named = {tx["id"]: (tx["stream"], tx["generator"], tx["begin"]) for tx in trace.transactions}
        return {(r["name"], *named[r["from"]], *named[r["to"]]) for r in trace.relations}

    def test_blocking(self):
        self.assertIn("caught", self.record("blocking"))
        self.assertEqual(self.of("near"), BLOCKING)
        self.assertEqual(self.of("far"), BLOCKING)
        kinds = {s["name"]: s["kind"] for s in self.trace("my_db.ftr").streams}
        self.assertEqual(kinds, {
            recorder + suffix: "[TLM][base-protocol]" + kind for recorder in ("near", "far")
            for suffix, kind in (("_bl", "[b]"), ("_bl_timed", "[b][timed]"),
                                 ("_nb", "[nb]"), ("_nb_timed", "[nb][timed]"))})

    def test_relations_of_blocking_calls(self):
        self.record("blocking")
        begins = (("read", 0, 2000), ("write", 3000, 3000), ("read", 6000, 7000))
        self.assertEqual(self.relations(), {
            ("PREDECESSOR_SUCCESSOR", "near_bl", command, begin, "far_bl", command, begin)
            for command, begin, _ in begins} | {
            ("PARENT_CHILD", recorder + "_bl", command, begin, recorder + "_bl_timed", command, timed)
            for command, begin, timed in begins for recorder in ("near", "far")})

    def test_phases(self):
        self.assertIn("payloads=0", self.record("four_phases"))
        for recorder in ("near", "far"):
            found = self.of(recorder)
            self.assertEqual([tx for tx in found if tx[2] < 20000], FOUR_PHASES)
            self.assertEqual([tx[1:] for tx in found if tx[0] == "_nb_timed" and tx[2] > 20000],
                             [(*tx[:3], payload("WRITE", *tx[3:])) for tx in REST_TIMED])
            self.assertEqual(len(found), 20)

    def test_relations_of_phases(self):
        self.record("four_phases")
        first = {relation for relation in self.relations() if relation[-1] < 20000}
        self.assertEqual(first, {
            ("PREDECESSOR_SUCCESSOR", "near_nb", "fw", 0, "far_nb", "fw", 0),
            ("PREDECESSOR_SUCCESSOR", "far_nb", "fw", 0, "far_nb", "bw", 4000),
            ("PREDECESSOR_SUCCESSOR", "far_nb", "bw", 4000, "near_nb", "bw", 4000),
            ("PREDECESSOR_SUCCESSOR", "near_nb", "bw", 4000, "far_nb", "bw", 9000),
            ("PREDECESSOR_SUCCESSOR", "far_nb", "bw", 9000, "near_nb", "bw", 9000),
            ("PREDECESSOR_SUCCESSOR", "near_nb", "bw", 9000, "near_nb", "fw", 11000),
            ("PREDECESSOR_SUCCESSOR", "near_nb", "fw", 11000, "far_nb", "fw", 11000)} | {
            relation for recorder in ("near", "far") for relation in (
                ("PARENT_CHILD", recorder + "_nb", "fw", 0, recorder + "_nb_timed", "request", 1000),
                ("PARENT_CHILD", recorder + "_nb", "bw", 9000, recorder + "_nb_timed", "response", 10000),
                ("PREDECESSOR_SUCCESSOR", recorder + "_nb_timed", "request", 1000,
                 recorder + "_nb_timed", "response", 10000))})

    def test_early_completion_ends_the_request(self):
        self.assertIn("payloads=0", self.record("all_phases"))
        for recorder in ("near", "far"):
            timed = [tx for tx in self.of(recorder) if tx[0] == "_nb_timed"]
            self.assertEqual(timed[-1][1:], ("request", 121000, 127000, payload("WRITE", 0x102, "OK")))
            self.assertEqual(len(timed), 9)

    def test_dmi(self):
        self.record("dmi")
        get = [*payload("READ", 0x100, "INCOMPLETE"), ("record", "dmi_data.start_address", "UNSIGNED", 0x100),
               ("record", "dmi_data.end_address", "UNSIGNED", 0x1ff),
               ("record", "dmi_data.access", "STRING", "tlm::DMI_ACCESS_READ")]
        expected = [("_dmi", "get", 0, 0, get),
                    ("_dmi", "invalidate", 1000000, 1000000, [("begin", "start_addr", "UNSIGNED", 0x100),
                                                              ("end", "end_addr", "UNSIGNED", 0x1ff)])]
        self.assertEqual(self.of("far"), expected)
        self.assertEqual(self.of("near"), self.preset_dmi(expected))

    def preset_dmi(self, _):
        return []

    def test_switched_off(self):
        self.assertIn("caught", self.record("off"))
        self.assertEqual(self.trace("my_db.ftr").transactions, [])

    def test_without_a_database(self):
        self.record("none")
        self.assertEqual(self.of("near"), BLOCKING)
        self.assertEqual(self.of("far"), [])


class SccWithCci(Scc):
    program = "scc_cci_program"

    def preset_dmi(self, expected):
        return expected  # the double of a broker presets near.enableDmiTracing


if __name__ == "__main__":
    sc_adapter_test.PROGRAMS = sys.argv.pop(1)
    unittest.main(verbosity=2)
