#!/usr/bin/env python3
"""Checks that comments and documentation name their subjects.

    language.py SOURCE_DIR

Counts relative and interrogative pronouns (WORDS) in the comments of code and in the text of documentation, for each
room (top-level folder). Fails if a room has more than 1.5 of them per 1000 words, and prints each line that has one. The
style guide explains why: a pronoun as the subject of a sentence hides the noun that the reader needs. The names of
tests contain none of these words.
"""

import io
import os
import re
import sys
import tokenize

WORDS = re.compile(r"\b(what|who|whose|whom|such|hardly|whatever|whoever)\b", re.IGNORECASE)
WIDTH = 120
LIMIT = 1.5 / 1000

# The name of a test: TEST(Unit, Name) in C++, def test_name in Python.
TEST_NAME = re.compile(r"\bTEST(?:_F|_P)?\(\s*\w+,\s*(\w+)\)|\bdef (test_\w+)")
NAME_WORD = re.compile(r"[A-Z][a-z]*|[a-z]+")

# Folders without text of this project.
SKIPPED = {".git", "build", "corpus", "__pycache__"}

# Comments and literals of C and C++, and of shell and CMake; a literal may contain the mark of a comment.
C_TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
HASH_COMMENT = re.compile(r"^[ \t]*#(?!!).*$", re.MULTILINE)


def c_comments(text):
    """Yields (offset, comment) for C and C++."""
    for token in C_TOKEN.finditer(text):
        if token[0].startswith("/"):
            yield token.start(), token[0]


def hash_comments(text):
    """Yields (offset, comment) for shell scripts and CMake files."""
    for comment in HASH_COMMENT.finditer(text):
        yield comment.start(), comment[0]


def python_comments(text):
    """Yields (offset, comment) for Python: comments, and strings that are statements (documentation)."""
    line_starts = [0]
    for line in text.splitlines(keepends=True):
        line_starts.append(line_starts[-1] + len(line))
    previous = tokenize.NEWLINE
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        is_documentation = token.type == tokenize.STRING and previous in (tokenize.NEWLINE, tokenize.INDENT)
        if token.type == tokenize.COMMENT or is_documentation:
            yield line_starts[token.start[0] - 1] + token.start[1], token.string
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            previous = token.type


def whole_text(text):
    """Yields documentation as a single part."""
    yield 0, text


def extractor(path):
    """Returns the function that extracts the English text of a file; None for files without."""
    name = os.path.basename(path)
    suffix = os.path.splitext(name)[1]
    if suffix in (".c", ".h", ".cpp", ".hpp"):
        return c_comments
    if suffix == ".py":
        return python_comments
    if suffix in (".sh", ".cmake", ".in") or name == "CMakeLists.txt":
        return hash_comments
    if suffix in (".md", ".man"):
        return whole_text
    if suffix == "" and os.path.basename(os.path.dirname(path)) in ("scripts", ".ci"):
        return hash_comments
    return None


def source_files(folder):
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in SKIPPED)
        for name in sorted(names):
            yield os.path.join(parent, name)


def room_of(path, root):
    parts = os.path.relpath(path, root).split(os.sep)
    return parts[0] if len(parts) > 1 else "top-level files"


def count(root):
    """Returns, for each room, the number of words and the lines with pronouns."""
    rooms = {}
    for path in source_files(root):
        extract = extractor(path)
        if extract is None:
            continue
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        room = rooms.setdefault(room_of(path, root), [0, []])
        for offset, part in extract(text):
            room[0] += len(re.findall(r"[A-Za-z']+", part))
            for word in WORDS.finditer(part):
                line = text.count("\n", 0, offset + word.start()) + 1
                room[1].append(f"{os.path.relpath(path, root)}:{line}: {text.splitlines()[line - 1].strip()}")
    return rooms


def wide_lines(root):
    """Returns the lines of pages that are not wrapped. Commands, tables and links cannot be wrapped."""
    found = []
    for path in source_files(root):
        if not path.endswith(".md"):
            continue
        fenced = False
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file.read().splitlines(), 1):
                fenced ^= line.lstrip().startswith("```")
                if len(line) > WIDTH and not fenced and not line.startswith(("|", "    ")) and " " in line.strip():
                    found.append(f"{os.path.relpath(path, root)}:{number}: {len(line)} columns, at most {WIDTH}")
    return found


def unclear_test_names(root):
    """Returns the names of tests with one of WORDS."""
    found = []
    for path in source_files(os.path.join(root, "test")):
        if not path.endswith((".py", ".cpp")):
            continue
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        for match in TEST_NAME.finditer(text):
            name = match[1] or match[2]
            if any(WORDS.fullmatch(word) for word in NAME_WORD.findall(name)):
                line = text.count("\n", 0, match.start()) + 1
                found.append(f"{os.path.relpath(path, root)}:{line}: the name of the test {name} hides its subject")
    return found


def main():
    rooms = count(sys.argv[1])
    defects = wide_lines(sys.argv[1]) + unclear_test_names(sys.argv[1])
    failed = bool(defects)
    print(*defects, sep="\n")
    for room, (words, found) in sorted(rooms.items()):
        # One is accepted in a room of any size.
        if len(found) <= max(1, words * LIMIT):
            continue
        print(f"{room}: {len(found)} pronouns in {words} words, {1000 * len(found) / words:.1f} per 1000; "
              f"at most {1000 * LIMIT:.1f}")
        failed = True
        print(*found, sep="\n")
    sys.exit(failed)


if __name__ == "__main__":
    main()
