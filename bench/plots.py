#!/usr/bin/python3
"""Plots, with gnuplot, the cost against the number of attributes and of transactions.

    plots.py RECORDING_JSON FOLDER

Writes attributes.svg and transactions.svg to FOLDER: medians, with bars from the minimum to the maximum.
"""

import os
import subprocess
import sys

import repetitions

STYLE = """
set encoding utf8
set terminal svg size 720,440 font 'sans-serif,13' background '#ffffff'
set grid linecolor '#dddddd'
set key top left
set border 3
set tics nomirror
"""


def block(name, points):
    """Returns the points of one line as a named data block of gnuplot."""
    rows = "\n".join(f"{x} {y.median} {y.least} {y.most}" for x, y in sorted(points))
    return f"${name} << END\n{rows}\nEND\n"


def line(name, title, colour):
    return (f"${name} using 1:2:3:4 with yerrorlines title '{title}' "
            f"linecolor '{colour}' pointtype 7 pointsize 0.5")


def draw(path, script):
    subprocess.run(["gnuplot"], input=f"{STYLE}\nset output '{path}'\n{script}\n", text=True, check=True)


def points(found, prefix, counter):
    return [(int(name[len(prefix):]), counters[counter]) for name, counters in found.items()
            if name.startswith(prefix)]


def draw_attributes(path, found):
    draw(path, block("separate", points(found, "attributes/separate/", "thread_ns")) +
         block("one_call", points(found, "attributes/one-call/", "thread_ns")) +
         block("process", points(found, "attributes/one-call/", "process_ns")) + """
set xlabel 'unsigned attributes of a transaction'
set ylabel 'ns of processor time a transaction'
set xtics (0, 1, 2, 4, 8, 16, 32)
set yrange [0:*]
plot """ + ", ".join([line("process", "process, recorded in one call", "#999999"),
                      line("separate", "simulation, each put by a call", "#d95f02"),
                      line("one_call", "simulation, recorded in one call", "#1b9e77")]))


def draw_transactions(path, found):
    draw(path, block("wall", points(found, "transactions/", "wall_s")) +
         block("thread", points(found, "transactions/", "thread_s")) + """
set logscale xy
set format x '10^{%T}'
set xlabel 'transactions of W2'
set ylabel 'seconds'
plot """ + ", ".join([line("wall", "from open to closed", "#7570b3"),
                      line("thread", "processor time of the simulation", "#d95f02")]))


def main():
    found = repetitions.load(sys.argv[1])
    draw_attributes(os.path.join(sys.argv[2], "attributes.svg"), found)
    draw_transactions(os.path.join(sys.argv[2], "transactions.svg"), found)


if __name__ == "__main__":
    main()
