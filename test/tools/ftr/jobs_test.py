#!/usr/bin/python3
"""Commands that read on several threads: with one and with four, output, messages and exit status must be equal,
for sound files, torn files, and files with any byte damaged. The arguments are the command and the program
core_workloads."""

import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import made_trace

FTR = WORKLOADS = ""
COMMANDS = [
    ["info", "--counts"],
    ["stats"],
    ["stats", "--json", "--by-stream"],
    ["check"],
    ["dump"],
    ["dump", "--order", "end", "--json"],
    ["dump", "--order", "stored", "--columns", "id,address,response"],
    ["dump", "--where", "length > 10 && address < 0x80000000", "--generator", "w*"],
    ["dump", "--from", "20us", "--to", "30us", "--relations"],
    ["dump", "--limit", "100"],
    ["summary", "--json"],
    ["convert", "--output-format", "perfetto", "-o", "-"],
]
# Sanitizers make each command several times slower.
DAMAGED = 6 if os.environ.get("FTR_SANITIZE") else 24
LARGE = 90000
UNSIGNED = 3
STRING = 10


class Jobs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.traces = {}
        for name, count in (("W2", 20000), ("W3", 5000), ("W4", 20000)):
            path = os.path.join(cls.folder.name, name + ".ftr")
            subprocess.run([WORKLOADS, name, str(count), path], check=True, env={"PATH": os.environ["PATH"]})
            cls.traces[name] = path

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_command(self, command, threads, *paths):
        done = subprocess.run([FTR, *command, "-j", str(threads), *paths], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, cwd=self.folder.name)
        return done.stdout, done.stderr, done.returncode

    def expect_equal(self, command, *paths):
        alone = self.run_command(command, 1, *paths)
        together = self.run_command(command, 4, *paths)
        self.assertEqual(alone, together, f"{command} {paths}")
        return alone

    def damaged(self, number):
        """Returns a file with a damaged byte, or without its end."""
        rng = random.Random(number)
        name = rng.choice(sorted(self.traces))
        path = os.path.join(self.folder.name, "damaged.ftr")
        made_trace.write_damaged(path, self.traces[name], rng, is_cut=number % 6 == 0)
        return path

    def test_sound_files(self):
        for path in self.traces.values():
            for command in COMMANDS:
                _, messages, status = self.expect_equal(command, path)
                self.assertEqual(status, 0, f"{command} {path}: {messages}")

    def test_damaged_files(self):
        found = 0
        for number in range(DAMAGED):
            path = self.damaged(number)
            for command in COMMANDS[:8]:
                _, _, status = self.expect_equal(command, path)
                found += status != 0
        self.assertGreater(found, DAMAGED)

    def test_small_budget(self):
        for memory in ("1M", "9M", "17M"):
            for command in (["dump"], ["stats"], ["check"]):
                self.expect_equal([*command, "--memory", memory], self.traces["W4"])

    def test_many_ids_in_a_small_budget(self):
        """The ids of the transactions need the memory of the threads."""
        path = os.path.join(self.folder.name, "sparse.ftr")
        made_trace.write(path, [[((200 * chunk + i) * 4096, 2 * (200 * chunk + i), 2 * (200 * chunk + i) + 1, [])
                                 for i in range(200)] for chunk in range(40)])
        self.assertEqual(self.expect_equal(["check", "--memory", "16M"], path)[2], 0)

    def write_large_texts(self, path, first, name, chunks):
        """Two dictionaries that do not fit together into the memory of a thread. The first begins with text 4, which
        is @p first, and the second with text 4 + LARGE, which is @p name."""
        texts = [str(number) for number in range(LARGE)]
        made_trace.write(path, chunks, ["note"], [[first, *texts[1:]], [name, *texts[1:]]])

    def test_texts_that_a_thread_does_not_find(self):
        """They are read again with more memory, so a digest of the missing text must not be used again."""
        texts = [[4 + LARGE, 4]] + 20 * [5 * [4]]
        chunks = []
        number = 0
        for chunk in texts:
            chunks.append([(number + i, 10 * (number + i), 10 * (number + i) + 5, [(8, 3, STRING, text)])
                           for i, text in enumerate(chunk)])
            number += len(chunk)
        paths = [os.path.join(self.folder.name, f"texts{i}.ftr") for i in range(2)]
        self.write_large_texts(paths[0], "foo", "y", chunks)
        self.write_large_texts(paths[1], "bar", "y", chunks)
        output, _, status = self.expect_equal(["diff", "--memory", "8M", "--json"], *paths)
        self.assertEqual(status, 1)
        self.assertEqual(json.loads(output.splitlines()[-1])["differences"], number - 1)
        self.assertEqual(self.expect_equal(["diff", "--memory", "8M"], paths[0], paths[0])[2], 0)

    def test_names_that_a_thread_does_not_find(self):
        chunks = [[(5 * chunk + i, 50 * chunk + 10 * i, 50 * chunk + 10 * i + 5,
                    ([(8, 3, STRING, 4)] if chunk == 0 else []) + [(8, 4 + LARGE, UNSIGNED, 7)])
                   for i in range(5)] for chunk in range(21)]
        path = os.path.join(self.folder.name, "names.ftr")
        self.write_large_texts(path, "0", "late_name", chunks)
        expected = self.run_command(["stats"], 1, path)
        self.assertIn(b"late_name", expected[0])
        self.assertEqual(self.expect_equal(["stats", "--memory", "8M"], path), expected)
        self.assertEqual(self.expect_equal(["diff", "--memory", "8M", "--ignore", "late_name"], path, path)[2], 0)

    def test_lines_that_exceed_the_memory(self):
        """A chunk is small, but its lines are not: they are printed one by one."""
        path = os.path.join(self.folder.name, "lines.ftr")
        chunks = [[(id_, 10 * id_, 10 * id_ + 5, [(7, 3, STRING, 4)]) for id_ in range(at, at + 200)]
                  for at in (1, 201)]
        made_trace.write(path, chunks, ["note", 65536 * "x"])
        output, messages, status = self.expect_equal(["dump", "--memory", "8M"], path)
        self.assertEqual((messages, status), (b"", 0))
        self.assertEqual(output.count(65536 * b"x"), 400)

    def test_differences(self):
        paths = [os.path.join(self.folder.name, name) for name in ("short2.ftr", "short4.ftr")]
        for path, name in zip(paths, ("W2", "W4")):
            subprocess.run([WORKLOADS, name, "2000", path], check=True, env={"PATH": os.environ["PATH"]})
        output = self.expect_equal(["diff", "--all"], *paths)[0]  # almost all transactions differ
        self.assertGreater(output.count(b"\n"), 2000)
        self.expect_equal(["diff"], self.traces["W2"], self.traces["W2"])
        for options in (["--where", "length > 5", "--json"], ["--tolerance", "3ns", "--all"],
                        ["--where", "absent > 5", "--ignore", "none", "--only", "len*"]):
            self.expect_equal(["diff", *options], self.traces["W2"], self.traces["W2"])

    def test_selected_differences(self):
        """The number of compared transactions is that of `ftr dump` with the same condition."""
        output, _, status = self.expect_equal(["diff", "--where", "length > 5", "--json"], self.traces["W2"],
                                              self.traces["W2"])
        lines = self.run_command(["dump", "--where", "length > 5"], 1, self.traces["W2"])[0].count(b"\n")
        self.assertEqual(status, 0)
        self.assertGreater(lines, 1000)
        self.assertEqual(json.loads(output.splitlines()[-1])["transactions"], [lines, lines])

    def test_differences_of_damaged_files(self):
        found = 0
        for number in range(DAMAGED // 4):
            path = self.damaged(number)
            found += self.expect_equal(["diff", "--quiet"], path, self.traces["W2"])[2] == 2
        self.assertGreater(found, 0)

    def test_copies(self):
        """The copies have the same transactions; their chunks depend on time."""
        for command in (["cut", "--from", "10us"], ["cut", "--where", "length > 5"]):
            copies = []
            for threads in (1, 4):
                path = os.path.join(self.folder.name, f"copy{threads}.ftr")
                done = self.run_command([*command, "-o", path], threads, self.traces["W2"])
                self.assertEqual(done[2], 0, done)
                copies.append(self.run_command(["dump"], 1, path))
                os.remove(path)
            self.assertEqual(*copies)
            self.assertGreater(len(copies[0][0]), 1000)

    def test_invalid_numbers(self):
        for number in ("0", "-1", "x", "2x", "", "100000"):
            done = self.run_command(["dump"], number, self.traces["W2"])
            self.assertEqual(done[2], 2)
            self.assertIn(b"-j", done[1] + b"-j" if not done[1] else done[1])


if __name__ == "__main__":
    FTR, WORKLOADS = map(os.path.abspath, sys.argv[1:3])
    unittest.main(argv=sys.argv[:1])
