#!/usr/bin/python3
"""include_circles_test.py SOURCE_DIR ROOM...: no files of a room include each other in a circle.

A source and the header of the same name count as one file.
"""

import pathlib
import re
import sys


def includes(room):
    """The files that each file of a room includes, without suffixes."""
    files = [file for file in room.rglob("*") if file.suffix in (".c", ".h", ".cpp", ".hpp")]
    names = {file.name: file.stem for file in files}
    graph = {file.stem: set() for file in files}
    for file in files:
        for name in re.findall(r'^\s*#\s*include\s*"([^"]+)"', file.read_text(), re.MULTILINE):
            if names.get(name, file.stem) != file.stem:
                graph[file.stem].add(names[name])
    return graph


def circle(graph):
    """Returns a circle as a list of files, or None."""
    done = set()

    def visit(file, path):
        if file in path:
            return path[path.index(file):] + [file]
        if file in done:
            return None
        for included in sorted(graph[file]):
            found = visit(included, path + [file])
            if found:
                return found
        done.add(file)
        return None

    for file in sorted(graph):
        found = visit(file, [])
        if found:
            return found
    return None


def main():
    source = pathlib.Path(sys.argv[1])
    failed = False
    for room in sys.argv[2:]:
        graph = includes(source / room)
        found = circle(graph)
        print(f"{room}: {len(graph)} files, {'circle: ' + ' -> '.join(found) if found else 'no circle'}")
        failed |= bool(found) or not graph
    sys.exit(failed)


main()
