#!/usr/bin/python3
"""Attaches to prototypes built with other options, and to prototypes that a script starts through
other programs. FTR_BUILDS lists the available builds. Arguments: attached.py, main()."""

import os
import subprocess
import sys

from attached import Attached, Paths, main, streams_of

EXPECTED = streams_of("loosely_timed_bus", "accesses")["streams"]
LATE = (b"ftr: the program loaded SystemC after its start, when libftr_attach.so had already searched for it: "
        b"nothing was recorded; preload %s as well\n")


class Builds(Attached):
    def test_by_other_compilers_and_options(self):
        builds = os.environ["FTR_BUILDS"].split(",")
        self.assertGreater(len(builds), 1)
        for build in builds:
            with self.subTest(build):
                self.assertEqual(self.record("loosely_timed_bus_" + build).counts(), EXPECTED)

    def test_a_model_that_is_opened_as_a_plugin(self):
        model = os.path.join(Paths.programs, "loosely_timed_bus_model.so")
        self.assertEqual(self.record("opens_model", model).counts(), EXPECTED)

    def test_a_kernel_that_is_opened_late_is_named(self):
        model = os.path.join(Paths.programs, "loosely_timed_bus_model.so")
        self.attach("opens_kernel", model, said=LATE % self.kernel().encode())
        self.assertEqual(os.listdir(self.folder), [])

    def test_report_handlers_work_with_a_kernel_that_only_the_model_links(self):
        """The library intercepts these functions, and must find the kernel's own ones."""
        model = os.path.join(Paths.programs, "endings_model.so")
        command = [os.path.join(Paths.programs, "opens_kernel"), model, "reports"]
        alone = self.command(command)
        self.assertEqual(alone.stdout.count(b"the model's own handler"), 2)
        for variables in ({"FTR_TRACE": self.file}, {"FTR_TRACE": ""}):
            done = self.command(command, **variables)
            self.assertEqual((done.returncode, done.stdout), (alone.returncode, alone.stdout))

    @staticmethod
    def kernel():
        linked = subprocess.run(["ldd", os.path.join(Paths.programs, "loosely_timed_bus")],
                                capture_output=True, text=True, check=True).stdout
        return next(line.split()[2] for line in linked.splitlines() if "libsystemc" in line)

    def test_a_late_kernel_that_is_preloaded_too(self):
        kernel = self.kernel()
        model = os.path.join(Paths.programs, "loosely_timed_bus_model.so")
        self.command([os.path.join(Paths.programs, "opens_kernel"), model],
                     preload=f"{kernel}:{Paths.library}", FTR_TRACE=self.file)
        self.assertEqual(self.trace().counts(), EXPECTED)


class AddressSanitizer(Attached):
    """A prototype that checks the order of its libraries and reports leaks."""

    def setUp(self):
        super().setUp()
        self.program = os.path.join(Paths.programs, "loosely_timed_bus_address")
        if not os.path.exists(self.program):
            self.skipTest("the prototype is built by g++ only")

    def test_ftr_attach_starts_the_prototype(self):
        for options in ("", "detect_stack_use_after_return=0"):
            alone = self.command([self.program], preload=" ", ASAN_OPTIONS=options)
            done = self.command([Paths.ftr, "attach", "-o", self.file, "--", self.program], preload=" ",
                                ASAN_OPTIONS=options)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, alone.stdout, alone.stderr))
            self.assertEqual(self.trace().counts(), EXPECTED)

    def test_a_script_sets_the_documented_option(self):
        done = self.command([self.program], FTR_TRACE=self.file, ASAN_OPTIONS="")
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"ASan runtime does not come first", done.stderr)
        done = self.command([self.program], FTR_TRACE=self.file, ASAN_OPTIONS="verify_asan_link_order=0")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.trace().counts(), EXPECTED)


class Hosts(Attached):
    """A host without sc_main(), which loads a library that has it."""

    def setUp(self):
        super().setUp()
        self.model = os.path.join(Paths.programs, "loosely_timed_bus_hosted.so")
        self.host = [sys.executable, "-c", "import ctypes, sys; host = ctypes.CDLL(sys.argv[1]); "
                     "sys.exit(host.sc_elab_and_sim(1, (ctypes.c_char_p * 2)(b'host', None)))", self.model]

    def test_the_message_names_the_library_to_preload(self):
        alone = self.command(self.host)
        done = self.command(self.host, FTR_TRACE=self.file)
        self.assertEqual((done.returncode, done.stdout), (0, alone.stdout))
        self.assertEqual(done.stderr, alone.stderr + LATE % (self.model.encode() + b", which has sc_main(),"))
        strict = self.command(self.host, FTR_TRACE=self.file, FTR_STRICT="1")
        self.assertEqual(strict.returncode, 125)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_host_with_the_library_preloaded(self):
        alone = self.command(self.host)
        done = self.command(self.host, preload=f"{Paths.library}:{self.model}", FTR_TRACE=self.file)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, alone.stdout, alone.stderr))
        self.assertEqual(self.trace().counts(), EXPECTED)


class Scripts(Attached):
    """Programs that a regression script runs before its prototypes, with the exported variables."""

    def run_through(self, *wrapper):
        program = os.path.join(Paths.programs, "loosely_timed_bus")
        alone = self.command([*wrapper, program])
        through = self.command([*wrapper, program], FTR_TRACE=self.file)
        self.assertEqual((through.returncode, through.stdout, through.stderr),
                         (0, alone.stdout, alone.stderr))
        self.assertEqual(os.listdir(self.folder), ["run.ftr"])
        self.assertEqual(self.trace().counts(), EXPECTED)
        os.remove(self.file)

    def test_through_wrappers(self):
        self.run_through("timeout", "60")
        self.run_through("env", "SOME=thing")
        self.run_through("sh", "-c", '"$0"')
        self.run_through("sh", "-c", 'true; (exec "$0") | cat')
        self.run_through("nice", "timeout", "60", "env")

    def test_through_make(self):
        program = os.path.join(Paths.programs, "loosely_timed_bus")
        makefile = os.path.join(self.folder, "Makefile")
        with open(makefile, "w", encoding="ascii") as file:
            file.write(f"all: a b\na b:\n\t@FTR_TRACE=$@.ftr {program}\n")
        done = self.command(["make", "-s", "-j2", "-f", makefile], FTR_TRACE=self.file)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn(b"ftr", done.stderr)
        for name in ("a.ftr", "b.ftr"):
            self.assertEqual(self.trace(os.path.join(self.folder, name)).counts(), EXPECTED)
        self.assertFalse(os.path.exists(self.file))

    def test_programs_without_a_kernel_are_not_affected(self):
        for command in (["timeout", "5", "true"], ["env"], ["sh", "-c", "exit 3"], ["make", "-v"]):
            done = self.command(command, FTR_TRACE=self.file)
            self.assertEqual(done.stderr, b"")
            self.assertEqual(done.returncode, 3 if "exit 3" in command else 0)
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    main()
