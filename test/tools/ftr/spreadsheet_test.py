#!/usr/bin/python3
"""With --spreadsheet, no text of CSV and TSV is a formula; numbers are not changed. Without it, cells are exact. The output
is read with Python's csv module.

    spreadsheet_test.py FTR MAKE_FILES
"""

import csv
import io
import itertools
import os
import random
import subprocess
import sys
import tempfile
import unittest

FTR = MAKE_FILES = ""
FORMULA = tuple("=+-@\t\r\n")
ALPHABET = [*FORMULA, '"', "'", ",", ";", "\\", " ", "1", "é"]
NUMBERS = ["-5", "0", "-0.5", "1e+300", "-9223372036854775808", "-1e999"]


def run(*arguments, status=0):
    done = subprocess.run([FTR, *arguments], capture_output=True, check=False)
    assert done.returncode == status, (arguments, done)
    return done.stdout.decode(), done.stderr.decode()


def rows_of(output, form):
    """The cells as a program reads them that knows the format: quotes have a meaning in CSV only."""
    if form == "--csv":
        return list(csv.reader(io.StringIO(output, newline="")))
    rows = csv.reader(io.StringIO(output, newline=""), delimiter="\t", quoting=csv.QUOTE_NONE)
    marks = {"\\t": "\t", "\\n": "\n", "\\r": "\r", "\\\\": "\\"}
    return [["".join(marks.get(part, part) for part in split(cell)) for cell in row] for row in rows]


def split(cell):
    at = 0
    while at < len(cell):
        size = 2 if cell[at] == "\\" else 1
        yield cell[at:at + size]
        at += size


def shown_cells(output, form):
    """The cells as a spreadsheet reads them: it removes quotes from TSV, too."""
    return list(csv.reader(io.StringIO(output, newline=""), dialect="excel" if form == "--csv" else "excel-tab"))


def texts():
    picked = random.Random(8)
    return (["", "=1+1", "@SUM(A1)", "-5", "+49", '"=1+1"', '"@x', "'=1", "a=b", "=" * 70000]
            + ["".join(pair) for pair in itertools.product(ALPHABET, repeat=2)]
            + ["".join(picked.choices(ALPHABET, k=picked.randrange(1, 9))) for _ in range(500)])


class Spreadsheet(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        os.chdir(cls.scratch.name)
        subprocess.run([os.path.abspath(MAKE_FILES)], check=True)

    @classmethod
    def tearDownClass(cls):
        os.chdir("/")
        cls.scratch.cleanup()

    def query(self, query, *options):
        with open("query.sql", "w", encoding="utf-8", newline="") as file:
            file.write(query)
        return run("sql", *options, "-f", "query.sql", "small.ftr")[0]

    def test_texts_of_queries(self):
        values = texts()
        query = " UNION ALL ".join(f"SELECT {i}, {quoted(text)}, 'after'" for i, text in enumerate(values[:400]))
        rest = " UNION ALL ".join(f"SELECT {400 + i}, {quoted(text)}, 'after'" for i, text in enumerate(values[400:]))
        for form in ("--csv", "--tsv"):
            exact = self.query(f"{query}; {rest};", form, "--no-header")
            self.assertEqual(rows_of(exact, form), [[str(i), text, "after"] for i, text in enumerate(values)])
            output = self.query(f"{query}; {rest};", form, "--no-header", "--spreadsheet")
            marked = [("'" if text.startswith((*FORMULA, '"')) else "") + text for text in values]
            self.assertEqual(rows_of(output, form), [[str(i), text, "after"] for i, text in enumerate(marked)])
            cells = shown_cells(output, form)
            self.assertEqual([len(row) for row in cells], [3] * len(values))
            self.assertEqual([row for row in cells if row[1].startswith(FORMULA)], [])

    def test_numbers_and_names_of_columns(self):
        query = "SELECT " + ", ".join(f"{number} AS '={i}'" for i, number in enumerate(NUMBERS)) + ", NULL AS n, X'3d31' AS b"
        for form in ("--csv", "--tsv"):
            plain = rows_of(self.query(query, form), form)
            rows = rows_of(self.query(query, form, "--spreadsheet"), form)
            self.assertEqual(rows[0], [f"'={i}" for i in range(len(NUMBERS))] + ["n", "b"])
            self.assertEqual(plain[0], [f"={i}" for i in range(len(NUMBERS))] + ["n", "b"])
            self.assertEqual(rows[1], plain[1][:-1] + ["'=1"])
            self.assertEqual([float(cell) for cell in rows[1][:len(NUMBERS)]], list(map(float, NUMBERS)))
            self.assertEqual(plain[1][-2:], ["", "=1"])

    def test_names_of_figures(self):
        rest = "cmd|', \"1\";"
        run("merge", "--compress", "none", "--prefix", "nanoseconds.ftr=X" + rest, "-o", "prefixed.ftr", "nanoseconds.ftr")
        with open("prefixed.ftr", "rb") as file:
            trace = file.read()
        for first in (*FORMULA, '"'):
            prefix = first + rest
            path = f"{first}a,b.ftr"
            with open(path, "wb") as file:
                file.write(trace.replace(("X" + rest).encode(), prefix.encode()))
            for command in ("stats", "summary"):
                exact = rows_of(run(command, "--csv", "--", path)[0], "--csv")
                self.assertGreater(len(exact), 1)
                streams = {row[1] for row in exact[1:] if row[0] == path}
                self.assertTrue(streams and all(name.startswith(prefix) for name in streams), streams)
                rows = rows_of(run(command, "--csv", "--spreadsheet", "--", path)[0], "--csv")
                def marked(cell):
                    return ("'" if cell.startswith((*FORMULA, '"')) else "") + cell
                # The texts are the first three columns and, in `stats`, the label of the link behind the numbers.
                is_text = [i < 3 or title == "link" for i, title in enumerate(exact[0])]
                self.assertEqual(rows, [exact[0]] + [[marked(cell) if text else cell for cell, text in zip(row, is_text)]
                                                     for row in exact[1:]])
                self.assertLess(int(rows[1][3]), 0)  # the time scale

    def test_without_csv_and_tsv_it_is_an_error(self):
        for words in ("sql --spreadsheet small.ftr X", "sql --json --spreadsheet small.ftr X", "stats --spreadsheet small.ftr",
                      "stats --json --spreadsheet small.ftr", "summary --table --spreadsheet small.ftr",
                      "summary --spreadsheet -o x.fts small.ftr"):
            output, said = run(*words.split(), status=2)
            self.assertEqual(output, "")
            self.assertIn("--spreadsheet is for --csv", said)
        self.assertFalse(os.path.exists("x.fts"))


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


if __name__ == "__main__":
    FTR, MAKE_FILES = map(os.path.abspath, sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
