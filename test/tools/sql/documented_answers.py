"""The answers to the thirty queries of docs/sql.md, computed without SQL from the rows of a trace (trace_rows.py)."""

from collections import defaultdict
from decimal import Decimal

from trace_rows import Answer, greatest_open, grouped, interpolated, mean, nearest_rank, reachable

MICROSECOND = 1_000_000  # in ticks
UNITS = ("s", "ms", "us", "ns", "ps", "fs")


def text_of_time(ticks, time_scale=-12):
    """The time in the largest unit in which it is at least 1."""
    for at, unit in enumerate(UNITS):
        value = Decimal(ticks).scaleb(time_scale + 3 * at)
        if value >= 1 or ticks == 0:
            return f"{value.normalize():f} {unit}" if ticks else "0 s"
    raise AssertionError(ticks)


def durations(transactions):
    return [tx.duration for tx in transactions]


def per_generator(transactions, function, by=lambda tx: (tx.stream, tx.generator)):
    return [(*key, *function(own)) for key, own in grouped(transactions, by).items()]


def children(rows, stream, generator, name="PARENT_CHILD"):
    return [(source, target) for relation, source, target in rows.linked()
            if relation.name == name and source.stream == stream and generator in (None, source.generator)]


def files(rows):
    last = max(tx.end for tx in rows.transactions)
    return Answer([(rows.path, "sound" if rows.is_sound else "damaged", rows.time_scale, len(rows.streams),
                    rows.generator_count, text_of_time(last))])


def slowest(rows):
    ten = sorted(rows.transactions, key=lambda tx: -tx.duration)
    greatest = {text_of_time(tx.duration): -tx.duration for tx in ten}
    return Answer([(tx.id, tx.stream, tx.generator, text_of_time(tx.begin), text_of_time(tx.duration)) for tx in ten],
                  key=lambda row: greatest[row[4]], limit=10)


def in_window(rows):
    return Answer([tx[:5] for tx in rows.transactions if tx.end >= MICROSECOND and tx.begin <= 1.1 * MICROSECOND],
                  key=lambda row: row[3])


def addresses(rows, stream, generator):
    return [a.value for tx in rows.of(stream, generator) for a in tx.attributes if a.name == "address"]


def read_addresses(rows):
    return Answer([(hex(address), len(own)) for address, own in
                   grouped(addresses(rows, "top.cpu", "read"), lambda address: address).items()], key=lambda row: -row[1], limit=5)


def bytes_moved(rows):
    moved = defaultdict(int)
    for tx, attribute in rows.attributes():
        if attribute.name == "length":
            moved[tx.stream] += attribute.value
    return Answer(moved.items())


def responses(rows):
    return Answer([(value, len(own)) for value, own in grouped(
        [a.value for _, a in rows.attributes() if a.name == "response"], lambda value: value).items()])


def caused(rows):
    return Answer([(relation.name, tx.id, tx.stream, tx.generator, tx.duration)
                   for relation, source, tx in rows.linked() if source.id == 1])


def tree(rows):
    below, level, depth = [], {1}, 0
    while level:  # relations of this kind have no cycle
        below += [(depth, *tx[:5]) for number in level for tx in rows.by_id[number]]
        level = {r.target for r in rows.relations if r.name == "PARENT_CHILD" and r.source in level}
        depth += 1
    assert {row[1] for row in below} == reachable(rows, 1, "PARENT_CHILD")
    return Answer(below, key=lambda row: (row[4], row[0]))


def kinds_of_children(rows):
    return Answer(per_generator([child for _, child in children(rows, "top.cpu", "read")], lambda own: (len(own),)))


def waiting(rows):
    moves = [(cpu, move) for cpu, move in children(rows, "top.cpu", None) if move.generator == "move"]
    return Answer([(100 * sum(move.begin - cpu.begin for cpu, move in moves) / sum(durations(cpu for cpu, _ in moves)),)])


def during(rows):
    return Answer([(dma.id, cpu.id) for cpu in rows.of("top.cpu", "read") for dma in rows.of("top.dma") if dma.overlaps(cpu)],
                  key=lambda row: 0, limit=5)


def overtaking(rows):
    writes = rows.of("top.dma", "write")
    return Answer([(sum(r.begin > w.begin and r.end < w.end for r in rows.of("top.dma", "read") for w in writes),)])


def gaps(rows):
    own = sorted(rows.of("top.ram"), key=lambda tx: tx.begin)
    assert len({tx.begin for tx in own}) == len(own)
    return Answer([(tx.id, tx.begin - before.end) for before, tx in zip(own, own[1:])] + [(own[0].id, None)],
                  key=lambda row: float("inf") if row[1] is None else -row[1], limit=3)


def per_microsecond(rows):
    return Answer(per_generator(rows.transactions, lambda own: (len(own),), lambda tx: (tx.begin // MICROSECOND,)))


def busy(rows):
    return Answer(per_generator(rows.of("top.ram"), lambda own: (100 * sum(durations(own)) / MICROSECOND,),
                                lambda tx: (tx.begin // MICROSECOND,)))


def histogram(rows):
    return Answer(per_generator(rows.of("top.dma"), lambda own: (len(own), "#" * min(len(own) // 5, 20)),
                                lambda tx: (tx.duration // 10000 * 10,)))


def rows_of_memory(rows):
    hits = grouped(rows.of("top.ram", "access"), lambda tx: next(a.value for a in tx.attributes if a.name == "row"))
    return Answer([(hit, len(own), mean(durations(own))) for hit, own in hits.items()])


def skew(rows):
    return Answer(per_generator(rows.transactions, lambda own: (mean(durations(own)), interpolated(durations(own), 0.5)),
                                lambda tx: (tx.generator,)))


def shares(rows):
    total = sum(stream.bytes for stream in rows.streams)
    return Answer([(s.name, s.bytes, 100 * s.bytes // total) for s in rows.streams], key=lambda row: -row[1])


# By number; each takes the rows of the trace. The last query asks for a plan.
ANSWERS = {
    1: files,
    2: lambda rows: Answer(per_generator(rows.transactions, lambda own: (
        len(own), min(durations(own)), mean(durations(own)), max(durations(own))))),
    3: slowest,
    4: lambda rows: Answer(per_generator(rows.of("top.cpu"), lambda own: [nearest_rank(durations(own), p) for p in (50, 99)],
                                         lambda tx: (tx.generator,))),
    5: in_window,
    6: read_addresses,
    7: lambda rows: Answer([(len(set(addresses(rows, "top.cpu", "write")) & set(addresses(rows, "top.dma", "write"))),)]),
    8: bytes_moved,
    9: responses,
    10: lambda rows: Answer([(sum(a.name == "response" and a.value != "tlm::TLM_OK_RESPONSE" for _, a in rows.attributes()),)]),
    11: lambda rows: Answer([(a.number, a.class_, a.name, a.type, a.value) for tx in rows.by_id[2] for a in tx.attributes]),
    12: caused,
    13: tree,
    14: kinds_of_children,
    15: waiting,
    16: during,
    17: overtaking,
    18: gaps,
    19: per_microsecond,
    20: busy,
    21: lambda rows: Answer([(greatest_open(rows.of("top.bus.address")),)]),
    22: histogram,
    23: rows_of_memory,
    24: skew,
    25: lambda rows: Answer({(a.name, a.class_, a.type) for tx, a in rows.attributes() if tx.stream == "top.ram"}),
    26: lambda rows: Answer([(sum(stream.chunks == 0 for stream in rows.streams),)]),
    27: shares,
    28: lambda rows: Answer([(rows.path, nearest_rank(durations(rows.of("top.cpu")), 99) / 1e12)]),
    29: lambda rows: Answer([(int(not rows.is_sound),)]),
}
