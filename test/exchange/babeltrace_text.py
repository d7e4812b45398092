"""Parses the output of the babeltrace2 program, and computes the expected events of an FTR file."""

import re

from dumped import ExchangeTest

# Files of make_tool_files and make_awkward_file.
FILES = ("small.ftr", "changed.ftr", "plain.ftr", "text.ftr", "touching.ftr", "nanoseconds.ftr",
         "awkward.ftr")

CLASSES = {"AT_BEGIN": "begin", "RECORDED": "record", "AT_END": "end"}
ARRAYS = ("booleans", "integers", "unsigneds", "reals", "texts")

TOKEN = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|([{}\[\](),=:])|([^\s{}\[\](),=:"]+))')


def unquote(text):
    """Returns a string in babeltrace's output form, with C's escapes."""
    def escaped(match):
        word = match.group(1)
        return chr(int(word[1:], 16)) if word[0] == "x" else {"n": "\n", "t": "\t"}.get(word, word)
    return re.sub(r"\\(x[0-9a-f]{2}|.)", escaped, text[1:-1])


class Text:
    """Parses the fields of a line of babeltrace's text."""

    def __init__(self, line):
        self.tokens = [m.group(1) or m.group(2) or m.group(3) for m in TOKEN.finditer(line)]
        self.at = 0

    def take(self, expected=None):
        token = self.tokens[self.at]
        assert expected is None or token == expected, (expected, token, self.tokens)
        self.at += 1
        return token

    def value(self):
        token = self.take()
        if token == "{":
            return self.structure()
        if token == "[":
            return self.sequence()
        if token == "(":
            label = unquote(self.take())
            while self.take() != ")":
                pass
            return label
        return unquote(token) if token[0] == '"' else token

    def structure(self):
        fields = {}
        while self.tokens[self.at] != "}":
            name = self.take()
            self.take("=")
            fields[name] = self.value()
            if self.tokens[self.at] == ",":
                self.take()
        self.take("}")
        return fields

    def sequence(self):
        items = []
        while self.tokens[self.at] != "]":
            self.take("[")
            self.take(str(len(items)))
            self.take("]")
            self.take("=")
            items.append(self.value())
            if self.tokens[self.at] == ",":
                self.take()
        self.take("]")
        return items


LINE = re.compile(r"\[([0-9.-]+)\] (tx_[a-z]+): (.*)")


def read_events(output):
    """Returns (printed time, event, packet context, payload) of each line."""
    events = []
    for line in output.splitlines():
        time, name, rest = LINE.fullmatch(line).groups()
        text = Text(rest)
        context = text.value()
        text.take(",")
        payload = text.value()
        assert text.at == len(text.tokens), line
        events.append((time, name, context, payload))
    return events


def attributes_of(payload):
    found = []
    for array in ARRAYS:
        for entry in payload.get(array, []):
            value = entry["value"]
            if array == "booleans":
                value = value == "yes"
            elif array in ("integers", "unsigneds"):
                value = int(value)
            elif array == "reals":
                value = "%.6g" % float(value)  # babeltrace prints this many digits
            found.append((array, CLASSES[entry["class"]], entry["name"], entry["type"], value))
    return found


def expected_attributes(tx, classes):
    """Returns the attributes of the given classes, in the order of the arrays."""
    found = []
    for class_, name, type_, value in tx["attributes"]:
        if class_ not in classes:
            continue
        if isinstance(value, float):
            value = "%.6g" % value
            array = 3
        else:
            array = (0 if isinstance(value, bool) else 4 if isinstance(value, str)
                     else 1 if type_ == "INTEGER" else 2)
        found.append((ARRAYS[array], class_, name, type_, value))
    return sorted(found, key=lambda entry: ARRAYS.index(entry[0]))


def expected_events(transactions):
    """Returns, by (event, id): ticks, stream, generator, attributes."""
    events = {}
    for tx in transactions:
        head = (tx["stream"], tx["generator"])
        if tx["begin"] == tx["end"]:
            events["tx_instant", tx["id"]] = (
                tx["begin"], *head, expected_attributes(tx, ("begin", "record", "end")))
        else:
            events["tx_begin", tx["id"]] = (tx["begin"], *head, expected_attributes(tx, ("begin",)))
            events["tx_end", tx["id"]] = (
                tx["end"], *head, expected_attributes(tx, ("record", "end")))
    return events


class EventTest(ExchangeTest):
    def compare(self, events, dump, relations=True):
        expected = expected_events(dump.transactions)
        found = {}
        found_relations = []
        for time, name, context, payload in events:
            if name == "tx_relation":
                found_relations.append((payload["name"], int(payload["from"]), int(payload["to"]),
                                        int(payload["from_stream"]), int(payload["to_stream"])))
                continue
            key = name, int(payload["id"])
            self.assertNotIn(key, found)
            found[key] = (int(time), context["stream"], payload["generator"],
                          attributes_of(payload))
        self.assertEqual(found, expected)
        if relations:
            self.assertEqual(found_relations,
                             [(r["name"], r["from"], r["to"], r["from_stream"] or 0,
                               r["to_stream"] or 0) for r in dump.relations])
