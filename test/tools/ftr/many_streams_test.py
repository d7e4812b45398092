#!/usr/bin/python3
"""Checks, by counting instructions, that commands and definitions are linear in the number of
streams.

    many_streams_test.py FTR MANY_STREAMS

MANY_STREAMS records one transaction on each of N streams. Four times the streams must take less
than 5.5 times the instructions: n log n takes 4.7 times as many, n^2 takes 16 times as many. Limits
are instructions per stream.
"""

import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

FEW, MANY = 400, 1600
RATIO = 5.5

# Command, with {} for the file and {out} for an output; instructions per stream, or None.
COMMANDS = [
    ("info {}", 20_000),
    ("info --json {}", 20_000),
    ("stats {}", 45_000),
    ("diff {0} {0}", None),
    ("check {}", None),
    ("dump {}", None),
    ("cut --quiet -o {out}.ftr {}", None),
    ("convert --output-format flux -o {out}.flux {}", None),
    ("recover --quiet -o {out}.ftr {}", None),
]


def instructions(command):
    """Returns the instructions of a process; -1 if it fails."""
    done = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no",
                           "--cachegrind-out-file=/dev/null"] + command,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    counted = re.search(r"I +refs: +([0-9,]+)", done.stderr)
    return int(counted[1].replace(",", "")) if done.returncode == 0 and counted else -1


def measure(directory, ftr, program, name, line):
    """Returns the instructions of a command with few and with many streams. @param name  of the
    streams"""
    counts = []
    for count in (FEW, MANY):
        file = os.path.join(directory, f"{name}{count}.ftr")
        out = os.path.join(directory, re.sub(r"\W", "_", line) + str(count))
        command = ([program, out + ".ftr", str(count), name] if line == "record" else
                   [ftr] + [word.format(file, out=out) for word in line.split()])
        counts.append(instructions(command))
    return counts


def main(ftr, program):
    if shutil.which("valgrind") is None:
        print("valgrind is not installed")
        return 77
    rows = [("many",) + row for row in COMMANDS]
    rows += [("same", "record", None), ("many", "record", None), ("same", "info {}", None)]
    failed = False
    with tempfile.TemporaryDirectory() as directory:
        for name in ("many", "same"):
            for count in (FEW, MANY):
                file = os.path.join(directory, f"{name}{count}.ftr")
                subprocess.run([program, file, str(count), name], check=True)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            counted = pool.map(lambda row: measure(directory, ftr, program, *row[:2]), rows)
            for (name, line, limit), (few, many) in zip(rows, counted):
                wrong = few < 0 or many < 0 or many > RATIO * few or (limit is not None and many > limit * MANY)
                failed |= wrong
                print(f"{'FAILED ' if wrong else ''}{name} {line}: {few} of {FEW} streams, {many} of {MANY}: "
                      f"{many / few:.2f} times as many, {many / MANY:.0f} each")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
