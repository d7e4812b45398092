#!/usr/bin/python3
"""Runs a case: a script in a directory of its own. Its stdout, stderr and exit status must equal
the files beside it (NAME.stdout, NAME.stderr, NAME.status; a missing file means empty, or 0).
Paths and addresses are replaced by words first. With --update the files are written instead."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77


def plain(text, words):
    for path, word in words:
        text = text.replace(path, word)
    text = re.sub(r"/tmp/ftr-ld-\w{6}", "TEMP", text)
    return re.sub(r"0x[0-9a-f]{5,}", "ADDRESS", text)


def check(path, got, update):
    expected = path.read_text() if path.exists() else ("0\n" if path.suffix == ".status" else "")
    if got == expected:
        return True
    if update:
        path.write_text(got)
        return True
    print(f"--- {path.name}: expected\n{expected}--- got\n{got}---")
    return False


def main(arguments):
    update = "--update" in arguments
    script = Path([a for a in arguments if not a.startswith("-")][0]).resolve()
    here = script.parent.parent
    with tempfile.TemporaryDirectory() as directory:
        environment = dict(os.environ, TESTS=str(here), PROGRAMS=str(here / "programs"),
                           CALLS=str(here / "print_calls.py"),
                           DECODE=str(here.parents[1] / "support" / "ftr_decode.py"),
                           SOURCE=str(here.parents[2]), LC_ALL="C")
        environment.pop("FTR_TRACE", None)
        done = subprocess.run(["bash", "-u", str(script)], cwd=directory, env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode == SKIPPED:
        print(done.stdout, done.stderr)
        return SKIPPED
    words = [(directory, "HERE"), (str(here.parents[2]), "SOURCE"),
             (environment.get("BUILD", "\0"), "BUILD")]
    good = [check(script.with_suffix(f".{kind}"), got, update)
            for kind, got in (("stdout", plain(done.stdout, words)),
                              ("stderr", plain(done.stderr, words)),
                              ("status", f"{done.returncode}\n"))]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
