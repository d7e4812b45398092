#!/usr/bin/python3
"""Fails if a file of 1,000,000 transactions exceeds the limit of its workload, or if it is not smaller with lz4hc.

    file_size.py CORE_WORKLOADS
"""

import os
import subprocess
import sys
import tempfile

import growth

TRANSACTIONS = 1_000_000
# Limits in bytes per transaction. They are 2 % above the usual size, because chunks are shorter on a slow machine.
LZ4_LIMITS = {"W1": 13.4, "W2": 19.7, "W4": 22.3}
GROWTH_LIMIT = 1.3


def bytes_a_transaction(program, workload, compression):
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "run.ftr")
        subprocess.run([program, workload, str(TRANSACTIONS), trace, compression], check=True)
        return os.path.getsize(trace) / TRANSACTIONS


def growth_of_bytes(program):
    """Returns the relation of the bytes of a transaction with 10,000 streams to those with 10 streams."""
    folder = os.path.dirname(program)
    few, many = (growth.run(folder, "streams", streams, growth.NS)[1] for streams in (10, 10_000))
    return many / few


def main():
    growth_now = growth_of_bytes(sys.argv[1])
    print(f"10,000 streams take {growth_now:.2f} times the bytes of 10 streams, at most {GROWTH_LIMIT}")
    fits = growth_now <= GROWTH_LIMIT
    for workload, limit in LZ4_LIMITS.items():
        lz4, lz4hc = (bytes_a_transaction(sys.argv[1], workload, compression) for compression in ("lz4", "lz4hc"))
        print(f"{workload}: {lz4:.2f} bytes a transaction with lz4, at most {limit}; {lz4hc:.2f} with lz4hc")
        fits = fits and lz4hc < lz4 <= limit
    return 0 if fits else 1


if __name__ == "__main__":
    sys.exit(main())
