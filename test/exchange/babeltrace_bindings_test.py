#!/usr/bin/python3
"""The component class source.ftr.file in graphs of babeltrace 2's Python bindings: texts, seeking, discarded events.

    babeltrace_bindings_test.py PLUGIN_DIRECTORY MAKE_AWKWARD_FILE
"""

import os
import sys
import unittest

import bt2

from cbor_file import write_lossy_file, write_ftr
from dumped import ExchangeTest, run

PLUGINS, MAKE_AWKWARD_FILE = map(os.path.abspath, sys.argv[1:3])
SOURCE = {plugin.name: plugin for plugin in bt2.find_plugins_in_path(PLUGINS)}["ftr"].source_component_classes["file"]


class Collector(bt2._UserSinkComponent):
    """Passes each message to a function, after seeking."""

    def __init__(self, config, params, user):
        self.begin, self.take = user
        self.port = self._add_input_port("in")

    def _user_graph_is_configured(self):
        self.messages = self._create_message_iterator(self.port)
        self.sought = False

    def _user_consume(self):
        if not self.sought and self.begin is not None:
            assert self.messages.can_seek_ns_from_origin(self.begin)
            self.messages.seek_ns_from_origin(self.begin)
        self.sought = True
        self.take(next(self.messages))


def collect(path, take, begin=None, trimmed=None, **parameters):
    """Runs source [-> trimmer] -> `take`."""
    graph = bt2.Graph()
    source = graph.add_component(SOURCE, "source", {"inputs": [path], **parameters})
    output = list(source.output_ports.values())[0]
    if trimmed is not None:
        filters = bt2.find_plugin("utils").filter_component_classes
        trimmer = graph.add_component(filters["trimmer"], "trimmer", {"begin": trimmed, "gmt": True})
        graph.connect_ports(output, trimmer.input_ports["in"])
        output = trimmer.output_ports["out"]
    sink = graph.add_component(Collector, "sink", obj=(begin, take))
    graph.connect_ports(output, sink.input_ports["in"])
    graph.run()


def key_of(stream):
    return stream.cls.id, stream.id


def event_of(message):
    """Returns time, name and payload of an event message; None for other messages."""
    if type(message) is not bt2._EventMessageConst:
        return None
    payload = message.event.payload_field
    number = int(payload["id"]) if "id" in payload else (int(payload["from"]), int(payload["to"]))
    return message.default_clock_snapshot.ns_from_origin, message.event.name, number


class BindingsTest(ExchangeTest):
    makers = ((MAKE_AWKWARD_FILE, "awkward.ftr", "300"),)

    def events(self, path, **how):
        found = []
        collect(path, lambda message: found.append(event_of(message)), **how)
        return [event for event in found if event is not None]

    def test_empty_texts_are_empty(self):
        texts = ["long", "", "x", "", "", "longer text", "", "a\0b", ""]
        write_ftr("texts.ftr", [
            ("", "", [("" if n % 2 else "read", n, n + 1,
                       [("begin", "", text), ("end", "text", texts[-1 - n]), ("end", "", "tail")])
                      for n, text in enumerate(texts)]),
            ("named", "a kind", [("", 20, 20, [("record", "first", ""), ("record", "", "second")])])])
        found = []

        def take(message):
            if type(message) is bt2._EventMessageConst:
                payload, context = message.event.payload_field, message.event.packet.context_field
                found.append((message.event.name, str(context["stream"]), str(context["kind"]),
                              str(payload["generator"]),
                              [(str(entry["name"]), str(entry["value"])) for entry in payload["texts"]]))

        collect("texts.ftr", take)
        expected = []
        for n, text in enumerate(texts):
            head = ("", "", "" if n % 2 else "read")
            expected += [("tx_begin", *head, [("", text.replace("\0", "\ufffd"))]),
                         ("tx_end", *head, [("text", texts[-1 - n].replace("\0", "\ufffd")), ("", "tail")])]
        expected.append(("tx_instant", "named", "a kind", "", [("first", ""), ("", "second")]))
        self.assertEqual(found, expected)

    def test_seeking_returns_the_same_as_reading_on(self):
        everything = self.events("awkward.ftr")
        times = sorted({event[0] for event in everything})
        self.assertGreater(len(times), 20)
        for begin in (times[0] - 5, times[0], times[1], times[len(times) // 2], times[len(times) // 2] + 1,
                      times[-1], times[-1] + 1, 2**62, -2**62):
            with self.subTest(begin):
                self.assertEqual(self.events("awkward.ftr", begin=begin),
                                 [event for event in everything if event[0] >= begin])

    def test_seeking_keeps_the_window(self):
        windowed = self.events("awkward.ftr", end="1500")
        middle = sorted({event[0] for event in windowed})[1]
        self.assertEqual(self.events("awkward.ftr", begin=middle, end="1500"),
                         [event for event in windowed if event[0] >= middle])

    def test_every_stream_and_packet_is_complete_after_seeking(self):
        everything = self.events("awkward.ftr")
        open_streams, open_packets, seen = set(), set(), 0

        def take(message):
            nonlocal seen
            kind = type(message)
            if kind is bt2._StreamBeginningMessageConst:
                open_streams.add(key_of(message.stream))
            elif kind is bt2._PacketBeginningMessageConst:
                self.assertIn(key_of(message.packet.stream), open_streams)
                open_packets.add(key_of(message.packet.stream))
            elif kind is bt2._EventMessageConst:
                self.assertIn(key_of(message.event.stream), open_packets)
                seen += 1
            elif kind is bt2._PacketEndMessageConst:
                open_packets.remove(key_of(message.packet.stream))
            elif kind is bt2._StreamEndMessageConst:
                open_streams.remove(key_of(message.stream))

        collect("awkward.ftr", take, begin=everything[len(everything) // 2][0])
        self.assertGreater(seen, 10)
        self.assertEqual((open_streams, open_packets), (set(), set()))

    def test_the_trimmer_seeks(self):
        everything = self.events("awkward.ftr")
        middle = everything[len(everything) // 2][0]
        text = f"{middle // 10**9}.{middle % 10**9:09}"
        self.assertEqual(self.events("awkward.ftr", trimmed=text),
                         [event for event in everything if event[0] >= middle])

    def test_a_seek_does_not_read_earlier_chunks(self):
        write_ftr("damaged.ftr", [("early", "", [("read", n, n + 1, []) for n in range(10)]),
                                  ("late", "", [("read", n, n + 1, []) for n in range(1000, 1010)])])
        with open("damaged.ftr", "rb") as file:
            data = file.read()
        damaged = data.index(b"\x81\xc6\x84\x01")  # head of the first transaction
        with open("damaged.ftr", "wb") as file:
            file.write(data[:damaged] + b"\x81\xc7" + data[damaged + 2:])
        graph = ("babeltrace2", f"--plugin-path={PLUGINS}", "run", "--component", "in:source.ftr.file",
                 "--params", 'inputs=["damaged.ftr"]', "--component", "trim:filter.utils.trimmer", "--params",
                 "gmt=yes,begin=\"{}\"", "--component", "out:sink.utils.counter", "--connect", "in:trim",
                 "--connect", "trim:out")
        whole, late = ([word.format(time) for word in graph] for time in ("0.000000000", "0.000000500"))
        run(*whole, stderr=2 *
            "WARNING: [source.ftr.file] damaged.ftr: byte 58: an item that is not a transaction: skipped [tx-shape]\n")
        self.assertIn(" 20 Event messages", run(*late))

    def test_losses_are_discarded_events(self):
        write_lossy_file("lossy.ftr")
        found = []

        def take(message):
            if type(message) is bt2._DiscardedEventsMessageConst:
                found.append((message.stream.name, message.beginning_default_clock_snapshot.value,
                              message.end_default_clock_snapshot.value, message.count))

        collect("lossy.ftr", take)
        self.assertEqual(found, [("cpu.ftr.losses", 0, 1, 3), ("ftr.losses", 10, 60, 142)])
        del found[:]
        collect("lossy.ftr", take, begin=50)
        self.assertEqual(found, [("ftr.losses", 60, 60, 135)])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
