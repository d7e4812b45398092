#!/usr/bin/python3
"""Records one large file and reads it with every command that reads all of it, beside lz4 as the limit.

    throughput.py CORE_WORKLOADS FTR [TRANSACTIONS] [FOLDER]

TRANSACTIONS (10,000,000) of workload W2 go to FOLDER (a temporary one), LZ4 compressed, journal on. Prints CPU
seconds, seconds, transactions a CPU second and peak memory of each process. Files are in the page cache, except
for the line that says cold (that needs root). Processes run alone, one after the other.
"""

import os
import subprocess
import sys
import tempfile
import time


def run(command):
    """(CPU seconds, seconds, peak MiB) of a process whose output nobody wants."""
    begin = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {child.returncode}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - begin, usage.ru_maxrss / 1024


def row(name, count, command):
    cpu, seconds, peak = run(command)
    rate = f"{count / cpu / 1e6:.1f}" if count else ""
    print(f"| {name} | {cpu:.2f} | {seconds:.2f} | {rate} | {peak:.0f} |", flush=True)


def forget_cached_files():
    os.sync()
    try:
        with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as file:
            file.write("3\n")
    except OSError:
        return False
    return True


def main():
    workloads, ftr = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000_000
    with tempfile.TemporaryDirectory(dir=sys.argv[4] if len(sys.argv) > 4 else None) as folder:
        trace, plain, packed = (os.path.join(folder, name) for name in ("w2.ftr", "w2.raw", "w2.lz4"))
        print(f"{count} transactions\n\n"
              "| what | CPU s | s | million transactions a CPU s | peak MiB |\n|--|--|--|--|--|")
        row("the loop that records, without recording", count, [workloads, "W2", str(count)])
        row("recording, both threads", count, [workloads, "W2", str(count), trace])
        run([ftr, "cut", trace, "-o", plain, "--compress", "none"])
        run(["lz4", "-q", "-f", plain, packed])
        run(["cat", trace])
        row("`lz4` of the same bytes", count, ["lz4", "-q", "-f", "-c", plain])
        row("`lz4 -d` of the same bytes", count, ["lz4", "-q", "-d", "-c", packed])
        size, raw = os.path.getsize(trace), os.path.getsize(plain)
        os.remove(plain)
        os.remove(packed)
        row("`ftr info`", None, [ftr, "info", trace])
        if forget_cached_files():
            row("`ftr info`, cold", None, [ftr, "info", trace])
        run(["cat", trace])
        end = count * 1000
        window = ["--from", f"{end // 2}ps", "--to", f"{end // 2 + end // 1000}ps"]
        row("`ftr dump` of 0.1 % of the time", None, [ftr, "dump", trace] + window)
        for command in (["info", "--counts"], ["stats"], ["dump"], ["dump", "--json"], ["check"]):
            row(f"`ftr {' '.join(command)}`", count, [ftr] + command + [trace])
        print(f"\n{size / count:.2f} bytes a transaction, {raw / count:.2f} not compressed")


if __name__ == "__main__":
    main()
