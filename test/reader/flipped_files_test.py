#!/usr/bin/python3
"""Compares the reader's check and the independent decoder on damaged files.

    flipped_files_test.py FLIPPED_FILES

FLIPPED_FILES writes files and, for each of their bytes, flips it and prints the check's result. If
the decoder finds damage, the check must report an error; if the decoder accepts the file, the check
must report none.
"""

import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import ftr_decode  # noqa: E402

# The decoder is stricter here: our recorder writes tight ranges, the format only requires enclosing ones.
STRICTER = ("chunk-range-tight",)


def disagreement(name, data, at, mask, errors):
    """Returns the decoder's result if the check's result is the opposite, or None."""
    numbering = "spec" if name.startswith("text") else "deployed"
    flipped = bytearray(data)
    flipped[at] ^= mask
    found = ftr_decode.Trace(bytes(flipped), numbering=numbering,
                             allow=STRICTER).errors()
    if bool(found) == (errors > 0):
        return None
    return [f"{finding.rule}: {finding.message}" for finding in found[:2]] or "sound"


def main(program):
    with tempfile.TemporaryDirectory() as directory:
        said = subprocess.run([program], cwd=directory, capture_output=True, text=True, check=True)
        files, judged, failed = {}, 0, []
        for line in said.stdout.splitlines():
            name, at, mask, errors, _, *rules = line.split()
            if name not in files:
                with open(os.path.join(directory, name), "rb") as file:
                    files[name] = file.read()
            other = disagreement(name, files[name], int(at), int(mask), int(errors))
            judged += 1
            if other is not None:
                failed.append(f"{name}: byte {at} ^ {mask}: the check says {rules or 'sound'}, the "
                              f"decoder {other}")
    print("\n".join(failed))
    print(f"{judged} damaged files, {len(failed)} judged differently")
    return 1 if failed or judged < 1000 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
