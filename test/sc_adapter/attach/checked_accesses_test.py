#!/usr/bin/python3
"""ftr check --protocol of recorded accesses: planted violations (violations.cpp) of each rule that accesses show, rules
that need single calls, and prototypes that keep the rules. Arguments: attached.py's main()."""

import json
import os
import re
import subprocess

from attached import Attached, Paths, Trace, main, values

# Found in a trace without phases as events, and the links that show the violation. Without a number of the payload,
# each link is reported.
BOTH, CPU, BUS = ("cpu.socket", "bus.out"), ("cpu.socket",), ("bus.out",)
ON_ONE_ACCESS = {
    "data-length": BOTH, "streaming-width": BOTH, "gp-option": BOTH, "response-end": BOTH, "delay-negative": BOTH,
    "delay-lowered": BOTH, "delay-decreases": BOTH, "phase-order/skipped": BOTH, "dmi-command": BOTH,
    "dmi-grant": BOTH, "dmi-access": BOTH, "invalidation-range": BUS, "debug-length": BOTH}
ON_A_PAYLOAD = {"command-changed/forward": BUS, "data-length-changed/forward": BUS,
                "byte-enable-changed/forward": BUS, "streaming-width-changed/forward": BUS,
                "write-data-changed/forward": BUS}
WITH_EVENTS = {"request-exclusion": BOTH, "response-exclusion": BOTH}
NEED_CALLS = ["phase-path", "status-phase", "end-status", "after-completion", "nonblocking-waits"]
MEMORY_RULES = ("dmi", "invalidation", "debug")


class Accesses(Attached):
    def record_planted(self, scenario, which="planted", **variables):
        command = [os.path.join(Paths.programs, "violations"), scenario, which]
        return self.command(command, FTR_TRACE=self.file, FTR_DEBUG_TRANSPORT="1", **variables)

    def check(self, *options):
        return subprocess.run([Paths.ftr, "check", "--protocol", *options, self.file], capture_output=True,
                              text=True, check=False)

    def found(self, done):
        """[(rule, stream)] of the violations, and the messages about what was not checked."""
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        return ([(line["rule"], line["stream"]) for line in lines if line["severity"] != "not-checked"],
                [line["message"] for line in lines if line["severity"] == "not-checked"])

    @staticmethod
    def stream_of(link, rule):
        suffix = ".debug" if rule.startswith("debug") else ".dmi" if rule.startswith(MEMORY_RULES) else ""
        return link + suffix

    def expect(self, scenario, links, **variables):
        self.record_planted(scenario, **variables)
        rule = scenario.split("/")[0]
        found, _ = self.found(self.check("--json", "--strict"))
        self.assertEqual(sorted(found), sorted((rule, self.stream_of(link, rule)) for link in links), scenario)
        self.assertEqual(self.check("--strict").returncode, 1)

    def test_violations_that_one_access_shows(self):
        for scenario, links in ON_ONE_ACCESS.items():
            with self.subTest(scenario=scenario):
                self.expect(scenario, links)

    def test_a_payload_with_a_number_is_reported_once(self):
        for scenario, links in {**ON_ONE_ACCESS, **ON_A_PAYLOAD}.items():
            rule = scenario.split("/")[0]
            with self.subTest(scenario=scenario):
                self.record_planted(scenario, FTR_PROTOCOL="check")
                done = self.check("--json", "--strict")
                found, unchecked = self.found(done)
                self.assertEqual(len(found), len(links) if rule.startswith(MEMORY_RULES) else 1, found)
                self.assertIn(found[0], [(rule, self.stream_of(link, rule)) for link in links])
                self.assertEqual((done.returncode, unchecked), (1, []))  # was checked while the prototype ran

    def test_violations_that_events_show(self):
        for scenario, links in WITH_EVENTS.items():
            with self.subTest(scenario=scenario):
                self.expect(scenario, links, FTR_PHASES="events")
                _, unchecked = self.found(self.check("--json"))
                self.assertNotIn(scenario, unchecked[0])
                self.record_planted(scenario)
                found, unchecked = self.found(self.check("--json"))
                self.assertEqual(found, [])
                self.assertIn(scenario, unchecked[0])

    def test_rules_that_need_calls_are_not_checked(self):
        for scenario in NEED_CALLS[:3] + NEED_CALLS[4:]:
            with self.subTest(scenario=scenario):
                self.record_planted(scenario, FTR_TLM="accesses")
                done = self.check()
                self.assertRegex(done.stdout, r": not-checked: the rules phase-path, .*\[not-checked\]\n$")
                for rule in NEED_CALLS + list(WITH_EVENTS):
                    self.assertIn(rule, done.stdout)
                self.assertEqual((done.returncode, done.stderr), (1, ""))

    def test_blocking_accesses_are_checked_completely(self):
        self.record_planted("response-end", "correct")
        done = self.check("--strict")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_correct_traces_are_silent(self):
        listed = self.command([os.path.join(Paths.programs, "violations")]).stdout.decode().split("\n\n")[-1]
        for scenario in listed.split():
            for variables in ({"FTR_PROTOCOL": "check"}, {"FTR_PROTOCOL": "check", "FTR_PHASES": "events"}, {}):
                with self.subTest(scenario=scenario, **variables):
                    self.record_planted(scenario, "correct", **variables)
                    done = self.check("--strict", "--json")
                    found, unchecked = self.found(done)
                    self.assertEqual((found, done.stderr), ([], ""))
                    self.assertEqual(done.returncode, int(bool(unchecked)))
                    if variables:
                        self.assertEqual(unchecked, [])

    def test_correct_prototypes(self):
        for name in ("approximately_timed", "decoupled", "loosely_timed_bus", "../riscv_platform"):
            for variables in ({"FTR_PROTOCOL": "check"}, {"FTR_PROTOCOL": "check", "FTR_PHASES": "events"}):
                self.command([os.path.join(Paths.programs, name)], FTR_TRACE=self.file, **variables)
                done = self.check("--strict")
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""), name)

    def test_a_violation_is_related_to_its_access(self):
        for scenario, links in {**ON_ONE_ACCESS, **ON_A_PAYLOAD, **WITH_EVENTS}.items():
            rule = scenario.split("/")[0]
            if rule == "invalidation-range":
                continue  # has no access
            with self.subTest(scenario=scenario):
                self.record_planted(scenario, FTR_PROTOCOL="check")
                trace = Trace(self.file)
                by_id = {tx["id"]: tx for tx in trace.transactions}
                related = [(by_id[r["from"]], values(by_id[r["to"]])) for r in trace.relations
                           if r["name"] == "VIOLATION"]
                self.assertEqual([violation["rule"] for _, violation in related], [rule])
                access, violation = related[0]
                self.assertEqual(access["stream"], self.stream_of(violation["initiator"], rule))
                self.assertIn(violation["initiator"], links)
                if "payload_id" in values(access):
                    self.assertEqual(values(access)["payload_id"], violation["payload_id"])
                    self.assertEqual(values(access)["address"], violation["address"])

    def test_a_pipe(self):
        self.record_planted("response-end", FTR_PROTOCOL="check")
        with open(self.file, "rb") as file:
            done = subprocess.run([Paths.ftr, "check", "--protocol", "-"], input=file.read(), capture_output=True,
                                  check=False)
        said = done.stdout.decode()
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(re.findall(r"\[response-end, ", said)), 1)
        self.assertIn("not compared for 6 accesses because a pipe cannot be sorted; name a file [not-checked]", said)

    def test_a_trace_without_accesses_fails(self):
        self.record_planted("response-end", "correct", FTR_EXCLUDE="*.socket,*.out")
        done = self.check()
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("no access of the TLM-2.0 base protocol is recorded", done.stderr)

    def test_other_protocols_are_not_checked(self):
        self.command([os.path.join(Paths.programs, "other_types"), "derived"], FTR_TRACE=self.file)
        trace = Trace(self.file)
        protocols = {name.split(".", 1)[1]: value for tx in trace.of("ftr.run", "start")
                     for name, value in values(tx).items() if name.startswith("protocol.")}
        self.assertIn("custom-protocol", protocols.values())
        found, _ = self.found(self.check("--json", "--strict"))
        for _, stream in found:
            self.assertEqual(protocols[stream], "base-protocol")


if __name__ == "__main__":
    main()
