#!/usr/bin/python3
"""Records one large file, and reads it with every command that reads a whole file. Measures lz4 as the limit.

    throughput.py BIN [--json FILE] [TRANSACTIONS] [FOLDER]

The programs in BIN record TRANSACTIONS (default 10,000,000) of workload W2 in FOLDER (default: a temporary one), with
LZ4 and journal. Prints CPU seconds, seconds, transactions per CPU second and peak memory of each process. Files are in
the page cache, except for the line marked cold (which needs root). The processes run one after the other. A second
table shows the commands that read the whole file, with one thread and with one thread for each processor: the fastest
of three runs.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time


def run(command):
    """Runs a process without output. Returns (CPU seconds, seconds, peak MiB)."""
    begin = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {child.returncode}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - begin, usage.ru_maxrss / 1024


class Table:
    """Runs commands; prints and stores the cost of each."""

    def __init__(self, count):
        self.count = count
        self.rows = []
        print(f"{count} transactions\n\n"
              "| action | CPU s | s | million transactions per CPU s | peak MiB |\n|--|--|--|--|--|")

    def add(self, name, command, is_of_all=True):
        cpu, seconds, peak = run(command)
        self.rows.append({"what": name, "cpu_s": cpu, "s": seconds, "peak_mib": peak})
        rate = f"{self.count / cpu / 1e6:.1f}" if is_of_all else ""
        print(f"| {name} | {cpu:.2f} | {seconds:.2f} | {rate} | {peak:.0f} |", flush=True)


class ReadingTable:
    """Runs commands with one thread, and with one thread for each processor."""

    RUNS = 3

    def __init__(self, count):
        self.count = count
        self.threads = sorted({1, os.cpu_count() or 1})
        self.rows = []
        heads = "".join(f" s with `-j {n}` | CPU s |" for n in self.threads)
        print(f"\n| action |{heads} million transactions per s | peak MiB |\n|--|{'--|--|' * len(self.threads)}--|--|")

    def add(self, ftr, command, trace):
        cells, row = [], {"what": f"`ftr {' '.join(command)}`", "threads": {}}
        for threads in self.threads:
            runs = [run([ftr] + command + ["-j", str(threads), trace]) for _ in range(self.RUNS)]
            cpu, seconds, peak = min(runs, key=lambda found: found[1])
            row["threads"][threads] = {"cpu_s": cpu, "s": seconds, "peak_mib": peak}
            cells += [f"{seconds:.2f}", f"{cpu:.2f}"]
        self.rows.append(row)
        print(f"| {row['what']} | {' | '.join(cells)} | {self.count / seconds / 1e6:.1f} | {peak:.0f} |", flush=True)


def forget_cached_files():
    os.sync()
    try:
        with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as file:
            file.write("3\n")
    except OSError:
        return False
    return True


def measure(bin_folder, count, folder):
    """Prints the table. Returns the rows, and the bytes per transaction with and without compression."""
    workloads, ftr = (os.path.join(bin_folder, name) for name in ("core_workloads", "ftr"))
    trace, plain, packed = (os.path.join(folder, name) for name in ("w2.ftr", "w2.raw", "w2.lz4"))
    table = Table(count)
    table.add("the loop that records, without recording", [workloads, "W2", str(count)])
    table.add("recording, both threads", [workloads, "W2", str(count), trace])
    run([ftr, "cut", trace, "-o", plain, "--compress", "none"])
    run(["lz4", "-q", "-f", plain, packed])
    run(["cat", trace])
    table.add("`lz4` of the same bytes", ["lz4", "-q", "-f", "-c", plain])
    table.add("`lz4 -d` of the same bytes", ["lz4", "-q", "-d", "-c", packed])
    size, raw = os.path.getsize(trace), os.path.getsize(plain)
    os.remove(plain)
    os.remove(packed)
    table.add("`ftr info`", [ftr, "info", trace], False)
    if forget_cached_files():
        table.add("`ftr info`, cold", [ftr, "info", trace], False)
    run(["cat", trace])
    end = count * 1000
    window = ["--from", f"{end // 2}ps", "--to", f"{end // 2 + end // 1000}ps"]
    table.add("`ftr dump` of 0.1 % of the time", [ftr, "dump", trace] + window, False)
    reading = ReadingTable(count)
    for command in (["info", "--counts"], ["stats"], ["dump"], ["dump", "--json"], ["check"]):
        reading.add(ftr, command, trace)
    print(f"\n{size / count:.2f} bytes a transaction, {raw / count:.2f} not compressed")
    return {"transactions": count, "bytes": size / count, "bytes_not_compressed": raw / count,
            "rows": table.rows, "reading": reading.rows}


def main():
    parser = argparse.ArgumentParser(description="how fast a large file is recorded and read")
    parser.add_argument("bin", help="folder of the programs")
    parser.add_argument("--json", help="file for the same as JSON")
    parser.add_argument("transactions", nargs="?", type=int, default=10_000_000)
    parser.add_argument("folder", nargs="?", help="for the file that is recorded")
    asked = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        measured = measure(asked.bin, asked.transactions, folder)
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as file:
            json.dump(measured, file, indent=1)


if __name__ == "__main__":
    main()
