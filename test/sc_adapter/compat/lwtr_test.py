#!/usr/bin/python3
"""Runs lwtr_program, and compares its files, read by ftr_decode.py, with the records of the same program with LWTR4SC.
Arguments: the directory of the programs, and names of tests."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
import sc_adapter_test  # noqa: E402

BURST = [("address", "UNSIGNED", 16), ("count", "UNSIGNED", 2), ("is_write", "BOOLEAN", True)]


def under(prefix, attributes):
    return [(prefix + "." + name, kind, value) for name, kind, value in attributes]


VALUES = [
    ("string", "STRING", "text"), ("literal", "STRING", "literal"), ("null", "STRING", ""),
    ("double", "FLOATING_POINT_NUMBER", 2.5), ("bool", "BOOLEAN", True),
    ("uint64", "UNSIGNED", 2 ** 64 - 1), ("int64", "INTEGER", -2 ** 63),
    ("uint8", "UNSIGNED", 255), ("int16", "INTEGER", -3), ("size", "UNSIGNED", 8),
    ("sc_uint", "UNSIGNED", 200), ("sc_int", "INTEGER", -7), ("sc_biguint", "UNSIGNED", 9),
    ("wide", "BIT_VECTOR", "0" * 64 + "1"), ("sc_bv", "BIT_VECTOR", "0110"),
    ("sc_lv", "LOGIC_VECTOR", "01XZ"), ("sc_logic", "LOGIC_VECTOR", "Z"), ("sc_time", "TIME", 3000),
    *under("object.first", BURST), ("object.label", "STRING", "inner"), *BURST,
    ("member.level", "FLOATING_POINT_NUMBER", 0.5), ("colour", "STRING", "red"), ("unnamed", "INTEGER", 42)]


class Lwtr(sc_adapter_test.Programs):
    def record(self, way, status=0, **variables):
        return self.run_program("lwtr_program", way, status=status, **variables)

    def attributes(self, name):
        """Returns [(generator, begin, end, attributes)] of all transactions, in the order of their ids."""
        return [(tx["generator"], tx["begin"], tx["end"], [tuple(attribute) for attribute in tx["attributes"]])
                for tx in self.trace(name).transactions]

    def expect_whole(self, name="my_db.ftr"):
        trace = self.trace(name)
        self.assertEqual([(s["name"], s["kind"]) for s in trace.streams],
                         [("top.values", "transactor"), ("top.events", "transactor")])
        self.assertEqual(self.attributes(name), [
            ("values", 0, 0, [("record", *value) for value in VALUES]),
            ("plain", 0, 0, [("begin", "in", "UNSIGNED", 7), ("end", "out", "STRING", "ended by a copy")]),
            ("object", 5000, 5000, [("begin", *value) for value in under("request", BURST)]),
            ("only_end", 0, 0, [("end", "done", "BOOLEAN", True)]),
            ("end_name", 9000, 11000, [("end", "result", "INTEGER", -1)]),
            ("no_names", 0, 1000, [("begin", "unnamed", "INTEGER", 1), ("end", "unnamed", "INTEGER", 2)]),
            ("plain", 0, 0, [("end", "out", "FLOATING_POINT_NUMBER", 3.5)]),
            ("op", 0, 6000, [("begin", "kind", "STRING", "load")]),
            ("op.events", 0, 0, [("begin", "name", "STRING", "issue")]),
            ("op.events", 4000, 4000, [("begin", "name", "STRING", "grant"), ("record", "slot", "INTEGER", 3)]
             + [("record", *value) for value in under("tag", BURST)]),
            ("without", 0, 0, [])])
        ids = {tx["id"]: number for number, tx in enumerate(trace.transactions)}
        self.assertEqual(sorted((r["name"], ids[r["from"]], ids[r["to"]]) for r in trace.relations),
                         [("follows", 1, 2), ("follows", 2, 3), ("follows", 3, 4), ("other kind", 4, 5),
                          ("parent_of", 7, 8), ("parent_of", 7, 9)])

    def test_every_form(self):
        said = self.record("all")
        self.expect_whole()
        self.assertIn("010 5 ns 5 ns object transactor inout\n", said.stdout)

    def test_objects_with_different_fields(self):
        self.record("objects")

        def shape(*fields):
            return [(name, "INTEGER", value) for name, value in fields]

        left, right = under("in.left", BURST), under("in.right", BURST)
        first = shape(("in.a", 1)) + left + right + shape(("in.b", 2))
        last = shape(("out.a", 1)) + under("out.left", BURST) + under("out.right", BURST) + shape(("out.b", 2))
        forms = [first, shape(("in.b", 3)), shape(("in.b", 4), ("in.a", 5)), right + shape(("in.b", 6)),
                 [("in.a", "STRING", "text"), *shape(("in.c", 7)), *under("in.b", BURST),
                  *shape(("in." + 300 * "x", 8))], [], first]
        expected = [("shapes", sorted([("begin", *value) for value in form] +
                                      [("end", *value) for value in (last if number == 1 else [])]))
                    for number, form in enumerate(forms)]
        expected += [("unnamed", sorted([("begin", *value) for value in BURST] + [("end", "result", "INTEGER", -2)])),
                     ("late", []), ("late", sorted(("begin", *value) for value in under("in", BURST))),
                     ("late.events", [("begin", "name", "STRING", "issue")]),
                     ("colours", [("begin", "in", "STRING", "red")]),
                     ("values", [("begin", "in.number", "INTEGER", 9)])]
        found = [(generator, sorted(attributes)) for generator, _, _, attributes in self.attributes("my_db.ftr")]
        self.assertEqual(found, expected)

    def test_plain_files(self):
        self.record("plain")
        self.expect_whole()

        def size(way, **variables):
            self.record(way, **variables)
            return os.path.getsize(os.path.join(self.folder, "my_db.ftr"))

        self.assertGreater(size("plain"), size("all") + 100)
        self.assertLess(size("plain", FTR_COMPRESS="lz4"), size("plain") - 100)
        self.assertGreater(size("all", FTR_COMPRESS="none"), size("all") + 100)

    def test_a_text_database_is_recorded_as_ftr_with_a_message(self):
        self.assertIn("ftr convert --output-format scv", self.record("text").stderr)
        self.expect_whole()

    def test_exit_ends_the_file(self):
        self.record("exit", status=3)
        self.expect_whole()

    def test_records_nothing_without_init(self):
        self.record("uninitialised")
        self.assertEqual(os.listdir(self.folder), [])

    def test_records_nothing_without_a_default_database(self):
        self.record("no_default")
        self.assertEqual(self.attributes("my_db.ftr"), [])

    def test_handles_outlive_everything(self):
        self.assertIn("10\n", self.record("lifetimes").stdout)
        self.assertEqual(self.attributes("short.ftr"), [
            ("gone", 0, 1000, [("record", "late", "INTEGER", 1)]),
            ("open", 0, 1000, [("end", "unfinished", "BOOLEAN", True)])])

    def test_switching_off_keeps_open_transactions(self):
        self.assertIn("11\n", self.record("switched").stdout)
        self.assertEqual(self.attributes("switched.ftr"), [
            ("g", 0, 0, [("record", "while off", "INTEGER", 1)]), ("g", 0, 0, [])])

    def test_transactions_beyond_the_limit_have_ids(self):
        said = self.record("too_many")
        self.assertIn("4 0\n", said.stdout)
        self.assertIn('ftr: warning: invalid call of begin_tx() (ftr_tx_begin): a transaction of generator "g" in '
                      'stream "top": 262144 transactions are open, and no more are possible\n', said.stderr)
        self.assertIn("4 calls were invalid and had no effect: 4 begin_tx() (ftr_tx_begin) FTR_ERR_LIMIT\n",
                      said.stderr)

    def test_callbacks(self):
        said = self.record("callbacks").stdout
        self.assertIn("attribute=1 begin=2 db created=1 db deleted=1 end=2 fiber=2 generator=2 relation=1 value=2", said)

    def test_variables_apply(self):
        self.record("all", FTR_EXCLUDE="top.values", FTR_TRACE=os.path.join(self.folder, "other.ftr"))
        self.assertEqual({tx["stream"] for tx in self.trace("my_db.ftr").transactions}, {"top.events"})
        self.assertFalse(os.path.exists(os.path.join(self.folder, "other.ftr")))

    def test_an_invalid_variable_records_nothing(self):
        self.assertIn("FTR_MAX_SIZE", self.record("all", FTR_MAX_SIZE="many").stderr)
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    sc_adapter_test.PROGRAMS = sys.argv.pop(1)
    unittest.main(verbosity=2)
