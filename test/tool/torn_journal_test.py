#!/usr/bin/python3
"""Checks that `ftr recover` exits with 1 and prints a count if records of a journal are damaged.

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
    return done.returncode, json.loads(done.stdout)["torn"]


def main(ftr, program):
    with tempfile.TemporaryDirectory() as directory:
        trace = os.path.join(directory, "run.ftr")
        killed_run(program, trace)
        if recover(ftr, trace, os.path.join(directory, "sound.ftr")) != (0, 0):
            return 1
        with open(trace + ".journal", "r+b") as journal:
            journal.seek(RECORDS)
            journal.write(b"\xff" * (os.path.getsize(trace + ".journal") - RECORDS))
        status, torn = recover(ftr, trace, os.path.join(directory, "torn.ftr"))
    return 0 if status == 1 and torn > 0 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
