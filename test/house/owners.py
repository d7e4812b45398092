#!/usr/bin/python3
"""Checks that each part of a recorder is accessed by its owner's files only. The argument is the source directory.

Other files call the functions of the owner. A member that is not in this list is shared: see recorder_state.h."""

import pathlib
import re
import sys

# Part, pattern of an access, files without their ending.
OWNERS = [
    ("the lock", r"\bftr_lock_(?:take|try)\(|\bftr_recorder_lock\(|->locks\.lock\b",
     {"recorder_lock", "recorder_state", "lane", "buffers", "linear_blocks", "ring_blocks", "ready_blocks",
      "uncovered_blocks", "lane_supply", "definition_calls", "retained_blocks", "writer"}),
    ("the writer thread", r"(?:->|\.)writer(?:\.|;)", {"recorder_state", "writer"}),
    ("the retained blocks", r"(?:->|\.)retained\.|&\w+->retained;", {"retained_blocks"}),
    ("the segments", r"(?:->|\.)segments(?:\.|;)", {"segments"}),
    ("the summary", r"(?:->|\.)summary->", {"kept_summary"}),
    ("the waiting threads", r"(?:->|\.)lanes\.(?!first\b)", {"lane", "buffers", "ready_blocks", "lane_supply",
                                                             "retained_blocks", "writer"}),
    ("the ids in the file", r"(?:->|\.)in_file = ", {"pending_relations"}),
]


def main(source):
    source = pathlib.Path(source)
    failed = 0
    files = list((source / "recorder").rglob("*.[ch]"))
    for name, pattern, owners in OWNERS:
        found = 0
        for path in files:
            text = re.sub(r"/\*.*?\*/", lambda match: re.sub(r"[^\n]", " ", match[0]), path.read_text(), flags=re.S)
            for line, code in enumerate(text.splitlines(), 1):
                if not re.search(pattern, code):
                    continue
                found += 1
                if path.stem not in owners:
                    print(f"{path.relative_to(source)}:{line}: {name}: only {' '.join(sorted(owners))}: {code.strip()}")
                    failed += 1
        if found == 0:
            print(f"{name}: no file accesses this part")
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
