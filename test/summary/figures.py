"""The figures of runs, computed from ftr_decode.py's output, and summary files read by cbor2: shares no
code with the product (docs/summary-format.md describes the file)."""

import collections
import json
import math
import subprocess
import sys
from pathlib import Path

import cbor2
import lz4.block
import packed_record

DECODER = Path(__file__).resolve().parent.parent / "ftr_decode.py"
STATES = ["sound", "unfinished", "torn", "unreadable", "absent"]
SIZES = {"data_length", "data_size", "length", "len", "size", "bytes"}
EXACT_MAX = 65536

# ---- the file --------------------------------------------------------------------------------------


def latencies_of(row):
    count, least, greatest, high, low, rounded, step, values, counts = row
    bins, value = {}, 0
    for i, more in enumerate(values):
        value += more if i == 0 else more * step
        bins[value] = counts[i]
    assert sum(bins.values()) == count
    return {"count": count, "min": least, "max": greatest, "sum": high << 64 | low, "rounded": rounded,
            "bins": bins}


def slowest_of(row):
    latency, out = 0, []
    for i in range(0, len(row), 3):
        latency = row[i] if i == 0 else latency - row[i]
        out.append((latency, row[i + 1], row[i + 2]))
    return out


def text(value):
    return value.decode("utf-8", "surrogateescape")


def compressed_record(block, raw_size):
    """Reads a record of version 1."""
    file, problem, scale, losses, info, shift, rows = cbor2.loads(
        lz4.block.decompress(block, uncompressed_size=raw_size))
    streams = []
    for name, kind, busy, outstanding, (first_slot, slots), generators in rows:
        stream = {"busy": busy, "outstanding": outstanding,
                  "slots": {first_slot + i: (busy,) for i, busy in enumerate(slots) if busy}}
        figures_of_stream = []
        for row in generators:
            first, *columns = row[10]
            figures_of_stream.append((row[0], {
                "errors": row[1], "unfinished": row[2], "bytes": row[3], "first": row[4],
                "last": row[4] + row[5], "busy": row[6], "outstanding": row[7],
                "latency": latencies_of(row[8]), "slowest": slowest_of(row[9]),
                "slots": {first + i: slot for i, slot in enumerate(zip(*columns)) if any(slot)}}))
        streams.append((name, kind, stream, figures_of_stream))
    return file, problem, scale, losses, info, shift, streams


def read_summary(path):
    """Returns the runs of a file: {identity in hexadecimal: run}, in file order."""
    data = Path(path).read_bytes()
    tagged = cbor2.loads(data)
    magic, version, runs = tagged if isinstance(tagged, list) else tagged.value
    assert magic == "ftr-summary" and version in (1, 2)
    assert [run[0] for run in runs] == sorted({run[0] for run in runs})
    out = {}
    for identity, state, transactions, raw_size, _, block in runs:
        record = compressed_record(block, raw_size) if raw_size else packed_record.read(block)
        file, problem, scale, losses, info, shift, streams = record
        run = {"file": text(file), "problem": text(problem), "state": STATES[state], "time_scale": scale,
               "count": transactions, "losses": losses, "shift": shift, "generators": {}, "streams": {},
               "info": {text(k): text(v) for k, v in info.items()}, "layout": []}
        for name, kind, stream, generators in streams:
            run["streams"][text(name)] = stream
            run["layout"].append((text(name), text(kind), [text(generator) for generator, _ in generators]))
            for generator, row in generators:
                run["generators"][f"{text(name)}.{text(generator)}"] = row
        out[identity.hex()] = run
    return out


# ---- files of version 1 ------------------------------------------------------------------------------


def bytes_of(value):
    return value.encode("utf-8", "surrogateescape")


def row_of_latencies(latency):
    bins = sorted(latency["bins"].items())
    step = math.gcd(*(b[0] - a[0] for a, b in zip(bins, bins[1:]))) or 1
    values = [value if i == 0 else (value - bins[i - 1][0]) // step for i, (value, _) in enumerate(bins)]
    return [latency["count"], latency["min"], latency["max"], latency["sum"] >> 64, latency["sum"] & 2**64 - 1,
            latency["rounded"], step, values, [count for _, count in bins]]


def columns_of(slots, width):
    first = min(slots, default=0)
    rows = [slots.get(at, (0,) * width) for at in range(first, max(slots, default=-1) + 1)]
    return [first, *([row[i] for row in rows] for i in range(width))]


def row_of_generator(name, row):
    slowest = []
    for i, (latency, begin, id) in enumerate(row["slowest"]):
        slowest += [latency if i == 0 else row["slowest"][i - 1][0] - latency, begin, id]
    return [bytes_of(name), row["errors"], row["unfinished"], row["bytes"], row["first"],
            row["last"] - row["first"], row["busy"], row["outstanding"], row_of_latencies(row["latency"]),
            slowest, columns_of(row["slots"], 5)]


def hash_of(block):
    """Returns the stored hash of a block."""
    low, high, mask = 0xcbf29ce484222325, 0x9ae16a3b2f90404f, 2**64 - 1
    for byte in block:
        low = (low ^ byte) * 0x100000001b3 & mask
        high = (high ^ byte) * 0x9e3779b97f4a7c15 & mask ^ high >> 47
    for factor in (0xff51afd7ed558ccd, 0xc4ceb9fe1a85ec53):
        high = (high ^ high >> 33) * factor & mask
    return (high ^ high >> 33).to_bytes(8, "big")


def write_version_1(path, runs):
    """Writes runs, as read_summary() returns them, the way that the first version of the format did."""
    out = []
    for identity, run in runs.items():
        streams = []
        for name, kind, generators in run["layout"]:
            rows = [row_of_generator(generator, run["generators"][f"{name}.{generator}"])
                    for generator in generators]
            stream = run["streams"][name]
            streams.append([bytes_of(name), bytes_of(kind), stream["busy"], stream["outstanding"],
                            columns_of(stream["slots"], 1), rows])
        info = {bytes_of(key): bytes_of(value) for key, value in run["info"].items()}
        record = cbor2.dumps([bytes_of(run["file"]), bytes_of(run["problem"]), run["time_scale"],
                              run["losses"], info, run["shift"], streams])
        block = lz4.block.compress(record, store_size=False)
        out.append([bytes.fromhex(identity), STATES.index(run["state"]), run["count"], len(record),
                    hash_of(block), block])
    Path(path).write_bytes(b"\xd9\xd9\xf7" + cbor2.dumps(["ftr-summary", 1, out]))


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
          "bytes": None, "error": False, "unfinished": False}
    answers = not (kind.startswith("[TLM][base-protocol][dbg]") or
                   (kind.startswith("[TLM][base-protocol][nb]") and record["generator"] != "response"))
    for _, name, _, value in record["attributes"]:
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


def figures(transactions, shift):
    latencies = [tx["end"] - tx["begin"] for tx in transactions]
    bins = collections.Counter(latencies)
    is_rounded = len(bins) > EXACT_MAX
    if is_rounded:
        bins = collections.Counter(map(rounded, latencies))
    outstanding, busy = overlap((tx["begin"], tx["end"]) for tx in transactions)
    slowest = sorted((-(tx["end"] - tx["begin"]), tx["begin"], tx["id"]) for tx in transactions)[:16]
    return {
        "errors": sum(tx["error"] for tx in transactions),
        "unfinished": sum(tx["unfinished"] for tx in transactions),
        "bytes": sum(tx["bytes"] for tx in transactions),
        "first": min((tx["begin"] for tx in transactions), default=0),
        "last": max((tx["end"] for tx in transactions), default=0),
        "busy": busy, "outstanding": outstanding,
        "latency": {"count": len(latencies), "min": min(latencies, default=0),
                    "max": max(latencies, default=0), "sum": sum(latencies), "rounded": is_rounded,
                    "bins": dict(bins)},
        "slowest": [(-latency, begin, id) for latency, begin, id in slowest],
        "slots": slots_of(transactions, shift),
    }
