#!/usr/bin/python3
"""Counts the instructions of a transaction, and fails if a limit is exceeded.

    instructions.py BIN [--json FILE] [WORKLOAD...]
    instructions.py BIN --summary [WORKLOAD...]

BIN is the directory of the counted programs. Callgrind counts each workload with 10,000 and with 50,000
transactions; the difference gives the cost of one transaction, without start-up and close. For recording, the
cost of the same loop without its recording lines is subtracted. The journal is on. Counts of the whole process
include the writer thread, with LZ4. The programs that read use files of workload W2. The index, and the search for a
transaction with the index beside the file, are counted with 100,000 and with 1,000,000 transactions.

The rows of whole runs count all instructions from the start of the process to its end, also minus those of the same
loop without its recording lines.

With --summary, runs of the core and of the adapter record a summary and no trace. The limit of each workload is its
cost with a trace.
"""

import argparse
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile

import callgrind
import growth

# For each program: workload, limit for the recording thread, limit for the whole process or None.
RECORDING = {
    "core": [
        ("W1", 67, None),
        ("W2", 152, 587),
        ("W2-literal", 138, 558),
        ("W2-one-call", 78, 512),
        ("W2-undeclared", 183, None),
        ("W3", 326, 1830),
        ("W4", 153, None),
        ("event", 83, None),
        ("event-named", 88, None),
        ("event-words", 87, None),
        ("W2-before-start", 130, None),
        ("W2-before-window", 135, None),
        ("W2-within", 164, 598),
        ("W2-after-stop", 204, None),
        ("one-call-before-start", 25, None),
        ("one-call-within", 88, 522),
        ("one-call-after-stop", 27, None),
    ],
    "adapter": [
        ("W1", 66, None),
        ("W1-in-time", 74, None),
        ("W2", 139, 573),
        ("W2-one-call", 81, 515),
        ("W2-undeclared", 172, None),
        ("W3", 313, 1816),
        ("W4", 188, None),
        ("W5", 146, None),
        ("event", 92, None),
        ("event-named", 91, None),
        ("W2-before-start", 117, None),
        ("W2-before-window", 120, None),
        ("W2-within", 151, 585),
        ("W2-after-stop", 12, None),
        ("in-time-after-stop", 10, None),
        ("one-call-before-start", 17, None),
        ("one-call-within", 98, 532),
        ("one-call-after-stop", 13, None),
        ("off", 7, None),
        ("off-escaping", 15, None),
        ("switched-off", 7, None),
        ("switched-off-escaping", 15, None),
    ],
    "lwtr": [
        ("W2", 236, None),
        ("W5", 350, None),
        ("W5-named", 350, None),
    ],
}

# The same for runs that keep a summary and write no trace.
SUMMARIES = {
    "core": [
        ("W1", 67, 420),
        ("W2", 152, 730),
        ("W2-one-call", 78, 660),
        ("W2-undeclared", 183, 1190),
        ("W3", 326, 970),
        ("event-words", 88, 510),
    ],
}

# Whole runs: program, workload, number of transactions, limit for the whole process. A run of 100 transactions has no
# writer thread.
WHOLE_RUNS = [
    ("core", "W2", 100, 320_000),
]

# Name, command, limit, numbers of transactions of the two runs. In a command, FILE is the file, which is otherwise the last
# argument, and LAST the id of the last transaction. The commands state the numbering of
# types, because its detection reads the first 64 chunks of a file of any size.
SAY_TYPES = ["--read-types", "deployed"]
READING = [
    ("index", ["ftr", "info"] + SAY_TYPES, 1.2, (100_000, 1_000_000)),
    ("find", ["ftr", "cat"] + SAY_TYPES + ["FILE", "LAST"], 350, (callgrind.FEW, callgrind.MANY)),
    ("find with index", ["ftr", "cat"] + SAY_TYPES + ["FILE", "LAST"], 1.7, (100_000, 1_000_000)),
    ("decode", ["decode_workload"], 600, (callgrind.FEW, callgrind.MANY)),
    ("sql count", ["sql_workload", "SELECT count(*) FROM tx"], 630, (callgrind.FEW, callgrind.MANY)),
    ("sql group", ["sql_workload", "SELECT generator, count(*), avg(duration), max(duration) FROM tx GROUP BY generator"],
     2620, (callgrind.FEW, callgrind.MANY)),
    ("stats", ["ftr", "stats"] + SAY_TYPES, 1210, (callgrind.FEW, callgrind.MANY)),
    ("stats -j 1", ["ftr", "stats", "-j", "1"] + SAY_TYPES, 1210, (callgrind.FEW, callgrind.MANY)),
    ("check", ["ftr", "check"] + SAY_TYPES, 800, (callgrind.FEW, callgrind.MANY)),
    ("dump", ["ftr", "dump"] + SAY_TYPES, 2800, (callgrind.FEW, callgrind.MANY)),
    ("dump --json", ["ftr", "dump", "--json"] + SAY_TYPES, 3160, (callgrind.FEW, callgrind.MANY)),
]

# Kind and number of objects (see growth_workload.c), and limit of the process. A transaction of 10 streams takes about
# 550 instructions. The goal is at most twice as many for 10,000 streams, and four times as many for 100,000.
GROWTH = [
    ("streams", 10_000, 800),
    ("streams", 100_000, 1500),
    ("calls", 10_000, 800),
]

# Counts of one program vary by this much, because the other thread fetches some blocks earlier.
TOLERANCE = 1


def recording_cost(program, workload, name="run.ftr"):
    """Returns the instructions of one transaction on the recording thread and in the whole process."""
    with tempfile.TemporaryDirectory() as folder:
        def record(count):
            # Each run gets its own folder: an existing summary is not replaced, and finding another name costs
            # instructions.
            os.mkdir(os.path.join(folder, str(count)))
            return [program, workload, str(count), os.path.join(folder, str(count), name)]
        thread, process = callgrind.slope(record)
    plain, _ = callgrind.slope(lambda count: [program, workload, str(count)])
    return thread - plain, process - plain


def whole_cost(program, workload, count):
    """Returns the instructions of a run on the recording thread and in the whole process."""
    with tempfile.TemporaryDirectory() as folder:
        recorded = callgrind.instructions([program, workload, str(count), os.path.join(folder, "run.ftr")])
    plain = callgrind.instructions([program, workload, str(count)])
    return recorded[0] - plain[0], sum(recorded) - sum(plain)


def reading_cost(bin_folder, name, command, counts):
    """Returns the instructions of one transaction in the whole process."""
    with tempfile.TemporaryDirectory() as folder:
        def read(count):
            trace = os.path.join(folder, f"{count}.ftr")
            subprocess.run([os.path.join(bin_folder, "core_workloads"), "W2", str(count), trace], check=True)
            if name.endswith("with index"):
                subprocess.run([os.path.join(bin_folder, "ftr"), "index", "--quiet", trace], check=True)
            words = {"FILE": trace, "LAST": str(count)}
            arguments = command[1:] if "FILE" in command else command[1:] + ["FILE"]
            return [os.path.join(bin_folder, command[0])] + [words.get(word, word) for word in arguments]
        _, process = callgrind.slope(read, *counts)
    return None, process


def measurements(bin_folder, wanted):
    """Returns the measurements: name, two limits, and the function that measures."""
    for table, file, what in ((RECORDING, "run.ftr", ""), (SUMMARIES, "run.fts", ", summary")):
        for through, rows in table.items():
            program = os.path.join(bin_folder, through + "_workloads")
            for workload, *limits in rows if os.path.exists(program) else ():
                if not wanted or workload in wanted:
                    yield (through + what, workload, limits,
                           lambda p=program, w=workload, f=file: recording_cost(p, w, f))
    for kind, objects, limit in GROWTH:
        name = f"{kind} {objects:,}"
        if not wanted or name in wanted:
            yield "core", name, [None, limit], lambda k=kind, o=objects: growth.cost(bin_folder, k, o)
    for through, workload, count, limit in WHOLE_RUNS:
        program = os.path.join(bin_folder, through + "_workloads")
        name = f"{workload}, whole run of {count}"
        if os.path.exists(program) and (not wanted or name in wanted):
            yield through, name, [limit, limit], lambda p=program, w=workload, n=count: whole_cost(p, w, n)
    for name, command, limit, counts in READING:
        if not os.path.exists(os.path.join(bin_folder, command[0])):
            continue  # not built, because SQLite is missing
        if not wanted or name in wanted:
            yield "reader", name, [None, limit], lambda w=name, c=command, n=counts: reading_cost(bin_folder, w, c, n)


def compare_summaries(bin_folder, wanted):
    """Prints the cost on the recording thread with a summary alone and with a trace. Returns the exit status."""
    rows = [(through, row[0]) for through in ("core", "adapter") for row in RECORDING[through]
            if (not wanted or row[0] in wanted) and not row[0].startswith("off") and
            os.path.exists(os.path.join(bin_folder, through + "_workloads"))]

    def cost(row, file):
        return recording_cost(os.path.join(bin_folder, row[0] + "_workloads"), row[1], file)[0]

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        kept, traced = (list(pool.map(lambda row, file=file: cost(row, file), rows)) for file in ("run.fts", "run.ftr"))
    print("| through | workload | summary | trace |\n|--|--|--|--|")
    worse = 0
    for (through, workload), summary, trace in zip(rows, kept, traced):
        is_worse = summary > trace + TOLERANCE
        worse += is_worse
        print(f"| {through} | {workload} | {summary:.1f} | {trace:.1f} |" + (" more" if is_worse else ""))
    return 1 if worse or not rows else 0


def shown(number):
    """Formats a count or limit for a table."""
    if number is None:
        return "-"
    return f"{number:.1f}" if isinstance(number, float) and number < 10 else f"{number:.0f}"


def main():
    parser = argparse.ArgumentParser(description="instructions a transaction")
    parser.add_argument("bin", help="folder of the programs")
    parser.add_argument("--json", help="file for the same as JSON")
    parser.add_argument("workload", nargs="*", help="only these")
    parser.add_argument("--summary", action="store_true", help="compare recordings of a summary with those of a trace")
    asked = parser.parse_intermixed_args()
    if not shutil.which("valgrind"):
        print("valgrind is not installed")
        return 77
    os.environ["SYSTEMC_DISABLE_COPYRIGHT_MESSAGE"] = "1"
    os.environ.pop("FTR_TRACE", None)

    if asked.summary:
        return compare_summaries(asked.bin, asked.workload)
    todo = list(measurements(asked.bin, asked.workload))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        costs = list(pool.map(lambda one: one[3](), todo))

    rows = []
    for (through, workload, limits, _), cost in zip(todo, costs):
        is_good = all(limit is None or round(count, 1) <= limit for count, limit in zip(cost, limits))
        rows.append({"through": through, "workload": workload, "thread": cost[0], "thread_limit": limits[0],
                     "process": cost[1], "process_limit": limits[1], "good": is_good})
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)
    print("| through | workload | simulation | limit | process | limit |\n|--|--|--|--|--|--|")
    for row in rows:
        print("| " + " | ".join([row["through"], row["workload"]] + [shown(row[key]) for key in (
            "thread", "thread_limit", "process", "process_limit")]) + " |"
            + ("" if row["good"] else " more than its limit"))
    return 0 if rows and all(row["good"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
