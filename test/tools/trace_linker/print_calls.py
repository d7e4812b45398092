#!/usr/bin/python3
"""Prints the calls in an FTR file as trees, without times and addresses, for comparison with
expected output."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "support"))
import ftr_decode  # noqa: E402


def text_of(attribute):
    _, name, type_, value = attribute
    if isinstance(value, str):
        value = value.encode("unicode_escape").decode()
    return f"{name}={'ptr' if type_ == 'POINTER' else value}"


def main(path, *names):
    records = list(ftr_decode.json_records(ftr_decode.decode(path)))
    calls = {r["id"]: r for r in records if r["record"] == "transaction"}
    inside = {}
    for r in records:
        if r["record"] == "relation" and r["name"] == "PARENT_CHILD":
            inside.setdefault(r["from"], []).append(r["to"])
    children = {child for group in inside.values() for child in group}

    def show(call, depth):
        result = [a for a in call["attributes"] if a[0] == "end"]
        arguments = ", ".join(text_of(a) for a in call["attributes"] if a[0] == "begin")
        ends = "".join(f" {text_of(a)}" for a in result)
        print(f"{'  ' * depth}{call['generator']}({arguments}){ends}")
        for child in sorted(inside.get(call["id"], [])):
            parent_ends, child_ends = call["end"], calls[child]["end"]
            assert call["begin"] <= calls[child]["begin"] and child_ends <= parent_ends
            show(calls[child], depth + 1)

    streams = sorted({c["stream"] for c in calls.values()})
    for stream in streams:
        if names and stream not in names:
            continue
        print(f"{stream}:")
        for number in sorted(calls):
            if calls[number]["stream"] == stream and number not in children:
                show(calls[number], 1)


if __name__ == "__main__":
    main(*sys.argv[1:])
