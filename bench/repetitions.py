"""Reads the repetitions of each benchmark from the output of Google Benchmark."""

import collections
import json
import statistics

Spread = collections.namedtuple("Spread", "median least most")


def load(path):
    """Returns, by benchmark and counter, the median and spread of the repetitions. Benchmarks are in the order of
    the file's families, not in the order of execution."""
    with open(path, encoding="utf-8") as file:
        runs = [run for run in json.load(file)["benchmarks"] if run["run_type"] == "iteration"]
    runs.sort(key=lambda run: (run["family_index"], run["per_family_instance_index"]))
    found = {}
    for run in runs:
        name = run["run_name"].split("/iterations:")[0]
        for counter in ("thread_ns", "process_ns", "bytes", "peak_mib", "wall_s", "thread_s", "process_s"):
            if counter in run:
                found.setdefault(name, {}).setdefault(counter, []).append(run[counter])
    return {name: {counter: Spread(statistics.median(values), min(values), max(values))
                   for counter, values in counters.items()} for name, counters in found.items()}
