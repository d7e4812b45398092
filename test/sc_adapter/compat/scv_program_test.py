#!/usr/bin/python3
"""Runs scv_program and scv_tr_program, and compares their files, read by ftr_decode.py, with the values of
the program. Arguments: the directory of the programs, and names of tests."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
import sc_adapter_test  # noqa: E402

KINDS = [
    ("boolean", "BOOLEAN", True), ("enumeration", "ENUMERATION", "green"), ("integer", "INTEGER", -1),
    ("integer64", "INTEGER", -2 ** 63), ("sc_integer", "INTEGER", -2 ** 39), ("wide", "BIT_VECTOR", "1" * 70),
    ("byte", "UNSIGNED", 255), ("unsigned64", "UNSIGNED", 2 ** 64 - 1), ("sc_unsigned", "UNSIGNED", 2 ** 33 - 1),
    ("wide_unsigned", "BIT_VECTOR", "0" * 64 + "1"), ("real", "FLOATING_POINT_NUMBER", 2.5),
    ("bits", "BIT_VECTOR", "0110"), ("logic", "LOGIC_VECTOR", "01XZ"),
    ("signed_fixed", "FIXED_POINT_INTEGER", -1.25),
    ("record.address", "UNSIGNED", 16), ("record.is_write", "BOOLEAN", True),
    ("records[0].address", "UNSIGNED", 1), ("records[0].is_write", "BOOLEAN", False),
    ("records[1].address", "UNSIGNED", 2), ("records[1].is_write", "BOOLEAN", True),
    ("null", "POINTER", 0), ("pointer", "POINTER", ...), ("text", "STRING", "a text")]


class Scv(sc_adapter_test.Programs):
    program = "scv_program"

    def record(self, way, status=0, **variables):
        return self.run_program(self.program, way, status=status, **variables)

    def transactions(self, name):
        return [(tx["generator"], tx["begin"], tx["end"], [tuple(attribute) for attribute in tx["attributes"]])
                for tx in self.trace(name).transactions]

    def expect_whole(self, said):
        self.assertEqual(said.stderr, "")  # no misuse of the recorder
        trace = self.trace("my_db.ftr")
        self.assertEqual([(s["name"], s["kind"]) for s in trace.streams],
                         [("top.values", "transactor"), ("top.more", "transactor")])
        kinds, *others = self.transactions("my_db.ftr")
        self.expect_kinds(*kinds)
        self.assertEqual(others, [
            ("both", 2000, 9000, [("begin", "address", "UNSIGNED", 1), ("begin", "is_write", "BOOLEAN", True),
                                  ("end", "answer", "STRING", "yes")]),
            ("none", 0, 0, []),
            ("unnamed", 0, 1000, [("begin", "<anonymous>", "INTEGER", 5), ("end", "address", "UNSIGNED", 6),
                                  ("end", "is_write", "BOOLEAN", False)]),
            ("both", 0, 0, []),
            ("both", 0, 0, [("begin", "address", "UNSIGNED", 8), ("begin", "is_write", "BOOLEAN", False),
                            ("end", "unfinished", "BOOLEAN", True)]),
            ("switched", 0, 0, [("begin", "n", "INTEGER", 1), ("record", "while off", "INTEGER", 1)])])
        ids = {tx["id"]: number for number, tx in enumerate(trace.transactions)}
        self.assertEqual(sorted((r["name"], ids[r["from"]], ids[r["to"]]) for r in trace.relations),
                         [("follows", 1, 2), ("follows", 2, 3), ("other kind", 4, 3)])

    def expect_kinds(self, generator, begin, end, attributes):
        self.assertEqual((generator, begin, end), ("kinds", 0, 0))
        expected = [("begin", "all." + name, kind, value) for name, kind, value in KINDS]
        expected += [("record", "late.address", "UNSIGNED", 3), ("record", "late.is_write", "BOOLEAN", False),
                     ("record", "number", "INTEGER", 7), ("record", "<anonymous>.address", "UNSIGNED", 4),
                     ("record", "<anonymous>.is_write", "BOOLEAN", True)]
        self.assertEqual([attribute[:3] for attribute in attributes], [attribute[:3] for attribute in expected])
        for found, wanted in zip(attributes, expected):
            if wanted[3] is ...:
                self.assertNotEqual(found[3], 0)
            else:
                self.assertEqual(found, wanted)

    def test_every_kind(self):
        self.expect_whole(self.record("all"))

    def test_a_second_call_records_once(self):
        self.expect_whole(self.record("again"))

    def test_plain_files(self):
        self.record("all")
        compressed = os.path.getsize(os.path.join(self.folder, "my_db.ftr"))
        self.expect_whole(self.record("plain"))
        self.assertGreater(os.path.getsize(os.path.join(self.folder, "my_db.ftr")), compressed)

    def test_exit_ends_the_file(self):
        self.record("exit", status=3)
        self.assertEqual(len(self.transactions("my_db.ftr")), 7)

    def test_records_nothing_without_the_call(self):
        self.record("uninitialised")
        self.assertEqual(self.files(), [])

    def test_two_databases(self):
        self.record("two")
        self.assertEqual(self.transactions("first.ftr"), [
            ("g", 0, 0, [("begin", "n", "INTEGER", 1), ("record", "still", "INTEGER", 3)])])
        self.assertEqual(self.transactions("second.ftr"), [
            ("g", 0, 0, [("begin", "n", "INTEGER", 2), ("end", "unfinished", "BOOLEAN", True)])])
        self.assertEqual(self.trace("second.ftr").relations, [])

    def test_a_deleted_handle_takes_no_memory(self):
        self.assertLess(int(self.record("many").stdout.split("bytes=")[1]), 1 << 17)
        self.assertEqual(len(self.transactions("my_db.ftr")), 5000)

    def test_variables_apply(self):
        self.record("all", FTR_EXCLUDE="top.values", FTR_TRACE=os.path.join(self.folder, "other.ftr"))
        self.assertEqual({tx["stream"] for tx in self.trace("my_db.ftr").transactions}, {"top.more"})
        self.assertEqual(self.files(), ["my_db.ftr"])

    def test_an_invalid_variable_records_nothing(self):
        self.assertIn("FTR_MAX_SIZE", self.record("all", FTR_MAX_SIZE="many").stderr)
        self.assertEqual(self.files(), [])


class ScvTr(Scv):
    program = "scv_tr_program"


if __name__ == "__main__":
    sc_adapter_test.PROGRAMS = sys.argv.pop(1)
    unittest.main(verbosity=2)
