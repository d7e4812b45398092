#!/usr/bin/python3
"""Measures the cost of conversions, compared with `ftr dump` of the same file, for the table of
docs/exchange.md.

    measure_converters.py FTR CORE_WORKLOADS [TRANSACTIONS [ROUNDS]]

Elapsed seconds, and CPU seconds of the program and of the system, are those of the fastest of
several rounds. In each round dump runs before every conversion, so that both run under the same
load.
"""

import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time

FTR, CORE_WORKLOADS = map(os.path.abspath, sys.argv[1:3])
TRANSACTIONS = int(sys.argv[3]) if len(sys.argv) > 3 else 2_000_000
ROUNDS = int(sys.argv[4]) if len(sys.argv) > 4 else 5

CONVERSIONS = (
    ("to flux", "--output-format", "flux", "-o", "w.recTr", "w.ftr"),
    ("from flux", "--input-format", "flux", "--force", "-o", "of_flux.ftr", "w.recTr"),
    ("to scv", "--output-format", "scv", "-o", "w.txlog", "w.ftr"),
    ("from scv", "--input-format", "scv", "--force", "-o", "of_scv.ftr", "w.txlog"),
    ("to perfetto", "--output-format", "perfetto", "-o", "w.json", "w.ftr"),
    ("to ctf", "--output-format", "ctf", "-o", "ctf", "w.ftr"),
    ("from kev", "--input-format", "kev", "--force", "-o", "of_kev.ftr", "w.kev"),
)


def write_kev(path, transactions):
    """Two processes with threads that wait for each other: each change of state ends a transaction."""
    head = ("TRACE_HEADER_BEGIN::\nTRACE_LITTLE_ENDIAN::TRUE\nTRACE_CYCLES_PER_SEC::1000000000\n"
            "TRACE_CPU_NUM::2\nTRACE_SYSPAGE_LEN::0\nTRACE_HEADER_END::")
    record = struct.Struct("<4I")
    thread_class, states = 4, (1, 2, 4)
    with open(path, "wb") as file:
        file.write(head.encode())
        for n in range(transactions):
            file.write(record.pack((n & 1) << 24 | thread_class << 10 | states[n // 8 % 3],
                                   100 * n & 0xffffffff, 1 + (n & 1), 1 + n // 2 % 4))


def measure(*command):
    """Returns elapsed seconds, CPU seconds, and the maximum memory in MB."""
    with open(os.devnull, "wb") as nowhere:
        begin = time.monotonic()
        child = subprocess.Popen(command, stdout=nowhere)
        _, status, usage = os.wait4(child.pid, 0)
        passed = time.monotonic() - begin
    if status != 0:
        sys.exit(f"{' '.join(command)}: status {status}")
    return passed, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    best = {}

    def note(name, sample):
        old = best.get(name, sample)
        best[name] = (*min(old[:2], sample[:2]), max(old[2], sample[2]))

    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        subprocess.run([CORE_WORKLOADS, "W2", str(TRANSACTIONS), "w.ftr"], check=True)
        write_kev("w.kev", TRANSACTIONS)
        for _ in range(ROUNDS):
            for name, *arguments in CONVERSIONS:
                shutil.rmtree("ctf", ignore_errors=True)
                note("dump", measure(FTR, "dump", "w.ftr"))
                note(name, measure(FTR, "convert", *arguments))
            note("dump of that", measure(FTR, "dump", "of_kev.ftr"))
        os.chdir("/")

    print("| conversion | time | relative to dump | CPU time | relative to dump | peak memory |\n|--|--|--|--|--|--|")
    for name, (passed, busy, memory) in best.items():
        reference = best["dump of that" if name == "from kev" else "dump"]
        print(f"| {name} | {passed:.2f} s | {passed / reference[0]:.1f} "
              f"| {busy:.2f} s | {busy / reference[1]:.1f} | {memory:.0f} MB |")


if __name__ == "__main__":
    main()
