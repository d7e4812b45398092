#!/usr/bin/python3
"""Checks the protocol of the prototypes beside this file: planted violations of each rule (violations.cpp)
and their correct twins, the modes of FTR_PROTOCOL, and prototypes that keep the rules. Arguments:
attached.py's main(), with the root of the source tree before them."""

import json
import os
import re
import subprocess
import sys

from attached import MISSED, Attached, Paths, Trace, in_both_forms, main, values

ROOT = os.path.abspath(sys.argv.pop(1))

# Where a mistake shows that is not the processor's own.
AT_MEMORY = {"response-end", "command-changed", "data-pointer-changed", "data-length-changed",
             "byte-enable-changed", "streaming-width-changed", "write-data-changed", "address-changed",
             "delay-lowered", "nonblocking-waits", "delay-decreases", "phase-order", "status-phase",
             "end-status", "accepted-changed", "response-exclusion", "dmi-grant", "dmi-access",
             "dmi-overlap", "dmi-waits", "invalidation-range", "memory-option", "memory-changed",
             "debug-length", "debug-waits", "ignorable-phase"}
# The same mistake at another place: the bus changes a payload before or after it passes it on.
AT_VARIANT = {"forward": "bus.out", "backward": "cpu.socket", "lost": "bus.out", "many": "cpu.socket",
              "after": "bus.out", "ended": "bus.out", "completed": "cpu.socket",
              "skipped": "cpu.socket"}
# The transaction cannot be named: an invalidation has none to be related to, and an access ends before a call that
# comes after its completion.
WITHOUT_RELATION = {"accesses": {"invalidation-range", "after-completion"}, "calls": {"invalidation-range"}}


def rule_table():
    """[(name, clause, severity, demand)] of the source."""
    with open(os.path.join(ROOT, "include", "ftr", "detail", "protocol_rules.h"), encoding="utf-8") as file:
        source = file.read().replace("\\\n", " ")
    rows = re.findall(r'X\(\w+, +"([a-z-]+)", "([^"]+)", (\w+),\s+((?:"[^"]*"\s*)+)\)', source)
    return [(name, clause, severity, "".join(re.findall('"([^"]*)"', demand)))
            for name, clause, severity, demand in rows]


def rules():
    """{name: (clause, severity)} of the table."""
    return {name: (clause, severity) for name, clause, severity, _ in rule_table()}


def link_of(scenario):
    """The link where the violation of a scenario ("rule" or "rule/variant") shows."""
    rule, _, variant = scenario.partition("/")
    return AT_VARIANT[variant] if variant else "bus.out" if rule in AT_MEMORY else "cpu.socket"


class Protocol(Attached):
    def run_with(self, name, *arguments, stdin=None, **variables):
        """Runs a prototype checked, and alone."""
        command = [os.path.join(Paths.programs, name), *arguments]
        alone = self.command(command, stdin=stdin)
        done = self.command(command, stdin=stdin, **variables)
        self.assertEqual(done.stdout, alone.stdout)
        return done, alone

    @staticmethod
    def lines(done):
        return [line for line in MISSED.sub(b"", done.stderr).decode().splitlines() if line.startswith("ftr: ")]

    def scenarios(self):
        """[(scenario, rule)] of violations.cpp."""
        listed = self.command([os.path.join(Paths.programs, "violations")]).stdout.decode().split("\n\n")[-1]
        return [(name, name.split("/")[0]) for name in listed.split()]

    def silent(self, name, *arguments, **variables):
        done, alone = self.run_with(name, *arguments, FTR_PROTOCOL="check", **variables)
        self.assertEqual((done.returncode, MISSED.sub(b"", done.stderr)), (alone.returncode, alone.stderr), name)


def examples(test):
    """[(path, stdin)] of SystemC's TLM-2.0 examples."""
    folder = os.path.join(Paths.programs, "examples")
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    if not names:
        test.skipTest("SystemC's TLM-2.0 examples are not built")
    source = os.environ.get("FTR_TLM_EXAMPLES", "/usr/share/doc/libsystemc/examples/tlm")
    with open(os.path.join(source, "lt_mixed_endian/results/input.txt"), "rb") as file:
        commands = file.read()
    return [(os.path.join("examples", name), commands if name == "lt_mixed_endian" else b"") for name in names]


@in_both_forms
class Rules(Protocol):
    def test_the_documentation_has_the_table(self):
        with open(os.path.join(ROOT, "docs", "protocol.md"), encoding="utf-8") as file:
            documented = re.findall(r"^\| `([a-z-]+)` \| (.*) \| (error|warning) \| (.*) \|$", file.read(),
                                    re.MULTILINE)
        self.assertEqual(documented, rule_table())

    def test_each_rule_has_a_scenario(self):
        self.assertEqual({rule for _, rule in self.scenarios()}, set(rules()))

    def test_a_planted_violation_is_found_once(self):
        for scenario, rule in self.scenarios():
            clause, severity = rules()[rule]
            with self.subTest(scenario=scenario):
                done, alone = self.run_with("violations", scenario, "planted", FTR_PROTOCOL="check",
                                            FTR_TRACE=self.file)
                self.assertEqual(done.returncode, alone.returncode)
                said, total, count = self.lines(done)
                link = link_of(scenario)
                self.assertRegex(said, rf"^ftr: {severity}: protocol: {link} -> \S+ at .*"
                                       rf"\[{rule}, IEEE 1666-2011 {clause}\]$")
                errors = int(severity == "error")
                self.assertEqual(total, "ftr: protocol: " + ("1 error and 0 warnings" if errors else
                                                             "0 errors and 1 warning") + " on 2 links")
                self.assertEqual(count, f"ftr: protocol: {link}: 1 {rule}")
                self.check_recorded(rule, clause, severity, link)

    def check_recorded(self, rule, clause, severity, link):
        trace = Trace(self.file)
        violations = trace.of("ftr.protocol")
        self.assertEqual([tx["generator"] for tx in violations], [severity])
        found = values(violations[0])
        self.assertEqual((found["rule"], found["clause"], found["initiator"]), (rule, clause, link))
        broken_by = [r["from"] for r in trace.relations
                     if r["name"] == "VIOLATION" and r["to"] == violations[0]["id"]]
        streams = {tx["id"]: tx["stream"] for tx in trace.transactions}
        if rule not in WITHOUT_RELATION[self.form]:
            recorded = [streams[tx] for tx in broken_by]
            if rule.startswith("debug") or rule == "memory-changed":
                self.assertEqual(recorded, [])  # debug transport is recorded on request only
            else:
                self.assertEqual(len(recorded), 1)
                self.assertIn(recorded[0], self.streams_of_link(link))

    def streams_of_link(self, link):
        if self.form == "accesses":
            return [link + suffix for suffix in ("", "/dmi", "/phases", ".dmi", ".phases")]
        return [link + suffix for suffix in ("_bl", "_bl_timed", "_nb", "_nb_timed", "_dmi")]

    def test_a_correct_twin_is_silent(self):
        for scenario, _ in self.scenarios():
            with self.subTest(scenario=scenario):
                self.silent("violations", scenario, "correct", FTR_TRACE=self.file)

    def test_violations_are_found_without_a_trace(self):
        for rule in ("data-length", "delay-lowered", "phase-order", "dmi-grant", "debug-length"):
            with self.subTest(rule=rule):
                done, _ = self.run_with("violations", rule, "planted", FTR_PROTOCOL="check")
                self.assertIn(f"[{rule}, ", self.lines(done)[0])
                self.silent("violations", rule, "correct")
        self.assertEqual(os.listdir(self.folder), [])


class Links(Protocol):
    """A violation is reported on the link where it was made, in a chain of three links (located.cpp)."""

    # The link that has the change first: the one to which it was passed, or which returned it.
    CHANGED_AT = {"first-before": "first.out", "second-before": "second.out", "ram": "second.out",
                  "second-after": "first.out", "first-after": "cpu.socket"}
    # The link that returns a payload with more than it was passed.
    LEFT_AT = {"ram": "second.out", "second": "first.out", "first": "cpu.socket"}
    CHANGES = [("blocking", "data", "write-data-changed"), ("blocking", "enables", "byte-enable-changed"),
               ("blocking", "read", "read-data-changed"), ("phases", "data", "write-data-changed"),
               ("phases", "enables", "byte-enable-changed"), ("phases", "read", "read-data-changed"),
               ("debug", "data", "memory-changed"), ("debug", "command", "memory-changed"),
               ("debug", "pointer", "debug-pointer"), ("debug", "option", "memory-option"),
               ("dmi", "command", "memory-changed"), ("dmi", "option", "memory-option")]

    def cases(self):
        """[(transport, change, rule, place, link)]"""
        found = []
        for transport, change, rule in self.CHANGES:
            for place, link in self.CHANGED_AT.items():
                if change != "read" or place.endswith("-after"):  # the target may change it before
                    found.append((transport, change, rule, place, link))
        for change in ("extension", "manager"):
            found += [("blocking", change, change + "-left", place, link) for place, link in self.LEFT_AT.items()]
        return found

    def check(self, rule, link, *arguments, **variables):
        done, _ = self.run_with("located", *arguments, FTR_PROTOCOL="check", **variables)
        self.assertRegex(self.lines(done)[0], rf"^ftr: error: protocol: {link} -> .*\[{rule}, ")
        self.assertEqual(self.lines(done)[1:], ["ftr: protocol: 1 error and 0 warnings on 3 links",
                                                f"ftr: protocol: {link}: 1 {rule}"])

    def test_each_change_is_reported_on_its_link(self):
        for transport, change, rule, place, link in self.cases():
            for variables in ({}, {"FTR_TRACE": self.file}):
                with self.subTest(transport=transport, change=change, place=place, **variables):
                    self.check(rule, link, transport, change, place, **variables)

    def test_no_change_is_silent(self):
        for transport, change, _, place, _ in self.cases():
            for variables in ({}, {"FTR_TRACE": self.file}):
                with self.subTest(transport=transport, change=change, **variables):
                    place = place if change in ("extension", "manager") else "none"
                    self.silent("located", transport, change, place, "3", "3", **variables)

    # After the inspected calls, the first change may be reported on another link. Later ones are not.
    def test_changes_after_the_inspected_calls(self):
        for transport, change, rule, place, link in self.cases():
            for variables in ({}, {"FTR_TRACE": self.file}):
                with self.subTest(transport=transport, change=change, place=place, **variables):
                    done, _ = self.run_with("located", transport, change, place, "610", "600", "always",
                                            FTR_PROTOCOL="check", **variables)
                    found = {(line.split(": ")[2], line.split()[-1]): int(line.split()[-2])
                             for line in self.lines(done) if re.search(r": \d+ [a-z-]+$", line)}
                    self.assertEqual(sum(found.values()), 10, self.lines(done))
                    self.assertGreaterEqual(found[link, rule], 9, found)

    def test_no_change_after_the_inspected_calls_is_silent(self):
        for transport, change, _, place, _ in self.cases():
            for variables in ({}, {"FTR_TRACE": self.file}):
                with self.subTest(transport=transport, change=change, **variables):
                    place = place if change in ("extension", "manager") else "none"
                    self.silent("located", transport, change, place, "600", "600", **variables)

    # If a type of extension is registered after a payload was made, the list of this payload is shorter than the
    # number of types, or grows later.
    def test_types_of_extensions_that_are_registered_late(self):
        for variables in ({}, {"FTR_TRACE": self.file}):
            for calls in (("3", "1"), ("610", "600")):
                with self.subTest(calls=calls, **variables):
                    self.silent("located", "blocking", "made-before", "nowhere", *calls, **variables)
                    self.silent("located", "blocking", "late", "nowhere", *calls, **variables)
                    self.check("streaming-width-changed", "second.out", "blocking", "carried", "ram", *calls,
                               **variables)
                    for change in ("late", "many-late"):
                        done, _ = self.run_with("located", "blocking", change, "ram", *calls, FTR_PROTOCOL="check",
                                                **variables)
                        self.assertRegex(self.lines(done)[-1], "^ftr: protocol: .*: 1 extension-left$")

    def test_an_option_that_a_later_link_restores(self):
        for variables in ({}, {"FTR_TRACE": self.file}):
            for calls in (("3", "1"), ("610", "600")):
                with self.subTest(calls=calls, **variables):
                    self.check("gp-option", "first.out", "blocking", "restored", "second-after", *calls, **variables)


class Exceptions(Protocol):
    # The first interconnect changes the address, catches the exception of the memory, and answers itself.
    def test_an_address_that_is_changed_before_an_exception(self):
        for variables in ({}, {"FTR_TRACE": self.file}):
            for calls in (("3", "1"), ("610", "600")):
                with self.subTest(calls=calls, **variables):
                    self.silent("located", "blocking", "thrown", "second-before", *calls, **variables)
                    done, _ = self.run_with("located", "blocking", "thrown", "ram", *calls, FTR_PROTOCOL="check",
                                            **variables)
                    self.assertRegex(self.lines(done)[0],
                                     r"^ftr: warning: protocol: cpu.socket -> .*\[address-changed, ")
                    self.assertEqual(self.lines(done)[1:], ["ftr: protocol: 0 errors and 1 warning on 3 links",
                                                            "ftr: protocol: cpu.socket: 1 address-changed"])


@in_both_forms
class Modes(Protocol):
    def plant(self, rule, **variables):
        return self.command([os.path.join(Paths.programs, "violations"), rule, "planted"], **variables)

    def test_report_is_a_warning_of_the_simulation(self):
        done = self.plant("phase-order", FTR_PROTOCOL="report", FTR_TRACE=self.file)
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"Warning: /ftr/protocol: protocol: bus.out -> ram.socket", done.stdout)
        report = values(self.trace().of("ftr.reports", "warning")[0])
        self.assertEqual(report["id"], "/ftr/protocol")

    def test_error_ends_the_run(self):
        done = self.plant("response-end", FTR_PROTOCOL="error", FTR_TRACE=self.file)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"Error: /ftr/protocol: protocol: bus.out -> ram.socket", done.stdout)
        self.assertIn(b"In file: violation_report.cpp:", done.stdout)
        self.assertEqual(len(self.trace().of("ftr.protocol", "error")), 1)

    def test_error_does_not_end_the_run_for_a_warning(self):
        done = self.plant("address-changed", FTR_PROTOCOL="error")
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"Warning: /ftr/protocol", done.stdout)

    def test_the_first_violation_of_each_rule_and_link_is_reported(self):
        done, _ = self.run_with("sockets", FTR_PROTOCOL="check", FTR_TRACE=self.file)
        said = [line for line in self.lines(done) if "memory-manager, " in line]
        self.assertEqual(len(said), 4)
        self.assertIn("ftr: protocol: top.plain.left: 10 memory-manager", self.lines(done))
        self.assertEqual(len(self.trace().of("ftr.protocol", "error")), 30)

    def test_a_violation_keeps_the_file_of_the_run(self):
        for rule, kept in (("response-end", True), ("address-changed", False)):
            for twin in ("planted", "correct"):
                self.run_with("violations", rule, twin, FTR_PROTOCOL="check", FTR_TRACE=self.file,
                              FTR_KEEP="on-error")
                self.assertEqual(os.path.exists(self.file), kept and twin == "planted", (rule, twin))
                if os.path.exists(self.file):
                    os.remove(self.file)

    def test_a_violation_triggers_the_flight_recorder(self):
        for twin in ("planted", "correct"):
            self.run_with("violations", "response-end", twin, FTR_PROTOCOL="check", FTR_TRACE=self.file,
                          FTR_MODE="flight")
            self.assertEqual(os.path.exists(self.file), twin == "planted", twin)
            if os.path.exists(self.file):
                self.assertEqual(len(self.trace().of("ftr.protocol")), 1)
                os.remove(self.file)

    def test_a_gate_counts_violations(self):
        for twin, status in (("planted", 1), ("correct", 0)):
            self.run_with("violations", "response-end", twin, FTR_PROTOCOL="check", FTR_TRACE=self.file)
            gate = subprocess.run([Paths.ftr, "stats", "--rule", "ftr.protocol.* count == 0", self.file],
                                  capture_output=True, check=False)
            self.assertEqual(gate.returncode, status, (twin, gate.stderr))

    def test_an_invalid_value_is_named(self):
        done, _ = self.run_with("violations", "response-end", "planted", FTR_PROTOCOL="strict")
        self.assertEqual(self.lines(done), ["ftr: error: FTR_PROTOCOL=strict is invalid: expected "
                                            "check, report, error or off"])

    def test_payloads_have_an_identity_over_all_links(self):
        self.run_with("approximately_timed", FTR_PROTOCOL="check", FTR_TRACE=self.file)
        trace = self.trace()
        suffix = self.stream("", "_nb_timed")
        accesses = {tx["id"]: tx for tx in trace.transactions
                    if tx["stream"].endswith(suffix) and not tx["stream"].endswith("/phases")}
        hops = [(accesses[r["from"]], accesses[r["to"]]) for r in trace.relations
                if r["name"] == "PARENT_CHILD" and r["from"] in accesses and r["to"] in accesses]
        self.assertGreater(len(hops), 100)
        for outer, inner in hops:
            self.assertEqual(self.access(outer)["payload_id"], self.access(inner)["payload_id"])
        first = [self.access(tx)["payload_id"] for tx in accesses.values()
                 if tx["stream"].startswith("i_") and tx["generator"] in ("request", "read", "write")]
        self.assertGreater(len(first), 100)
        self.assertEqual(len(set(first)), len(first))

    def test_a_lowered_delay_is_marked(self):
        self.attach("violations", "delay-lowered", "planted")
        accesses = self.trace().of(self.stream("bus.out", "_bl_timed"))
        self.assertEqual([values(tx).get("lowered_by") for tx in accesses], [None, 3000, None])
        self.assertEqual((accesses[1]["begin"], accesses[1]["end"]), (7000, 7000))


class Recorded(Protocol):
    """ftr check --protocol of a trace of calls"""

    form = "calls"

    RULES = ("data-length", "streaming-width", "gp-option", "response-end", "delay-lowered", "delay-negative",
             "phase-path", "status-phase", "end-status", "nonblocking-waits", "dmi-grant", "dmi-access",
             "dmi-command", "invalidation-range", "debug-length", "phase-order", "after-completion", "delay-decreases",
             "request-exclusion", "response-exclusion", "command-changed/forward",
             "data-length-changed/forward", "byte-enable-changed/forward", "streaming-width-changed/forward",
             "write-data-changed/forward")

    # Each link shows it, and the first one in the file is named.
    ON_EACH_LINK = {"data-length", "streaming-width", "gp-option", "delay-negative", "phase-path",
                    "after-completion", "phase-order", "delay-decreases", "request-exclusion",
                    "response-exclusion"}

    def check(self, *options):
        return subprocess.run([Paths.ftr, "check", "--protocol", *options, self.file], capture_output=True,
                              text=True, check=False)

    def test_a_recorded_violation_is_found_once(self):
        for scenario in self.RULES:
            with self.subTest(scenario=scenario):
                rule = scenario.split("/")[0]
                clause, severity = rules()[rule]
                self.run_with("violations", scenario, "planted", FTR_PROTOCOL="check", FTR_TRACE=self.file,
                              FTR_DEBUG_TRANSPORT="1")
                done = self.check("--strict")
                said = done.stdout.splitlines()
                # DMI and debug transport have no identity: both links show the violation.
                self.assertEqual(len(said), 2 if rule.startswith(("dmi", "debug")) else 1, said)
                if len(said) == 1 and rule not in self.ON_EACH_LINK:
                    self.assertIn(f": {link_of(scenario)}_", said[0])
                for line in said:
                    self.assertRegex(line, rf": {severity}: .*\[{rule}, IEEE 1666-2011 {clause}\]$")
                self.assertEqual((done.returncode, done.stderr), (1, self.recorded(1)))

    def recorded(self, violations):
        """The message about violations that were found while the prototype ran."""
        noun, pronoun = ("violation", "it") if violations == 1 else ("violations", "them")
        return (f"ftr: {self.file}: the stream ftr.protocol has {violations} {noun} found while the prototype ran; "
                f"ftr dump --stream ftr.protocol prints {pronoun}\n")

    def test_violations_of_the_running_prototype_are_counted(self):
        for name, *arguments, violations in (["violations", "extension-left", "planted", 1], ["sockets", 30]):
            self.run_with(name, *arguments, FTR_PROTOCOL="check", FTR_TRACE=self.file)
            done = self.check()
            self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", self.recorded(violations)), name)

    def test_a_warning_of_the_running_prototype_counts_with_strict_only(self):
        self.run_with("violations", "address-changed", "planted", FTR_PROTOCOL="check", FTR_TRACE=self.file)
        done, strict = self.check(), self.check("--strict")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", self.recorded(1)))
        self.assertEqual((strict.returncode, strict.stdout, strict.stderr), (1, "", self.recorded(1)))

    def test_a_run_that_a_violation_has_ended(self):
        self.command([os.path.join(Paths.programs, "violations"), "response-end", "planted"], FTR_PROTOCOL="error",
                     FTR_TRACE=self.file)
        done = self.check()
        self.assertEqual((done.returncode, done.stderr), (1, self.recorded(1)))

    def test_a_correct_trace_is_silent(self):
        for scenario, _ in self.scenarios():
            with self.subTest(scenario=scenario):
                self.run_with("violations", scenario, "correct", FTR_PROTOCOL="check", FTR_TRACE=self.file,
                              FTR_DEBUG_TRANSPORT="1")
                done = self.check("--strict")
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_warnings_count_with_strict_only(self):
        self.run_with("violations", "end-status", "planted", FTR_TRACE=self.file)
        usual, strict = self.check(), self.check("--strict")
        self.assertEqual((usual.returncode, strict.returncode), (0, 1))
        self.assertIn(": warning: ", usual.stdout)
        self.assertEqual(usual.stdout, strict.stdout)

    def test_a_trace_without_identities_is_checked_on_each_link(self):
        self.run_with("violations", "response-end", "planted", FTR_TRACE=self.file)
        self.assertEqual([line.split(": ")[2].split(" #")[0] for line in self.check().stdout.splitlines()],
                         ["bus.out_bl write", "cpu.socket_bl write"])
        found = json.loads(self.check("--json").stdout.splitlines()[0])
        self.assertEqual((found["rule"], found["clause"], found["stream"]),
                         ("response-end", "14.17 e", "bus.out_bl"))

    def test_a_trace_without_calls_fails(self):
        self.run_with("violations", "response-end", "correct", FTR_TRACE=self.file, FTR_EXCLUDE="*_bl*")
        done = self.check()
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("no access of the TLM-2.0 base protocol is recorded", done.stderr)

    def test_correct_prototypes(self):
        for name in ("approximately_timed", "decoupled", "loosely_timed_bus", "sockets", "../riscv_platform"):
            for variables in ({}, {"FTR_PROTOCOL": "check"}):
                if name == "sockets" and variables:
                    continue  # breaks rules that a trace does not show
                self.run_with(name, FTR_TRACE=self.file, **variables)
                done = self.check("--strict")
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""), name)

    def test_examples_of_systemc(self):
        for path, stdin in examples(self):
            self.run_with(path, stdin=stdin, FTR_TRACE=self.file, FTR_PROTOCOL="check")
            done = self.check("--strict")
            missing = "no access of the TLM-2.0 base protocol" in done.stderr
            self.assertEqual((done.returncode, done.stdout), (int(missing), ""), path)
            self.assertEqual(missing, path.endswith("lt_extension_mandatory"), path)


class Silence(Protocol):
    def test_correct_prototypes(self):
        for name, *arguments in (["approximately_timed"], ["cost", "100", "3"], ["decoupled"],
                                 ["loosely_timed_bus"], ["inline_recorder"], ["../riscv_platform"],
                                 ["endings", "stop"], ["../pipelined_bus"]):
            self.silent(name, *arguments)
            self.silent(name, *arguments, FTR_TRACE=self.file, FTR_DEBUG_TRANSPORT="1")

    def test_50000_payloads_in_flight(self):
        alone = self.command([os.path.join(Paths.programs, "cost"), "50000", "1", "in-flight"])
        done = self.command([os.path.join(Paths.programs, "cost"), "50000", "1", "in-flight"], FTR_PROTOCOL="check",
                            FTR_VERBOSE="1")
        self.assertEqual((done.returncode, done.stdout), (0, alone.stdout))
        self.assertEqual(self.lines(done), ["ftr: protocol: 0 errors and 0 warnings on 2 links",
                                            "ftr: protocol: not complete at the end: 0 transactions in phases"])

    def test_examples_of_systemc(self):
        for path, stdin in examples(self):
            self.silent(path, stdin=stdin)


if __name__ == "__main__":
    main()
