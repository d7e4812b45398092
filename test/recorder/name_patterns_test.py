#!/usr/bin/python3
"""Patterns of names mean the same to the recorder (FTR_INCLUDE), to its buffers (FTR_BUFFERS), to the command (--stream)
and to the trace linker (`trace = ...`): one table for all four. The arguments are the program named_streams_program, the
command and, where they are built, the trace linker and a C compiler."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM, FTR, *LINKER = sys.argv[1:]
DECODE = str(pathlib.Path(__file__).resolve().parents[1] / "support" / "ftr_decode.py")
# The later ones are names of C functions, too.
NAMES = ["bus.out[0]", "bus.out[0]:read", "bus.out[10]", "bus.out0", "bus.out[0", "bus_out0", "bus_out1", "bus_out", "bus"]
PATTERNS = [
    "bus.out[0]*",
    "bus.out[0]",
    "bus.out[01]",
    "bus.out[?]",
    "bus.out[*]",
    "bus?out?",
    "bus_out[01]",
    "b[u]s",
    "[b]us*",
    "bus*0*",
    "  bus_out1  ,\tbus ",
    ",,bus_out,,",
    "bus.*,bus_out1",
    "*",
    "bus_out?",
    "bus.out[!1]",
]


def matches(patterns, name):
    """By Python's own regular expressions: `*` any text, `?` one character, all else is literal."""
    parts = (part.strip() for part in patterns.split(","))
    return any(re.fullmatch("".join(".*" if c == "*" else "." if c == "?" else re.escape(c) for c in part), name)
               for part in parts if part)


def expected(patterns, names):
    return sorted(name for name in names if matches(patterns, name))


def run(*command, **variables):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("FTR_")} | variables
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=True, env=environment).stdout


def transactions(path):
    records = [json.loads(line) for line in run("/usr/bin/python3", DECODE, "json", path).splitlines()]
    return [record for record in records if record["record"] == "transaction"]


def streams(path):
    return sorted(tx["stream"] for tx in transactions(path) if not tx["stream"].startswith("ftr."))


class NamePatterns(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def each_pattern(self, found, names=NAMES):
        for patterns in PATTERNS:
            with self.subTest(patterns):
                self.assertEqual(found(patterns), expected(patterns, names))

    def test_the_recorder_includes_matching_streams(self):
        def found(patterns):
            run(PROGRAM, *NAMES, FTR_TRACE="run.ftr", FTR_INCLUDE=patterns)
            return streams("run.ftr")
        self.each_pattern(found)

    def test_the_recorder_excludes_matching_streams(self):
        def found(patterns):
            run(PROGRAM, *NAMES, FTR_TRACE="run.ftr", FTR_EXCLUDE=patterns)
            return sorted(set(NAMES) - set(streams("run.ftr")))
        self.each_pattern(found)

    def test_a_buffer_contains_matching_streams(self):
        def found(patterns):
            # The buffer is a ring that nothing triggers, so the file has only the other streams.
            run(PROGRAM, *NAMES, FTR_TRACE="run.ftr", FTR_BUFFERS="b=ring,1M," + patterns)
            return sorted(set(NAMES) - set(streams("run.ftr")))
        self.each_pattern(found)

    def test_the_command_selects_matching_streams(self):
        run(PROGRAM, *NAMES, FTR_TRACE="run.ftr")

        def found(patterns):
            run(FTR, "cut", "run.ftr", "--stream", patterns, "--force", "-o", "part.ftr")
            return streams("part.ftr")
        self.each_pattern(found)

    @unittest.skipUnless(LINKER, "there is no trace linker")
    def test_the_trace_linker_wraps_matching_functions(self):
        functions = [name for name in NAMES if name.isidentifier()]
        self.assertGreaterEqual(len(functions), 4)
        text = "".join(f"void {name}(void) {{ __asm__ volatile(\"\"); }}\n" for name in ["always", *functions])
        pathlib.Path("functions.c").write_text(text)
        calls = "".join(f"    {name}();\n" for name in ["always", *functions])
        pathlib.Path("main.c").write_text("".join(f"void {name}(void);\n" for name in ["always", *functions]) +
                                          f"int main(void)\n{{\n{calls}    return 0;\n}}\n")
        linker, compiler = LINKER
        run(compiler, "-g", "-c", "functions.c", "main.c")

        def wrapped(patterns):
            """None: the linker refuses a pattern that matches no function."""
            pathlib.Path("t.ini").write_text(f"[tracer]\nname = t\ninclude = ftr.ini\ntraces = all\n\n"
                                             f"[all]\ntrace = always, {patterns}\n")
            linked = subprocess.run([linker, "-C", "t.ini", "--", "-o", "traced", "functions.o", "main.o"],
                                    capture_output=True, text=True, timeout=300, check=False)
            if linked.returncode != 0:
                self.assertRegex(linked.stderr, "neither the name of a C function nor a pattern|no linked object defines or calls it|matches no")
                return None
            run("./traced", FTR_TRACE="run.ftr")
            called = {tx["generator"] for tx in transactions("run.ftr") if not tx["stream"].startswith("ftr.")}
            self.assertIn("always", called)
            return called & set(functions)

        def found(patterns):
            called = wrapped(patterns)
            if called is None:
                parts = [wrapped(part) for part in patterns.split(",")]
                self.assertIn(None, parts)
                called = set().union(*(part for part in parts if part is not None))
            return sorted(called)
        self.each_pattern(found, functions)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
