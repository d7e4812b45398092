"""Counts, with callgrind, the instructions of a process, and of one additional transaction."""

import os
import re
import subprocess
import sys
import tempfile

# Numbers of transactions in the two compared runs.
FEW, MANY = 10_000, 50_000


def instructions(command, environment=None):
    """Returns the instructions of each thread of a process, in order of creation.

    Symbols are bound at the start: with lazy binding, the first thread that calls a function looks up its symbol, and
    the timing decides which thread that is."""
    with tempfile.TemporaryDirectory() as folder:
        counted = ["valgrind", "--tool=callgrind", "--separate-threads=yes",
                   "--callgrind-out-file=" + os.path.join(folder, "count")] + command
        done = subprocess.run(counted, capture_output=True, text=True, check=False,
                              env=dict(os.environ, LD_BIND_NOW="1", **(environment or {})))
        if done.returncode != 0:
            sys.exit(f"{' '.join(counted)}:\n{done.stderr}")
        totals = []
        for name in sorted(os.listdir(folder)):
            if re.fullmatch(r"count-\d\d", name):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    totals.append(int(re.search(r"^(?:totals|summary): (\d+)", file.read(), re.M)[1]))
        return totals


def slope(command_for, few=FEW, many=MANY, environment=None):
    """Returns the instructions of one additional transaction, on the first thread and in the whole process.
    @param command_for  function that returns the command for a number of transactions
    @param environment  further environment variables"""
    least, most = (instructions(command_for(count), environment) for count in (few, many))
    return (most[0] - least[0]) / (many - few), (sum(most) - sum(least)) / (many - few)
