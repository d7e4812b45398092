#!/usr/bin/python3
"""Counts the instructions a transaction takes, and fails when a limit is passed.

    instructions.py CORE_WORKLOADS [--json]

Callgrind counts each workload with 10,000 and with 50,000 transactions, with its recording lines and without
them. The slope of the difference is what recording one transaction takes: start-up and close cancel out.
The journal is on. Whole-process counts include the writer thread, with LZ4.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

FEW, MANY = 10_000, 50_000

# (workload, limit on the recording thread, limit of the whole process or None)
CORE = [
    ("W1", 90, None),
    ("W2", 235, 930),
    ("W2-one-call", 160, 900),
    ("W2-undeclared", 300, None),
    ("W3", 450, None),
    ("W4", 200, None),
]


def instructions(folder, program, workload, count, is_recording):
    """Instructions by thread, the first one's first."""
    out = os.path.join(folder, "count")
    command = ["valgrind", "--tool=callgrind", "--separate-threads=yes",
               "--callgrind-out-file=" + out, program, workload, str(count)]
    if is_recording:
        command.append(os.path.join(folder, "run.ftr"))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}:\n{done.stderr}")
    totals = []
    for name in sorted(os.listdir(folder)):
        if re.fullmatch(r"count-\d\d", name):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                totals.append(int(re.search(r"^(?:totals|summary): (\d+)", file.read(), re.M)[1]))
        os.remove(os.path.join(folder, name))
    return totals


def cost(program, workload):
    """Instructions of one transaction: on the recording thread, and in the whole process."""
    with tempfile.TemporaryDirectory() as folder:
        few, many = (instructions(folder, program, workload, count, True) for count in (FEW, MANY))
        idle = [instructions(folder, program, workload, count, False) for count in (FEW, MANY)]
    plain = idle[1][0] - idle[0][0]
    thread = (many[0] - few[0] - plain) / (MANY - FEW)
    process = (sum(many) - sum(few) - plain) / (MANY - FEW)
    return round(thread), round(process)


def main():
    if not shutil.which("valgrind"):
        print("valgrind is not installed")
        return 77
    program = sys.argv[1]
    rows = []
    for workload, thread_limit, process_limit in CORE:
        thread, process = cost(program, workload)
        rows.append({"workload": workload, "thread": thread, "thread_limit": thread_limit,
                     "process": process, "process_limit": process_limit})
    if "--json" in sys.argv:
        print(json.dumps(rows, indent=1))
    else:
        print("workload       thread  limit  process  limit")
        for row in rows:
            print(f"{row['workload']:<14} {row['thread']:>6} {row['thread_limit']:>6} "
                  f"{row['process']:>8} {row['process_limit'] or '-':>6}")
    passed = [row for row in rows if row["thread"] > row["thread_limit"]
              or row["process"] > (row["process_limit"] or row["process"])]
    for row in passed:
        print(f"{row['workload']} takes more than its limit")
    return 1 if passed else 0


if __name__ == "__main__":
    sys.exit(main())
