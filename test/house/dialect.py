#!/usr/bin/python3
"""The dialect of C (CONTRIBUTING.md, "C dialect"), as far as regular expressions can check it. The argument is the source
directory."""

import pathlib
import re
import sys

# Not rooms: tests, examples for users, build folders.
OTHER_FOLDERS = {"test", "docs", "sc_examples", "build", "include"}
# The rules that need not hold in a room: the programs of bench export nothing.
EXEMPT = {"bench": {"prefix", "typedef"}}
# Code for other programs to read or compile: examples of the trace linker.
EXAMPLES = "tools/trace_linker/example/"

POINTERS = "(?:mem|str)r?chr|strstr|strdup|strndup|(?:m|c|re)alloc|f?d?open(?:dir)?|getenv|realpath|strpbrk"
RULES = [
    # name, files, pattern, rule
    ("increment", ".c.h", r"^\s*(?:\+\+|--)[\w*(]|;\s*(?:\+\+|--)\w+\)\s*\{?$", "write i++ as a statement"),
    ("null", ".c.h", rf"![ ]?(?:{POINTERS.replace('f?d?open', 'f(?:d)?open')})\(|NULL [!=]= ", "write p == NULL"),
    ("prefix", ".h", r"^typedef (?:struct|enum|union) (?!ftr_)\w+|^\} (?!ftr_)[a-z]\w*;", "types of headers begin with ftr_"),
    ("typedef", ".c.h", r"^(?:struct|enum|union) (?!ftr_)\w+ \{", "a struct has a typedef of the same name"),
    ("static", ".c", r"^static (?!inline)[\w *]*\bftr_\w+\(", "static functions have no prefix"),
    ("open", ".c.h", r'\bfopen\([^"]*"(?![^"]*e)[^"]*"\)|(?<![\w.>-])open\((?![^;]*O_CLOEXEC)[^;]*O_[^;]*;', "files are opened close-on-exec"),
]


def without_comments(text):
    """The code, with comments and strings blanked out so that lines keep their numbers."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match[0])
    return re.sub(r"/\*.*?\*/|//[^\n]*", blank, text, flags=re.S)


def main(source):
    source = pathlib.Path(source).resolve()
    failed = 0
    files = 0
    rooms = {path.parent.name for path in source.glob("*/CMakeLists.txt")} - OTHER_FOLDERS
    for room in sorted(rooms):
        for file in sorted((source / room).rglob("*.[ch]")):
            name = str(file.relative_to(source))
            if name.startswith(EXAMPLES):
                continue
            files += 1
            code = without_comments(file.read_text(errors="replace"))
            for rule, suffixes, pattern, advice in RULES:
                if file.suffix not in re.findall(r"\.\w", suffixes) or rule in EXEMPT.get(room, ()):
                    continue
                for found in re.finditer(pattern, code, re.M):
                    line = code.count("\n", 0, found.start() + len(found[0]) - len(found[0].lstrip())) + 1
                    print(f"{name}:{line}: {advice}: {found[0].strip()[:60]}")
                    failed += 1
    print(f"{files} files, {failed} findings")
    return 1 if failed or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
