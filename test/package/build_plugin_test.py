#!/usr/bin/python3
"""`ftr build-plugin` of the installation in ROOT, with folders that look like installations of SystemC, and with a
compiler that only writes down its arguments. Arguments: ROOT, its library folder, the version."""

import glob
import os
import stat
import subprocess
import sys
import tempfile
import unittest

ROOT, LIBDIR, VERSION = sys.argv[1:4]

COMPILER = """#!/bin/sh
echo "$*" >>"$COMPILER_LOG"
while [ $# -gt 0 ]; do
    [ "$1" != -o ] || : >"$2"
    shift
done
"""


class BuildPlugin(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.log = os.path.join(self.folder, "log")
        self.output = os.path.join(self.folder, "output")
        self.compiler = os.path.join(self.folder, "compiler")
        with open(self.compiler, "w", encoding="ascii") as file:
            file.write(COMPILER)
        os.chmod(self.compiler, 0o755)

    def install(self, version, standard, library="lib-linux64/libsystemc.a"):
        home = os.path.join(self.folder, "systemc")
        header = os.path.join(home, "include/sysc/kernel/sc_ver.h")
        os.makedirs(os.path.dirname(header))
        with open(header, "w", encoding="ascii") as file:
            for part, number in zip(("MAJOR", "MINOR", "PATCH"), version.split(".")):
                file.write(f"#define SC_VERSION_{part}      {number}\n")
        if library:
            path = os.path.join(home, library)
            os.makedirs(os.path.dirname(path))
            with open(path, "wb") as file:
                file.write(f"\0_ZN7sc_core31sc_api_version_2_3_3_cxx{standard}LC1Ev\0".encode())
        return home

    def build(self, *options, user=None, **variables):
        environment = {k: v for k, v in os.environ.items() if k not in ("SYSTEMC_HOME", "CXX", "CXXFLAGS")}
        return subprocess.run([os.path.join(ROOT, "bin/ftr"), "build-plugin", "--cxx", self.compiler, *options],
                              capture_output=True, text=True, check=False, timeout=300, **(user or {}),
                              env={**environment, "COMPILER_LOG": self.log, **variables})

    def commands(self):
        with open(self.log, encoding="ascii") as file:
            lines = file.read().splitlines()
        return ([line for line in lines if " -c " in line], [line for line in lines if " -shared " in line])

    def expect_options(self, standard, *expected):
        home = self.install("2.3.3", standard)
        done = self.build("--systemc", home, "--output", self.output, "--jobs", "3", CXXFLAGS="-more -options")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        path = os.path.join(self.output, f"ftr_attach-2.3.3-cxx{standard}.so")
        self.assertEqual(done.stdout.splitlines()[-1], path)
        self.assertTrue(os.path.exists(path))
        self.assertEqual(os.listdir(self.output), [os.path.basename(path)])
        compiled, linked = self.commands()
        sources = glob.glob(os.path.join(ROOT, "share/ftr/plugin/**/*.cpp"), recursive=True)
        self.assertGreater(len(sources), 10)
        self.assertEqual(len(compiled), len(sources))
        for line in compiled:
            words = line.split()
            for option in (*expected, "-more", "-options", "-I" + home + "/include"):
                self.assertIn(option, words)
        self.assertEqual(len(linked), 1)
        self.assertIn(os.path.join(ROOT, LIBDIR, "libftr.a"), linked[0].split())

    def test_a_kernel_for_cxx14_is_used_with_its_macro(self):
        self.expect_options(201402, "-std=c++17", "-DSC_CPLUSPLUS=201402L")

    def test_a_kernel_for_cxx17(self):
        self.expect_options(201703, "-std=c++17")
        self.assertNotIn("SC_CPLUSPLUS", self.commands()[0][0])

    def test_a_kernel_for_cxx20(self):
        self.expect_options(202002, "-std=c++20")

    def test_the_plugin_is_installed_where_attach_finds_it(self):
        home = self.install("2.3.3", 201402, "lib/libsystemc.so")
        done = self.build(SYSTEMC_HOME=home)
        name = "ftr_attach-2.3.3-cxx201402.so"
        path = os.path.join(ROOT, LIBDIR, name)
        self.addCleanup(os.remove, path)
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (0, path))

    def test_the_data_folder_of_the_user_replaces_a_folder_that_cannot_be_written(self):
        home = self.install("2.3.3", 201402, "lib/libsystemc.so")
        folder = os.path.join(ROOT, LIBDIR)
        user = {}
        if os.geteuid() == 0:  # root can write to every folder, other users cannot write to those of root
            user = {"user": 65534, "group": 65534, "extra_groups": []}
            if subprocess.run(["test", "-x", os.path.join(ROOT, "bin/ftr")], check=False, **user).returncode != 0:
                self.skipTest("the installation is in a folder that other users cannot read")
            os.chmod(self.folder, 0o777)
        else:
            mode = stat.S_IMODE(os.stat(folder).st_mode)
            self.addCleanup(os.chmod, folder, mode)
            os.chmod(folder, 0o555)
        done = self.build(SYSTEMC_HOME=home, XDG_DATA_HOME=os.path.join(self.folder, "data"), user=user)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.splitlines()[-1],
                         os.path.join(self.folder, "data/ftr", VERSION, "ftr_attach-2.3.3-cxx201402.so"))

    def test_wrong_folders_and_options_are_errors(self):
        nothing = self.install("2.3.3", 0, "")
        for options, said in ((["--systemc", "/nowhere"], "'/nowhere' is not an installation of SystemC"),
                              (["--systemc", nothing], "has no libsystemc.so or libsystemc.a"),
                              ([], "no SystemC: --systemc DIR is missing"),
                              (["--jobs", "many"], "--jobs: 'many' is not a number"),
                              (["--nonsense"], "unknown option '--nonsense'"),
                              (["--cxx", "/no/compiler", "--systemc", nothing], "'/no/compiler' is not found")):
            with self.subTest(options):
                done = self.build(*options)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(said, done.stderr)

    def test_a_library_of_another_version_is_an_error(self):
        done = self.build("--systemc", self.install("2.3.4", 201703))
        self.assertEqual(done.returncode, 2)
        self.assertIn("is of SystemC 2.3.4, but", done.stderr)

    def fail_to_compile(self, *jobs):
        """Builds with a compiler that fails for every source. Returns the sources that it was called for."""
        with open(self.compiler, "w", encoding="ascii") as file:
            file.write("""#!/bin/sh
for source; do :; done
[ "$source" = "${source%.o}" ] || source=$(echo "$*" | sed 's/.* -c \\([^ ]*\\) .*/\\1/')
echo "$source" >>"$COMPILER_LOG"
echo "error of $source" >&2
exit 1
""")
        done = self.build("--systemc", self.install("2.3.3", 201703), "--output", self.output, *jobs)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(os.listdir(self.output), [])
        with open(self.log, encoding="ascii") as file:
            compiled = file.read().split()
        told, said = done.stderr.splitlines()
        self.assertEqual(told.split()[:2], ["error", "of"])
        source = told.split()[2]
        self.assertIn(source, compiled)
        self.assertTrue(said.startswith(f"ftr: build-plugin: {source} cannot be compiled with {self.compiler} for "
                                        f"SystemC 2.3.3 in '{self.folder}/systemc'; "), said)
        return compiled

    def test_the_first_error_of_the_compiler_stops_and_leaves_nothing(self):
        self.assertEqual(len(self.fail_to_compile("--jobs", "1")), 1)

    def test_errors_of_sources_that_are_compiled_at_the_same_time_are_not_mixed(self):
        self.assertLessEqual(len(self.fail_to_compile("--jobs", "4")), 8)

    def test_warnings_of_the_compiler_are_printed(self):
        with open(self.compiler, "a", encoding="ascii") as file:
            file.write("echo 'a warning' >&2\n")
        done = self.build("--systemc", self.install("2.3.3", 201703), "--output", self.output)
        self.assertEqual(done.returncode, 0)
        self.assertIn("a warning\n", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
