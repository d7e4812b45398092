#!/usr/bin/python3
"""named_tests_test.py SOURCE_DIR BUILD_DIR: each test that a page names behind "Test:" or "Tests:" exists.

`name` is a test, a program with tests, or the first part of the names of tests; `directory/name` is a path in the
sources. `name` (`Part`) is a test of `name` with Part in its own name."""

import json
import pathlib
import re
import subprocess
import sys

FEWEST = 40
CLAUSE = re.compile(r"\bTests?:\s(.*?)\.(?=\s|$)", re.DOTALL)
GROUP = re.compile(r"`([^`]+)`(?:\s+\(([^)]*)\))?")


class Tests:
    def __init__(self, source, build):
        self.source = source
        answer = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, check=True, stdout=subprocess.PIPE)
        self.programs = {}  # names of tests, by program
        self.names = []
        for test in json.loads(answer.stdout)["tests"]:
            self.names.append(test["name"])
            for word in test.get("command", [])[:1]:
                self.programs.setdefault(pathlib.Path(word).name, []).append(test["name"])

    def of(self, name):
        """The names of the tests that a page calls `name`."""
        return self.programs.get(name, []) + [one for one in self.names if one == name or
                                              one.startswith(name.rstrip(".") + ".")]

    def contains(self, name):
        return (self.source / name).exists() if "/" in name else bool(self.of(name))


def missing(tests, clause):
    """The names in a clause that no test has; and the number of all names."""
    absent, count = [], 0
    for name, parts in GROUP.findall(clause):
        names = re.findall(r"`([^`]+)`", parts)
        count += 1 + len(names)
        if not tests.contains(name):
            absent.append(name)
        absent += [part for part in names
                   if not any(part in one for one in tests.of(name)) and not tests.contains(part)]
    return absent, count


def main():
    source, build = map(pathlib.Path, sys.argv[1:])
    tests = Tests(source, build)
    pages = [source / "README.md", source / "SECURITY.md", *sorted((source / "docs").rglob("*.md"))]
    failed, total = False, 0
    for page in pages:
        for clause in CLAUSE.findall(page.read_text()):
            absent, count = missing(tests, clause)
            total += count
            for name in absent:
                print(f"{page.relative_to(source)}: no test has the name {name}")
                failed = True
    print(f"{total} names")
    sys.exit(failed or total < FEWEST)


main()
