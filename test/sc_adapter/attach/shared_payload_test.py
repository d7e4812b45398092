#!/usr/bin/python3
"""Checks the rule payload-shared with the prototype shared_payload.cpp: one payload in two b_transport calls that are
not nested is reported at the second entry, and payloads that the processes of interconnects pass on are not reported.
Arguments: attached.py's main()."""

import os
import re

from attached import Attached, Paths, Trace, in_both_forms, main, values

INSPECTED = "300"  # calls before the scenario, more than the checker inspects
# Scenarios: the link where the violation is reported, and the link and the process of the earlier call.
AT_ENTRY = {
    "one-socket": ("cpu.first -> bus.in[0]", "two", "cpu.first -> bus.in[0]", "one"),
    "two-sockets": ("cpu.second -> rom.in[0]", "two", "cpu.first -> bus.in[0]", "one"),
    "one-bus": ("dma.first -> bus.in[1]", "two", "cpu.first -> bus.in[0]", "one"),
    "one-bus-with-processes": ("dma.first -> bus.in[1]", "two", "cpu.first -> bus.in[0]", "one"),
    "set-up-again": ("cpu.first -> bus.in[0]", "two", "cpu.first -> bus.in[0]", "one"),
    "broadcast": ("bus.other -> bridge.in[0]", r"one\.\w+", "bus.out -> ram.in[0]", "one"),
}
CORRECT = ("passed-on", "passed-on-by-processes", "through-the-bus-twice", "through-two-halves", "reused",
           "reused-at-once", "memory-requests", "two-payloads")


@in_both_forms
class Shared(Attached):
    def run_checked(self, scenario, *calls, **variables):
        """Returns the lines of the checker on stderr."""
        command = [os.path.join(Paths.programs, "shared_payload"), scenario, *calls]
        alone = self.command(command)
        done = self.command(command, FTR_PROTOCOL="check", **variables)
        self.assertEqual((done.returncode, done.stdout), (0, alone.stdout), done.stderr)
        said = done.stderr.decode().splitlines()
        return [line for line in said if line.startswith("ftr: ") and " exclude: the pattern " not in line]

    def variants(self):
        """Returns the arguments and variables of each way through the checker: with and without a recording, of the
        first calls and of later ones, and with links that are not recorded."""
        recorded = {"FTR_TRACE": self.file}
        return [(calls, variables) for calls in ((), (INSPECTED,))
                for variables in ({}, recorded, {**recorded, "FTR_EXCLUDE": "cpu.*"},
                                  {**recorded, "FTR_EXCLUDE": "bus.*,dma.*"}, {**recorded, "FTR_PAYLOAD": "4"})]

    def test_the_second_entry_is_reported(self):
        for scenario, (link, second, earlier, first) in AT_ENTRY.items():
            for calls, variables in self.variants():
                with self.subTest(scenario, calls=calls, **variables):
                    said = self.run_checked(scenario, *calls, **variables)
                    self.assertEqual(len(said), 3, said)
                    self.assertRegex(
                        said[0], rf"^ftr: error: protocol: {re.escape(link)} at \d+ ns, b_transport: the payload is "
                                 rf"still in b_transport of {re.escape(earlier)}, called by process {first}; this call "
                                 rf"is made by process {second} \(.*\) \[payload-shared, IEEE 1666-2011 11\.1\.1\.4\]$")
                    self.assertEqual(said[1].split(": ")[2].split(" on ")[0], "1 error and 0 warnings")

    def test_each_further_entry_is_reported(self):
        for calls, variables in self.variants():
            with self.subTest(calls=calls, **variables):
                said = self.run_checked("three-times", *calls, **variables)
                self.assertEqual(said[-1], "ftr: protocol: cpu.first: 2 payload-shared", said)

    def test_initiators_that_share_no_module_are_reported_when_the_first_call_returns(self):
        for calls, variables in self.variants():
            with self.subTest(calls=calls, **variables):
                said = self.run_checked("apart", *calls, **variables)
                self.assertEqual(len(said), 3, said)
                self.assertRegex(said[0], r"^ftr: error: protocol: bus\.out -> ram\.in\[0\] at 12 ns, return of "
                                          r"b_transport: the payload is still in b_transport of cpu\.second -> "
                                          r"rom\.in\[0\], called by process two; this call, which began before, is "
                                          r"made by process one ")

    def test_correct_prototypes(self):
        for scenario in CORRECT:
            for calls, variables in self.variants():
                with self.subTest(scenario, calls=calls, **variables):
                    self.assertEqual(self.run_checked(scenario, *calls, **variables), [])

    def identities(self, scenario, *calls):
        """Returns [(link, begin in ns, identity)] of the accesses, or calls, after the preparation."""
        self.run_checked(scenario, *calls, FTR_TRACE=self.file)
        trace = Trace(self.file)
        suffix = self.stream("")
        return [(tx["stream"][:len(tx["stream"]) - len(suffix)], tx["begin"] // 1000, self.access(tx)["payload_id"])
                for tx in trace.transactions if tx["stream"].endswith(suffix) and not tx["stream"].startswith("ftr.")
                and tx["begin"] >= 1000], trace

    def test_each_transaction_has_its_own_identity(self):
        for calls in ((), (INSPECTED,)):
            for scenario in ("one-bus", "one-bus-with-processes", "one-socket", "set-up-again"):
                with self.subTest(scenario, calls=calls):
                    found, trace = self.identities(scenario, *calls)
                    ids = {begin: {i for _, at, i in found if at == begin} for _, begin, _ in found}
                    self.assertEqual(len(found), 4)  # each transaction passes two links
                    self.assertEqual({begin: len(of) for begin, of in ids.items()}, {2: 1, 7: 1})
                    self.assertEqual(len({i for _, _, i in found}), 2, found)
                    reported = trace.of("ftr.protocol", "error")
                    identities = [self.access(tx)["payload_id"] for tx in reported]
                    self.assertEqual(identities, [max(i for _, _, i in found)])

    def test_a_payload_that_is_passed_on_keeps_its_identity(self):
        for calls in ((), (INSPECTED,)):
            found, _ = self.identities("passed-on-by-processes", *calls)
            links = {}
            for link, _, identity in found:
                links.setdefault(identity, set()).add(link)
            self.assertEqual(sorted(map(sorted, links.values())),
                             sorted([sorted({by, *others}) for by in ("cpu.first", "dma.first")
                                     for others in (("bus.out",), ("bus.other", "bridge.out"), ("bus.out",))]))

    def test_the_violation_names_the_call(self):
        self.run_checked("two-sockets", INSPECTED, FTR_TRACE=self.file)
        trace = Trace(self.file)
        of = {tx["id"]: tx["stream"] for tx in trace.transactions}
        self.assertEqual([(of[r["from"]], of[r["to"]]) for r in trace.relations if r["name"] == "VIOLATION"],
                         [(self.stream("cpu.second"), "ftr.protocol")])

    def test_an_error_of_the_simulation_ends_the_second_call(self):
        command = [os.path.join(Paths.programs, "shared_payload"), "one-socket"]
        for variables in ({}, {"FTR_TRACE": self.file}):
            done = self.command(command, FTR_PROTOCOL="error", **variables)
            self.assertEqual(done.returncode, 1)
            self.assertIn(b"the payload is still in b_transport of", done.stdout + done.stderr)


if __name__ == "__main__":
    main()
