#!/usr/bin/python3
"""Runs every writer in a locale with a decimal comma and compares its files with those of the C locale.

    comma_locale_test.py PRELOADED_LIBRARY PROGRAMS

PROGRAMS is the directory of the programs. PRELOADED_LIBRARY sets the locale of a program: the writers are libraries in
programs of others, which set their locale. The locale is compiled from Debian's `locales`, because few machines have
it installed.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARY, PROGRAMS = map(os.path.abspath, sys.argv[1:3])
LOCALE = "de_DE"
SKIPPED = 77

# Programs that record to FTR_TRACE, with their arguments. The C interface, the adapter, and the headers of other
# recorders.
RECORDERS = (("sc_values_test",), ("sc_containers_test",), ("sc_recording_test", "model"),
             ("lwtr_program", "model"), ("scv_program", "all"), ("scc_program", "blocking"),
             ("make_awkward_file", "run.ftr"))


class CommaLocale(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.locales = tempfile.TemporaryDirectory()
        subprocess.run(["localedef", "-i", LOCALE, "-f", "UTF-8", os.path.join(cls.locales.name, LOCALE)], check=False,
                       capture_output=True)
        if not os.path.exists(os.path.join(cls.locales.name, LOCALE)):
            print(f"localedef or the source of {LOCALE} is missing")
            sys.exit(SKIPPED)

    def run_in(self, folder, locale, *command, **variables):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("FTR_", "LC_", "LANG"))}
        environment.update(locale, **variables, SYSTEMC_DISABLE_COPYRIGHT_MESSAGE="1")
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def comma(self):
        return {"LC_ALL": LOCALE, "LOCPATH": self.locales.name}

    def decoded(self, path):
        """Returns the content of a file without its wall-clock time and without addresses, which differ in each run."""
        listing = subprocess.run([sys.executable, os.path.join(HERE, "..", "support", "ftr_decode.py"), "json", path],
                                 capture_output=True, text=True, check=True).stdout
        records = [json.loads(line) for line in listing.splitlines()]
        self.assertTrue(any(record["record"] == "transaction" for record in records), path)
        for record in records:
            for attribute in record.get("attributes", []) if record["record"] == "transaction" else ():
                if attribute[2] == "POINTER":
                    attribute[3] = 0
        return [record for record in records if record["record"] != "info"]

    def test_recordings_are_the_same(self):
        for program, *arguments in RECORDERS:
            for floats in ("single", "text"):
                with self.subTest(program, floats=floats):
                    files = []
                    for locale in ({}, {**self.comma(), "LD_PRELOAD": LIBRARY}):
                        with tempfile.TemporaryDirectory() as folder:
                            self.run_in(folder, locale, os.path.join(PROGRAMS, program), *arguments,
                                        FTR_TRACE="run.ftr", FTR_FLOATS=floats)
                            names = sorted(name for name in os.listdir(folder) if name.endswith(".ftr"))
                            self.assertNotEqual(names, [])
                            files.append([(name, self.decoded(os.path.join(folder, name))) for name in names])
                    self.assertEqual(*files)

    def test_conversions_are_the_same(self):
        # `ftr` does not take the locale of its environment.
        ftr = os.path.join(PROGRAMS, "ftr")
        with tempfile.TemporaryDirectory() as folder:
            def written(locale, name, *arguments):
                self.run_in(folder, locale, ftr, "convert", *arguments, "--force", "-o", name)
                return os.path.join(folder, name)

            self.run_in(folder, {}, os.path.join(PROGRAMS, "make_awkward_file"), "in.ftr")
            for form in ("flux", "scv", "perfetto"):
                with self.subTest(form):
                    outputs = []
                    for locale in ({}, self.comma()):
                        with open(written(locale, "out." + form, "--output-format", form, "in.ftr"), "rb") as file:
                            outputs.append(file.read())
                    self.assertEqual(*outputs)
            for form in ("flux", "scv"):
                with self.subTest(form, direction="import"):
                    self.assertEqual(*(self.decoded(written(locale, "back.ftr", "--input-format", form, "--floats",
                                                            "text", "out." + form))
                                       for locale in ({}, self.comma())))


if __name__ == "__main__":
    unittest.main(verbosity=2, argv=sys.argv[:1])
