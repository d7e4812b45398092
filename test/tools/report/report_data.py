"""Reads the data out of an HTML report (docs/report-format.md)."""

import base64
import json
import re
import struct
import zlib

CODES = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q", "f64": "d"}


class Data:
    """The manifest and the blocks of a page."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.read(file.read())

    def read(self, page):
        """Takes the elements out of a page."""
        found = re.search(r'<script type="application/json" id="manifest">(.*?)</script>', page,
                          re.DOTALL)
        self.text = found.group(1)
        self.manifest = json.loads(self.text)
        self.size = len(page.encode())
        self.blocks = {
            name: zlib.decompress(base64.b64decode(text, validate=True), -15)
            for name, text in re.findall(
                r'<script type="text/plain" id="block-([a-z0-9-]+)">([^<]*)</script>', page)}

    @classmethod
    def of_tile(cls, answer):
        """The answer to a request for details."""
        size = int.from_bytes(answer[:4], "little")
        tile = cls.__new__(cls)
        tile.text = answer[4:4 + size].decode()
        tile.manifest = json.loads(tile.text)
        tile.blocks = {"tile": answer[4 + size:]}
        return tile

    @classmethod
    def of_page(cls, page):
        """The data of a page."""
        data = cls.__new__(cls)
        data.read(page)
        return data

    def column(self, c):
        """The values of a column."""
        size = struct.calcsize("<" + CODES[c["t"]])
        planes = self.blocks[c["b"]][c["o"]:c["o"] + size * c["n"]]
        assert len(planes) == size * c["n"], c
        raw = bytearray(len(planes))
        for k in range(size):
            raw[k::size] = planes[k * c["n"]:(k + 1) * c["n"]]
        values = list(struct.unpack(f"<{c['n']}{CODES[c['t']]}", raw))
        if c.get("d"):
            mask = (1 << 8 * size) - 1
            for i in range(1, len(values)):
                values[i] = (values[i] + values[i - 1]) & mask
        return values

    def columns(self, of):
        """All columns of an object, by name."""
        return {name: self.column(c) for name, c in of.items()
                if isinstance(c, dict) and "b" in c}

    def strings(self, transactions):
        """The texts of the whole transactions."""
        ends = self.column(transactions["strings"]["end"])
        raw = bytes(self.column(transactions["strings"]["bytes"]))
        return [raw[a:b].decode("utf-8", "replace") for a, b in zip([0] + ends, ends)]

    def transactions(self, transactions=None):
        """The whole transactions as dicts, with their attributes."""
        t = transactions or self.manifest["transactions"]
        strings, c, a = self.strings(t), self.columns(t), self.columns(t["attributes"])
        rows = []
        for i in range(t["count"]):
            places = range(c["attribute_first"][i], c["attribute_first"][i + 1])
            rows.append({"id": c["id"][i], "begin": c["begin"][i],
                         "end": c["begin"][i] + c["duration"][i],
                         "generator": c["generator"][i], "flags": c["flags"][i],
                         "attributes": [(a["class"][k], strings[a["name"][k]], a["type"][k],
                                         self._value(a["form"][k], a["value"][k], strings))
                                        for k in places]})
        return rows

    @staticmethod
    def _value(form, value, strings):
        if form == 1:
            return bool(value)
        if form == 2:
            return value - (1 << 64)
        if form in (4, 6):
            return struct.unpack("<d", struct.pack("<Q", value))[0]
        if form == 5:
            return None if value == 0xffffffff else strings[value]
        return None if form == 0 else value

    def relations(self):
        """The relations as (name, id, id)."""
        t = self.manifest["transactions"]
        strings, c, ids = self.strings(t), self.columns(t["relations"]), self.column(t["id"])
        return [(strings[n], ids[a], ids[b]) for n, a, b in zip(c["name"], c["from"], c["to"])]
