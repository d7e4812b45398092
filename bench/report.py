#!/usr/bin/python3
"""Prints the cost of recording, from the repetitions in the output of recording_benchmark.

    report.py RECORDING_JSON

Nanoseconds are processor time per transaction, minus the time of the same loop without its recording lines. The
table shows the median, minimum and maximum of the repetitions.
"""

import sys

import repetitions

GROUPS = [
    ("core", "through `<ftr/recorder.h>`"),
    ("adapter", "through `<ftr/systemc.hpp>`"),
    ("limit", "limit"),
    ("peer", "peer"),
]


def nanoseconds(spread):
    return f"{spread.median:.1f} ({spread.least:.1f} .. {spread.most:.1f})" if spread else "-"


def number(spread, digits):
    return f"{spread.median:.{digits}f}" if spread else "-"


def print_group(group, title, found):
    rows = {name.split("/", 1)[1]: counters for name, counters in found.items()
            if name.startswith(group + "/")}
    if not rows:
        return
    print(f"\n| {title} | ns of the simulation | ns of the process | bytes | peak MiB |\n|--|--|--|--|--|")
    for name, counters in rows.items():
        print(f"| {name} | {nanoseconds(counters.get('thread_ns'))} | {nanoseconds(counters.get('process_ns'))} | "
              f"{number(counters.get('bytes'), 2)} | {number(counters.get('peak_mib'), 0)} |")


def main():
    found = repetitions.load(sys.argv[1])
    for group, title in GROUPS:
        print_group(group, title, found)


if __name__ == "__main__":
    main()
