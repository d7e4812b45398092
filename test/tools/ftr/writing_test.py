#!/usr/bin/python3
"""The effect of writing commands on files: if killed at any change of a file, they leave the old
file or the complete new one, and they replace no trace, input, link or device. The arguments are
the command and the programs make_tool_files, live_recording and kill_at_call."""

import glob
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "support"), str(HERE.parents[1] / "exchange")]
import made_trace  # noqa: E402 (found by the line above)
from cbor_file import write_ftr  # noqa: E402

FTR, MAKE_FILES, RECORDING, KILL_AT_CALL = sys.argv[1:]
DECODE = str(HERE.parents[1] / "support" / "ftr_decode.py")
OUTPUT = "output.file"
TRACED = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")  # LeakSanitizer would need to trace the process itself
# Every command that writes, each with the inputs made by setUp().
COMMANDS = {
    "cut": ("cut", "small.ftr"),
    "merge": ("merge", "small.ftr", "nanoseconds.ftr"),
    "recover a torn file": ("recover", "torn.ftr"),
    "recover a damaged file": ("recover", "lost_text.ftr"),
    "recover with a journal": ("recover", "crashed.ftr"),
    "to scv": ("convert", "--output-format", "scv", "small.ftr"),
    "to flux": ("convert", "--output-format", "flux", "small.ftr"),
    "to perfetto": ("convert", "--output-format", "perfetto", "small.ftr"),
    "from scv": ("convert", "--input-format", "scv", "small.txlog"),
    "from flux": ("convert", "--input-format", "flux", "small.recTr"),
    "from scv, with doubles": ("convert", "--input-format", "scv", "double.txlog"),
}
DOUBLE_TEXT = """scv_tr_stream (ID 1, name "s", kind "k")
scv_tr_generator (ID 2, name "g", scv_tr_stream 1,
)
tx_begin 1 2 1 ns
tx_end 1 2 2 ns
tx_record_attribute 1 "third" FLOATING_POINT_NUMBER = 0.333333333333333333
"""


def run(*arguments, **more):
    return subprocess.run(arguments, capture_output=True, timeout=300, check=False, **more)


def decoded(path):
    """Returns the content of a file, read by the independent decoder, by kind of record."""
    result = run("/usr/bin/python3", DECODE, "json", path)
    if result.returncode != 0:
        raise AssertionError(result.stderr)
    records = [json.loads(line) for line in result.stdout.splitlines()]
    return {kind: [r for r in records if r["record"] == kind]
            for kind in {r["record"] for r in records}}


def read(path):
    return pathlib.Path(path).read_bytes()


class WritingTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        os.chdir(folder.name)
        self.addCleanup(os.chdir, "/")
        os.environ.pop("FTR_JOURNAL_DIR", None)
        self.assertEqual(run(MAKE_FILES).returncode, 0)
        pathlib.Path("double.txlog").write_text(DOUBLE_TEXT, encoding="utf-8")
        # One transaction uses an undefined text, so that the repair has a second step.
        pathlib.Path("lost_text.ftr").write_bytes(read("plain.ftr").replace(b"\x65ERROR", b"\x65\xff\xff\xff\xff\xff"))
        self.check(0, "convert", "--output-format", "scv", "-o", "small.txlog", "small.ftr")
        self.check(0, "convert", "--output-format", "flux", "-o", "small.recTr", "small.ftr")

    def check(self, status, *arguments, **more):
        result = run(FTR, *arguments, **more)
        self.assertEqual(result.returncode, status, (arguments, result.stderr))
        return result

    def crash(self, path, mode=None):
        """A trace of a killed recorder, with its journal."""
        recording = subprocess.Popen([RECORDING, path, "400"], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE)
        self.assertEqual(recording.stdout.readline(), b"ready\n")
        recording.kill()
        recording.communicate()
        self.assertTrue(os.path.exists(path + ".journal"))
        if mode is not None:
            os.chmod(path, mode)


class KillTest(WritingTest):
    def outcomes(self, arguments, old):
        """Returns the output files after the command was killed at its first, second, ... change."""
        for number in range(1, 1000):
            for left in glob.glob(OUTPUT + "*"):
                os.remove(left)
            if old is not None:
                pathlib.Path(OUTPUT).write_bytes(old)
            status = run(KILL_AT_CALL, str(number), FTR, arguments[0], "--force", "-o", OUTPUT,
                         *arguments[1:], env=TRACED).returncode
            self.assertIn(status, (0, 1, 137))
            yield read(OUTPUT) if os.path.exists(OUTPUT) else None
            if status != 137:
                return

    def test_the_old_or_the_complete_new_file_remains(self):
        self.crash("crashed.ftr")
        for name, arguments in COMMANDS.items():
            run(FTR, arguments[0], "-o", "whole", *arguments[1:])
            whole = read("whole")
            os.remove("whole")
            for old in (None, read("small.ftr")):
                with self.subTest(name, old=old is not None):
                    outcomes = list(self.outcomes(arguments, old))
                    self.assertEqual(set(outcomes), {old, whole})
                    self.assertGreater(outcomes.count(old), 3)

    def test_a_directory_appears_when_it_is_complete(self):
        self.check(0, "convert", "--output-format", "ctf", "-o", "whole", "small.ftr")
        whole = sorted(os.listdir("whole"))
        seen = set()
        for number in range(1, 1000):
            path = f"out{number}"
            status = run(KILL_AT_CALL, str(number), FTR, "convert", "--output-format", "ctf", "-o", path,
                         "small.ftr", env=TRACED).returncode
            seen.add(os.path.exists(path))
            if os.path.exists(path):
                self.assertEqual(sorted(os.listdir(path)), whole)
            if status == 0:
                break
        self.assertEqual((seen, status), ({False, True}, 0))


class ReplaceTest(WritingTest):
    def refuse(self, arguments, path, message, *options):
        """Checks that the command does not write to `path` and leaves no other file."""
        before = read(path) if os.path.isfile(path) else None
        names = sorted(os.listdir("."))
        result = self.check(2, arguments[0], *options, "-o", path, *arguments[1:])
        self.assertIn(message, result.stderr.decode())
        self.assertEqual(sorted(os.listdir(".")), names)
        if before is not None:
            self.assertEqual(read(path), before)

    def commands(self):
        self.crash("crashed.ftr")
        return COMMANDS.values()

    def test_no_trace_is_replaced_unless_forced(self):
        for arguments in self.commands():
            self.refuse(arguments, "plain.ftr", "plain.ftr: exists and is an FTR trace; --force")
        self.check(0, "cut", "--force", "-o", "plain.ftr", "nanoseconds.ftr")
        self.assertEqual(len(decoded("plain.ftr")["transaction"]), 20)

    def test_no_input_is_replaced_by_any_of_its_names(self):
        for arguments in self.commands():
            os.link(arguments[-1], "hard")
            os.symlink(arguments[-1], "soft")
            for path in (arguments[-1], "hard", "soft", "./" + arguments[-1]):
                self.refuse(arguments, path, "input and output are the same file")
            os.remove("hard")
            os.remove("soft")
        self.refuse(COMMANDS["recover with a journal"], "crashed.ftr.journal", "are the same file")
        self.refuse(COMMANDS["recover with a journal"], "crashed.ftr", "same file", "--force")
        self.refuse(COMMANDS["recover a torn file"], "torn.ftr", "same file", "--force")
        self.check(0, "cut", "--force", "-o", "small.ftr", "small.ftr")
        self.assertEqual(len(decoded("small.ftr")["transaction"]), 12)

    def test_the_old_order_of_arguments_destroys_nothing(self):
        before = read("plain.ftr")
        self.check(2, "convert", "--output-format", "perfetto", "plain.ftr", "small.ftr")
        self.assertEqual(read("plain.ftr"), before)

    def test_the_name_of_a_crashed_run_is_kept_free(self):
        self.crash("crashed.ftr")
        os.remove("crashed.ftr")
        self.refuse(COMMANDS["cut"], "crashed.ftr", "journal of a crashed run")

    def test_only_files_are_replaced_also_when_forced(self):
        os.mkfifo("fifo")
        os.mkdir("folder")
        os.symlink("elsewhere", "dangling")
        pathlib.Path("notes").write_text("mine", encoding="utf-8")
        os.symlink("notes", "link")
        device = os.stat("/dev/null")
        for arguments in self.commands():
            for option in ((), ("--force",)):
                self.refuse(arguments, "fifo", "FIFO or socket is not replaced; '-o -'", *option)
                self.refuse(arguments, "/dev/null", "'-o -' writes to the standard output", *option)
                self.refuse(arguments, "folder", "is a directory", *option)
                for link in ("dangling", "link"):
                    self.refuse(arguments, link, "a symbolic link is not replaced", *option)
        self.assertEqual(os.stat("/dev/null"), device)
        self.assertTrue(stat.S_ISFIFO(os.stat("fifo").st_mode))
        self.assertEqual(read("notes"), b"mine")

    def test_an_existing_file_with_the_temporary_name_is_not_touched(self):
        os.symlink("victim", "out.ftr.part")
        pathlib.Path("victim").write_text("mine", encoding="utf-8")
        # The next process ids, so that one of them is that of the command.
        own = int(run("sh", "-c", "echo $$").stdout)
        for number in range(own, own + 300):
            os.symlink("victim", f"out.ftr.part-{number}-1")
        self.crash("crashed.ftr")
        for arguments in (COMMANDS["cut"], COMMANDS["recover a damaged file"],
                          COMMANDS["recover with a journal"]):
            run(FTR, arguments[0], "--force", "-o", "out.ftr", *arguments[1:])
            self.assertGreater(len(decoded("out.ftr")["transaction"]), 10)
            self.assertEqual(read("victim"), b"mine")

    def test_output_goes_to_stdout(self):
        for arguments in self.commands():
            run(FTR, arguments[0], "-o", "file", *arguments[1:])
            result = run(FTR, arguments[0], "-o", "-", *arguments[1:])
            self.assertEqual(result.stdout, read("file"))
            os.remove("file")
        self.assertEqual(self.check(2, "cut", "-o", "-", "junk.ftr").stdout, b"")
        self.check(2, "convert", "--output-format", "ctf", "-o", "-", "small.ftr")
        result = self.check(125, "attach", "-o", "-", "--", "/bin/true")
        self.assertIn(b"name a file or a FIFO with -o", result.stderr)
        self.assertFalse(os.path.exists("-"))
        with open("small.ftr", "r+b") as file:
            result = subprocess.run([FTR, "cut", "-o", "-", "small.ftr"], stdout=file,
                                    stderr=subprocess.PIPE, check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"the same file", result.stderr)

    def test_no_file_remains_on_a_full_disk(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (60, 60))
        for arguments in self.commands():
            result = run(FTR, arguments[0], "-o", "full", *arguments[1:], preexec_fn=limit)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(b"File too large", result.stderr)
            self.assertEqual(glob.glob("full*"), [])

    def test_a_recovered_file_has_the_permissions_of_the_run(self):
        for mode in (0o600, 0o640, 0o666):
            with self.subTest(oct(mode)):
                path = f"run{mode}.ftr"
                self.crash(path, mode)
                os.chmod("torn.ftr", mode)
                self.check(0, "recover", "-o", "back" + path, path)
                self.check(1, "recover", "-o", "torn" + path, "torn.ftr")
                for made in ("back" + path, "torn" + path):
                    self.assertEqual(stat.S_IMODE(os.stat(made).st_mode), mode)

    def mode_of(self, path):
        return stat.S_IMODE(os.stat(path).st_mode)

    def test_an_output_is_not_more_readable_than_its_inputs(self):
        shutil.copy("small.ftr", "other.ftr")
        commands = {"cut": ["cut", "small.ftr"], "merge": ["merge", "small.ftr", "other.ftr"],
                    "convert": ["convert", "--output-format", "scv", "small.ftr"],
                    "ctf": ["convert", "--output-format", "ctf", "small.ftr"]}
        for first, second, expected in ((0o600, 0o644, 0o600), (0o640, 0o644, 0o640), (0o644, 0o644, 0o644)):
            os.chmod("small.ftr", first)
            os.chmod("other.ftr", second)
            for name, command in commands.items():
                with self.subTest(f"{name} {oct(first)}"):
                    made = f"{name}-{first}"
                    self.check(0, *command, "-o", made)
                    if name == "ctf":
                        self.assertEqual(self.mode_of(made) & 0o666, expected)
                        made += "/metadata"
                    self.assertEqual(self.mode_of(made), expected)

    def test_a_replaced_file_is_not_more_readable_than_the_inputs(self):
        pathlib.Path("open").write_text("old", encoding="utf-8")
        os.chmod("open", 0o664)
        os.chmod("small.ftr", 0o640)
        self.check(0, "convert", "--output-format", "scv", "-o", "open", "small.ftr")
        self.assertEqual(self.mode_of("open"), 0o660)

    def test_a_replaced_file_keeps_its_permissions(self):
        pathlib.Path("secret").write_text("old", encoding="utf-8")
        os.chmod("secret", 0o600)
        self.check(0, "convert", "--output-format", "scv", "-o", "secret", "small.ftr")
        self.assertEqual(stat.S_IMODE(os.stat("secret").st_mode), 0o600)

    @unittest.skipUnless(os.geteuid() == 0, "only root can give files away")
    def test_an_output_does_not_have_the_permissions_of_a_file_of_another_user(self):
        shutil.copy("torn.ftr", "foreign.ftr")
        os.chmod("foreign.ftr", 0o666)
        os.chown("foreign.ftr", 65534, 65534)
        for mask, expected in ((0o022, 0o644), (0o077, 0o600)):
            old = os.umask(mask)
            for name, status, command in (
                    ("cut", 0, ["cut", "--force", "small.ftr"]), ("fts", 0, ["summary", "small.ftr"]),
                    ("scv", 0, ["convert", "--output-format", "scv", "small.ftr"]),
                    ("page", 0, ["report", "--force", "small.ftr"])):
                made = f"{name}-{mask}"
                pathlib.Path(made).write_text("old", encoding="utf-8")
                os.chmod(made, 0o666)
                os.chown(made, 65534, 65534)
                with self.subTest(made):
                    self.check(status, *command, "-o", made)
                    self.assertEqual((self.mode_of(made), os.stat(made).st_uid), (expected, 0))
            os.umask(old)
            # Who may read the input may read the output, but only its owner may write to it.
            self.check(1, "recover", "--force", "-o", f"back{mask}", "foreign.ftr")
            self.assertEqual(self.mode_of(f"back{mask}"), 0o644)


class ContentTest(WritingTest):
    def names(self, path):
        content = decoded(path)
        return ([s["name"] for s in content["stream"]], [g["name"] for g in content["generator"]],
                [[a[1] for a in tx["attributes"]] for tx in content["transaction"]])

    def test_empty_and_long_names_are_copied(self):
        long = "n" * 70_000
        write_ftr("in.ftr", [
            ("", "", [("", 1, 2, [("begin", "", 7), ("end", long[:5000], 8)])]),
            (long, "k" * 3000, [(long, 3, 4, [("begin", long, 9)])])])
        for command in ("cut", "merge"):
            result = self.check(1, command, "-o", command, "in.ftr")
            self.assertIn(b"empty names written as 'unnamed'", result.stderr)
            self.assertIn(b"1 names of attributes cut to 65535 bytes", result.stderr)
            self.assertEqual(self.names(command), (
                ["unnamed", long], ["unnamed", long], [["unnamed", long[:5000]], [long[:65535]]]))
        self.check(0, "recover", "-o", "sound", "in.ftr")
        self.assertEqual(self.names("sound"), self.names("in.ftr"))

    def test_streams_of_one_name_stay_apart_in_a_cut(self):
        write_ftr("in.ftr", [("s", "1", [("g", 1, 2, [])]), ("s", "2", [("g", 3, 4, [])]),
                             ("n\0a", "3", [("g", 5, 6, [])]), ("n\0b", "3", [("g", 7, 8, [])])])
        result = self.check(0, "cut", "-o", "cut", "in.ftr")
        self.assertIn(b"NUL replaced by '?' in names", result.stderr)
        self.assertEqual([(s["name"], s["kind"]) for s in decoded("cut")["stream"]],
                         [("s", "1"), ("s#2", "2"), ("n?a", "3"), ("n?b", "3")])
        self.check(0, "merge", "-o", "merge", "in.ftr")
        self.assertEqual([s["name"] for s in decoded("merge")["stream"]], ["s", "n?a", "n?b"])

    def test_a_cut_without_selection_keeps_every_stream_in_its_order(self):
        write_ftr("in.ftr", [("z", "1", []), ("b", "2", [("g", 5, 6, [])]), ("y", "3", []),
                             ("a", "4", [("g", 1, 2, []), ("f", 3, 4, [])]), ("x", "5", [])])
        for command in ("cut", "merge"):
            self.check(0, command, "-o", command, "in.ftr")
            self.assertEqual([(s["name"], s["kind"]) for s in decoded(command)["stream"]],
                             [("z", "1"), ("b", "2"), ("y", "3"), ("a", "4"), ("x", "5")])
        self.check(0, "cut", "-o", "part", "--stream", "a", "in.ftr")
        self.assertEqual([s["name"] for s in decoded("part")["stream"]], ["a"])

    def test_offsets_may_be_negative(self):
        write_ftr("in.ftr", [("s", "", [("g", 50, 60, []), ("g", 40, 90, [])])])
        self.check(0, "merge", "-o", "early", "--offset", "in.ftr=-40ns", "in.ftr")
        self.assertEqual(sorted((tx["begin"], tx["end"]) for tx in decoded("early")["transaction"]),
                         [(0, 50), (10, 20)])
        result = self.check(2, "merge", "-o", "none", "--offset", "in.ftr=-41ns", "in.ftr")
        self.assertIn(b"before time 0", result.stderr)
        self.assertFalse(os.path.exists("none"))

    def test_texts_of_number_types_stay_texts(self):
        """Each stored type has a text as its value. Only types of texts can have one."""
        types = range(12)
        made_trace.write("in.ftr", [[(1, 0, 5, [(7, 3, kind, f"text {kind}") for kind in types])]], ["name"])
        for command in ("cut", "merge"):
            with self.subTest(command):
                self.check(1, command, "-o", command, "in.ftr")
                values = [value for *_, value in decoded(command)["transaction"][0]["attributes"]]
                self.assertEqual(values, [f"text {kind}" for kind in types])

    def test_little_memory_changes_no_text(self):
        """The dictionaries and the transactions do not fit into the memory together, so dictionaries are expanded again."""
        count, long = 300, 800_000
        texts = [[f"{letter}{number:03} " * 6 for number in range(count)] + [letter * long] for letter in "xyz"]
        ids = [6 + number * (count + 1) for number in range(len(texts))]
        numbers = [(7, 3, 3, 2**40 + number) for number in range(20)]
        chosen = random.Random(1)
        made_trace.write("in.ftr", [[(n, 10 * n, 10 * n + 5, [
            (7, 3, 10, 5), (7, 4, 10, chosen.choice(ids) + chosen.randrange(count)), *numbers]) for n in range(1, 1500)]],
            ["first", "second", "the text that is in the first dictionary"], texts, compressed=True)
        expected = self.check(0, "dump", "in.ftr").stdout
        for memory in ("2600K", "2700K", "2800K", "3M"):
            with self.subTest(memory):
                self.assertEqual(self.check(0, "dump", "--memory", memory, "-j", "1", "in.ftr").stdout, expected)

    def test_vectors_of_the_published_numbering_keep_their_type(self):
        """Its vectors are integers; in all other files they are digits."""
        pathlib.Path("in.txlog").write_text(
            DOUBLE_TEXT.replace("FLOATING_POINT_NUMBER = 0.333333333333333333", 'BIT_VECTOR = "101"')
            + 'tx_record_attribute 1 "logic" LOGIC_VECTOR = "0"\n', encoding="utf-8")
        self.check(0, "convert", "--input-format", "scv", "-o", "deployed.ftr", "in.txlog")
        self.check(0, "cut", "-o", "published.ftr", "--types", "spec", "deployed.ftr")
        self.check(0, "cut", "-o", "cut.ftr", "--types", "deployed", "published.ftr")
        self.check(0, "merge", "-o", "merge.ftr", "published.ftr")
        for form in ("scv", "flux"):
            self.check(0, "convert", "--output-format", form, "-o", form, "published.ftr")
            self.check(0, "convert", "--input-format", form, "-o", form + ".ftr", form)
        self.assertEqual([value for _, _, value in self.attributes("published.ftr")], [5, 0])
        for made in ("deployed", "cut", "merge", "scv", "flux"):
            with self.subTest(made):
                self.assertEqual(self.attributes(made + ".ftr"), [
                    ("third", "BIT_VECTOR", "101"), ("logic", "LOGIC_VECTOR", "0")])

    def attributes(self, path):
        (tx,) = decoded(path)["transaction"]
        return [tuple(attribute[1:]) for attribute in tx["attributes"]]


class FloatTest(WritingTest):
    def setUp(self):
        super().setUp()
        self.check(0, "convert", "--input-format", "scv", "--floats", "double", "-o", "double.ftr",
                   "double.txlog")

    def value(self, path):
        (tx,) = decoded(path)["transaction"]
        (attribute,) = tx["attributes"]
        return attribute[2], attribute[3]

    def test_floats_have_the_configured_form(self):
        for name, *command in (("cut", "cut", "double.ftr"), ("merge", "merge", "double.ftr"),
                               ("import", "convert", "--input-format", "scv", "double.txlog")):
            for floats, expected in (("double", ("FLOATING_POINT_NUMBER", 1 / 3)),
                                     ("single", ("FLOATING_POINT_NUMBER", 0.3333333432674408)),
                                     ("text", ("STRING", "0.3333333333333333")),
                                     (None, ("STRING", "0.3333333333333333"))):
                with self.subTest(name, floats=floats):
                    option = () if floats is None else ("--floats", floats)
                    result = self.check(0, *command[:1], *option, "--force", "-o", "out", *command[1:])
                    self.assertEqual(self.value("out"), expected)
                    rounded = result.stderr.count(b"1 values are not exact in single precision")
                    self.assertEqual(rounded, 1 if floats == "single" else 0)
                    # FTR_FLOAT applies to recordings: the message must name an option of the command.
                    self.assertEqual(b"or --floats of" in result.stderr, floats == "single")
                    changed = result.stderr.count(b"all are written as text; --floats")
                    self.assertEqual(changed, 1 if floats is None else 0)

    def test_values_exact_in_single_precision_stay_single(self):
        for decimal in ("0.1", "-2.5e-7", "3"):
            with self.subTest(decimal):
                pathlib.Path("single.txlog").write_text(
                    DOUBLE_TEXT.replace("0.333333333333333333", decimal), encoding="utf-8")
                for output, *command in (("one", "convert", "--input-format", "scv", "single.txlog"),
                                         ("two", "cut", "one")):
                    result = self.check(0, command[0], "--force", "-o", output, *command[1:])
                    self.assertEqual(result.stderr, b"")
                    kind, value = self.value(output)
                    self.assertEqual(kind, "FLOATING_POINT_NUMBER")
                    self.assertAlmostEqual(value / float(decimal), 1, 6)
                check = run("/usr/bin/python3", DECODE, "check", "two")
                self.assertEqual(check.returncode, 0, check.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
