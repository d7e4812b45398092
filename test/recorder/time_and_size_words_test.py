#!/usr/bin/python3
"""Times and sizes are understood the same by every option of the command and by every variable of the recorder: one table
of values for all. The arguments are the program named_streams_program and the command."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM, FTR = sys.argv[1:]

TIMES = ["10us", "10µs", "1.5 ns", "10  ns", " 10 ns ", ".5ns", "5.ns", "1s", "3fs"]
NO_TIMES = ["1,5ns", "10 US", "10μs", "+5ns", "10nss", "10 n s", "1min", "1..5ns"]
# Numbers without a unit are ticks, except in rules, which hold for traces with different ticks.
TICKS = ["10", "0"]
NO_TICKS = ["18446744073709551616", "1,0", "ten"]
SIZES = ["10M", "10m", "12000000", "1G"]
NO_SIZES = ["1.5M", "10MB", "10MiB", "10 M", "+5M", "-1", "0x1000000", "1e7", "16777216T", "M", ""]


def run(*command, **variables):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("FTR_")} | variables
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)


# The report is not built everywhere.
COMMANDS = [line.split()[0] for line in run(FTR, "help").stdout.splitlines() if line.startswith("  ")]


class TimeAndSizeWords(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        os.chdir(self.folder.name)
        run(PROGRAM, "bus", FTR_TRACE="in.ftr")
        self.assertEqual(run(FTR, "summary", "in.ftr", "-o", "in.fts").returncode, 0)

    def tearDown(self):
        os.chdir("/")
        self.folder.cleanup()

    def expect(self, accepted, value, name, *command, **variables):
        """The status 1 stands for findings: a rule that fails, a trace without data. The recorder's program exits with 1
        if it does not record."""
        with self.subTest(value=value, by=name):
            result = run(*command, **variables)
            fine = result.returncode == 0 if command[0] == PROGRAM else result.returncode < 2
            self.assertEqual(fine, accepted, f"{result.returncode} {result.stderr}")

    def expect_time(self, accepted, value):
        for name, command in (("dump", ["dump"]), ("stats", ["stats"]), ("summary", ["summary", "-o", "out.fts"]),
                              ("cut", ["cut", "--force", "-o", "out.ftr"]), ("report", ["report", "--force", "-o", "out.html"])):
            for option in ("--from", "--to") if name in COMMANDS else ():
                self.expect(accepted, value, f"{name} {option}", FTR, *command, f"{option}={value}", "in.ftr")
        self.expect(accepted, value, "diff --from", FTR, "diff", "--from", value, "in.ftr", "in.ftr")
        self.expect(accepted, value, "diff --tolerance", FTR, "diff", "--tolerance", value, "in.ftr", "in.ftr")
        self.expect(accepted, value, "dump --where", FTR, "dump", "--where", f"begin >= {value}", "in.ftr")
        self.expect(accepted, value, "stats --fail-if", FTR, "stats", "--fail-if", f"*: max > {value}", "in.ftr")
        for variable in ("FTR_START", "FTR_STOP"):
            self.expect(accepted, value, variable, PROGRAM, "bus", FTR_TRACE="out.ftr", **{variable: value})
        self.expect(accepted, value, "FTR_FLIGHT_AFTER", PROGRAM, "bus", FTR_TRACE="flight.ftr", FTR_MODE="flight",
                    FTR_FLIGHT_AFTER=value)

    def expect_rule(self, accepted, value):
        pathlib.Path("rules").write_text(f"* max <= {value}\n")
        self.expect(accepted, value, "gate", FTR, "gate", "rules", "in.fts")

    def test_a_time_is_a_number_and_a_unit(self):
        for value in TIMES:
            self.expect_time(True, value)
            self.expect_rule(True, value)

    def test_a_time_in_another_form_is_an_error(self):
        for value in NO_TIMES:
            self.expect_time(False, value)
            self.expect_rule(False, value)

    def test_a_number_alone_counts_ticks_except_in_rules(self):
        for value in TICKS:
            self.expect_time(True, value)
            self.expect_rule(False, value)

    def test_an_invalid_number_of_ticks_is_an_error(self):
        for value in NO_TICKS:
            for name in ("dump", "stats"):
                self.expect(False, value, name, FTR, name, "--from", value, "in.ftr")
            self.expect(False, value, "FTR_START", PROGRAM, "bus", FTR_TRACE="out.ftr", FTR_START=value)

    def test_an_offset_is_a_time(self):
        for value in ("10us", "-0ns", " 10 ns "):
            self.expect(True, value, "merge", FTR, "merge", "--force", "--offset", f"in.ftr={value}", "in.ftr", "-o", "m.ftr")
        for value in NO_TIMES:
            result = run(FTR, "merge", "--force", "--offset", f"in.ftr={value}", "in.ftr", "-o", "m.ftr")
            self.assertEqual((result.returncode, result.stderr), (2, f"ftr: --offset in.ftr={value}: invalid time\n"))

    def expect_size(self, accepted, value):
        self.expect(accepted, value, "--memory", FTR, "stats", "--memory", value, "in.ftr")
        if "report" in COMMANDS:
            self.expect(accepted, value, "report --budget", FTR, "report", "--force", "--budget", value, "in.ftr", "-o", "o.html")
        if value == "":  # an empty variable is not set
            return
        for variable in ("FTR_MAX_SIZE", "FTR_MIN_FREE", "FTR_FLIGHT_SIZE"):
            mode = {"FTR_MODE": "flight"} if variable == "FTR_FLIGHT_SIZE" else {}
            if variable != "FTR_MIN_FREE" or not accepted:
                self.expect(accepted, value, variable, PROGRAM, "bus", FTR_TRACE="out.ftr", **{variable: value}, **mode)
        self.expect(accepted, value, "FTR_BUFFERS", PROGRAM, "bus", FTR_TRACE="out.ftr", FTR_BUFFERS=f"b=ring,{value},x*")

    def test_a_size_is_a_number_of_bytes_and_a_factor(self):
        for value in SIZES:
            self.expect_size(True, value)

    def test_a_size_in_another_form_is_an_error(self):
        for value in NO_SIZES:
            self.expect_size(False, value)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
