#!/usr/bin/python3
"""Runs the command on cases and compares its output.

    run_cases.py FTR MAKE_FILES CASE...      runs the cases
    run_cases.py --update FTR MAKE_FILES CASE...   writes the current output into the cases

A case is a text file of commands with their expected output:

    # a remark
    $ ftr check small.ftr | head -n 1
    > a line of stdout
    2> a line of stderr
    ? 1

The status line ? is omitted for 0. Each case runs in an empty directory with sh, after MAKE_FILES
has written its files there; `ftr` is the command under test.
"""

import difflib
import os
import subprocess
import sys
import tempfile


def parse(path):
    """Returns the blocks of a case: (remarks, command, expected lines)."""
    blocks, remarks = [], []
    with open(path, encoding="utf-8") as file:
        for line in file.read().splitlines():
            if line.startswith("$ "):
                blocks.append((remarks, line[2:], []))
                remarks = []
            elif line.startswith(("> ", "2> ", "? ")) or line in (">", "2>"):
                blocks[-1][2].append(line)
            else:
                remarks.append(line)
    return blocks, remarks


def said(command, directory, environment):
    result = subprocess.run(["sh", "-c", command], cwd=directory, env=environment, timeout=300,
                            stdin=subprocess.DEVNULL, capture_output=True)
    lines = []
    for mark, output in ((">", result.stdout), ("2>", result.stderr)):
        for line in output.decode("utf-8", "backslashreplace").splitlines():
            lines.append(f"{mark} {line}" if line else mark)
    if result.returncode != 0:
        lines.append(f"? {result.returncode}")
    return lines


def run(path, ftr, make_files, update):
    blocks, rest = parse(path)
    text, failed = [], False
    with tempfile.TemporaryDirectory() as directory:
        os.mkdir(os.path.join(directory, ".bin"))
        os.symlink(ftr, os.path.join(directory, ".bin", "ftr"))
        environment = dict(os.environ, LC_ALL="C", TZ="UTC",
                           PATH=os.path.join(directory, ".bin") + ":" + os.environ["PATH"])
        environment.pop("FTR_JOURNAL_DIR", None)
        subprocess.run([make_files], cwd=directory, check=True)
        for remarks, command, expected in blocks:
            found = said(command, directory, environment)
            text += [*remarks, "$ " + command, *found]
            if found != expected and not update:
                failed = True
                print(f"{path}: $ {command}")
                print("\n".join(difflib.unified_diff(expected, found, "expected", "found",
                                                     lineterm="")))
    if update:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(text + rest) + "\n")
    return not failed


def main():
    arguments = sys.argv[1:]
    update = arguments[0] == "--update"
    ftr, make_files, *cases = arguments[update:]
    results = [run(case, os.path.abspath(ftr), os.path.abspath(make_files), update)
               for case in cases]
    sys.exit(0 if cases and all(results) else 1)


if __name__ == "__main__":
    main()
