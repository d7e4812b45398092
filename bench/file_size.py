#!/usr/bin/python3
"""Fails if a file of 1,000,000 transactions of workload W2 exceeds the limit.

    file_size.py CORE_WORKLOADS
"""

import os
import subprocess
import sys
import tempfile

TRANSACTIONS = 1_000_000
LZ4_LIMIT = 19.7


def bytes_a_transaction(program, compression):
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "run.ftr")
        subprocess.run([program, "W2", str(TRANSACTIONS), trace, compression], check=True)
        return os.path.getsize(trace) / TRANSACTIONS


def main():
    lz4, lz4hc = (bytes_a_transaction(sys.argv[1], compression) for compression in ("lz4", "lz4hc"))
    print(f"bytes a transaction: {lz4:.2f} with lz4, at most {LZ4_LIMIT}; {lz4hc:.2f} with lz4hc")
    return 0 if lz4hc < lz4 <= LZ4_LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
