#!/usr/bin/python3
"""Counts the additional instructions of a wrapped call with two integers, compared with a plain
call: the difference between many and few calls. Environment: as for run_case.py."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

FEWER, MORE = 10_000, 50_000

LIBRARY = "int add(int a, int b) { return a + b; }\n"
MAIN = """#include <stdlib.h>
#ifdef SWITCH
#include <ftr/tracelink.h>
#endif
int add(int a, int b);
int main(int argc, char **argv)
{
    int sum = 0;
#ifdef SWITCH
    ftr_tracelink_set_enabled("add", argc > 2);
#endif
    for (long i = 0; i < atol(argv[1]); ++i)
        sum = add(sum, (int)i);
    return argc > 3 ? sum : 0;
}
"""
CONFIGURATION = "[tracer]\nname = cost\ninclude = ftr.ini\ntrace = add\nenable = add\n"


class Cost(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.directory.cleanup)
        for name, text in (("lib.c", LIBRARY), ("main.c", MAIN), ("t.ini", CONFIGURATION)):
            with open(cls.path(name), "w", encoding="ascii") as file:
                file.write(text)
        cc, ld = os.environ["CC"], os.environ["FTR_LD"]
        include = "-I" + os.path.join(os.environ["SOURCE"], "include")
        for command in ([cc, "-O2", "-g", "-c", "lib.c", "main.c"],
                        [cc, "-O2", "-DSWITCH", include, "-c", "main.c", "-o", "switch.o"],
                        [cc, "-o", "plain", "main.o", "lib.o"],
                        [ld, "-C", "t.ini", "--", "-o", "traced", "main.o", "lib.o"],
                        [ld, "-C", "t.ini", "--", "-o", "switched", "switch.o", "lib.o"]):
            subprocess.run(command, cwd=cls.directory.name, check=True)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.directory.name, name)

    def count(self, program, calls, **variables):
        """Of the thread that calls."""
        environment = {name: value for name, value in os.environ.items() if name != "FTR_TRACE"}
        subprocess.run(["valgrind", "--tool=callgrind", "--separate-threads=yes",
                        "--callgrind-out-file=" + self.path("profile"), self.path(program), str(calls)],
                       env=dict(environment, **variables), check=True, capture_output=True)
        with open(self.path("profile-01"), encoding="ascii") as file:
            return int(re.search(r"^(?:totals|summary): (\d+)", file.read(), re.MULTILINE)[1])

    def cost(self, program, **variables):
        """Returns the additional instructions of one call."""
        fewer, more = (self.count(program, calls, **variables) - self.count("plain", calls)
                       for calls in (FEWER, MORE))
        return (more - fewer) / (MORE - FEWER)

    def test_recorded(self):
        self.assertLessEqual(self.cost("traced", FTR_TRACE=self.path("run.ftr")), 250)

    def test_disabled(self):
        self.assertLess(self.cost("switched", FTR_TRACE=self.path("run.ftr")), 15)

    def test_without_the_option(self):
        self.assertLess(self.cost("traced"), 50)


if __name__ == "__main__":
    if subprocess.run(["which", "valgrind"], capture_output=True, check=False).returncode:
        print("valgrind is not installed")
        sys.exit(77)
    unittest.main()
