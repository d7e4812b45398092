#!/usr/bin/python3
"""walk_test.py SOURCE_DIR: each `file: function` in "The walk of a transaction" of docs/design.md exists."""

import pathlib
import re
import sys

FEWEST = 20


def is_defined(text, function):
    """Whether a line that is not indented has the function, followed by its body."""
    for found in re.finditer(rf"^\w[^\n;]*\b{function}\(", text, re.MULTILINE):
        rest = text[found.end():]
        if rest.find("{") >= 0 and rest.find(";") > rest.find("{"):
            return True
    return False


def main():
    source = pathlib.Path(sys.argv[1])
    page = (source / "docs" / "design.md").read_text()
    start = page.index("### The walk of a transaction")
    steps = re.findall(r"`([\w./]+): (\w+)`", page[start:page.index("\n### ", start + 1)])
    failed = len(steps) < FEWEST
    print(f"{len(steps)} steps")
    for name, function in steps:
        file = source / name
        if not file.exists():
            print(f"docs/design.md: {name} does not exist")
        elif not is_defined(file.read_text(), function):
            print(f"docs/design.md: {name} does not define {function}()")
        else:
            continue
        failed = True
    sys.exit(failed)


main()
