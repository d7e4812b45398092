#!/usr/bin/python3
"""Fails if a file of 1,000,000 transactions exceeds the limit of its workload, or if it is not smaller with lz4hc.

    file_size.py CORE_WORKLOADS
"""

import os
import subprocess
import sys
import tempfile

TRANSACTIONS = 1_000_000
# Limits in bytes per transaction. They are 2 % above the usual size, because chunks are shorter on a slow machine.
LZ4_LIMITS = {"W1": 13.4, "W2": 19.7, "W4": 22.3}


def bytes_a_transaction(program, workload, compression):
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "run.ftr")
        subprocess.run([program, workload, str(TRANSACTIONS), trace, compression], check=True)
        return os.path.getsize(trace) / TRANSACTIONS


def main():
    fits = True
    for workload, limit in LZ4_LIMITS.items():
        lz4, lz4hc = (bytes_a_transaction(sys.argv[1], workload, compression) for compression in ("lz4", "lz4hc"))
        print(f"{workload}: {lz4:.2f} bytes a transaction with lz4, at most {limit}; {lz4hc:.2f} with lz4hc")
        fits = fits and lz4hc < lz4 <= limit
    return 0 if fits else 1


if __name__ == "__main__":
    sys.exit(main())
