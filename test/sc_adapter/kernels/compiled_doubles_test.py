#!/usr/bin/python3
"""Compiles the adapter, the plug-in and the public headers with a double of the headers of SystemC 3.0
(kernel_doubles.py). Arguments: the sources of ftr, the folder of its generated headers, the folder of the headers of
SystemC 2.3.4, a C++ compiler."""

import glob
import os
import subprocess
import sys
import tempfile
import unittest

from kernel_doubles import NOT_IN_3_0, make_3_0_2_headers

ROOT, GENERATED, INSTALLED, COMPILER = sys.argv[1:5]

SYSTEMC = """#define SC_INCLUDE_FX
#include <systemc>
#include <tlm>
#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
"""

# Code that only the programs of users instantiate.
INSTRUMENTED = """static_assert(SYSTEMC_VERSION == 20251031);
#include <ftr/systemc.hpp>
#include <ftr/tlm.hpp>
#include <lwtr/lwtr.h>
#include <tlm/scc/lwtr/tlm2_lwtr.h>
template class ftr::tlm_recorder<32>;
template class ftr::tlm_recording_initiator_socket<32>;
template class ftr::tlm_recording_target_socket<32>;
template class tlm::scc::lwtr::tlm2_lwtr_recorder<32>;
"""


class Compiled(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.headers = os.path.join(self.folder, "include")
        os.mkdir(self.headers)
        include = os.path.join(ROOT, "include")
        adapter = os.path.join(ROOT, "sc_adapter")
        self.command = [COMPILER, "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                        "-DSC_DISABLE_API_VERSION_CHECK", "-isystem", self.headers, "-I" + include, "-I" + GENERATED,
                        *("-I" + adapter + part for part in ("", "/protocol", "/attach")),
                        *("-I" + include + "/ftr/compat" + part for part in ("", "/scc"))]

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        return path

    def test_3_0_2(self):
        make_3_0_2_headers(INSTALLED, self.headers)
        poisoned = "".join(f"#undef {name}\n#pragma GCC poison {name}\n" for name in NOT_IN_3_0)
        included = ("-include", self.write("systemc_3.hpp", SYSTEMC + poisoned))
        adapter = os.path.join(ROOT, "sc_adapter")
        # Few units, because most of the time is that of SystemC's headers.
        for folders, more in ((("", "protocol"), INSTRUMENTED), (("attach",), "")):
            sources = [path for folder in folders for path in glob.glob(os.path.join(adapter, folder, "*.cpp"))]
            self.assertGreater(len(sources), 3)
            unit = self.write("unit.cpp", "".join(f'#include "{path}"\n' for path in sources) + more)
            done = subprocess.run([*self.command, "-fsyntax-only", *included, unit], capture_output=True, text=True,
                                  check=False, timeout=1200)
            self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[5:])
