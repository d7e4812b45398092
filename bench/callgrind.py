"""Counts what callgrind counts: the instructions of a process, and of one transaction more."""

import os
import re
import subprocess
import sys
import tempfile

# Transactions of the two runs that are compared.
FEW, MANY = 10_000, 50_000


def instructions(command):
    """Instructions of a process by thread, the first one's first."""
    with tempfile.TemporaryDirectory() as folder:
        counted = ["valgrind", "--tool=callgrind", "--separate-threads=yes",
                   "--callgrind-out-file=" + os.path.join(folder, "count")] + command
        done = subprocess.run(counted, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(counted)}:\n{done.stderr}")
        totals = []
        for name in sorted(os.listdir(folder)):
            if re.fullmatch(r"count-\d\d", name):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    totals.append(int(re.search(r"^(?:totals|summary): (\d+)", file.read(), re.M)[1]))
        return totals


def slope(command_for, few=FEW, many=MANY):
    """Instructions of one transaction more, on the first thread and in the whole process.
    @param command_for  the command that takes a given number of transactions"""
    least, most = (instructions(command_for(count)) for count in (few, many))
    return (most[0] - least[0]) / (many - few), (sum(most) - sum(least)) / (many - few)
