#!/usr/bin/python3
"""Builds SystemC from Debian's source package in several ways, and a test double of an older version from the same
sources, builds the plug-in for each with `ftr build-plugin`, and records prototypes with it. Ends with status 77 if the
source package cannot be had.

Arguments: the installation of ftr, the folder of the prototypes' sources, a folder for the kernels. Kernels that are
already in that folder are not built again; further installations of SystemC may be put there by hand, as
VERSION-BUILT_BY-STANDARD-COMPILER-KIND, for example 3.0.1-cmake-20-gcc-static."""

import glob
import json
import os
import re
import subprocess
import sys
import unittest

from kernel_doubles import make_2_3_2

ROOT, PROTOTYPES, KERNELS = (os.path.abspath(argument) for argument in sys.argv[1:4])
DECODER = [sys.executable, os.path.join(PROTOTYPES, "../../support/ftr_decode.py"), "json"]
SKIPPED = 77
JOBS = str(os.cpu_count())

BUILDS = ("2.3.2-double-11-gcc-shared", "2.3.4-cmake-14-gcc-shared", "2.3.4-cmake-20-clang-static",
          "2.3.4-autotools-17-gcc-static", "2.3.4-autotools-14-gcc-shared")
COMPILERS = {"gcc": ("gcc", "g++"), "clang": ("clang", "clang++")}


def run(*command, cwd=None, **variables):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False,
                          env={**os.environ, **variables})
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(command)}: status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return done


def is_complete(folder):
    """Whether an earlier run of this test made the folder and was not interrupted."""
    return os.path.exists(os.path.join(folder, "complete"))


def complete(folder):
    with open(os.path.join(folder, "complete"), "w", encoding="ascii"):
        pass


def sources_in(folder):
    return os.path.dirname(glob.glob(os.path.join(folder, "systemc-*/CMakeLists.txt"))[0])


def fetch_sources():
    """Returns the folder of Debian's sources of SystemC; apt uses lists of its own, so that the machine's stay."""
    folder = os.path.join(KERNELS, "source")
    if not is_complete(folder):
        os.makedirs(os.path.join(folder, "lists/partial"), exist_ok=True)
        sources = os.path.join(folder, "sources.list")
        with open("/etc/os-release", encoding="utf-8") as file:
            codename = re.search(r"^VERSION_CODENAME=(\w+)", file.read(), re.MULTILINE)
        with open(sources, "w", encoding="ascii") as file:
            file.write("deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian "
                       f"{codename.group(1) if codename else 'stable'} main\n")
        apt = ["apt-get", "-o", "Dir::Etc::SourceList=" + sources, "-o", "Dir::Etc::SourceParts=-",
               "-o", "Dir::State::Lists=" + os.path.join(folder, "lists")]
        try:
            run(*apt, "update")
            run(*apt, "source", "systemc", cwd=folder)
        except (OSError, AssertionError) as reason:
            print("Debian's source package of SystemC cannot be had:", reason)
            sys.exit(SKIPPED)
        run("autoreconf", "-fi", cwd=sources_in(folder))
        complete(folder)
    return sources_in(folder)


def build_kernel(name, source):
    _, built_by, standard, compiler, kind = name.split("-")
    home = os.path.join(KERNELS, name)
    work = os.path.join(KERNELS, "build", name)
    c_compiler, cxx = COMPILERS[compiler]
    if is_complete(work):
        return
    os.makedirs(work, exist_ok=True)
    if built_by == "double":
        copy = os.path.join(KERNELS, "source/double")
        make_2_3_2(source, copy)
        source = copy
    if built_by in ("cmake", "double"):
        run("cmake", "-S", source, "-B", work, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_STANDARD=" + standard,
            "-DCMAKE_C_COMPILER=" + c_compiler, "-DCMAKE_CXX_COMPILER=" + cxx, "-DCMAKE_INSTALL_PREFIX=" + home,
            "-DBUILD_SHARED_LIBS=" + ("ON" if kind == "shared" else "OFF"), "-DCMAKE_EXPORT_NO_PACKAGE_REGISTRY=ON")
        run("cmake", "--build", work, "--parallel", JOBS)
        run("cmake", "--install", work)
    else:
        run(os.path.join(source, "configure"), "--prefix=" + home, f"CXX={cxx} -std=c++{standard}",
            "--enable-shared" if kind == "shared" else "--disable-shared",
            "--disable-static" if kind == "shared" else "--enable-static", cwd=work)
        run("make", "-j" + JOBS, "install", cwd=work)
    complete(work)


class Kernel(unittest.TestCase):
    def check(self, program, trace, prototype, *command, **variables):
        run(*command, program, cwd=os.path.dirname(program), **variables)
        listing = run(*DECODER, trace).stdout
        counts = {}
        for record in map(json.loads, listing.splitlines()):
            if record["record"] == "transaction" and not record["stream"].startswith("ftr."):
                generators = counts.setdefault(record["stream"], {})
                generators[record["generator"]] = generators.get(record["generator"], 0) + 1
        with open(os.path.join(PROTOTYPES, "streams.json"), encoding="utf-8") as file:
            self.assertEqual(counts, json.load(file)[prototype]["accesses"]["streams"])

    def record(self, name):
        """Builds and records prototypes as docs/attach.md describes it."""
        _, _, standard, compiler, kind = name.split("-")
        home = os.path.join(KERNELS, name)
        cxx = COMPILERS[compiler][1]
        work = os.path.join(KERNELS, "record", name)
        os.makedirs(work, exist_ok=True)
        built = run(os.path.join(ROOT, "bin/ftr"), "build-plugin", "--systemc", home, "--cxx", cxx, "--archive")
        self.assertNotIn("warning:", built.stdout + built.stderr)
        archive = built.stdout.splitlines()[-1]
        libraries = next(os.path.dirname(path) for path in sorted(glob.glob(home + "/lib*/**/libsystemc.*", recursive=True)))
        trace = os.path.join(work, "run.ftr")
        attach = (os.path.join(ROOT, "bin/ftr"), "attach", "--strict", "-o", trace, "--")
        for prototype in ("loosely_timed_bus", "approximately_timed"):
            program = os.path.join(work, prototype)
            compile_line = (cxx, "-std=c++" + standard, "-O1", "-I" + home + "/include",
                            os.path.join(PROTOTYPES, prototype + ".cpp"), "-o", program)
            kernel = ("-L" + libraries, "-Wl,-rpath," + libraries, "-lsystemc", "-pthread")
            run(*compile_line, *(("-rdynamic",) if kind == "static" else ()), *kernel)
            self.check(program, trace, prototype, *attach)
            if kind == "static" and prototype == "loosely_timed_bus":
                # Without -rdynamic it is refused, and with the archive it is recorded, also by the command.
                run(*compile_line, *kernel)
                refused = subprocess.run([*attach, program], capture_output=True, text=True, check=False)
                self.assertEqual(refused.returncode, 125, refused.stderr)
                run(*compile_line, "-Wl,--whole-archive", archive, "-Wl,--no-whole-archive",
                    "-L" + os.path.dirname(archive), "-l:libftr.a", "-llz4", *kernel)
                self.check(program, trace, prototype, FTR_TRACE=trace, FTR_STRICT="1")
                self.check(program, trace, prototype, *attach)


def add_test(name):
    def test(self):
        if name in BUILDS:
            build_kernel(name, fetch_sources())
        self.record(name)
    setattr(Kernel, "test_" + re.sub(r"\W", "_", name), test)


if __name__ == "__main__":
    os.makedirs(KERNELS, exist_ok=True)
    fetch_sources()
    PATTERN = re.compile(r"[\d.]+-\w+-\d+-(gcc|clang)-(static|shared)$")
    for kernel in sorted({*BUILDS, *filter(PATTERN.match, os.listdir(KERNELS))}):
        add_test(kernel)
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
