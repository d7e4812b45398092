#!/usr/bin/python3
"""Random queries on the tables of traces and on the same rows in plain tables of SQLite: the answers must be equal. No
answer may depend on the conditions or the order that a scan uses.

    random_conditions_test.py EXTENSION [--count N] [--seed SEED]

A failure prints the query. `--seed random` chooses a seed and prints it.
"""

import argparse
import os
import random
import sqlite3
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import odd_traces

TABLES = ("run", "stream", "generator", "tx", "attribute", "relation")
LITERALS = ("NULL", "0", "1", "-1", "1.5", "0.5", "9.2e18", "1e19", "1.8446744073709552e19", "9e999", "-9e999", "''",
            "'5'", "'x'", "'read'", "'-1'", "x'35'", "9223372036854775807", "9223372036854775808",
            "-9223372036854775808", "'9223372036854775807'", "'9223372036854775808'", "'10000000000000000000'",
            "'18446744073709551615'", "'18446744073709551616'", "5", "50", "1.0", "'1'", "' 5'", "'05'")
PATTERNS = ("'top.*'", "'TOP.%'", "'%'", "'*'", "''", "'5'", "'_ead'", "'?ead'", "'[5r]*'", "5", "NULL", "'%p%'")
COMPARISONS = ("=", "<", "<=", ">", ">=", "=", "<", "<=", ">", ">=", "<>", "IS", "IS NOT", "==")


class Source:
    """The tables of one connection, with the columns and some values of each. With @p as_functions, the queries use the
    tables as functions: without argument, or of one file."""

    def __init__(self, extension, files, rng, as_functions=False):
        self.db = sqlite3.connect(":memory:")
        self.db.enable_load_extension(True)
        self.db.load_extension(extension)
        self.db.execute(f"SELECT ftr_open({', '.join('?' * len(files))})", files)
        names = [row[0] for row in self.db.execute("SELECT DISTINCT table_name FROM generator")]
        self.names = [*TABLES, *rng.sample(sorted(names), min(3, len(names)))]
        self.columns, self.values = {}, {}
        argument = f"('{files[0]}')" if len(files) == 1 else ""
        self.traced = {name: f"ftr_{name}{argument}" if as_functions and name in TABLES else f'temp."{name}"'
                       for name in self.names}
        for name in self.names:
            shape = [(row[1], row[2].replace("HIDDEN", "")) for row in self.db.execute(f'PRAGMA table_xinfo("{name}")')]
            columns = ", ".join(f'"{column}"' for column, _ in shape)
            typed = ", ".join(f'"{column}" {kind}' for column, kind in shape)
            self.db.execute(f'CREATE TABLE "plain {name}"({typed})')
            self.db.execute(f'INSERT INTO "plain {name}" SELECT {columns} FROM "{name}"')
            # A condition on `files` would be an argument of a function.
            self.columns[name] = [column for column, _ in shape if not as_functions or column != "files"]
            for column in self.columns[name]:
                self.values[name, column] = [row[0] for row in self.db.execute(
                    f'SELECT DISTINCT quote("{column}") FROM "plain {name}" LIMIT 300')]


class Maker:
    """Makes queries. {name} stands for a table."""

    def __init__(self, rng, source):
        self.rng, self.source = rng, source

    def column(self, aliases, wanted=None):
        alias, name = self.rng.choice(aliases)
        columns = self.source.columns[name]
        # The columns that a scan uses are chosen more often.
        used = [c for c in columns if c in ("run", "id", "tx", "stream", "generator", "begin", "end", "begin_s", "end_s",
                                            "from_tx", "to_tx", "stream_id", "generator_id")]
        column = self.rng.choice(used if used and self.rng.random() < 0.75 else columns)
        if wanted is not None and wanted in columns:
            column = wanted
        return alias, name, column

    def literal(self, name, column):
        rng = self.rng
        if rng.random() < 0.4:
            text = rng.choice(LITERALS)
        else:
            values = self.source.values[name, column]
            text = rng.choice(values) if values else "NULL"
        chance = rng.random()
        if chance < 0.08:
            text = f"CAST({text} AS {rng.choice(('TEXT', 'INTEGER', 'REAL', 'NUMERIC'))})"
        elif chance < 0.16:
            text = f"{text} {rng.choice('+-*')} {rng.choice(('1', '0', '0.5', '2'))}"
        return f"({text})" if " " in text else text

    def value(self, aliases, name, column):
        rng = self.rng
        if rng.random() < 0.3:
            alias, _, other = self.column(aliases, column if rng.random() < 0.5 else None)
            text = f'{alias}."{other}"'
            return text if rng.random() < 0.7 else rng.choice((f"{text} + 1", f"+{text}", f"{text} - 3", f"{text} * 1.0",
                                                               f"CAST({text} AS TEXT)", f"max({text}, 4)"))
        return self.literal(name, column)

    def term(self, aliases):
        rng = self.rng
        alias, name, column = self.column(aliases)
        text = f'{alias}."{column}"'
        kind = rng.random()
        if kind < 0.45:
            left = text if rng.random() < 0.85 else rng.choice((f"{text} + 0", f"{text} - 1", f"coalesce({text}, 3)"))
            sides = [left, self.value(aliases, name, column)]
            if rng.random() < 0.2:
                sides.reverse()
            collation = rng.choice((" COLLATE NOCASE", " COLLATE BINARY", " COLLATE RTRIM")) if rng.random() < 0.06 else ""
            return f"{sides[0]} {rng.choice(COMPARISONS)} {sides[1]}{collation}"
        if kind < 0.6:
            negated = rng.choice(("", "", "NOT "))
            return f"{text} {negated}BETWEEN {self.value(aliases, name, column)} AND {self.value(aliases, name, column)}"
        if kind < 0.7:
            values = ", ".join(self.value(aliases, name, column) for _ in range(rng.randrange(5)))
            return f"{text} {rng.choice(('', '', 'NOT '))}IN ({values})"
        if kind < 0.75:
            return f"{text} IS {rng.choice(('', 'NOT '))}NULL"
        if kind < 0.82:
            return f"{text} {rng.choice(('', '', 'NOT '))}{rng.choice(('LIKE', 'GLOB'))} {rng.choice(PATTERNS)}"
        if kind < 0.87:
            _, _, other = self.column([(alias, name)])
            operator = rng.choice(("=", "<", "<=", ">", ">="))
            return (f'({text}, {alias}."{other}") {operator} '
                    f"({self.value(aliases, name, column)}, {self.value(aliases, name, other)})")
        if kind < 0.91 and "begin" in self.source.columns[name]:  # a window, also one whose begin is after its end
            return (f"{alias}.begin {rng.choice(('<', '<='))} {self.literal(name, 'begin')} AND "
                    f"{alias}.\"end\" {rng.choice(('>', '>='))} {self.literal(name, 'end')}")
        inner = rng.choice(self.source.names)
        mine = [("s", inner)]
        _, _, selected = self.column(mine, column if rng.random() < 0.7 else None)
        where = self.condition([*mine, *(aliases if rng.random() < 0.5 else ())], 1)
        return rng.choice((f'{text} {rng.choice(("", "NOT "))}IN (SELECT s."{selected}" FROM {{{inner}}} AS s WHERE {where})',
                           f"{rng.choice(('', 'NOT '))}EXISTS (SELECT 1 FROM {{{inner}}} AS s WHERE {where})",
                           f'{text} >= (SELECT min(s."{selected}") FROM {{{inner}}} AS s WHERE {where})'))

    def condition(self, aliases, depth=2):
        rng = self.rng
        kind = rng.random()
        if depth == 0 or kind < 0.35:
            return self.term(aliases)
        parts = [self.condition(aliases, depth - 1) for _ in range(rng.choice((2, 2, 3)))]
        text = f"({rng.choice((' AND ', ' AND ', ' OR ')).join(parts)})"
        return f"NOT {text}" if kind > 0.93 else text

    def source_of_rows(self):
        """Returns the aliases and the text of FROM ... WHERE ...."""
        rng = self.rng
        count = rng.choice((1, 1, 1, 2, 2, 3))
        chosen = [rng.choice(self.source.names) if rng.random() < 0.4 else
                  rng.choice(("tx", "tx", "relation", "attribute", *self.source.names[6:])) for _ in range(count)]
        aliases = [(f"t{i}", name) for i, name in enumerate(chosen)]
        text = f"{{{chosen[0]}}} AS t0"
        where = [self.condition(aliases)] if rng.random() < 0.9 else []
        for i in range(1, count):
            before, (alias, name) = aliases[:i], aliases[i]
            keys = [c for c in ("id", "tx", "from_tx", "to_tx") if c in self.source.columns[name]] or ["run"]
            other, other_name = rng.choice(before)
            other_keys = [c for c in ("id", "tx", "from_tx", "to_tx") if c in self.source.columns[other_name]] or ["run"]
            equal = f'{alias}."{rng.choice(keys)}" = {other}."{rng.choice(other_keys)}"'
            if rng.random() < 0.5:
                equal += f" AND {alias}.run = {other}.run"
            link = rng.random()
            if count == 2 and link < 0.25:
                equal = self.condition([*before, aliases[i]], 1)
            join = rng.choice(("JOIN", "CROSS JOIN", "CROSS JOIN", "LEFT JOIN", "LEFT JOIN"))
            if link > 0.8:
                equal += f" AND {self.term([*before, aliases[i]])}"
            text += f" {join} {{{name}}} AS {alias} ON {equal}"
        return aliases, text + (f" WHERE {' AND '.join(where)}" if where else "")

    def query(self):
        """Returns a query and whether the order of its rows is stated."""
        rng = self.rng
        aliases, rows = self.source_of_rows()
        kind = rng.random()
        if kind < 0.45:
            selected = [f'{alias}."{column}"' for alias, name in aliases
                        for column in rng.sample(self.source.columns[name], min(6, len(self.source.columns[name])))]
            return f"SELECT {rng.choice(('', '', '', 'DISTINCT '))}{', '.join(selected)} FROM {rows}", False
        if kind < 0.7:
            usual = rng.choice((("begin",), ("end",), ("run", "begin"), ("stream", "generator"), ("begin_s",), ("run",),
                                ("generator",), ("run", "stream_id"), ("generator_id",), ("id",), ("run", "end_s")))
            keys = [f'{alias}."{column}"' for wanted in usual for alias, _, column in [self.column(aliases[:1], wanted)]]
            if rng.random() < 0.2:
                keys.append('{}."{}"'.format(*self.column(aliases)[::2]))
            direction = [rng.choice((" DESC", " NULLS LAST", " COLLATE NOCASE")) if rng.random() < 0.1 else "" for _ in keys]
            keys_text = ", ".join(key if "NOCASE" not in d else f"lower({key})" for key, d in zip(keys, direction))
            limit = rng.choice(("", " LIMIT 3", " LIMIT 5 OFFSET 2", f" LIMIT {rng.randrange(40)}"))
            ordered = ", ".join(key + d for key, d in zip(keys, direction))
            return f"SELECT {keys_text} FROM {rows} ORDER BY {ordered}{limit}", True
        if kind < 0.85:
            usual = rng.choice((("stream",), ("generator",), ("stream", "generator"), ("run",), ("run", "generator"),
                                ("stream_id",), ("generator_id",), ("run", "stream", "generator"), ("begin",), ("id",)))
            keys = ", ".join(f'{alias}."{column}"' for wanted in usual for alias, _, column in [self.column(aliases[:1], wanted)])
            alias, _, column = self.column(aliases)
            counted = f'count(*), count({alias}."{column}"), min({alias}."{column}"), max({alias}."{column}"), sum(t0.run)'
            having = rng.choice(("", "", " HAVING count(*) > 1"))
            order = rng.choice(("", f" ORDER BY {keys}"))
            distinct = f'count(DISTINCT {alias}."{column}")'
            return f"SELECT {keys}, {counted}, {distinct} FROM {rows} GROUP BY {keys}{having}{order}", bool(order)
        if kind < 0.95:
            alias, _, column = self.column(aliases)
            function = rng.choice(("count(*)", f'min({alias}."{column}")', f'max({alias}."{column}")',
                                   f'count(DISTINCT {alias}."{column}"), sum(t0.run)'))
            return f"SELECT {function} FROM {rows}", False
        alias, name, column = self.column(aliases)
        others, other_rows = self.source_of_rows()
        other, _, other_column = self.column(others, column)
        both = rng.choice(("UNION", "UNION ALL", "EXCEPT", "INTERSECT"))
        return f'SELECT {alias}."{column}" FROM {rows} {both} SELECT {other}."{other_column}" FROM {other_rows}', False


def answer(db, text, is_ordered):
    try:
        rows = db.execute(text).fetchall()
    except sqlite3.Error as error:
        return f"{type(error).__name__}: {error}"
    rows = [repr(row) for row in rows]
    return rows if is_ordered else sorted(rows)


def compare(sources, number, seed):
    """Compares the answers to one query. Returns whether they are equal, after printing them if not, and whether there are
    rows."""
    rng = random.Random(f"{seed} {number}")
    source = rng.choice(sources)
    text, is_ordered = Maker(rng, source).query()
    traced, plain = text, text
    for name in source.names:
        traced = traced.replace(f"{{{name}}}", source.traced[name])
        plain = plain.replace(f"{{{name}}}", f'main."plain {name}"')
    found, expected = answer(source.db, traced, is_ordered), answer(source.db, plain, is_ordered)
    has_rows = isinstance(expected, list) and expected not in ([], ["(0,)"], ["(None,)"])
    if found == expected:
        return True, has_rows
    plan = "\n  ".join(row[3] for row in source.db.execute("EXPLAIN QUERY PLAN " + traced))
    print(f"query {number}:\n{traced}\n  {plan}\nis {shortened(found)}\nnot {shortened(expected)}\n")
    return False, has_rows


def shortened(rows):
    return rows if isinstance(rows, str) else f"{len(rows)} rows: {rows[:6]}"


def main():
    options = argparse.ArgumentParser()
    options.add_argument("extension")
    options.add_argument("--count", type=int, default=2000)
    options.add_argument("--first", type=int, default=0, help="the number of the first query")
    options.add_argument("--seed", default="1")
    options = options.parse_args()
    extension = os.path.abspath(options.extension)
    seed = str(random.SystemRandom().randrange(10**9)) if options.seed == "random" else options.seed
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        odd_traces.write("a.ftr", f"{seed} a", False)
        odd_traces.write("b.ftr", f"{seed} b", True)
        odd_traces.write("c.ftr", f"{seed} c", True, count=20)
        odd_traces.write("empty.ftr", f"{seed} empty", False, count=0)
        rng = random.Random(f"{seed} tables")
        sources = [Source(extension, files, rng, as_functions) for files, as_functions in (
            (["a.ftr", "b.ftr"], False), (["b.ftr"], False), (["a.ftr"], False), (["a.ftr"], True),
            (["c.ftr", "empty.ftr", "a.ftr", "c.ftr"], False), (["c.ftr", "empty.ftr", "b.ftr"], True))]
        outcomes = [compare(sources, number, seed) for number in range(options.first, options.first + options.count)]
        os.chdir("/")
    differences = sum(not is_equal for is_equal, _ in outcomes)
    with_rows = sum(has_rows for _, has_rows in outcomes)
    print(f"{len(outcomes)} queries of the seed {seed}, {with_rows} with rows, {differences} differences")
    if len(outcomes) >= 100 and with_rows < len(outcomes) // 3:
        sys.exit("too few queries have rows")
    sys.exit(differences > 0)


main()
