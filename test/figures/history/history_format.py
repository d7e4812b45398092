"""Reads and writes history files with cbor2 (docs/history-format.md): shares no code with the product."""

import io
from pathlib import Path

import cbor2
import lz4.block

METRICS = ["count", "errors", "unfinished", "bytes", "outstanding", "throughput", "bandwidth", "busy", "min", "mean",
           "max", "p50", "p90", "p95", "p99", "p99.9"]
MASK = 2**64 - 1


def hash_of(data):
    """Returns the first 8 bytes of the content hash (docs/summary-format.md)."""
    low, high = 0xcbf29ce484222325, 0x9ae16a3b2f90404f
    for byte in data:
        low = (low ^ byte) * 0x100000001b3 & MASK
        high = (high ^ byte) * 0x9e3779b97f4a7c15 & MASK ^ high >> 47
    for factor in (0xff51afd7ed558ccd, 0xc4ceb9fe1a85ec53):
        high = (high ^ high >> 33) * factor & MASK
    return (high ^ high >> 33).to_bytes(8, "big")


def read_items(data):
    stream = io.BytesIO(data)
    decoder = cbor2.CBORDecoder(stream)
    while stream.tell() < len(data):
        yield decoder.decode()


def values_of(sample):
    """Returns the values of a sample, and the number of runs that are too short."""
    if sample is None:
        return [], 0
    exponent, too_short, *steps = sample
    values, number = [], 0
    for step in steps:
        number += step
        values.append(number * 10.0**exponent if exponent >= 0 else number / 10.0**-exponent)
    return values, too_short


def read(path):
    """Returns the nights of a history, each as a dictionary."""
    items = read_items(Path(path).read_bytes())
    head = next(items)
    head = head.value if isinstance(head, cbor2.CBORTag) else head
    assert head == ["ftr-history", 1], head
    nights = []
    for identity, time, name, runs, complete, raw_size, found, block in items:
        assert found == hash_of(block)
        content = lz4.block.decompress(block, uncompressed_size=raw_size) if raw_size else block
        key, tests, streams, run_list, generators, metrics, series = cbor2.loads(content)
        assert len(run_list) == runs and sum(test[2] for test in tests) == complete
        figures = {}
        for test, generator, attribute, *samples in series:
            for metric, sample in zip(metrics, samples, strict=True):
                figures[tests[test][0], generators[generator], attribute, metric] = values_of(sample)
        nights.append({"identity": identity, "time": time, "name": name, "key": key, "tests": tests, "streams": streams,
                       "runs": [(name, tests[test][0], state, [streams[at][0] for at in busy])
                                for name, test, state, busy in run_list],
                       "figures": figures})
    return nights


def sample_of(values, exponent):
    numbers = sorted(round(value / 10.0**exponent) for value in values)
    return [exponent, 0] + [number - before for before, number in zip([0] + numbers, numbers)]


def night_of(name, time, figures):
    """Returns a night as bytes. @param figures {(test, generator): {metric: values of the runs, in seconds}}"""
    tests = sorted({test for test, _ in figures})
    generators = sorted({generator for _, generator in figures})
    runs = {test: max(len(values) for (of, _), row in figures.items() if of == test for values in row.values())
            for test in tests}
    series = [[tests.index(test), generators.index(generator), None] +
              [sample_of(row[metric], -15) if metric in row else None for metric in METRICS]
              for (test, generator), row in figures.items()]
    content = cbor2.dumps([None, [[test, runs[test], runs[test], None, 0.0, 1.0] for test in tests], [],
                           [[f"{test}-{i}", tests.index(test), 0, []] for test in tests for i in range(runs[test])],
                           generators, METRICS, series])
    block = lz4.block.compress(content, store_size=False)
    identity = (name.encode() + bytes(16))[:16]
    return cbor2.dumps([identity, time, name, sum(runs.values()), sum(runs.values()), len(content), hash_of(block),
                        block])


def write(path, nights):
    Path(path).write_bytes(cbor2.dumps(cbor2.CBORTag(55799, ["ftr-history", 1])) + b"".join(nights))
