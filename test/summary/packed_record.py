"""Reads the packed record of a run, as docs/summary-format.md describes it; shares no code with the product."""

from collections import defaultdict

MASK = (1 << 64) - 1
HALF = 32768


class Bits:
    """The arithmetic decoder."""

    def __init__(self, block):
        self.block, self.at = block, 4
        self.low, self.high = 0, 0xFFFFFFFF
        self.code = int.from_bytes((block + bytes(4))[:4], "big")

    def plain(self, one=HALF):
        middle = self.low + ((self.high - self.low) * one >> 16)
        bit = self.code <= middle
        if bit:
            self.high = middle
        else:
            self.low = middle + 1
        while self.low >> 24 == self.high >> 24:
            byte = self.block[self.at] if self.at < len(self.block) else 0
            self.at += 1
            self.low = self.low << 8 & 0xFFFFFFFF
            self.high = (self.high << 8 & 0xFFFFFFFF) | 0xFF
            self.code = (self.code << 8 & 0xFFFFFFFF) | byte
        return int(bit)

    def bit(self, model):
        fast, slow, seen = model
        bit = self.plain((fast + slow) // 2)
        shift = (seen + 2).bit_length() - 1
        if bit:
            model[0] = fast + (65535 - fast >> min(shift, 4))
            model[1] = slow + (65535 - slow >> shift)
        else:
            model[0] = fast - (fast >> min(shift, 4))
            model[1] = slow - (slow >> shift)
        if seen < 126:
            model[2] = seen + 1
        return bit


def new_models():
    return defaultdict(lambda: [HALF, HALF, 0])


class Numbers:
    """Numbers and texts. A model is a dictionary of bit models by place."""

    def __init__(self, block):
        self.bits = Bits(block)
        self.models = new_models()
        self.before = defaultdict(int)
        self.history, self.latest = bytearray(), defaultdict(int)

    def _below(self, name, length):
        value, node, rest = 1, 1, length - 1
        while rest and node < 4:
            bit = self.bits.bit(self.models[name, "top", length, node])
            value, node, rest = value * 2 + bit, node * 2 + bit, rest - 1
        for _ in range(rest):
            value = value * 2 + self.bits.plain()
        return value

    def number(self, name):
        node = 1
        for _ in range(7):
            node = node * 2 + self.bits.bit(self.models[name, "length", node])
        length = node - 128
        assert length <= 64
        return length if length < 2 else self._below(name, length)

    def small(self, name):
        length = 0
        while length < 64 and self.bits.bit(self.models[name, "unary", length]):
            length += 1
        return length if length < 2 else self._below(name, length)

    def near(self, name, predicted):
        distance = self.number(name)
        if distance and self.bits.bit(self.models[name, "sign"]):
            distance = -distance
        return predicted + distance & MASK

    def similar(self, name):
        self.before[name] = self.near(name, self.before[name])
        return self.before[name]

    def _hash(self):
        value = 0
        for byte in reversed(self.history[-3:]):
            value = value * 29 + byte
        return value % 4096

    def _append(self, byte):
        self.history.append(byte)
        self.latest[self._hash()] = len(self.history)

    def text(self):
        size, matched, at, out = self.number("text"), 0, 0, bytearray()
        for _ in range(size):
            if not matched:
                at = self.latest[self._hash()]
            right = at < len(self.history) and self.bits.bit(self.models["predicted", matched])
            if right:
                byte = self.history[at]
            else:
                byte, before = 1, self.history[-1] >> 5 if self.history else 0
                for _ in range(8):
                    byte = byte * 2 + self.bits.bit(self.models["byte", before, byte])
                byte -= 256
            out.append(byte)
            self._append(byte)
            matched = min(matched + 1, 15) if right else 0
            at += 1
        self._append(0)
        return bytes(out)


def level(number):
    if number < 16:
        return number if number < 8 else 8 + (number - 8) // 2
    return 12 + (number - 16) // 4 if number < 24 else 14


def large_count(numbers, like, predicted):
    length = predicted.bit_length()
    shift = (length - 1) // 2 - 1
    model = (length - 1) % 2 * 2 + (predicted >> length - 2) % 2
    count = numbers.near(("distance", like, model), predicted >> shift)
    for _ in range(shift):
        count = count * 2 + numbers.bits.plain()
    return count


def bins_of(numbers, used, step, like):
    """Returns {latency: transactions}."""
    bins, value = {}, 0
    average = like_average = gap_average = 0
    error = like_error = 256
    for i in range(used):
        if i == 0:
            value, gap = numbers.number("value"), 1
        else:
            gap = numbers.small(("gap", level(average >> 8), min(gap_average, 2))) + 1
            value += gap * step
        for _ in range(min(gap, 40) - 1):
            average -= average // 4
            like_average -= like_average // 4
        predicted = like_predicted = average
        like_count = min(like.get(value, 0), 1 << 40) if like is not None else 0
        if like is not None and like_average > 2:
            like_predicted = min((like_count * average << 8) // like_average, 1 << 48)
        is_like = like_error < error
        used_one = like_predicted if is_like else predicted
        if used_one < 12 << 8:
            count = numbers.small(("count", is_like, level(used_one >> 7))) + 1
        else:
            count = large_count(numbers, is_like, used_one >> 8)
        bins[value] = count
        capped = min(count, 1 << 40)
        shift = capped.bit_length() // 2
        error += (abs((capped << 8) - predicted) >> shift) - error // 8
        like_error += (abs((capped << 8) - like_predicted) >> shift) - like_error // 8
        average += (capped << 6) - average // 4
        like_average += (like_count << 6) - like_average // 4
        gap_average = (gap_average + min(gap, 40)) // 2
    return bins


def latency(numbers, like):
    used = numbers.number("bin count")
    if used == 0:
        return {"count": 0, "min": 0, "max": 0, "sum": 0, "rounded": False, "bins": {}}
    rounded = bool(numbers.bits.bit(numbers.models["rounded"]))
    bins = bins_of(numbers, used, numbers.similar("step"), like)
    out = {"count": sum(bins.values()), "rounded": rounded, "bins": bins}
    if rounded:
        out["min"], out["max"] = numbers.number("least"), numbers.number("greatest")
        out["sum"] = numbers.number("sum high") << 64 | numbers.number("sum low")
    else:
        out["min"], out["max"] = min(bins), max(bins)
        out["sum"] = sum(value * count for value, count in bins.items())
    return out


def scaled(a, b, c, otherwise):
    return min(a * b // c, MASK) if c else otherwise


def slowest(numbers):
    """Returns [(latency, begin, id)]."""
    count = numbers.number("slowest count")
    if count == 0:
        return []
    latencies, step = [0] * count, numbers.similar("slowest step")
    if step:
        latencies[0] = step * numbers.number("slowest latency")
        for i in range(1, count):
            latencies[i] = latencies[i - 1] - step * numbers.number("slowest further")
    step = numbers.similar("slowest begin step")
    begins = [step * numbers.number("slowest begin") if step else 0 for _ in range(count)]
    ids = [numbers.number("slowest id")]
    for begin in begins[1:]:
        ids.append(numbers.near("slowest further id", scaled(begin, ids[0], begins[0], ids[0])))
    return list(zip(latencies, begins, ids))


def column(numbers, name, count, like=None):
    step = numbers.similar((name, "step"))
    if step == 0:
        return [0] * count
    out = []
    sums = like_sums = before = spread = 0
    for i in range(count):
        if i == 0:
            value = numbers.number((name, "first"))
            spread = value * 2 & MASK
        else:
            predicted = before if like is None else scaled(like[i], sums, like_sums, before)
            value = numbers.near((name, "further", min((spread // 4).bit_length(), 23)), predicted)
            spread = spread + abs(value - predicted) - spread // 4 & MASK
        out.append(value * step & MASK)
        sums, before = sums + value & MASK, value
        like_sums = like_sums + like[i] & MASK if like is not None else 0
    return out


def extent(numbers):
    count = numbers.similar("slot count")
    return count, numbers.similar("first slot") if count else 0


def slots(numbers):
    """Returns {slot: (transactions, bytes, busy time, sum, greatest)}."""
    count, first = extent(numbers)
    if count == 0:
        return {}
    transactions = column(numbers, "transactions", count)
    moved = column(numbers, "moved", count, transactions)
    busy = column(numbers, "busy time", count, transactions)
    sums = column(numbers, "latency sum", count, busy if any(busy) else transactions)
    rows = zip(transactions, moved, busy, sums, column(numbers, "latency max", count))
    return {first + i: row for i, row in enumerate(rows) if any(row)}


def generator(numbers, recent):
    """Returns (name, figures). `recent` has the generators so far."""
    name = numbers.text()
    like = next((bins for other, bins in reversed(recent[-64:]) if other == name),
                recent[-1][1] if recent else None)
    row = {"latency": latency(numbers, like), "first": 0, "last": 0}
    recent.append((name, row["latency"]["bins"]))
    for field in ("errors", "unfinished", "bytes"):
        row[field] = numbers.number(field)
    if row["latency"]["count"]:
        row["first"] = numbers.number("first")
        row["last"] = row["first"] + numbers.similar("duration")
    row["busy"], row["outstanding"] = numbers.number("busy"), numbers.number("outstanding")
    row["slowest"], row["slots"] = slowest(numbers), slots(numbers)
    return name, row


def stream(numbers, recent):
    name, kind = numbers.text(), numbers.text()
    row = {"busy": numbers.number("stream busy"), "outstanding": numbers.number("stream outstanding")}
    count, first = extent(numbers)
    busy = column(numbers, "stream busy time", count) if count else []
    row["slots"] = {first + i: (ticks,) for i, ticks in enumerate(busy) if ticks}
    return name, kind, row, [generator(numbers, recent)
                             for _ in range(numbers.number("generator count"))]


def read(block):
    """Returns (file, problem, time scale, losses, attributes, slot shift, streams)."""
    numbers = Numbers(block)
    file, problem = numbers.text(), numbers.text()
    scale, losses = numbers.number("time scale") - 128, numbers.number("losses")
    attributes = {}
    for _ in range(numbers.number("attribute count")):
        name = numbers.text()
        attributes[name] = numbers.text()
    shift, recent = numbers.number("slot shift"), []
    streams = [stream(numbers, recent) for _ in range(numbers.number("stream count"))]
    return file, problem, scale, losses, attributes, shift, streams
