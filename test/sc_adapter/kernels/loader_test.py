#!/usr/bin/python3
"""Preloads libftr_attach.so into programs with the symbols of several SystemC kernels, and checks which plug-in it
loads. Arguments: the directory of the programs, libftr_attach.so, the ftr command, its version."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAMS, LIBRARY, FTR, VERSION = sys.argv[1:5]
NOT_RECORDED = 125


class Loader(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        # A copy, so that plug-ins can be put beside the library.
        self.library = shutil.copy(LIBRARY, self.folder)
        self.home = os.path.join(self.folder, "home")
        self.user_plugins = os.path.join(self.home, ".local/share/ftr", VERSION)
        os.makedirs(self.user_plugins)

    def run_double(self, kernel, *command, **variables):
        environment = {"PATH": os.environ["PATH"], "HOME": self.home,
                       "FTR_TRACE": os.path.join(self.folder, "run.ftr"), **variables}
        if not command:
            environment["LD_PRELOAD"] = self.library
        return subprocess.run([*command, os.path.join(PROGRAMS, "kernel_" + kernel)], capture_output=True, text=True,
                              env=environment, cwd=self.folder, timeout=300, check=False)

    def put_plugin(self, kind, name, folder):
        return shutil.copy(os.path.join(PROGRAMS, kind + "_plugin.so"), os.path.join(folder, name))

    def test_every_form_of_the_kernel_has_a_plugin_name(self):
        kernels = [name[len("kernel_"):] for name in os.listdir(PROGRAMS) if name.startswith("kernel_")]
        self.assertEqual(len(kernels), 6)
        for kernel in kernels:
            version, standard = kernel.split("_")
            missing = f"ftr_attach-{version}-cxx{standard}.so"
            with self.subTest(kernel):
                done = self.run_double(kernel)
                self.assertEqual((done.returncode, done.stdout), (0, "simulated\n"))
                self.assertIn(f"SystemC {version} for C++ standard {standard}, and its plug-in cannot be loaded: "
                              f"{self.folder}/{missing}: ", done.stderr)
                self.assertIn("`ftr build-plugin --systemc DIR`", done.stderr)

    def test_the_plugin_beside_the_library_is_loaded(self):
        path = self.put_plugin("accepting", "ftr_attach-3.0.1-cxx201703.so", self.folder)
        self.assertEqual(self.run_double("3.0.1_201703").stderr, f"loaded {path}\n")

    def test_the_plugin_of_the_user_precedes_it(self):
        name = "ftr_attach-2.3.3-cxx201402.so"
        self.put_plugin("accepting", name, self.folder)
        path = self.put_plugin("accepting", name, self.user_plugins)
        self.assertEqual(self.run_double("2.3.3_201402").stderr, f"loaded {path}\n")
        data = os.path.join(self.folder, "data")
        shutil.copytree(os.path.join(self.home, ".local/share"), data)
        self.assertEqual(self.run_double("2.3.3_201402", XDG_DATA_HOME=data).stderr,
                         f"loaded {data}/ftr/{VERSION}/{name}\n")

    def test_a_plugin_that_exists_need_not_be_built(self):
        path = os.path.join(self.folder, "ftr_attach-3.0.1-cxx201703.so")
        with open(path, "w", encoding="ascii") as file:
            file.write("no library")
        self.assertIn(f"loaded: {path}: file too short; if it was built for another kernel, build one with",
                      self.run_double("3.0.1_201703").stderr)

    def test_plugins_of_other_versions_are_not_loaded(self):
        other = os.path.join(self.home, ".local/share/ftr/0.0.1")
        os.makedirs(other)
        self.put_plugin("accepting", "ftr_attach-2.3.3-cxx201402.so", other)
        self.assertIn("cannot be loaded", self.run_double("2.3.3_201402").stderr)

    def test_strict_ends_a_run_without_a_fitting_plugin(self):
        done = self.run_double("3.0.2_202002", FTR_STRICT="1")
        self.assertEqual((done.returncode, done.stdout), (NOT_RECORDED, ""))
        refusing = self.put_plugin("refusing", "refusing.so", self.folder)
        done = self.run_double("3.0.2_202002", FTR_STRICT="1", FTR_ATTACH_PLUGIN=refusing)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (NOT_RECORDED, "", "refused\n"))

    def test_the_strict_command_counts_only_plugins_that_accept(self):
        command = [FTR, "attach", "--strict", "--library", self.library, "--"]
        accepting = self.put_plugin("accepting", "accepting.so", self.folder)
        refusing = self.put_plugin("refusing", "refusing.so", self.folder)
        self.assertEqual(self.run_double("3.0.2_202002", *command, FTR_ATTACH_PLUGIN=accepting).returncode, 0)
        done = self.run_double("3.0.2_202002", *command, FTR_ATTACH_PLUGIN=refusing)
        self.assertEqual(done.returncode, NOT_RECORDED)
        # The plug-in has said why.
        self.assertNotIn("is not a SystemC prototype", done.stderr)
        self.assertIn("ended with status 125: nothing was recorded\n", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
