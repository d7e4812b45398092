#!/usr/bin/python3
"""option_words_test.py FTR: the commands agree on the words of their options. TABLE has every command."""

import re
import subprocess
import sys

FTR = sys.argv[1]
# Command: (takes a time window, writes a file with -o, takes --memory, options of 0.1 that still work)
TABLE = {
    "accesses": (False, True, True, ()),
    "attach": (True, True, False, ("--start", "--stop")),
    "cat": (False, False, True, ()),
    "check": (False, False, True, ()),
    "convert": (True, True, True, ("--begin", "--end")),
    "cut": (True, True, True, ()),
    "diff": (True, False, True, ()),
    "dump": (True, False, True, ()),
    "farm": (True, True, False, ()),  # passes --from and --to on to ftr summary
    "gate": (False, False, False, ()),
    "history": (False, False, False, ()),
    "index": (False, False, True, ()),
    "info": (False, False, True, ()),
    "merge": (False, True, True, ()),
    "recover": (False, True, False, ()),
    "report": (True, True, True, ()),
    "sql": (False, False, True, ()),
    "stats": (True, False, True, ()),
    "summary": (True, True, True, ()),
}
OTHER_WORDS_FOR_A_WINDOW = {"--start", "--stop", "--begin", "--end", "--since", "--until"}
wrong = []


def expect(true, text):
    if not true:
        wrong.append(text)


def run(*arguments):
    return subprocess.run([FTR, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)


def accepts(command, *option):
    """Whether the option and its argument are understood; the file that follows does not exist."""
    said = run(command, *option, "/nonexistent/file").stderr
    return not re.search(r"is unknown|invalid value|needs an argument", said), said


commands = set(re.findall(r"^  ([a-z]+) ", run("help").stdout, re.MULTILINE)) - {"help"}
expect(commands <= set(TABLE), f"not in the table: {sorted(commands - set(TABLE))}")
for command in sorted(commands & set(TABLE)):
    window, output, memory, old = TABLE[command]
    help_text = run("help", command).stdout
    options = set(re.findall(r"(?<![\w-])--[a-z-]+", help_text))
    for option in ("--from", "--to"):
        expect((option in options) == window, f"{command}: {option} in the help: {option in options}")
        accepted, said = accepts(command, option, "1us")
        expect(accepted == window, f"{command} {option} 1us: {said}")
    expect(not options & OTHER_WORDS_FOR_A_WINDOW, f"{command}: {sorted(options & OTHER_WORDS_FOR_A_WINDOW)}")
    for option in old:
        accepted, said = accepts(command, option, "1us")
        expect(accepted, f"{command} {option}: {said}")
    expect(("-o, --output" in help_text) == output, f"{command}: -o, --output in the help: {not output}")
    for option in ("-o", "--output"):
        accepted, said = accepts(command, option, "/dev/null/output")
        expect(accepted == output, f"{command} {option}: {said}")
    for size, valid in (("64M", True), ("64m", True), ("1T", True), ("65536", True), ("64MB", False), ("1.5M", False),
                        ("-1", False)):
        if memory:
            accepted, said = accepts(command, "--memory", size)
            expect(accepted == valid, f"{command} --memory {size}: {said}")
    for option in ("--types", "--read-types"):
        if option in options:
            for name, valid in (("spec", True), ("text", True), ("published", False)):
                accepted, said = accepts(command, option, name)
                expect(accepted == valid, f"{command} {option} {name}: {said}")

# The format was named by --from and --to in 0.1.
for option, word, name in (("--from", "--input-format", "flux"), ("--to", "--output-format", "scv")):
    old_words, new_words = (run("convert", o, name, "-o", "/dev/null/out", "/nonexistent/in") for o in (option, word))
    note = f"ftr: note: the format is now named by {word};"
    expect(old_words.stderr.startswith(note), f"convert {option} {name}: {old_words.stderr}")
    expect(old_words.stderr.split("\n", 1)[1] == new_words.stderr, f"convert {word} {name}: {new_words.stderr}")
only_ctf = run("convert", "--output-format", "scv", "--from", "1us", "-o", "/dev/null/out", "/nonexistent/in")
expect(only_ctf.returncode == 2 and "--output-format ctf" in only_ctf.stderr, f"window of scv: {only_ctf.stderr}")
if wrong:
    sys.exit("\n".join(wrong))
print(f"{len(commands)} commands")
