#!/usr/bin/python3
"""Checks that the command `ftr` loads few libraries, and names a program of libexec that is missing.

    libraries_test.py FTR HAS_SQL
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

# Libraries of each command. Further libraries would take longer to load than a small file takes to read.
ALLOWED = re.compile(r"lib(c|m|z|lz4|gcc_s)\.so|ld-linux|lib[a-z_.]+san[-a-z0-9_]*\.so")


def loaded_libraries(program):
    """Returns the libraries that the program names in its dynamic section."""
    section = subprocess.run(["readelf", "--dynamic", program], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", section)


def main(ftr, has_sql):
    libraries = loaded_libraries(ftr)
    further = [library for library in libraries if not ALLOWED.match(library)]
    print(libraries)
    if not libraries or further:
        print(f"{ftr} also loads {further}")
        return 1
    if not has_sql:
        return 0
    with tempfile.TemporaryDirectory() as folder:
        alone = shutil.copy(ftr, os.path.join(folder, "ftr"))
        done = subprocess.run([alone, "sql", "run.ftr", "SELECT 1"], capture_output=True, text=True, check=False)
        print(done.returncode, done.stdout, done.stderr)
        is_named = done.stderr.startswith("ftr: ") and "libexec/ftr/ftr-sql: No such file or directory" in done.stderr
        return 0 if done.returncode == 2 and done.stdout == "" and is_named else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], bool(int(sys.argv[2]))))
