#!/usr/bin/python3
"""Finds circles of files. A file is a .c or .cpp with its header; it uses another file if it includes the header of that
file, or uses a function or variable that only that file defines. The use is found in the objects that were built (by
nm), and in the text of headers, because the object of an inline function is that of another file. The public headers
declare the functions of all rooms, so only their includes count. The arguments are the source and the build directory."""

import collections
import pathlib
import re
import subprocess
import sys

ROOMS = ("include", "base", "cbor", "lz4wrap", "reader", "figures", "recorder", "exchange", "tools", "sc_adapter",
         "sc_examples", "bench")

# Circles that are still to be cut.
NOT_YET = ()

SOURCES = {".c", ".h", ".cpp", ".hpp"}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)
# Comments, literals, and the braces of a linkage, which contain no code.
NO_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
TOKEN = re.compile(r"[{}]|\b[A-Za-z_]\w*(?=\s*\()")
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


def node_of(source, file):
    """File names are unique; a public header is not one file with the .c of the same name."""
    return f"ftr/{file.name}" if (source / "include") in file.parents else file.stem


def code_of(text):
    return NO_CODE.sub(" ", re.sub(r'extern "C" \{', "", text))


def calls_in(text):
    """The functions that the inline functions and macros of a header call."""
    found, depth = set(), 0
    for line in code_of(text).replace("\\\n", " ").splitlines():
        if line.lstrip().startswith("#"):
            found |= set(re.findall(r"\b\w+(?=\()", line.partition(" ")[2].partition(" ")[2]))
            continue
        for token in TOKEN.finditer(line):
            if token[0] in "{}":
                depth = max(0, depth + (1 if token[0] == "{" else -1))
            elif depth > 0:
                found.add(token[0])
    return found


def symbols_of(source, build):
    """The definers and the users of the symbols of all objects. Objects without a source in a room are ignored."""
    definers, users = collections.defaultdict(set), collections.defaultdict(set)
    files = {}
    for room in ROOMS:
        for found in (build / room).rglob("*.o"):
            folder, _, inner = str(found.relative_to(build)).partition("/CMakeFiles/")
            file = (source / folder / inner.partition("/")[2].replace("__/", "../").removesuffix(".o")).resolve()
            if file.exists() and any(source / name in file.parents for name in ROOMS):
                files[str(found)] = file.stem
    names = sorted(files)
    for first in range(0, len(names), 200):
        symbols = subprocess.run(["nm", "-A", *names[first:first + 200]], capture_output=True, text=True, check=True).stdout
        for line in symbols.splitlines():
            path, _, rest = line.partition(":")
            kind, symbol = rest.split()[-2:]
            if kind in STRONG:
                definers[symbol].add(files[path])
            elif kind == "U" and not symbol.startswith("_ZTI"):  # types are not called; UBSan compares them
                users[files[path]].add(symbol)
    return definers, users, len(files)


def main(source, build):
    source = pathlib.Path(source).resolve()
    files = [f for name in ROOMS for f in (source / name).rglob("*") if f.suffix in SOURCES and "example" not in f.parts]
    texts = {file: file.read_text(errors="replace") for file in files}
    definers, users, objects = symbols_of(source, pathlib.Path(build).resolve())
    headers = {}
    for file in files:
        headers[f"ftr/{file.name}" if source / "include" in file.parents else file.name] = node_of(source, file)
    graph = collections.defaultdict(set)
    why = collections.defaultdict(set)

    def add(node, other, reason):
        if other != node:
            graph[node].add(other)
            why[node, other].add(reason)

    def add_uses(node, names, reason):
        for name in names:
            if len(definers.get(name, ())) == 1:
                add(node, next(iter(definers[name])), f"{reason} {name}")

    for file, text in texts.items():
        node = node_of(source, file)
        for included in INCLUDE.findall(text):
            name = included.rsplit("/", 1)[-1]
            name = f"ftr/{name}" if included.startswith("ftr/") else name
            if name in headers:
                add(node, headers[name], f"includes {included}")
        if file.suffix == ".h" and not node.startswith("ftr/"):
            add_uses(node, calls_in(text), "calls")
    for node, names in users.items():
        add_uses(node, names, "uses")
    found = [circle for circle in circles(graph) if circle not in NOT_YET]
    for circle in found:
        print(f"circle: {' '.join(circle)}")
        for (node, other), reasons in sorted(why.items()):
            if node in circle and other in circle:
                print(f"  {node} -> {other}: {', '.join(sorted(reasons)[:4])}")
    print(f"{len(files)} files, {objects} objects, {sum(map(len, graph.values()))} edges")
    return 1 if found or objects == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
