"""Reads the record of a run, as docs/summary-format.md describes it; shares no code with the product."""

GROUP = 32


class Numbers:
    """Columns of numbers, and the bytes between them."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def bytes(self, size):
        self.at += size
        assert self.at <= len(self.data)
        return self.data[self.at - size:self.at]

    def base128(self):
        value = shift = 0
        while True:
            (byte,) = self.bytes(1)
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                assert value < 1 << 64
                return value

    def group(self, count):
        (head,) = self.bytes(1)
        base = self.base128() if head & 128 else 0
        width = head & 127
        if width == 127:
            return [base] * count
        assert width <= 64
        bits = int.from_bytes(self.bytes((count * width + 7) // 8), "little")
        escape = (1 << width) - 1
        values = [bits >> i * width & escape for i in range(count)]
        return [base + value + (self.base128() if value == escape else 0) for value in values]

    def column(self, count):
        out = []
        while count > 0:
            part = min(count, GROUP)
            out += self.group(part)
            count -= part
        return out


def read_distributions(numbers, count):
    used = numbers.column(count)
    is_rounded = numbers.column(count)
    steps = numbers.column(count)
    values = [[first] if n else [] for n, first in zip(used, numbers.column(count))]
    for i, step in enumerate(steps):
        for gap in numbers.column(max(used[i] - 1, 0)):
            values[i].append(values[i][-1] + (gap + 1) * step)
    bins = [dict(zip(of, (n + 1 for n in numbers.column(len(of))))) for of in values]
    out = []
    for i in range(count):
        one = {"count": sum(bins[i].values()), "min": min(bins[i], default=0), "max": max(bins[i], default=0),
               "sum": sum(value * n for value, n in bins[i].items()), "rounded": bool(is_rounded[i]), "bins": bins[i]}
        if is_rounded[i]:
            one["min"], one["max"], high, low = numbers.column(4)
            one["sum"] = high << 64 | low
        out.append(one)
    return out


def read_latency(numbers, run, generators):
    for generator, latency in zip(generators, read_distributions(numbers, len(generators))):
        generator["latency"] = latency
    count = len(generators)
    slow, steps, begin_steps = numbers.column(count), numbers.column(count), numbers.column(count)
    latencies = []
    for n, step in zip(slow, steps):
        row = []
        for part in numbers.column(n):
            row.append(row[-1] - part * step if row else part * step)
        latencies.append(row)
    begins = [[part * step for part in numbers.column(n)] for n, step in zip(slow, begin_steps)]
    ids = [numbers.column(n) for n in slow]
    for generator, *columns in zip(generators, latencies, begins, ids):
        generator["slowest"] = list(zip(*columns))


def read_series(numbers, run, generators):
    streams = run["streams"]
    every = streams + generators
    counts = numbers.column(len(every))
    firsts = numbers.column(len(every))

    def columns(sizes):
        steps = numbers.column(len(sizes))
        return [[value * step for value in numbers.column(size)] for size, step in zip(sizes, steps)]

    busy = columns(counts)
    moved = [columns(counts[len(streams):]) for _ in range(4)]
    for i, stream in enumerate(streams):
        stream["slots"] = {firsts[i] + k: (value,) for k, value in enumerate(busy[i]) if value}
    for i, generator in enumerate(generators):
        at = len(streams) + i
        rows = zip(moved[0][i], moved[1][i], busy[at], moved[2][i], moved[3][i])
        generator["slots"] = {firsts[at] + k: row for k, row in enumerate(rows) if any(row)}


def read_times(numbers, run, generators):
    counts = numbers.column(len(generators))
    names = [numbers.bytes(size) for size in numbers.column(sum(counts))]
    rows = iter(zip(names, read_distributions(numbers, sum(counts))))
    for generator, count in zip(generators, counts):
        generator["times"] = dict(next(rows) for _ in range(count))


SECTIONS = {"latency": read_latency, "series": read_series, "times": read_times}


def read(data, sections):
    """Returns the figures of a run. Texts are bytes."""
    numbers = Numbers(data)
    scale, losses, signal, shift, attributes, streams = numbers.column(6)
    run = {"time_scale": scale - 128, "losses": losses, "signal": signal, "shift": shift}
    counts = numbers.column(streams)
    sizes = numbers.column(6 + 2 * attributes + 2 * streams + sum(counts))
    texts = iter([numbers.bytes(size) for size in sizes])
    for name in ("file", "problem", "test", "journal", "trace", "summary"):
        run[name] = next(texts)
    run["info"] = {next(texts): next(texts) for _ in range(attributes)}
    run["streams"] = [{"number": i, "name": next(texts), "kind": next(texts)} for i in range(streams)]
    generators = [{"stream": i, "name": next(texts)} for i, count in enumerate(counts) for _ in range(count)]
    for figure in ("busy", "outstanding"):
        for stream, value in zip(run["streams"], numbers.column(streams)):
            stream[figure] = value
    for figure in ("errors", "unfinished", "bytes", "first", "last", "busy", "outstanding"):
        for generator, value in zip(generators, numbers.column(len(generators))):
            generator[figure] = value + (generator["first"] if figure == "last" else 0)
    for section in sections:
        SECTIONS[section](numbers, run, generators)
    assert numbers.at == len(data)
    for stream in run["streams"]:
        stream["generators"] = [one for one in generators if one["stream"] == stream["number"]]
    return run
