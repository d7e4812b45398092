#!/usr/bin/python3
"""Finds circles of files in each room: in the include graph of the sources, and in the call graph of the objects that
were built (by nm). A file is a .c or .cpp with its header. The arguments are the source and the build directory."""

import collections
import pathlib
import re
import subprocess
import sys

ROOMS = ("include", "cbor", "lz4wrap", "atomic_file", "containers", "text", "summary", "storage", "encode", "reader",
         "recovery", "recorder", "analysis", "exchange", "gate", "report", "sql", "tool", "tracelink", "sc_adapter", "sc_examples",
         "bench")
# Rooms whose circles are still to be cut.
NOT_YET_INCLUDES = ()
NOT_YET_CALLS = ()

SOURCES = {".c", ".h", ".cpp", ".hpp"}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)
STRONG = set("TDBR")


def circles(graph):
    """The strongly connected components of more than one file."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            component = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(component) > 1:
                found.append(sorted(component))

    sys.setrecursionlimit(10000)
    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def include_graph(room):
    files = [f for f in room.rglob("*") if f.suffix in SOURCES]
    node_of = {str(f.relative_to(room)): f.stem for f in files}
    by_end = collections.defaultdict(set)
    for name, node in node_of.items():
        by_end[name.rsplit("/", 1)[-1]].add(node)
    graph = collections.defaultdict(set)
    for file in files:
        for included in INCLUDE.findall(file.read_text(errors="replace")):
            graph[file.stem] |= by_end.get(included.rsplit("/", 1)[-1], set()) - {file.stem}
    return graph


def call_graph(room, build):
    """Files by the functions and data that they use of others. Objects without a source are ignored."""
    definers = collections.defaultdict(set)
    users = collections.defaultdict(set)
    count = 0
    for found in (build / room.name).rglob("*.o"):
        folder, _, inner = str(found.relative_to(build)).partition("/CMakeFiles/")
        source = room.parent / folder / inner.partition("/")[2].replace("__/", "../").removesuffix(".o")
        if not source.exists() or room not in source.resolve().parents:
            continue
        count += 1
        symbols = subprocess.run(["nm", str(found)], capture_output=True, text=True, check=True).stdout
        for line in symbols.splitlines():
            kind, name = line.split()[-2:]
            if kind in STRONG:
                definers[name].add(source.stem)
            elif kind == "U" and not name.startswith("_ZTI"):  # types are not called; UBSan compares them
                users[source.stem].add(name)
    graph = {file: {other for name in names for other in definers.get(name, ()) if len(definers[name]) == 1} - {file}
             for file, names in users.items()}
    return graph, count


def main(source, build):
    source, build = pathlib.Path(source).resolve(), pathlib.Path(build).resolve()
    failed = False
    objects = 0
    for name in ROOMS:
        room = source / name
        graph, count = call_graph(room, build)
        objects += count
        for kind, found, not_yet in (("includes", circles(include_graph(room)), NOT_YET_INCLUDES),
                                     ("calls", circles(graph), NOT_YET_CALLS)):
            for circle in found:
                print(f"{name}: circle of {kind}: {' '.join(circle)}{' (not yet cut)' if name in not_yet else ''}")
                failed |= name not in not_yet
    print(f"{objects} objects")
    return 1 if failed or objects == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
