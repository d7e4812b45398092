#!/usr/bin/python3
"""No name, pattern, query or text acts on the terminal: every command runs on a terminal with hostile arguments.

    terminal_test.py FTR MAKE_FILES
"""

import csv
import io
import os
import pty
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import made_trace  # noqa: E402

FTR = MAKE_FILES = ""
#: ESC, BEL, DEL, C1, a change of direction, and a line end that is not ASCII
HOSTILE = "e\x1b[31m\x07\u009b1m\u202e\u2028\x7f\u061c"
ACTING = {*map(chr, range(32)), *map(chr, range(0x7f, 0xa0)), "\u061c", "\u200e", "\u200f",
          *map(chr, range(0x2028, 0x202f)), *map(chr, range(0x2066, 0x206a))} - {"\n", "\t"}
TRACE, OTHER, FOREIGN, MISSING, FOLDER = (kind + HOSTILE for kind in ("trace", "other", "foreign", "missing", "folder"))
SUMMARY, RULES = "night" + HOSTILE + ".fts", "rules" + HOSTILE


def escaped(text):
    """@p text as the commands print it on a terminal."""
    return "".join("".join(f"\\x{byte:02x}" for byte in c.encode()) if c in ACTING | {"\n", "\t"} else c for c in text)


class Terminal(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        os.chdir(cls.scratch.name)
        subprocess.run([os.path.abspath(MAKE_FILES)], check=True)
        shutil.copy("small.ftr", TRACE)
        shutil.copy("nanoseconds.ftr", OTHER)
        with open(FOREIGN, "w", encoding="utf-8") as file:
            file.write(f"a line {HOSTILE}\n")
        os.mkdir(FOLDER)
        with open(RULES, "w", encoding="utf-8") as file:
            file.write("* count > 1000000\n")
        made_trace.write("texts.ftr", [[(1, 0, 5, [(8, 3, 5, 4)])]], names=["name" + HOSTILE, "text" + HOSTILE])
        subprocess.run([FTR, "summary", "-o", SUMMARY, TRACE, OTHER, "torn.ftr"], capture_output=True, check=False)
        assert os.path.getsize(SUMMARY) > 0

    @classmethod
    def tearDownClass(cls):
        os.chdir("/")
        cls.scratch.cleanup()

    def shown(self, *arguments):
        """Returns the text that a command shows on a terminal."""
        ours, theirs = pty.openpty()
        child = subprocess.Popen([FTR, *arguments], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs)
        os.close(theirs)
        output = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # every descriptor of the terminal is closed
                break
            output += piece
        os.close(ours)
        self.assertIn(child.wait(), range(128), arguments)
        text = output.decode("utf-8", "replace").replace("\r\n", "\n")
        # Without the progress bar, which is removed before other lines.
        return "".join(part for part in text.split("\r\x1b[K") if not part.startswith("["))

    def expect_harmless(self, *arguments):
        text = self.shown(*arguments)
        self.assertEqual(sorted(map(ascii, ACTING & set(text))), [], (arguments, text[:400]))

    def test_files(self):
        for file in (TRACE, FOREIGN, MISSING, FOLDER):
            for command in (
                    "dump", "dump --json", "stats", "stats --csv", "stats --json", "info", "info --json", "check",
                    "check --strict --all", "check --json", "cat 1", "summary --table", "summary --csv", "summary --json",
                    "report --text", "report", "diff " + OTHER, "diff --json " + OTHER, "gate " + RULES,
                    "gate --json " + RULES, "farm summary -o farmed", "convert --output-format perfetto -o -",
                    "convert --output-format scv-text -o -"):
                with self.subTest(command=ascii(command), file=ascii(file)):
                    self.expect_harmless(*command.split(" "), file)

    def test_outputs(self):
        for file in (TRACE, MISSING):
            for command in ("cut", "merge", "recover", "summary", "summary --merge", "report",
                            "convert --output-format ctf", "convert --output-format flux", "convert --input-format flux",
                            "convert --input-format scv-text", "convert --input-format trace-buffer"):
                for output in ("written" + HOSTILE, FOLDER, os.path.join(FOREIGN, "x")):
                    with self.subTest(command=command, file=ascii(file), output=ascii(output)):
                        self.expect_harmless(*command.split(" "), "-o", output, file)

    def test_arguments(self):
        for command in (
                "dump --stream @ T", "dump --generator @ T", "dump --where @ T", "dump --columns @ T", "dump --from @ T",
                "stats --fail-if @ T", "stats --percentiles @ T", "recover --journal @ -o x T", "convert --output-format @ T",
                "convert --input-format @ T", "merge --prefix @ -o x T", "gate --baseline @ R S",
                "gate R S", "gate S R", "check --memory @ T", "diff --@ T T", "report --diff T T --@", "attach -- @",
                "attach --library @ -- true", "farm @", "build-plugin @", "build-plugin --systemc @", "@", "help @",
                "sql -f @ T",
                "gate --junit @/x R S"):
            values = {"@": HOSTILE, "T": TRACE, "R": RULES, "S": SUMMARY}
            words = [values[word] if word in values else word.replace("@", HOSTILE) for word in command.split(" ")]
            with self.subTest(command=command):
                self.expect_harmless(*words)

    def test_queries(self):
        for query in ("SELECT " + HOSTILE, f"SELECT '{HOSTILE}", f"SELECT é{HOSTILE} FROM", f"ATTACH '{HOSTILE}' AS x",
                      f"SELECT '{HOSTILE}' AS 'name{HOSTILE}'", "SELECT '{\x1b' AS attributes"):
            for form in ([], ["--csv"], ["--tsv"], ["--json"]):
                with self.subTest(query=ascii(query), form=form):
                    self.expect_harmless("sql", *form, "small.ftr", query)

    def test_csv_and_tsv_are_escaped_only_on_a_terminal(self):
        text = f'say "{HOSTILE}", é'
        query = "SELECT '" + text.replace("'", "''") + "' AS n"
        for form, delimiter in (("--csv", ","), ("--tsv", "\t")):
            shown = self.shown("sql", form, "small.ftr", query)
            written = subprocess.run([FTR, "sql", form, "small.ftr", query], capture_output=True, check=True).stdout.decode()
            for output, expected in ((shown, escaped(text)), (written, text)):
                rows = list(csv.reader(io.StringIO(output, newline=""), delimiter=delimiter,
                                       quoting=csv.QUOTE_MINIMAL if form == "--csv" else csv.QUOTE_NONE))
                self.assertEqual(rows, [["n"], [expected]])

    def test_csv_of_figures(self):
        shown = self.shown("stats", "--csv", TRACE)
        written = subprocess.run([FTR, "stats", "--csv", TRACE], capture_output=True, check=True).stdout.decode()
        self.assertIn(f'"{TRACE}"', written)
        self.assertEqual(shown, written.replace(TRACE, escaped(TRACE)))

    def test_texts_of_a_trace(self):
        for command in ("dump", "dump --json", "cat", "check --all", "info --counts"):
            with self.subTest(command=command):
                self.expect_harmless(*command.split(" "), "texts.ftr")

    def test_messages_are_escaped_in_files_too(self):
        for arguments in (["info", MISSING], ["dump", "--stream", HOSTILE, TRACE], ["sql", "small.ftr", "SELECT " + HOSTILE]):
            said = subprocess.run([FTR, *arguments], capture_output=True, check=False).stderr.decode()
            self.assertEqual(ACTING & set(said), set(), arguments)
            self.assertIn("\\x1b", said)

    def test_the_mark_is_below_the_error(self):
        query = "SELECT '\x1b\u202eé', 1 FRO small"
        lines = self.shown("sql", "small.ftr", query).splitlines()
        self.assertEqual(lines[1], "  " + escaped(query))
        self.assertEqual(lines[2].index("^"), lines[1].index("small"))


if __name__ == "__main__":
    FTR, MAKE_FILES = map(os.path.abspath, sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
