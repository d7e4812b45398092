#!/usr/bin/python3
"""Attaches to the unmodified TLM-2.0 examples of SystemC, and compares the number of recorded accesses,
or calls, with their output. Arguments: attached.py, main()."""

import os
import re

from attached import Attached, Paths, in_both_forms, main, values

EXAMPLES = os.environ["FTR_TLM_EXAMPLES"]
# Names of the two initiators in the output of each example.
INITIATORS = {"101": r"top\.m_(td_)?initiator_1\.", "102": r"top\.m_initiator_2\."}


def printed(output, pattern):
    return len(re.findall(pattern, output, re.MULTILINE))


@in_both_forms
class Foreign(Attached):
    def run_example(self, name, stdin=b"", **variables):
        """Returns the output, which must be equal with and without recording, and the trace."""
        attached = self.attach(name, stdin=stdin, **variables)
        output = attached.stdout.decode()
        self.assertGreater(len(output), 1000)
        return output, self.trace()

    def of_initiator(self, trace, initiator, suffix, generators):
        pattern = re.compile(INITIATORS[initiator] + r"[\w.]*" + self.stream("", suffix) + "$")
        return [tx for tx in trace.transactions
                if pattern.match(tx["stream"]) and not tx["stream"].endswith(".dmi") and tx["generator"] in generators]

    def of_bus(self, trace, suffix, generators):
        pattern = re.compile(r"top\.m_bus\.simple_initiator_socket_tagged_\d" + self.stream("", suffix) + "$")
        return [tx for tx in trace.transactions
                if pattern.match(tx["stream"]) and tx["generator"] in generators]

    def count_blocking(self, name, call, **run):
        """@p call: output of an initiator for each b_transport; {} is its number."""
        output, trace = self.run_example(name, **run)
        total = 0
        suffixes = ("_bl", "_bl_timed") if self.form == "calls" else ("",)
        for initiator in INITIATORS:
            expected = printed(output, call.format(initiator))
            self.assertGreater(expected, 0)
            total += expected
            for suffix in suffixes:
                found = self.of_initiator(trace, initiator, suffix, ("read", "write"))
                self.assertEqual(len(found), expected, initiator + suffix)
        for suffix in suffixes:
            self.assertEqual(len(self.of_bus(trace, suffix, ("read", "write"))), total)
        hops = [r for r in trace.relations if r["name"] == "PARENT_CHILD"]
        # Form of calls: two calls, each in N_bl and N_bl_timed, and one hop.
        self.assertEqual(len(hops), (3 if self.form == "calls" else 1) * total)
        return output, trace

    def count_phases(self, name):
        output, trace = self.run_example(name)
        begun = 0
        for initiator in INITIATORS:
            said = {}
            pattern = rf"Initiator: {initiator} nb_transport_(fw|bw) \(GP, (\w+),"
            for key in re.findall(pattern, output):
                said[key] = said.get(key, 0) + 1
            begun += said["fw", "BEGIN_REQ"]
            if self.form == "calls":
                self.compare_calls(trace, initiator, said)
            else:
                accesses = self.of_initiator(trace, initiator, "", ("read", "write"))
                self.assertEqual(len(accesses), said["fw", "BEGIN_REQ"])
                responses = [tx for tx in accesses if "response_time" in values(tx)]
                # A response may also begin in the return of BEGIN_REQ.
                self.assertGreaterEqual(len(responses), said["bw", "BEGIN_RESP"])
        if self.form == "calls":
            self.assertEqual(len(self.of_bus(trace, "_nb_timed", ("request",))), begun)
        else:
            self.assertEqual(len(self.of_bus(trace, "", ("read", "write"))), begun)
        hops = [r for r in trace.relations if r["name"] == "PARENT_CHILD"]
        self.assertEqual(len(hops), begun)
        self.assertFalse([tx for tx in trace.transactions if "unfinished" in values(tx)])

    def compare_calls(self, trace, initiator, said):
        """Compares the phases of the calls of an initiator with those that it printed."""
        calls = {}
        for path in ("fw", "bw"):
            for tx in self.of_initiator(trace, initiator, "_nb", (path,)):
                key = path, values(tx)["tlm_phase"]
                calls[key] = calls.get(key, 0) + 1
        self.assertEqual(calls, said)
        for generator, key in (("request", ("fw", "BEGIN_REQ")), ("response", ("bw", "BEGIN_RESP"))):
            self.assertEqual(len(self.of_initiator(trace, initiator, "_nb_timed", (generator,))), said[key])

    def test_loosely_timed(self):
        self.count_blocking("lt", r"Initiator: {} b_transport\(GP")

    def test_temporal_decoupling(self):
        self.count_blocking("lt_temporal_decouple", r"Initiator: {} b_transport\(GP")

    def test_mixed_endianness(self):
        with open(os.path.join(EXAMPLES, "lt_mixed_endian/results/input.txt"), "rb") as file:
            commands = file.read()
        self.count_blocking("lt_mixed_endian", r"Initiator: {} b_transport\(GP", stdin=commands)

    def test_dmi(self):
        output, trace = self.count_blocking("lt_dmi",
                                            "Initiator: {} b_transport returned a delay")
        gets = printed(output, r"lt_dmi_target.cpp: .* - get_direct_mem_ptr$")
        self.assertGreater(gets, 0)
        for link in (r"top\.m_bus\.simple_initiator_socket_tagged_\d", r"(?!top\.m_bus\.).*"):
            pattern = re.compile(link + ("_dmi$" if self.form == "calls" else r"\.dmi$"))
            gotten = [tx for tx in trace.transactions if pattern.match(tx["stream"]) and tx["generator"] == "get"]
            self.assertEqual(len(gotten), gets)
            self.assertEqual({values(tx)["granted"] for tx in gotten}, {True})

    def test_denied_dmi_shows_all_traffic(self):
        done = self.command([os.path.join(Paths.programs, "lt_dmi")], FTR_TRACE=self.file,
                            FTR_DMI="deny")
        trace = self.trace()
        for initiator in INITIATORS:
            ended = printed(done.stdout.decode(), f"Initiator: {initiator} End of processing")
            self.assertEqual(ended, 64)
            self.assertEqual(len(self.of_initiator(trace, initiator, "_bl", ("read", "write"))), ended)

    def test_one_phase(self):
        self.count_phases("at_1_phase")

    def test_two_phases(self):
        self.count_phases("at_2_phase")

    def test_four_phases(self):
        self.count_phases("at_4_phase")

    def test_targets_of_all_kinds(self):
        self.count_phases("at_mixed_targets")

    def test_out_of_order(self):
        self.count_phases("at_ooo")

    def test_optional_extension(self):
        self.count_phases("at_extension_optional")

    def test_types_with_the_payload_of_the_base_protocol(self):
        output, trace = self.run_example("lt_extension_mandatory")
        calls = printed(output, r"lt_target_extension_mandatory.cpp: .* - nb_transport_fw$") // 2  # two reports a call
        link = "top.m_initiator.LT_initiator_mandatory"
        self.assertGreater(calls, 0)
        if self.form == "calls":
            self.assertEqual(len(trace.of(link + "_nb", "fw")), calls)
        self.assertEqual(len(trace.of(self.stream(link, "_nb_timed"), "request" if self.form == "calls" else None)),
                         calls)


if __name__ == "__main__":
    main()
