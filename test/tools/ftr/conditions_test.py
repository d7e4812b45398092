#!/usr/bin/python3
"""conditions_test.py FTR MAKE_FILES: random conditions of --where choose the transactions that a second evaluation in exact
arithmetic chooses, in a trace that a second decoder has read."""

import fractions
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import ftr_decode

FTR, MAKE_FILES = map(os.path.abspath, sys.argv[1:])
COUNT = 300
SECONDS = {"s": 0, "ms": -3, "us": -6, "\u00b5s": -6, "ns": -9, "ps": -12, "fs": -15, "as": -18}
FACTORS = {"B": 1, "kB": 1000, "GB": 10**9, "KiB": 1024, "MiB": 1 << 20, "TiB": 1 << 40, "%": 1, "tx/s": 1, "Mtx/s": 10**6,
           "MB/s": 10**6, "GiB/s": 1 << 30}
ORDERS = {"==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
          ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}
FIELDS = ("id", "begin", "end", "duration", "stream", "generator")


def kind(value):
    return "boolean" if isinstance(value, bool) else "text" if isinstance(value, bytes) else "absent" if value is None else "number"


class Conditions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, "/")
        os.chdir(folder.name)
        subprocess.run([MAKE_FILES], check=True, stdout=subprocess.DEVNULL)
        self.random = random.Random(35)

    def read(self, path):
        records = list(ftr_decode.json_records(ftr_decode.decode(path)))
        self.scale = records[0]["time_scale"]
        self.txs = []
        for record in records:
            if record["record"] != "transaction":
                continue
            tx = {}
            for _, name, _, value in record["attributes"]:
                tx.setdefault(f"`{name}`", value.encode() if isinstance(value, str) else
                              fractions.Fraction(value) if isinstance(value, float) else value)
            tx |= {"id": record["id"], "begin": record["begin"], "end": record["end"], "duration": record["end"] - record["begin"],
                   "stream": record["stream"].encode(), "generator": record["generator"].encode()}
            self.txs.append(tx)
        self.names = sorted({name for tx in self.txs for name in tx})

    def number(self):
        """A number as text, and its value in ticks or without a unit."""
        pick = self.random.choice
        known = [value for tx in self.txs for value in tx.values() if kind(value) == "number"]
        value = fractions.Fraction(pick(known)) if self.random.random() < 0.7 else fractions.Fraction(
            self.random.randrange(-99, 99), pick([1, 1, 10, 100]))
        unit = pick(["", "", "", *SECONDS, *FACTORS])
        factor = fractions.Fraction(10) ** (SECONDS[unit] - self.scale) if unit in SECONDS else FACTORS.get(unit, 1)
        if unit and self.random.random() < 0.6:
            value = value / factor  # the value of a transaction in this unit
        if value.denominator == 1 and self.random.random() < 0.3:
            text = f"{'-' * (value < 0)}{pick(['0x', '0X'])}{abs(value.numerator):x}"
            return text + " " * bool(unit) + unit, value * factor
        else:
            digits = pick([0, 3, 9, 12])
            mantissa = round(value * 10**digits)
            value = fractions.Fraction(mantissa, 10**digits)
            text = f"{mantissa}e-{digits}" if self.random.random() < 0.3 else str(mantissa) if digits == 0 else (
                f"{'-' * (mantissa < 0)}{abs(mantissa) // 10**digits}.{abs(mantissa) % 10**digits:0{digits}}")
        return text + pick(["", " "]) * bool(unit) + unit, value * factor

    def value(self, name=None):
        """A value as text, and its value for a transaction."""
        pick = self.random.choice
        form = pick(["name", "sum", "number", "number", "text", "boolean"]) if name is None else name
        if form == "name":
            chosen = pick([*self.names, "`nosuch`"])
            return self.shown(chosen), lambda tx: tx.get(chosen)
        if form == "sum":
            chosen, (text, number) = pick(self.names), self.number()
            sign = -1 if text.startswith("-") else pick([1, -1])
            added = abs(number) * sign
            return (f"{self.shown(chosen)} {'+' if sign > 0 else '-'} {text.lstrip('-')}",
                    lambda tx: tx.get(chosen) + added if kind(tx.get(chosen)) == "number" else tx.get(chosen))
        if form == "boolean":
            truth = pick([True, False])
            return str(truth).lower(), lambda tx: truth
        if form == "text":
            text = pick([v for tx in self.txs for v in tx.values() if kind(v) == "text" and b'"' not in v])
            return f'"{text.decode()}"', lambda tx: text
        text, number = self.number()
        return text, lambda tx: number

    def shown(self, name):
        plain = name.strip("`")
        may_be_plain = plain not in (*FIELDS, "true", "false") and re.fullmatch(r"[A-Za-z_][\w.\[\]:/]*", plain, re.ASCII)
        return plain if name[0] != "`" or (may_be_plain and self.random.random() < 0.8) else name

    def comparison(self):
        pick = self.random.choice
        shape = self.random.random()
        if shape < 0.1:
            name = pick(self.names)
            return self.shown(name), lambda tx: kind(tx.get(name)) != "absent" and (kind(tx[name]) == "text" or tx[name] != 0)
        if shape < 0.2:
            name, part = pick(["stream", "generator"]), pick(self.txs)["stream"].decode()[:3]
            pattern = re.compile(re.escape(part).replace(r"\.", "[./]").encode() + b".*", re.DOTALL)
            return f'{name} =~ "zz*, {part}*"', lambda tx: bool(pattern.fullmatch(tx[name]))
        if shape < 0.3:
            symbol, (text, number) = pick(["<", "<=", ">", ">="]), self.number()
            return f"{symbol}{text}", lambda tx: ORDERS[symbol](tx["duration"], number)
        if shape < 0.35:
            identity = pick(self.txs)["id"]
            return f"#{identity}", lambda tx: tx["id"] == identity
        (left, a), symbol = self.value(pick(["name", "name", "name", "sum", None])), pick(list(ORDERS))
        right, b = self.value(pick([None, "number"]))
        blank = pick(["", " "])
        return f"{left}{blank}{symbol}{blank}{right}", lambda tx: (
            kind(a(tx)) == kind(b(tx)) != "absent" and ORDERS[symbol](a(tx), b(tx)))

    def condition(self, depth=3):
        shape = self.random.random()
        if depth == 0 or shape < 0.3:
            return self.comparison()
        text, test = self.condition(depth - 1)
        if shape < 0.45:
            return f"!({text})", lambda tx: not test(tx)
        other, second = self.condition(depth - 1)
        if shape < 0.75:
            return f"({text}) && ({other})", lambda tx: test(tx) and second(tx)
        return f"({text})||({other})", lambda tx: test(tx) or second(tx)

    def test_where_chooses_the_same_transactions(self):
        for path in ("small.ftr", "nanoseconds.ftr"):
            self.read(path)
            parts = 0
            for _ in range(COUNT // 2):
                text, test = self.condition()
                wanted = sorted(tx["id"] for tx in self.txs if test(tx))
                done = subprocess.run([FTR, "dump", "--where", text, "--columns", "id", path], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, (text, done.stderr))
                self.assertEqual(sorted(map(int, done.stdout.split()[1:])), wanted, (path, text))
                parts += 0 < len(wanted) < len(self.txs)
            self.assertGreater(parts, COUNT // 20)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
