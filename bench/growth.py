#!/usr/bin/python3
"""Measures how the cost of recording grows with the number of streams, generators, open transactions or texts.

    growth.py BIN [--json FILE] [--objects NUMBER[,NUMBER...]] [KIND...]

BIN is the folder of growth_workload, which describes the kinds. For each kind and number of objects, the table has:

- the instructions of one additional transaction in the whole process, counted by callgrind, without those of the loop;
- for runs of 2,000,000 transactions without callgrind: bytes a transaction, processor time a transaction without the
  definitions (the least of three runs), and the peak of resident memory;
- the instructions and bytes in relation to those of the lowest number of objects.

The last line of each kind has the slopes of both over the three highest decades, with logarithms on both axes: 0 is a
constant cost, 1 a cost in proportion to the number of objects.
"""

import argparse
import concurrent.futures
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

import callgrind

KINDS = ["streams", "generators", "calls", "open", "texts"]
OBJECTS = [10, 100, 1000, 10_000, 100_000]
TRANSACTIONS = 2_000_000
RUNS = 3
# Numbers of transactions of the two runs under callgrind. With 100,000 objects, each of them has a transaction in both
# runs, so the difference contains no definitions. With 10,000 streams, the difference contains a chunk of each stream.
COUNTS = (300_000, 900_000)
# Time that the recorder sees for a transaction, so that bodies are not older under callgrind.
NS = "150"


def cost(bin_folder, kind, objects, counts=COUNTS):
    """Returns the instructions of one additional transaction on the recording thread and in the whole process."""
    program = [os.path.join(bin_folder, "growth_workload"), kind, str(objects)]
    with tempfile.TemporaryDirectory() as folder:
        thread, process = callgrind.slope(
            lambda count: program + [str(count), os.path.join(folder, f"{count}.ftr")], *counts, {"GROWTH_NS": NS})
    plain, _ = callgrind.slope(lambda count: program + [str(count)], *counts)
    return thread - plain, process - plain


def run(bin_folder, kind, objects, ns=""):
    """Records once. Returns the ns and bytes of a transaction, and the peak in bytes.
    @param ns  time that the recorder sees for a transaction; empty: the clock of the system"""
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "run.ftr")
        done = subprocess.run([os.path.join(bin_folder, "growth_workload"), kind, str(objects), str(TRANSACTIONS), trace],
                              check=True, capture_output=True, text=True,
                              env=dict(os.environ, GROWTH_NS=ns))
        size = os.path.getsize(trace)
    spent, peak = (float(re.search(rf"\b{name} ([\d.]+)", done.stdout)[1]) for name in ("ns", "peak"))
    return spent, size / TRANSACTIONS, peak


def measure(bin_folder, kind, objects):
    runs = [run(bin_folder, kind, objects) for _ in range(RUNS)]
    return {"kind": kind, "objects": objects, "instructions": cost(bin_folder, kind, objects)[1],
            "ns": min(ns for ns, _, _ in runs), "bytes": min(size for _, size, _ in runs),
            "peak": max(peak for _, _, peak in runs)}


def slope(rows, key):
    """Returns the slope over the three highest decades of objects."""
    last = rows[-1]
    first = next(row for row in rows if row["objects"] * 1000 >= last["objects"])
    return math.log(last[key] / first[key]) / math.log(last["objects"] / first["objects"]) if first != last else 0


def main():
    parser = argparse.ArgumentParser(description="cost of many objects")
    parser.add_argument("bin", help="folder of the programs")
    parser.add_argument("--json", help="file for the same as JSON")
    parser.add_argument("--objects", help="numbers of objects", default=",".join(map(str, OBJECTS)))
    parser.add_argument("kind", nargs="*", help="only these")
    asked = parser.parse_intermixed_args()
    if not shutil.which("valgrind"):
        print("valgrind is not installed")
        return 77
    objects = [int(number) for number in asked.objects.split(",")]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = list(pool.map(lambda one: measure(asked.bin, *one),
                             [(kind, number) for kind in asked.kind or KINDS for number in objects]))
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)
    print("| kind | objects | instructions | | bytes | | ns | peak MiB |\n|--|--|--|--|--|--|--|--|")
    for kind in asked.kind or KINDS:
        of_kind = [row for row in rows if row["kind"] == kind]
        for row in of_kind:
            print(f"| {kind} | {row['objects']:,} | {row['instructions']:.0f} "
                  f"| {row['instructions'] / of_kind[0]['instructions']:.2f} | {row['bytes']:.1f} "
                  f"| {row['bytes'] / of_kind[0]['bytes']:.2f} | {row['ns']:.0f} | {row['peak'] / 2**20:.0f} |")
        print(f"| {kind} | slope | {slope(of_kind, 'instructions'):.2f} | | {slope(of_kind, 'bytes'):.2f} | | | |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
