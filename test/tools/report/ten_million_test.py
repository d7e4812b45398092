#!/usr/bin/python3
"""Measures the report of a long trace: size, memory, and processor time against `ftr stats`.

    ten_million_test.py FTR MAKE_REPORT_TRACE COUNT
"""

import os
import subprocess
import sys
import tempfile

SIZE_MAX = 10000000
MEMORY_MAX = 256 << 20
TIME_FACTOR = 2


def cost(*command):
    """Runs a command. Returns its processor time in seconds and its memory in bytes."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, command
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def main():
    """Records a trace and measures both commands, each with one reading thread."""
    ftr, maker, count = sys.argv[1:4]
    with tempfile.TemporaryDirectory() as folder:
        trace, page = os.path.join(folder, "long.ftr"), os.path.join(folder, "long.html")
        subprocess.run([maker, "plain", count, trace], check=True)
        stats = min(cost(ftr, "stats", "-j", "1", trace)[0] for _ in range(3))
        costs = [cost(ftr, "report", "-j", "1", "-o", page, trace) for _ in range(3)]
        report, memory = min(c[0] for c in costs), max(c[1] for c in costs)
        size = os.path.getsize(page)
        print(f"{count} transactions: {size} bytes of HTML, {memory >> 20} MiB, {report:.2f} s; "
              f"ftr stats {stats:.2f} s")
        return 0 if size < SIZE_MAX and memory < MEMORY_MAX and \
            report < TIME_FACTOR * stats else 1


if __name__ == "__main__":
    sys.exit(main())
