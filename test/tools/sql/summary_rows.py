"""The tables of summaries as plain Python values, read by the independent reader of test/figures/runs: the source of
answers that do not use SQL. Each table is a list of dictionaries; a name that begins with `_` is no column."""

import sys
from fractions import Fraction
from pathlib import Path

import cbor2
import lz4.block

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "figures" / "runs"))
import record_reader
from figures import STATES


def number(value):
    """An integer as docs/sql.md describes it: TEXT above 2^63-1."""
    return str(value) if isinstance(value, int) and value > 2**63 - 1 else value


def text(value):
    return value.decode("utf-8", "replace")


def decimal(value):
    return int(value) if value is not None and value.isascii() and str(value).isdigit() and str(int(value)) == value else value


def rank(bins, percent):
    """The percentile by nearest rank. @param bins {value: count}, @param percent in percent, exact"""
    total = sum(bins.values())
    wanted = max(1, -(-Fraction(percent) * total // 100))
    for value in sorted(bins):
        wanted -= bins[value]
        if wanted <= 0:
            return value
    return None


def read_runs(paths):
    """Returns the runs of summaries as (identity, path, state, transactions, record), in order of identity."""
    runs = {}
    for path in paths:
        _, _, of_file = cbor2.loads(Path(path).read_bytes())
        for identity, state, transactions, sections, raw_size, _, block in of_file:
            data = lz4.block.decompress(block, uncompressed_size=raw_size) if raw_size else block
            kept = runs.get(identity)
            if kept is None or (state, -transactions) < (kept[2], -kept[3]):
                runs[identity] = identity, path, state, transactions, record_reader.read(data, sections)
    return [runs[identity] for identity in sorted(runs)]


class SummaryRows:
    def __init__(self, paths):
        self.run, self.stream, self.figures, self.latency_bin, self.slowest, self.series = [], [], [], [], [], []
        for at, (identity, path, state, transactions, record) in enumerate(read_runs(paths), 1):
            self.scale = Fraction(10) ** record["time_scale"]
            generators = [one for stream in record["streams"] for one in stream["generators"]]
            for one in generators:
                one.setdefault("latency", {"count": 0, "sum": 0, "bins": {}, "min": 0, "max": 0, "rounded": False})
            self.add_run(at, identity, path, state, transactions, record, generators)
            for stream in record["streams"]:
                self.add_stream(at, stream, record)
                for generator in stream["generators"]:
                    self.add_generator(at, stream, generator, record)

    def seconds(self, ticks):
        return None if ticks is None else float(ticks * self.scale)

    def add_run(self, at, identity, path, state, transactions, record, generators):
        info = {text(name): text(value) for name, value in record["info"].items()}
        used = [one for one in generators if one["latency"]["count"] or one["unfinished"]]
        first = min((one["first"] for one in used), default=None)
        last = max((one["last"] for one in used), default=None)
        self.run.append({
            "run": at, "file": text(record["file"]), "state": STATES[state], "test": text(record["test"]) or None,
            "time_scale": record["time_scale"] if record["streams"] else None, "first_time": number(first),
            "last_time": number(last), "streams": len(record["streams"]), "generators": len(generators),
            "transactions": number(transactions), "errors": sum(one["errors"] for one in generators),
            "unfinished": sum(one["unfinished"] for one in generators),
            "bytes": number(sum(one["bytes"] for one in generators) % 2**64), "losses": number(record["losses"]),
            "signal": record["signal"] or None, "problem": text(record["problem"]) or None,
            **{name: info.get(name) for name in ("program", "arguments", "host", "started", "ended", "tags")},
            "pid": decimal(info.get("pid")), "exit_status": decimal(info.get("exit_status")),
            "_info": info or None, "summary": str(path), "identity": identity.hex(),
            "first_time_s": self.seconds(first), "last_time_s": self.seconds(last)})

    def add_stream(self, at, stream, record):
        slots = stream.get("slots", {})
        name = text(stream["name"])
        self.stream.append({
            "run": at, "name": name, "kind": text(stream["kind"]), "generators": len(stream["generators"]),
            "transactions": number(sum(one["latency"]["count"] for one in stream["generators"])),
            "busy": number(stream["busy"]), "outstanding": stream["outstanding"], "busy_s": self.seconds(stream["busy"])})
        self.add_slots(at, name, None, {slot: (None, None, row[0], None, None) for slot, row in slots.items()}, record)

    def add_slots(self, at, stream, generator, slots, record):
        length = 1 << record["shift"]
        for slot, (count, size, busy, total, most) in sorted(slots.items()):
            self.series.append({
                "run": at, "stream": stream, "generator": generator, "begin": number(slot * length),
                "length": number(length), "count": number(count), "bytes": number(size), "busy": number(busy),
                "latency_sum": number(total), "latency_max": number(most), "begin_s": self.seconds(slot * length),
                "length_s": self.seconds(length)})

    def add_generator(self, at, stream, generator, record):
        names = {"run": at, "stream": text(stream["name"]), "generator": text(generator["name"])}
        latency = generator["latency"]
        count, bins = latency["count"], latency["bins"]
        has_any = count > 0 or generator["unfinished"] > 0
        ticks = {"first": generator["first"] if has_any else None, "last": generator["last"] if has_any else None,
                 "busy": generator["busy"], "min": latency["min"] if count else None,
                 "mean": Fraction(latency["sum"], count) if count else None, "max": latency["max"] if count else None,
                 "p50": rank(bins, 50), "p90": rank(bins, 90), "p99": rank(bins, 99),
                 "p99_9": rank(bins, Fraction(999, 10))}
        times = {text(name): of for name, of in generator.get("times", {}).items()}
        self.figures.append({
            **names, "count": number(count), "errors": generator["errors"], "unfinished": generator["unfinished"],
            "bytes": number(generator["bytes"]), "outstanding": generator["outstanding"],
            **{name: float(value) if name == "mean" and value is not None else number(value)
               for name, value in ticks.items()},
            "_times": {name: {"count": of["count"], "min": of["min"], "mean": of["sum"] / of["count"], "max": of["max"]}
                       for name, of in times.items()} or None,
            **{f"{name}_s": self.seconds(value) for name, value in ticks.items()}})
        for attribute, of in ((None, latency), *sorted(times.items(), key=lambda item: item[0].encode())):
            for value, n in sorted(of["bins"].items()):
                self.latency_bin.append({**names, "attribute": attribute, "latency": number(value), "count": n,
                                         "rounded": int(of["rounded"]), "latency_s": self.seconds(value)})
        for i, (duration, begin, tx) in enumerate(generator.get("slowest", []), 1):
            self.slowest.append({**names, "number": i, "id": number(tx), "begin": number(begin),
                                 "end": number(begin + duration), "duration": number(duration),
                                 "begin_s": self.seconds(begin), "end_s": self.seconds(begin + duration),
                                 "duration_s": self.seconds(duration)})
        self.add_slots(at, names["stream"], names["generator"], generator.get("slots", {}), record)
