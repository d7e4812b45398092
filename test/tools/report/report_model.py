"""The numbers of a report (docs/report-format.md), computed a second time for the tests.

It uses the decoder of the tests and shares no code with the C side. It owns the rules of the
numbers; it does not know how they are packed.
"""

import bisect
import collections
import functools
import math
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import ftr_decode  # noqa: E402

SIZES = ("data_length", "length", "data_size", "size", "len", "bytes")
ADDRESSES = ("address", "addr", "adr")


# Responses of accesses that are errors; INCOMPLETE is one if the access is finished.
ERRORS = ["GENERIC_ERROR", "ADDRESS_ERROR", "COMMAND_ERROR", "BURST_ERROR", "BYTE_ENABLE_ERROR"]


class Tx:
    """A transaction with its place in the order of begin."""

    def __init__(self, record):
        self.id, self.begin = record["id"], record["begin"]
        self.end = max(record["end"], record["begin"])
        self.stream, self.generator = record["stream"], record["generator"]
        self.key = (self.stream, self.generator)
        self.attributes = record["attributes"]
        self.latency = self.end - self.begin
        self.bytes = self._bytes()
        self.unfinished = any(a[1] == "unfinished" and a[3] is True for a in self.attributes)
        texts = [a[3] for a in self.attributes if isinstance(a[3], str)]
        times = {a[1]: a[3] for a in self.attributes if a[2] == "TIME"}
        self.request_end = self.begin + min(times.get("request_time", 0), self.latency)
        self.response_begin = self.end - min(times.get("response_time", 0), self.end - self.request_end)
        self.error = any(t.endswith("_RESPONSE") and not t.endswith("_OK_RESPONSE")
                         and not t.endswith("_INCOMPLETE_RESPONSE") for t in texts)
        responses = [a[3] for a in self.attributes if a[1] == "response"]
        self.error |= any(r in ERRORS for r in responses)
        self.incomplete = "INCOMPLETE" in responses or any(t.endswith("_INCOMPLETE_RESPONSE") for t in texts)

    def _bytes(self):
        for _, name, _, value in self.attributes:
            if type(value) is int and value >= 0 and name is not None and \
                    name.rsplit(".", 1)[-1] in SIZES:
                return value
        return 0


def answers(kind, tx):
    """Whether a transaction without a response has failed."""
    kind, generator = kind or "", tx.generator
    if kind == "TLM":
        return not tx.unfinished
    if kind == "TLM debug" or kind.startswith("[TLM][base-protocol][dbg]"):
        return False
    return not kind.startswith("[TLM][base-protocol][nb]") or generator == "response"


def percentile(ordered, percent):
    """The nearest rank of sorted values."""
    return ordered[max(math.ceil(len(ordered) * percent / 100), 1) - 1] if ordered else 0


def union(intervals):
    """Sorted, disjoint intervals that cover the same ticks."""
    joined = []
    for begin, end in sorted(i for i in intervals if i[1] > i[0]):
        if joined and begin <= joined[-1][1]:
            joined[-1][1] = max(joined[-1][1], end)
        else:
            joined.append([begin, end])
    return joined


def overlap_max(intervals, window=None):
    """The greatest number of open transactions, within [from, to) if a window is given."""
    low, high = window if window else (0, 1 << 64)
    with_duration = collections.Counter()
    for begin, end in intervals:
        if end > begin and end > low and begin < high:
            with_duration[max(begin, low)] += 1
            with_duration[end] -= 1
    best = now = 0
    for tick in sorted(with_duration):
        if tick >= high:
            break
        now += with_duration[tick]
        best = max(best, now)
    # One without duration overlaps those that began before it and end after it.
    begins = sorted(b for b, e in intervals if e > b)
    ends = sorted(e for b, e in intervals if e > b)
    for begin, end in intervals:
        if end == begin and low <= begin < high:
            best = max(best, 1 + bisect.bisect_left(begins, begin) - bisect.bisect_right(ends, begin))
    return best


class Model:
    """A trace, with the numbers of its report."""

    def __init__(self, path):
        trace = ftr_decode.decode(path)
        self.time_scale = trace.time_scale
        records = list(ftr_decode.json_records(trace))
        self.kinds = {r["name"]: r["kind"] or "" for r in records if r["record"] == "stream"}
        names = {r["id"]: r["name"] for r in records if r["record"] == "stream"}
        own = lambda name: name.startswith("ftr.") and name != "ftr.protocol"  # noqa: E731
        self.all = [Tx(r) for r in records if r["record"] == "transaction"]
        for tx in self.all:
            tx.error |= tx.incomplete and answers(self.kinds.get(tx.stream), tx)
        self.txs = [tx for tx in self.all if not own(tx.stream)]
        self.txs.sort(key=lambda tx: tx.begin)  # stable: equal ones as stored
        self.by_id = {tx.id: tx for tx in self.txs}
        self.relations = [(r["name"], r["from"], r["to"]) for r in records
                          if r["record"] == "relation"]
        self.streams = sorted((n for n in self.kinds if not own(n)), key=os.fsencode)
        keys = {(names[r["stream"]], r["name"]) for r in records if r["record"] == "generator"
                and not own(names[r["stream"]])}
        self.generators = sorted(keys | {tx.key for tx in self.txs},
                                 key=lambda k: (os.fsencode(k[0]), os.fsencode(k[1])))
        self.of = collections.defaultdict(list)
        self.of_stream = collections.defaultdict(list)
        for tx in self.txs:
            self.of[tx.key].append(tx)
            self.of_stream[tx.stream].append(tx)
        self.first = min((tx.begin for tx in self.txs), default=0)
        self.last = max((tx.end for tx in self.txs), default=0)

    def slots(self, shift):
        """The first slot and the number of slots of the run."""
        first = self.first >> shift
        return first, (self.last >> shift) - first + 1

    def figures(self, txs):
        """The figures of some transactions."""
        ended = [tx for tx in txs if not tx.unfinished]
        latencies = sorted(tx.latency for tx in ended)
        total = sum(latencies)
        return {
            "count": len(ended), "errors": sum(tx.error for tx in txs),
            "unfinished": sum(tx.unfinished for tx in txs), "bytes": sum(tx.bytes for tx in ended),
            "min": latencies[0] if ended else 0, "max": latencies[-1] if ended else 0,
            "mean": (total + len(ended) // 2) // len(ended) if ended else 0, "sum": total,
            "p50": percentile(latencies, 50), "p90": percentile(latencies, 90),
            "p99": percentile(latencies, 99),
            "first": min((tx.begin for tx in txs), default=0),
            "last": max((tx.end for tx in txs), default=0),
            "busy": sum(e - b for b, e in union((tx.begin, tx.end) for tx in txs)),
            "outstanding": overlap_max([(tx.begin, tx.end) for tx in txs]),
        }

    def slowest(self, key, count=16):
        """The slowest transactions of a generator, the longest first."""
        return sorted((t for t in self.of[key] if not t.unfinished), key=lambda t: (-t.latency, t.begin, t.id))[:count]

    def busy_in(self, txs, shift):
        """The busy ticks of each slot."""
        first, count = self.slots(shift)
        busy = [0] * count
        for begin, end in union((tx.begin, tx.end) for tx in txs):
            for slot in range(begin >> shift, ((end - 1) >> shift) + 1):
                low, high = slot << shift, (slot + 1) << shift
                busy[slot - first] += min(end, high) - max(begin, low)
        return busy

    def bins(self, txs, shift):
        """The columns of a stream's bins."""
        first, count = self.slots(shift)
        columns = {name: [0] * count for name in
                   ("count", "errors", "unfinished", "worst", "worst_id", "bytes")}
        for tx in txs:
            i = (tx.begin >> shift) - first
            if not tx.unfinished and (columns["worst_id"][i] == 0 or tx.latency > columns["worst"][i]):
                columns["worst"][i], columns["worst_id"][i] = tx.latency, tx.id
            columns["count"][i] += 1
            columns["errors"][i] += tx.error
            columns["unfinished"][i] += tx.unfinished
            columns["bytes"][i] += tx.bytes
        columns["busy"] = self.busy_in(txs, shift)
        return columns

    def series(self, txs, shift):
        """The columns of a generator's curves."""
        first, count = self.slots(shift)
        slots = [[] for _ in range(count)]
        for tx in txs:
            slots[(tx.begin >> shift) - first].append(tx)
        ended = [[tx for tx in slot if not tx.unfinished] for slot in slots]
        ordered = [sorted(tx.latency for tx in slot) for slot in ended]
        spans = [[] for _ in range(count)]
        for tx in txs:
            for slot in range(tx.begin >> shift, (max(tx.end - 1, tx.begin) >> shift) + 1):
                spans[slot - first].append((tx.begin, tx.end))
        return {
            "count": [len(slot) for slot in ended],
            "errors": [sum(tx.error for tx in slot) for slot in slots],
            "bytes": [sum(tx.bytes for tx in slot) for slot in ended],
            "busy": self.busy_in(txs, shift),
            "outstanding": [overlap_max(spans[i], ((first + i) << shift, (first + i + 1) << shift))
                            for i in range(count)],
            "p50": [percentile(slot, 50) for slot in ordered],
            "p99": [percentile(slot, 99) for slot in ordered],
            "max": [slot[-1] if slot else 0 for slot in ordered],
        }

    @staticmethod
    def histogram(latencies):
        """Buckets of the four leading bits: {(from, to): count}."""
        buckets = collections.Counter()
        for latency in latencies:
            drop = max(latency.bit_length() - 4, 0)
            low = latency >> drop << drop
            buckets[(low, low + (1 << drop))] += 1
        return dict(buckets)

    @staticmethod
    def is_address(name, type_name):
        """Whether an attribute looks like an address."""
        last = name.rsplit(".", 1)[-1].lower()
        return type_name == "POINTER" or any(
            last == a or last.endswith("_" + a) for a in ADDRESSES)

    def accesses(self):
        """{(stream, attribute): [(begin, address)]}. An access on several TLM links counts on the first one, requests for
        DMI and phases of other protocols are no accesses."""
        found = collections.defaultdict(list)
        parents = self.parents()
        for tx in self.txs:
            seen = set()
            parent = self.by_id.get(parents.get(tx.id))
            if self.kinds[tx.stream] == "TLM" and parent and self.kinds[parent.stream] == "TLM":
                continue
            if self.kinds[tx.stream] in ("TLM DMI", "TLM phases"):
                continue
            for _, name, type_name, value in tx.attributes:
                if name is not None and type(value) is int and value >= 0 and name not in seen \
                        and self.is_address(name, type_name):
                    seen.add(name)
                    found[(tx.stream, name)].append((tx.begin, value))
        return found

    def parents(self):
        """{child id: parent id} of the PARENT_CHILD relations; the first one counts."""
        parents = {}
        for name, source, target in self.relations:
            if name == "PARENT_CHILD" and source != target:
                parents.setdefault(target, source)
        return parents

    @functools.lru_cache
    def children(self):
        """{parent id: [child]}, the children in order of begin."""
        children = collections.defaultdict(list)
        parents = self.parents()
        for tx in self.txs:
            parent = self.by_id.get(parents.get(tx.id))
            if parent is not None and tx.begin <= parent.end and tx.end >= parent.begin:
                children[parent.id].append(tx)
        return children

    @staticmethod
    def innermost(tx, begin, end, children):
        """The transaction to which the ticks [begin, end) of tx belong. No transaction begins or ends between them."""
        seen = set()
        while tx.id not in seen:
            seen.add(tx.id)
            if begin >= tx.response_begin:
                return tx
            inside = (c for c in children.get(tx.id, ()) if c.begin <= begin and end <= c.end)
            tx = next(inside, tx)
        return tx

    def flow(self):
        """{generator: {"total", "own", "own_request", "own_response", "parents",
        "parts": {generator: {"children", "clipped", "ticks", "request", "response"}}}}"""
        children = self.children()
        flows = {}
        phases = {tx.key for tx in self.txs if tx.request_end > tx.begin or tx.response_begin < tx.end}
        for top in self.txs:
            if not (children.get(top.id) or top.key in phases or self.kinds[top.stream] == "TLM"):
                continue
            flow = flows.setdefault(top.key, {"parents": 0, "parts": collections.defaultdict(collections.Counter),
                                              "own_request": 0, "own_response": 0})
            flow["parents"] += bool(children.get(top.id))
            for child in children.get(top.id, ()):
                part = flow["parts"][child.key]
                part["children"] += 1
                part["clipped"] += child.begin < top.begin or child.end > top.end
            family, queue = [top], [top]
            while queue:
                for child in children.get(queue.pop().id, ()):
                    if child not in family:
                        family.append(child)
                        queue.append(child)
            times = {t for tx in family for t in (tx.begin, tx.end, tx.request_end, tx.response_begin)}
            times = sorted(t for t in times if top.begin <= t <= top.end)
            for begin, end in zip(times, times[1:]):
                owner = self.innermost(top, begin, end, children)
                phase = "request" if end <= owner.request_end else "response" if begin >= owner.response_begin else None
                if owner is not top:
                    flow["parts"][owner.key]["ticks"] += end - begin
                    if phase:
                        flow["parts"][owner.key][phase] += end - begin
                elif phase:
                    flow["own_" + phase] += end - begin
        for key, flow in flows.items():
            flow["total"] = sum(tx.latency for tx in self.of[key])
            flow["own"] = flow["total"] - sum(part["ticks"] for part in flow["parts"].values())
        return flows

    def passed_on(self, key=None):
        """The number of transactions of a generator with an error that a child has, too."""
        children = self.children()
        return sum(tx.error and any(c.error for c in children.get(tx.id, ()))
                   for tx in (self.txs if key is None else self.of[key]))

    def links(self):
        """{stream: (initiator, target)}: the modules at both ends of each link, without the modules around both."""
        run = {a[1]: a[3] for tx in self.all if tx.stream == "ftr.run" for a in tx.attributes}
        links = {}
        for name in self.streams:
            if f"target.{name}" in run:
                ends = [re.sub(r"\[\d+\]$", "", run[f"{end}.{name}"]).split(".")[:-1] for end in ("initiator", "target")]
                while min(map(len, ends)) > 1 and ends[0][0] == ends[1][0]:
                    ends = [end[1:] for end in ends]
                links[name] = tuple(".".join(end) for end in ends)
        return links
