#!/usr/bin/python3
"""Calls that are not observed are reported at the end of every attached run, in a line for each cause; calls of sockets
with other types than those of the base protocol are observed if payload and phases are the same."""

import os
import signal
import subprocess
import time

from attached import GRANTED, Attached, Paths, in_both_forms, main, values

# The streams of a model by b_transport and nb_transport.
DERIVED = {"accesses": {"sends": {"write": 10, "ignore": 10}},
           "calls": {"sends_bl": {"write": 10}, "sends_bl_timed": {"write": 10}, "sends_nb": {"fw": 10, "bw": 10},
                     "sends_nb_timed": {"request": 10, "response": 10}}}
NOT_CHECKED = ("1 initiator socket with the interface tlm::tlm_fw_transport_if<%s> is observed, but the rules of the "
               "base protocol are not checked there (for example %s.sends)")
PAYLOAD = ("with the interface tlm::tlm_fw_transport_if<own_types> %s not observed (for example payload.sends): record "
           "the calls with an ftr::tlm_recorder (<ftr/tlm.hpp>)")
INTERFACE = ("1 initiator socket with the interface own_fw_if is not observed (for example interface.sends): only calls "
             "of tlm::tlm_fw_transport_if can be recorded")
PORTS = ("2 ports carry no TLM-2.0 calls and are not observed (1 of sc_core::sc_signal_in_if<bool>, 1 of own_fw_if)")


def nothing(count):
    return (f"warning: none of the {count} bound initiator socket{'' if count == 1 else 's'} of this model is observed: "
            "no TLM-2.0 call is recorded")


def lines(*texts):
    return "".join(f"ftr: {text}\n" for text in texts).encode()


@in_both_forms
class Missed(Attached):
    def expect(self, *arguments, said=(), **variables):
        self.attach("other_types", *arguments, said=lines(*said), **variables)
        return self.trace().counts()

    def test_types_with_the_payload_of_the_base_protocol_are_observed(self):
        for name in ("derived", "mandatory"):
            with self.subTest(name):
                self.assertEqual(self.expect(name),
                                 {f"{name}.{stream}": of for stream, of in DERIVED[self.form].items()})
                trace = self.trace()
                if self.form == "calls":
                    self.assertIn("[custom-protocol]", trace.streams[name + ".sends_bl"])
                start = values(trace.of("ftr.run", "start")[0])
                self.assertEqual(start[f"protocol.{name}.sends"], "custom-protocol")

    def test_multi_sockets_with_the_payload_of_the_base_protocol_are_observed(self):
        exclude = {"FTR_EXCLUDE": "*_timed"} if self.form == "calls" else {}
        counts = self.expect("multi", **exclude)
        self.assertEqual(counts, {self.stream(f"multi.sends[{i}]"): {"write": 10} for i in range(2)})

    def test_the_rules_of_the_base_protocol_are_not_checked_for_other_types(self):
        self.expect("derived", "mandatory", FTR_PROTOCOL="error",
                    said=(NOT_CHECKED % ("derived_types", "derived"), NOT_CHECKED % ("mandatory_types", "mandatory")))

    def test_a_protocol_that_is_not_observed_is_one_line(self):
        self.expect("payload", "payload_2", "derived", said=("2 initiator sockets " + PAYLOAD % "are",))

    def test_each_cause_is_a_line(self):
        self.expect("payload", "interface", "ports",
                    said=(nothing(2), "1 initiator socket " + PAYLOAD % "is", INTERFACE, PORTS))

    def test_the_recorder_is_not_recommended_where_it_does_not_compile(self):
        self.expect("interface", said=(nothing(1), INTERFACE))

    def test_ports_are_named_without_sockets(self):
        self.expect("ports", said=(PORTS,))

    def test_nothing_is_printed_if_everything_is_observed(self):
        self.expect("derived", "multi")

    def test_the_protocol_alone_is_not_silent_either(self):
        command = [os.path.join(Paths.programs, "other_types"), "payload"]
        alone = self.command(command)
        done = self.command(command, FTR_PROTOCOL="error")
        self.assertEqual((done.returncode, done.stdout), (0, alone.stdout))
        self.assertEqual(done.stderr, alone.stderr + lines(nothing(1), "1 initiator socket " + PAYLOAD % "is"))

    def test_strict_ends_a_run_in_which_nothing_is_observed(self):
        program = os.path.join(Paths.programs, "other_types")
        for arguments, status in ((["payload"], 125), (["payload", "derived"], 0), (["derived"], 0), ([], 0)):
            done = self.command([Paths.ftr, "attach", "--strict", "-o", self.file, "--", program, *arguments])
            self.assertEqual(done.returncode, status, done.stderr)
        done = self.command([Paths.ftr, "attach", "--strict", "-o", self.file, "--", program, "payload"])
        self.assertEqual(done.stdout, b"")
        self.assertIn(lines(nothing(1), "1 initiator socket " + PAYLOAD % "is"), done.stderr)

    def test_granted_dmi_is_reported_once(self):
        self.attach("sockets", said=GRANTED["sockets"])
        done = self.command([os.path.join(Paths.programs, "sockets")], FTR_PROTOCOL="check")
        self.assertEqual(done.stderr.count(GRANTED["sockets"]), 1, done.stderr)
        done = self.command([os.path.join(Paths.programs, "sockets")], FTR_TRACE=self.file, FTR_DMI="deny")
        self.assertNotIn(b"DMI", done.stderr)


class NoPrototype(Attached):
    """ftr attach of programs that are no prototypes"""

    def run_attach(self, *command):
        return self.command([Paths.ftr, "attach", "-o", self.file, "--", *command])

    def said(self, program, status):
        return lines(f"{program} is not a SystemC prototype and started none that can be recorded: nothing was recorded "
                     f"(it ended with status {status})")

    def test_one_line_and_the_status_of_the_program(self):
        done = self.run_attach("/bin/echo", "hello")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"hello\n", self.said("/bin/echo", 0)))
        done = self.run_attach("sh", "-c", "exit 9")
        self.assertEqual((done.returncode, done.stderr), (9, self.said("sh", 9)))
        self.assertEqual(os.listdir(self.folder), [])

    def test_no_line_if_a_prototype_was_started(self):
        prototype = os.path.join(Paths.programs, "endings")
        alone = self.command([prototype, "exit"])
        done = self.run_attach("sh", "-c", prototype + " exit")
        self.assertEqual((done.returncode, done.stderr), (alone.returncode, alone.stderr))
        self.trace()

    def test_no_second_line_if_the_reason_was_printed(self):
        environment = {"FTR_ATTACH_PLUGIN": "/nowhere/plugin.so", "PATH": os.environ["PATH"]}
        done = subprocess.run([Paths.ftr, "attach", "-o", self.file, "--", "sh", "-c",
                               os.path.join(Paths.programs, "endings") + " exit"], capture_output=True, check=False,
                              env=environment, cwd=self.folder, timeout=300)
        self.assertIn(b"/nowhere/plugin.so", done.stderr)
        self.assertEqual(done.stderr.count(b"ftr: "), 1, done.stderr)

    def test_the_library_alone_stays_silent(self):
        done = self.command(["/bin/echo"], FTR_TRACE=self.file)
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_a_killed_command_kills_its_program(self):
        with subprocess.Popen([Paths.ftr, "attach", "-o", self.file, "--", "sh", "-c", "echo $$; exec sleep 60"],
                              stdout=subprocess.PIPE, cwd=self.folder) as running:
            pid = int(running.stdout.readline())
            running.kill()
            running.wait(30)
            deadline = time.monotonic() + 60
            while os.path.exists(f"/proc/{pid}") and self.state(pid) != "Z" and time.monotonic() < deadline:
                time.sleep(0.02)
            self.assertFalse(os.path.exists(f"/proc/{pid}") and self.state(pid) != "Z")

    @staticmethod
    def state(pid):
        try:
            with open(f"/proc/{pid}/stat", encoding="ascii") as file:
                return file.read().rsplit(")", 1)[1].split()[0]
        except OSError:
            return "Z"

    def test_the_signal_of_the_program_is_kept(self):
        self.assertEqual(self.run_attach("sh", "-c", "kill -TERM $$").returncode, -signal.SIGTERM)


if __name__ == "__main__":
    main()
