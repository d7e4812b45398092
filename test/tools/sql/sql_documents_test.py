#!/usr/bin/python3
"""Runs the queries of docs/sql.md and the programs of docs/python.md on a trace of an example.

    sql_documents_test.py FTR EXTENSION PIPELINED_BUS DOCS MAKE_REPORT_TRACE

Every ```sql block must return at least one row; a ```text block after it is the expected output. The rows of the numbered
queries must be those that documented_answers.py computes without SQL.
"""

import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "exchange"))
from documented_answers import ANSWERS
from dumped import ExchangeTest, run
from trace_rows import Rows, ask

FTR, EXTENSION, EXAMPLE, DOCS, MAKER = (os.path.abspath(argument) for argument in sys.argv[1:])
NUMBERED = re.compile(r"^\*\*(\d+)\. ([^\n]*)\*\*\n\n```sql\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


def blocks(page):
    """Returns (language, text) of each fenced block, without its indentation."""
    with open(os.path.join(DOCS, page), encoding="utf-8") as file:
        text = file.read()
    return [(language, re.sub(f"(?m)^{indent}", "", content)) for indent, language, content in BLOCK.findall(text)]


class Documents(ExchangeTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        subprocess.run([EXAMPLE], env=dict(os.environ, FTR_TRACE="bus.ftr"), check=True, capture_output=True)
        subprocess.run([MAKER, "hops", "300", "accesses.ftr"], check=True)
        os.mkdir("night")
        for seed in "12":
            subprocess.run([EXAMPLE], env=dict(os.environ, FTR_TRACE=f"night/{seed}.ftr", FTR_TAGS=f"test=bus,seed={seed}"),
                           check=True, capture_output=True)
        run(FTR, "summary", "night/1.ftr", "night/2.ftr", "-o", "night.fts")

    def test_query_results_are_as_documented(self):
        found, expected = 0, 0
        page = blocks("sql.md")
        for at, (language, text) in enumerate(page):
            if language != "sql":
                continue
            found += 1
            trace = "night.fts" if re.search(r"\b(figures|latency_bin|slowest)\b", text) else "accesses.ftr" if re.search(r"\b(hop|error)\b", text) else "bus.ftr"
            output = run(FTR, "sql", trace, text)
            self.assertGreaterEqual(len(output.splitlines()), 2, text)
            if at + 1 < len(page) and page[at + 1][0] == "text":
                expected += 1
                self.assertEqual(output, page[at + 1][1], text)
        self.assertGreaterEqual(found, 37)
        self.assertGreaterEqual(expected, 8)

    def test_answers_are_those_of_a_program(self):
        with open(os.path.join(DOCS, "sql.md"), encoding="utf-8") as file:
            queries = NUMBERED.findall(file.read())
        self.assertEqual([int(number) for number, _, _ in queries], list(range(1, 31)))
        rows = Rows(FTR, "bus.ftr")
        for number, question, query in queries[:len(ANSWERS)]:
            with self.subTest(number=number, question=question):
                self.assertEqual(ANSWERS[int(number)](rows).difference(ask(FTR, "bus.ftr", query)), "")
        self.assertEqual(len(ANSWERS), 29)  # the last query asks for a plan

    def test_the_first_command_prints_its_table(self):
        with open(os.path.join(DOCS, "sql.md"), encoding="utf-8") as file:
            command = re.search(r"^    ftr sql run\.ftr '(.*)'$", file.read(), re.MULTILINE).group(1)
        self.assertEqual(run(FTR, "sql", "bus.ftr", command), next(t for l, t in blocks("sql.md") if l == "text"))

    def test_python_programs_run(self):
        programs = [text for language, text in blocks("python.md") if language == "python"]
        self.assertEqual(len(programs), 3)
        if subprocess.run(["/usr/bin/python3", "-c", "import pandas"], capture_output=True).returncode != 0:
            programs.pop()
        script = "\n".join(programs).replace('"ftr_sqlite"', repr(EXTENSION))
        output = run("/usr/bin/python3", "-c", script)
        self.assertIn("top.cpu read 24 5.3e-08", output)
        self.assertIn("#####", output)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
