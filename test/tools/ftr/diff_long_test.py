#!/usr/bin/python3
"""`ftr diff` of two long runs finds exactly the edited transactions, in either direction.
Arguments: ftr, long_recording, number of transactions. With a further argument `measure`: checks
that it takes less than twice the processor time of reading both files, and less than 256 MiB."""

import json
import os
import resource
import subprocess
import sys
import tempfile

EDITS = 100  # changed, deleted and inserted, alternately


def processor_time(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return result, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def counts(result):
    assert not result.stderr, result.stderr
    summary = json.loads(result.stdout.splitlines()[-1])
    return {kind: summary[kind] for kind in ("deleted", "inserted", "changed", "duration", "moved", "shifted")}


def check_edits(ftr, one, other):
    expected = {"deleted": 33, "inserted": 33, "changed": 34, "duration": 0, "moved": 0, "shifted": 0}
    different = subprocess.run([ftr, "diff", "--json", one, other], capture_output=True, text=True, check=False)
    assert different.returncode == 1, different
    assert counts(different) == expected, different.stdout[-500:]
    back = subprocess.run([ftr, "diff", "--json", other, one], capture_output=True, text=True, check=False)
    assert counts(back) == expected, back.stdout[-500:]


def check_cuts(ftr, folder, one):
    """Transactions that `ftr cut` drops must be reported as deleted."""
    for k in (1, 2, 59):
        ids = [7 + 1009 * i for i in range(k)]
        part = os.path.join(folder, f"part{k}.ftr")
        where = " && ".join(f"id != {number}" for number in ids)
        subprocess.run([ftr, "cut", "--quiet", "--where", where, "-o", part, one], check=True)
        result = subprocess.run([ftr, "diff", "--json", one, part], capture_output=True, text=True, check=False)
        found = [json.loads(line) for line in result.stdout.splitlines()]
        assert sorted(line["first"]["id"] for line in found if line["record"] == "deleted") == ids, found
        assert counts(result)["deleted"] == found[-1]["differences"] == k, found[-1]
        back = subprocess.run([ftr, "diff", "--json", part, one], capture_output=True, text=True, check=False)
        assert counts(back)["inserted"] == json.loads(back.stdout.splitlines()[-1])["differences"] == k


def main():
    ftr, record, number = sys.argv[1:4]
    count = int(number)
    with tempfile.TemporaryDirectory() as folder:
        one, same, other = (os.path.join(folder, name) for name in ("one.ftr", "same.ftr", "other.ftr"))
        edited = [str(count // 2), str(count // 2 // EDITS)]
        for command in ([one, number], [same, number], [other, number, *edited]):
            subprocess.run([record] + command, check=True)
        equal, spent = processor_time([ftr, "diff", one, same])
        assert (equal.returncode, equal.stdout, equal.stderr) == (0, "", ""), equal
        check_edits(ftr, one, other)
        if "measure" not in sys.argv:
            check_cuts(ftr, folder, one)
            return
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        reading = sum(processor_time([ftr, "stats", path])[1] for path in (one, same))
        _, different = processor_time([ftr, "diff", one, other])
        print(f"reading both {reading:.2f} s, equal {spent:.2f} s, different {different:.2f} s, {most // 1024} MiB")
        assert max(spent, different) < 2 * reading and most < 256 << 10


if __name__ == "__main__":
    main()
