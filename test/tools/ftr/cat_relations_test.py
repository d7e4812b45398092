#!/usr/bin/python3
"""Checks the relations that `ftr cat` prints, at the limit for one transaction and beyond the memory.

    cat_relations_test.py FTR
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "exchange"))
from cbor_file import write_ftr  # noqa: E402

KEPT = 1000


class CatRelations(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = os.path.join(self.folder.name, "made.ftr")

    def write(self, count, relations):
        self.relations = relations
        write_ftr(self.file, [("top", "", [("read", i, i + 1, []) for i in range(count)])], relations=relations)

    def cat(self, *arguments, status=0, said=""):
        done = subprocess.run([FTR, "cat", *arguments], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (status, said))
        return done.stdout

    def ends(self, number):
        """The relations of a transaction, in the order of the file, as (name, is outgoing, other)."""
        return [(name, first == number, second if first == number else first)
                for name, first, second in self.relations if number in (first, second)]

    def tree(self, number, depth):
        """The lines of the tree, by brute force."""
        def lines(current, path):
            if len(path) > depth:
                return
            found = self.ends(current)
            for name, outgoing, other in found[:KEPT]:
                if other not in path[:-1]:
                    yield f"{'    ' * len(path)}{'->' if outgoing else '<-'} {name} ... #{other}"
                    yield from lines(other, path + [other])
            if len(found) > KEPT:
                yield (f"{'    ' * len(path)}... and {len(found) - KEPT} more relations ('ftr cat --json' prints the "
                       "relations of one transaction in full)")
        return list(lines(number, [number]))

    def printed(self, number, *arguments):
        """The lines of the tree as printed, without times and names of streams."""
        lines = self.cat(*arguments, self.file, str(number)).splitlines()[1:]
        return [line if line.lstrip().startswith("...") else
                " ".join(line[:len(line) - len(line.lstrip()) - 1].split(" ") + line.split()[:2]) + " ... " +
                line.split()[-1] for line in lines]

    def test_at_the_limit(self):
        for count in (0, 1, KEPT - 1, KEPT, KEPT + 1, 3 * KEPT):
            with self.subTest(count=count):
                self.write(count + 1, [("all", 1, i) for i in range(2, count + 2)])
                self.assertEqual(self.printed(1), self.tree(1, 3))
                found = json.loads(self.cat("--json", self.file, "1"))["relations"]
                self.assertEqual(found, [{"name": "all", "to": i} for i in range(2, count + 2)])

    def test_random_graphs(self):
        chosen = random.Random(5)
        for _ in range(30):
            count = chosen.randint(2, 12)
            self.write(count, [(chosen.choice("ab"), chosen.randint(1, count), chosen.randint(1, count))
                               for _ in range(chosen.randint(0, 14))])
            for depth in (0, 1, 2, 4):
                number = chosen.randint(1, count)
                with self.subTest(relations=self.relations, number=number, depth=depth):
                    self.assertEqual(self.printed(number, "--depth", str(depth)), self.tree(number, depth))

    def test_beyond_the_memory(self):
        count = 60000
        self.write(count, [("next", i // 900 + 1, i) for i in range(2, count + 1)])
        said = (f"ftr: {self.file}: the relations of #1 up to a distance of 3 exceed the memory budget; raise "
                "--memory, or lower --depth\n")
        self.cat("--memory", "1M", self.file, "1", status=2, said=said)
        self.assertEqual(self.printed(1, "--memory", "1M", "--depth", "1"), self.tree(1, 1))


if __name__ == "__main__":
    FTR = sys.argv.pop(1)
    unittest.main()
