#!/usr/bin/python3
"""Configures a project with ftr_find_systemc.cmake and folders that look like installations of SystemC. Arguments:
the cmake command, the folder of ftr_find_systemc.cmake, a C++ compiler."""

import os
import subprocess
import sys
import tempfile
import unittest

CMAKE, MODULES, COMPILER = sys.argv[1:4]

PROJECT = """cmake_minimum_required(VERSION 3.20)
project(probe LANGUAGES CXX)
find_package(PkgConfig REQUIRED)
include(%s/ftr_find_systemc.cmake)
if(TARGET ftr_systemc_kernel)
  get_target_property(definitions ftr_systemc_kernel INTERFACE_COMPILE_DEFINITIONS)
  get_target_property(features ftr_systemc_kernel INTERFACE_COMPILE_FEATURES)
endif()
message(STATUS "probe: ${FTR_KERNEL_VERSION} ${FTR_KERNEL_STANDARD} ${definitions} ${features}")
"""


class Configuration(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        with open(os.path.join(cls.folder, "CMakeLists.txt"), "w", encoding="ascii") as file:
            file.write(PROJECT % MODULES)

    def install(self, name, version, standard, library="lib-linux64/libsystemc.a"):
        home = os.path.join(self.folder, name)
        header = os.path.join(home, "include/sysc/kernel/sc_ver.h")
        path = os.path.join(home, library)
        os.makedirs(os.path.dirname(header))
        os.makedirs(os.path.dirname(path))
        with open(header, "w", encoding="ascii") as file:
            for part, number in zip(("MAJOR", "MINOR", "PATCH"), version.split(".")):
                file.write(f"#define SC_VERSION_{part}      {number}\n")
        with open(path, "wb") as file:
            symbol = f"sc_api_version_{version.replace('.', '_')}_cxx{standard}L" if standard else "other"
            file.write(b"\0\1_ZN7sc_core31" + symbol.encode() + b"C1Ev\0")
        return home

    def configure(self, *options, **variables):
        environment = {k: v for k, v in os.environ.items() if k != "SYSTEMC_HOME"}
        return subprocess.run([CMAKE, "-S", self.folder, "-B", os.path.join(self.folder, "build"),
                               "-DCMAKE_CXX_COMPILER=" + COMPILER, "-USYSTEMC_HOME", "-USystemCLanguage_DIR",
                               *options], capture_output=True, text=True, check=False, timeout=300,
                              env={**environment, **variables})

    def expect(self, done, said, probe):
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("-- " + said + "\n", done.stdout)
        self.assertIn("-- probe: " + probe + "\n", done.stdout)

    def test_a_kernel_for_cxx14_is_used_by_its_macro(self):
        home = self.install("old", "2.3.3", 201402)
        said = f"SystemC 2.3.3 for C++ standard 201402: {home}/lib-linux64/libsystemc.a (from SYSTEMC_HOME)"
        probe = "2.3.3 201402 SC_CPLUSPLUS=201402L cxx_std_14"
        self.expect(self.configure("-DSYSTEMC_HOME=" + home), said, probe)
        self.expect(self.configure(SYSTEMC_HOME=home), said, probe)

    def test_a_kernel_for_cxx20_requires_cxx20(self):
        home = self.install("new", "3.0.2", 202002, "lib/libsystemc.so")
        self.expect(self.configure("-DSYSTEMC_HOME=" + home),
                    f"SystemC 3.0.2 for C++ standard 202002: {home}/lib/libsystemc.so (from SYSTEMC_HOME)",
                    "3.0.2 202002 definitions-NOTFOUND cxx_std_20")

    def test_another_folder_replaces_the_first(self):
        first = self.install("first", "2.3.3", 201703)
        second = self.install("second", "2.3.4", 201703)
        self.configure("-DSYSTEMC_HOME=" + first)
        self.assertIn("probe: 2.3.4 201703", self.configure("-DSYSTEMC_HOME=" + second).stdout)

    def test_a_named_kernel_that_cannot_be_used_stops(self):
        done = self.configure("-DSYSTEMC_HOME=/nowhere")
        self.assertEqual(done.returncode, 1)
        self.assertIn("SYSTEMC_HOME is /nowhere, which has no", done.stderr)
        done = self.configure("-DSystemCLanguage_DIR=/nowhere")
        self.assertEqual(done.returncode, 1)
        self.assertIn("SystemCLanguage_DIR is /nowhere, which has no", " ".join(done.stderr.split()))
        home = self.install("other", "2.3.3", 0)
        done = self.configure("-DSYSTEMC_HOME=" + home)
        self.assertEqual(done.returncode, 1)
        self.assertIn("is not a SystemC library", " ".join(done.stderr.split()))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
