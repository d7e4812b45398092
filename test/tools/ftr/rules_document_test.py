#!/usr/bin/python3
"""Checks that the table of findings in docs/reading.md equals the output of `ftr check --rules`."""

import re
import subprocess
import sys

ftr, document = sys.argv[1:]
said = subprocess.run([ftr, "check", "--rules"], capture_output=True, text=True, check=True).stdout
rules = {tuple(re.match(r" *(\d+) (\S+) +[-svrw]{4}  (.*)", line).groups())
         for line in said.splitlines()}
with open(document, encoding="utf-8") as file:
    listed = set(re.findall(r"^\| (\d+) \| `([^`]+)` \| [^|]+ \| (.*) \|$", file.read(), re.M))
if rules != listed or not rules:
    sys.exit(f"{document} differs: {sorted(rules ^ listed)}")
