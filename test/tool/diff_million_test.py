#!/usr/bin/python3
"""`ftr diff` of two runs of a million transactions that differ in one attribute of one of them finds exactly that
one. Arguments: ftr, long_recording."""

import os
import subprocess
import sys
import tempfile

COUNT, CHANGED = 1_000_000, 654_321


def main():
    ftr, record = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        one, same, other = (os.path.join(folder, name) for name in ("one.ftr", "same.ftr", "other.ftr"))
        for command in ([one, str(COUNT)], [same, str(COUNT)], [other, str(COUNT), str(CHANGED)]):
            subprocess.run([record] + command, check=True)
        equal = subprocess.run([ftr, "diff", one, same], capture_output=True, text=True, check=False)
        assert (equal.returncode, equal.stdout, equal.stderr) == (0, "", ""), equal
        different = subprocess.run([ftr, "diff", one, other], capture_output=True, text=True, check=False)
        assert different.returncode == 1 and not different.stderr, different
        assert f"{COUNT} transactions compared: 1 differ" in different.stdout, different.stdout
        changed = [line for line in different.stdout.splitlines() if line[:2] in ("- ", "+ ")]
        assert len(changed) == 2, different.stdout
        assert all("top.b read" in line for line in changed), changed
        assert "status=OK" in changed[0] and "status=ERROR" in changed[1], changed


if __name__ == "__main__":
    main()
