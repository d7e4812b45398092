#!/usr/bin/python3
"""Checks that `ftr recover` exits with 1 and prints a count if records of a journal are damaged, and that
`ftr info` and `ftr check` of the recovered file say that not everything can be recovered, and exit with 1.

    torn_journal_test.py FTR MANY_STREAMS
"""

import json
import os
import signal
import subprocess
import sys
import tempfile

# Offset after the header and the definitions of a journal; here are blocks of records.
RECORDS = 512 << 10


def killed_run(program, trace):
    """Records until the trace has some chunks, then kills the process."""
    with subprocess.Popen([program, trace, str(10 ** 9), "bus"]) as process:
        while process.poll() is None and (not os.path.exists(trace) or os.path.getsize(trace) < 1 << 16):
            pass
        process.send_signal(signal.SIGKILL)


def recover(ftr, trace, output):
    done = subprocess.run([ftr, "recover", "--json", "-o", output, trace],
                          capture_output=True, text=True, check=False)
    print(done.returncode, done.stdout, done.stderr)
    return done.returncode, json.loads(done.stdout)


def says_incomplete(ftr, command, path):
    done = subprocess.run([ftr, command, path], capture_output=True, text=True, check=False)
    print(command, done.returncode, done.stderr)
    return done.returncode, f"ftr: {path}: not everything can be recovered: " in done.stderr


def main(ftr, program):
    with tempfile.TemporaryDirectory() as directory:
        trace = os.path.join(directory, "run.ftr")
        killed_run(program, trace)
        sound = os.path.join(directory, "sound.ftr")
        status, found = recover(ftr, trace, sound)
        if status != 0 or found["torn"] + found["lost"] + found["lost_at_most"] > 0:
            return 1
        if any(says_incomplete(ftr, command, sound) != (0, False) for command in ("info", "check")):
            return 1
        with open(trace + ".journal", "r+b") as journal:
            journal.seek(RECORDS)
            journal.write(b"\xff" * (os.path.getsize(trace + ".journal") - RECORDS))
        torn = os.path.join(directory, "torn.ftr")
        status, found = recover(ftr, trace, torn)
        if status != 1 or found["torn"] == 0 or found["lost_at_most"] == 0:
            return 1
        says = [says_incomplete(ftr, command, torn) for command in ("info", "check")]
    return 0 if says == [(1, True), (1, True)] else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
