#!/usr/bin/python3
"""Files of every mode of the recorder keep every rule of the viewers.

    modes_test.py FTR RECORD_MODES [LIBFTR_ATTACH PROTOTYPE]

Each file is decoded by ftr_decode.py, which has the rules that the viewers' readers require, and
checked by `ftr check` for each viewer. Only findings that follow from an option are allowed: the
text's numbering and double floats. All files of the same workload have the same content.
"""

import collections
import itertools
import os
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import ftr_decode  # noqa: E402

FTR, RECORD_MODES, *ATTACHED = sys.argv[1:5]
COMPRESSIONS = ("lz4", "lz4hc", "none", "meta")
NUMBERINGS = ("deployed", "spec")
FLOATS = ("single", "double", "text")
#: types of values that depend on an option, and so differ between the modes
CHANGED_BY_OPTIONS = {"real", "fixed", "unsigned fixed", "bits", "logic"}


def record_attached(folder):
    """The same for an attached prototype, controlled by the variables."""
    library, prototype = ATTACHED
    for compression, numbering, floats in itertools.product(COMPRESSIONS, NUMBERINGS, FLOATS):
        path = os.path.join(folder, f"attached-{compression}-{numbering}-{floats}.ftr")
        environment = dict(os.environ, LD_PRELOAD=library, FTR_TRACE=path, FTR_COMPRESS=compression,
                           FTR_TYPES=numbering, FTR_FLOAT=floats, FTR_RUN_INFO="0",
                           SYSTEMC_DISABLE_COPYRIGHT_MESSAGE="1",
                           ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0:handle_segv=0")
        subprocess.run([prototype], env=environment, check=True, capture_output=True, timeout=300)


def content(trace):
    """Returns the transactions and relations, without ids and without values that depend on
    options."""
    key = {}
    for tx in trace.transactions:
        attributes = tuple((trace.text(name), trace.text(value) if trace.types[kind][1] == "id"
                            else value) for _, name, kind, value in tx.attributes
                           if trace.text(name) not in CHANGED_BY_OPTIONS)
        key[tx.id] = (trace.name(trace.streams[tx.stream]),
                      trace.name(trace.generators[tx.generator]), tx.begin, tx.end, attributes)
    relations = collections.Counter((trace.text(r.name), key[r.source], key[r.target])
                                    for r in trace.relations)
    return collections.Counter(key.values()), relations


class Modes(unittest.TestCase):
    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        subprocess.run([RECORD_MODES, cls.folder.name], check=True, timeout=300)
        if len(ATTACHED) == 2:
            record_attached(cls.folder.name)
        cls.paths = sorted(entry.path for entry in os.scandir(cls.folder.name)
                           if entry.name.endswith(".ftr"))
        cls.traces = {}
        for path in cls.paths:
            mode, compression, numbering, floats = cls.options(path)
            # Surfer in a browser shows no compressed transactions; its other rules apply to all files.
            allow = [] if compression in ("none", "meta") else ["web-compressed"]
            # Vectors with X or Z are texts in the text's numbering (docs/format.md).
            allow += ["attribute-name"] if numbering == "spec" else []
            cls.traces[path] = ftr_decode.decode(path, numbering=numbering, web=True, allow=allow,
                                                 floats="double" if floats == "double" else "single")

    @staticmethod
    def options(path):
        mode, compression, numbering, floats = re.sub(r"_file\d+$", "", os.path.basename(path)[:-4]).split("-")[:4]
        return mode, compression, numbering, floats

    def test_there_are_files_of_all_modes(self):
        self.assertGreaterEqual(len(self.paths), 102)
        self.assertEqual(len({self.options(path) for path in self.paths}),
                         len(COMPRESSIONS) * len(NUMBERINGS) * len(FLOATS) *
                         (4 + (len(ATTACHED) == 2)))

    def test_the_decoder_finds_nothing_wrong(self):
        for path, trace in self.traces.items():
            with self.subTest(os.path.basename(path)):
                self.assertEqual(trace.findings, [])
                self.assertGreater(len(trace.transactions), 0)

    def test_ftr_check_reports_only_requested_defects(self):
        for viewer in ("scviewer", "surfer", "surfer-web"):
            said = subprocess.run([FTR, "check", "--strict", "--for", viewer, *self.paths],
                                  capture_output=True, text=True, timeout=300, check=False)
            self.assertEqual(said.stderr, "")
            rules = collections.defaultdict(set)
            for line in said.stdout.splitlines():
                # Findings about browsers are printed as remarks for Surfer.
                if viewer != "surfer" or " web-" not in line:
                    rules[line.split(":", 1)[0]].add(line.rsplit(" ", 1)[1][:-1])
            for path in self.paths:
                _, compression, numbering, floats = self.options(path)
                allowed = {"numbering", "attribute-name"} if numbering == "spec" else set()
                allowed |= {"float-width"} if floats == "double" else set()
                if viewer == "surfer-web" and compression in ("lz4", "lz4hc"):
                    allowed.add("web-compressed")
                with self.subTest(f"{viewer}: {os.path.basename(path)}"):
                    self.assertLessEqual(rules[path], allowed)

    def test_content_is_the_same_in_all_modes(self):
        for mode in ("file", "flight", "small", "attached"):
            contents = {path: content(trace) for path, trace in self.traces.items()
                        if self.options(path)[0] == mode}
            first = next(iter(contents.values()), None)
            for path, found in contents.items():
                with self.subTest(os.path.basename(path)):
                    self.assertEqual(found, first)

    def test_rotated_files_have_all_transactions_together(self):
        together = collections.defaultdict(collections.Counter)
        for path, trace in self.traces.items():
            mode, *rest = self.options(path)
            if mode == "rotated":
                # Each file records the relations that it lacks because their ends are in different files.
                together[tuple(rest)] += collections.Counter(
                    {tx: count for tx, count in content(trace)[0].items() if tx[0] != "ftr.losses"})
        self.assertEqual(len({frozenset(found.items()) for found in together.values()}), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
