"""The figures of runs, computed from ftr_decode.py's output, and summary files read by cbor2: shares no
code with the product (docs/summary-format.md describes the file)."""

import collections
import json
import subprocess
import sys
from pathlib import Path

import cbor2
import lz4.block
import record_reader

DECODER = Path(__file__).resolve().parents[2] / "support" / "ftr_decode.py"
STATES = ["sound", "not told", "killed", "unfinished", "torn", "unreadable", "absent"]
SIZES = {"data_length", "data_size", "length", "len", "size", "bytes"}
EXACT_MAX = 65536
ERRORS = {f"{name}_ERROR" for name in ("GENERIC", "ADDRESS", "COMMAND", "BURST", "BYTE_ENABLE")}
TIMES_MAX = 2

# ---- the file --------------------------------------------------------------------------------------


def text(value):
    return value.decode("utf-8", "surrogateescape")


def read_summary(path):
    """Returns the runs of a file: {identity in hexadecimal: run}, in file order."""
    data = Path(path).read_bytes()
    tagged = cbor2.loads(data)
    magic, version, runs = tagged if isinstance(tagged, list) else tagged.value
    assert magic == "ftr-summary" and version == 3
    assert [run[0] for run in runs] == sorted({run[0] for run in runs})
    out = {}
    for identity, state, transactions, sections, raw_size, found, block in runs:
        assert found == hash_of(identity, state, transactions, sections, raw_size, block)
        data = lz4.block.decompress(block, uncompressed_size=raw_size) if raw_size else block
        run = record_reader.read(data, sections)
        streams = run.pop("streams")
        for name in ("file", "problem", "test", "journal", "trace", "summary"):
            run[name] = text(run[name])
        run.update(state=STATES[state], count=transactions, generators={}, streams={}, sections=sections,
                   info={text(k): text(v) for k, v in run["info"].items()})
        for stream in streams:
            name = text(stream["name"])
            run["streams"][name] = {figure: stream[figure] for figure in ("busy", "outstanding", "slots")}
            for generator in stream["generators"]:
                row = {figure: generator[figure] for figure in generator if figure not in ("stream", "name")}
                run["generators"][f"{name}.{text(generator['name'])}"] = row
        out[identity.hex()] = run
    return out


SECTIONS = ["latency", "series", "times"]


def hash_of(identity, state, transactions, sections, raw_size, block):
    """Returns the stored hash of a run."""
    low, high, mask = 0xcbf29ce484222325, 0x9ae16a3b2f90404f, 2**64 - 1
    numbers = bytes([state, sum(1 << SECTIONS.index(section) for section in sections if section in SECTIONS)])
    for byte in identity + numbers + transactions.to_bytes(8, "big") + raw_size.to_bytes(8, "big") + block:
        low = (low ^ byte) * 0x100000001b3 & mask
        high = (high ^ byte) * 0x9e3779b97f4a7c15 & mask ^ high >> 47
    for factor in (0xff51afd7ed558ccd, 0xc4ceb9fe1a85ec53):
        high = (high ^ high >> 33) * factor & mask
    return (high ^ high >> 33).to_bytes(8, "big")


# ---- the same figures from the trace ---------------------------------------------------------------


def overlap(spans):
    """Returns (greatest number at one time, ticks with at least one) of [begin, end), computed by
    definition."""
    events = []
    for begin, end in spans:
        if end > begin:
            events += [(begin, 2, 1), (end, 0, -1)]
        else:
            events.append((begin, 1, 0))
    depth = most = busy = since = 0
    for tick, kind, change in sorted(events):
        if kind == 1:
            most = max(most, depth + 1)
            continue
        if depth == 0:
            since = tick
        depth += change
        if depth == 0:
            busy += tick - since
        most = max(most, depth)
    return most, busy


def covered(spans):
    """Returns the union of the spans as disjoint spans."""
    out = []
    for begin, end in sorted(span for span in spans if span[1] > span[0]):
        if out and begin <= out[-1][1]:
            out[-1][1] = max(out[-1][1], end)
        else:
            out.append([begin, end])
    return out


def slots_of(transactions, shift):
    slots = collections.defaultdict(lambda: [0, 0, 0, 0, 0])
    for tx in transactions:
        latency = tx["end"] - tx["begin"]
        if tx["unfinished"]:
            continue  # has no latency, and is not counted
        slot = slots[tx["begin"] >> shift]
        slot[0] += 1
        slot[1] += tx["bytes"]
        slot[3] += latency
        slot[4] = max(slot[4], latency)
    for begin, end in covered((tx["begin"], tx["end"]) for tx in transactions):
        for slot in range(begin >> shift, ((end - 1) >> shift) + 1):
            slots[slot][2] += min(end, (slot + 1) << shift) - max(begin, slot << shift)
    return {slot: tuple(row) for slot, row in slots.items() if any(row)}


def rounded(value):
    bits = value.bit_length()
    return value >> (bits - 11) << (bits - 11) if bits > 11 else value


def facts(record, kind):
    """Returns the values of a transaction's attributes."""
    tx = {"id": record["id"], "begin": record["begin"], "end": max(record["begin"], record["end"]),
          "bytes": None, "error": False, "unfinished": False, "times": {}, "kind": kind,
          "is_event": record["generator"].endswith(".events") and record["begin"] == record["end"]}
    answers = not (kind.startswith("[TLM][base-protocol][dbg]") or
                   (kind.startswith("[TLM][base-protocol][nb]") and record["generator"] != "response"))
    unfinished = any(name == "unfinished" and value is True for _, name, _, value in record["attributes"])
    for _, name, type_, value in record["attributes"]:
        if name == "response" and isinstance(value, str):
            tx["error"] |= value in ERRORS
            tx["error"] |= value == "INCOMPLETE" and kind != "TLM debug" and not (kind == "TLM" and unfinished)
        if type_ == "TIME" and type(value) is int:
            tx["times"].setdefault(name, value)
        if isinstance(value, str) and value.endswith("_RESPONSE") and not value.endswith("_OK_RESPONSE"):
            tx["error"] |= answers or not value.endswith("_INCOMPLETE_RESPONSE")
        elif value is True and name == "unfinished":
            tx["unfinished"] = True
        elif type(value) is int and value >= 0 and tx["bytes"] is None and name.split(".")[-1] in SIZES:
            tx["bytes"] = value
    tx["bytes"] = tx["bytes"] or 0
    return tx


def read_trace(path):
    """Returns {stream: {generator: [transaction]}}, and the records of ftr.run."""
    said = subprocess.run([sys.executable, str(DECODER), "json", path], capture_output=True, text=True,
                          check=False).stdout
    streams, kinds, names, run = {}, {}, {}, []
    for line in said.splitlines():
        record = json.loads(line)
        if record["record"] == "stream":
            names[record["id"]] = record["name"]
            kinds[record["name"]] = record["kind"]
            streams.setdefault(record["name"], {})
        elif record["record"] == "generator":
            streams[names[record["stream"]]].setdefault(record["name"], [])
        elif record["record"] == "transaction":
            if record["stream"] == "ftr.run":
                run.append(record)
            tx = facts(record, kinds[record["stream"]])
            streams[record["stream"]].setdefault(record["generator"], []).append(tx)
    return {name: rows for name, rows in streams.items() if not name.startswith("ftr.")}, run


def text_of_dump(ftr, path):
    """Returns {stream: kind} and {stream.generator: [record]} as the command prints them."""
    def lines(*arguments):
        said = subprocess.run([ftr, *arguments, path], capture_output=True, text=True, check=True).stdout
        return [json.loads(line) for line in said.splitlines()]
    (info,) = lines("info", "--json")
    rows = collections.defaultdict(list)
    for record in lines("dump", "--json"):
        if not record["stream"].startswith("ftr."):
            rows[f"{record['stream']}.{record['generator']}"].append(record)
    return {stream["name"]: stream["kind"] for stream in info["streams"]}, rows


def distribution(values):
    """Returns the distribution of values as read_summary() does."""
    bins = collections.Counter(values)
    is_rounded = len(bins) > EXACT_MAX
    return {"count": len(values), "min": min(values, default=0), "max": max(values, default=0), "sum": sum(values),
            "rounded": is_rounded, "bins": dict(collections.Counter(map(rounded, values)) if is_rounded else bins)}


def named_times(transactions):
    """Returns {name: distribution} of the attributes of type TIME that a summary keeps."""
    kind = transactions[0]["kind"] if transactions else ""
    if kind.startswith("[TLM]"):
        return {}
    values = collections.defaultdict(list)
    for tx in transactions:
        if not tx["unfinished"]:
            for name, value in tx["times"].items():
                if kind != "TLM" or name not in ("delay", "lowered_by"):
                    values[name].append(value)
    order = {"request_time": 0, "response_time": 1, "delay": 3, "lowered_by": 3}
    kept = sorted(values, key=lambda name: (order.get(name, 2), name))[:TIMES_MAX]
    return {name: distribution(values[name]) for name in sorted(kept)}


def figures(transactions, shift):
    ended = [tx for tx in transactions if not tx["unfinished"]]
    latencies = [tx["end"] - tx["begin"] for tx in ended]
    bins = collections.Counter(latencies)
    is_rounded = len(bins) > EXACT_MAX
    if is_rounded:
        bins = collections.Counter(map(rounded, latencies))
    outstanding, busy = overlap((tx["begin"], tx["end"]) for tx in transactions)
    slowest = sorted((-(tx["end"] - tx["begin"]), tx["begin"], tx["id"]) for tx in ended)[:16]
    return {
        "errors": sum(tx["error"] for tx in transactions),
        "unfinished": sum(tx["unfinished"] for tx in transactions),
        "bytes": sum(tx["bytes"] for tx in ended),
        "first": min((tx["begin"] for tx in transactions), default=0),
        "last": max((tx["end"] for tx in transactions), default=0),
        "busy": busy, "outstanding": outstanding,
        "latency": {"count": len(latencies), "min": min(latencies, default=0),
                    "max": max(latencies, default=0), "sum": sum(latencies), "rounded": is_rounded,
                    "bins": dict(bins)},
        "slowest": [(-latency, begin, id) for latency, begin, id in slowest],
        "slots": slots_of(transactions, shift),
    }
