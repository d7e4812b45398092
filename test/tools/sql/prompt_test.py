#!/usr/bin/python3
"""`ftr sql -i` on a terminal: Ctrl-C ends the query and leaves the prompt, `.quit` ends the prompt.

    prompt_test.py FTR MAKE_FILES
"""

import os
import pty
import select
import signal
import sys
import tempfile
import time

FTR, MAKE_FILES = (os.path.abspath(argument) for argument in sys.argv[1:])
# Ten billion steps: only an interrupt ends it.
ENDLESS = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 10000000000) SELECT count(*) FROM n;"


def read_until(terminal, mark, limit=60):
    seen = b""
    end = time.monotonic() + limit
    while mark not in seen:
        if time.monotonic() > end:
            raise AssertionError(f"no {mark!r} in {seen!r}")
        if select.select([terminal], [], [], 0.1)[0]:
            seen += os.read(terminal, 4096)
    return seen


def interrupt(child, terminal, limit=60):
    """Interrupts the query. An interrupt before the query runs has no effect and is repeated."""
    seen = b""
    end = time.monotonic() + limit
    while b"interrupted" not in seen:
        if time.monotonic() > end:
            raise AssertionError(f"not interrupted: {seen!r}")
        time.sleep(0.5)
        os.kill(child, signal.SIGINT)
        while select.select([terminal], [], [], 0.1)[0]:
            seen += os.read(terminal, 4096)


def main():
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        if os.spawnv(os.P_WAIT, MAKE_FILES, [MAKE_FILES]) != 0:
            raise AssertionError("no files")
        child, terminal = pty.fork()
        if child == 0:
            os.environ["TERM"] = "dumb"
            os.execv(FTR, [FTR, "sql", "-i", "small.ftr"])
        read_until(terminal, b"ftr> ")
        os.write(terminal, ENDLESS.encode() + b"\n")
        read_until(terminal, b"FROM n;")
        interrupt(child, terminal)
        os.write(terminal, b"SELECT count(*) * 1000 AS thousands FROM tx;\n")
        read_until(terminal, b"12000")
        os.write(terminal, b".quit\n")
        try:
            read_until(terminal, b"never", limit=10)  # the child cannot exit while its terminal has unread output
        except OSError:
            pass
        _, status = os.waitpid(child, 0)
        if status != 0:
            raise AssertionError(f"status {status}")
        os.chdir("/")


main()
