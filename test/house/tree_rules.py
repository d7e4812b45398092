#!/usr/bin/python3
"""Checks that the tree obeys the rules of CONTRIBUTING.md, and that docs/design.md ("Rooms") describes the tree. The
argument is the source directory."""

import collections
import os
import pathlib
import re
import sys

TOP_FOLDERS_MAX = 17
LINES_MAX = 700
# Names that a tool prescribes, and copies with a purpose: data of fuzzers, a stand-in for the header of SCV.
SAME_NAMES = {"CMakeLists.txt", ".clang-tidy", "README.md"}
SAME_NAME_FOLDERS = ("test/fuzz/corpus/", "test/sc_adapter/compat/scv_double/")
SKIPPED = {".git", "build", "__pycache__"}
# Folders that are not compiled, and libftr, which joins the rooms from base/ to recorder/.
LIBFTR = "cmake/libftr"


def files_of(root):
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in SKIPPED)
        for name in names:
            yield os.path.relpath(os.path.join(folder, name), root)


def same_names(files):
    places = collections.defaultdict(list)
    for file in files:
        name = os.path.basename(file)
        if name not in SAME_NAMES and not file.startswith(SAME_NAME_FOLDERS):
            places[name].append(file)
    return [f"one name for {len(found)} files: {' '.join(found)}" for _, found in sorted(places.items()) if len(found) > 1]


def long_files(root, files):
    counts = {file: (root / file).read_bytes().count(b"\n") for file in files if file.endswith((".c", ".h", ".cpp", ".hpp"))}
    return [f"{file} has {count} lines, at most {LINES_MAX}" for file, count in counts.items() if count > LINES_MAX]


def too_many_folders(files):
    folders = sorted({file.split("/")[0] for file in files if "/" in file})
    if len(folders) <= TOP_FOLDERS_MAX:
        return []
    return [f"{len(folders)} folders at the top, at most {TOP_FOLDERS_MAX}: {' '.join(folders)}"]


def unchecked_headers(root, files):
    """Headers that clang-tidy does not check. bench/ and test/ have only headers of their own programs."""
    regex = re.compile(re.search(r"HeaderFilterRegex: '(.*)'", (root / ".clang-tidy").read_text())[1])
    return [f".clang-tidy: HeaderFilterRegex does not cover {file}" for file in files
            if file.endswith((".h", ".hpp")) and not file.startswith(("test/", "bench/")) and not regex.search(file)]


def described_rooms(design):
    """The folders of the tree in docs/design.md, in its order."""
    tree = design.split("## Rooms")[1].split("```text\n")[1].split("```")[0]
    rooms, room = [], ""
    for line in tree.splitlines():
        if "/" not in line.split("  ")[0] and not line.startswith("  "):
            continue
        names = re.match(r"\s*((?:[\w/.]+/ ?)+)", line)
        if names is None:
            continue
        for name in names[1].split():
            if line.startswith(" "):
                rooms.append(room + name.rstrip("/"))
            else:
                room = name.split("/")[0] + "/"
                rooms.append(name.split("/")[0])
    return rooms


def wrong_tree(root, files, rooms):
    """Folders that the tree of docs/design.md omits, or that do not exist. Inner folders count if they are targets."""
    present = {file.split("/")[0] for file in files if "/" in file} - {".ci"}
    for file in files:
        parts = file.split("/")
        if len(parts) > 2 and parts[0] in ("base", "figures", "recorder", "tools", "reader") and parts[2] == "CMakeLists.txt":
            present.add("/".join(parts[:2]))
    wrong = [f"docs/design.md omits {name}/" for name in sorted(present - set(rooms))]
    return wrong + [f"docs/design.md describes {name}/, which does not exist" for name in rooms
                    if not (root / name).is_dir()]


def targets_of(root, files):
    """The folder of each target, and the targets that it links."""
    folder_of, links = {}, collections.defaultdict(set)
    for file in files:
        if not file.endswith("CMakeLists.txt") or file.startswith("test/"):
            continue
        text = re.sub(r"#.*", "", (root / file).read_text())
        folder = os.path.dirname(file)
        for name in re.findall(r"add_(?:library|executable)\(\s*([\w-]+)", text):
            folder_of[name] = folder
        for name, rest in re.findall(r"target_link_libraries\(\s*([\w-]+)([^)]*)\)", text):
            links[name] |= set(rest.split())
    return folder_of, links


def wrong_links(root, files, rooms):
    """Targets that link a target of a room that the list of docs/design.md has below their own."""
    def place(folder):
        if folder == LIBFTR:
            return rooms.index("recorder")
        return max((rooms.index(room) for room in rooms if (folder + "/").startswith(room + "/")), default=None)

    folder_of, links = targets_of(root, files)
    found, count = [], 0
    for name, used in sorted(links.items()):
        for other in sorted(used & set(folder_of)):
            count += 1
            own, its = place(folder_of.get(name, "")), place(folder_of[other])
            same_room = folder_of.get(name, "").split("/")[0] == folder_of[other].split("/")[0]
            own_room = name in folder_of and folder_of[other].startswith(folder_of[name])
            if own is not None and its is not None and its > own and not own_room:
                kind = "of the same room, " if same_room else ""
                found.append(f"{folder_of[name]}: {name} links {other} of {folder_of[other]}, {kind}below it in "
                             "docs/design.md")
    if count < 30:
        found.append(f"only {count} links between targets were found")
    return found


def wrong_library(root, design):
    """The folders whose objects are libftr, compared with the sentence about libftr in docs/design.md."""
    folder_of, _ = targets_of(root, list(files_of(root)))
    text = (root / LIBFTR / "CMakeLists.txt").read_text()
    folders = {folder_of[name] for name in re.findall(r"TARGET_OBJECTS:(\w+)>", text)}
    sentence = re.search(r"The library libftr .*? consists of (.*?), and those\s+parts of `base/`", design, re.S)[1]
    named = re.findall(r"`([\w/]+)/`", sentence) + ["base"]
    wrong = [f"docs/design.md does not name {folder}/ as a part of libftr" for folder in sorted(folders)
             if not any((folder + "/").startswith(name + "/") for name in named)]
    return wrong + [f"docs/design.md names {name}/ as a part of libftr" for name in named
                    if not any((folder + "/").startswith(name + "/") for folder in folders)]


def main(source):
    root = pathlib.Path(source).resolve()
    files = sorted(files_of(root))
    design = (root / "docs/design.md").read_text()
    rooms = described_rooms(design)
    found = (same_names(files) + long_files(root, files) + too_many_folders(files) + unchecked_headers(root, files) +
             wrong_tree(root, files, rooms) + wrong_links(root, files, rooms) + wrong_library(root, design))
    print(*found, sep="\n")
    print(f"{len(files)} files, {len(rooms)} folders in docs/design.md, {len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
