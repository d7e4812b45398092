#!/usr/bin/python3
"""SCV text in both directions: written files read back as docs/exchange.md promises, and a text of
SCV's own back-end is converted correctly.

    scv_test.py FTR MAKE_TOOL_FILES MAKE_AWKWARD_FILE
"""

import collections
import gzip
import os
import re
import subprocess
import sys
import unittest

from cbor_file import write_ftr
from dumped import Dump, ExchangeTest, run, run_on_full_disk

FTR, MAKE_TOOL_FILES, MAKE_AWKWARD_FILE = map(os.path.abspath, sys.argv[1:4])

BACK_END = """\
scv_tr_stream (ID 1, name "bus", kind "transactor")
scv_tr_stream (ID 2, name "a \\"quoted\\" name", kind "<no_stream_kind>")
scv_tr_generator (ID 3, name "read", scv_tr_stream 1,
begin_attribute (ID 0, name "addr", type "UNSIGNED")
begin_attribute (ID 1, name "mode", type "ENUMERATION")
end_attribute (ID 0, name "data", type "INTEGER")
)
scv_tr_generator (ID 4, name "event", scv_tr_stream 2,
)
tx_begin 1 3 0 s
a 64
a BURST
tx_record_attribute 1 "wide" RECORD = <lost>
tx_begin 7 4 10 ns
tx_relation "child of" 7 1
tx_begin 2 3 100 ns
a 0x80
a "SINGLE"
tx_end 7 4 10 ns
tx_end 1 3 1 us
a -5
tx_end 2 3 150000001 fs
"""


def transactions(dump, ticks_to_fs, declared=None):
    """Returns the expected transactions by id, without the id. `declared`: attributes that keep their class."""
    common = declared if declared is not None else common_attributes(dump)
    found = {}
    for tx in dump.transactions:
        attributes = []
        seen = set()
        for class_, name, type_, value in tx["attributes"]:
            key = (class_, name, type_)
            if (class_ != "record" and key not in common[tx["stream"], tx["generator"]]) or \
                    key in seen:
                class_ = "record"
            seen.add(key)
            if type_ == "TIME":
                value *= ticks_to_fs
            attributes.append((class_, name, type_, value))
        found[tx["id"]] = (tx["stream"], tx["generator"], tx["begin"] * ticks_to_fs,
                           tx["end"] * ticks_to_fs, tuple(sorted(attributes, key=repr)))
    return found


def common_attributes(dump):
    """Those that every transaction of a generator has."""
    common = {}
    for tx in dump.transactions:
        key = tx["stream"], tx["generator"]
        mine = {(c, n, t) for c, n, t, _ in tx["attributes"] if c != "record"}
        common[key] = common.get(key, mine) & mine
    return common


def relations(dump, by_id):
    return collections.Counter((r["name"], by_id[r["from"]], by_id[r["to"]])
                               for r in dump.relations)


class ScvTest(ExchangeTest):
    makers = ((MAKE_TOOL_FILES,), (MAKE_AWKWARD_FILE, "awkward.ftr"))

    def compare(self, path, back, ticks_to_fs):
        before, after = Dump(FTR, path), Dump(FTR, back)
        common = common_attributes(before)
        expected = transactions(before, ticks_to_fs, common)
        found = transactions(after, 1000, collections.defaultdict(lambda: Everything()))
        self.assertGreater(len(expected), 2)
        self.assertEqual(collections.Counter(found.values()), collections.Counter(expected.values()))
        self.assertEqual(relations(after, found), relations(before, expected))

    def test_round_trip(self):
        for path, ticks_to_fs in (("small.ftr", 1000), ("awkward.ftr", 1000),
                                  ("nanoseconds.ftr", 10**6), ("touching.ftr", 1000)):
            with self.subTest(path):
                run(FTR, "convert", "--output-format", "scv", "-o", path + ".txlog", path)
                run(FTR, "convert", "--input-format", "scv", "--force", "--floats", "double", "-o",
                        "back.ftr", path + ".txlog")
                self.compare(path, "back.ftr", ticks_to_fs)

    def test_a_value_with_a_time_has_no_blank(self):
        run(FTR, "convert", "--output-format", "scv", "-o", "times.txlog", "awkward.ftr")
        with open("times.txlog", encoding="utf-8") as file:
            lines = file.read().splitlines()
        times = [line for line in lines if " TIME = " in line]
        self.assertGreater(len(times), 0)
        for line in times:
            self.assertRegex(line, r" TIME = \d+(s|ms|us|ns|ps|fs)$")
        self.assertTrue(all(re.search(r" \d+ (s|ms|us|ns|ps|fs)$", line) for line in lines
                            if line.startswith(("tx_begin", "tx_end"))))

    def test_replaced_characters_are_counted(self):
        for text, count in (("a\nb\r\0", 3), ("a b", 0)):
            write_ftr("text.ftr", [("top", "", [("read", n, n + 5, [("record", "text", text)]) for n in range(3000)])])
            for jobs in ("1", "3"):
                done = subprocess.run([FTR, "convert", "-j", jobs, "--output-format", "scv", "-o", "text.txlog",
                                       "text.ftr"], stderr=subprocess.PIPE, text=True, check=True)
                said = f"{3000 * count} line breaks and NULs in texts and names became blanks"
                self.assertEqual(said in done.stderr, count > 0, done.stderr)
                self.assertEqual("line break" in done.stderr, count > 0)

    def test_streams_and_kinds_are_kept(self):
        run(FTR, "convert", "--output-format", "scv", "-o", "kinds.txlog", "awkward.ftr")
        run(FTR, "convert", "--input-format", "scv", "--force", "--floats", "double", "-o",
                        "kinds.ftr", "kinds.txlog")
        told = [re.findall(r"^  \S.*", run(FTR, "info", path), re.M)[:4]
                for path in ("awkward.ftr", "kinds.ftr")]
        names = [[re.sub(r"  +\d+ chunk.*|  no .*", "", line) for line in lines] for lines in told]
        self.assertEqual(len(names[0]), 4, told)
        self.assertEqual(names[0], names[1])

    def test_gz_output_is_compressed(self):
        run(FTR, "convert", "--output-format", "scv", "-o", "small.txlog.gz", "small.ftr")
        run(FTR, "convert", "--output-format", "scv", "-o", "small.txlog", "small.ftr")
        with gzip.open("small.txlog.gz") as packed, open("small.txlog", "rb") as plain:
            self.assertEqual(packed.read(), plain.read())
        run(FTR, "convert", "--input-format", "scv", "--force", "--floats", "double", "-o",
                        "back.ftr", "small.txlog.gz")
        self.compare("small.ftr", "back.ftr", 1000)

    def test_output_of_scv_is_read(self):
        text = BACK_END.replace('\\"', '"')
        with open("back_end.txlog", "w", encoding="utf-8") as file:
            file.write(text)
        run(FTR, "convert", "--input-format", "scv", "--force", "-o", "back_end.ftr", "back_end.txlog")
        self.assertIn("a tick is 1 fs", run(FTR, "info", "back_end.ftr"))
        dump = Dump(FTR, "back_end.ftr")
        by_begin = {tx["begin"]: tx for tx in dump.transactions}
        self.assertEqual(sorted(by_begin), [0, 10**7, 10**8])
        first, event, second = (by_begin[begin] for begin in sorted(by_begin))
        self.assertEqual((first["stream"], first["generator"], first["end"]),
                         ("bus", "read", 10**9))
        self.assertEqual(first["attributes"],
                         [["begin", "addr", "UNSIGNED", 64], ["begin", "mode", "ENUMERATION", "BURST"],
                          ["record", "wide", "STRING", "<lost>"], ["end", "data", "INTEGER", -5]])
        self.assertEqual((event["stream"], event["generator"], event["end"], event["attributes"]),
                         ('a "quoted" name', "event", 10**7, []))
        self.assertEqual((second["end"], second["attributes"]),
                         (150000001, [["begin", "addr", "UNSIGNED", 128],
                                      ["begin", "mode", "ENUMERATION", "SINGLE"]]))
        # SCV writes the later transaction first
        self.assertEqual([(r["name"], r["from"], r["to"]) for r in dump.relations],
                         [("child of", first["id"], event["id"])])

    def test_errors_are_reported_with_their_line(self):
        good = ('scv_tr_stream (ID 1, name "s", kind "k")\n'
                'scv_tr_generator (ID 2, name "g", scv_tr_stream 1,\n'
                'begin_attribute (ID 0, name "n", type "UNSIGNED")\n)\n')
        cases = [
            ("tx_begin 1 9 0 s\n", "line 5: an invalid tx_begin, or one of an undefined generator"),
            ("tx_begin 1 2 noon\n", "line 5: an invalid tx_begin, or one of an undefined generator"),
            ("tx_end 1 2 0 s\n", "line 5: an end without its begin: skipped"),
            ("a 5\n", "line 5: an attribute outside of a transaction: skipped"),
            ("tx_begin 1 2 0 s\na five\ntx_end 1 2 0 s\n",
             "line 6: a value that does not fit the type of its attribute: kept as text"),
            ("tx_begin 1 2 0 s\na 5\na 6\ntx_end 1 2 0 s\n",
             "line 7: more attributes than the generator declares: skipped"),
            ("tx_begin 1 2 5 ns\ntx_end 1 2 1 ns\n",
             "line 6: an end before its begin: the time of the begin is used"),
            ('tx_record_attribute 3 "x" STRING = y\n',
             "line 5: an attribute of a transaction that is not open: skipped"),
            ('tx_relation "r" 1 2\n',
             "line 5: a relation of a missing transaction: skipped"),
            ("what is this\n", "line 5: an invalid line"),
        ]
        for text, said in cases:
            with self.subTest(text):
                with open("wrong.txlog", "w", encoding="utf-8") as file:
                    file.write(good + text)
                run(FTR, "convert", "--input-format", "scv", "--force", "-o", "wrong.ftr", "wrong.txlog", status=1,
                    stderr=f"ftr: wrong.txlog: {said}\n")
                run(FTR, "check", "wrong.ftr", stderr=None)

    def test_an_incomplete_text_is_kept(self):
        run(FTR, "convert", "--output-format", "scv", "-o", "small.txlog", "small.ftr")
        with open("small.txlog", "rb") as file:
            text = file.read()
        cut = text[:text.rindex(b"tx_end ")]
        with open("cut.txlog", "wb") as file:
            file.write(cut)
        run(FTR, "convert", "--input-format", "scv", "--force", "-o", "cut.ftr", "cut.txlog", status=0,
            stderr="ftr: cut.txlog: 1 transactions have no end: they end with the file\n")
        self.assertEqual(len(Dump(FTR, "cut.ftr").transactions), 12)

    def test_files_that_are_not_scv_text_are_refused(self):
        for path in ("junk.ftr", "empty.ftr", "small.ftr"):
            with self.subTest(path):
                run(FTR, "convert", "--input-format", "scv", "--force", "-o", "out.ftr", path, status=2,
                    stderr=f"ftr: {path}: not an SCV text: it defines no stream\n")
                self.assertFalse(os.path.exists("out.ftr"))
        run(FTR, "convert", "--input-format", "scv", "--force", "-o", "out.ftr", "missing", status=2,
            stderr="ftr: missing: No such file or directory\n")
        run(FTR, "convert", "--output-format", "scv", "-o", "/dev/null/x", "small.ftr", status=2,
            stderr="ftr: /dev/null/x: Not a directory\n")
        run(FTR, "convert", "--output-format", "scv", "-o", "/dev/full", "small.ftr", status=2, stderr=
            "ftr: /dev/full: a device, FIFO or socket is not replaced; '-o -' writes to the standard "
            "output\n")
        run_on_full_disk(FTR, "convert", "--output-format", "scv", "small.ftr",
                         stderr="ftr: stdout: No space left on device\n")
        run_on_full_disk(FTR, "convert", "--output-format", "scv", "small.ftr", path="full.txlog",
                         stderr="ftr: full.txlog: could not be written: File too large\n")

    def test_the_cause_of_a_full_disk_is_reported_at_the_end(self):
        with open("long.txlog", "w", encoding="utf-8") as file:
            file.write('scv_tr_stream (ID 1, name "s", kind "k")\n'
                       'scv_tr_generator (ID 2, name "g", scv_tr_stream 1,\n)\n')
            for n in range(1, 4000):
                file.write(f"tx_begin {n} 2 {n} ns\ntx_end {n} 2 {n} ns\n")
        run(FTR, "convert", "--input-format", "scv", "--force", "-o", "long.ftr", "long.txlog")
        for form in ("scv", "perfetto"):
            run_on_full_disk(FTR, "convert", "--output-format", form, "long.ftr", path="full.text",
                             stderr="ftr: full.text: could not be written: File too large\n")


class Everything:
    def __contains__(self, key):
        return True


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
