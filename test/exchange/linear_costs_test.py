#!/usr/bin/python3
"""Checks, by counting instructions, that the commands are linear in the number of attribute names, attributes of a
transaction, overlapping transactions, generators and relations.

    linear_costs_test.py FTR [COMMAND]

Four times the input must take at most five times the instructions: n log n takes 4.7 times as many, n^2 16 times.
With COMMAND, prints the counts of this command only.
"""

import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

from cbor_file import write_ftr

FEW, MANY = 5000, 20000
RATIO = 5
SKIPPED = 77


def names(count):
    """Each transaction has an attribute with a name of its own; the last one has all names in reverse order."""
    single = [("read", 10 * i, 10 * i + 5, [("begin", f"name{i}", i)]) for i in range(count)]
    everything = [("begin", f"name{i}", i) for i in reversed(range(count))]
    return [("top", "", single + [("read", 10 * count, 10 * count + 5, everything)])]


def attributes(count):
    """One transaction with many attributes of the same name, and one with the half of them."""
    return [("top", "", [("read", 0, 5, [("begin", "a", i) for i in range(count)]),
                         ("read", 9, 19, [("end" if i % 2 else "begin", "a", i) for i in range(count // 2)])])]


def overlapping(count):
    """All transactions are open at the same time, and end in another order than they begin."""
    return [("top", "", [("read", i, 2 * count + i * 7919 % count, []) for i in range(count)])]


def generators(count):
    return [("top", "", [(f"generator{i}", i, i + 1, [("begin", "a", i)]) for i in range(count)])]


def relations(count):
    """Transactions in a chain, and as many relations from the first one."""
    return [("top", "", [("read", i, i + 1, []) for i in range(count)])]


def related(count):
    return [("next", i, i + 1) for i in range(1, count)] + [("all", 1, i) for i in range(1, count)]


def parallel(count):
    """Two transactions with many relations between them."""
    return [("top", "", [("read", 0, 1, []), ("read", 2, 3, [])])]


def between(count):
    return [("same", 1, 2)] * count


SHAPES = (names, attributes, overlapping, generators, relations, parallel)
RELATIONS = {relations: related, parallel: between}

# Commands with {} for the file, {flux} and {scv} for the file in these formats, {out} for an output; and their shapes.
COMMANDS = (
    ("convert --output-format flux -o {out}.recTr {}", (names, attributes, relations)),
    ("convert --input-format flux -o {out}.ftr {flux}", (names, attributes)),
    ("convert --output-format scv -o {out}.txlog {}", (names, attributes)),
    ("convert --input-format scv -o {out}.ftr {scv}", (names, attributes)),
    ("convert --output-format perfetto -o {out}.json {}", (overlapping, relations)),
    ("convert --output-format ctf -o {out} {}", (names, attributes)),
    ("cut --quiet -o {out}.ftr {}", (names, generators, relations)),
    ("merge --quiet -o {out}.ftr {0} {0}", (names, generators)),
    ("diff {0} {0}", (names, generators, relations)),
    ("report -o {out}.html {}", (names, generators, relations)),
    ("stats {}", (names, generators)),
    ("dump --relations {}", (names, relations)),
    ("check {}", (relations,)),
    ("cat {} 1", (relations, parallel)),
    ("cat --json {} 1", (relations, parallel)),
)


def instructions(command):
    """Returns the instructions of a process and its status; -1 if they were not counted."""
    done = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"] +
                          command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    counted = re.search(r"I +refs: +([0-9,]+)", done.stderr)
    return (int(counted[1].replace(",", "")) if counted else -1), done.returncode, done.stderr


def measure(folder, ftr, shape, line):
    """Returns the instructions of a command with little and with much input, or a message."""
    counts = []
    for count in (FEW, MANY):
        base = os.path.join(folder, f"{shape}{count}")
        out = os.path.join(folder, re.sub(r"\W", "_", line) + shape + str(count))
        command = [word.format(base + ".ftr", out=out, flux=base + ".recTr", scv=base + ".txlog")
                   for word in line.split()]
        counted, status, said = instructions([ftr] + command)
        if counted < 0 or status != 0:
            return f"status {status}: {said[-300:]}"
        counts.append(counted)
    return counts


def main(ftr, only=None):
    if shutil.which("valgrind") is None:
        print("valgrind is not installed")
        return SKIPPED
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for shape in SHAPES:
            for count in (FEW, MANY):
                base = os.path.join(folder, shape.__name__ + str(count))
                write_ftr(base + ".ftr", shape(count), relations=RELATIONS[shape](count) if shape in RELATIONS else ())
                for form, ending in (("flux", "recTr"), ("scv", "txlog")):
                    subprocess.run([ftr, "convert", "--output-format", form, "-o", f"{base}.{ending}", base + ".ftr"],
                                   check=True)
        rows = [(shape.__name__, line) for line, shapes in COMMANDS for shape in shapes if only is None or only in line]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for (shape, line), counts in zip(rows, pool.map(lambda row: measure(folder, ftr, *row), rows)):
                if isinstance(counts, str):
                    wrong, told = True, counts
                else:
                    few, many = counts
                    wrong, told = many > RATIO * few, f"{few} and {many}: {many / few:.2f} times as many"
                failed |= wrong
                print(f"{'FAILED ' if wrong else ''}{shape}: {line}: {told}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
